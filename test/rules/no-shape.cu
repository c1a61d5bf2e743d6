// A buffer of which nothing is said is as large as it has to be: races in it are seen in runs, its end is not.
// RUN: %verdicts %s --all --block=32 --grid=2 --rules=TC1001,TC1002,TC3001 | FileCheck %s
// RUN: %verdicts %s --all --block=32 --grid=2 | FileCheck --check-prefix=BOUNDS %s
struct view { float *p; int n; };
#define T (threadIdx.x + blockIdx.x * blockDim.x)

// CHECK: kernel apart assumed
// BOUNDS: kernel apart unknown
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
