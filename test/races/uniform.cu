// What all threads of a block have in common: trip counts, conditions, values through shared memory.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <tilecheck.h>
#define B 32

// CHECK: kernel early_return violated
tc_block(B) tc_requires(n >= 0 && n <= 4096)
__global__ void early_return(tc_mut tc_shape(n) float *y, int n)
{
    __shared__ float s[B];
    int i = blockIdx.x * B + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = y[i];
    __syncthreads();
    y[i] = s[threadIdx.x];
}

// CHECK: kernel whole_blocks proved
tc_block(B) tc_grid(n / B) tc_requires(n >= B && n <= 4096 && n % B == 0)
__global__ void whole_blocks(tc_mut tc_shape(n) float *y, int n)
{
    __shared__ float s[B];
    int i = blockIdx.x * B + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = y[i];
    __syncthreads();
    y[i] = s[threadIdx.x];
}

// CHECK: kernel strided violated
tc_block(B) tc_grid(1) tc_requires(n >= 0 && n <= 4096)
__global__ void strided(tc_mut tc_shape(n) float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += B) {
        y[i] = 1;
        __syncthreads();
    }
}

// CHECK: kernel strided_whole proved
tc_block(B) tc_grid(1) tc_requires(n >= 0 && n <= 4096 && n % B == 0)
__global__ void strided_whole(tc_mut tc_shape(n) float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += B) {
        y[i] = 1;
        __syncthreads();
    }
}

// A barrier behind a loop that threads leave at different times is reached by all of them.
// CHECK: kernel behind_strided proved
tc_block(B) tc_grid(1) tc_requires(n >= 0 && n <= 4096)
__global__ void behind_strided(tc_mut tc_shape(n) float *y, int n)
{
    __shared__ float s[B];
    float a = 0;
    for (int i = threadIdx.x; i < n; i += B)
        a += y[i];
    s[threadIdx.x] = a;
    __syncthreads();
    a = s[B - 1 - threadIdx.x];
    for (int i = threadIdx.x; i < n; i += B)
        y[i] = a;
}

// A flag in shared memory that all threads read between the same barriers.
// CHECK: kernel flag proved
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 100)
__global__ void flag(tc_mut tc_shape(B) int *y, int m)
{
    __shared__ int more;
    __shared__ int s[B];
    int k = 0, a = 0;
    if (threadIdx.x == 0)
        more = m;
    __syncthreads();
    while (more > k) {
        s[threadIdx.x] = k;
        __syncthreads();
        a += s[B - 1 - threadIdx.x];
        k++;
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel flag_changes proved
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 100)
__global__ void flag_changes(tc_mut tc_shape(B) int *y, int m)
{
    __shared__ int more;
    __shared__ int s[B];
    int a = 0;
    if (threadIdx.x == 0)
        more = m;
    __syncthreads();
    while (more > 0) {
        s[threadIdx.x] = a;
        __syncthreads();
        a += s[B - 1 - threadIdx.x] & 3;
        if (threadIdx.x == 0)
            more = more - 1;
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// The flag is set again while others may still read it.
// CHECK: kernel b_flag violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 100)
__global__ void b_flag(tc_mut tc_shape(B) int *y, int m)
{
    __shared__ int more;
    int a = 0;
    if (threadIdx.x == 0)
        more = m;
    __syncthreads();
    while (more > 0) {
        a++;
        if (threadIdx.x == 0)
            more = more - 1;
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// Each thread reads a flag of its own.
// CHECK: kernel b_own_flags {{violated|unknown}}
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 100)
__global__ void b_own_flags(tc_mut tc_shape(B) int *y, int m)
{
    __shared__ int more[B];
    more[threadIdx.x] = threadIdx.x + m;
    __syncthreads();
    int a = 0;
    while (a < more[threadIdx.x]) {
        a++;
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// A reduction over the block gives all threads one value.
// CHECK: kernel voted proved
tc_block(B) tc_grid(1)
__global__ void voted(tc_mut tc_shape(B) int *y, tc_shared tc_shape(B) const int *x)
{
    __shared__ int s[B];
    s[threadIdx.x] = 1;
    if (__syncthreads_or(x[threadIdx.x] > 3)) {
        y[threadIdx.x] = s[B - 1 - threadIdx.x];
        __syncthreads();
        s[threadIdx.x] = 2;
        __syncthreads();
        y[threadIdx.x] += s[B - 1 - threadIdx.x];
    }
}

// CHECK: kernel b_voted violated
tc_block(B) tc_grid(1)
__global__ void b_voted(tc_mut tc_shape(B) int *y, tc_shared tc_shape(B) const int *x)
{
    __shared__ int s[B];
    s[threadIdx.x] = 1;
    if (x[threadIdx.x] > 3) {
        __syncthreads();
        y[threadIdx.x] = s[B - 1 - threadIdx.x];
    }
}

// A length from memory that nobody writes: one for the block, or one for each thread.
// CHECK: kernel row_length proved
tc_block(B) tc_grid(rows) tc_requires(rows >= 1 && rows <= 100)
__global__ void row_length(tc_mut tc_shape(rows, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y,
                           tc_shared tc_shape(rows) tc_range(0, 100) const int *length, int rows)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < length[blockIdx.x]; k++) {
        s[threadIdx.x] = k;
        __syncthreads();
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[blockIdx.x * B + threadIdx.x] = a;
}

// CHECK: kernel b_row_length violated
tc_block(B) tc_grid(1)
__global__ void b_row_length(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) tc_range(0, 100) const int *length)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < length[threadIdx.x]; k++) {
        s[threadIdx.x] = k;
        __syncthreads();
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}
