// An array of bytes that are all different has at most 256 of them: no launch with more is a counterexample.
// RUN: %exits 0,2 %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel many {{(unknown|proved)}}
tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void many(tc_shared tc_shape(n) tc_injective const unsigned char *x, tc_mut tc_shape(256) int *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}

// With two bytes there may be more.
// CHECK: kernel wider violated
tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void wider(tc_shared tc_shape(n) tc_injective const short *x, tc_mut tc_shape(256) int *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}
