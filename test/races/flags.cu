// Waiting for what another block sends. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
__device__ int load_acquire(const int *p) { int v; asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ int load_relaxed(const int *p) { int v; asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory"); }

// All blocks have come to a barrier of the grid that is made of a counter.
// CHECK: kernel grid_once proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void grid_once(tc_mut tc_shape(n, B) float *data, tc_mut tc_shape(n, B) float *out, tc_atomic tc_shape(1) tc_init(0) int *count, int n)
{
    data[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (load_relaxed(count) < n)
            ;
        __threadfence();
    }
    __syncthreads();
    int other = (blockIdx.x + 1) % n;
    out[blockIdx.x * B + threadIdx.x] = data[other * B + threadIdx.x];
}

// CHECK: kernel b_grid_fence violated
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_grid_fence(tc_mut tc_shape(n, B) float *data, tc_mut tc_shape(n, B) float *out, tc_atomic tc_shape(1) tc_init(0) int *count, int n)
{
    data[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (load_relaxed(count) < n)
            ;
    }
    __syncthreads();
    int other = (blockIdx.x + 1) % n;
    out[blockIdx.x * B + threadIdx.x] = data[other * B + threadIdx.x];
}

// One may be missing.
// CHECK: kernel b_grid_less violated
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_grid_less(tc_mut tc_shape(n, B) float *data, tc_mut tc_shape(n, B) float *out, tc_atomic tc_shape(1) tc_init(0) int *count, int n)
{
    data[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (load_relaxed(count) < n - 1)
            ;
        __threadfence();
    }
    __syncthreads();
    int other = (blockIdx.x + 1) % n;
    out[blockIdx.x * B + threadIdx.x] = data[other * B + threadIdx.x];
}

// Looked at by additions of 0, with fences by all threads.
// CHECK: kernel grid_poll proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void grid_poll(tc_mut tc_shape(n, B) float *data, tc_mut tc_shape(n, B) float *out, tc_atomic tc_shape(1) tc_init(0) int *count, int n)
{
    data[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < n)
            ;
    }
    __syncthreads();
    __threadfence();
    int other = (blockIdx.x + 1) % n;
    out[blockIdx.x * B + threadIdx.x] = data[other * B + threadIdx.x];
}

// Each thread waits.
// CHECK: kernel chain_all proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void chain_all(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        while (load_acquire(&flag[blockIdx.x - 1]) != 1)
                ;
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}

// CHECK: kernel b_chain_relaxed violated
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_chain_relaxed(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        while (load_relaxed(&flag[blockIdx.x - 1]) != 1)
                ;
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}

// The threads beside the one that sends may not have written.
// CHECK: kernel b_chain_store violated
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_chain_store(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        while (load_acquire(&flag[blockIdx.x - 1]) != 1)
                ;
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}

// What was sent second says more than what was sent first.
// CHECK: kernel states proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void states(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *agg, tc_mut tc_shape(n) float *prefix, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    if (threadIdx.x == 0) {
        agg[blockIdx.x] = x[blockIdx.x];
        store_release(&flag[blockIdx.x], 1);
        float sum = 0;
        if (blockIdx.x > 0) {
            int s;
            do s = load_acquire(&flag[blockIdx.x - 1]); while (s == 0);
            if (s == 2)
                sum = prefix[blockIdx.x - 1];
            else
                sum = agg[blockIdx.x - 1];
        }
        prefix[blockIdx.x] = sum + x[blockIdx.x];
        store_release(&flag[blockIdx.x], 2);
    }
}

// The prefix is there only behind the second.
// CHECK: kernel b_states {{unknown|violated}}
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_states(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *agg, tc_mut tc_shape(n) float *prefix, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    if (threadIdx.x == 0) {
        agg[blockIdx.x] = x[blockIdx.x];
        store_release(&flag[blockIdx.x], 1);
        float sum = 0;
        if (blockIdx.x > 0) {
            int s;
            do s = load_acquire(&flag[blockIdx.x - 1]); while (s == 0);
            sum = prefix[blockIdx.x - 1];
        }
        prefix[blockIdx.x] = sum + x[blockIdx.x];
        store_release(&flag[blockIdx.x], 2);
    }
}

