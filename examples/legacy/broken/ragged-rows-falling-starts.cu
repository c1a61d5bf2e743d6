// Fault: nothing says that the starts never fall: segments may overlap.
// The repaired kernel is ../ragged-rows.cu.
#include <tilecheck.h>

tc_block(128) tc_grid(segments)
tc_requires(total <= 1 << 30)
__global__ void scale_segments(tc_mut tc_shape(total) tc_rows(start[blockIdx.x], start[blockIdx.x + 1]) float *x,
                               tc_shared tc_shape(segments + 1) tc_range(0, total + 1) const int *start,
                               tc_shared tc_shape(segments) const float *scale,
                               int segments, int total)
{
    const int b = blockIdx.x;
    for (int i = start[b] + threadIdx.x; i < start[b + 1]; i += blockDim.x)
        x[i] *= scale[b];
}
