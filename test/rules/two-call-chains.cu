// Of a race between two calls of one helper both calls are told; of one inside a single call that call, once.
// RUN: not %tilecheck %s 2>&1 | FileCheck %s
// RUN: not %tilecheck run %s --kernel=used_again 2>&1 | FileCheck %s --check-prefix=RUN-CHECK
#include <tilecheck.h>

__device__ float sum32(float v)
{
    __shared__ float s[32];
    s[threadIdx.x] = v;
    __syncthreads();
    float r = 0;
    for (int i = 0; i < 32; i++)
        r += s[i];
    return r;
}

tc_block(32) tc_grid(1)
__global__ void used_again(tc_mut tc_shape(32) float *y)
{
    float v = y[threadIdx.x];
    float a = sum32(v);
    float b = sum32(a + 1);
    y[threadIdx.x] = b;
}
// CHECK: error: {{.*}}[TC3001]
// CHECK: :[[#@LINE-5]]:{{[0-9]+}}: note: called from here
// CHECK: note: the other access is here
// CHECK: :[[#@LINE-6]]:{{[0-9]+}}: note: called from here
// CHECK: note: with gridDim
// CHECK-NOT: called from here
// CHECK: error: {{.*}}[TC3001]
// RUN-CHECK: error: {{.*}}[TC3001]
// RUN-CHECK: :[[#@LINE-12]]:{{[0-9]+}}: note: called from here
// RUN-CHECK: note: the other one is here
// RUN-CHECK: :[[#@LINE-13]]:{{[0-9]+}}: note: called from here
// RUN-CHECK: note: with grid

__device__ float from_next(float v)
{
    __shared__ float s[33];
    s[threadIdx.x] = v;
    return s[threadIdx.x + 1];
}

tc_block(32) tc_grid(1)
__global__ void used_once(tc_mut tc_shape(32) float *y)
{
    y[threadIdx.x] = from_next(y[threadIdx.x]);
}
// CHECK: note: the other access is here
// CHECK-NOT: called from here
// CHECK: note: with gridDim
// CHECK: :[[#@LINE-5]]:{{[0-9]+}}: note: called from here
// CHECK-NOT: called from here
