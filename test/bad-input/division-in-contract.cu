// Divisions by zero and shifts out of range in the contract itself.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: division-in-contract.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}zero{{.*}}[TC9001]
__global__ void constant(tc_mut tc_shape(n / 0) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: division-in-contract.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}zero{{.*}}[TC9001]
__global__ void remainder(tc_mut tc_shape(n % (4 - 4)) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: division-in-contract.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}zero{{.*}}[TC9001]
__global__ void ceiling(tc_mut tc_shape(tc_cdiv(n, 0)) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: division-in-contract.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}shift{{.*}}[TC9001]
__global__ void negative_shift(tc_mut tc_shape(n << -1) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: division-in-contract.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void endless_shift(tc_mut tc_shape(1 << 1000000000) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
