// Fault: the largest log-sum is looked for in one split too many.
// The repaired kernel is ../attention-combine.cu.
#include <tilecheck.h>

tc_block(128) tc_grid(heads, batch)
tc_requires(heads < 65536 && batch < 65536 && splits >= 1 && dim >= 1)
tc_requires(batch * heads * splits * dim < 1 << 30)
__global__ void combine(tc_out tc_shape(batch, heads, dim) tc_tile(1, 1, dim)
                            tc_at(blockIdx.y, blockIdx.x, 0) float *out,
                        tc_shared tc_shape(batch, heads, splits, dim) const float *part,
                        tc_shared tc_shape(batch, heads, splits) const float *lse,
                        int batch, int heads, int splits, int dim)
{
    const int bh = blockIdx.y * heads + blockIdx.x;

    float most = -INFINITY;
    for (int s = 0; s <= splits; ++s)
        most = fmaxf(most, lse[bh * splits + s]);
    float total = 0.0f;
    for (int s = 0; s < splits; ++s)
        total += expf(lse[bh * splits + s] - most);

    for (int d = threadIdx.x; d < dim; d += blockDim.x) {
        float v = 0.0f;
        for (int s = 0; s < splits; ++s)
            v += expf(lse[bh * splits + s] - most) * part[(bh * splits + s) * dim + d];
        out[bh * dim + d] = v / total;
    }
}
