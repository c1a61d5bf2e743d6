// 5 x 5 convolution of an image; a tile and its halo in shared memory, the filter in
// constant memory. Outside the image the nearest pixel counts.
//
// Shapes: in and out are H x W, row-major; tiles of 8 x 32 with a halo of 2.
// Proved for any H and W up to 32767: the clamped loads are inside the image, the 25 taps
// inside the shared tile and the filter, and a block writes its own tile.
#include <tilecheck.h>

#define R 2
#define TX 32
#define TY 8

__constant__ float filter[2 * R + 1][2 * R + 1];

tc_block(TX, TY) tc_grid(tc_cdiv(W, TX), tc_cdiv(H, TY))
tc_requires(W < 1 << 15 && H < 1 << 15)
__global__ void conv5x5(tc_out tc_shape(H, W) tc_tile(TY, TX) float *out,
                        tc_shared tc_shape(H, W) const float *in, int H, int W)
{
    __shared__ float s[TY + 2 * R][TX + 2 * R];
    const int x0 = blockIdx.x * TX - R, y0 = blockIdx.y * TY - R;

    for (int y = threadIdx.y; y < TY + 2 * R; y += TY)
        for (int x = threadIdx.x; x < TX + 2 * R; x += TX) {
            const int gx = min(max(x0 + x, 0), W - 1);
            const int gy = min(max(y0 + y, 0), H - 1);
            s[y][x] = in[gy * W + gx];
        }
    __syncthreads();

    const int x = blockIdx.x * TX + threadIdx.x;
    const int y = blockIdx.y * TY + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy <= 2 * R; ++dy)
        for (int dx = 0; dx <= 2 * R; ++dx)
            sum += filter[dy][dx] * s[threadIdx.y + dy][threadIdx.x + dx];
    out[y * W + x] = sum;
}
