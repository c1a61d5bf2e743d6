// An annotation of ours with a word that is not in the language.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: unknown-word.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}shapes{{.*}}[TC9001]
__global__ void k(tc_mut __attribute__((annotate("tilecheck:shapes", "n"))) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: unknown-word.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}grid{{.*}}[TC9001]
__global__ void word_in_the_wrong_place(tc_mut tc_shape(n) tc_grid(4) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: unknown-word.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}mut{{.*}}[TC9001]
tc_mut
__global__ void word_on_the_kernel(tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: unknown-word.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'q'{{.*}}[TC9001]
tc_param(q, mut, shape(n))
__global__ void no_such_parameter(float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: unknown-word.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'other'{{.*}}[TC9001]
__global__ void in_place_of_nothing(tc_mut tc_shape(n) tc_inplace(other) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
