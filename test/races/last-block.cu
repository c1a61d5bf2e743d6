// The last block to add to a counter reads what all blocks wrote. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64

__device__ unsigned add_acq_rel(unsigned *p)
{
    unsigned r;
    asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(r) : "l"(p) : "memory");
    return r;
}

__device__ void fence_acq_rel() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

// CHECK: kernel fence_behind_flag proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void fence_behind_flag(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                  tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel fences_by_one_thread proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void fences_by_one_thread(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                     tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// Fences of all threads, in front of the barrier: those of the kind fence.sc are in one order.
// CHECK: kernel fence_by_each_thread proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void fence_by_each_thread(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                     tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel acq_rel proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void acq_rel(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                        tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        last = add_acq_rel(count) == m - 1;
    }
    __syncthreads();
    if (last) {
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// Behind all additions a plain store is no fault.
// CHECK: kernel set_back proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void set_back(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                         tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
        if (threadIdx.x == 0)
            *count = 0;
    }
}

// CHECK: kernel set_back_twice proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void set_back_twice(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                               tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
        if (threadIdx.x == 0) {
            *count = 7;
            *count = 0;
        }
    }
}

// CHECK: kernel b_set_back_by_each_of_last violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_set_back_by_each_of_last(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part,
                                           tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
        *count = 0;
    }
}

// CHECK: kernel set_back_by_exchange proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void set_back_by_exchange(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                     tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
        if (threadIdx.x == 0)
            atomicExch(count, 0u);
    }
}

// CHECK: kernel from_five proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void from_five(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                          tc_atomic tc_shape(1) tc_init(5) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m + 4;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_no_release violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_no_release(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                             tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_no_acquire violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_no_acquire(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                             tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_release_of_block violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_release_of_block(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                   tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_block();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_acquire_of_block violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_acquire_of_block(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                   tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence_block();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_no_barrier violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_no_barrier(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                             tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// The fence of the thread that adds comes before the others' writes.
// CHECK: kernel b_fence_before_write {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_fence_before_write(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                     tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    if (threadIdx.x == 0) {
        __threadfence();
        __syncwarp();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// Fences that are not sc make a pattern in the adding thread alone.
// CHECK: kernel b_acq_rel_by_each violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_acq_rel_by_each(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                  tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    fence_acq_rel();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// An sc fence on one side alone.
// CHECK: kernel b_mixed {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_mixed(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                        tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(count, 1u) == m - 1;
        fence_acq_rel();
    }
    __syncthreads();
    if (last) {
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_first violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_first(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                        tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == 0u;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// Also the last one but one.
// CHECK: kernel b_one_too_early violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_one_too_early(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 2;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// One that begins at 1 has not seen all.
// CHECK: kernel b_other_start {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_other_start(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                              tc_atomic tc_shape(1) tc_init(1) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// Each block adds twice.
// CHECK: kernel b_two_each {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_two_each(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                           tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1u);
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_block_scope violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_block_scope(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                              tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd_block(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// All threads add.
// CHECK: kernel b_each_thread {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_each_thread(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                              tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 2) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
}

// CHECK: kernel b_set_back_by_all violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_set_back_by_all(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                                  tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
    if (threadIdx.x == 0)
        *count = 0;
}

// Written once more behind the addition.
// CHECK: kernel b_write_again {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)
__global__ void b_write_again(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y,
                              tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == m - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0;
        for (int i = 0; i < m; i++)
            sum += part[i * B + B - 1 - threadIdx.x];
        y[threadIdx.x] = sum;
    }
    part[blockIdx.x * B + threadIdx.x] = 0;
}

