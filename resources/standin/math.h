// Host mathematics, light: the C library's own header costs as much as all of the stand-ins together.
// -DTILECHECK_SYSTEM_MATH takes the system's headers instead.
#ifndef TILECHECK_STANDIN_MATH_H
#define TILECHECK_STANDIN_MATH_H
#ifndef __cplusplus // plain C of the host: its own library
#include_next <math.h>
#else

#include "crt/host_defines.h"

#ifdef TILECHECK_SYSTEM_MATH
#include_next <math.h>
#else

#include <limits.h>
#include <stdlib.h> // abs in all its types

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-INT_MAX - 1)
#define FP_ILOGBNAN (-INT_MAX - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_PIf 3.14159265358979323846f

typedef float float_t;
typedef double double_t;

// One argument; two arguments; result of another type.
#define TC_MATH_1(X)                                                                                                   \
    X(acos)                                                                                                            \
    X(asin) X(atan) X(cos) X(sin) X(tan) X(cosh) X(sinh) X(tanh) X(acosh) X(asinh) X(atanh) X(exp) X(exp2) X(expm1)    \
        X(log) X(log10) X(log1p) X(log2) X(logb) X(sqrt) X(cbrt) X(ceil) X(floor) X(trunc) X(round) X(nearbyint)       \
            X(rint) X(fabs) X(erf) X(erfc) X(tgamma) X(lgamma)
#define TC_MATH_2(X) X(atan2) X(pow) X(hypot) X(fmod) X(remainder) X(copysign) X(nextafter) X(fdim) X(fmax) X(fmin)
#define TC_MATH_OTHER(X)                                                                                               \
    X(int, ilogb, (TC_FP x), (x))                                                                                      \
    X(long, lrint, (TC_FP x), (x)) X(long long, llrint, (TC_FP x), (x)) X(long, lround, (TC_FP x), (x))                \
        X(long long, llround, (TC_FP x), (x)) X(TC_FP, ldexp, (TC_FP x, int e), (x, e))                                \
            X(TC_FP, scalbn, (TC_FP x, int e), (x, e)) X(TC_FP, scalbln, (TC_FP x, long e), (x, e))                    \
                X(TC_FP, frexp, (TC_FP x, int *e), (x, e)) X(TC_FP, modf, (TC_FP x, TC_FP * i), (x, i))                \
                    X(TC_FP, fma, (TC_FP x, TC_FP y, TC_FP z), (x, y, z))                                              \
                        X(TC_FP, remquo, (TC_FP x, TC_FP y, int *q), (x, y, q))

extern "C" {
#define TC_DECLARE_1(fn)                                                                                               \
    double fn(double) noexcept;                                                                                        \
    float fn##f(float) noexcept;                                                                                       \
    long double fn##l(long double) noexcept;
#define TC_DECLARE_2(fn)                                                                                               \
    double fn(double, double) noexcept;                                                                                \
    float fn##f(float, float) noexcept;                                                                                \
    long double fn##l(long double, long double) noexcept;
TC_MATH_1(TC_DECLARE_1)
TC_MATH_2(TC_DECLARE_2)
#undef TC_DECLARE_1
#undef TC_DECLARE_2
#define TC_DECLARE(R, fn, params, args) R fn params noexcept;
#define TC_FP double
TC_MATH_OTHER(TC_DECLARE)
#undef TC_FP
#undef TC_DECLARE
#define TC_DECLARE(R, fn, params, args) R fn##f params noexcept;
#define TC_FP float
TC_MATH_OTHER(TC_DECLARE)
#undef TC_FP
#undef TC_DECLARE
#define TC_DECLARE(R, fn, params, args) R fn##l params noexcept;
#define TC_FP long double
TC_MATH_OTHER(TC_DECLARE)
#undef TC_FP
#undef TC_DECLARE
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
double j0(double) noexcept;
double j1(double) noexcept;
double y0(double) noexcept;
double y1(double) noexcept;
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
}

// Integer arguments count as double, and so do arguments of two types.
template <class T> struct tc_integral_ {};
template <class T> struct tc_number_ {};
template <> struct tc_number_<float> {
    typedef double type;
};
template <> struct tc_number_<double> {
    typedef double type;
};
#define TC_INTEGRAL(T)                                                                                                 \
    template <> struct tc_integral_<T> {                                                                               \
        typedef double type;                                                                                           \
    };                                                                                                                 \
    template <> struct tc_number_<T> {                                                                                 \
        typedef double type;                                                                                           \
    };
TC_INTEGRAL(bool)
TC_INTEGRAL(char)
TC_INTEGRAL(signed char)
TC_INTEGRAL(unsigned char)
TC_INTEGRAL(short)
TC_INTEGRAL(unsigned short)
TC_INTEGRAL(int)
TC_INTEGRAL(unsigned int)
TC_INTEGRAL(long)
TC_INTEGRAL(unsigned long)
TC_INTEGRAL(long long)
TC_INTEGRAL(unsigned long long)
#undef TC_INTEGRAL

template <class T, class U, class = typename tc_number_<T>::type, class = typename tc_number_<U>::type>
struct tc_mixed_ {
    typedef double type;
};

// C++'s overloads.
#define TC_OVERLOAD_1(fn)                                                                                              \
    inline float fn(float x) {                                                                                         \
        return ::fn##f(x);                                                                                             \
    }                                                                                                                  \
    inline long double fn(long double x) {                                                                             \
        return ::fn##l(x);                                                                                             \
    }                                                                                                                  \
    template <class T> inline typename tc_integral_<T>::type fn(T x) {                                                 \
        return ::fn((double)x);                                                                                        \
    }
#define TC_OVERLOAD_2(fn)                                                                                              \
    inline float fn(float x, float y) {                                                                                \
        return ::fn##f(x, y);                                                                                          \
    }                                                                                                                  \
    inline long double fn(long double x, long double y) {                                                              \
        return ::fn##l(x, y);                                                                                          \
    }                                                                                                                  \
    template <class T, class U> inline typename tc_mixed_<T, U>::type fn(T x, U y) {                                   \
        return ::fn((double)x, (double)y);                                                                             \
    }
TC_MATH_1(TC_OVERLOAD_1)
TC_MATH_2(TC_OVERLOAD_2)
#undef TC_OVERLOAD_1
#undef TC_OVERLOAD_2
#define TC_OVERLOAD(R, fn, params, args)                                                                               \
    inline R fn params {                                                                                               \
        return ::fn##f args;                                                                                           \
    }
#define TC_FP float
TC_MATH_OTHER(TC_OVERLOAD)
#undef TC_FP
#undef TC_OVERLOAD

#define TC_CLASSIFY(T)                                                                                                 \
    inline bool isnan(T x) {                                                                                           \
        return __builtin_isnan(x);                                                                                     \
    }                                                                                                                  \
    inline bool isinf(T x) {                                                                                           \
        return __builtin_isinf(x);                                                                                     \
    }                                                                                                                  \
    inline bool isfinite(T x) {                                                                                        \
        return __builtin_isfinite(x);                                                                                  \
    }                                                                                                                  \
    inline bool isnormal(T x) {                                                                                        \
        return __builtin_isnormal(x);                                                                                  \
    }                                                                                                                  \
    inline bool signbit(T x) {                                                                                         \
        return __builtin_signbit(x);                                                                                   \
    }                                                                                                                  \
    inline int fpclassify(T x) {                                                                                       \
        return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x);                         \
    }
TC_CLASSIFY(float)
TC_CLASSIFY(double)
#undef TC_CLASSIFY

#endif
#endif // __cplusplus
#endif
