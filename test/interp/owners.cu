// Who may write what: tiles, rows, owners, shared borrows, atomics, two blocks.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=64 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(32) tc_grid(2)
__global__ void right_tile(tc_mut tc_shape(n) tc_tile(32) float *a, int n)
{
    a[blockIdx.x * 32 + threadIdx.x] = 1;
}

tc_block(32) tc_grid(2)
__global__ void other_tile(tc_mut tc_shape(n) tc_tile(32) float *a, int n)
{
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}leaves the block's region{{.*}}[TC1004]
    a[(1 - blockIdx.x) * 32 + threadIdx.x] = 1;
}

tc_block(32) tc_grid(2)
__global__ void two_writers(tc_mut tc_shape(n) float *a, int n)
{
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}another block{{.*}}[TC1001]
    a[threadIdx.x] = blockIdx.x;
}

tc_block(32) tc_grid(2)
__global__ void reads_the_neighbour(tc_mut tc_shape(n) float *a, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}another block{{.*}}[TC1002]
    a[i] = a[n - 1 - i];
}

tc_block(32) tc_grid(2)
__global__ void writes_shared(tc_shared tc_shape(n) const float *a, int n)
{
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}borrowed shared{{.*}}[TC1003]
    const_cast<float *>(a)[threadIdx.x] = 1;
}

tc_block(32) tc_grid(2)
__global__ void plain_on_atomic(tc_atomic tc_shape(n) int *a, int n)
{
    atomicAdd(a + 1, 1);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}atomic operations only{{.*}}[TC1006]
        a[0] = 0;
}

tc_block(32) tc_grid(2)
__global__ void small_scope(tc_atomic tc_shape(n) int *a, int n)
{
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}block scope{{.*}}[TC1006]
    atomicAdd_block(a + threadIdx.x, 1);
}

tc_block(32) tc_grid(2)
__global__ void rows(tc_mut tc_shape(n) tc_rows(blockIdx.x * 32, blockIdx.x * 32 + 31) float *a, int n)
{
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}element 31 leaves the block's region{{.*}}[TC1004]
    a[blockIdx.x * 32 + threadIdx.x] = 1;
}

tc_block(8) tc_grid(2)
__global__ void owner(tc_mut tc_shape(n) tc_tile(8) tc_owner(i; i % gridDim.x) float *a, int n)
{
    for (int tile = blockIdx.x; tile < n / 8; tile += gridDim.x)
        a[tile * 8 + threadIdx.x] = 1;
}

tc_block(8) tc_grid(2)
__global__ void other_owner(tc_mut tc_shape(n) tc_tile(8) tc_owner(i; i / 4) float *a, int n)
{
    for (int tile = blockIdx.x; tile < n / 8; tile += gridDim.x)
        // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}[TC1004]
        a[tile * 8 + threadIdx.x] = 1;
}

tc_block(8) tc_grid(2)
// CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}same tile{{.*}}[TC1005]
__global__ void at_is_constant(tc_mut tc_shape(n) tc_tile(8) tc_at(gridDim.x - 1) float *a, int n)
{
    if (blockIdx.x == 0)
        a[8 + threadIdx.x] = 1;
}

tc_block(8) tc_grid(1)
// CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}two elements of 'a' are at place {{[0-9]+}} by its strides [TC1005]
__global__ void strides_meet(tc_mut tc_shape(4, n) tc_stride(16, 1) float *a, int n)
{
    a[threadIdx.x] = 1;
}

// CHECK-DAG: owners.cu:[[@LINE+2]]:{{.*}}element 63 of 'a' is never written{{.*}}[TC1007]
tc_block(32) tc_grid(2)
__global__ void one_missing(tc_out tc_shape(n) tc_tile(32) float *a, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n - 1)
        a[i] = 1;
}

tc_block(32) tc_grid(2)
__global__ void read_before_written(tc_out tc_shape(n) tc_tile(32) float *a, int n)
{
    // CHECK-DAG: owners.cu:[[@LINE+1]]:{{.*}}not written before{{.*}}[TC1007]
    a[blockIdx.x * 32 + threadIdx.x] += 1;
}
