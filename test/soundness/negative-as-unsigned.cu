// A negative value that is read as unsigned and reaches an address.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel bad_mod {{violated|unknown}}
K bad_mod(Y, int n) { if (n < -1000000) y[(unsigned)n % 3u] = 1; }
// CHECK: kernel bad_widened {{violated|unknown}}
K bad_widened(Y, int n) { int v = (n & 7) - 8; if (n > 1000000) { unsigned long long k = (unsigned)v; y[k >> 27] = 1; } }
// CHECK: kernel contradiction {{violated|unknown}}
K contradiction(Y, int n, tc_shared tc_shape(8) tc_range(0, 8) const int *x) { int v = -4 - x[n & 7]; y[(unsigned)v % 3u] = 1; }

// Where a loop's variable starts with it.
// CHECK: kernel starts_so violated
K starts_so(Y, int b) { unsigned v = b; for (int i = 0; i < 16; i++) v = v / 2; if (v == 0) y[5] = 2; }
// CHECK: kernel starts_wide violated
K starts_wide(Y, int b) { unsigned long long v = b; for (int i = 0; i < 16; i++) v >>= 1; if (v == 0) y[5] = 2; }
// CHECK: kernel ends_on_another {{violated|unknown}}
K ends_on_another(Y, int b) { unsigned long long v = b; for (int k = b; k > 0; k /= 3) v /= 2; if (v == 0) y[5] = 2; }
// CHECK: kernel starts_with_a_size proved
K starts_with_a_size(Y, int b) { if (b < 0) return; unsigned long long v = b; for (int i = 0; i < 16; i++) v >>= 1; if (v == 0) y[5] = 2; }
// CHECK: kernel compared proved
K compared(Y, int b) { if (b < 0) return; unsigned v = b; while (v > 31) v = v / 2; y[v] = 2; }
