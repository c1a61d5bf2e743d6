// A file without a kernel, and one whose kernels have no attribute: both say so.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

__device__ float twice(float x) { return 2.0f * x; }

__global__ void unannotated(float *out)
{
    out[threadIdx.x] = twice(out[threadIdx.x]);
}

// CHECK: no kernel checked
