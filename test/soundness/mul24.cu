// __mul24 multiplies the low 24 bits of its arguments, with or without their sign, and gives the low 32 bits of the product.
// RUN: %verdicts %s --rules=TC2001 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(256) tc_grid(4096) __global__ void
#define Y tc_mut tc_shape(1 << 20) int *y

// CHECK: kernel index proved
K index(Y) { y[__mul24(blockIdx.x, blockDim.x) + threadIdx.x] = 1; }
// CHECK: kernel unsigned_index proved
K unsigned_index(Y) { y[__umul24(blockIdx.x, blockDim.x) + threadIdx.x] = 1; }
// CHECK: kernel high_bits_do_not_count proved
K high_bits_do_not_count(Y, int n) { if (n >= 0 && n < 16) y[__umul24(n + (5 << 24), 3)] = 1; }
// CHECK: kernel too_far {{violated|unknown}}
K too_far(Y) { y[__mul24(blockIdx.x, blockDim.x) + threadIdx.x + 1] = 1; }
// CHECK: kernel sign_of_24_bits {{violated|unknown}}
K sign_of_24_bits(Y, int n) { if (n >= 0 && n < (1 << 24)) y[__mul24(n, 1) >> 4] = 1; }
// CHECK: kernel no_sign_of_24_bits proved
K no_sign_of_24_bits(Y, int n) { if (n >= 0 && n < (1 << 24)) y[__umul24(n, 1) >> 4] = 1; }
// CHECK: kernel wraps {{violated|unknown}}
K wraps(Y, int n) { if (n >= 0 && n < (1 << 23)) { int i = __mul24(n, n); if (i < 1 << 20) y[i] = 1; } }
