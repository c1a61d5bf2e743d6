// __half and __half2.
#ifndef TILECHECK_STANDIN_CUDA_FP16_H
#define TILECHECK_STANDIN_CUDA_FP16_H

#include "tilecheck_cuda.h"

struct __half_raw {
    unsigned short x;
};

#define TC_H __half
#define TC_H2 __half2
#define TC_RAW __half_raw
#define TC_CORE _Float16
#define TC_JOIN(a, b, c) a##b##c
#define TC_N(a, b) TC_JOIN(a, half, b)
#define TC_N2(a, b) TC_JOIN(a, half2, b)
#include "crt/half_precision.inc"
#undef TC_H
#undef TC_H2
#undef TC_RAW
#undef TC_CORE
#undef TC_JOIN
#undef TC_N
#undef TC_N2

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#endif
