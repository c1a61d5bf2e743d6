// What a thread stored, or loaded, is there when it loads it again, if nobody came between; and near misses.
// RUN: %verdicts %s --rules=TC1001,TC1002,TC3001,TC3002,TC9002 | FileCheck %s
// RUN: %verdicts %s --lockstep=32 --rules=TC1001,TC1002,TC3001,TC3002,TC9002 | FileCheck --check-prefix=LOCKSTEP %s
#include <tilecheck.h>
#define K tc_block(64) tc_grid(2) __global__ void
#define Y tc_mut tc_shape(128) tc_tile(64) int *y
#define I (blockIdx.x * 64 + threadIdx.x)
#define T ((int)threadIdx.x)

// CHECK: kernel own_place proved
// LOCKSTEP: kernel own_place proved
K own_place(Y) { y[I] = 3; tc_assert(y[I] == 3); }
// CHECK: kernel own_shared proved
K own_shared(Y) { __shared__ int s[64]; s[T] = T * 2; y[I] = 1; tc_assert(s[T] == 2 * T); }
// CHECK: kernel twice proved
K twice(Y) { int a = y[I], b = y[I]; tc_assert(a == b); y[I] = a + 1; }
// CHECK: kernel a_choice proved
K a_choice(Y, int n) { y[I] = n > 3 ? 1 : 2; tc_assert(n > 3 || y[I] == 2); }
// CHECK: kernel in_loop proved
K in_loop(Y, int n) { for (int i = 0; i < n; i++) { y[I] = i % 8; if (i & 1) tc_assert(y[I] == i % 8); } }
// CHECK: kernel in_inner_loop proved
K in_inner_loop(Y, int n) { y[I] = 4; for (int i = 0; i < n; i++) tc_assert(y[I] == 4); }
// CHECK: kernel as_unsigned proved
K as_unsigned(tc_mut tc_shape(128) tc_tile(64) unsigned char *y) { y[I] = -1; tc_assert(y[I] == 255); }
// CHECK: kernel narrowed proved
K narrowed(tc_mut tc_shape(128) tc_tile(64) unsigned char *y) { y[I] = 300; tc_assert(y[I] == 44); }
// Two loads of one place are one value: nobody writes the row and the column that others read.
// CHECK: kernel closure proved
tc_block(8, 8) tc_grid(1) __global__ void closure(tc_mut tc_shape(8, 8) int *y, int n)
{
    __shared__ int s[8][8];
    const int i = threadIdx.y, j = threadIdx.x;
    s[i][j] = y[i * 8 + j];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        if (s[i][j] == 0)
            if (s[i][k] != 0 && s[k][j] != 0)
                s[i][j] = k + 2;
        __syncthreads();
    }
    y[i * 8 + j] = s[i][j];
}
// Near miss: the column may change.
// CHECK: kernel b_closure {{violated|unknown}}
tc_block(8, 8) tc_grid(1) __global__ void b_closure(tc_mut tc_shape(8, 8) int *y, int n)
{
    __shared__ int s[8][8];
    const int i = threadIdx.y, j = threadIdx.x;
    s[i][j] = y[i * 8 + j];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        if (s[i][j] == 0)
            if (s[i][k] != 0)
                s[i][j] = s[k][j] + 2;
        __syncthreads();
    }
    y[i * 8 + j] = s[i][j];
}

