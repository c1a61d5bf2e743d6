// Histogram equalisation of 8-bit images, one launch after the other on one stream.
#include <cuda_runtime.h>

#define BX 32
#define BY 8

// Colour to gray. Rows of the gray image are pitch bytes apart, those of the colour image w pixels.
__global__ void to_gray(const uchar4 *rgb, unsigned char *gray, int w, int h, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    uchar4 p = rgb[y * w + x];
    gray[y * pitch + x] = (77 * p.x + 150 * p.y + 29 * p.z) >> 8;
}

// How often each value occurs: in shared memory first.
__global__ void histogram(const unsigned char *gray, unsigned *bins, int w, int h, int pitch)
{
    __shared__ unsigned local[256];
    int t = threadIdx.y * BX + threadIdx.x;
    local[t] = 0;
    __syncthreads();
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    if (x < w && y < h)
        atomicAdd(&local[gray[y * pitch + x]], 1u);
    __syncthreads();
    atomicAdd(&bins[t], local[t]);
}

// bins summed up, cdf[v]: pixels of value v or less. One block.
__global__ void sum_up(const unsigned *bins, unsigned *cdf)
{
    __shared__ unsigned s[256];
    int t = threadIdx.x;
    s[t] = bins[t];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        unsigned v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
    }
    cdf[t] = s[t];
}

// Spreads the values that occur over 0 … 255.
__global__ void equalise(unsigned char *gray, const unsigned *cdf, int w, int h, int pitch)
{
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    if (x >= w || y >= h)
        return;
    unsigned least = cdf[0], most = cdf[255];
    unsigned char v = gray[y * pitch + x];
    gray[y * pitch + x] = (cdf[v] - least) * 255u / (most - least);
}

void equalise_image(const uchar4 *rgb, unsigned char *gray, unsigned *bins, unsigned *cdf, int w, int h, int pitch)
{
    dim3 block(BX, BY), grid((w + BX - 1) / BX, (h + BY - 1) / BY);
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
    to_gray<<<grid, block>>>(rgb, gray, w, h, pitch);
    histogram<<<grid, block>>>(gray, bins, w, h, pitch);
    sum_up<<<1, 256>>>(bins, cdf);
    equalise<<<grid, block>>>(gray, cdf, w, h, pitch);
}
