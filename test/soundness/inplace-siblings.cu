// Two parameters in place of one buffer may be one another.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
// CHECK: kernel bad_blocks {{violated|unknown}}
tc_block(32) tc_grid(tc_cdiv(n, 32)) tc_requires(n > 1000000) __global__ void bad_blocks(tc_mut tc_shape(n) tc_tile(32) int *a,
    tc_mut tc_shape(n) tc_tile(32) tc_inplace(a) int *b,
    tc_mut tc_shape(n) tc_tile(32) tc_at(gridDim.x - 1 - blockIdx.x) tc_inplace(a) int *c, int n)
{ int i = blockIdx.x * 32 + threadIdx.x; int j = (gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x; if (i < n) b[i] = 1; if (j < n) c[j] = 2; }
// CHECK: kernel bad_guard {{violated|unknown}}
tc_block(32) tc_grid(1) tc_requires(n > 1000000) __global__ void bad_guard(tc_mut tc_shape(n) int *a, tc_mut tc_shape(n) tc_inplace(a) int *b,
    tc_mut tc_shape(n) tc_inplace(a) int *c, tc_mut tc_shape(32) float *y, int n)
{ int v = b[0]; if (v < 0 || v >= 32) return; c[0] = 77; y[b[0]] = 1; }
