// Words that stand where no contract is.
// RUN: %clang --cuda-device-only %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: strays.cu:[[@LINE+1]]:{{[0-9]+}}: warning: 'helper' is not a kernel{{.*}}[TC9001]
__device__ float helper(tc_shared const float *p) { return p[0]; }

tc_block(32) tc_grid(1)
__global__ void copy(tc_shared tc_shape(32) const float *in, tc_mut tc_shape(32) float *out)
{
    // CHECK: strays.cu:[[@LINE+1]]:{{[0-9]+}}: warning: 'value' is not a kernel{{.*}}[TC9001]
    tc_range(0, 32) float value = in[threadIdx.x];
    out[threadIdx.x] = value;
}

// CHECK: strays.cu:[[@LINE+1]]:{{[0-9]+}}: warning: 'host' is not a kernel{{.*}}[TC9001]
tc_requires(n > 0) void host(int n) { (void)n; }

template <class T> tc_block(32) tc_grid(1)
__global__ void through(tc_shared tc_shape(32) const T *in, tc_mut tc_shape(32) T *out)
{
    // One place, told once for all instantiations.
    // CHECK: strays.cu:[[@LINE+2]]:{{[0-9]+}}: warning: 'tile' is a block's own memory{{.*}}[TC9001]
    // CHECK-NOT: 'tile'
    __shared__ tc_shape(32) T tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[threadIdx.x];
}
template __global__ void through<int>(const int *, int *);
template __global__ void through<float>(const float *, float *);

union Either {
    // CHECK: strays.cu:[[@LINE+1]]:{{[0-9]+}}: warning: 'p' is a member of a union{{.*}}[TC9001]
    tc_shared float *p;
    unsigned long long bits;
};

// CHECK: tilecheck: 3 kernels
