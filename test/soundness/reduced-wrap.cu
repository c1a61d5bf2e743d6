// An operation that does not wrap has its own value, not a congruent one.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel b_u16 {{violated|unknown}}
K b_u16(Y, unsigned short n) { if (n > 1000 && n < 2000) { unsigned short k = n + 60000; if (k > 5) y[32] = 1; } }
// CHECK: kernel b_u8 {{violated|unknown}}
K b_u8(Y, unsigned char n) { unsigned char k = n * 200; if (n == 1) y[k > 5 ? 32 : 0] = 1; }
// CHECK: kernel b_two {{violated|unknown}}
K b_two(Y, unsigned short n, unsigned short m) {
    if (n > 1000 && n < 2000 && m < 1000) {
        unsigned short k = n + m + 50000;
        for (int i = 0; i < k; i++)
            if (i > 40000) y[32] = 1;
    }
}
// CHECK: kernel b_64_to_32 {{violated|unknown}}
K b_64_to_32(Y, long long b) { if (b > 1000000 && b < 1000002) { unsigned k = (unsigned)(b + 3000000000LL); if (k > 20000000u) y[32] = 1; } }
// CHECK: kernel g_u16 proved
K g_u16(Y, unsigned short n) { if (n > 1000 && n < 2000) { unsigned short k = n + 60000; if (k > 5) y[31] = 1; } }
