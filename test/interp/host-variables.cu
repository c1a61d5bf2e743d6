// What variables of the device hold at launch: as the source says, or with --host-variables anything.
// RUN: %verdicts %s --rules=TC3001,TC9002 | FileCheck %s --check-prefix=SOURCE
// RUN: %verdicts %s --rules=TC3001,TC9002 --host-variables | FileCheck %s
// RUN: %exits 2 %tilecheck %s --rules=TC3001,TC9002 --host-variables 2>&1 | FileCheck %s --check-prefix=TOLD
#include <tilecheck.h>
#define K tc_block(8) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(8) float *y
__constant__ int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__device__ float scale = 2.0f;
const __constant__ int fixed[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// SOURCE: kernel of_table unknown
// CHECK: kernel of_table violated
// TOLD: note: with gridDim = (1,1,1), blockDim = (8,1,1), variables of the device as the host may set them
K of_table(Y) { if (table[threadIdx.x] != (int)threadIdx.x) y[0] = threadIdx.x; }
// SOURCE: kernel of_float unknown
// CHECK: kernel of_float violated
K of_float(Y) { tc_assert(scale == 2.0f); y[threadIdx.x] = scale; }
// SOURCE: kernel of_code proved
// CHECK: kernel of_code proved
K of_code(Y) { if (fixed[threadIdx.x] != (int)threadIdx.x) y[0] = threadIdx.x; else y[threadIdx.x] = 0; }
