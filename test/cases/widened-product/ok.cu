// Maps 32-bit labels through a modulus; more labels than 2^31.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel remap --set count=300 --set classes=7
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(count, 256))
tc_requires(count <= 1LL << 36 && classes >= 1)
__global__ void remap(tc_shared tc_shape(count) const unsigned int *in, tc_out tc_shape(count) tc_tile(256) unsigned int *out,
                      unsigned int classes, long long count)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count)
        out[i] = in[i] % classes;
}
