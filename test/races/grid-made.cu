// Barriers of the grid that a kernel makes itself of a counter, and comes to many times. b_: near misses.
// RUN: %verdicts %s --standin --rules=TC1001,TC1002,TC1006,TC3 | FileCheck %s
#include <cuda_pipeline.h>
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
__device__ unsigned load_of_block(const unsigned *p) { unsigned v; asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ unsigned add_release(unsigned *p) { unsigned r; asm volatile("atom.add.release.gpu.u32 %0, [%1], 1;" : "=r"(r) : "l"(p) : "memory"); return r; }
__device__ unsigned add_acq_rel(unsigned *p) { unsigned r; asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(r) : "l"(p) : "memory"); return r; }
__device__ void fence_release() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

__device__ void grid_barrier(unsigned *count, unsigned goal)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1u);
        while (load_relaxed(count) < goal)
            ;
        __threadfence();
    }
    __syncthreads();
}

// ---- how often ----

// CHECK: kernel in_a_loop proved
LAUNCH in_a_loop(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel goal_carried proved
LAUNCH goal_carried(DATA, COUNT, int m, int steps)
{
    unsigned goal = 0;
    for (int k = 0; k < steps; k++) {
        STEP(k);
        goal += gridDim.x;
        grid_barrier(count, goal);
    }
}

// The goal is a variable of the thread that waits.
// CHECK: kernel goal_of_one_thread proved
LAUNCH goal_of_one_thread(DATA, COUNT, int m, int steps)
{
    unsigned goal = 0;
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            goal += gridDim.x;
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < goal)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_goal_of_another_thread {{unknown|violated}}
LAUNCH b_goal_of_another_thread(DATA, COUNT, int m, int steps)
{
    unsigned goal = 0;
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (threadIdx.x == 1)
            goal += gridDim.x;
        grid_barrier(count, goal);
    }
}

// CHECK: kernel b_goal_grows_behind {{unknown|violated}}
LAUNCH b_goal_grows_behind(DATA, COUNT, int m, int steps)
{
    unsigned goal = 0;
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, goal);
        if (threadIdx.x == 0)
            goal += gridDim.x;
    }
}

// CHECK: kernel b_goal_grows_twice_in_two {{unknown|violated}}
LAUNCH b_goal_grows_twice_in_two(DATA, COUNT, int m, int steps)
{
    unsigned goal = 0;
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (threadIdx.x == 0 && k % 2 == 0)
            goal += gridDim.x;
        grid_barrier(count, goal);
    }
}

// CHECK: kernel three_in_a_row proved
LAUNCH three_in_a_row(DATA, COUNT, int m, int steps)
{
    STEP(0);
    grid_barrier(count, gridDim.x);
    STEP(1);
    grid_barrier(count, 2 * gridDim.x);
    STEP(2);
    grid_barrier(count, 3 * gridDim.x);
    a[m * B - 1 - LINE] = b[LINE];
}

// CHECK: kernel two_in_a_loop proved
LAUNCH two_in_a_loop(DATA, COUNT, int m, int steps)
{
    unsigned goal = 0;
    for (int k = 0; k < steps; k++) {
        STEP(0);
        grid_barrier(count, goal += gridDim.x);
        STEP(1);
        grid_barrier(count, goal += gridDim.x);
    }
}

// CHECK: kernel before_in_and_behind proved
LAUNCH before_in_and_behind(DATA, COUNT, int m, int steps)
{
    STEP(1);
    grid_barrier(count, gridDim.x);
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 2) * gridDim.x);
    }
    STEP(steps);
    grid_barrier(count, (steps + 2) * gridDim.x);
    a[m * B - 1 - LINE] = b[LINE];
}

