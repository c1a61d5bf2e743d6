// Fault: a head is taken to be half as long as it is: two blocks have elements in
// common.
// The repaired kernel is ../rope.cu.
#include <tilecheck.h>

tc_block(128) tc_grid(tokens, heads)
tc_requires(heads < 65536 && half >= 1 && half <= 1 << 16 && tokens * heads * (2 * half) <= 1 << 30)
__global__ void rope(tc_mut tc_shape(tokens, heads, 2 * half) tc_tile(1, 1, 2 * half)
                         tc_at(blockIdx.x, blockIdx.y, 0) float *q,
                     tc_shared tc_shape(tokens) const int *positions,
                     tc_shared tc_shape(half) const float *frequency,
                     int tokens, int heads, int half)
{
    float *head = q + (size_t)(blockIdx.x * heads + blockIdx.y) * half;
    const int p = positions[blockIdx.x];
    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        float s, c;
        sincosf(p * frequency[i], &s, &c);
        const float a = head[i], b = head[i + half];
        head[i] = a * c - b * s;
        head[i + half] = a * s + b * c;
    }
}
