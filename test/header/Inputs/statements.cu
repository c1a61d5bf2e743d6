#include <tilecheck.h>

#ifdef WITHOUT
#undef tc_invariant
#undef tc_assert
#undef tc_assume
#define tc_invariant(...)
#define tc_assert(...)
#define tc_assume(...)
#endif

tc_block(64) tc_grid(1) tc_requires(n <= 1 << 20 && k > 0)
__global__ void sum(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(64) float *y, int n, int k)
{
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += 64) {
        tc_invariant(i >= 0 && i % 64 == threadIdx.x);
        tc_assert(i < n && tc_cdiv(i, k) <= n);
        tc_assume(k > 0 || x[i] > s, "positive");
        s += x[i] / k;
    }
    y[threadIdx.x] = s;
}
