// Vector accesses at places that are not multiples of their width.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=32 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(1) tc_grid(1)
__global__ void odd_offset(tc_mut tc_shape(n) tc_align(16) float *a, int n)
{
    // CHECK-DAG: align.cu:[[@LINE+1]]:{{.*}}16 bytes{{.*}}[TC2003]
    *reinterpret_cast<float4 *>(a + 1) = make_float4(0, 0, 0, 0);
}

tc_block(1) tc_grid(1)
__global__ void even_offset(tc_mut tc_shape(n) tc_align(16) float *a, int n)
{
    *reinterpret_cast<float4 *>(a + 4) = make_float4(0, 0, 0, 0);
}

tc_block(1) tc_grid(1)
__global__ void promised_too_little(tc_mut tc_shape(n) tc_align(8) float *a, int n)
{
    // CHECK-DAG: align.cu:[[@LINE+1]]:{{.*}}[TC2003]
    *reinterpret_cast<float4 *>(a + 4) = make_float4(0, 0, 0, 0);
}

tc_block(1) tc_grid(1)
__global__ void allocation_is_aligned(tc_mut tc_shape(n) float *a, int n)
{
    *reinterpret_cast<float4 *>(a + 4) = make_float4(0, 0, 0, 0);
}
