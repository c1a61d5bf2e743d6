// same-value: a thread that reads what it wrote itself reads that, whoever else writes the same; and near misses.
// RUN: %verdicts %s --same-value --rules=TC1001,TC1002,TC3001 | FileCheck %s
// RUN: %verdicts %s --rules=TC1001,TC1002,TC3001 | FileCheck --check-prefix=STRICT %s
#include <tilecheck.h>
#define K tc_block(64) tc_grid(1) __global__ void
#define A tc_mut tc_shape(64) int *y, tc_mut tc_shape(64) int *z
#define T threadIdx.x

// STRICT-NOT: proved
// CHECK: kernel flag proved
K flag(A) { y[0] = 7; z[T] = y[0]; }
// CHECK: kernel shared_pointer proved
__device__ int *same(int *p) { return p; }
K shared_pointer(A) { __shared__ int s[10]; __shared__ int *p; p = s; same(p); z[T] = 0; }
// CHECK: kernel in_rows proved
K in_rows(A, int n) { y[T / 8] = n; z[T] = y[T / 8]; }
// CHECK: kernel of_two_blocks proved
tc_block(64) tc_grid(2) __global__ void of_two_blocks(tc_mut tc_shape(64) int *y, tc_mut tc_shape(128) int *z) { y[0] = 7; z[blockIdx.x * 64 + T] = y[0]; }

// CHECK: kernel b_reader_did_not {{violated|unknown}}
K b_reader_did_not(A) { if (T == 0) y[0] = 7; z[T] = y[0]; }
// CHECK: kernel b_before violated
K b_before(A) { z[T] = y[0]; y[0] = 7; }
// CHECK: kernel b_other_value violated
K b_other_value(A) { y[0] = T < 63 ? 7 : 8; z[T] = y[0]; }
// CHECK: kernel b_then_another {{violated|unknown}}
K b_then_another(A) { y[0] = 7; y[0] = 8; z[T] = y[0]; }
// CHECK: kernel b_behind_barrier {{violated|unknown}}
K b_behind_barrier(A) { y[0] = 7; __syncthreads(); if (T == 1) y[0] = 8; __syncthreads(); if (T == 2) y[0] = 7; z[T] = y[0]; }
// CHECK: kernel b_elsewhere {{violated|unknown}}
K b_elsewhere(A) { y[T / 8] = 7; z[T] = y[T / 8 + 1]; }
// CHECK: kernel b_narrower {{violated|unknown}}
K b_narrower(A) { y[0] = 7; if (T == 1) *(char *)y = 7; z[T] = y[0]; }
// CHECK: kernel b_pointers {{violated|unknown}}
K b_pointers(A) { __shared__ int s[10]; __shared__ int *p; p = s + (T & 1); same(p); z[T] = 0; }
// CHECK: kernel b_pointers_to_own {{violated|unknown}}
K b_pointers_to_own(A) { int own; __shared__ int *p; p = &own; same(p); z[T] = 0; }
// CHECK: kernel b_pointers_of_blocks {{violated|unknown}}
tc_block(64) tc_grid(2) __global__ void b_pointers_of_blocks(tc_mut tc_shape(1) int **y) { __shared__ int s[10]; y[0] = s; }
// CHECK: kernel pointers_of_blocks proved
tc_block(64) tc_grid(2) __global__ void pointers_of_blocks(tc_mut tc_shape(1) int **y, tc_shared tc_shape(4) int *x) { y[0] = x + 1; }
