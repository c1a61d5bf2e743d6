// Bounds of every kind of object, null, and the gaps of strided shapes.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=5 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(8) tc_grid(1)
__global__ void past_the_end(tc_mut tc_shape(n) float *a, int n)
{
    // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}write of 4 bytes at byte 20 of 'a', which has 20{{.*}}[TC2001]
    a[threadIdx.x] = 0;
}

tc_block(8) tc_grid(1)
__global__ void guarded(tc_mut tc_shape(n) float *a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] = 0;
}

tc_block(1) tc_grid(1)
__global__ void before_the_start(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(1) int *out, int n)
{
    // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}read of 4 bytes at byte -4 of 'a'{{.*}}[TC2001]
    out[0] = a[n - 6];
}

tc_block(4) tc_grid(1)
__global__ void shared_array(tc_mut tc_shape(4) int *out, int n)
{
    __shared__ int s[4];
    // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}byte 16 of 's', which has 16{{.*}}[TC2001]
    s[threadIdx.x + n - 4] = 1;
    __syncthreads();
    out[threadIdx.x] = 1;
}

tc_block(1) tc_grid(1)
__global__ void local_array(tc_mut tc_shape(1) int *out, int n)
{
    int l[4] = {0, 1, 2, 3};
    // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}byte 20 of{{.*}}which has 16{{.*}}[TC2001]
    out[0] = l[n];
}

__constant__ int table[4] = {1, 2, 3, 4};

tc_block(1) tc_grid(1)
__global__ void constant_array(tc_mut tc_shape(1) int *out, int n)
{
    // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}byte 20 of 'table', which has 16{{.*}}[TC2001]
    out[0] = table[n];
}

tc_block(1) tc_grid(1)
__global__ void constant_inside(tc_mut tc_shape(1) int *out, int n)
{
    out[0] = table[n - 3];
}

tc_block(1) tc_grid(1)
__global__ void null_store(tc_mut tc_shape(n) int *out, int n)
{
    int *p = nullptr;
    if (n == 5)
        // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}through a null pointer{{.*}}[TC2001]
        *p = 1;
    out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void in_a_gap(tc_mut tc_shape(2, n) tc_stride(8, 1) int *out, int n)
{
    // CHECK-DAG: bounds.cu:[[@LINE+1]]:{{.*}}between two elements{{.*}}[TC2001]
    out[n] = 1;
    out[8 + n - 1] = 1;
}

tc_block(1) tc_grid(1)
__global__ void pointer_leaves_and_comes_back(tc_mut tc_shape(n) int *out, int n)
{
    int *p = out + 1000 * n;
    p = p - 1000 * n;
    *p = 1;
}
