// Scales segments of different lengths, each by its own factor, in place.
//
// Shapes: x has total elements; segment b is start[b] ... start[b + 1] - 1, so start has
// segments + 1 elements that never fall; scale has one element a segment.
// Proved for up to 2^30 elements and any number of segments: a block writes its own segment
// (tc_rows), empty ones too, and segments never overlap, because start is monotone.
#include <tilecheck.h>

tc_block(128) tc_grid(segments)
tc_requires(total <= 1 << 30)
__global__ void scale_segments(tc_mut tc_shape(total) tc_rows(start[blockIdx.x], start[blockIdx.x + 1]) float *x,
                               tc_shared tc_shape(segments + 1) tc_range(0, total + 1) tc_monotone const int *start,
                               tc_shared tc_shape(segments) const float *scale,
                               int segments, int total)
{
    const int b = blockIdx.x;
    for (int i = start[b] + threadIdx.x; i < start[b + 1]; i += blockDim.x)
        x[i] *= scale[b];
}
