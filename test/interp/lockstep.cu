// Runs in which groups of threads go in lock-step: values and order, around branches and loops.
// RUN: %verdicts %s --lockstep=32 --rules=TC1001,TC1002,TC3001,TC3002,TC9002 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(64) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(64) int *y
#define BASE (threadIdx.x / 32 * 32)

// All threads of a group read before one of them writes.
// CHECK: kernel rotated violated
K rotated(Y) { int t = threadIdx.x; y[t] = t; int v = y[BASE + (t + 1) % 32]; y[t] = v; tc_assert(y[t] == t); }
// CHECK: kernel rotated_right {{proved|unknown}}
K rotated_right(Y) { int t = threadIdx.x; y[t] = t; int v = y[BASE + (t + 1) % 32]; y[t] = v; tc_assert(y[t] == BASE + (t + 1) % 32); }
// One side of a branch, then the other; behind it all threads are there.
// CHECK: kernel sides_right {{proved|unknown}}
K sides_right(Y) { int t = threadIdx.x; if (t % 2) y[t] = 1; else y[t] = 2; int v = y[BASE + (t + 1) % 32]; tc_assert(v == (t % 2 ? 2 : 1)); }
// CHECK: kernel sides violated
K sides(Y) { int t = threadIdx.x; if (t % 2) y[t] = 1; else y[t] = 2; int v = y[BASE + (t + 1) % 32]; tc_assert(v == 1); }
// Threads that leave out an iteration wait for the others.
// CHECK: kernel left_out_right {{proved|unknown}}
K left_out_right(Y) { int t = threadIdx.x; y[t] = 0; for (int i = 0; i < 4; i++) { if ((t + i) % 2) continue; y[t] = y[BASE + (t + 2) % 32] + 1; } tc_assert(y[t] == 2); }
// CHECK: kernel left_out violated
K left_out(Y) { int t = threadIdx.x; y[t] = 0; for (int i = 0; i < 4; i++) { if ((t + i) % 2) continue; y[t] = y[BASE + (t + 2) % 32] + 1; } tc_assert(y[t] != 2); }
// CHECK: kernel while_right {{proved|unknown}}
K while_right(Y) { int t = threadIdx.x, i = 0; y[t] = 0; while (i++ < 4) { if ((t + i) % 2) continue; y[t] = y[BASE + (t + 2) % 32] + 1; } tc_assert(y[t] == 2); }
// An inner loop that some threads leave early.
// CHECK: kernel inner_right {{proved|unknown}}
K inner_right(Y) { int t = threadIdx.x; y[t] = 0; for (int i = 0; i < 3; i++) { for (int k = 0; k < t % 4; k++) y[t] = y[t] + 1; int v = y[BASE + (t + 4) % 32]; tc_assert(v == (i + 1) * (t % 4)); } }
// CHECK: kernel inner violated
K inner(Y) { int t = threadIdx.x; y[t] = 0; for (int i = 0; i < 3; i++) { for (int k = 0; k < t % 4; k++) y[t] = y[t] + 1; int v = y[BASE + (t + 4) % 32]; tc_assert(v != 9); } }

// Two groups go at their own pace, and so do two threads at one instruction.
// CHECK: kernel next_group violated
K next_group(Y) { int t = threadIdx.x, v = y[(t + 1) % 64]; y[t] = v; }
// CHECK: kernel one_instruction violated
K one_instruction(Y) { y[BASE + threadIdx.x % 32 / 2] = threadIdx.x; }
// CHECK: kernel one_instruction_in_two proved
K one_instruction_in_two(Y) { int t = threadIdx.x; if (t % 2) y[BASE + t % 32 / 2] = t; else y[BASE + t % 32 / 2] = t; }
// CHECK: kernel in_turns proved
K in_turns(Y) { int t = threadIdx.x; for (int i = 0; i < 32; i++) if (i == t % 32) y[BASE] = t; }
// What comes behind a barrier is in order for all.
// CHECK: kernel behind_barrier proved
K behind_barrier(Y) { int t = threadIdx.x, v = y[(t + 1) % 64]; __syncthreads(); y[t] = v; }
// CHECK: kernel two_blocks violated
tc_block(32) tc_grid(2) __global__ void two_blocks(tc_mut tc_shape(96) int *y) { int i = blockIdx.x * 32 + threadIdx.x; y[i] += y[i + 32]; }
// Copies that touch each other's bytes are in no order that is known.
// CHECK: kernel copies unknown
K copies(Y) { __builtin_memcpy(&y[threadIdx.x], &y[BASE + (threadIdx.x + 1) % 32], 4); }
// What one of a group hands on by a fence and a flag holds for what all of it did before.
// CHECK: kernel handed_on {{proved|unknown}}
K handed_on(Y) { __shared__ int s[32]; __shared__ int flag; int t = threadIdx.x; if (t == 0) flag = 0; __syncthreads(); if (t < 32) { s[t] = t; __threadfence(); if (t == 0) atomicExch(&flag, 1); } else { while (atomicAdd(&flag, 0) == 0) { } __threadfence(); y[t] = s[t - 32]; } }
