// Inclusive prefix sums of each 1024 elements (Hillis and Steele), and each chunk's total.
//
// Shapes: x and y have n elements, totals one for every 1024 of them.
// Proved for every n up to 2^30: both halves of the shared double buffer are in bounds at
// each step, a block writes its own chunk of y and its own total.
#include <tilecheck.h>

#define CHUNK 1024

tc_block(CHUNK) tc_grid(tc_cdiv(n, CHUNK))
tc_requires(n <= 1 << 30)
__global__ void scan_chunks(tc_out tc_shape(n) tc_tile(CHUNK) int *y,
                            tc_out tc_shape(tc_cdiv(n, CHUNK)) tc_tile(1) int *totals,
                            tc_shared tc_shape(n) const int *x, int n)
{
    __shared__ int buf[2][CHUNK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * CHUNK + t;

    int in = 0;
    buf[in][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < CHUNK; d *= 2) {
        const int out = 1 - in;
        buf[out][t] = buf[in][t];
        if (t >= d)
            buf[out][t] += buf[in][t - d];
        in = out;
        __syncthreads();
    }

    if (i < n)
        y[i] = buf[in][t];
    if (t == CHUNK - 1)
        totals[blockIdx.x] = buf[in][t];
}
