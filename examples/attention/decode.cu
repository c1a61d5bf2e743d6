// Attention of one new token of each sequence over its cache of keys and values, contiguous or in pages.
//
// Shapes: q and out are batch x heads x D, the cache is batch x capacity x heads_kv x D, or pages x page_size x heads_kv x D with a table of the
// pages of each sequence. A block has one split of the cache and up to 16 query heads of one head of keys: they are the 16 rows of products on the
// tensor cores, so that keys and values come from memory once, straight into registers. No key passes through shared memory: along the head
// dimension a product may take its terms in any order, so lane l has 16 bytes of its key as they lie there, and q lies in the same order; the columns
// of the second product are numbered such that 16 bytes of a value are what a lane needs as well. Each warp has every fourth tile of 16 keys, the
// next keys under way while it works; at the end the warps are put together, and a second kernel puts the splits together.
//
// Proved for all sizes that the contracts allow: reads of the cache stay in it, in pages too where the table's entries do (tc_forall), with any
// lengths; every row of every split is written, each by one block; no two threads race over the parts of the warps.
#include "attention_host.h"
#include "decode_part.cuh"
#include "tk_attention.h"

#include <tilecheck.h>

constexpr int WARPS = 4, THREADS = WARPS * 32;
template <int D> constexpr int BLOCKS = D == 64 ? 4 : 2; // on a multiprocessor, by their registers

// Queries, keys and values of one sequence and head in global memory; start_of gives where a tile of 16 keys begins.
template <typename T, int D, typename Starts> struct cache_of {
    const T *q, *k, *v;
    int64_t ld;
    int head, group;
    Starts start_of;

    __device__ __forceinline__ uint4 query(int r, int i, int d) const { return *reinterpret_cast<const uint4 *>(q + (int64_t)(head * group + r) * D + i + d); }
    __device__ __forceinline__ const T *keys(int tile) const { return k + start_of(tile) + head * D; }
    __device__ __forceinline__ const T *values(int tile) const { return v + start_of(tile) + head * D; }
    __device__ __forceinline__ uint4 key(const T *at, int, int row, int i, int) const { return *reinterpret_cast<const uint4 *>(at + row * ld + i); }
    __device__ __forceinline__ uint4 value(const T *at, int, int row, int i, int) const { return *reinterpret_cast<const uint4 *>(at + row * ld + i); }
};

template <typename T, typename O, int D, typename Starts>
__device__ __forceinline__ void attend_in(O *out, float *lse, const T *q, const T *k, const T *v, int length, float scale, int heads_kv, int group, int groups,
                                          int splits, int64_t ld_out, int64_t ld_q, int64_t ld, Starts start_of)
{
    const int b = blockIdx.z, head = blockIdx.y / groups;
    const cache_of<T, D, Starts> cache = {q + b * ld_q, k, v, ld, head, group, start_of};
    attend<T, O, D, WARPS, ROWS>(out, lse, cache, length, scale, heads_kv, group, groups, splits, ld_out);
}

// ---- a contiguous cache ----

template <typename T, int D>
tc_block(THREADS) tc_grid(splits, heads_kv * groups, batch)
tc_requires(batch >= 1 && batch < 65536 && heads_kv >= 1 && heads_kv < 65536 && group >= 1 && group < 65536)
tc_requires(groups == tc_cdiv(group, ROWS) && heads_kv * group < 65536 && heads_kv * groups < 65536 && splits >= 1 && splits <= MAX_SPLITS)
tc_requires(ld_q % 8 == 0 && ld_q >= heads_kv * group * D && ld_q <= 1 << 24)
tc_requires(capacity >= 0 && capacity <= 1 << 24 && ld % 8 == 0 && ld >= heads_kv * D && ld <= 1 << 22)
tc_requires(ld_batch % 8 == 0 && ld_batch >= capacity * ld && ld_batch <= 1ll << 46)
__global__ void __launch_bounds__(THREADS, BLOCKS<D>)
    decode_split(tc_out tc_shape(batch, heads_kv, group, splits, D) tc_tile(1, 1, ROWS, 1, D)
                     tc_at(blockIdx.z, blockIdx.y / groups, blockIdx.y % groups, blockIdx.x, 0) float *part,
                 tc_out tc_shape(batch, heads_kv, group, splits) tc_tile(1, 1, ROWS, 1)
                     tc_at(blockIdx.z, blockIdx.y / groups, blockIdx.y % groups, blockIdx.x) float *lse,
                 tc_shared tc_shape(batch, heads_kv, group, D) tc_stride(ld_q, group * D, D, 1) tc_align(16) const T *q,
                 tc_shared tc_shape(batch, capacity, heads_kv, D) tc_stride(ld_batch, ld, D, 1) tc_align(16) const T *k,
                 tc_shared tc_shape(batch, capacity, heads_kv, D) tc_stride(ld_batch, ld, D, 1) tc_align(16) const T *v,
                 tc_shared tc_shape(batch) const int *lengths, float scale, int batch, int heads_kv, int group, int groups, int splits,
                 int capacity, int64_t ld_q, int64_t ld_batch, int64_t ld)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int b = blockIdx.z, length = min(max(lengths[b], 0), capacity);
    attend_in<T, float, D>(part, lse, q, k, v, length, scale, heads_kv, group, groups, splits, 0, ld_q, ld,
                        [=](int tile) { return b * ld_batch + (int64_t)(tile * KEYS) * ld; });
}

