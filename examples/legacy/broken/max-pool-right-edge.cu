// Fault: the window is cut off at the left edge and not at the right.
// The repaired kernel is ../max-pool.cu.
#include <tilecheck.h>

tc_block(32, 8) tc_grid(tc_cdiv(OW, 32), tc_cdiv(OH, 8), C)
tc_requires(H >= 1 && W >= 1 && H <= 4096 && W <= 4096 && C < 65536)
tc_requires(OH == (H + 1) / 2 && OW == (W + 1) / 2)
__global__ void max_pool(tc_out tc_shape(C, OH, OW) tc_tile(1, 8, 32) float *out,
                         tc_shared tc_shape(C, H, W) const float *in, int C, int H, int W, int OH, int OW)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x >= OW || y >= OH)
        return;
    const float *image = in + (size_t)blockIdx.z * H * W;
    float most = -INFINITY;
    for (int v = max(2 * y - 1, 0); v <= min(2 * y + 1, H - 1); ++v)
        for (int u = max(2 * x - 1, 0); u <= 2 * x + 1; ++u)
            most = fmaxf(most, image[v * W + u]);
    out[((size_t)blockIdx.z * OH + y) * OW + x] = most;
}
