// TC2001: accesses outside of parameters, shared and local arrays.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel no_guard violated
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void no_guard(tc_mut tc_shape(n) tc_tile(256) float *y, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    // CHECK: tc2001-out-of-bounds.cu:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}'y'{{.*}}[TC2001]
    // CHECK: note: with n = {{[0-9]+}}, gridDim = ({{.*}}), blockDim = (256,1,1)
    y[i] = 1.0f;
}

// VERDICT: kernel repaired proved
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(256) float *y, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}

// Only the shape's elements exist, not the gap behind each row.
// VERDICT: kernel the_gap violated
tc_block(32) tc_grid(rows)
tc_requires(rows >= 2 && cols >= 1 && cols < ld && ld <= 1 << 12 && rows <= 1 << 12)
__global__ void the_gap(tc_shared tc_shape(rows, cols) tc_stride(ld, 1) const float *x,
                        tc_mut tc_shape(rows) tc_tile(1) float *y, int rows, int cols, int ld)
{
    if (threadIdx.x == 0)
        // CHECK: tc2001-out-of-bounds.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'x'{{.*}}[TC2001]
        y[blockIdx.x] = x[blockIdx.x * ld + cols];
}

// Near miss: the last element of the row.
// VERDICT: kernel the_last_column proved
tc_block(32) tc_grid(rows)
tc_requires(rows >= 2 && cols >= 1 && cols < ld && ld <= 1 << 12 && rows <= 1 << 12)
__global__ void the_last_column(tc_shared tc_shape(rows, cols) tc_stride(ld, 1) const float *x,
                                tc_mut tc_shape(rows) tc_tile(1) float *y, int rows, int cols, int ld)
{
    if (threadIdx.x == 0)
        y[blockIdx.x] = x[blockIdx.x * ld + cols - 1];
}

// VERDICT: kernel shared_array violated
tc_block(64) tc_grid(1)
__global__ void shared_array(tc_mut tc_shape(64) float *y)
{
    __shared__ float part[64];
    part[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    // CHECK: tc2001-out-of-bounds.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'part'{{.*}}[TC2001]
    y[threadIdx.x] = part[threadIdx.x + 1];
}

// VERDICT: kernel optional_is_null violated
tc_block(64) tc_grid(1)
__global__ void optional_is_null(tc_mut tc_shape(64) float *y, tc_optional tc_shared tc_shape(64) const float *bias)
{
    // CHECK: tc2001-out-of-bounds.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
    y[threadIdx.x] += bias[threadIdx.x];
}

// VERDICT: kernel optional_is_tested proved
tc_block(64) tc_grid(1)
__global__ void optional_is_tested(tc_mut tc_shape(64) float *y, tc_optional tc_shared tc_shape(64) const float *bias)
{
    if (bias)
        y[threadIdx.x] += bias[threadIdx.x];
}
