// Warp functions.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cuda_runtime.h>

__global__ void warp(int *q, float *p, double *d, unsigned long long *u)
{
    const unsigned all = 0xffffffffu;
    q[0] = __shfl_sync(all, q[1], 3) + __shfl_up_sync(all, q[1], 1) + __shfl_down_sync(all, q[1], 1, 16) + __shfl_xor_sync(all, q[1], 1);
    p[0] = __shfl_sync(all, p[1], 3) + __shfl_xor_sync(all, p[1], 1);
    d[0] = __shfl_down_sync(all, d[1], 3);
    u[0] = __shfl_xor_sync(all, u[1], 3);
    q[1] = __any_sync(all, q[2]) + __all_sync(all, q[2]) + __ballot_sync(all, q[2] > 0) + __activemask();
    q[2] = __match_any_sync(all, q[1]) + __match_all_sync(all, q[1], q + 3) + __reduce_add_sync(all, 3u);
    __syncwarp();
    __syncwarp(0xffff);
    q[3] = warpSize + clock() + int(clock64());
    __nanosleep(100);
}