// Not in the last step: the goals are those of the arrivals before.
// CHECK: kernel not_in_the_last proved
LAUNCH not_in_the_last(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (k + 1 < steps)
            grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel nested proved
LAUNCH nested(DATA, tc_atomic tc_shape(2) tc_init(0) unsigned *count, int m, int steps)
{
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < steps; k++) {
            STEP(k);
            grid_barrier(count, (r * steps + k + 1) * gridDim.x);
            STEP(k + 1);
            grid_barrier(count + 1, (r * steps + k + 1) * gridDim.x);
        }
}

// CHECK: kernel b_nested {{unknown|violated}}
LAUNCH b_nested(DATA, COUNT, int m, int steps)
{
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < steps; k++) {
            STEP(k);
            grid_barrier(count, (r + k + 1) * gridDim.x);
        }
}

// The second barrier of a step waits for half of those who have come.
// CHECK: kernel b_goal_of_one {{unknown|violated}}
LAUNCH b_goal_of_one(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(0);
        grid_barrier(count, (k + 1) * gridDim.x);
        STEP(1);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel b_goal_less_one {{unknown|violated}}
LAUNCH b_goal_less_one(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x - 1);
    }
}

// CHECK: kernel b_goal_of_last {{unknown|violated}}
LAUNCH b_goal_of_last(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, k * gridDim.x);
    }
}

// From the second step on nobody waits.
// CHECK: kernel b_goal_does_not_grow {{unknown|violated}}
LAUNCH b_goal_does_not_grow(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, gridDim.x);
    }
}

// CHECK: kernel b_second_goal {{unknown|violated}}
LAUNCH b_second_goal(DATA, COUNT, int m, int steps)
{
    STEP(0);
    grid_barrier(count, gridDim.x);
    STEP(1);
    grid_barrier(count, gridDim.x);
    STEP(2);
}

// The first barrier counts, too.
// CHECK: kernel b_one_before {{unknown|violated}}
LAUNCH b_one_before(DATA, COUNT, int m, int steps)
{
    grid_barrier(count, gridDim.x);
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel b_any_goal {{unknown|violated}}
LAUNCH b_any_goal(DATA, COUNT, int m, int steps, unsigned each)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * each);
    }
}

// Every block takes its own number of steps.
// CHECK: kernel b_own_steps {{unknown|violated}}
LAUNCH b_own_steps(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps + blockIdx.x; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// The others wait for ever, but it goes on.
// CHECK: kernel b_one_does_not_come {{unknown|violated}}
LAUNCH b_one_does_not_come(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (blockIdx.x != 1)
            grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// As many as there are, but for one.
// CHECK: kernel b_without_one {{unknown|violated}}
LAUNCH b_without_one(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (blockIdx.x != 1)
            grid_barrier(count, (k + 1) * (gridDim.x - 1));
    }
}

// ---- the counter ----

// CHECK: kernel from_five proved
LAUNCH from_five(DATA, tc_atomic tc_shape(1) tc_init(5) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x + 5);
    }
}

// CHECK: kernel b_from_five {{unknown|violated}}
LAUNCH b_from_five(DATA, tc_atomic tc_shape(1) tc_init(5) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel b_any_start {{unknown|violated}}
LAUNCH b_any_start(DATA, tc_atomic tc_shape(1) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel two_counters proved
LAUNCH two_counters(DATA, tc_atomic tc_shape(2) tc_init(0) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(0);
        grid_barrier(count, (k + 1) * gridDim.x);
        STEP(1);
        grid_barrier(count + 1, (k + 1) * gridDim.x);
    }
}

// One for each block.
// CHECK: kernel b_own_counter {{unknown|violated}}
LAUNCH b_own_counter(DATA, tc_atomic tc_shape(m) tc_init(0) unsigned *count, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count + blockIdx.x, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel b_another_writer {{unknown|violated}}
LAUNCH b_another_writer(DATA, COUNT, int m, int steps)
{
    if (LINE == 0)
        atomicAdd(count, 1u);
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, (k + 1) * gridDim.x);
    }
}

// CHECK: kernel b_set_back {{unknown|violated}}
LAUNCH b_set_back(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        grid_barrier(count, gridDim.x);
        if (LINE == 0)
            atomicExch(count, 0u);
    }
}

