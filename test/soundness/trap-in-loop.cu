// An access before a trap, or before code that cannot be reached, is checked as any other.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel b_for {{violated|unknown}}
K b_for(Y, int n) { for (int i = 0; i < 100; i++) { if (n > 1000000) { y[n] = 1; __trap(); } y[0] = 1; } }
// CHECK: kernel b_forever {{violated|unknown}}
K b_forever(Y, int n) { y[0] = 1; for (int i = 0; ; i++) { if (n > 1000000) { y[n] = 1; __trap(); } } }
// CHECK: kernel b_nested {{violated|unknown}}
K b_nested(Y, int n) { y[0] = 1; for (int i = 0; i < n; i++) { for (int j = 0; ; j++) { if (j > 1000000) { y[n] = 1; __trap(); } if (j > i) break; } } }
// CHECK: kernel b_unreachable {{violated|unknown}}
K b_unreachable(Y, int n) { y[0] = 1; if (n < 1000000) return; for (int i = 0; ; i++) { if (i > n) { y[32] = 1; __builtin_unreachable(); } } }
// CHECK: kernel contradiction {{violated|unknown}}
K contradiction(Y, int n) { for (int i = 0; i < 100; i++) { if (i == n) { y[i] = 1; __trap(); } y[0] = 1; } }
// CHECK: kernel g_for proved
K g_for(Y, int n) { for (int i = 0; i < 100; i++) { if (n > 1000000) { y[n & 31] = 1; __trap(); } y[0] = 1; } }
