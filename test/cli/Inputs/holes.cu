#include <tilecheck.h>

__global__ void unknown_asm(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("frobnicate.global [%0];" ::"l"(y) : "memory");
    if (i < n)
        y[i] = 1.0f;
}

__global__ void the_same_asm(float *y, int n) {
    asm volatile("frobnicate.global [%0];" ::"l"(y) : "memory");
    asm volatile("frobnicate.global [%0];" ::"l"(y + n) : "memory");
}

__device__ void elsewhere(float *p);

__global__ void unknown_function(tc_mut tc_shape(n) float *y, int n) {
    elsewhere(y);
}

tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void clean(tc_mut tc_shape(n) float *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}
