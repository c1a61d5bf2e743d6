// Adds rows into the rows of a table that ids names: the gradient of an embedding.
//
// Shapes: grad is tokens x dim, table is vocab x dim; ids holds one row a token, and may name
// a row more than once. One block a token.
// Proved for up to 2^20 columns and any number of tokens and rows: rows that ids names are in
// the table, which is touched only by atomics.
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
        atomicAdd(&table[row * dim + d], grad[(size_t)blockIdx.x * dim + d]);
}
