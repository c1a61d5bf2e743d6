// Tickets that one thread of a block hands on to the others through shared memory: each condition, with a kernel that lacks
// just that (b…) and one that has it (g…).
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

#define LAUNCH tc_block(256) tc_grid(blocks) tc_requires(n >= 1 && n <= 1 << 20 && blocks < 4096)
#define ARGS tc_mut tc_shape(256 * n) float *x, tc_atomic tc_shape(1) tc_init(0) int *c, int n, int blocks
#define DRAW if (threadIdx.x == 0) t = atomicAdd(c, 1)
#define SYNC __syncthreads()
#define TILE x[tile * 256 + threadIdx.x] = 1.0f

// CHECK: kernel g_tiles proved
LAUNCH __global__ void g_tiles(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel g_sync_at_the_end proved
LAUNCH __global__ void g_sync_at_the_end(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; if (tile >= n) break; TILE; SYNC; } }
// CHECK: kernel g_sync_at_the_start proved
LAUNCH __global__ void g_sync_at_the_start(ARGS) { __shared__ int t; for (;;) { SYNC; DRAW; SYNC; int tile = t; if (tile >= n) break; TILE; } }
// CHECK: kernel g_read_in_place proved
LAUNCH __global__ void g_read_in_place(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; if (t >= n) break; x[t * 256 + threadIdx.x] = 1.0f; SYNC; } }
// CHECK: kernel g_drawn_before proved
LAUNCH __global__ void g_drawn_before(ARGS) { __shared__ int t; DRAW; SYNC; for (;;) { int tile = t; SYNC; if (tile >= n) break; DRAW; TILE; SYNC; } }
// CHECK: kernel g_once proved
LAUNCH __global__ void g_once(ARGS) { __shared__ int t; DRAW; SYNC; int tile = t; if (tile < n) TILE; }
// CHECK: kernel g_last_thread proved
LAUNCH __global__ void g_last_thread(ARGS) { __shared__ int t; for (;;) { if (threadIdx.x == 255) t = atomicAdd(c, 1); SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel g_barriers_inside proved
LAUNCH __global__ void g_barriers_inside(ARGS, int k) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; for (int i = 0; i < k; i++) SYNC; TILE; } }
// CHECK: kernel g_barriers_by_tile proved
LAUNCH __global__ void g_barriers_by_tile(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; if (tile & 1) SYNC; TILE; } }
// CHECK: kernel g_reserved proved
LAUNCH __global__ void g_reserved(ARGS) { __shared__ int t; if (threadIdx.x == 0) t = atomicAdd(c, 128); SYNC; int p = t; if (p < n && threadIdx.x < 128) x[p + threadIdx.x] = 1.0f; }
// CHECK: kernel b_reserved_too_few {{violated|unknown}}
LAUNCH __global__ void b_reserved_too_few(ARGS) { __shared__ int t; if (threadIdx.x == 0) t = atomicAdd(c, 128); SYNC; int p = t; if (p < n && threadIdx.x <= 128) x[p + threadIdx.x] = 1.0f; }
// CHECK: kernel g_reserved_by_size proved
LAUNCH tc_requires(k >= 0 && k <= 256) __global__ void g_reserved_by_size(ARGS, int k) { __shared__ int t; if (threadIdx.x == 0) t = atomicAdd(c, k); SYNC; int p = t; if (p < n && threadIdx.x < k) x[p + threadIdx.x] = 1.0f; }

// ---- barriers ----

