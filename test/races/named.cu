// Numbered barriers order what those who come to a round of them did with what those who wait for it do, where in each round exactly
// those come that it counts.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <tilecheck.h>

__device__ __forceinline__ void wait_at(int id) { asm volatile("bar.sync %0, 64;" :: "r"(id) : "memory"); }
__device__ __forceinline__ void pass_by(int id) { asm volatile("bar.arrive %0, 64;" :: "r"(id) : "memory"); }
enum { FULL = 1, FREE = 2, THIRD = 3 };

#define HAND_OVER(name, producer, consumer)                                                                            \
    tc_block(64) tc_grid(1) tc_requires(n >= 1 && n <= 1000) __global__ void name(                                     \
        tc_mut tc_shape(n, 32) int *out, tc_shared tc_shape(n, 32) const int *in, int n)                               \
    {                                                                                                                  \
        __shared__ int stage[32];                                                                                      \
        int lane = threadIdx.x % 32;                                                                                   \
        if (threadIdx.x < 32) {                                                                                        \
            producer                                                                                                   \
        } else {                                                                                                       \
            consumer                                                                                                   \
        }                                                                                                              \
    }
#define FILL stage[lane] = in[k * 32 + lane];
#define USE out[k * 32 + lane] = stage[31 - lane];
#define EACH for (int k = 0; k < n; k++)

// Nobody waits who need not.
// CHECK: kernel one_way proved
HAND_OVER(one_way, EACH { if (k > 0) wait_at(FREE); FILL pass_by(FULL); },
          EACH { wait_at(FULL); USE if (k + 1 < n) pass_by(FREE); })

// CHECK: kernel all_wait proved
HAND_OVER(all_wait, EACH { if (k > 0) wait_at(FREE); FILL wait_at(FULL); },
          EACH { wait_at(FULL); USE if (k < n - 1) wait_at(FREE); })

// The stage is given free before the first iteration.
// CHECK: kernel free_first proved
HAND_OVER(free_first, EACH { wait_at(FREE); FILL pass_by(FULL); },
          pass_by(FREE); EACH { wait_at(FULL); USE if (k + 1 < n) pass_by(FREE); })

// One barrier for both directions, twice in an iteration.
// CHECK: kernel one_number proved
HAND_OVER(one_number, EACH { FILL wait_at(FULL); wait_at(FULL); }, EACH { wait_at(FULL); USE wait_at(FULL); })

// No loop.
// CHECK: kernel once proved
HAND_OVER(once, int k = 0; FILL pass_by(FULL);, int k = 0; wait_at(FULL); USE)

// Behind the loop one more.
// CHECK: kernel last proved
HAND_OVER(last, EACH { FILL pass_by(FULL); wait_at(FREE); } int k = 0; FILL pass_by(THIRD);,
          EACH { wait_at(FULL); USE pass_by(FREE); } int k = 0; wait_at(THIRD); USE)

// ---- near misses ----

// CHECK: kernel b_producer_runs_on {{unknown|violated}}
HAND_OVER(b_producer_runs_on, EACH { if (k > 0) pass_by(FREE); FILL pass_by(FULL); },
          EACH { wait_at(FULL); USE if (k + 1 < n) pass_by(FREE); })

// CHECK: kernel b_no_way_back {{unknown|violated}}
HAND_OVER(b_no_way_back, EACH { FILL pass_by(FULL); }, EACH { wait_at(FULL); USE })

// Two rounds of one number in a row: nobody knows of the first one.
// CHECK: kernel b_twice_in_a_row {{unknown|violated}}
HAND_OVER(b_twice_in_a_row, int k = 0; FILL pass_by(FULL); pass_by(FULL);, int k = 0; wait_at(FULL); wait_at(FULL); USE)

// CHECK: kernel b_reads_behind_arrival violated
HAND_OVER(b_reads_behind_arrival, EACH { if (k > 0) wait_at(FREE); FILL wait_at(FULL); },
          EACH { pass_by(FULL); USE if (k + 1 < n) pass_by(FREE); })

// CHECK: kernel b_reads_before violated
HAND_OVER(b_reads_before, EACH { if (k > 0) wait_at(FREE); FILL pass_by(FULL); },
          EACH { USE wait_at(FULL); if (k + 1 < n) pass_by(FREE); })

// CHECK: kernel b_frees_too_early violated
HAND_OVER(b_frees_too_early, EACH { if (k > 0) wait_at(FREE); FILL pass_by(FULL); },
          EACH { wait_at(FULL); if (k + 1 < n) pass_by(FREE); USE })

// One round more than there is work.
// CHECK: kernel b_one_more {{unknown|violated}}
HAND_OVER(b_one_more, EACH { wait_at(FREE); FILL pass_by(FULL); }, EACH { wait_at(FULL); USE pass_by(FREE); })

// CHECK: kernel b_one_less {{unknown|violated}}
HAND_OVER(b_one_less, EACH { if (k > 0) wait_at(FREE); FILL pass_by(FULL); },
          for (int k = 0; k < n - 1; k++) { wait_at(FULL); USE if (k + 1 < n) pass_by(FREE); })