// CHECK: kernel b_adds_two {{unknown|violated}}
LAUNCH b_adds_two(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 2u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_each_thread_adds {{unknown|violated}}
LAUNCH b_each_thread_adds(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        __threadfence();
        atomicAdd(count, 1u);
        while (load_relaxed(count) < (k + 1) * gridDim.x)
            ;
        __threadfence();
        __syncthreads();
    }
}

// CHECK: kernel b_arrives_twice {{unknown|violated}}
LAUNCH b_arrives_twice(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            atomicAdd(count, 1u);
            while (load_relaxed(count) < 2 * (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// ---- how it waits ----

// CHECK: kernel by_release_and_acquire proved
LAUNCH by_release_and_acquire(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            add_release(count);
            while (load_acquire(count) < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
    }
}

// CHECK: kernel by_adding_nothing proved
LAUNCH by_adding_nothing(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (atomicAdd(count, 0u) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// The last one to come does not wait.
// CHECK: kernel last_goes_on proved
LAUNCH last_goes_on(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned goal = (k + 1) * gridDim.x;
            if (add_acq_rel(count) + 1 < goal)
                while (load_acquire(count) < goal)
                    ;
        }
        __syncthreads();
    }
}

// It has not acquired what the others released.
// CHECK: kernel b_last_goes_on {{unknown|violated}}
LAUNCH b_last_goes_on(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned goal = (k + 1) * gridDim.x;
            if (add_release(count) + 1 < goal)
                while (load_acquire(count) < goal)
                    ;
        }
        __syncthreads();
    }
}

// The last but one goes on as well.
// CHECK: kernel b_last_but_one_goes_on {{unknown|violated}}
LAUNCH b_last_but_one_goes_on(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned goal = (k + 1) * gridDim.x;
            if (add_acq_rel(count) + 2 < goal)
                while (load_acquire(count) < goal)
                    ;
        }
        __syncthreads();
    }
}

// By another thread than the one that adds.
// CHECK: kernel b_another_waits {{unknown|violated}}
LAUNCH b_another_waits(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
        }
        if (threadIdx.x == 1) {
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// For some turns only.
// CHECK: kernel b_waits_a_while {{unknown|violated}}
LAUNCH b_waits_a_while(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            for (int i = 0; i < 3 && load_relaxed(count) < (k + 1) * gridDim.x; i++)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// Sometimes.
// CHECK: kernel b_waits_now_and_then {{unknown|violated}}
LAUNCH b_waits_now_and_then(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            if (k % 2)
                while (load_relaxed(count) < (k + 1) * gridDim.x)
                    ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_arrives_now_and_then {{unknown|violated}}
LAUNCH b_arrives_now_and_then(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0 && k % 2) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) / 2 * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_waits_first {{unknown|violated}}
LAUNCH b_waits_first(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            while (load_relaxed(count) < k * gridDim.x)
                ;
            __threadfence();
            atomicAdd(count, 1u);
        }
        __syncthreads();
    }
}

// ---- barriers of the block ----

// CHECK: kernel b_nobody_behind {{unknown|violated}}
LAUNCH b_nobody_behind(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
    }
}

