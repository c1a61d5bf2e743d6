// Values drawn from a counter: each condition under which two of them differ, with a kernel that lacks just that (b…) and one
// that has it (g…).
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

#define LAUNCH tc_block(256) tc_grid(blocks) tc_requires(n >= 1 && n <= 1 << 30 && blocks < 4096)
#define X tc_mut tc_shape(n) float *x
#define COUNTER tc_atomic tc_shape(1) tc_init(0) int *c
#define T0 (threadIdx.x == 0)
#define PUT(p) do { if ((p) < n) x[p] = 1.0f; } while (0)
typedef unsigned u;

// ---- what is drawn ----

// CHECK: kernel g_append proved
LAUNCH __global__ void g_append(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); }
// CHECK: kernel g_append_unsigned proved
LAUNCH __global__ void g_append_unsigned(X, tc_atomic tc_shape(1) u *c, int n, int blocks) { u p = atomicAdd(c, 1u); if (p < (u)n) x[p] = 1.0f; }
// CHECK: kernel g_append_by_three proved
LAUNCH __global__ void g_append_by_three(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 3); for (int i = 0; i < 3; i++) PUT(p + i); }
// CHECK: kernel b_append_by_three {{violated|unknown}}
LAUNCH __global__ void b_append_by_three(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 3); for (int i = 0; i < 4; i++) PUT(p + i); }
// CHECK: kernel g_at_seven proved
LAUNCH __global__ void g_at_seven(X, tc_atomic tc_shape(9) tc_init(0) int *c, int n, int blocks) { int p = atomicAdd(c + 7, 1); PUT(p); }
// CHECK: kernel g_with_a_sum_beside proved
LAUNCH __global__ void g_with_a_sum_beside(X, tc_atomic tc_shape(9) tc_init(0) int *c, int n, int blocks) { int p = atomicAdd(c + 7, 1); atomicAdd(c + 6, -p); PUT(p); }
// CHECK: kernel b_with_a_sum_on_it {{violated|unknown}}
LAUNCH __global__ void b_with_a_sum_on_it(X, tc_atomic tc_shape(9) tc_init(0) int *c, int n, int blocks, int k) { int p = atomicAdd(c + 7, 1); if (k >= 0 && k < 8) atomicAdd(c + k, -1); PUT(p); }
// CHECK: kernel b_counter_a_block {{violated|unknown}}
LAUNCH __global__ void b_counter_a_block(X, tc_atomic tc_shape(4096) tc_init(0) int *c, int n, int blocks) { int p = atomicAdd(c + blockIdx.x, 1); PUT(p); }
// CHECK: kernel b_counter_of_two {{violated|unknown}}
LAUNCH __global__ void b_counter_of_two(X, tc_atomic tc_shape(2) tc_init(0) int *c, int n, int blocks) { int p = blockIdx.x & 1 ? atomicAdd(c, 1) : atomicAdd(c + 1, 1); PUT(p); }
// CHECK: kernel g_two_places_of_one proved
LAUNCH __global__ void g_two_places_of_one(X, COUNTER, int n, int blocks) { int p = blockIdx.x & 1 ? atomicAdd(c, 1) : atomicAdd(c, 1); PUT(p); }
// CHECK: kernel b_two_counters {{violated|unknown}}
LAUNCH __global__ void b_two_counters(X, COUNTER, tc_atomic tc_shape(1) tc_init(0) int *d, int n, int blocks) { int p = blockIdx.x & 1 ? atomicAdd(c, 1) : atomicAdd(d, 1); PUT(p); }
// CHECK: kernel b_block_scope {{violated|unknown}}
LAUNCH __global__ void b_block_scope(X, COUNTER, int n, int blocks) { int p = atomicAdd_block(c, 1); PUT(p); }
// CHECK: kernel g_system_scope proved
LAUNCH __global__ void g_system_scope(X, COUNTER, int n, int blocks) { int p = atomicAdd_system(c, 1); PUT(p); }
// CHECK: kernel b_taken_back {{violated|unknown}}
LAUNCH __global__ void b_taken_back(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); atomicSub(c, 1); }
// CHECK: kernel b_minus_one {{violated|unknown}}
LAUNCH __global__ void b_minus_one(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); if (p > 100000) atomicAdd(c, -1); }
// CHECK: kernel b_amount_of_any_sign {{violated|unknown}}
LAUNCH __global__ void b_amount_of_any_sign(X, COUNTER, int n, int blocks, int k) { int p = atomicAdd(c, k); if (p >= 0) PUT(p); }
// CHECK: kernel b_amount_zero {{violated|unknown}}
LAUNCH tc_requires(k >= 0) __global__ void b_amount_zero(X, COUNTER, int n, int blocks, int k) { int p = atomicAdd(c, k); if (p >= 0) PUT(p); }
// CHECK: kernel b_reset {{violated|unknown}}
LAUNCH __global__ void b_reset(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); if (p == 100000) atomicExch(c, 0); }
// CHECK: kernel b_reset_plain {{violated|unknown}}
LAUNCH __global__ void b_reset_plain(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); if (p == 100000) *c = 0; }
// CHECK: kernel b_inc {{violated|unknown}}
LAUNCH __global__ void b_inc(X, tc_atomic tc_shape(1) tc_init(0) u *c, int n, int blocks) { u p = atomicInc(c, 100000); if (p < (u)n) x[p] = 1.0f; }
// CHECK: kernel b_or {{violated|unknown}}
LAUNCH __global__ void b_or(X, tc_atomic tc_shape(1) tc_init(0) u *c, int n, int blocks) { u p = atomicOr(c, 1); if (p < (u)n) x[p] = 1.0f; }
// CHECK: kernel b_mut_counter {{violated|unknown}}
LAUNCH __global__ void b_mut_counter(X, tc_mut tc_shape(1) int *c, int n, int blocks) { int p = atomicAdd(c, 1); if (p >= 0) PUT(p); }
// CHECK: kernel b_any_start {{violated|unknown}}
LAUNCH __global__ void b_any_start(X, tc_atomic tc_shape(1) int *c, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); }
// CHECK: kernel g_any_start proved
LAUNCH __global__ void g_any_start(X, tc_atomic tc_shape(1) int *c, int n, int blocks) { int p = atomicAdd(c, 1); if (p >= 0) PUT(p); }
// CHECK: kernel b_start_below {{violated|unknown}}
LAUNCH __global__ void b_start_below(X, tc_atomic tc_shape(1) tc_init(-1) int *c, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); }

