#include <tilecheck.h>

#ifdef WITHOUT
#undef tc_invariant
#undef tc_assert
#undef tc_assume
#define tc_invariant(...)
#define tc_assert(...)
#define tc_assume(...)
#endif

__global__ void sum(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *y, int n, int k)
{
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        tc_invariant(i >= 0 && i % 32 == threadIdx.x % 32 && x[i] > 0.0f);
        tc_assert(i < n && tc_cdiv(i, k) < n);
        tc_assume(k > 0 || y[i] > s, "positive");
        s += x[i] / k;
    }
    y[threadIdx.x] = s;
}