// CHECK: kernel b_no_barrier_before_load {{violated|unknown}}
LAUNCH __global__ void b_no_barrier_before_load(ARGS) { __shared__ int t; for (;;) { DRAW; int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_no_barrier_before_store {{violated|unknown}}
LAUNCH __global__ void b_no_barrier_before_store(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; if (tile >= n) break; TILE; } }
// CHECK: kernel b_no_barrier_before_first_load {{violated|unknown}}
LAUNCH __global__ void b_no_barrier_before_first_load(ARGS) { __shared__ int t; DRAW; for (;;) { int tile = t; SYNC; if (tile >= n || tile < 0) break; DRAW; TILE; SYNC; } }
// CHECK: kernel b_barrier_of_some {{violated|unknown}}
LAUNCH __global__ void b_barrier_of_some(ARGS) { __shared__ int t; for (;;) { DRAW; if (threadIdx.x < 128) SYNC; int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_one_barrier_more_for_some {{violated|unknown}}
LAUNCH __global__ void b_one_barrier_more_for_some(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; if (threadIdx.x < 128) SYNC; TILE; } }
// CHECK: kernel b_barriers_by_thread {{violated|unknown}}
LAUNCH __global__ void b_barriers_by_thread(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; for (int i = 0; i < threadIdx.x; i++) SYNC; TILE; } }
// CHECK: kernel b_barriers_by_count_of_thread {{violated|unknown}}
LAUNCH __global__ void b_barriers_by_count_of_thread(ARGS) { __shared__ int t; int i = 0; while (i < threadIdx.x) i++; if (i > 100) SYNC; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_barriers_by_memory {{violated|unknown}}
LAUNCH __global__ void b_barriers_by_memory(ARGS, tc_shared tc_shape(256) const int *k) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; if (k[threadIdx.x]) SYNC; TILE; } }
// CHECK: kernel b_barriers_while_memory {{violated|unknown}}
LAUNCH __global__ void b_barriers_while_memory(ARGS, tc_shared tc_shape(256) const int *k) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; int i = 0; do { SYNC; } while (k[(threadIdx.x + i++) & 255]); TILE; } }
// CHECK: kernel b_barrier_before_by_thread {{violated|unknown}}
LAUNCH __global__ void b_barrier_before_by_thread(ARGS) { __shared__ int t; if (threadIdx.x > 5) SYNC; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_named_barrier {{violated|unknown}}
LAUNCH __global__ void b_named_barrier(ARGS) { __shared__ int t; for (;;) { DRAW; asm volatile("bar.sync 1, 128;"); int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_part_of_the_barrier {{violated|unknown}}
LAUNCH __global__ void b_part_of_the_barrier(ARGS) { __shared__ int t; for (;;) { DRAW; asm volatile("bar.sync 0, 128;"); int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_arrive_alone {{violated|unknown}}
LAUNCH __global__ void b_arrive_alone(ARGS) { __shared__ int t; for (;;) { DRAW; if (threadIdx.x >= 32) asm volatile("bar.arrive 0, 256;"); else SYNC; int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_warp_barrier {{violated|unknown}}
LAUNCH __global__ void b_warp_barrier(ARGS) { __shared__ int t; for (;;) { DRAW; __syncwarp(); int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_unknown_asm {{violated|unknown}}
LAUNCH __global__ void b_unknown_asm(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; asm volatile("foo.bar;" ::: "memory"); TILE; } }

// ---- stores ----

// CHECK: kernel b_second_store {{violated|unknown}}
LAUNCH __global__ void b_second_store(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (threadIdx.x == 1 && tile > 100000) t = 5; if (tile >= n) break; TILE; } }
// CHECK: kernel b_stored_before {{violated|unknown}}
LAUNCH __global__ void b_stored_before(ARGS) { __shared__ int t; if (threadIdx.x == 0) t = 0; SYNC; for (;;) { int tile = t; SYNC; if (tile >= n) break; DRAW; TILE; SYNC; } }
// CHECK: kernel b_every_thread_draws {{violated|unknown}}
LAUNCH __global__ void b_every_thread_draws(ARGS) { __shared__ int t; for (;;) { t = atomicAdd(c, 1); SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_two_threads_draw {{violated|unknown}}
LAUNCH __global__ void b_two_threads_draw(ARGS) { __shared__ int t; for (;;) { if (threadIdx.x < 2) t = atomicAdd(c, 1); SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_thread_that_is_not_there {{violated|unknown}}
tc_grid(blocks) tc_requires(n >= 1 && n <= 1 << 20 && blocks < 4096) __global__ void b_thread_that_is_not_there(ARGS) { __shared__ int t; for (;;) { if (threadIdx.x == 511) t = atomicAdd(c, 1); SYNC; int tile = t; SYNC; if (tile >= n || tile < 0 || threadIdx.x > 255) break; TILE; } }
// CHECK: kernel b_thread_below_all {{violated|unknown}}
LAUNCH __global__ void b_thread_below_all(ARGS) { __shared__ int t; for (;;) { if ((int)threadIdx.x == -1) t = atomicAdd(c, 1); SYNC; int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_not_always_drawn {{violated|unknown}}
LAUNCH __global__ void b_not_always_drawn(ARGS, int k) { __shared__ int t; for (;;) { if (threadIdx.x == 0 && k < 100000) t = atomicAdd(c, 1); SYNC; int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_writer_has_left {{violated|unknown}}
LAUNCH __global__ void b_writer_has_left(ARGS, int k) { __shared__ int t; if (k > 100000 && threadIdx.x == 0) return; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_stores_one_more {{violated|unknown}}
LAUNCH __global__ void b_stores_one_more(ARGS) { __shared__ int t; for (;;) { if (threadIdx.x == 0) { int p = atomicAdd(c, 1); t = p + (blockIdx.x & 1); } SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_stores_part {{violated|unknown}}
LAUNCH __global__ void b_stores_part(ARGS) { __shared__ unsigned short t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_loads_part {{violated|unknown}}
LAUNCH __global__ void b_loads_part(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = *(unsigned short *)&t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_other_element {{violated|unknown}}
LAUNCH __global__ void b_other_element(ARGS) { __shared__ int t[2]; for (;;) { if (threadIdx.x == 0) t[0] = atomicAdd(c, 1); SYNC; int tile = t[1]; SYNC; if (tile >= n || tile < 0) break; TILE; } }
// CHECK: kernel b_element_by_thread {{violated|unknown}}
LAUNCH __global__ void b_element_by_thread(ARGS) { __shared__ int t[256]; for (;;) { if (threadIdx.x == 0) t[0] = atomicAdd(c, 1); else t[threadIdx.x & 127] = 7; SYNC; int tile = t[0]; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_two_counters {{violated|unknown}}
LAUNCH __global__ void b_two_counters(ARGS, tc_atomic tc_shape(1) tc_init(0) int *d) { __shared__ int t; for (;;) { if (threadIdx.x == 0) t = atomicAdd(blockIdx.x & 1 ? c : d, 1); SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; } }
// CHECK: kernel b_used_twice {{violated|unknown}}
LAUNCH __global__ void b_used_twice(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; TILE; if (tile > 0) x[tile * 256 - 256 + threadIdx.x] = 2.0f; } }
// CHECK: kernel b_carried_on {{violated|unknown}}
LAUNCH __global__ void b_carried_on(ARGS) { __shared__ int t; int tile = 0; for (;;) { TILE; DRAW; SYNC; tile = t; SYNC; if (tile >= n) break; } }
// CHECK: kernel b_beside_a_static_first {{violated|unknown}}
LAUNCH __global__ void b_beside_a_static_first(ARGS) { __shared__ int t; int tile = blockIdx.x; while (tile < n) { TILE; DRAW; SYNC; tile = t; SYNC; } }

// ---- drawn by a function, carried from one iteration to the next ----

__device__ int drawn(int *c, int *t) { SYNC; if (threadIdx.x == 0) *t = atomicAdd(c, 1); SYNC; return *t; }
__device__ int drawn_at_once(int *c, int *t) { if (threadIdx.x == 0) *t = atomicAdd(c, 1); SYNC; return *t; }
__device__ int drawn_unordered(int *c, int *t) { SYNC; if (threadIdx.x == 0) *t = atomicAdd(c, 1); return *t; }

// CHECK: kernel g_by_function proved
LAUNCH __global__ void g_by_function(ARGS) { __shared__ int t; for (int tile = drawn(c, &t); tile < n; tile = drawn(c, &t)) TILE; }
// CHECK: kernel b_by_function_at_once {{violated|unknown}}
LAUNCH __global__ void b_by_function_at_once(ARGS) { __shared__ int t; for (int tile = drawn_at_once(c, &t); tile < n; tile = drawn_at_once(c, &t)) TILE; }
// CHECK: kernel b_by_function_unordered {{violated|unknown}}
LAUNCH __global__ void b_by_function_unordered(ARGS) { __shared__ int t; for (int tile = drawn_unordered(c, &t); tile < n && tile >= 0; tile = drawn_unordered(c, &t)) TILE; }
// CHECK: kernel b_by_function_half {{violated|unknown}}
LAUNCH __global__ void b_by_function_half(ARGS) { __shared__ int t; for (int tile = drawn(c, &t); tile < n; tile = drawn(c, &t) / 2) TILE; }
// CHECK: kernel b_by_function_next_too {{violated|unknown}}
LAUNCH __global__ void b_by_function_next_too(ARGS) { __shared__ int t; for (int tile = drawn(c, &t); tile + 1 < n; tile = drawn(c, &t)) { TILE; x[tile * 256 + 256 + threadIdx.x] = 2.0f; } }
// CHECK: kernel b_first_of_the_block {{violated|unknown}}
LAUNCH __global__ void b_first_of_the_block(ARGS) { __shared__ int t; for (int tile = blockIdx.x; tile < n; tile = drawn(c, &t)) TILE; }
// CHECK: kernel b_sometimes_drawn {{violated|unknown}}
LAUNCH __global__ void b_sometimes_drawn(ARGS) { __shared__ int t; for (int tile = drawn(c, &t); tile < n; tile = tile % 1000 == 999 ? tile + 1 : drawn(c, &t)) TILE; }
// CHECK: kernel b_some_draw_on {{violated|unknown}}
LAUNCH __global__ void b_some_draw_on(ARGS) { __shared__ int t; for (int tile = drawn(c, &t); tile < n; ) { TILE; if (threadIdx.x < 128) tile = drawn(c, &t); } }
// CHECK: kernel g_barriers_halving proved
LAUNCH __global__ void g_barriers_halving(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; for (int w = 128; w > 0; w >>= 1) SYNC; TILE; } }
// CHECK: kernel b_barriers_halving_by_thread {{violated|unknown}}
LAUNCH __global__ void b_barriers_halving_by_thread(ARGS) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; for (int w = threadIdx.x; w > 0; w >>= 1) SYNC; TILE; } }
// CHECK: kernel b_barriers_left_early {{violated|unknown}}
LAUNCH __global__ void b_barriers_left_early(ARGS, int k) { __shared__ int t; for (;;) { DRAW; SYNC; int tile = t; SYNC; if (tile >= n) break; for (int i = 0; i < k; i++) { SYNC; if (i == threadIdx.x) break; } TILE; } }
