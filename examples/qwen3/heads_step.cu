// Between the projections and attention: RMSNorm of each head of q and k, RoPE, and k and v put where the cache has them.
//
// Shapes: qkv is tokens x (heads + 2 kv_heads) x 128 as the fused projection leaves it, q is tokens x heads x 128, the caches are
// capacity x kv_heads x 128, cosines and sines capacity x 64, position one number: where the first token stands; bf16, sums in float. A warp has a head of
// a token, a lane the elements 2 i, 2 i + 1 and 64 on.
// Proved for all sizes, under the fact that position + tokens <= capacity: every access is in bounds, no two blocks write one element of q or of a cache.
#include "q3_head.cuh"
#include "q3_kernels.h"
#include "tk_host.h"

#include <tilecheck.h>

constexpr int WARPS = 4, THREADS = 32 * WARPS;

tc_block(THREADS) tc_grid(tc_cdiv(heads + 2 * kv_heads, WARPS), tokens)
tc_requires(heads >= 1 && kv_heads >= 1 && heads <= 1024 && kv_heads <= 1024)
tc_requires(tokens >= 1 && tokens <= 65535 && tokens <= capacity && capacity <= 1 << 24)
__global__ void heads_step(tc_out tc_shape(tokens, heads, D) tc_align(4) bf16 *q,
                           tc_mut tc_shape(capacity, kv_heads, D) tc_align(4) bf16 *keys, tc_mut tc_shape(capacity, kv_heads, D) tc_align(4) bf16 *values,
                           tc_shared tc_shape(tokens, heads + 2 * kv_heads, D) tc_align(4) const bf16 *qkv,
                           tc_shared tc_shape(D) tc_align(4) const bf16 *q_norm, tc_shared tc_shape(D) tc_align(4) const bf16 *k_norm,
                           tc_shared tc_shape(capacity, HALF) tc_align(4) const bf16 *cosines,
                           tc_shared tc_shape(capacity, HALF) tc_align(4) const bf16 *sines,
                           tc_shared tc_shape(1) tc_range(0, capacity - tokens + 1) const int *position,
                           int tokens, int heads, int kv_heads, int capacity, float eps)
{
    tk_let_next_start();
    const int head = blockIdx.x * WARPS + threadIdx.x / 32, all = heads + 2 * kv_heads;
    const int token = blockIdx.y, at = threadIdx.x % 32 * 2;
    const int place = position[0] + token; // what no kernel of a step writes but the last is read before the wait
    const turn by = turn_of(head < heads ? q_norm : k_norm, cosines, sines, place);
    tk_wait_for_previous();
    if (head >= all)
        return;
    const bf16 *in = qkv + ((long long)token * all + head) * D;
    duo low = *(const duo *)(in + at), high = *(const duo *)(in + at + HALF);
    if (head < heads + kv_heads)
        turn_head(low, high, by, eps);
    bf16 *out;
    if (head < heads)
        out = q + ((long long)token * heads + head) * D;
    else if (head < heads + kv_heads)
        out = keys + ((long long)place * kv_heads + head - heads) * D;
    else
        out = values + ((long long)place * kv_heads + head - heads - kv_heads) * D;
    *(duo *)(out + at) = low;
    *(duo *)(out + at + HALF) = high;
}

// ---- host ----

extern "C" tk_status q3_heads(void *q, void *keys, void *values, const void *qkv, const void *q_norm, const void *k_norm, const void *cosines,
                              const void *sines, const int32_t *position, int64_t tokens, int64_t heads, int64_t kv_heads, int64_t capacity, float eps,
                              tk_stream stream)
{
    if (tokens == 0)
        return TK_OK;
    if (heads < 1 || kv_heads < 1 || heads > 1024 || kv_heads > 1024)
        return tk_fail(TK_SHAPE, "%lld heads and %lld heads of k and v: 1 to 1024 are supported", (long long)heads, (long long)kv_heads);
    if (capacity < 1 || capacity > 1 << 24)
        return tk_fail(TK_SIZE, "a cache of %lld tokens: up to 2^24 are supported", (long long)capacity);
    if (tokens < 0 || tokens > 65535 || tokens > capacity)
        return tk_fail(TK_SIZE, "%lld tokens: up to 65535 at a time, and no more than the cache holds", (long long)tokens);
    TK_TRY(check_pairs(q, "q"));
    TK_TRY(check_pairs(keys, "keys"));
    TK_TRY(check_pairs(values, "values"));
    TK_TRY(check_pairs(qkv, "qkv"));
    TK_TRY(check_pairs(q_norm, "q_norm"));
    TK_TRY(check_pairs(k_norm, "k_norm"));
    TK_TRY(check_pairs(cosines, "cosines"));
    TK_TRY(check_pairs(sines, "sines"));
    if (position == nullptr)
        return tk_fail(TK_NULL, "position is null");
    TK_TRY(tk_check_eps(eps));
    const int64_t cache = capacity * kv_heads * D, angles = capacity * HALF;
    const tk_tensor vectors[] = {tk_vector(q, TK_BF16, tokens * heads * D), tk_vector(keys, TK_BF16, cache), tk_vector(values, TK_BF16, cache),
                                 tk_vector((void *)qkv, TK_BF16, tokens * (heads + 2 * kv_heads) * D), tk_vector((void *)q_norm, TK_BF16, D),
                                 tk_vector((void *)k_norm, TK_BF16, D), tk_vector((void *)cosines, TK_BF16, angles),
                                 tk_vector((void *)sines, TK_BF16, angles), tk_vector((void *)position, TK_I32, 1)};
    const char *const names[] = {"q", "keys", "values", "qkv", "q_norm", "k_norm", "cosines", "sines", "position"};
    TK_TRY(tk_check_vectors(9, 3, vectors, names));
    const dim3 grid((unsigned)((heads + 2 * kv_heads + WARPS - 1) / WARPS), (unsigned)tokens);
    tk_launch(heads_step, grid, THREADS, 0, stream, (bf16 *)q, (bf16 *)keys, (bf16 *)values, (const bf16 *)qkv, (const bf16 *)q_norm, (const bf16 *)k_norm,
              (const bf16 *)cosines, (const bf16 *)sines, position, (int)tokens, (int)heads, (int)kv_heads, (int)capacity, eps);
    return tk_launched("heads_step");
}
