// Two writes of one value are a race unless asked otherwise; and then only where place, width and value are shown to be equal.
// RUN: %verdicts %s --same-value --rules=TC1001,TC1002 | FileCheck %s
// RUN: %verdicts %s --rules=TC1001,TC1002 | FileCheck --check-prefix=STRICT %s
#include <tilecheck.h>
#define K tc_block(32) tc_grid(4) __global__ void
#define Y tc_mut tc_shape(64) int *y

// STRICT-NOT: proved
// CHECK: kernel constant proved
K constant(Y) { y[0] = 7; }
// CHECK: kernel computed proved
K computed(Y, short n) { y[threadIdx.x] = threadIdx.x * 3 + n; }
// CHECK: kernel of_float proved
K of_float(tc_mut tc_shape(64) float *y) { y[threadIdx.x] = 0.5f; }
// CHECK: kernel of_double proved
K of_double(tc_mut tc_shape(64) double *y) { y[threadIdx.x] = -0.1; }
// CHECK: kernel contents proved
K contents(Y, tc_shared tc_shape(64) const int *x) { y[threadIdx.x] = x[threadIdx.x]; }

// CHECK: kernel of_block violated
K of_block(Y) { y[0] = blockIdx.x; }
// CHECK: kernel two_values violated
K two_values(Y) { y[0] = blockIdx.x == 0 ? 1 : 2; }
// CHECK: kernel two_floats violated
K two_floats(tc_mut tc_shape(64) float *y) { y[0] = blockIdx.x == 0 ? 0.5f : 0.25f; }
// CHECK: kernel sign_of_zero {{violated|unknown}}
K sign_of_zero(tc_mut tc_shape(64) float *y) { if (blockIdx.x == 0) y[0] = 0.0f; else y[0] = -0.0f; }
// CHECK: kernel other_places {{violated|unknown}}
K other_places(Y) { *(short *)((char *)y + blockIdx.x) = 0x0102; }
// CHECK: kernel other_widths {{violated|unknown}}
K other_widths(Y) { if (blockIdx.x == 0) y[0] = 0x10002; else *(char *)y = 3; }
// CHECK: kernel of_two_arrays {{violated|unknown}}
K of_two_arrays(Y, tc_shared tc_shape(64) const int *x, tc_shared tc_shape(64) const int *z) { y[0] = blockIdx.x == 0 ? x[0] : z[0]; }
// CHECK: kernel of_two_places {{violated|unknown}}
K of_two_places(Y, tc_shared tc_shape(64) const int *x) { y[0] = x[blockIdx.x]; }
// CHECK: kernel never_written {{violated|unknown}}
K never_written(Y) { int v; y[0] = v; }
// CHECK: kernel read_back {{violated|unknown}}
K read_back(Y, tc_mut tc_shape(4) int *z) { if (blockIdx.x == 0) y[0] = 7; else z[blockIdx.x] = y[0]; }
// CHECK: kernel beside_atomic {{violated|unknown}}
K beside_atomic(Y) { if (blockIdx.x == 0) y[0] = 0; else atomicAdd(&y[0], 0); }
// Behind a copy no value is looked at.
// CHECK: kernel copied {{violated|unknown}}
K copied(Y, tc_shared tc_shape(64) const int *x) { __builtin_memcpy(y, x + blockIdx.x, 8); }
