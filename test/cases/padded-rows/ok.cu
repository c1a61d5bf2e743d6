// Copies rows into longer ones and fills up with zeros; one block a row.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel pad_rows --block 32 --set rows=2 --set from=5 --set to=9
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_grid(rows)
tc_requires(blockDim.y == 1 && blockDim.z == 1 && from <= 1 << 20 && to >= 1 && to <= 1 << 20)
__global__ void pad_rows(tc_out tc_shape(rows, to) tc_tile(1, to) tc_at(blockIdx.x, 0) float *out,
                         tc_shared tc_shape(rows, from) const float *in, int rows, int from, int to)
{
    for (int c = threadIdx.x; c < to; c += blockDim.x)
        out[(size_t)blockIdx.x * to + c] = c < from ? in[(size_t)blockIdx.x * from + c] : 0.0f;
}
