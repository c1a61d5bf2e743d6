// A buffer of which nothing is said is as large as it has to be: races in it are seen in runs, its end is not.
// RUN: %verdicts %s --all --block=32 --grid=2 --rules=TC1001,TC1002,TC3001 | FileCheck %s
// RUN: %verdicts %s --all --block=32 --grid=2 | FileCheck --check-prefix=BOUNDS %s
// RUN: %verdicts %s --all --block=32 --grid=2 --in-bounds | FileCheck --check-prefix=INSIDE %s
#include <tilecheck.h>
struct view { float *p; int n; };
#define T (threadIdx.x + blockIdx.x * blockDim.x)

// CHECK: kernel apart assumed
// BOUNDS: kernel apart unknown
// INSIDE: kernel apart assumed
// INSIDE: assumption {{.*}} accesses to 'y' are in bounds
__global__ void apart(float *y, const float *x) { y[T] = x[T]; }
// CHECK: kernel one_place violated
__global__ void one_place(float *y) { y[0] = T; }
// CHECK: kernel neighbour violated
__global__ void neighbour(float *y) { y[T] = y[T + 1]; }
// CHECK: kernel in_struct violated
__global__ void in_struct(view v) { v.p[T / 2] = v.n; }
// CHECK: kernel far_out violated
__global__ void far_out(float *y, const float *x) { y[1000000000 + T / 2] = x[T]; }
// No run says where it ends, in front or behind.
// BOUNDS: kernel in_front unknown
__global__ void in_front(float *y) { y[(int)T - 1000] = 1; }
// BOUNDS: kernel behind unknown
__global__ void behind(float *y) { y[(size_t)T << 40] = 1; }
// Taken for inside, but not for there.
// INSIDE: kernel perhaps_null {{violated|unknown}}
__global__ void perhaps_null(tc_mut tc_optional float *y) { y[T] = 1; }
// A shape that there is counts.
// INSIDE: kernel past_its_shape violated
__global__ void past_its_shape(tc_mut tc_shape(64) float *y) { y[T + 1] = 1; }
// INSIDE: kernel past_its_array violated
__global__ void past_its_array(float *y) { __shared__ float s[32]; s[threadIdx.x + 1] = 1; y[T] = 1; }