// ---- what is made of it ----

// CHECK: kernel b_masked {{violated|unknown}}
LAUNCH __global__ void b_masked(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1) & 0x3ffff; PUT(p); }
// CHECK: kernel b_narrow {{violated|unknown}}
LAUNCH __global__ void b_narrow(X, COUNTER, int n, int blocks) { unsigned short p = atomicAdd(c, 1); PUT(p); }
// CHECK: kernel b_halved {{violated|unknown}}
LAUNCH __global__ void b_halved(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1) / 2; PUT(p); }
// CHECK: kernel b_float {{violated|unknown}}
LAUNCH __global__ void b_float(X, COUNTER, int n, int blocks) { int p = (int)(float)atomicAdd(c, 1); if (p >= 0) PUT(p); }
// CHECK: kernel b_thread_beside {{violated|unknown}}
LAUNCH __global__ void b_thread_beside(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1) + threadIdx.x; PUT(p); }
// CHECK: kernel b_not_drawn {{violated|unknown}}
LAUNCH __global__ void b_not_drawn(X, COUNTER, int n, int blocks) { int p = 5; if (n < 100000 || threadIdx.x > 3) p = atomicAdd(c, 1); PUT(p); }
// CHECK: kernel b_next_one {{violated|unknown}}
LAUNCH __global__ void b_next_one(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); if (threadIdx.x & 1) p++; PUT(p); }
// CHECK: kernel b_reads_next {{violated|unknown}}
LAUNCH __global__ void b_reads_next(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); if (p + 1 < n) x[p] = x[p + 1]; }

// ---- how much is drawn ----

