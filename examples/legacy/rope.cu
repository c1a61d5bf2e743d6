// Rotary position embedding, in place: elements i and i + half of each head are turned by an
// angle that grows with the token's position.
//
// Shapes: q is tokens x heads x 2 half; positions has one number a token, frequency half.
// One block a (token, head).
// Proved for all sizes with at most 2^30 elements in q: both elements of a pair are in the
// head, and a block touches its own head only.
#include <tilecheck.h>

tc_block(128) tc_grid(tokens, heads)
tc_requires(heads < 65536 && half >= 1 && half <= 1 << 16 && tokens * heads * (2 * half) <= 1 << 30)
__global__ void rope(tc_mut tc_shape(tokens, heads, 2 * half) tc_tile(1, 1, 2 * half)
                         tc_at(blockIdx.x, blockIdx.y, 0) float *q,
                     tc_shared tc_shape(tokens) const int *positions,
                     tc_shared tc_shape(half) const float *frequency,
                     int tokens, int heads, int half)
{
    float *head = q + (size_t)(blockIdx.x * heads + blockIdx.y) * (2 * half);
    const int p = positions[blockIdx.x];
    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        float s, c;
        sincosf(p * frequency[i], &s, &c);
        const float a = head[i], b = head[i + half];
        head[i] = a * c - b * s;
        head[i + half] = a * s + b * c;
    }
}