template <typename T, int D>
tc_block(THREADS) tc_grid(1, heads_kv * groups, batch)
tc_requires(batch >= 1 && batch < 65536 && heads_kv >= 1 && heads_kv < 65536 && group >= 1 && group < 65536)
tc_requires(groups == tc_cdiv(group, ROWS) && heads_kv * group < 65536 && heads_kv * groups < 65536)
tc_requires(ld_out >= heads_kv * group * D && ld_out <= 1 << 24 && ld_q % 8 == 0 && ld_q >= heads_kv * group * D && ld_q <= 1 << 24)
tc_requires(capacity >= 0 && capacity <= 1 << 24 && ld % 8 == 0 && ld >= heads_kv * D && ld <= 1 << 22)
tc_requires(ld_batch % 8 == 0 && ld_batch >= capacity * ld && ld_batch <= 1ll << 46)
__global__ void __launch_bounds__(THREADS, BLOCKS<D>)
    decode_whole(tc_out tc_shape(batch, heads_kv, group, D) tc_stride(ld_out, group * D, D, 1) tc_tile(1, 1, ROWS, D)
                     tc_at(blockIdx.z, blockIdx.y / groups, blockIdx.y % groups, 0) T *out,
                 tc_shared tc_shape(batch, heads_kv, group, D) tc_stride(ld_q, group * D, D, 1) tc_align(16) const T *q,
                 tc_shared tc_shape(batch, capacity, heads_kv, D) tc_stride(ld_batch, ld, D, 1) tc_align(16) const T *k,
                 tc_shared tc_shape(batch, capacity, heads_kv, D) tc_stride(ld_batch, ld, D, 1) tc_align(16) const T *v,
                 tc_shared tc_shape(batch) const int *lengths, float scale, int batch, int heads_kv, int group, int groups,
                 int capacity, int64_t ld_out, int64_t ld_q, int64_t ld_batch, int64_t ld)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int b = blockIdx.z, length = min(max(lengths[b], 0), capacity);
    attend_in<T, T, D>(out, (float *)nullptr, q, k, v, length, scale, heads_kv, group, groups, 1, ld_out, ld_q, ld,
                    [=](int tile) { return b * ld_batch + (int64_t)(tile * KEYS) * ld; });
}

// ---- pages; a page is page_tiles tiles of 16 keys ----