// CHECK: kernel b_leaves_early {{unknown|violated}}
HAND_OVER(b_leaves_early, EACH { if (k > 0) wait_at(FREE); FILL pass_by(FULL); if (k == 5) break; },
          EACH { wait_at(FULL); USE if (k + 1 < n) pass_by(FREE); })

// CHECK: kernel b_some_skip violated
HAND_OVER(b_some_skip, EACH { if (k > 0) wait_at(FREE); FILL if (lane != 7) pass_by(FULL); },
          EACH { wait_at(FULL); USE if (k + 1 < n) pass_by(FREE); })

// Each waits for what the other does later.
// CHECK: kernel b_crossed violated
HAND_OVER(b_crossed, int k = 0; FILL wait_at(FREE); wait_at(FULL);, int k = 0; wait_at(FULL); wait_at(FREE); USE)

// CHECK: kernel b_other_number {{unknown|violated}}
HAND_OVER(b_other_number, EACH { if (k > 0) wait_at(FREE); FILL pass_by(FULL); },
          EACH { wait_at(THIRD); USE if (k + 1 < n) pass_by(FREE); })

// Every other round is of another number for one of them.
// CHECK: kernel b_alternates {{unknown|violated}}
HAND_OVER(b_alternates, EACH { FILL if (k % 2) wait_at(FULL); else wait_at(FREE); wait_at(THIRD); },
          EACH { wait_at(FULL); USE wait_at(THIRD); })

// What the data say is not followed.
// CHECK: kernel b_data {{unknown|violated}}
HAND_OVER(b_data, EACH { FILL if (in[k] > 0) wait_at(FULL); }, EACH { if (in[k] > 0) wait_at(FULL); USE })

// A barrier of the block that one side meets sooner.
// CHECK: kernel b_around_block {{unknown|violated}}
HAND_OVER(b_around_block, int k = 0; FILL wait_at(FULL); __syncthreads();, int k = 0; __syncthreads(); wait_at(FULL); USE)

// ---- groups ----

__device__ __forceinline__ void half(int id) { asm volatile("bar.sync %0, 128;" :: "r"(id) : "memory"); }

// The upper half of the block.
// CHECK: kernel upper_half proved
tc_block(256) tc_grid(1) __global__ void upper_half(tc_mut tc_shape(256) int *y)
{
    __shared__ int s[256];
    if (threadIdx.x >= 128) {
        s[threadIdx.x] = y[threadIdx.x];
        half(5);
        y[threadIdx.x] = s[383 - threadIdx.x];
    }
}

// CHECK: kernel b_with_the_lower violated
tc_block(256) tc_grid(1) __global__ void b_with_the_lower(tc_mut tc_shape(256) int *y)
{
    __shared__ int s[256];
    s[threadIdx.x] = y[threadIdx.x];
    if (threadIdx.x >= 128) {
        half(5);
        y[threadIdx.x] = s[255 - threadIdx.x];
    }
}

// More come than it counts: a round may be made of any of them.
// CHECK: kernel b_too_many {{unknown|violated}}
tc_block(256) tc_grid(1) __global__ void b_too_many(tc_mut tc_shape(256) int *y)
{
    __shared__ int s[256];
    if (threadIdx.x < 128)
        s[threadIdx.x] = y[threadIdx.x];
    half(5);
    if (threadIdx.x < 128)
        y[threadIdx.x] = s[127 - threadIdx.x];
}

// CHECK: kernel b_too_few violated
tc_block(256) tc_grid(1) __global__ void b_too_few(tc_mut tc_shape(256) int *y)
{
    if (threadIdx.x < 96)
        half(5);
    y[threadIdx.x] = 0;
}

// As many as it counts, but of each warp only a part.
// CHECK: kernel b_parts_of_warps {{unknown|violated}}
tc_block(256) tc_grid(1) __global__ void b_parts_of_warps(tc_mut tc_shape(256) int *y)
{
    __shared__ int s[256];
    int i = threadIdx.x;
    if (i % 32 < 16)
        s[i] = y[i];
    if (i % 32 < 16)
        half(5);
    if (i % 32 < 16)
        y[i] = s[i ^ 32];
}

// The lanes of a warp come to two uses.
// CHECK: kernel b_two_places {{unknown|violated}}
tc_block(128) tc_grid(1) __global__ void b_two_places(tc_mut tc_shape(128) int *y)
{
    __shared__ int s[128];
    s[threadIdx.x] = y[threadIdx.x];
    if (threadIdx.x % 2)
        half(5);
    else
        half(5);
    y[threadIdx.x] = s[127 - threadIdx.x];
}

// The whole block, in a loop, with a barrier of the block before.
// CHECK: kernel whole_block proved
tc_block(128) tc_grid(1) tc_requires(n >= 0 && n <= 1000) __global__ void whole_block(tc_mut tc_shape(128) int *y, int n)
{
    __shared__ int s[128];
    s[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int v = s[127 - threadIdx.x];
        half(6);
        s[threadIdx.x] = v + 1;
        half(6);
    }
}

// CHECK: kernel b_whole_block_once violated
tc_block(128) tc_grid(1) tc_requires(n >= 0 && n <= 1000) __global__ void b_whole_block_once(tc_mut tc_shape(128) int *y, int n)
{
    __shared__ int s[128];
    s[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int v = s[127 - threadIdx.x];
        half(6);
        s[threadIdx.x] = v + 1;
    }
}
