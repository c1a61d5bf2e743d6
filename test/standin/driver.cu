// The driver API's types in kernel parameters, and assert and printf in device code.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cassert>
#include <cstdio>
#include <cuda.h>
#include <math_constants.h>

static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 128, "");

__global__ void mapped(const __grid_constant__ CUtensorMap map, float *p)
{
    assert(p != nullptr);
    p[0] = CUDART_PI_F + CUDART_INF_F + float(reinterpret_cast<unsigned long long>(&map) % 64);
    if (p[0] != 0.0f)
        printf("%f\n", p[0]);
    float *scratch = static_cast<float *>(malloc(16));
    free(scratch);
    __trap();
}
