// A contract may be spread over the declarations of a kernel, which may name its parameters otherwise; what is said twice
// alike is said once.
// RUN: %clang --cuda-device-only -DCONTRACT %s 2>&1 | FileCheck %s
// RUN: %clang --cuda-device-only %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %clang --cuda-device-only -DCONTRACT -DOTHER %s 2>&1 | FileCheck %s --check-prefix=OTHER
#include <tilecheck.h>

// As in a header that cannot be touched.
__global__ void scale(const float *in, float *out, int n);
template <class T> __global__ void halve(const T *, T *, int);

#ifdef CONTRACT
// As in a header of one's own.
tc_block(64) tc_grid(tc_cdiv(length, 64))
__global__ void scale(tc_shared tc_shape(length) const float *from, tc_mut tc_shape(length) float *to, int length);
tc_block(64)
__global__ void scale(const float *, float *tc_tile(64) out, int size);

template <class Element> tc_block(64) tc_grid(tc_cdiv(count, 64)) tc_requires(sizeof(Element) >= 4)
__global__ void halve(tc_shared tc_shape(count) const Element *from,
                      tc_mut tc_shape(count) tc_tile(64) Element *to, int count);
#endif
#ifdef OTHER
// OTHER: redeclaration.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
tc_block(128) __global__ void scale(const float *, float *, int);
#endif

__global__ void scale(const float *in, float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[i];
}

template <class T> __global__ void halve(const T *in, T *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = in[i] / 2;
}

template __global__ void halve<int>(const int *, int *, int);

// CHECK-NOT: TC9001
// CHECK: tilecheck: 2 kernels: 2 proved
// NONE: tilecheck: no kernel checked
