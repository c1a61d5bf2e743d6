// Fault: nothing bounds the number of elements: the int product overflows and the guard
// with it.
// The repaired kernel is ../channel-bias.cu.
#include <tilecheck.h>

#define TOTAL ((long long)images * channels * pixels)

tc_block(256) tc_grid(tc_cdiv(TOTAL, 256))
tc_requires(images >= 1 && channels >= 1 && pixels >= 1)
__global__ void add_channel_bias(tc_mut tc_shape(TOTAL) tc_tile(256) float *x,
                                 tc_shared tc_shape(channels) const float *bias,
                                 int images, int channels, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < images * channels * pixels)
        x[i] += bias[i / pixels % channels];
}
