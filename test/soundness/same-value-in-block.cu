// Two writes of one value by threads of a block, where they are let be: place, width and value are to be equal.
// RUN: %verdicts %s --same-value --rules=TC3001 | FileCheck %s
// RUN: %verdicts %s --rules=TC3001 | FileCheck --check-prefix=STRICT %s
#include <tilecheck.h>
#define K tc_block(64) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(64) int *y

// STRICT-NOT: proved
// CHECK: kernel constant proved
K constant(Y) { y[0] = 7; }
// CHECK: kernel flag proved
K flag(Y, tc_shared tc_shape(64) const int *x) { if (x[threadIdx.x] > 3) y[0] = 1; }
// CHECK: kernel contents proved
K contents(Y, tc_shared tc_shape(64) const int *x) { y[threadIdx.x / 2] = x[threadIdx.x / 2]; }
// CHECK: kernel in_shared proved
K in_shared(Y) { __shared__ float s; s = 0.5f; __syncthreads(); y[threadIdx.x] = s > 0 ? 1 : 2; }

// CHECK: kernel of_thread violated
K of_thread(Y) { y[0] = threadIdx.x; }
// CHECK: kernel in_turns {{violated|unknown}}
K in_turns(Y) { for (int i = 0; i < 4; i++) y[0] = i; }
// CHECK: kernel two_loads {{violated|unknown}}
K two_loads(Y, tc_shared tc_shape(64) const int *x) { y[threadIdx.x / 2] = x[threadIdx.x]; }
// CHECK: kernel read_too {{violated|unknown}}
K read_too(Y) { int v = y[0]; y[0] = 7; y[threadIdx.x / 64 + 1] = v; }
// CHECK: kernel other_places {{violated|unknown}}
K other_places(Y) { *(short *)((char *)y + threadIdx.x) = 0x0102; }
