// A struct passed by value is a copy of its own in the function: aligned as its type is, and no more.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

struct words {
    unsigned short of[4];
};
struct __align__(8) aligned_words {
    unsigned short of[4];
};

__device__ float2 both(aligned_words w)
{
    return *(float2 *)w.of;
}

__device__ float first(words w)
{
    // CHECK: tc2003-copied-struct.cu:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}'w' is aligned to 2 bytes, the access needs 4
    return *(float *)w.of;
}

// VERDICT: kernel of_aligned proved
tc_block(128) tc_grid(1)
__global__ void of_aligned(tc_mut tc_shape(128) float2 *y, tc_shared tc_shape(128) const aligned_words *x)
{
    y[threadIdx.x] = both(x[threadIdx.x]);
}

// VERDICT: kernel of_halves unknown
tc_block(128) tc_grid(1)
__global__ void of_halves(tc_mut tc_shape(128) float *y, tc_shared tc_shape(128) const words *x)
{
    y[threadIdx.x] = first(x[threadIdx.x]);
}
