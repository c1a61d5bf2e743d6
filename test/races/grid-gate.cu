// Barriers of the grid made of a counter that the last block sets back, and of a gate that it opens then. b_: near misses.
// RUN: %verdicts %s --standin --rules=TC1001,TC1002,TC1006,TC3 | FileCheck %s
#include <tilecheck.h>
#define B 32
#define LINE (blockIdx.x * B + threadIdx.x)
#define LAUNCH                                                                                                             \
    tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64 && steps >= 0 && steps <= 1000)                                  \
    __global__ void
#define DATA tc_mut tc_shape(m * B) float *a, tc_mut tc_shape(m * B) float *b
#define COUNT tc_atomic tc_shape(1) tc_init(0) unsigned *count
#define GATE tc_atomic tc_shape(1) unsigned *gate
// One step: reads what neighbouring blocks wrote in the last one.
#define STEP(k)                                                                                                            \
    if (0 < LINE && LINE < m * B - 1)                                                                                      \
        ((k) % 2 ? a : b)[LINE] = ((k) % 2 ? b : a)[LINE - 1] + ((k) % 2 ? b : a)[LINE + 1]

__device__ unsigned load_acquire(const unsigned *p) { unsigned v; asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ unsigned load_relaxed(const unsigned *p) { unsigned v; asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void store_relaxed(unsigned *p, unsigned v) { asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_release(unsigned *p, unsigned v) { asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ unsigned add_release(unsigned *p) { unsigned r; asm volatile("atom.add.release.gpu.u32 %0, [%1], 1;" : "=r"(r) : "l"(p) : "memory"); return r; }
__device__ unsigned add_acq_rel(unsigned *p) { unsigned r; asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(r) : "l"(p) : "memory"); return r; }

// CHECK: kernel last_opens proved
LAUNCH last_opens(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// The last one looks at the gate, too.
// CHECK: kernel all_look proved
LAUNCH all_look(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            }
            while (load_relaxed(gate) == mine)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel set_back_by_exchange proved
LAUNCH set_back_by_exchange(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                atomicExch(count, 0u);
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// atomicInc begins again at 0 behind the last one.
// CHECK: kernel begins_again proved
LAUNCH begins_again(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) {
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel by_release_and_acquire proved
LAUNCH by_release_and_acquire(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            if (add_acq_rel(count) == gridDim.x - 1) {
                store_relaxed(count, 0);
                add_release(gate);
            } else {
                while (load_acquire(gate) == mine)
                    ;
            }
        }
        __syncthreads();
    }
}

// A flag that turns.
// CHECK: kernel flag_turns proved
LAUNCH flag_turns(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                store_relaxed(gate, mine ^ 1);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel next_number proved
LAUNCH next_number(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                store_release(gate, mine + 1);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel from_seven proved
LAUNCH from_seven(DATA, tc_atomic tc_shape(1) tc_init(7) unsigned *count, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x + 6) {
                *count = 7;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel one_array proved
LAUNCH one_array(DATA, tc_atomic tc_shape(2) tc_init(0) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(count + 1);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(count + 1, 1u);
            } else {
                while (load_relaxed(count + 1) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// What is read behind the arrival may be the next number already.
// CHECK: kernel b_read_behind {{unknown|violated}}
LAUNCH b_read_behind(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            unsigned found = atomicAdd(count, 1u);
            unsigned mine = load_relaxed(gate);
            if (found == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// The load may be made behind the arrival.
// CHECK: kernel b_read_behind_the_fence {{unknown|violated}}
LAUNCH b_read_behind_the_fence(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            unsigned mine = load_relaxed(gate);
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Another block may have arrived again.
// CHECK: kernel b_set_back_behind {{unknown|violated}}
LAUNCH b_set_back_behind(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                __threadfence();
                atomicAdd(gate, 1u);
                __threadfence();
                *count = 0;
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Nothing orders the two.
// CHECK: kernel b_set_back_late {{unknown|violated}}
LAUNCH b_set_back_late(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                __threadfence();
                store_relaxed(count, 0);
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_not_set_back {{unknown|violated}}
LAUNCH b_not_set_back(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_set_back_to_one {{unknown|violated}}
LAUNCH b_set_back_to_one(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 1;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_set_back_by_all {{unknown|violated}}
LAUNCH b_set_back_by_all(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            store_relaxed(count, 0);
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_last_but_one {{unknown|violated}}
LAUNCH b_last_but_one(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 2) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_not_all {{unknown|violated}}
LAUNCH b_not_all(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) >= gridDim.x / 2) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_any_start {{unknown|violated}}
LAUNCH b_any_start(DATA, tc_atomic tc_shape(1) unsigned *count, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_from_seven {{unknown|violated}}
LAUNCH b_from_seven(DATA, tc_atomic tc_shape(1) tc_init(7) unsigned *count, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_gate_stays {{unknown|violated}}
LAUNCH b_gate_stays(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 0u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Not the last one alone opens it.
// CHECK: kernel b_gate_of_another {{unknown|violated}}
LAUNCH b_gate_of_another(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                if (blockIdx.x == 1)
                    atomicAdd(gate, 1u);
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_opened_sometimes {{unknown|violated}}
LAUNCH b_opened_sometimes(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                if (k % 2)
                    atomicAdd(gate, 1u);
            } else {
                while (k % 2 && load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_no_release {{unknown|violated}}
LAUNCH b_no_release(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_no_acquire {{unknown|violated}}
LAUNCH b_no_acquire(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
        }
        __syncthreads();
    }
}

// What the others released is not passed on.
// CHECK: kernel b_not_handed_on {{unknown|violated}}
LAUNCH b_not_handed_on(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Released, but not acquired before.
// CHECK: kernel b_last_does_not_acquire {{unknown|violated}}
LAUNCH b_last_does_not_acquire(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                add_release(gate);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_fence_of_the_block {{unknown|violated}}
LAUNCH b_fence_of_the_block(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence_block();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Every other time it is 1 already, or never.
// CHECK: kernel b_waits_for_one {{unknown|violated}}
LAUNCH b_waits_for_one(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) != 1)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_waits_a_while {{unknown|violated}}
LAUNCH b_waits_a_while(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                for (int i = 0; i < 3 && load_relaxed(gate) == mine; i++)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_nobody_before {{unknown|violated}}
LAUNCH b_nobody_before(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_nobody_behind {{unknown|violated}}
LAUNCH b_nobody_behind(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
    }
}

// CHECK: kernel b_two_threads {{unknown|violated}}
LAUNCH b_two_threads(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x < 2) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_own_counter {{unknown|violated}}
LAUNCH b_own_counter(DATA, tc_atomic tc_shape(m) tc_init(0) unsigned *count, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count + blockIdx.x, 1u) == gridDim.x - 1) {
                count[blockIdx.x] = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_work_between {{unknown|violated}}
LAUNCH b_work_between(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = load_relaxed(gate);
            __threadfence();
            if (atomicAdd(count, 1u) == gridDim.x - 1) {
                a[LINE] = 1;
                *count = 0;
                __threadfence();
                atomicAdd(gate, 1u);
            } else {
                while (load_relaxed(gate) == mine)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// ---- several in a row ----

__device__ void grid_barrier(unsigned *count, unsigned *gate)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned mine = load_relaxed(gate);
        __threadfence();
        if (atomicAdd(count, 1u) == gridDim.x - 1) {
            *count = 0;
            __threadfence();
            atomicAdd(gate, 1u);
        } else {
            while (load_relaxed(gate) == mine)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

// How often blocks have come is not counted.
// CHECK: kernel anywhere proved
LAUNCH anywhere(DATA, COUNT, GATE, int m, int steps, int x, int y)
{
    STEP(0);
    grid_barrier(count, gate);
    for (int i = 0; i < x; i++)
        for (int j = i; j < y; j++) {
            STEP(1);
            grid_barrier(count, gate);
            STEP(0);
            if (j % 3)
                grid_barrier(count, gate);
            else
                grid_barrier(count, gate);
        }
    STEP(1);
}

// One counter, but two gates: of rounds at the other one `mine` knows nothing.
// CHECK: kernel b_two_gates {{unknown|violated}}
LAUNCH b_two_gates(DATA, COUNT, GATE, tc_atomic tc_shape(1) unsigned *other, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(0);
        grid_barrier(count, gate);
        STEP(1);
        grid_barrier(count, other);
    }
}

// Two counters, and one gate: whose rounds end it is told by both.
// CHECK: kernel b_two_counters {{unknown|violated}}
LAUNCH b_two_counters(DATA, COUNT, tc_atomic tc_shape(1) tc_init(0) unsigned *other, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(0);
        grid_barrier(count, gate);
        STEP(1);
        grid_barrier(other, gate);
    }
}

// CHECK: kernel two_of_each proved
LAUNCH two_of_each(DATA, COUNT, GATE, tc_atomic tc_shape(1) tc_init(0) unsigned *other_count, tc_atomic tc_shape(1) unsigned *other_gate, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(0);
        grid_barrier(count, gate);
        STEP(1);
        grid_barrier(other_count, other_gate);
    }
}

// Every other block goes its own way.
// CHECK: kernel b_half_of_them {{unknown|violated}}
LAUNCH b_half_of_them(DATA, COUNT, GATE, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (blockIdx.x % 2)
            grid_barrier(count, gate);
    }
}
