// Barriers of the grid made of a counter whose uppermost bit changes when all blocks have come. b_: near misses.
// RUN: %verdicts %s --standin --rules=TC1001,TC1002,TC1006,TC3 | FileCheck %s
#include <tilecheck.h>
#define B 32
#define LINE (blockIdx.x * B + threadIdx.x)
#define LAUNCH                                                                                                             \
    tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64 && steps >= 0 && steps <= 1000)                                  \
    __global__ void
#define DATA tc_mut tc_shape(m * B) float *a, tc_mut tc_shape(m * B) float *b
#define COUNT tc_atomic tc_shape(1) tc_init(0) unsigned *count
// One step: reads what neighbouring blocks wrote in the last one.
#define STEP(k)                                                                                                            \
    if (0 < LINE && LINE < m * B - 1)                                                                                      \
        ((k) % 2 ? a : b)[LINE] = ((k) % 2 ? b : a)[LINE - 1] + ((k) % 2 ? b : a)[LINE + 1]

__device__ unsigned load_acquire(const unsigned *p) { unsigned v; asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ unsigned load_relaxed(const unsigned *p) { unsigned v; asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }

// CHECK: kernel upper_bit proved
LAUNCH upper_bit(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// As cooperative groups compare it.
// CHECK: kernel as_signed proved
LAUNCH as_signed(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while ((int)(old ^ load_relaxed(count)) >= 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel from_upper proved
LAUNCH from_upper(DATA, tc_atomic tc_shape(1) tc_init(0x80000000u) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_from_one {{unknown|violated}}
LAUNCH b_from_one(DATA, tc_atomic tc_shape(1) tc_init(1) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_any_start {{unknown|violated}}
LAUNCH b_any_start(DATA, tc_atomic tc_shape(1) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// The bit changes when one is missing.
// CHECK: kernel b_one_too_many {{unknown|violated}}
LAUNCH b_one_too_many(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 2) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_one_too_few {{unknown|violated}}
LAUNCH b_one_too_few(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - gridDim.x : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_two_add_the_rest {{unknown|violated}}
LAUNCH b_two_add_the_rest(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x <= 1 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_nobody_adds_the_rest {{unknown|violated}}
LAUNCH b_nobody_adds_the_rest(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 64 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_another_bit {{unknown|violated}}
LAUNCH b_another_bit(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x40000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// It changes when any block comes.
// CHECK: kernel b_any_bit {{unknown|violated}}
LAUNCH b_any_bit(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0xffffffffu) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// What is read in front of the arrival is of that round; that is not followed.
// CHECK: kernel b_bit_of_another {{unknown|violated}}
LAUNCH b_bit_of_another(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = load_relaxed(count);
            atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_waits_for_one {{unknown|violated}}
LAUNCH b_waits_for_one(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while ((load_relaxed(count) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_no_release {{unknown|violated}}
LAUNCH b_no_release(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_no_acquire {{unknown|violated}}
LAUNCH b_no_acquire(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
            __threadfence();
            const unsigned old = atomicAdd(count, add);
            while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
                ;
        }
        __syncthreads();
    }
}

// Blocks in rows: each row has a first block.
// CHECK: kernel b_first_of_each_row {{unknown|violated}}
tc_block(B) tc_grid(m, 2) tc_requires(m >= 1 && m <= 64)
__global__ void b_first_of_each_row(tc_mut tc_shape(2, m) float *part, tc_mut tc_shape(2, m) float *y, COUNT, int m)
{
    if (threadIdx.x == 0)
        part[blockIdx.y * m + blockIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
        __threadfence();
        const unsigned old = atomicAdd(count, add);
        while (((old ^ load_relaxed(count)) & 0x80000000u) == 0)
            ;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.y * m + blockIdx.x] = part[2 * m - 1 - (blockIdx.y * m + blockIdx.x)];
}
