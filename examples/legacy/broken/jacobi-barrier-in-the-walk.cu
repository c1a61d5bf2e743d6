// Fault: the barrier is in the walk over the cells, in which some threads take one turn more.
// The repaired kernel is ../jacobi.cu.
#include <cooperative_groups.h>
#include <tilecheck.h>

namespace cg = cooperative_groups;

tc_block(256) tc_grid(blocks)
tc_requires(h <= 32768 && w <= 32768 && blocks <= 4096)
__global__ void jacobi(tc_mut tc_shape(h, w) float *a, tc_mut tc_shape(h, w) float *b,
                       tc_shared tc_shape(h, w) const float *f, int h, int w, int steps, int blocks)
{
    cg::grid_group grid = cg::this_grid();
    float *now = a, *next = b;
    for (int k = 0; k < steps; ++k) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w; i += blocks * blockDim.x) {
            int x = i % w, y = i / w;
            if (x == 0 || x == w - 1 || y == 0 || y == h - 1)
                next[i] = now[i];
            else
                next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - w] + now[i + w] - f[i]);
            grid.sync();
        }
        float *last = now;
        now = next;
        next = last;
    }
}
