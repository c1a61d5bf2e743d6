// Runs of a few threads of a large launch: what another thread might have written is not known, also where it was stored and read again.
// RUN: %verdicts %s --rules=TC9002 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(64) tc_grid(1) __global__ void
#define A tc_mut tc_shape(64) int *y, tc_mut tc_shape(64) int *z

// CHECK: kernel stored {{proved|unknown}}
K stored(A) { int t = threadIdx.x; y[t] = t; __syncthreads(); z[t] = y[(t + 1) % 64]; tc_assert(z[t] == (t + 1) % 64); }
// CHECK: kernel copied {{proved|unknown}}
K copied(A) { int t = threadIdx.x; y[t] = t; __syncthreads(); int v[2]; __builtin_memcpy(v, y + (t & 62), 8); __builtin_memcpy(z + t, v + 1, 4); tc_assert(z[t] == (t | 1)); }
// CHECK: kernel in_shared {{proved|unknown}}
K in_shared(A) { __shared__ int s[64]; int t = threadIdx.x; y[t] = t; __syncthreads(); s[t] = y[(t + 1) % 64]; __syncthreads(); tc_assert(s[(t + 1) % 64] == (t + 2) % 64); z[t] = 0; }
// CHECK: kernel wrong violated
K wrong(A) { int t = threadIdx.x; y[t] = t; __syncthreads(); z[t] = y[(t + 1) % 64]; tc_assert(z[t] == t + 1); }
