// Fault: the total goes to the next chunk, as its start, also behind the last.
// The repaired kernel is ../scan-block.cu.
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
        totals[blockIdx.x + 1] = buf[in][t];
}
