// Fault: the elements past the end of the short row are never written.
// RUN: %exits 2 %tilecheck run %s --kernel pad_rows --block 32 --set rows=2 --set from=5 --set to=9 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_grid(rows)
tc_requires(blockDim.y == 1 && blockDim.z == 1 && from <= 1 << 20 && to >= 1 && to <= 1 << 20)
// CHECK: padded-rows-rest-unwritten.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1007]
__global__ void pad_rows(tc_out tc_shape(rows, to) tc_tile(1, to) tc_at(blockIdx.x, 0) float *out,
                         tc_shared tc_shape(rows, from) const float *in, int rows, int from, int to)
{
    for (int c = threadIdx.x; c < min(from, to); c += blockDim.x)
        out[(size_t)blockIdx.x * to + c] = c < from ? in[(size_t)blockIdx.x * from + c] : 0.0f;
}
