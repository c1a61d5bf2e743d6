// An address that was cut to 32 bits on its way is not proved to be that of the object; one of shared memory has no more. b_: near misses.
// RUN: %verdicts %s --rules=TC2001 | FileCheck %s
// RUN: %exits 2 %tilecheck %s 2>&1 | not grep "internal error"
#include <tilecheck.h>
#include <stdint.h>

// CHECK: kernel as_number proved
tc_block(32) tc_grid(1)
__global__ void as_number(tc_mut tc_shape(32) float *y)
{
    uintptr_t a = (uintptr_t)y;
    ((float *)(intptr_t)a)[threadIdx.x] = 0;
}
// CHECK: kernel b_unsigned {{violated|unknown}}
tc_block(32) tc_grid(1)
__global__ void b_unsigned(tc_mut tc_shape(32) float *y)
{
    unsigned a = (unsigned)(uintptr_t)y;
    ((float *)(uintptr_t)a)[threadIdx.x] = 0;
}
// CHECK: kernel b_signed {{violated|unknown}}
tc_block(32) tc_grid(1)
__global__ void b_signed(tc_mut tc_shape(32) float *y)
{
    int a = (int)(uintptr_t)y;
    ((float *)(uintptr_t)a)[threadIdx.x] = 0;
}
// CHECK: kernel b_of_two {{violated|unknown}}
tc_block(32) tc_grid(1)
__global__ void b_of_two(tc_mut tc_shape(32) float *y, tc_mut tc_shape(32) float *x, bool which)
{
    unsigned a = (unsigned)(uintptr_t)(which ? x : y);
    ((float *)(uintptr_t)a)[threadIdx.x] = 0;
}
// CHECK: kernel shared_address proved
tc_block(32) tc_grid(1)
__global__ void shared_address(tc_mut tc_shape(32) int *y)
{
    __shared__ int s[32];
    unsigned a = (unsigned)__cvta_generic_to_shared(s);
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(a + 4 * threadIdx.x), "r"(1) : "memory");
    y[threadIdx.x] = 1;
}
// CHECK: kernel b_shared_address_as_generic {{violated|unknown}}
tc_block(32) tc_grid(1)
__global__ void b_shared_address_as_generic(tc_mut tc_shape(32) int *y)
{
    __shared__ int s[32];
    unsigned a = (unsigned)__cvta_generic_to_shared(s);
    ((int *)(uintptr_t)a)[threadIdx.x] = 1;
    y[threadIdx.x] = 1;
}
