// C++'s overloads of the device's mathematics; Clang's headers have the C names.
#ifndef TILECHECK_STANDIN_DEVICE_MATH_H
#define TILECHECK_STANDIN_DEVICE_MATH_H

#define TC_D static __inline__ __device__ __attribute__((always_inline))

#ifdef TILECHECK_SYSTEM_MATH
#include <__clang_cuda_cmath.h>
#else

#define TC_OVERLOAD_1(fn)                                                                                              \
    TC_D float fn(float x) {                                                                                           \
        return ::fn##f(x);                                                                                             \
    }                                                                                                                  \
    template <class T> TC_D typename tc_integral_<T>::type fn(T x) {                                                   \
        return ::fn((double)x);                                                                                        \
    }
#define TC_OVERLOAD_2(fn)                                                                                              \
    TC_D float fn(float x, float y) {                                                                                  \
        return ::fn##f(x, y);                                                                                          \
    }                                                                                                                  \
    template <class T, class U> TC_D typename tc_mixed_<T, U>::type fn(T x, U y) {                                     \
        return ::fn((double)x, (double)y);                                                                             \
    }
TC_MATH_1(TC_OVERLOAD_1)
TC_MATH_2(TC_OVERLOAD_2)
#undef TC_OVERLOAD_1
#undef TC_OVERLOAD_2
#define TC_OVERLOAD(R, fn, params, args)                                                                               \
    TC_D R fn params {                                                                                                 \
        return ::fn##f args;                                                                                           \
    }
#define TC_FP float
TC_MATH_OTHER(TC_OVERLOAD)
#undef TC_FP
#undef TC_OVERLOAD

TC_D float abs(float x) {
    return ::fabsf(x);
}
TC_D double abs(double x) {
    return ::fabs(x);
}
TC_D long abs(long x) {
    return ::labs(x);
}
TC_D long long abs(long long x) {
    return ::llabs(x);
}
TC_D bool isnan(float x) {
    return ::__isnanf(x);
}
TC_D bool isnan(double x) {
    return ::__isnan(x);
}
TC_D bool isinf(float x) {
    return ::__isinff(x);
}
TC_D bool isinf(double x) {
    return ::__isinf(x);
}
TC_D bool isfinite(float x) {
    return ::__finitef(x);
}
TC_D bool isfinite(double x) {
    return ::__isfinited(x);
}
TC_D bool signbit(float x) {
    return ::__signbitf(x);
}
TC_D bool signbit(double x) {
    return ::__signbitd(x);
}

namespace std {
using ::abs;
}

#endif

TC_D float rsqrt(float x) {
    return ::rsqrtf(x);
}
TC_D float rcbrt(float x) {
    return ::rcbrtf(x);
}
TC_D float exp10(float x) {
    return ::exp10f(x);
}
TC_D float sinpi(float x) {
    return ::sinpif(x);
}
TC_D float cospi(float x) {
    return ::cospif(x);
}
TC_D float normcdf(float x) {
    return ::normcdff(x);
}
TC_D float erfinv(float x) {
    return ::erfinvf(x);
}
TC_D float erfcinv(float x) {
    return ::erfcinvf(x);
}

// Host code has these too. Clang's headers give the device max(int, int) and min(int, int).
#define TC_MIN_MAX(where, R, A, B)                                                                                     \
    static __inline__ where R min(A a, B b) {                                                                          \
        return (R)a < (R)b ? (R)a : (R)b;                                                                              \
    }                                                                                                                  \
    static __inline__ where R max(A a, B b) {                                                                          \
        return (R)a > (R)b ? (R)a : (R)b;                                                                              \
    }
#define TC_HD __host__ __device__
TC_MIN_MAX(__host__, int, int, int)
TC_MIN_MAX(TC_HD, unsigned int, unsigned int, unsigned int)
TC_MIN_MAX(TC_HD, unsigned int, int, unsigned int)
TC_MIN_MAX(TC_HD, unsigned int, unsigned int, int)
TC_MIN_MAX(TC_HD, long, long, long)
TC_MIN_MAX(TC_HD, unsigned long, unsigned long, unsigned long)
TC_MIN_MAX(TC_HD, unsigned long, long, unsigned long)
TC_MIN_MAX(TC_HD, unsigned long, unsigned long, long)
TC_MIN_MAX(TC_HD, long long, long long, long long)
TC_MIN_MAX(TC_HD, unsigned long long, unsigned long long, unsigned long long)
TC_MIN_MAX(TC_HD, unsigned long long, long long, unsigned long long)
TC_MIN_MAX(TC_HD, unsigned long long, unsigned long long, long long)
#undef TC_MIN_MAX
#define TC_MIN_MAX(R, A, B, suffix)                                                                                    \
    static __inline__ TC_HD R min(A a, B b) {                                                                          \
        return ::fmin##suffix((R)a, (R)b);                                                                             \
    }                                                                                                                  \
    static __inline__ TC_HD R max(A a, B b) {                                                                          \
        return ::fmax##suffix((R)a, (R)b);                                                                             \
    }
TC_MIN_MAX(float, float, float, f)
TC_MIN_MAX(double, double, double, )
TC_MIN_MAX(double, float, double, )
TC_MIN_MAX(double, double, float, )
#undef TC_MIN_MAX
#undef TC_HD

#undef TC_D

#endif
