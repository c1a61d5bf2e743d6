// Fault: a row is taken to have one column more.
// The repaired kernel is ../permute-3d.cu.
#include <tilecheck.h>

tc_block(64) tc_grid(length, batch * heads)
tc_requires(batch >= 1 && heads >= 1 && batch * heads < 65536 && dim >= 1 && dim <= 1 << 16)
tc_requires(batch * heads * length * dim < 1 << 30)
__global__ void permute(tc_out tc_shape(batch * heads, length, dim) tc_tile(1, 1, dim)
                            tc_at(blockIdx.y, blockIdx.x, 0) float *out,
                        tc_shared tc_shape(batch, length, heads, dim) const float *in,
                        int batch, int length, int heads, int dim)
{
    const int s = blockIdx.x;
    const int b = blockIdx.y / heads, h = blockIdx.y % heads;
    const float *from = in + ((b * length + s) * heads + h) * dim;
    float *to = out + ((b * heads + h) * length + s) * dim;
    for (int d = threadIdx.x; d <= dim; d += blockDim.x)
        to[d] = from[d];
}