// CHECK: kernel b_nobody_before {{unknown|violated}}
LAUNCH b_nobody_before(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_before_the_work {{unknown|violated}}
LAUNCH b_before_the_work(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        STEP(k);
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_behind_the_work {{unknown|violated}}
LAUNCH b_behind_the_work(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        STEP(k);
        __syncthreads();
    }
}

// CHECK: kernel b_in_one_way_only {{unknown|violated}}
LAUNCH b_in_one_way_only(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (m > 3)
            __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// What the thread that arrives writes alone, before its fence.
// CHECK: kernel written_by_who_arrives proved
LAUNCH written_by_who_arrives(tc_mut tc_shape(m) float *part, tc_mut tc_shape(m) float *y, COUNT, int m, int steps)
{
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            part[blockIdx.x] = sum;
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (2 * k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        for (int i = 0; i < m; i++)
            sum += part[i];
        grid_barrier(count, (2 * k + 2) * gridDim.x);
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// CHECK: kernel b_written_behind_the_fence {{unknown|violated}}
LAUNCH b_written_behind_the_fence(tc_mut tc_shape(m) float *part, tc_mut tc_shape(m) float *y, COUNT, int m, int steps)
{
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            part[blockIdx.x] = sum;
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (2 * k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        for (int i = 0; i < m; i++)
            sum += part[i];
        grid_barrier(count, (2 * k + 2) * gridDim.x);
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// CHECK: kernel b_written_by_another {{unknown|violated}}
LAUNCH b_written_by_another(tc_mut tc_shape(m) float *part, tc_mut tc_shape(m) float *y, COUNT, int m, int steps)
{
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        if (threadIdx.x == 1)
            part[blockIdx.x] = sum;
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (2 * k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        for (int i = 0; i < m; i++)
            sum += part[i];
        grid_barrier(count, (2 * k + 2) * gridDim.x);
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// ---- fences ----

// CHECK: kernel fences_of_all proved
LAUNCH fences_of_all(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
        __threadfence();
    }
}

// Fences of the weaker kind, by other threads, are in no order.
// CHECK: kernel b_weak_fences_of_all {{unknown|violated}}
LAUNCH b_weak_fences_of_all(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        fence_release();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
        fence_release();
    }
}

// CHECK: kernel b_fence_of_some {{unknown|violated}}
LAUNCH b_fence_of_some(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        if (threadIdx.x < 16)
            __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
        __threadfence();
    }
}

// CHECK: kernel b_fence_too_early {{unknown|violated}}
LAUNCH b_fence_too_early(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        __threadfence();
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
        __threadfence();
    }
}

// CHECK: kernel b_no_release {{unknown|violated}}
LAUNCH b_no_release(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
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
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
    }
}

// CHECK: kernel b_fence_of_the_block {{unknown|violated}}
LAUNCH b_fence_of_the_block(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_block();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_look_in_the_block {{unknown|violated}}
LAUNCH b_look_in_the_block(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_of_block(count) < (k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_volatile {{unknown|violated}}
LAUNCH b_volatile(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1u);
            while (*(volatile unsigned *)count < (k + 1) * gridDim.x)
                ;
        }
        __syncthreads();
    }
}

// While it waits it writes.
// CHECK: kernel b_work_between {{unknown|violated}}
LAUNCH b_work_between(DATA, COUNT, int m, int steps)
{
    for (int k = 0; k < steps; k++) {
        STEP(k);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (k + 1) * gridDim.x)
                a[LINE] += 1;
            __threadfence();
        }
        __syncthreads();
    }
}

// The copy is waited for when the block has arrived.
// CHECK: kernel b_copy_not_complete {{unknown|violated}}
LAUNCH b_copy_not_complete(tc_mut tc_shape(m * B) int *a, COUNT, int m, int steps)
{
    __shared__ int s[B];
    for (int k = 0; k < steps; k++) {
        __pipeline_memcpy_async(s + threadIdx.x, a + m * B - 1 - LINE, 4);
        __pipeline_commit();
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1u);
            while (load_relaxed(count) < (2 * k + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        a[LINE] = s[threadIdx.x];
        grid_barrier(count, (2 * k + 2) * gridDim.x);
    }
}

// CHECK: kernel copy_complete proved
LAUNCH copy_complete(tc_mut tc_shape(m * B) int *a, COUNT, int m, int steps)
{
    __shared__ int s[B];
    for (int k = 0; k < steps; k++) {
        __pipeline_memcpy_async(s + threadIdx.x, a + m * B - 1 - LINE, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        grid_barrier(count, (2 * k + 1) * gridDim.x);
        a[LINE] = s[threadIdx.x];
        grid_barrier(count, (2 * k + 2) * gridDim.x);
    }
}
