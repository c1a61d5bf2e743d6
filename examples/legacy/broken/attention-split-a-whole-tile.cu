// Fault: the scores of a whole tile are taken, whether or not the split has as many
// keys.
// The repaired kernel is ../attention-split.cu.
#include <tilecheck.h>

#define D 64

tc_block(D) tc_grid(splits, heads)
tc_requires(splits >= 1 && splits <= 1024 && heads < 65536 && length >= 0 && length <= 1 << 22)
tc_requires(heads * length * D < 1 << 30 && heads * splits * D < 1 << 30)
__global__ void attend_split(tc_out tc_shape(heads, splits, D) tc_tile(1, 1, D)
                                 tc_at(blockIdx.y, blockIdx.x, 0) float *part,
                             tc_out tc_shape(heads, splits) tc_tile(1, 1) float *lse,
                             tc_shared tc_shape(heads, D) const float *q,
                             tc_shared tc_shape(heads, length, D) const float *keys,
                             tc_shared tc_shape(heads, length, D) const float *values,
                             float scale, int heads, int length, int splits)
{
    __shared__ float query[D];
    __shared__ float score[D];
    const int t = threadIdx.x;
    const int head = blockIdx.y;
    const int each = (length + splits - 1) / splits;
    const int from = blockIdx.x * each, to = min(from + each, length);

    query[t] = q[head * D + t];
    __syncthreads();

    float most = -INFINITY, total = 0.0f, v = 0.0f;
    for (int k0 = from; k0 < to; k0 += D) {
        float s = -INFINITY;
        if (k0 + t < to) {
            s = 0.0f;
            for (int d = 0; d < D; ++d)
                s += query[d] * keys[(head * length + k0 + t) * D + d];
        }
        score[t] = s * scale;
        __syncthreads();

        const int n = D;
        float new_most = most;
        for (int k = 0; k < n; ++k)
            new_most = fmaxf(new_most, score[k]);
        const float shrink = expf(most - new_most);
        total *= shrink;
        v *= shrink;
        for (int k = 0; k < n; ++k) {
            const float w = expf(score[k] - new_most);
            total += w;
            v += w * values[(head * length + k0 + k) * D + t];
        }
        most = new_most;
        __syncthreads();
    }
    part[(head * splits + blockIdx.x) * D + t] = v;
    if (t == 0)
        lse[head * splits + blockIdx.x] = most + logf(total);
}
