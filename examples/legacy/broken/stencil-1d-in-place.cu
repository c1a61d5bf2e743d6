// Fault: the neighbours come from the output, that other blocks write.
// The repaired kernel is ../stencil-1d.cu.
#include <tilecheck.h>

#define NT 128

tc_block(NT) tc_grid(tc_cdiv(n, NT))
tc_requires(n <= 1 << 30)
__global__ void smooth(tc_mut tc_shape(n) tc_tile(NT) float *out,
                       tc_shared tc_shape(n) const float *in, int n)
{
    __shared__ float s[NT + 2];
    const int t = threadIdx.x;
    const int i = blockIdx.x * NT + t;

    if (i < n)
        s[t + 1] = out[i];
    if (t == 0)
        s[0] = out[i > 0 ? i - 1 : 0];
    if (i < n && (t == NT - 1 || i == n - 1))
        s[t + 2] = out[i + 1 < n ? i + 1 : n - 1];
    __syncthreads();

    if (i < n)
        out[i] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
}
