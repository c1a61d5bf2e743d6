// Values that were never written, where an address or a guard depends on them.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=1 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(2) tc_grid(1)
__global__ void index(tc_mut tc_shape(8) int *out, int n)
{
    int i;
    if (threadIdx.x == 0)
        i = 3;
    // CHECK-DAG: uninit.cu:[[@LINE+1]]:{{.*}}[TC2005]
    out[i] = n;
}

tc_block(2) tc_grid(1)
__global__ void guard(tc_mut tc_shape(8) int *out, int n)
{
    bool go;
    if (threadIdx.x == 0)
        go = n > 0;
    // CHECK-DAG: uninit.cu:[[@LINE+1]]:{{.*}}[TC2005]
    if (go)
        out[threadIdx.x] = n;
}

tc_block(2) tc_grid(1)
__global__ void only_data(tc_mut tc_shape(8) int *out, int n)
{
    int v;
    if (threadIdx.x == 0)
        v = n;
    out[threadIdx.x] = v;
}

tc_block(2) tc_grid(1)
__global__ void same_condition(tc_mut tc_shape(8) int *out, int n)
{
    int i;
    if (threadIdx.x == 0)
        i = n;
    if (threadIdx.x == 0)
        out[i] = n;
}

tc_block(1) tc_grid(1)
__global__ void array(tc_mut tc_shape(8) int *out, int n)
{
    int order[4];
    for (int k = n; k < 4; ++k)
        order[k] = k;
    // CHECK-DAG: uninit.cu:[[@LINE+1]]:{{.*}}[TC2005]
    out[order[0]] = order[1];
}

tc_block(1) tc_grid(1)
__global__ void again_in_a_loop(tc_mut tc_shape(8) int *out, int n)
{
    for (int k = 0; k < 2; ++k) {
        int i;
        if (k == 0)
            i = 1;
        // CHECK-DAG: uninit.cu:[[@LINE+1]]:{{.*}}[TC2005]
        out[i] = n;
    }
}

tc_block(1) tc_grid(1)
__global__ void chosen_by_it(tc_mut tc_shape(8) int *out, int n)
{
    int flag;
    if (n == 2)
        flag = 1;
    int i = 2;
    if (flag)
        i = 3;
    // CHECK-DAG: uninit.cu:[[@LINE+1]]:{{.*}}[TC2005]
    out[i] = n;
}

tc_block(2) tc_grid(1)
__global__ void shared_value(tc_mut tc_shape(8) int *out, int n)
{
    __shared__ int s[2];
    if (threadIdx.x < n)
        s[threadIdx.x] = 1;
    __syncthreads();
    // CHECK-DAG: uninit.cu:[[@LINE+1]]:{{.*}}[TC2005]
    out[s[1]] = 1;
}
