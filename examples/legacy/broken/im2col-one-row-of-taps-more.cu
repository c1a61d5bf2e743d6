// Fault: the window has a row of taps too many.
// The repaired kernel is ../im2col.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(OH * OW, 256), C)
tc_requires(C < 65536 && OH >= 1 && OW >= 1 && K >= 1 && K <= 64)
tc_requires(stride >= 1 && stride <= 64 && pad >= 0 && pad <= 64)
tc_requires(OH <= 1 << 14 && OW <= 1 << 14 && H <= 1 << 14 && W <= 1 << 14)
tc_requires(C * (K * K) * (OH * OW) < 1 << 29 && C * H * W < 1 << 29)
__global__ void im2col(tc_out tc_shape(C, K * K, OH * OW) float *col,
                       tc_shared tc_shape(C, H, W) const float *image,
                       int C, int H, int W, int OH, int OW, int K, int stride, int pad)
{
    const int c = blockIdx.y;
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    if (pixel >= OH * OW)
        return;
    const int y0 = pixel / OW * stride - pad;
    const int x0 = pixel % OW * stride - pad;

    for (int ky = 0; ky <= K; ++ky)
        for (int kx = 0; kx < K; ++kx) {
            const int y = y0 + ky, x = x0 + kx;
            const bool inside = y >= 0 && y < H && x >= 0 && x < W;
            col[(c * K * K + ky * K + kx) * (OH * OW) + pixel] = inside ? image[(c * H + y) * W + x] : 0.0f;
        }
}
