// What the check of the kernel has inferred is asked of its launches: by the command, which runs two compilations, and in one compile.
// RUN: %exits 2 %tilecheck --standin --report=%t.json %s 2>&1 | FileCheck %s
// RUN: not %clang %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck --standin --device-only %s 2>&1 | FileCheck %s --check-prefix=ALONE
// Also where the contracts go to a file of the user's; and where the kernel was not checked, that is an assumption.
// RUN: %exits 2 %tilecheck --standin --contracts=%t.c %s 2>&1 | FileCheck %s
// RUN: rm -f %t.host.json && %clang --cuda-host-only -fplugin-arg-tilecheck-report=%t.host.json %s 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: FileCheck %s --check-prefix=ASSUMED < %t.host.json
// HOST: tilecheck: 4 launches: 4 proved
// ASSUMED: "assumptions": [{"text": "the kernel needs no more than its contract says"
// RUN: not grep "the kernel needs no more" %t.json
// ALONE: tilecheck: 1 kernel: 1 proved-if
// ALONE-NOT: launch
// CHECK: tilecheck: 1 kernel: 1 proved-if
// CHECK: inferred.cu:[[@LINE+24]]:{{.*}}error: a launch breaks a precondition: 'scale' needs gridDim.y == 1, and is launched with gridDim.y = 2 [TC4001]
// CHECK: inferred.cu:[[@LINE+30]]:{{.*}}error: a launch breaks a precondition: 'scale' needs gridDim.z == 1 [TC4001]
// CHECK-NOT: error:
// CHECK: tilecheck: 4 launches: 1 proved, 2 violated, 1 left to the run time
#include <tilecheck.h>

tc_block(256) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void scale(tc_mut tc_shape(n) float *m, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (blockIdx.x < 4096 && i < n)
        m[i] *= 2;
}

void good()
{
    float *m;
    cudaMalloc(&m, 1000 * sizeof(float));
    scale<<<4, 256>>>(m, 1000);
}
void b_two_rows_of_blocks()
{
    float *m;
    cudaMalloc(&m, 1000 * sizeof(float));
    scale<<<dim3(4, 2), 256>>>(m, 1000);
}
void b_layers(unsigned layers)
{
    float *m;
    cudaMalloc(&m, 1000 * sizeof(float));
    if (layers > 1 && layers < 10)
        scale<<<dim3(4, 1, layers), 256>>>(m, 1000);
}
void of_any(unsigned layers)
{
    float *m;
    cudaMalloc(&m, 1000 * sizeof(float));
    if (layers > 0 && layers < 10)
        scale<<<dim3(4, 1, layers), 256>>>(m, 1000);
}
