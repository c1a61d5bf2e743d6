// Attention of a decode step, from the fused projection on: RMSNorm and RoPE of the new token's heads of q and k, its k and v put where the caches have
// them, and attention over the caches with them.
//
// Shapes: qkv is (heads + 2 kv_heads) x 128 as the projection leaves it, heads = kv_heads x group, the caches are capacity x kv_heads x 128, cosines and
// sines capacity x 64, position one number: where the new token stands; out is heads x 128; bf16, sums in float. A block has one head of k and v, its group of
// up to 8 heads of q, and all of the cache, or where that is long a split of it. Each block makes the new k and v itself, in shared memory: those of the first
// split are stored, and nobody reads that row of the caches.
// Proved for all sizes, under the fact that position is within the capacity: every access is in bounds, no block reads what another one stores, every row of
// out, or of every split, is written, each by one block.
#include "../attention/decode_part.cuh"
#include "attend_shape.h"
#include "q3_head.cuh"
#include "q3_kernels.h"

#include <tilecheck.h>

constexpr int WARPS = 8, THREADS = 32 * WARPS;

// The new token's heads in shared memory, the tokens before it in the caches.
struct step_cache {
    const bf16 (*q)[D], *new_key, *new_value, *k, *v;
    int64_t ld;
    int place;

    __device__ __forceinline__ uint4 query(int r, int i, int d) const { return *reinterpret_cast<const uint4 *>(&q[r][i + d]); }
    __device__ __forceinline__ const bf16 *keys(int tile) const { return k + (int64_t)(tile * KEYS) * ld; }
    __device__ __forceinline__ const bf16 *values(int tile) const { return v + (int64_t)(tile * KEYS) * ld; }
    __device__ __forceinline__ uint4 key(const bf16 *at, int tile, int row, int i, int d) const { return old_or_new(at, new_key, tile, row, i, d); }
    __device__ __forceinline__ uint4 value(const bf16 *at, int tile, int row, int i, int d) const { return old_or_new(at, new_value, tile, row, i, d); }
    __device__ __forceinline__ uint4 old_or_new(const bf16 *at, const bf16 *fresh, int tile, int row, int i, int d) const
    {
        if (tile * KEYS + row == place)
            return *reinterpret_cast<const uint4 *>(fresh + i + d);
        return *reinterpret_cast<const uint4 *>(at + row * ld + i);
    }
};

struct step_heads {
    bf16 q[Q3_GROUP_MOST][D], key[D], value[D];
};

__device__ inline void put_head(bf16 *to, duo low, duo high)
{
    const int at = threadIdx.x % 32 * 2;
    *(duo *)(to + at) = low;
    *(duo *)(to + at + HALF) = high;
}

// Warp w has head w of the group's q; the last one the new k, the one before it the new v. All threads of the block come here together.
__device__ inline void make_heads(step_heads &to, bf16 *keys, bf16 *values, const bf16 *qkv, const turn &of_q, const turn &of_k, int place, int kv_heads,
                                  int group, float eps)
{
    const int warp = threadIdx.x / 32, at = threadIdx.x % 32 * 2, head = blockIdx.y;
    const int64_t row = ((int64_t)place * kv_heads + head) * D;
    if (warp < group) {
        const bf16 *in = qkv + (int64_t)(head * group + warp) * D;
        duo low = *(const duo *)(in + at), high = *(const duo *)(in + at + HALF);
        turn_head(low, high, of_q, eps);
        put_head(to.q[warp], low, high);
    }
    if (warp >= WARPS - 2) {
        const bool is_key = warp == WARPS - 1;
        const bf16 *in = qkv + (int64_t)(kv_heads * (group + !is_key) + head) * D;
        duo low = *(const duo *)(in + at), high = *(const duo *)(in + at + HALF);
        if (is_key)
            turn_head(low, high, of_k, eps);
        put_head(is_key ? to.key : to.value, low, high);
        if (blockIdx.x == 0)
            put_head((is_key ? keys : values) + row, low, high);
    }
    __syncthreads();
}

template <typename O>
__device__ inline void attend_new(O *out, float *lse, bf16 *keys, bf16 *values, const bf16 *qkv, const bf16 *q_norm, const bf16 *k_norm, const bf16 *cosines,
                                  const bf16 *sines, const int *position, int kv_heads, int group, int splits, float eps, float scale)
{
    __shared__ __align__(16) step_heads heads;
    tk_let_next_start();
    const int place = position[0]; // what no kernel of a step writes but the last is read before the wait
    const turn of_q = turn_of(q_norm, cosines, sines, place), of_k = turn_of(k_norm, cosines, sines, place);
    tk_wait_for_previous();
    make_heads(heads, keys, values, qkv, of_q, of_k, place, kv_heads, group, eps);
    const int head = blockIdx.y;
    const step_cache cache = {heads.q, heads.key, heads.value, keys + head * D, values + head * D, (int64_t)kv_heads * D, place};
    attend<bf16, O, D, WARPS, Q3_GROUP_MOST>(out, lse, cache, place + 1, scale, kv_heads, group, 1, splits, 0);
}

