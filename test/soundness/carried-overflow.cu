// An overflow that reaches an address or a trip count through a variable of a loop that has no closed form.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(4) tc_grid(1) tc_requires(n >= 4) __global__ void

// CHECK: kernel trip_count {{violated|unknown}}
K trip_count(tc_mut tc_shape(n) float *z, int n, int a, int rare) {
    if (rare != 1000002) return;
    int l = a + a;
    while (l >= 1) { l /= 2; z[threadIdx.x] = 1; }
}
// CHECK: kernel address {{violated|unknown}}
K address(tc_mut tc_shape(n) float *z, int n, int a, int rare) {
    if (rare != 1000002) return;
    int l = a + a, v = 0;
    while (v < 10) { l /= 2; v++; }
    z[l & 3] = 1;
}
// CHECK: kernel step {{violated|unknown}}
K step(tc_mut tc_shape(n) float *z, int n, int a, int rare) {
    if (rare != 1000002) return;
    int l = a;
    while (l < 100) { l = l * 3; z[threadIdx.x] = 1; }
}
// CHECK: kernel small proved
K small(tc_mut tc_shape(n) float *z, int n, short a, int rare) {
    if (rare != 1000002) return;
    int l = a + a;
    while (l >= 1) { l /= 2; z[threadIdx.x] = 1; }
}
