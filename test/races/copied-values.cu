// same-value: two threads copy one value, byte for byte, from an array that nobody writes; and near misses.
// RUN: %verdicts %s --same-value --rules=TC1001,TC1003,TC2001,TC3001 | FileCheck %s
// RUN: %verdicts %s --rules=TC1001,TC1003,TC2001,TC3001 | FileCheck --check-prefix=STRICT %s
#include <tilecheck.h>
#define K tc_block(64) tc_grid(1) __global__ void
#define X tc_shared tc_shape(128) const float *x
#define Y tc_mut tc_shape(128) float *y
struct six { short a, b; char c; };
struct pair { int a, b; };

// STRICT-NOT: proved
// CHECK: kernel halves proved
K halves(X, Y) { y[threadIdx.x / 2] = x[threadIdx.x / 2]; }
// CHECK: kernel in_turns proved
K in_turns(X, Y) { for (int i = 0; i < 10; i++) y[i] = x[i]; }
// Pieces that overlap, as wide as they like.
// CHECK: kernel overlapping proved
K overlapping(X, Y) { __builtin_memcpy(y + threadIdx.x, x + threadIdx.x, 12); }
// CHECK: kernel shifted proved
K shifted(X, Y) { __builtin_memcpy((char *)(y + threadIdx.x) + 1, x + threadIdx.x, 6); }
// CHECK: kernel structs proved
K structs(tc_shared tc_shape(66) const six *x, tc_mut tc_shape(66) six *y) { __builtin_memcpy(&y[threadIdx.x], &x[threadIdx.x], 2 * sizeof(six)); }
// CHECK: kernel assigned proved
K assigned(tc_shared tc_shape(64) const pair *x, tc_mut tc_shape(64) pair *y) { y[threadIdx.x / 4] = x[threadIdx.x / 4]; }
// CHECK: kernel never_filled proved
K never_filled(Y) { __shared__ float s[4]; y[0] = s[0]; }
// CHECK: kernel of_constants proved
__constant__ float table[64];
K of_constants(Y) { y[threadIdx.x % 8] = table[threadIdx.x % 8]; }
// CHECK: kernel by_blocks proved
tc_block(64) tc_grid(2) __global__ void by_blocks(X, Y) { y[threadIdx.x] = x[threadIdx.x]; }

// Another distance.
// CHECK: kernel b_from_elsewhere violated
K b_from_elsewhere(X, Y) { y[threadIdx.x / 2] = x[threadIdx.x]; }
// CHECK: kernel b_to_elsewhere {{violated|unknown}}
K b_to_elsewhere(X, Y) { __builtin_memcpy((char *)(y + threadIdx.x) + threadIdx.x % 2, x + threadIdx.x, 4); }
// CHECK: kernel b_two_arrays {{violated|unknown}}
K b_two_arrays(X, tc_shared tc_shape(128) const float *z, Y) { if (threadIdx.x == 0) y[0] = x[0]; else y[0] = z[0]; }
// CHECK: kernel b_and_computed {{violated|unknown}}
K b_and_computed(X, Y) { if (threadIdx.x == 0) y[0] = x[0]; else y[0] = x[0] + 1.0f; }
// An array that somebody writes, also under another name, or though it is not to be written.
// CHECK: kernel b_written {{violated|unknown}}
K b_written(tc_mut tc_shape(128) float *x, Y) { y[0] = x[0]; x[0] = 1.0f; }
// CHECK: kernel b_itself {{violated|unknown}}
K b_itself(Y) { y[0] = y[1]; y[1] = threadIdx.x; }
// CHECK: kernel b_in_place {{violated|unknown}}
K b_in_place(X, tc_mut tc_inplace(x) tc_shape(128) float *y) { y[threadIdx.x / 2] = x[threadIdx.x / 2 + 1]; }
// CHECK: kernel b_shared_written {{violated|unknown}}
K b_shared_written(tc_shared tc_shape(128) float *x, Y) { y[0] = x[0]; x[1] = 1.0f; }
// CHECK: kernel b_filled {{violated|unknown}}
K b_filled(Y) { __shared__ float s[64]; s[threadIdx.x] = threadIdx.x; y[0] = s[0]; }
// What is read from beyond the end is nothing.
// CHECK: kernel b_beyond violated
K b_beyond(tc_shared tc_shape(31) const float *x, Y) { y[threadIdx.x / 2] = x[threadIdx.x / 2]; }
// Shared memory of two blocks.
// CHECK: kernel b_of_two_blocks {{violated|unknown}}
tc_block(64) tc_grid(2) __global__ void b_of_two_blocks(Y) { __shared__ float s[4]; y[0] = s[0]; }
// Variables that were never written have no value in common.
// CHECK: kernel b_never_written violated
K b_never_written(tc_mut tc_shape(64) pair *y) { pair v; y[42] = v; }
// CHECK: kernel b_half_written {{violated|unknown}}
K b_half_written(tc_mut tc_shape(64) pair *y) { pair v; v.a = 1; y[42] = v; }
// CHECK: kernel written_alike {{proved|unknown}}
K written_alike(tc_mut tc_shape(64) pair *y) { pair v; v.a = 1; v.b = 2; y[42] = v; }
