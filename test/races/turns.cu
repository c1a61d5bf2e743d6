// Blocks that do their parts of one tile one after the other. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define CONTRACT                                                                                                                           \
    tc_block(B) tc_grid(tiles, slices) tc_requires(tiles >= 1 && tiles <= 1024 && slices >= 1 && slices <= 64)
#define PARAMETERS                                                                                                                         \
    tc_shared tc_shape(slices, tiles, B) const float *x, tc_mut tc_shape(tiles, B) float *y, tc_atomic tc_shape(tiles) tc_init(0) int *turn, \
        int tiles, int slices

__device__ int load_acquire(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int load_relaxed(const int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

__device__ void add_part(float *y, const float *x, int tile, int slice, int tiles)
{
    float before = slice > 0 ? y[tile * B + threadIdx.x] : 0;
    y[tile * B + threadIdx.x] = before + x[(slice * tiles + tile) * B + threadIdx.x];
}

// CHECK: kernel in_turn proved
CONTRACT __global__ void in_turn(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// The last one sets it back.
// CHECK: kernel set_back proved
CONTRACT __global__ void set_back(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1 == slices ? 0 : slice + 1);
}

// CHECK: kernel by_addition proved
CONTRACT __global__ void by_addition(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0) {
        while (load_relaxed(&turn[tile]) != slice)
            ;
        __threadfence();
    }
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&turn[tile], 1);
    }
}

// CHECK: kernel b_no_release violated
CONTRACT __global__ void b_no_release(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0) {
        while (load_relaxed(&turn[tile]) != slice)
            ;
        __threadfence();
    }
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&turn[tile], 1);
}

// CHECK: kernel b_no_acquire violated
CONTRACT __global__ void b_no_acquire(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_relaxed(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// The turn is passed on before all have written.
// CHECK: kernel b_no_barrier violated
CONTRACT __global__ void b_no_barrier(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// Two slices have one turn.
// CHECK: kernel b_pairs {{violated|unknown}}
CONTRACT __global__ void b_pairs(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) < slice / 2)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice / 2 + 1);
}

// A slice leaves one number out: who waits for the second next may come before the next.
// CHECK: kernel b_leaves_out {{violated|unknown}}
CONTRACT __global__ void b_leaves_out(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) < slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 2);
}

// The tile beside it has its own turns.
// CHECK: kernel b_other_tile {{violated|unknown}}
CONTRACT __global__ void b_other_tile(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile > 0 ? tile - 1 : 0, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// Passed on without having waited.
// CHECK: kernel b_first_writes {{violated|unknown}}
CONTRACT __global__ void b_first_writes(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (load_acquire(&turn[tile]) != slice)
            ;
        store_release(&turn[tile], slice + 1);
    }
}

// The first turn is nobody's to pass on.
// CHECK: kernel first_does_not_wait proved
CONTRACT __global__ void first_does_not_wait(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0 && slice > 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// CHECK: kernel first_does_not_wait_and_adds proved
CONTRACT __global__ void first_does_not_wait_and_adds(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0 && slice > 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&turn[tile], 1);
    }
}

// Slices of length 0 do not wait. What they add makes it another's turn before the one that it is has passed it on.
// CHECK: kernel b_skips_and_adds {{violated|unknown}}
tc_block(B) tc_grid(slices) tc_requires(slices >= 1 && slices <= 64)
__global__ void b_skips_and_adds(tc_mut tc_shape(B) float *y, tc_shared tc_shape(slices) const int *length, tc_atomic tc_shape(1) tc_init(0) int *turn,
                                 int slices)
{
    int slice = blockIdx.x;
    bool any = length[slice] > 0;
    if (threadIdx.x == 0 && any)
        while (load_acquire(turn) != slice)
            ;
    __syncthreads();
    if (any)
        y[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(turn, 1);
    }
}

// Who does not wait leaves the number alone.
// CHECK: kernel skips proved
tc_block(B) tc_grid(slices) tc_requires(slices >= 1 && slices <= 64)
__global__ void skips(tc_mut tc_shape(B) float *y, tc_shared tc_shape(slices) const int *length, tc_atomic tc_shape(1) tc_init(0) int *turn, int slices)
{
    int slice = blockIdx.x;
    bool any = length[slice] > 0;
    if (threadIdx.x == 0 && any)
        while (load_acquire(turn) != slice)
            ;
    __syncthreads();
    if (any)
        y[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0 && any)
        store_release(turn, slice + 1);
}

// … and what it stores says that those before it have come, which it does not know.
// CHECK: kernel b_skips_and_stores {{violated|unknown}}
CONTRACT __global__ void b_skips_and_stores(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0 && slice != 2)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    if (slice != 2)
        add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// By an addition, who does not wait takes the first turn, which is another's.
// CHECK: kernel b_two_first {{violated|unknown}}
CONTRACT __global__ void b_two_first(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0 && slice != 2)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    if (slice != 2)
        add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&turn[tile], 1);
    }
}

// The next slice may be at work from the first of the two stores on.
// CHECK: kernel b_passed_on_twice {{violated|unknown}}
CONTRACT __global__ void b_passed_on_twice(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0) {
        while (load_acquire(&turn[tile]) != slice)
            ;
        store_release(&turn[tile], slice + 1);
    }
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(&turn[tile], slice + 1);
}

// CHECK: kernel passed_on_twice proved
CONTRACT __global__ void passed_on_twice(PARAMETERS)
{
    int tile = blockIdx.x, slice = blockIdx.y;
    if (threadIdx.x == 0)
        while (load_acquire(&turn[tile]) != slice)
            ;
    __syncthreads();
    add_part(y, x, tile, slice, tiles);
    __syncthreads();
    if (threadIdx.x == 0) {
        store_release(&turn[tile], slice + 1);
        store_release(&turn[tile], slice + 1);
    }
}
