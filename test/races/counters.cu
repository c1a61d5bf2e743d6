// Counters of groups of blocks, and of grids of more dimensions. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64

// Slices of a tile by blockIdx.y: the last one of each tile sums them.
// CHECK: kernel split proved
tc_block(B) tc_grid(tiles, slices) tc_requires(tiles >= 1 && tiles <= 1024 && slices >= 1 && slices <= 64)
__global__ void split(tc_shared tc_shape(slices, tiles, B) const float *x, tc_mut tc_shape(slices, tiles, B) float *part, tc_mut tc_shape(tiles, B) float *y,
                         tc_atomic tc_shape(tiles) tc_init(0) int *count, int tiles, int slices)
{
    __shared__ int ticket;
    int tile = blockIdx.x, slice = blockIdx.y;
    part[(slice * tiles + tile) * B + threadIdx.x] = x[(slice * tiles + tile) * B + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&count[tile], 1);
    __syncthreads();
    if (ticket == slices - 1) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < slices; s++)
            t += part[(s * tiles + tile) * B + threadIdx.x];
        y[tile * B + threadIdx.x] = t;
        if (threadIdx.x == 0)
            count[tile] = 0;
    }
}

// All of its own tile have come, not of the next one.
// CHECK: kernel b_other_tile violated
tc_block(B) tc_grid(tiles, slices) tc_requires(tiles >= 1 && tiles <= 1024 && slices >= 1 && slices <= 64)
__global__ void b_other_tile(tc_shared tc_shape(slices, tiles, B) const float *x, tc_mut tc_shape(slices, tiles, B) float *part, tc_mut tc_shape(tiles, B) float *y,
                         tc_atomic tc_shape(tiles) tc_init(0) int *count, int tiles, int slices)
{
    __shared__ int ticket;
    int tile = blockIdx.x, slice = blockIdx.y;
    part[(slice * tiles + tile) * B + threadIdx.x] = x[(slice * tiles + tile) * B + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&count[tile], 1);
    __syncthreads();
    if (ticket == slices - 1) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < slices; s++)
            t += part[(s * tiles + (tile + 1) % tiles) * B + threadIdx.x];
        y[tile * B + threadIdx.x] = t;
    }
}

// The last one but one has not seen the last.
// CHECK: kernel b_not_last violated
tc_block(B) tc_grid(tiles, slices) tc_requires(tiles >= 1 && tiles <= 1024 && slices >= 1 && slices <= 64)
__global__ void b_not_last(tc_shared tc_shape(slices, tiles, B) const float *x, tc_mut tc_shape(slices, tiles, B) float *part, tc_mut tc_shape(tiles, B) float *y,
                         tc_atomic tc_shape(tiles) tc_init(0) int *count, int tiles, int slices)
{
    __shared__ int ticket;
    int tile = blockIdx.x, slice = blockIdx.y;
    part[(slice * tiles + tile) * B + threadIdx.x] = x[(slice * tiles + tile) * B + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&count[tile], 1);
    __syncthreads();
    if (ticket >= slices - 2) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < slices; s++)
            t += part[(s * tiles + tile) * B + threadIdx.x];
        if (ticket == slices - 1)
        y[tile * B + threadIdx.x] = t;
    }
}

// Tile and slice from one index.
// CHECK: kernel linear proved
tc_block(B) tc_grid(tiles * slices) tc_requires(tiles >= 1 && tiles <= 1024 && slices >= 1 && slices <= 64)
__global__ void linear(tc_shared tc_shape(tiles, slices, B) const float *x, tc_mut tc_shape(tiles, slices, B) float *part, tc_mut tc_shape(tiles, B) float *y,
                         tc_atomic tc_shape(tiles) tc_init(0) int *count, int tiles, int slices)
{
    __shared__ int ticket;
    int tile = blockIdx.x / slices, slice = blockIdx.x % slices;
    part[(tile * slices + slice) * B + threadIdx.x] = x[(tile * slices + slice) * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        ticket = atomicAdd(&count[tile], 1);
    }
    __syncthreads();
    if (ticket == slices - 1) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < slices; s++)
            t += part[(tile * slices + s) * B + threadIdx.x];
        y[tile * B + threadIdx.x] = t;
    }
}

// One counter of a grid with two dimensions.
// CHECK: kernel two_d proved
tc_block(16, 16) tc_grid(gx, gy) tc_requires(gx >= 1 && gx <= 1024 && gy >= 1 && gy <= 64)
__global__ void two_d(tc_mut tc_shape(gy, gx) float *part, tc_mut tc_shape(1) float *y,
                         tc_atomic tc_shape(1) tc_init(0) unsigned *count, int gx, int gy)
{
    __shared__ bool last;
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    if (tid == 0) {
        part[blockIdx.y * gridDim.x + blockIdx.x] = 1;
        __threadfence();
        unsigned t = atomicAdd(count, 1u);
        last = t == gridDim.x * gridDim.y - 1;
    }
    __syncthreads();
    if (last && tid == 0) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < gx * gy; s++)
            t += part[s];
        *y = t;
    }
}