// Blocks in the order in which they come.
// CHECK: kernel dynamic proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void dynamic(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, tc_atomic tc_shape(1) tc_init(0) int *next, int n)
{
    __shared__ int id;
    if (threadIdx.x == 0)
        id = atomicAdd(next, 1);
    __syncthreads();
    int me = id;
    float v = 0;
    if (me > 0) {
        if (threadIdx.x == 0)
            while (load_acquire(&flag[me - 1]) == 0)
                ;
        __syncthreads();
        v = data[(me - 1) * B + threadIdx.x];
    }
    data[me * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[me], 1);
}

// One thread waits for the block, by a flag of the neighbour.
// CHECK: kernel chain proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void chain(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            while (load_acquire(&flag[blockIdx.x - 1]) == 0)
                ;
        __syncthreads();
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}

// The flag is the next block's own.
// CHECK: kernel b_other_flag {{violated|unknown}}
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_other_flag(tc_mut tc_shape(n + 1, B) float *data, tc_atomic tc_shape(n + 1) tc_init(0) int *flag, int n)
{
    float v = 0;
    data[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        store_release(&flag[blockIdx.x], 1);
        while (blockIdx.x > 0 && load_acquire(&flag[blockIdx.x - 1]) == 0)
            ;
    }
    __syncthreads();
    if (blockIdx.x > 1)
        data[blockIdx.x * B + threadIdx.x] = data[(blockIdx.x - 2) * B + threadIdx.x];
}

// The flag is set by two blocks.
// CHECK: kernel b_two_senders {{violated|unknown}}
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_two_senders(tc_mut tc_shape(n, B) float *data, tc_mut tc_shape(n, B) float *out, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    data[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        store_release(&flag[blockIdx.x / 2], 1);
        while (load_acquire(&flag[blockIdx.x / 2]) == 0)
            ;
    }
    __syncthreads();
    out[blockIdx.x * B + threadIdx.x] = data[(blockIdx.x / 2 * 2) * B + threadIdx.x];
}

// What was there at launch is no news.
// CHECK: kernel b_set_before {{violated|unknown}}
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_set_before(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(1) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        while (load_acquire(&flag[blockIdx.x - 1]) == 0)
            ;
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}

// -1 as an unsigned number is another number, and the same value in memory: the first store says as much as the second.
// CHECK: kernel b_same_bits {{violated|unknown}}
tc_block(1) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_same_bits(tc_mut tc_shape(n) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    store_release((int *)&flag[blockIdx.x], -1);
    data[blockIdx.x] = 1;
    store_release(&flag[blockIdx.x], (int)0xffffffffu);
    if (blockIdx.x > 0) {
        while (load_acquire(&flag[blockIdx.x - 1]) == 0)
            ;
        data[blockIdx.x] = data[blockIdx.x - 1];
    }
}

// A wait that may be left by other ways.
// CHECK: kernel b_gives_up {{violated|unknown}}
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_gives_up(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            for (int tries = 0; tries < 1000 && load_acquire(&flag[blockIdx.x - 1]) == 0; tries++)
                ;
        __syncthreads();
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}

// What is read with the scope of the block says nothing of another one.
// CHECK: kernel b_block_scope violated
__device__ int load_acquire_block(const int *p)
{
    int v;
    asm volatile("ld.acquire.cta.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)
__global__ void b_block_scope(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)
{
    float v = 0;
    if (blockIdx.x > 0) {
        while (load_acquire_block(&flag[blockIdx.x - 1]) == 0)
            ;
        v = data[(blockIdx.x - 1) * B + threadIdx.x];
    }
    data[blockIdx.x * B + threadIdx.x] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&flag[blockIdx.x], 1);
}
