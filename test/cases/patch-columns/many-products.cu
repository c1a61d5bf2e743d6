// Columns of a convolution: eight sizes, products of five of them. There is no fault; the search for one has to end.
// RUN: %exits 0 timeout 60 %tilecheck %s
// RUN: %exits 0 %tilecheck run %s --kernel columns --set C=2 --set H=5 --set W=4 --set OH=5 --set OW=4 --set K=3 --set stride=1 --set pad=1

#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(C * OH * OW, 256))
tc_requires(C > 0 && H > 0 && W > 0 && OH > 0 && OW > 0 && K > 0 && stride > 0 && pad >= 0)
tc_requires(C * K * K * OH * OW < 1 << 29) tc_requires(C * H * W < 1 << 29)
tc_requires(OH * stride + K < 1 << 20 && OW * stride + K < 1 << 20 && pad < 1 << 20)
__global__ void columns(tc_mut tc_shape(C, K * K, OH * OW) float *to, tc_shared tc_shape(C, H, W) const float *from,
                        int C, int H, int W, int OH, int OW, int K, int stride, int pad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * OH * OW)
        return;
    const int ox = i % OW, oy = i / OW % OH, c = i / OW / OH;
    for (int ky = 0; ky < K; ky++)
        for (int kx = 0; kx < K; kx++) {
            const int y = oy * stride + ky - pad, x = ox * stride + kx - pad;
            const bool in = y >= 0 && y < H && x >= 0 && x < W;
            to[(c * K * K + ky * K + kx) * (OH * OW) + oy * OW + ox] = in ? from[(c * H + y) * W + x] : 0.0f;
        }
}
