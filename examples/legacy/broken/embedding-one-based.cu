// Fault: ids may be vocab: the range in the contract is that of one-based numbers.
// The repaired kernel is ../embedding.cu.
#include <tilecheck.h>

tc_block(128) tc_grid(tokens)
tc_requires(dim >= 1 && dim <= 1 << 20)
__global__ void embed(tc_out tc_shape(tokens, dim) tc_tile(1, dim) tc_at(blockIdx.x, 0) float *out,
                      tc_shared tc_shape(vocab, dim) const float *table,
                      tc_shared tc_shape(tokens) tc_range(1, vocab + 1) const int *ids,
                      int tokens, int vocab, int dim)
{
    const int id = ids[blockIdx.x];
    for (int d = threadIdx.x; d < dim; d += blockDim.x)
        out[(size_t)blockIdx.x * dim + d] = table[(size_t)id * dim + d];
}
