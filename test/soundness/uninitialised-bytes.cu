// Bytes of a variable that was written in part.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
union U { int i; short s[2]; };
// CHECK: kernel bad_half {{violated|unknown}}
K bad_half(Y, int n) { U u; u.s[0] = 1; if (n > 1000000) y[u.i & 31] = 1; }
// CHECK: kernel bad_covered {{violated|unknown}}
K bad_covered(Y, int n, int c) { U u; if (c) { u.i = 0; u.s[0] = n; } if (n > 1000000) y[u.i & 31] = 1; }
// CHECK: kernel bad_rest {{violated|unknown}}
K bad_rest(Y, int n, int c) { U u; if (c) u.i = 5; u.s[0] = 1; if (n > 1000000) y[u.s[1] & 31] = 1; }
// CHECK: kernel good_both proved
K good_both(Y, int n) { U u; u.s[0] = 1; u.s[1] = 0; if (n > 1000000) y[u.i & 31] = 1; }
// CHECK: kernel bad_high_word {{violated|unknown}}
K bad_high_word(Y, int n) { long long k; *(int *)&k = 3; if (n > 1000000) y[(k >> 32) & 31] = 1; }
// CHECK: kernel bad_second_byte {{violated|unknown}}
K bad_second_byte(Y, int n) { unsigned char b[4]; b[0] = 1; b[2] = 3; unsigned short h = *(unsigned short *)b; if (n > 1000000) y[h & 31] = 1; }
