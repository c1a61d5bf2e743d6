// Embedding lookup: row t of the output is the row of the table that token t names.
//
// Shapes: table is vocab x dim, out is tokens x dim; ids holds one row number a token,
// and the contract says that they are rows of the table.
// Proved for up to 2^20 columns and any number of tokens and rows: loads through ids
// are in bounds, a block writes only its own row of out.
#include <tilecheck.h>

tc_block(128) tc_grid(tokens)
tc_requires(dim >= 1 && dim <= 1 << 20)
__global__ void embed(tc_out tc_shape(tokens, dim) tc_tile(1, dim) tc_at(blockIdx.x, 0) float *out,
                      tc_shared tc_shape(vocab, dim) const float *table,
                      tc_shared tc_shape(tokens) tc_range(0, vocab) const int *ids,
                      int tokens, int vocab, int dim)
{
    const int id = ids[blockIdx.x];
    for (int d = threadIdx.x; d < dim; d += blockDim.x)
        out[(size_t)blockIdx.x * dim + d] = table[(size_t)id * dim + d];
}
