// Two read-only loads with a write and a barrier between them. LLVM makes them one load,
// and `after - before` becomes 0; on the device it is anything.
// RUN: %verdicts %s | FileCheck %s
// RUN: %exits 2 %tilecheck run %s --kernel broken 2>&1 | FileCheck %s --check-prefix=SEEN
#include <tilecheck.h>

// CHECK: kernel broken {{violated|unknown}}
tc_block(64) tc_grid(1)
__global__ void broken(tc_mut tc_shape(64) int *s, tc_mut tc_shape(64) int *out)
{
    const int t = threadIdx.x;
    const int before = __ldg(s + t);
    s[t] = 1000000;
    __syncthreads();
    // SEEN: two-read-only-loads.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC3003]
    const int after = __ldg(s + t);
    out[t + (after - before)] = 1;
}

// CHECK: kernel repaired proved
tc_block(64) tc_grid(1)
__global__ void repaired(tc_shared tc_shape(64) const int *s, tc_mut tc_shape(64) int *out)
{
    const int t = threadIdx.x;
    const int before = __ldg(s + t);
    __syncthreads();
    const int after = __ldg(s + t);
    out[t + (after - before)] = 1;
}