// CHECK: kernel b_comes_round {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 1) __global__ void b_comes_round(X, tc_atomic tc_shape(1) u *c, int n, int blocks) { for (int i = 0; i < n; i++) { u p = atomicAdd(c, 1u); if (p < (u)n) x[p] = 1.0f; } }
// CHECK: kernel b_comes_round_in_steps {{violated|unknown}}
LAUNCH __global__ void b_comes_round_in_steps(X, tc_atomic tc_shape(1) u *c, int n, int blocks) { u p = atomicAdd(c, 1u << 24); if (p < (u)n) x[p] = 1.0f; }
// CHECK: kernel g_wide proved
tc_block(256) tc_grid(blocks) tc_requires(n >= 1) __global__ void g_wide(X, tc_atomic tc_shape(1) unsigned long long *c, int n, int blocks) { unsigned long long p = atomicAdd(c, 1ull); if (p < (u)n) x[p] = 1.0f; }
// CHECK: kernel g_until proved
LAUNCH __global__ void g_until(X, COUNTER, int n, int blocks) { for (;;) { int p = atomicAdd(c, 1); if (p >= n) break; x[p] = 1.0f; } }
// CHECK: kernel b_until_other {{violated|unknown}}
LAUNCH __global__ void b_until_other(X, tc_atomic tc_shape(1) u *c, int n, int blocks) { for (int i = 0;; i++) { u p = atomicAdd(c, 1u); if (i >= n) break; if (p < (u)n) x[p] = 1.0f; } }
// CHECK: kernel b_until_again {{violated|unknown}}
LAUNCH __global__ void b_until_again(X, tc_atomic tc_shape(1) u *c, int n, int blocks, int k) { for (int i = 0; i < k; i++) for (;;) { u p = atomicAdd(c, 1u); if (p >= (u)n) break; x[p] = 1.0f; } }
// CHECK: kernel b_two_loops {{violated|unknown}}
LAUNCH __global__ void b_two_loops(X, COUNTER, int n, int blocks) { int p = atomicAdd(c, 1); PUT(p); for (int i = 0; i < 2; i++) { int q = atomicAdd(c, 1); if (q - 1 < n && q > 100000) x[q - 1] = 1.0f; } }
// CHECK: kernel b_unbounded_until {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 1) __global__ void b_unbounded_until(X, COUNTER, int n, int blocks) { for (;;) { int p = atomicAdd(c, 1); if (p >= n) break; x[p] = 1.0f; } }
// CHECK: kernel g_one_a_block proved
tc_block(256) tc_grid(blocks) tc_requires(n >= 1 && blocks < 1 << 30) __global__ void g_one_a_block(X, COUNTER, int n, int blocks) { if (threadIdx.x == 7) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel b_one_a_warp {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 1 && blocks < 1 << 30) __global__ void b_one_a_warp(X, COUNTER, int n, int blocks) { if (threadIdx.x % 32 == 7) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel g_one_a_number proved
tc_block(256) tc_grid(blocks) tc_requires(n >= 0 && k >= 0) __global__ void g_one_a_number(X, COUNTER, int n, int k, int blocks) { for (long long i = blockIdx.x * 256ll + threadIdx.x; i < k; i += 256ll * blocks) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel b_two_a_number {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 0 && k >= 0) __global__ void b_two_a_number(X, COUNTER, int n, int k, int blocks) { for (long long i = blockIdx.x * 128ll + threadIdx.x; i < k; i += 128ll * blocks) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel b_number_of_the_block {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 0 && k >= 0) __global__ void b_number_of_the_block(X, COUNTER, int n, int k, int blocks) { if (blockIdx.x < k) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel b_step_of_none {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 0 && k >= 0 && s >= 0) __global__ void b_step_of_none(X, COUNTER, int n, int k, int s, int blocks) { for (long long i = blockIdx.x * 256ll + threadIdx.x; i < k; i += s) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel b_each_number_often {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 0 && k >= 0) __global__ void b_each_number_often(X, COUNTER, int n, int k, int blocks) { for (int j = 0; j < k; j++) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= 0 && i < k) { int p = atomicAdd(c, 1); PUT(p); } } }
// CHECK: kernel b_from_below {{violated|unknown}}
tc_block(256) tc_grid(blocks) tc_requires(n >= 0 && k >= 0) __global__ void b_from_below(X, COUNTER, int n, int k, int blocks) { long long i = blockIdx.x * 256ll + threadIdx.x - 5000000000ll; if (i < k) { int p = atomicAdd(c, 1); PUT(p); } }
// CHECK: kernel b_bound_that_no_launch_meets {{violated|unknown}}
tc_block(256) tc_requires(n >= 1) __global__ void b_bound_that_no_launch_meets(X, tc_atomic tc_shape(1) u *c, int n) { if (blockIdx.x + blockIdx.y + blockIdx.z < 77777) { u p = atomicAdd(c, 1u << 24); if (p < (u)n) x[p] = 1.0f; } }
// CHECK: kernel g_bound_of_the_launch proved-if
tc_block(256) tc_requires(n >= 1) __global__ void g_bound_of_the_launch(X, tc_atomic tc_shape(1) u *c, int n) { if (blockIdx.x + blockIdx.y + blockIdx.z < 77777) { u p = atomicAdd(c, 1u); if (p < (u)n) x[p] = 1.0f; } }