// Others come between.
// CHECK: kernel b_barrier {{violated|unknown}}
K b_barrier(Y) { __shared__ int s[64]; s[T] = 1; __syncthreads(); s[63 - T] = 2; __syncthreads(); tc_assert(s[T] == 1); y[I] = 0; }
// CHECK: kernel b_barrier_in_loop {{violated|unknown}}
K b_barrier_in_loop(Y, int n) { __shared__ int s[64]; s[T] = 1; for (int i = 0; i < 3; i++) { tc_assert(s[T] == 1); __syncthreads(); s[63 - T] = 2; __syncthreads(); } y[I] = 0; }
// CHECK: kernel b_fenced {{violated|unknown}}
K b_fenced(Y) { __shared__ int s[64]; s[T] = 1; __threadfence_block(); tc_assert(s[T] == 1); y[I] = 0; }
// CHECK: kernel b_race {{violated|unknown}}
K b_race(Y) { __shared__ int s[64]; s[0] = T; tc_assert(s[0] == T); y[I] = 0; }
// CHECK: kernel b_other_race {{violated|unknown}}
K b_other_race(Y) { __shared__ int s[64]; s[T] = 1; tc_assert(s[T] == 1); if (T == 63) s[0] = 2; y[I] = 0; }
// CHECK: kernel b_other_block {{violated|unknown}}
K b_other_block(tc_mut tc_shape(128) int *y) { y[T] = blockIdx.x; tc_assert(y[T] == (int)blockIdx.x); }
// The thread itself stores something else.
// CHECK: kernel b_own_store {{violated|unknown}}
K b_own_store(Y, int n) { y[I] = 1; if (n == 5) y[I] = 2; tc_assert(y[I] == 1); }
// CHECK: kernel b_own_store_elsewhere {{violated|unknown}}
K b_own_store_elsewhere(tc_mut tc_shape(128, 2) tc_tile(64, 2) tc_at(blockIdx.x, 0) int *y, int n) { y[I * 2] = 1; y[I * 2 + (n & 1)] = 2; tc_assert(y[I * 2] == 1); }
// CHECK: kernel b_own_atomic {{violated|unknown}}
K b_own_atomic(Y) { y[I] = 1; atomicAdd(&y[I], 1); tc_assert(y[I] == 1); }
// CHECK: kernel b_later_in_loop {{violated|unknown}}
K b_later_in_loop(Y, int n) { y[I] = 1; for (int i = 0; i < n; i++) { tc_assert(y[I] == 1); y[I] = 2; } }
// CHECK: kernel b_loop_between {{violated|unknown}}
K b_loop_between(Y, int n) { y[I] = 1; for (int i = 0; i < n; i++) y[I] = i; tc_assert(y[I] == 1); }
// CHECK: kernel b_next_iteration {{violated|unknown}}
K b_next_iteration(Y, int n) { for (int i = 0; i < n; i++) { if (i > 0) tc_assert(y[I] == i); y[I] = i; } }
// CHECK: kernel b_sometimes {{violated|unknown}}
K b_sometimes(Y, int n) { if (n == 2) y[I] = 1; tc_assert(y[I] == 1); }
// CHECK: kernel b_other_branch {{violated|unknown}}
K b_other_branch(Y, int n) { if (n == 2) y[I] = 1; else tc_assert(y[I] == 1); }
__device__ void something(int *p);
// CHECK: kernel b_unknown_call unknown
K b_unknown_call(Y) { y[I] = 1; something(y); tc_assert(y[I] == 1); }
// Another place, another width, other bits.
// CHECK: kernel b_other_place {{violated|unknown}}
K b_other_place(Y) { __shared__ int s[64]; s[T] = 1; tc_assert(s[T ^ 1] == 1); y[I] = 0; }
// CHECK: kernel b_other_width {{violated|unknown}}
K b_other_width(Y) { y[I] = 0x10001; tc_assert(*(short *)&y[I] == 0x10001); }
// CHECK: kernel b_wider {{violated|unknown}}
K b_wider(Y) { *(short *)&y[I] = 1; tc_assert(y[I] == 1); }
// CHECK: kernel b_narrowed violated
K b_narrowed(tc_mut tc_shape(128) tc_tile(64) unsigned char *y) { y[I] = 300; tc_assert(y[I] == 300); }
// CHECK: kernel b_as_signed violated
K b_as_signed(tc_mut tc_shape(128) tc_tile(64) signed char *y) { y[I] = 200; tc_assert(y[I] == 200); }
// One buffer under two names.
// CHECK: kernel b_in_place {{violated|unknown}}
K b_in_place(tc_mut tc_shape(128) tc_tile(64) int *x, tc_mut tc_inplace(x) tc_shape(128) tc_tile(64) int *y) { y[I] = 1; x[I] = 2; tc_assert(y[I] == 1); }
// In lock-step, others of the group may come between without a race.
// CHECK: kernel b_sides {{violated|unknown}}
// LOCKSTEP: kernel b_sides unknown
tc_block(32) tc_grid(1) __global__ void b_sides(tc_mut tc_shape(33) int *y) { if (T % 2) { y[T] = 1; tc_assert(y[T] == 1); } else { y[T + 1] = 2; } }
// LOCKSTEP: kernel apart proved
tc_block(32) tc_grid(1) __global__ void apart(tc_mut tc_shape(64) int *y) { if (T % 2) { y[T] = 1; tc_assert(y[T] == 1); } else { y[T + 32] = 2; } }