template <typename T, int D>
tc_block(THREADS) tc_grid(splits, heads_kv * groups, batch)
tc_requires(batch >= 1 && batch < 65536 && heads_kv >= 1 && heads_kv < 65536 && group >= 1 && group < 65536)
tc_requires(groups == tc_cdiv(group, ROWS) && heads_kv * group < 65536 && heads_kv * groups < 65536 && splits >= 1 && splits <= MAX_SPLITS)
tc_requires(ld_q % 8 == 0 && ld_q >= heads_kv * group * D && ld_q <= 1 << 24)
tc_requires(page_tiles >= 1 && page_tiles <= 1 << 20 && max_pages >= 0 && max_pages * page_tiles <= 1 << 20)
tc_requires(pages >= 0 && pages <= 1 << 26 && ld % 8 == 0 && ld >= heads_kv * D && ld <= 1 << 22)
tc_requires(ld_page % 8 == 0 && ld_page >= page_tiles * KEYS * ld && ld_page <= 1ll << 36)
tc_forall(s, p; p * page_tiles * KEYS >= lengths[s] || (table[s][p] >= 0 && table[s][p] < pages))
__global__ void __launch_bounds__(THREADS, BLOCKS<D>)
    decode_pages_split(tc_out tc_shape(batch, heads_kv, group, splits, D) tc_tile(1, 1, ROWS, 1, D)
                           tc_at(blockIdx.z, blockIdx.y / groups, blockIdx.y % groups, blockIdx.x, 0) float *part,
                       tc_out tc_shape(batch, heads_kv, group, splits) tc_tile(1, 1, ROWS, 1)
                           tc_at(blockIdx.z, blockIdx.y / groups, blockIdx.y % groups, blockIdx.x) float *lse,
                       tc_shared tc_shape(batch, heads_kv, group, D) tc_stride(ld_q, group * D, D, 1) tc_align(16) const T *q,
                       tc_shared tc_shape(pages, page_tiles * KEYS, heads_kv, D) tc_stride(ld_page, ld, D, 1) tc_align(16)
                           const T *k,
                       tc_shared tc_shape(pages, page_tiles * KEYS, heads_kv, D) tc_stride(ld_page, ld, D, 1) tc_align(16)
                           const T *v,
                       tc_shared tc_shape(batch, max_pages) const int *table, tc_shared tc_shape(batch) const int *lengths,
                       float scale, int batch, int heads_kv, int group, int groups, int splits, int pages, int page_tiles, int max_pages,
                       int64_t ld_q, int64_t ld_page, int64_t ld)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int b = blockIdx.z, length = min(max(lengths[b], 0), max_pages * page_tiles * KEYS);
    attend_in<T, float, D>(part, lse, q, k, v, length, scale, heads_kv, group, groups, splits, 0, ld_q, ld, [=](int tile) {
        const int row = tile % page_tiles * KEYS;
        tc_assert(row + KEYS <= page_tiles * KEYS);
        return table[(int64_t)b * max_pages + tile / page_tiles] * ld_page + (int64_t)row * ld;
    });
}

template <typename T, int D>
tc_block(THREADS) tc_grid(1, heads_kv * groups, batch)
tc_requires(batch >= 1 && batch < 65536 && heads_kv >= 1 && heads_kv < 65536 && group >= 1 && group < 65536)
tc_requires(groups == tc_cdiv(group, ROWS) && heads_kv * group < 65536 && heads_kv * groups < 65536)
tc_requires(ld_out >= heads_kv * group * D && ld_out <= 1 << 24 && ld_q % 8 == 0 && ld_q >= heads_kv * group * D && ld_q <= 1 << 24)
tc_requires(page_tiles >= 1 && page_tiles <= 1 << 20 && max_pages >= 0 && max_pages * page_tiles <= 1 << 20)
tc_requires(pages >= 0 && pages <= 1 << 26 && ld % 8 == 0 && ld >= heads_kv * D && ld <= 1 << 22)
tc_requires(ld_page % 8 == 0 && ld_page >= page_tiles * KEYS * ld && ld_page <= 1ll << 36)
tc_forall(s, p; p * page_tiles * KEYS >= lengths[s] || (table[s][p] >= 0 && table[s][p] < pages))
__global__ void __launch_bounds__(THREADS, BLOCKS<D>)
    decode_pages_whole(tc_out tc_shape(batch, heads_kv, group, D) tc_stride(ld_out, group * D, D, 1) tc_tile(1, 1, ROWS, D)
                           tc_at(blockIdx.z, blockIdx.y / groups, blockIdx.y % groups, 0) T *out,
                       tc_shared tc_shape(batch, heads_kv, group, D) tc_stride(ld_q, group * D, D, 1) tc_align(16) const T *q,
                       tc_shared tc_shape(pages, page_tiles * KEYS, heads_kv, D) tc_stride(ld_page, ld, D, 1) tc_align(16)
                           const T *k,
                       tc_shared tc_shape(pages, page_tiles * KEYS, heads_kv, D) tc_stride(ld_page, ld, D, 1) tc_align(16)
                           const T *v,
                       tc_shared tc_shape(batch, max_pages) const int *table, tc_shared tc_shape(batch) const int *lengths,
                       float scale, int batch, int heads_kv, int group, int groups, int pages, int page_tiles, int max_pages, int64_t ld_out,
                       int64_t ld_q, int64_t ld_page, int64_t ld)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int b = blockIdx.z, length = min(max(lengths[b], 0), max_pages * page_tiles * KEYS);
    attend_in<T, T, D>(out, (float *)nullptr, q, k, v, length, scale, heads_kv, group, groups, 1, ld_out, ld_q, ld, [=](int tile) {
        const int row = tile % page_tiles * KEYS;
        tc_assert(row + KEYS <= page_tiles * KEYS);
        return table[(int64_t)b * max_pages + tile / page_tiles] * ld_page + (int64_t)row * ld;
    });
}

