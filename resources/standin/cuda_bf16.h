// __nv_bfloat16 and __nv_bfloat162.
#ifndef TILECHECK_STANDIN_CUDA_BF16_H
#define TILECHECK_STANDIN_CUDA_BF16_H

#include "tilecheck_cuda.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};

#define TC_H __nv_bfloat16
#define TC_H2 __nv_bfloat162
#define TC_RAW __nv_bfloat16_raw
#define TC_CORE __bf16
#define TC_JOIN(a, b, c) a##b##c
#define TC_N(a, b) TC_JOIN(a, bfloat16, b)
#define TC_N2(a, b) TC_JOIN(a, bfloat162, b)
#include "crt/half_precision.inc"
#undef TC_H
#undef TC_H2
#undef TC_RAW
#undef TC_CORE
#undef TC_JOIN
#undef TC_N
#undef TC_N2

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
