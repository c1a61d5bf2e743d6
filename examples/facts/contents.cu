// Do index arrays hold what contracts say of them? For programs that want to know before they launch.
//
// outside:   tc_range(lo, hi): lo <= v[i] < hi
// unordered: tc_monotone:      v[i] <= v[i + 1]
// twice:     tc_injective:     no value of [lo, lo + m) stands in two places; run after `outside` has found nothing
//
// Each writes the lowest index at which the fact is broken into *first, which holds n before. Proved: in bounds, free of races and of
// overflow for every n, also beyond 2^31; of `twice` under the range that its launch has checked before.
#include <tilecheck.h>

template <class T>
tc_block(256, 1, 1) tc_grid(tc_cdiv(n, 256), 1, 1) tc_requires(n >= 1 && n < 1ull << 38)
__global__ void outside(tc_shared tc_shape(n) const T *v, tc_atomic tc_shape(1) unsigned long long *first, unsigned long long n, T least, T most)
{
    const unsigned long long i = (unsigned long long)blockIdx.x * 256 + threadIdx.x;
    if (i < n && (v[i] < least || v[i] > most))
        atomicMin(first, i);
}

template <class T>
tc_block(256, 1, 1) tc_grid(tc_cdiv(n, 256), 1, 1) tc_requires(n >= 1 && n < 1ull << 38)
__global__ void unordered(tc_shared tc_shape(n) const T *v, tc_atomic tc_shape(1) unsigned long long *first, unsigned long long n)
{
    const unsigned long long i = (unsigned long long)blockIdx.x * 256 + threadIdx.x;
    if (i + 1 < n && v[i] > v[i + 1])
        atomicMin(first, i + 1);
}

template <class T>
tc_block(256, 1, 1) tc_grid(tc_cdiv(n, 256), 1, 1) tc_requires(n >= 1 && n < 1ull << 38 && m >= 1 && m < 1ull << 40)
__global__ void twice(tc_shared tc_shape(n) tc_range(lo, lo + m) const T *v, tc_atomic tc_shape(m) unsigned *seen,
                      tc_atomic tc_shape(1) unsigned long long *first, unsigned long long n, T lo, unsigned long long m)
{
    const unsigned long long i = (unsigned long long)blockIdx.x * 256 + threadIdx.x;
    if (i < n && atomicExch(&seen[(unsigned long long)v[i] - (unsigned long long)lo], 1u) != 0)
        atomicMin(first, i);
}

#define EACH(T)                                                                                                                            \
    template __global__ void outside<T>(const T *, unsigned long long *, unsigned long long, T, T);                                         \
    template __global__ void unordered<T>(const T *, unsigned long long *, unsigned long long);                                             \
    template __global__ void twice<T>(const T *, unsigned *, unsigned long long *, unsigned long long, T, unsigned long long);
EACH(signed char)
EACH(unsigned char)
EACH(short)
EACH(unsigned short)
EACH(int)
EACH(unsigned)
EACH(long long)
EACH(unsigned long long)
