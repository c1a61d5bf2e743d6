// unknown=… says how an unknown is shown; what is violated is an error always.
// RUN: %clang --cuda-device-only %s 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: %clang --cuda-device-only -fplugin-arg-tilecheck-unknown=warning %s 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: not %clang --cuda-device-only -fplugin-arg-tilecheck-unknown=error %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %clang --cuda-device-only -fplugin-arg-tilecheck-unknown=ignore %s 2>&1 | FileCheck %s --check-prefix=IGNORE
// RUN: not %clang --cuda-device-only -fplugin-arg-tilecheck-unknown=ignore -w -DBROKEN %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// WARNING: unknown-severity.cu:[[@LINE+12]]:{{[0-9]+}}: warning: {{.*}}[TC9002]
// WARNING: tilecheck: 1 kernel{{.*}} 1 unknown
// ERROR: unknown-severity.cu:[[@LINE+10]]:{{[0-9]+}}: error: {{.*}}[TC9002]
// IGNORE-NOT: TC9002
// IGNORE: tilecheck: 1 kernel{{.*}} 1 unknown
// BROKEN: unknown-severity.cu:[[@LINE+13]]:{{[0-9]+}}: error: {{.*}}[TC2001]
#include <tilecheck.h>

tc_block(32) tc_grid(1)
__global__ void opaque(tc_mut tc_shape(32) float *out)
{
    // Nobody knows what this may touch.
    asm volatile("an.instruction.of.tomorrow;" ::: "memory");
    out[threadIdx.x] = 0.0f;
}

#ifdef BROKEN
tc_block(32) tc_grid(1)
__global__ void broken(tc_mut tc_shape(32) float *out) { out[threadIdx.x + 1] = 0.0f; }
#endif
