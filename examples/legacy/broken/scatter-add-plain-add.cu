// Fault: the rows are added without atomics.
// The repaired kernel is ../scatter-add.cu.
#include <tilecheck.h>

tc_block(128) tc_grid(tokens)
tc_requires(dim >= 1 && dim <= 1 << 20)
__global__ void scatter_add(tc_atomic tc_shape(vocab, dim) float *table,
                            tc_shared tc_shape(tokens, dim) const float *grad,
                            tc_shared tc_shape(tokens) tc_range(0, vocab) const int *ids,
                            int tokens, int vocab, int dim)
{
    const size_t row = ids[blockIdx.x];
    for (int d = threadIdx.x; d < dim; d += blockDim.x)
        table[row * dim + d] += grad[(size_t)blockIdx.x * dim + d];
}
