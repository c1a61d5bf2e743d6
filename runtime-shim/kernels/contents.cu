// What an array holds, looked at on the device: the kernels of contents_device.c. Elements are taken as unsigned integers of their size,
// with the sign's bit turned over where they are signed (`bias`): so order and equality are those of the values.
//
// Each leaves the smallest number that it finds, of an element that is wrong or of a value: before, the largest one stands there.
#include <tilecheck.h>

typedef unsigned long long u64;

// Element i has to be in least … most; none is where most < least.
template <typename T>
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1ull << 32)
__global__ void tc_in_range(tc_shared tc_shape(n) const T *x, u64 n, T bias, T least, T most, tc_atomic tc_shape(1) u64 *first)
{
    u64 i = blockIdx.x * 256ull + threadIdx.x;
    if (i >= n)
        return;
    T v = x[i] ^ bias;
    if (v < least || v > most)
        atomicMin(first, i);
}

// Element i has to be at least what the one before is.
template <typename T>
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1ull << 32)
__global__ void tc_in_order(tc_shared tc_shape(n) const T *x, u64 n, T bias, tc_atomic tc_shape(1) u64 *first)
{
    u64 i = blockIdx.x * 256ull + threadIdx.x;
    if (i >= n || i == 0)
        return;
    T before = x[i - 1] ^ bias, v = x[i] ^ bias;
    if (v < before)
        atomicMin(first, i);
}

// The least value and the complement of the greatest; 32 elements a thread, as two atomics for each were slower than a copy to the host.
template <typename T>
tc_block(256) tc_grid(tc_cdiv(n, 8192)) tc_requires(n >= 1 && n <= 1ull << 32)
__global__ void tc_extremes(tc_shared tc_shape(n) const T *x, u64 n, T bias, tc_atomic tc_shape(2) u64 *ends)
{
    u64 least = ~0ull, greatest = 0;
    for (unsigned k = 0; k < 32; k++) {
        u64 i = blockIdx.x * 8192ull + k * 256 + threadIdx.x;
        if (i >= n)
            break;
        u64 v = (T)(x[i] ^ bias);
        least = v < least ? v : least;
        greatest = v > greatest ? v : greatest;
    }
    if (least > greatest) // no element
        return;
    atomicMin(&ends[0], least);
    atomicMin(&ends[1], ~greatest);
}

// Each value stands once: of those from `least` on, one bit for each, the smallest that was marked already.
template <typename T>
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1ull << 32 && words >= 1 && words <= 1ull << 28)
__global__ void tc_mark(tc_shared tc_shape(n) const T *x, u64 n, T bias, u64 least, tc_atomic tc_shape(words) unsigned *seen, u64 words,
                        tc_atomic tc_shape(1) u64 *first)
{
    u64 i = blockIdx.x * 256ull + threadIdx.x;
    if (i >= n)
        return;
    u64 v = (T)(x[i] ^ bias);
    if (v < least || (v - least) / 32 >= words)
        return;
    u64 place = v - least;
    unsigned bit = 1u << (unsigned)(place % 32);
    if (atomicOr(&seen[place / 32], bit) & bit)
        atomicMin(first, place);
}

#define INSTANCES(T)                                                                                                                       \
    template __global__ void tc_in_range<T>(const T *, u64, T, T, T, u64 *);                                                               \
    template __global__ void tc_in_order<T>(const T *, u64, T, u64 *);                                                                     \
    template __global__ void tc_extremes<T>(const T *, u64, T, u64 *);                                                                     \
    template __global__ void tc_mark<T>(const T *, u64, T, u64, unsigned *, u64, u64 *);
INSTANCES(unsigned char)
INSTANCES(unsigned short)
INSTANCES(unsigned)
INSTANCES(u64)