// ---- host ----

// What the tensors of a call come to.
struct shape {
    int64_t batch, heads, heads_kv, dim, group, groups, splits;
    int64_t ld_out, ld_q, ld; // from one token to the next
};

// How full the waves are that so many blocks make.
static double fullness(int64_t blocks, int64_t wave)
{
    const int64_t waves = (blocks + wave - 1) / wave;
    return (double)blocks / ((double)waves * (double)wave);
}

// As few splits as fill the waves to 95 % of what any number of them would; of 8 tiles at least, two for a warp.
static int64_t splits_of(int64_t blocks, int64_t dim, int64_t capacity)
{
    int device = 0, processors = 0;
    if (blocks < 1 || blocks > 1 << 20 || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess || processors < 1 || processors > 1 << 20)
        return 1;
    const int64_t wave = (int64_t)processors * (dim == 64 ? BLOCKS<64> : BLOCKS<128>);
    const int64_t tiles = (capacity + KEYS - 1) / KEYS, most = tiles / 8 < MAX_SPLITS ? tiles / 8 : MAX_SPLITS;
    double best = 0;
    for (int64_t splits = 1; splits <= most; ++splits)
        best = fullness(blocks * splits, wave) > best ? fullness(blocks * splits, wave) : best;
    for (int64_t splits = 1; splits <= most; ++splits)
        if (fullness(blocks * splits, wave) >= 0.95 * best)
            return splits;
    return 1;
}

static size_t workspace_of(int64_t batch, int64_t heads, int64_t heads_kv, int64_t dim, int64_t capacity)
{
    if (batch < 1 || batch > 65535 || heads < 1 || heads > 65535 || heads_kv < 1 || heads_kv > 65535 || heads % heads_kv || (dim != 64 && dim != 128) ||
        capacity < 0 || capacity > 1 << 24)
        return 0;
    const int64_t groups = (heads / heads_kv + ROWS - 1) / ROWS, splits = splits_of(batch * heads_kv * groups, dim, capacity);
    return splits == 1 ? 0 : (size_t)(batch * heads * splits * (dim + 1)) * sizeof(float);
}

extern "C" size_t tk_attention_decode_workspace(int64_t batch, int64_t heads, int64_t heads_kv, int64_t dim, int64_t capacity)
{
    return workspace_of(batch, heads, heads_kv, dim, capacity);
}

extern "C" size_t tk_attention_decode_paged_workspace(int64_t batch, int64_t heads, int64_t heads_kv, int64_t dim, int64_t max_pages,
                                                      int64_t page_size)
{
    if (max_pages < 0 || page_size < 1 || page_size > 1 << 24 || max_pages > 1 << 24)
        return 0;
    return workspace_of(batch, heads, heads_kv, dim, max_pages * page_size);
}

