// What is known of a loop's counter after the loop says nothing where the loop was not reached.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(4) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel b_geometric {{violated|unknown}}
K b_geometric(Y, int n) { for (int i = 1; i < 19; i *= 2) for (int j = 0; j < 8; j++) { if (i > 3 && j == n) return; } if (n > 1000000) y[32] = 1; }
// CHECK: kernel b_affine {{violated|unknown}}
K b_affine(Y, int n, int m) { for (int i = 0; i < m; i++) { if (i > 3) { for (int j = 0; j < 8; j++) { if (i < 10 && j == n) return; } } } if (n > 1000000 && m < 3) y[32] = 1; }
// CHECK: kernel b_dowhile {{violated|unknown}}
K b_dowhile(tc_mut tc_shape(32769) float *y, short b) { int t = threadIdx.x;
  for (int i = 1; i < 19; i = i * 2 + 1) { int j = t; do { if (i < 17) y[i] = 1; if (i >= 5 && j < b) return; j++; } while (j < 8); }
  y[~b + 2] = 1; }
__device__ int find(int p, int n) { for (int j = 0; j < 8; j++) { if (p > 3 && j == n) return j; } return -1; }
// CHECK: kernel vanishes {{violated|unknown}}
K vanishes(Y, int n, int m) { int r = -1; if (m > 1) r = find(m, n); if (r >= 0) return; if (n > 1000000 && m < 0) y[32] = 1; }
// CHECK: kernel g_geometric proved
K g_geometric(Y, int n) { for (int i = 1; i < 19; i *= 2) for (int j = 0; j < 8; j++) { if (i > 3 && j == n) return; } if (n > 1000000) y[31] = 1; }
// The last value of a counter that never was one: b - a turns, with a > b.
// CHECK: kernel counter_of_unreached {{violated|unknown}}
K counter_of_unreached(Y, int a, int b) { int i = a; if (a < b) for (i = a; i < b; i++) if (i < 32 && i >= 0) y[i] = 1;
  if (a > 1000000 && b < 1000000 && b > 0) y[i == a ? 32 : 0] = 1; }
