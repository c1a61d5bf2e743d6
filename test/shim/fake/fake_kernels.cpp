// The kernels that the shim brings along, as the driver of tests runs them: their own source, thread after thread.
#include <cstring>

#define __global__
struct fake_index {
    unsigned x;
};
static fake_index blockIdx, threadIdx;
template <typename T>
static T atomicMin(T *at, T v) {
    T old = *at;
    *at = v < old ? v : old;
    return old;
}
static unsigned atomicOr(unsigned *at, unsigned v) {
    unsigned old = *at;
    *at |= v;
    return old;
}
#include "runtime-shim/kernels/contents.cu"

template <typename T>
static T argument(void **params, int i) {
    T v;
    std::memcpy(&v, params[i], sizeof v);
    return v;
}

template <typename T>
static bool run_one(const char *name, void **p) {
    const T *x = argument<const T *>(p, 0);
    u64 n = argument<u64>(p, 1);
    T bias = argument<T>(p, 2);
    if (std::strstr(name, "tc_in_range"))
        tc_in_range<T>(x, n, bias, argument<T>(p, 3), argument<T>(p, 4), argument<u64 *>(p, 5));
    else if (std::strstr(name, "tc_in_order"))
        tc_in_order<T>(x, n, bias, argument<u64 *>(p, 3));
    else if (std::strstr(name, "tc_extremes"))
        tc_extremes<T>(x, n, bias, argument<u64 *>(p, 3));
    else if (std::strstr(name, "tc_mark"))
        tc_mark<T>(x, n, bias, argument<u64>(p, 3), argument<unsigned *>(p, 4), argument<u64>(p, 5), argument<u64 *>(p, 6));
    else
        return false;
    return true;
}

// false: no such kernel.
extern "C" bool fake_run_kernel(const char *name, unsigned blocks, unsigned threads, void **params) {
    const char *size = std::strstr(name, "EvPKT_");
    for (blockIdx.x = 0; size && blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
            if (!(size[-1] == 'h'   ? run_one<unsigned char>(name, params)
                  : size[-1] == 't' ? run_one<unsigned short>(name, params)
                  : size[-1] == 'j' ? run_one<unsigned>(name, params)
                                    : run_one<u64>(name, params)))
                return false;
    return size != nullptr;
}