static tk_status check_all(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *lengths, float scale,
                           shape *s)
{
    const unsigned types = TK_OF(TK_BF16) | TK_OF(TK_F16);
    TK_TRY(tk_check_written(out, "out", 3, types));
    TK_TRY(tk_check(q, "q", 3, TK_OF(out->type)));
    TK_TRY(tk_check(k, "k", 4, TK_OF(out->type)));
    TK_TRY(tk_check(v, "v", 4, TK_OF(out->type)));
    TK_TRY(tk_check(lengths, "lengths", 1, TK_OF(TK_I32)));
    for (int d = 0; d < 3; ++d)
        TK_TRY(tk_check_extent(out, "out", d, q->extent[d]));
    TK_TRY(tk_check_extent(k, "k", 3, q->extent[2]));
    TK_TRY(tk_check_extent(lengths, "lengths", 0, q->extent[0]));
    s->batch = q->extent[0];
    s->heads = q->extent[1];
    s->dim = q->extent[2];
    s->heads_kv = k->extent[2];
    TK_TRY(check_heads(s->dim, s->heads, s->heads_kv, scale));
    TK_TRY(check_tokens(out, "out"));
    TK_TRY(check_tokens(q, "q"));
    TK_TRY(check_cache(k, v));
    TK_TRY(check_dense(lengths, "lengths"));
    TK_TRY(tk_check_apart(out, "out", q, "q", false));
    TK_TRY(tk_check_apart(out, "out", k, "k", false));
    TK_TRY(tk_check_apart(out, "out", v, "v", false));
    TK_TRY(tk_check_apart(out, "out", lengths, "lengths", false));
    if (s->batch > 65535 || s->heads > 65535)
        return tk_fail(TK_SIZE, "a batch of %lld, %lld heads; at most 65535", (long long)s->batch, (long long)s->heads);
    s->group = s->heads_kv ? s->heads / s->heads_kv : 0;
    s->groups = (s->group + ROWS - 1) / ROWS;
    s->ld_out = stride_of(out, 0, s->heads * s->dim);
    s->ld_q = stride_of(q, 0, s->heads * s->dim);
    s->ld = stride_of(k, 1, s->heads_kv * s->dim);
    return TK_OK;
}

template <typename T, int D>
static tk_status combine(T *out, const float *part, const float *lse, const shape *s, tk_stream stream)
{
    const int64_t batch = s->batch, heads = s->heads, splits = s->splits, ld_out = s->ld_out;
    if (batch < 1 || batch > 65535 || heads < 1 || heads > 65535 || splits < 1 || splits > MAX_SPLITS || ld_out < heads * D || ld_out > 1 << 24)
        return tk_fail(TK_SIZE, "more heads or larger strides than are supported");
    if ((uintptr_t)part % 16)
        return tk_fail(TK_ALIGNMENT, "the workspace is not aligned");
    tk_launch(decode_combine<T, D>, dim3((unsigned)heads, (unsigned)batch), COMBINE_THREADS, 0, stream, out, part, lse, (int)batch, (int)heads, (int)splits,
              ld_out);
    return tk_launched("decode_combine");
}

template <typename T, int D>
static tk_status decode(T *out, const T *q, const T *k, const T *v, const int *lengths, int64_t capacity, int64_t ld_batch, float scale,
                        const shape *s, tk_workspace w, tk_stream stream)
{
    const int64_t batch = s->batch, heads_kv = s->heads_kv, group = s->group, groups = s->groups, splits = s->splits;
    const int64_t ld_out = s->ld_out, ld_q = s->ld_q, ld = s->ld;
    if (batch < 1 || batch > 65535 || heads_kv < 1 || heads_kv > 65535 || group < 1 || group > 65535 || groups != (group + ROWS - 1) / ROWS ||
        heads_kv * group > 65535 || heads_kv * groups > 65535 || splits < 1 || splits > MAX_SPLITS)
        return tk_fail(TK_SIZE, "more heads than are supported");
    if (capacity < 0 || capacity > 1 << 24 || ld % 8 || ld < heads_kv * D || ld > 1 << 22 || ld_batch % 8 || ld_batch < capacity * ld ||
        ld_batch > 1ll << 46)
        return tk_fail(TK_SIZE, "k: larger extents or strides than are supported, or sequences that overlap");
    if (ld_q % 8 || ld_q < heads_kv * group * D || ld_q > 1 << 24 || ld_out < heads_kv * group * D || ld_out > 1 << 24)
        return tk_fail(TK_SIZE, "q or out: larger strides than are supported, or tokens that overlap");
    if ((uintptr_t)q % 16 || (uintptr_t)k % 16 || (uintptr_t)v % 16)
        return tk_fail(TK_ALIGNMENT, "a tensor is not aligned to 16 bytes");
    const dim3 grid((unsigned)splits, (unsigned)(heads_kv * groups), (unsigned)batch);
    const float log2_scale = scale * 1.44269504f;
    if (splits == 1) {
        tk_launch(decode_whole<T, D>, dim3(1, (unsigned)(heads_kv * groups), (unsigned)batch), THREADS, 0, stream, out, q, k, v, lengths, log2_scale, (int)batch, (int)heads_kv, (int)group, (int)groups, (int)capacity, ld_out, ld_q, ld_batch, ld);
        return tk_launched("decode_whole");
    }
    float *part = (float *)w.data, *lse = part + batch * heads_kv * group * splits * D;
    tk_launch(decode_split<T, D>, grid, THREADS, 0, stream, part, lse, q, k, v, lengths, log2_scale, (int)batch, (int)heads_kv, (int)group, (int)groups,
                                                     (int)splits, (int)capacity, ld_q, ld_batch, ld);
    TK_TRY(tk_launched("decode_split"));
    return combine<T, D>(out, part, lse, s, stream);
}

