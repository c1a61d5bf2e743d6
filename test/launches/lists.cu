// The list of arguments of cudaLaunchKernel has an entry for each parameter. b_: near misses.
// RUN: %exits 2 %launches %s | FileCheck %s
// RUN: not %tilecheck %s 2>&1 | FileCheck %s --check-prefix=TEXT
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void scale(tc_mut tc_shape(n) tc_tile(256) float *m, float a, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        m[i] *= a;
}
static float *buffer()
{
    float *m;
    cudaMalloc(&m, 1000 * sizeof(float));
    return m;
}

// CHECK: whole scale line [[@LINE+6]]: proved
void whole()
{
    float *m = buffer(), a = 2;
    int n = 1000;
    void *list[] = {&m, &a, &n};
    cudaLaunchKernel(scale, 4, 256, list, 0, 0);
}
// CHECK: b_short scale line [[@LINE+7]]: violated, TC4001 violated
// TEXT: lists.cu:[[@LINE+6]]:{{.*}} error: a launch breaks a precondition: 'scale' takes 3 arguments, and the list has 2 [TC4001]
void b_short()
{
    float *m = buffer();
    int n = 1000;
    void *list[] = {&m, &n};
    cudaLaunchKernel(scale, 4, 256, list, 0, 0);
}
// CHECK: behind_others scale line [[@LINE+6]]: proved
void behind_others()
{
    float *m = buffer(), a = 2;
    int n = 1000;
    void *list[] = {nullptr, &m, &a, &n};
    cudaLaunchKernel(scale, 4, 256, list + 1, 0, 0);
}
// CHECK: b_behind_others scale line [[@LINE+6]]: violated, TC4001 violated
void b_behind_others()
{
    float *m = buffer(), a = 2;
    int n = 1000;
    void *list[] = {&m, &a, &n};
    cudaLaunchKernel(scale, 4, 256, list + 1, 0, 0);
}
// CHECK: of_the_caller scale line [[@LINE+3]]: run-time
void of_the_caller(void **list)
{
    cudaLaunchKernel(scale, 4, 256, list, 0, 0);
}
// A kernel reads as many as it takes.
// CHECK: longer scale line [[@LINE+6]]: proved
void longer()
{
    float *m = buffer(), a = 2;
    int n = 1000;
    void *list[8] = {&m, &a, &n};
    cudaLaunchKernel(scale, 4, 256, list, 0, 0);
}
