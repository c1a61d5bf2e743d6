// An index is tested, then read again from memory that another thread may have changed in
// between. LLVM keeps the first value.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel broken {{violated|unknown}}
tc_block(64) tc_grid(1)
__global__ void broken(tc_mut tc_shape(64) float *out, tc_shared tc_shape(64) const float *table,
                       tc_shared tc_shape(64) const int *in)
{
    __shared__ int place[64];
    const int t = threadIdx.x;
    place[t] = in[t];
    if (place[t] < 0 || place[t] >= 64)
        place[t] = t;
    __syncthreads();
    if (t == 0)
        place[63] = 5000;
    __syncthreads();
    out[t] = table[place[t]];
}

// CHECK: kernel repaired proved
tc_block(64) tc_grid(1)
__global__ void repaired(tc_mut tc_shape(64) float *out, tc_shared tc_shape(64) const float *table,
                         tc_shared tc_shape(64) const int *in)
{
    const int t = threadIdx.x;
    int place = in[t];
    if (place < 0 || place >= 64)
        place = t;
    out[t] = table[place];
}