template <typename T, int D>
static tk_status decode_pages(T *out, const T *q, const T *k, const T *v, const int *table, const int *lengths, int64_t pages, int64_t page_tiles,
                              int64_t max_pages, int64_t ld_page, float scale, const shape *s, tk_workspace w, tk_stream stream)
{
    const int64_t batch = s->batch, heads_kv = s->heads_kv, group = s->group, groups = s->groups, splits = s->splits;
    const int64_t ld_out = s->ld_out, ld_q = s->ld_q, ld = s->ld;
    if (batch < 1 || batch > 65535 || heads_kv < 1 || heads_kv > 65535 || group < 1 || group > 65535 || groups != (group + ROWS - 1) / ROWS ||
        heads_kv * group > 65535 || heads_kv * groups > 65535 || splits < 1 || splits > MAX_SPLITS)
        return tk_fail(TK_SIZE, "more heads than are supported");
    if (page_tiles < 1 || page_tiles > 1 << 20 || max_pages < 0 || max_pages > 1 << 20 || max_pages * page_tiles > 1 << 20 || pages < 0 ||
        pages > 1 << 26 || ld % 8 || ld < heads_kv * D || ld > 1 << 22 || ld_page % 8 || ld_page < page_tiles * KEYS * ld || ld_page > 1ll << 36)
        return tk_fail(TK_SIZE, "k: larger extents or strides than are supported, or pages that overlap");
    if (ld_q % 8 || ld_q < heads_kv * group * D || ld_q > 1 << 24 || ld_out < heads_kv * group * D || ld_out > 1 << 24)
        return tk_fail(TK_SIZE, "q or out: larger strides than are supported, or tokens that overlap");
    if ((uintptr_t)q % 16 || (uintptr_t)k % 16 || (uintptr_t)v % 16)
        return tk_fail(TK_ALIGNMENT, "a tensor is not aligned to 16 bytes");
    const dim3 grid((unsigned)splits, (unsigned)(heads_kv * groups), (unsigned)batch);
    const float log2_scale = scale * 1.44269504f;
    if (splits == 1) {
        tk_launch(decode_pages_whole<T, D>, dim3(1, (unsigned)(heads_kv * groups), (unsigned)batch), THREADS, 0, stream, out, q, k, v, table, lengths, log2_scale, (int)batch, (int)heads_kv, (int)group, (int)groups, (int)pages, (int)page_tiles,
            (int)max_pages, ld_out, ld_q, ld_page, ld);
        return tk_launched("decode_pages_whole");
    }
    float *part = (float *)w.data, *lse = part + batch * heads_kv * group * splits * D;
    tk_launch(decode_pages_split<T, D>, grid, THREADS, 0, stream, part, lse, q, k, v, table, lengths, log2_scale, (int)batch, (int)heads_kv, (int)group,
                                                           (int)groups, (int)splits, (int)pages, (int)page_tiles, (int)max_pages, ld_q, ld_page, ld);
    TK_TRY(tk_launched("decode_pages_split"));
    return combine<T, D>(out, part, lse, s, stream);
}

