// TC2003: dynamic shared memory is aligned as its declarations say and no more, and the message says what to declare;
// an offset that is wrong wherever the memory begins is a fault.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

#define KERNEL tc_block(128) tc_grid(1) tc_smem(129 * sizeof(float)) __global__ void
#define OUT tc_mut tc_shape(128) float *y

// VERDICT: kernel bytes unknown
KERNEL bytes(OUT)
{
    extern __shared__ char raw[];
    float *f = (float *)raw;
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}TC2003: 'raw' is aligned to 1 byte, the access needs 4: declare it __align__(4)
    f[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = f[127 - threadIdx.x];
}

// VERDICT: kernel aligned_bytes proved
KERNEL aligned_bytes(OUT)
{
    extern __shared__ __align__(16) char aligned[];
    float *f = (float *)aligned;
    f[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = f[127 - threadIdx.x];
}

// VERDICT: kernel odd_bytes violated
KERNEL odd_bytes(OUT)
{
    extern __shared__ char raw[];
    float *f = (float *)(raw + 1);
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: {{.*}}4 bytes at byte 1 of 'raw'{{.*}}[TC2003]
    f[threadIdx.x] = 1;
    y[threadIdx.x] = 1;
}
