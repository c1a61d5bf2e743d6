// Threads of one group go in lock-step: what is written at one instruction is there at the next. Not for others, nor for one instruction.
// RUN: %verdicts %s --lockstep=32 --rules=TC3001 | FileCheck %s
// RUN: %verdicts %s --lockstep=16 --rules=TC3001 | FileCheck --check-prefix=HALF %s
// RUN: %verdicts %s --rules=TC3001 | FileCheck --check-prefix=STRICT %s
#include <tilecheck.h>
#define K tc_block(128) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(160) int *y

// CHECK: kernel rotate proved
// HALF: kernel rotate violated
// STRICT: kernel rotate violated
K rotate(Y) { int t = threadIdx.x, v = y[t / 32 * 32 + (t + 1) % 32]; y[t] = v; }
// CHECK: kernel scan proved
// STRICT: kernel scan violated
K scan(Y) { int t = threadIdx.x; for (int d = 1; d < 32; d *= 2) if (t % 32 >= d) y[t] += y[t - d]; }

// CHECK: kernel bad_next_warp violated
K bad_next_warp(Y) { int t = threadIdx.x, v = y[t + 1]; y[t] = v; }
// CHECK: kernel bad_one_instruction violated
K bad_one_instruction(Y) { int t = threadIdx.x; y[t / 2] = t; }
// CHECK: kernel bad_by_rows violated
tc_block(8, 16) tc_grid(1) __global__ void bad_by_rows(Y) { int t = threadIdx.x * 16 + threadIdx.y, v = y[t / 32 * 32 + (t + 1) % 32]; y[t] = v; }
// CHECK: kernel bad_copy unknown
K bad_copy(Y) { int t = threadIdx.x; __builtin_memcpy(&y[t], &y[t / 32 * 32 + (t + 1) % 32], 4); }
