// Fault: the rows of the output are taken to be as long in elements as they are in
// bytes.
// The repaired kernel is ../quantize-int8.cu.
#include <tilecheck.h>

#define ROWS 8

tc_block(32, ROWS) tc_grid(tc_cdiv(rows, ROWS))
tc_requires(rows <= 1 << 30 && quads >= 1 && quads <= 1 << 20)
__global__ void quantize(tc_out tc_shape(rows, quads) tc_tile(ROWS, quads) tc_at(blockIdx.x, 0) char4 *out,
                         tc_out tc_shape(rows) tc_tile(ROWS) float *scale,
                         tc_shared tc_shape(rows, quads) const float4 *in, int rows, int quads)
{
    const int row = blockIdx.x * ROWS + threadIdx.y;
    if (row >= rows)
        return;
    const float4 *x = in + (size_t)row * quads;

    float most = 0.0f;
    for (int i = threadIdx.x; i < quads; i += 32) {
        const float4 v = x[i];
        most = fmaxf(most, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
    }
    for (int d = 16; d > 0; d >>= 1)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    const float s = most / 127.0f, inv = most > 0.0f ? 127.0f / most : 0.0f;

    for (int i = threadIdx.x; i < quads; i += 32) {
        const float4 v = x[i];
        out[(size_t)row * 4 * quads + i] = make_char4(v.x * inv, v.y * inv, v.z * inv, v.w * inv);
    }
    if (threadIdx.x == 0)
        scale[row] = s;
}
