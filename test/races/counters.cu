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
