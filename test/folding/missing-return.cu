// A device function that runs off its end. Clang marks the end unreachable, LLVM turns
// that into assume(i < n). It is not proved unless the assumption is on the list.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

__device__ int clamped(int i, int n)
{
    if (i < n)
        return i;
}

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void broken(tc_mut tc_shape(n) tc_tile(256) int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[clamped(i, n)] = 1;
}

// CHECK: kernel broken {{violated|unknown|assumed}}
// CHECK: kernel repaired proved

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(256) int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[clamped(i, n)] = 1;
}