tc_block(THREADS) tc_grid(1, kv_heads)
tc_requires(kv_heads >= 1 && kv_heads <= 1024 && group >= 1 && group <= Q3_GROUP_MOST && capacity >= 1 && capacity <= 1 << 24)
__global__ void __launch_bounds__(THREADS)
    attend_step(tc_out tc_shape(kv_heads, group, D) tc_tile(1, group, D) tc_at(blockIdx.y, 0, 0) bf16 *out,
                tc_mut tc_shape(capacity, kv_heads, D) tc_align(16) bf16 *keys, tc_mut tc_shape(capacity, kv_heads, D) tc_align(16) bf16 *values,
                tc_shared tc_shape(kv_heads * (group + 2), D) tc_align(4) const bf16 *qkv,
                tc_shared tc_shape(D) tc_align(4) const bf16 *q_norm, tc_shared tc_shape(D) tc_align(4) const bf16 *k_norm,
                tc_shared tc_shape(capacity, HALF) tc_align(4) const bf16 *cosines, tc_shared tc_shape(capacity, HALF) tc_align(4) const bf16 *sines,
                tc_shared tc_shape(1) tc_range(0, capacity) const int *position, int kv_heads, int group, int capacity, float eps, float scale)
{
    attend_new<bf16>(out, (float *)nullptr, keys, values, qkv, q_norm, k_norm, cosines, sines, position, kv_heads, group, 1, eps, scale);
}

tc_block(THREADS) tc_grid(splits, kv_heads)
tc_requires(kv_heads >= 1 && kv_heads <= 1024 && group >= 1 && group <= Q3_GROUP_MOST && capacity >= 1 && capacity <= 1 << 24)
tc_requires(splits >= 1 && splits <= MAX_SPLITS)
__global__ void __launch_bounds__(THREADS)
    attend_step_split(tc_out tc_shape(kv_heads, group, splits, D) tc_tile(1, group, 1, D) tc_at(blockIdx.y, 0, blockIdx.x, 0) float *part,
                      tc_out tc_shape(kv_heads, group, splits) tc_tile(1, group, 1) tc_at(blockIdx.y, 0, blockIdx.x) float *lse,
                      tc_mut tc_shape(capacity, kv_heads, D) tc_align(16) bf16 *keys, tc_mut tc_shape(capacity, kv_heads, D) tc_align(16) bf16 *values,
                      tc_shared tc_shape(kv_heads * (group + 2), D) tc_align(4) const bf16 *qkv,
                      tc_shared tc_shape(D) tc_align(4) const bf16 *q_norm, tc_shared tc_shape(D) tc_align(4) const bf16 *k_norm,
                      tc_shared tc_shape(capacity, HALF) tc_align(4) const bf16 *cosines, tc_shared tc_shape(capacity, HALF) tc_align(4) const bf16 *sines,
                      tc_shared tc_shape(1) tc_range(0, capacity) const int *position, int kv_heads, int group, int splits, int capacity, float eps, float scale)
{
    attend_new<float>(part, lse, keys, values, qkv, q_norm, k_norm, cosines, sines, position, kv_heads, group, splits, eps, scale);
}

// ---- host ----

static size_t bytes_of(int64_t heads, int64_t splits) { return splits > 1 ? (size_t)(heads * splits * (D + 1)) * sizeof(float) : 0; }

extern "C" size_t q3_attend_workspace(int64_t heads, int64_t kv_heads, int64_t capacity)
{
    return heads < 1 || heads > 8192 || capacity < 1 || capacity > 1 << 24 ? 0 : bytes_of(heads, q3_attend_splits(kv_heads, capacity));
}

static tk_status check_aligned(const void *p, const char *name, size_t bytes)
{
    if (p == nullptr)
        return tk_fail(TK_NULL, "%s is null", name);
    return tk_is_aligned(p, bytes) ? TK_OK : tk_fail(TK_ALIGNMENT, "%s is %p, not aligned to %d bytes", name, p, (int)bytes);
}

static tk_status check_sizes(int64_t kv_heads, int64_t group, int64_t capacity)
{
    if (kv_heads < 1 || kv_heads > 1024 || group < 1 || group > Q3_GROUP_MOST)
        return tk_fail(TK_SHAPE, "%lld heads of k and v with %lld of q each: 1 to 1024 with 1 to %d are supported", (long long)kv_heads, (long long)group,
                       Q3_GROUP_MOST);
    if (capacity < 1 || capacity > 1 << 24)
        return tk_fail(TK_SIZE, "a cache of %lld tokens: up to 2^24 are supported", (long long)capacity);
    return TK_OK;
}

