// The shape of a variable may not say more than there is of it.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
__device__ tc_mut tc_shape(100) int g64[64];
__device__ tc_shared tc_shape(100) tc_range(0, 32) int r64[64];
__device__ tc_mut tc_shape(64) int ok64[64];
// CHECK: kernel b_write {{violated|unknown}}
K b_write(int n) { if (n > 1000000) g64[threadIdx.x + 60] = 1; }
// CHECK: kernel b_read {{violated|unknown}}
K b_read(Y, int n) { if (n > 1000000) y[r64[threadIdx.x + 60]] = 1; }
// CHECK: kernel contradiction {{violated|unknown}}
K contradiction() { g64[threadIdx.x + 60] = 1; }
// CHECK: kernel g_write proved
K g_write(int n) { if (n > 1000000) ok64[threadIdx.x + 32] = 1; }
