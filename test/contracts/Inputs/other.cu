// Another file's kernel, with facts about an index array.
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void take(int n, int m, tc_shared tc_shape(n) tc_range(0, m) const int *index, tc_shared tc_shape(m) const float *x,
                     tc_mut tc_shape(n) tc_tile(64) float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = x[index[i]];
}

void run_take(int n, int m, int *index, float *x, float *y)
{
    take<<<(n + 63) / 64, 64>>>(n, m, index, x, y);
}
