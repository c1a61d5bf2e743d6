// Adds a bias to each channel of a batch of images, in place.
//
// Shapes: x is images x channels x pixels, bias has channels elements; one thread an
// element, the channel comes from a division and a remainder.
// Proved for all sizes with at most 2^30 elements in all: no division by zero, the
// channel is in bounds, a block writes only its own 256 elements.
#include <tilecheck.h>

#define TOTAL ((long long)images * channels * pixels)

tc_block(256) tc_grid(tc_cdiv(TOTAL, 256))
tc_requires(images >= 1 && channels >= 1 && pixels >= 1 && TOTAL <= 1 << 30)
__global__ void add_channel_bias(tc_mut tc_shape(TOTAL) tc_tile(256) float *x,
                                 tc_shared tc_shape(channels) const float *bias,
                                 int images, int channels, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < images * channels * pixels)
        x[i] += bias[i / pixels % channels];
}