// Blocks of one thread.
// CHECK: kernel single proved
tc_block(1) tc_grid(n) tc_requires(n >= 1 && n <= 1024)
__global__ void single(tc_mut tc_shape(n) float *part, tc_mut tc_shape(1) float *y,
                         tc_atomic tc_shape(1) tc_init(0) unsigned *count, int n)
{
    part[blockIdx.x] = 1;
    __threadfence();
    if (atomicAdd(count, 1u) + 1 == n) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < n; s++)
            t += part[s];
        *y = t;
        *count = 0;
    }
}

// More blocks share a place than are counted.
// CHECK: kernel b_fewer {{violated|unknown}}
tc_block(B) tc_grid(tiles, slices) tc_requires(tiles >= 2 && tiles <= 1024 && slices >= 1 && slices <= 64)
__global__ void b_fewer(tc_shared tc_shape(slices, tiles, B) const float *x, tc_mut tc_shape(slices, tiles, B) float *part,
                        tc_mut tc_shape(tiles, B) float *y, tc_atomic tc_shape(tiles) tc_init(0) int *count, int tiles, int slices)
{
    __shared__ int ticket;
    int tile = blockIdx.x, slice = blockIdx.y;
    part[(slice * tiles + tile) * B + threadIdx.x] = x[(slice * tiles + tile) * B + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&count[tile / 2], 1);
    __syncthreads();
    if (ticket == slices - 1) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < slices; s++)
            t += part[(s * tiles + tile) * B + threadIdx.x];
        y[tile * B + threadIdx.x] = t;
    }
}

// Some of the counted never add: nobody is the last, and no one reads; but the one beside them would be wrong.
// CHECK: kernel b_absent {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 2 && m <= 1024)
__global__ void b_absent(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    __shared__ int ticket;
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = blockIdx.x > 0 ? atomicAdd(count, 1) : 0;
    __syncthreads();
    if (blockIdx.x > 0 && ticket == m - 2) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < m; s++)
            t += part[s * B + threadIdx.x];
        y[threadIdx.x] = t;
    }
}

// atomicInc begins again at 0 behind the last one: nothing has to be set back.
// CHECK: kernel begins_again proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1024)
__global__ void begins_again(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ unsigned ticket;
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicInc(count, gridDim.x - 1);
    __syncthreads();
    if (ticket == gridDim.x - 1) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < m; s++)
            t += part[s * B + threadIdx.x];
        y[threadIdx.x] = t;
    }
}

// It begins again too early: the second block that is told to be the last may be.
// CHECK: kernel b_begins_early {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 4 && m <= 1024)
__global__ void b_begins_early(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    __shared__ unsigned ticket;
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicInc(count, gridDim.x - 2);
    __syncthreads();
    if (ticket == gridDim.x - 2) {
        __threadfence();
        float t = 0;
        for (int s = 0; s < m; s++)
            t += part[s * B + threadIdx.x];
        y[threadIdx.x] = t;
    }
}

__device__ int load_acquire(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

// All wait for what the last one makes of the counter. A read-modify-write carries on what the additions released.
// CHECK: kernel opened_by_exchange proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void opened_by_exchange(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1)
            atomicExch(count, 1000);
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// A store is the last one's own: it has to have acquired what it hands on.
// CHECK: kernel opened_by_store proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void opened_by_store(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1) {
            __threadfence();
            store_relaxed(count, 1000);
        }
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// CHECK: kernel opened_by_releasing_store proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void opened_by_releasing_store(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1) {
            __threadfence();
            store_release(count, 1000);
        }
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// CHECK: kernel b_store_alone {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_store_alone(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1)
            store_relaxed(count, 1000);
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// CHECK: kernel b_releasing_store_alone {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_releasing_store_alone(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1)
            store_release(count, 1000);
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// The fence is of those that are not the last.
// CHECK: kernel b_fence_of_the_others {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_fence_of_the_others(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        bool last = atomicAdd(count, 1) == m - 1;
        if (!last)
            __threadfence();
        if (last)
            store_release(count, 1000);
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// What is stored is what all additions make, too: either may be what is read.
// CHECK: kernel b_stores_the_sum {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_stores_the_sum(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1)
            store_relaxed(count, m);
        while (load_acquire(count) < m)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// The addition behind the store carries on the store alone.
// CHECK: kernel b_addition_behind_store {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_addition_behind_store(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1) {
            store_relaxed(count, 0);
            atomicAdd(count, 1000);
        }
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// A fence of the block is too narrow.
// CHECK: kernel b_fence_of_block {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_fence_of_block(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == m - 1) {
            __threadfence_block();
            store_release(count, 1000);
        }
        while (load_acquire(count) < 1000)
            ;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

__device__ int load_relaxed(const int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

// Fences of all threads, which are in one order: that of the last one is one of them.
// CHECK: kernel opened_by_store_and_fences_of_all proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void opened_by_store_and_fences_of_all(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (atomicAdd(count, 1) == m - 1) {
            __threadfence();
            store_relaxed(count, 1000);
        }
        while (load_relaxed(count) < 1000)
            ;
    }
    __syncthreads();
    __threadfence();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// … and here it is not.
// CHECK: kernel b_other_fence_of_last {{violated|unknown}}
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
__global__ void b_other_fence_of_last(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) tc_init(0) int *count, int m)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (atomicAdd(count, 1) == m - 1) {
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
            store_relaxed(count, 1000);
        }
        while (load_relaxed(count) < 1000)
            ;
    }
    __syncthreads();
    __threadfence();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}
