// Fault: rows are stepped by h, not by w.
// The repaired kernel is ../stencil-2d.cu.
#include <tilecheck.h>

tc_block(32, 8) tc_grid(tc_cdiv(w, 32), tc_cdiv(h, 8))
tc_requires(h <= 32768 && w <= 32768)
__global__ void heat_step(tc_out tc_shape(h, w) tc_tile(8, 32) float *next,
                          tc_shared tc_shape(h, w) const float *now, float k, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;

    int i = y * h + x;
    if (x == 0 || x == w - 1 || y == 0 || y == h - 1) {
        next[i] = now[i];
        return;
    }
    next[i] = now[i] + k * (now[i - 1] + now[i + 1] + now[i - w] + now[i + w] - 4.0f * now[i]);
}