static tk_status check_new(const void *qkv, const void *q_norm, const void *k_norm, const void *cosines, const void *sines)
{
    TK_TRY(check_pairs(qkv, "qkv"));
    TK_TRY(check_pairs(q_norm, "q_norm"));
    TK_TRY(check_pairs(k_norm, "k_norm"));
    TK_TRY(check_pairs(cosines, "cosines"));
    return check_pairs(sines, "sines");
}

static tk_status check_apart(void *out, void *keys, void *values, const void *qkv, const void *q_norm, const void *k_norm, const void *cosines,
                             const void *sines, const int32_t *position, int64_t heads, int64_t kv_heads, int64_t capacity, tk_workspace w, size_t bytes)
{
    const int64_t cache = capacity * kv_heads * D, angles = capacity * HALF;
    const tk_tensor vectors[] = {tk_vector(out, TK_BF16, heads * D), tk_vector(keys, TK_BF16, cache), tk_vector(values, TK_BF16, cache),
                                 tk_vector((void *)qkv, TK_BF16, (heads + 2 * kv_heads) * D), tk_vector((void *)q_norm, TK_BF16, D),
                                 tk_vector((void *)k_norm, TK_BF16, D), tk_vector((void *)cosines, TK_BF16, angles),
                                 tk_vector((void *)sines, TK_BF16, angles), tk_vector((void *)position, TK_I32, 1)};
    const char *const names[] = {"out", "keys", "values", "qkv", "q_norm", "k_norm", "cosines", "sines", "position"};
    const tk_tensor *at[9];
    for (int i = 0; i < 9; ++i)
        at[i] = &vectors[i];
    TK_TRY(tk_check_vectors(9, 3, vectors, names));
    return tk_check_scratch(w, bytes, 9, at, names);
}

extern "C" tk_status q3_attend(void *out, void *keys, void *values, const void *qkv, const void *q_norm, const void *k_norm, const void *cosines,
                               const void *sines, const int32_t *position, int64_t heads, int64_t kv_heads, int64_t capacity, float eps, float scale,
                               tk_workspace w, tk_stream stream)
{
    const int64_t group = kv_heads > 0 ? heads / kv_heads : 0, splits = q3_attend_splits(kv_heads, capacity);
    TK_TRY(check_sizes(kv_heads, group, capacity));
    if (heads != kv_heads * group)
        return tk_fail(TK_SHAPE, "%lld heads are no multiple of %lld heads of k and v", (long long)heads, (long long)kv_heads);
    TK_TRY(check_aligned(out, "out", sizeof(bf16)));
    TK_TRY(check_aligned(keys, "keys", 16));
    TK_TRY(check_aligned(values, "values", 16));
    TK_TRY(check_new(qkv, q_norm, k_norm, cosines, sines));
    TK_TRY(check_aligned(position, "position", sizeof *position));
    TK_TRY(tk_check_eps(eps));
    if (!(scale > 0.0f && scale <= 2.0e38f))
        return tk_fail(TK_VALUE, "scale is %g, not above 0 and at most 2e38", (double)scale);
    TK_TRY(check_apart(out, keys, values, qkv, q_norm, k_norm, cosines, sines, position, heads, kv_heads, capacity, w, bytes_of(heads, splits)));
    const float log2_scale = scale * 1.44269504f;
    if (splits == 1) {
        tk_launch(attend_step, dim3(1, (unsigned)kv_heads), THREADS, 0, stream, (bf16 *)out, (bf16 *)keys, (bf16 *)values, (const bf16 *)qkv,
                  (const bf16 *)q_norm, (const bf16 *)k_norm, (const bf16 *)cosines, (const bf16 *)sines, (const int *)position, (int)kv_heads, (int)group,
                  (int)capacity, eps, log2_scale);
        return tk_launched("attend_step");
    }
    if (splits < 1 || splits > MAX_SPLITS)
        return tk_fail(TK_SIZE, "%lld splits of the cache", (long long)splits);
    TK_TRY(tk_check_workspace(w, bytes_of(heads, splits)));
    float *const part = (float *)w.data, *const lse = part + heads * splits * D;
    TK_TRY(check_aligned(part, "the workspace", 16));
    tk_launch(attend_step_split, dim3((unsigned)splits, (unsigned)kv_heads), THREADS, 0, stream, part, lse, (bf16 *)keys, (bf16 *)values, (const bf16 *)qkv,
              (const bf16 *)q_norm, (const bf16 *)k_norm, (const bf16 *)cosines, (const bf16 *)sines, (const int *)position, (int)kv_heads, (int)group,
              (int)splits, (int)capacity, eps, log2_scale);
    TK_TRY(tk_launched("attend_step_split"));
    tk_launch(decode_combine<bf16, D>, dim3((unsigned)heads, 1), COMBINE_THREADS, 0, stream, (bf16 *)out, (const float *)part, (const float *)lse, 1,
              (int)heads, (int)splits, heads * D);
    return tk_launched("decode_combine");
}
