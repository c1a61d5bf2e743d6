// Faults that the compiler's own passes delete; a run of what they leave would show nothing.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=6 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(2) tc_grid(1)
__global__ void undefined_index(tc_mut tc_shape(4) int *out, tc_shared tc_shape(2) tc_range(0, 1) const int *flag, int n)
{
    int i;
    if (flag[threadIdx.x])
        i = 0;
    // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2005]
    out[i] = 1;
}

tc_block(1) tc_grid(1)
__global__ void division_becomes_a_guard(tc_mut tc_shape(4) int *out, int n)
{
    int z = 0;
    if (n > 5)
        // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2004]
        out[1000000 + n / z] = 1;
    out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void table_read_becomes_a_guard(tc_mut tc_shape(4) int *out, int n)
{
    const int t2[4] = {1, 2, 3, 4};
    if (n > 3)
        // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2001]
        out[t2[7] + 100000000] = 1;
    out[0] = 1;
}

tc_block(8) tc_grid(1)
__global__ void null_store_becomes_a_guard(tc_mut tc_shape(n) int *out, int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}null pointer{{.*}}[TC2001]
        *(int *)nullptr = 1;
    // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2001]
    out[i] = 1;
}

tc_block(8) tc_grid(1)
__global__ void assumption_becomes_a_guard(tc_mut tc_shape(n) int *out, int n)
{
    const int i = threadIdx.x;
    __builtin_assume(i < n);
    // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2001]
    out[i] = 1;
}

tc_block(1) tc_grid(1)
__global__ void overflow_deletes_the_check(tc_mut tc_shape(4) int *out, int n)
{
    // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2002]
    const int i = 2147483640 + n + 4;
    if (i < 2147483640)
        return;
    out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void dead_load(tc_shared tc_shape(4) const float *p, tc_mut tc_shape(4) int *out, int n)
{
    if (n == 6) {
        // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC2001]
        float u = p[1000000000];
        (void)u;
    }
    out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void two_cached_loads(tc_mut tc_shape(4) int *s, int n)
{
    // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC3003]
    const int a = __ldg(s);
    s[0] = a + 1;
    __syncthreads();
    // CHECK-DAG: deleted.cu:[[@LINE+1]]:{{.*}}[TC3003]
    s[1] = __ldg(s);
}