// How many splits, and the workspace that they need, which meets no tensor.
static tk_status check_scratch(tk_workspace w, const tk_tensor *const *tensors, const char *const *names, int n, int64_t capacity, shape *s)
{
    const size_t bytes = workspace_of(s->batch, s->heads, s->heads_kv, s->dim, capacity);
    s->splits = bytes ? (int64_t)(bytes / sizeof(float)) / (s->batch * s->heads * (s->dim + 1)) : 1;
    return tk_check_scratch(w, bytes, n, tensors, names);
}

template <typename T>
static tk_status decode_dim(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *lengths, float scale,
                            const shape *s, tk_workspace w, tk_stream stream)
{
    const int64_t capacity = k->extent[1], ld_batch = stride_of(k, 0, capacity * s->ld);
    T *o = (T *)out->data;
    const T *a = (const T *)q->data, *b = (const T *)k->data, *c = (const T *)v->data;
    const int *n = (const int *)lengths->data;
    return s->dim == 64 ? decode<T, 64>(o, a, b, c, n, capacity, ld_batch, scale, s, w, stream)
                        : decode<T, 128>(o, a, b, c, n, capacity, ld_batch, scale, s, w, stream);
}

template <typename T>
static tk_status decode_pages_dim(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *table,
                                  const tk_tensor *lengths, float scale, const shape *s, tk_workspace w, tk_stream stream)
{
    const int64_t pages = k->extent[0], tiles = k->extent[1] / KEYS, most = table->extent[1], ld_page = stride_of(k, 0, k->extent[1] * s->ld);
    T *o = (T *)out->data;
    const T *a = (const T *)q->data, *b = (const T *)k->data, *c = (const T *)v->data;
    const int *t = (const int *)table->data, *n = (const int *)lengths->data;
    return s->dim == 64 ? decode_pages<T, 64>(o, a, b, c, t, n, pages, tiles, most, ld_page, scale, s, w, stream)
                        : decode_pages<T, 128>(o, a, b, c, t, n, pages, tiles, most, ld_page, scale, s, w, stream);
}

extern "C" tk_status tk_attention_decode(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *lengths,
                                         float scale, tk_workspace w, tk_stream stream)
{
    shape s;
    TK_TRY(check_all(out, q, k, v, lengths, scale, &s));
    TK_TRY(tk_check_extent(k, "k", 0, s.batch));
    if (!tk_elements(out))
        return TK_OK;
    const tk_tensor *const tensors[] = {out, q, k, v, lengths};
    const char *const names[] = {"out", "q", "k", "v", "lengths"};
    TK_TRY(check_scratch(w, tensors, names, 5, k->extent[1], &s));
    return out->type == TK_BF16 ? decode_dim<__nv_bfloat16>(out, q, k, v, lengths, scale, &s, w, stream)
                                : decode_dim<__half>(out, q, k, v, lengths, scale, &s, w, stream);
}

extern "C" tk_status tk_attention_decode_paged(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v,
                                               const tk_tensor *table, const tk_tensor *lengths, float scale, tk_workspace w, tk_stream stream)
{
    shape s;
    TK_TRY(check_all(out, q, k, v, lengths, scale, &s));
    TK_TRY(tk_check(table, "table", 2, TK_OF(TK_I32)));
    TK_TRY(tk_check_extent(table, "table", 0, s.batch));
    TK_TRY(tk_check_apart(out, "out", table, "table", false));
    TK_TRY(check_dense(table, "table"));
    if (k->extent[1] < KEYS || k->extent[1] % KEYS)
        return tk_fail(TK_UNSUPPORTED, "pages of %lld tokens; multiples of 16 are supported", (long long)k->extent[1]);
    if (k->extent[1] > 1 << 24 || table->extent[1] > 1 << 24)
        return tk_fail(TK_SIZE, "pages of %lld tokens, %lld of them; at most 2^24", (long long)k->extent[1], (long long)table->extent[1]);
    if (!tk_elements(out))
        return TK_OK;
    const tk_tensor *const tensors[] = {out, q, k, v, table, lengths};
    const char *const names[] = {"out", "q", "k", "v", "table", "lengths"};
    TK_TRY(check_scratch(w, tensors, names, 6, table->extent[1] * k->extent[1], &s));
    return out->type == TK_BF16 ? decode_pages_dim<__nv_bfloat16>(out, q, k, v, table, lengths, scale, &s, w, stream)
                                : decode_pages_dim<__half>(out, q, k, v, table, lengths, scale, &s, w, stream);
}
