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
#include "attention_device.h"
#include "attention_host.h"
#include "tk_attention.h"
#include "tk_device.h"

#include <math.h>
#include <tilecheck.h>

constexpr int WARPS = 4, THREADS = WARPS * 32, ROWS = 16, KEYS = 16, MAX_SPLITS = 128;
constexpr int COMBINE_WARPS = 8, COMBINE_THREADS = COMBINE_WARPS * 32;
template <int D> constexpr int BLOCKS = D == 64 ? 4 : 2; // on a multiprocessor, by their registers

// ---- one split ----

// O is float where there are several splits: then the result goes to the workspace with the logarithm (to base 2) of its sum of weights.
// start_of gives where in the cache a tile of 16 keys begins. The last tile of a sequence is read to its length only.
template <typename T, typename O, int D, typename Starts>
__device__ __forceinline__ void attend(O *out, float *lse, const T *q, const T *k,
                                       const T *v, int length, float scale, int heads_kv, int group, int groups, int splits,
                                       int64_t ld_out, int64_t ld_q, int64_t ld, Starts start_of)
{
    __shared__ __align__(16) float part[WARPS][ROWS][D];
    __shared__ float part_most[WARPS][ROWS], part_sum[WARPS][ROWS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, c = lane % 4;
    const int b = blockIdx.z, head = blockIdx.y / groups, row0 = blockIdx.y % groups * ROWS;

    unsigned a[D / 16][4];
#pragma unroll
    for (int i = 0; i < D / 32; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int r = row0 + g + h * 8;
            uint4 x = make_uint4(0, 0, 0, 0);
            if (r < group)
                x = *reinterpret_cast<const uint4 *>(q + b * ld_q + (int64_t)(head * group + r) * D + i * 32 + c * 8);
            a[2 * i][h] = x.x, a[2 * i][h + 2] = x.y, a[2 * i + 1][h] = x.z, a[2 * i + 1][h + 2] = x.w;
        }

    const int tiles = (length + KEYS - 1) / KEYS, each = (tiles + splits - 1) / splits;
    const int first = blockIdx.x * each, last = min(first + each, tiles);

    float o[D / 8][4] = {};
    float most[2] = {-INFINITY, -INFINITY}, sum[2] = {0.0f, 0.0f};
    uint4 key[2][D / 32], value[4][D / 64];

    auto load_keys = [&](int tile) {
        const T *at = k + start_of(tile) + head * D + c * 8;
#pragma unroll
        for (int n = 0; n < 2; ++n)
#pragma unroll
            for (int i = 0; i < D / 32; ++i) {
                key[n][i] = make_uint4(0, 0, 0, 0);
                if (tile * KEYS + n * 8 + g < length)
                    key[n][i] = *reinterpret_cast<const uint4 *>(at + (n * 8 + g) * ld + i * 32);
            }
    };

    if (first + warp < last)
        load_keys(first + warp);
    for (int tile = first + warp; tile < last; tile += WARPS) {
        const T *at = v + start_of(tile) + head * D + g * 8;
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int i = 0; i < D / 64; ++i) {
                const int r = n / 2 * 8 + c * 2 + n % 2;
                value[n][i] = make_uint4(0, 0, 0, 0); // a weight of 0 would make NaN of what may be there
                if (tile * KEYS + r < length)
                    value[n][i] = *reinterpret_cast<const uint4 *>(at + r * ld + i * 64);
            }

        float s[2][4] = {};
#pragma unroll
        for (int i = 0; i < D / 32; ++i)
#pragma unroll
            for (int n = 0; n < 2; ++n) {
                mma(s[n], a[2 * i], key[n][i].x, key[n][i].y, T());
                mma(s[n], a[2 * i + 1], key[n][i].z, key[n][i].w, T());
            }
        if (tile + WARPS < last)
            load_keys(tile + WARPS);

        float p[2][4];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float top = most[h];
#pragma unroll
            for (int n = 0; n < 4; ++n) {
                float &x = s[n / 2][h * 2 + n % 2];
                x = tile * KEYS + n / 2 * 8 + c * 2 + n % 2 < length ? x * scale : -INFINITY;
                top = fmaxf(top, x);
            }
            top = row_max(top);
            const float shift = finite_or_zero(top), shrink = exp2_fast(most[h] - shift);
            most[h] = top;
            sum[h] *= shrink;
#pragma unroll
            for (int j = 0; j < D / 8; ++j)
                o[j][h * 2] *= shrink, o[j][h * 2 + 1] *= shrink;
#pragma unroll
            for (int n = 0; n < 4; ++n) {
                const float x = exp2_fast(s[n / 2][h * 2 + n % 2] - shift);
                sum[h] += x;
                p[n / 2][h * 2 + n % 2] = x;
            }
        }

        const unsigned w[4] = {pair(p[0][0], p[0][1], T()), pair(p[0][2], p[0][3], T()), pair(p[1][0], p[1][1], T()), pair(p[1][2], p[1][3], T())};
#pragma unroll
        for (int i = 0; i < D / 64; ++i) {
            const uint4 x0 = value[0][i], x1 = value[1][i], x2 = value[2][i], x3 = value[3][i];
            mma(o[8 * i + 0], w, lower(x0.x, x1.x), lower(x2.x, x3.x), T());
            mma(o[8 * i + 1], w, upper(x0.x, x1.x), upper(x2.x, x3.x), T());
            mma(o[8 * i + 2], w, lower(x0.y, x1.y), lower(x2.y, x3.y), T());
            mma(o[8 * i + 3], w, upper(x0.y, x1.y), upper(x2.y, x3.y), T());
            mma(o[8 * i + 4], w, lower(x0.z, x1.z), lower(x2.z, x3.z), T());
            mma(o[8 * i + 5], w, upper(x0.z, x1.z), upper(x2.z, x3.z), T());
            mma(o[8 * i + 6], w, lower(x0.w, x1.w), lower(x2.w, x3.w), T());
            mma(o[8 * i + 7], w, upper(x0.w, x1.w), upper(x2.w, x3.w), T());
        }
    }

    // Column n of product 8 i + e is dimension 64 i + 8 n + e, so that a lane's columns 2 c and 2 c + 1 of eight products are 16 dimensions in a row.
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const float all = row_sum(sum[h]);
        if (c == 0) {
            part_most[warp][g + h * 8] = most[h];
            part_sum[warp][g + h * 8] = all;
        }
#pragma unroll
        for (int i = 0; i < D / 64; ++i)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int half = e / 2, j = 8 * i + e % 2 * 4;
                *reinterpret_cast<float4 *>(&part[warp][g + h * 8][i * 64 + c * 16 + e * 4]) =
                    make_float4(o[j][h * 2 + half], o[j + 1][h * 2 + half], o[j + 2][h * 2 + half], o[j + 3][h * 2 + half]);
            }
    }
    __syncthreads();

    const int d = threadIdx.x % D;
    for (int r = threadIdx.x / D; r < ROWS && row0 + r < group; r += THREADS / D) {
        float top = -INFINITY, total = 0.0f, x = 0.0f;
#pragma unroll
        for (int w = 0; w < WARPS; ++w)
            top = fmaxf(top, part_most[w][r]);
        const float shift = finite_or_zero(top);
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {
            const float weight = exp2_fast(part_most[w][r] - shift);
            total += weight * part_sum[w][r];
            x += weight * part[w][r][d];
        }
        const O result = tk_round<O>(total == 0.0f ? 0.0f : x / total);
        if (sizeof(O) == sizeof(float)) {
            const int64_t at = (((int64_t)b * heads_kv + head) * group + row0 + r) * splits + blockIdx.x;
            out[at * D + d] = result;
            if (d == 0)
                lse[at] = total == 0.0f ? -INFINITY : top + log2f(total);
        } else {
            out[b * ld_out + (int64_t)(head * group + row0 + r) * D + d] = result;
        }
    }
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
    attend<T, float, D>(part, lse, q, k, v, length, scale, heads_kv, group, groups, splits, 0, ld_q, ld,
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
    attend<T, T, D>(out, (float *)nullptr, q, k, v, length, scale, heads_kv, group, groups, 1, ld_out, ld_q, ld,
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
    attend<T, float, D>(part, lse, q, k, v, length, scale, heads_kv, group, groups, splits, 0, ld_q, ld, [=](int tile) {
        return table[(int64_t)b * max_pages + tile / page_tiles] * ld_page + (int64_t)(tile % page_tiles * KEYS) * ld;
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
    attend<T, T, D>(out, (float *)nullptr, q, k, v, length, scale, heads_kv, group, groups, 1, ld_out, ld_q, ld, [=](int tile) {
        return table[(int64_t)b * max_pages + tile / page_tiles] * ld_page + (int64_t)(tile % page_tiles * KEYS) * ld;
    });
}

// ---- all splits: a warp has every eighth one ----

template <typename T, int D>
tc_block(COMBINE_THREADS) tc_grid(heads, batch)
tc_requires(batch >= 1 && batch < 65536 && heads >= 1 && heads < 65536 && splits >= 1 && splits <= MAX_SPLITS)
tc_requires(ld_out >= heads * D && ld_out <= 1 << 24)
__global__ void __launch_bounds__(COMBINE_THREADS)
    decode_combine(tc_out tc_shape(batch, heads, D) tc_stride(ld_out, D, 1) tc_tile(1, 1, D) tc_at(blockIdx.y, blockIdx.x, 0) T *out,
                   tc_shared tc_shape(batch, heads, splits, D) tc_align(16) const float *part,
                   tc_shared tc_shape(batch, heads, splits) const float *lse, int batch, int heads, int splits, int64_t ld_out)
{
    tk_let_next_start();
    tk_wait_for_previous();
    constexpr int W = D / 32;
    __shared__ __align__(16) float sums[COMBINE_WARPS][D];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int64_t row = ((int64_t)blockIdx.y * heads + blockIdx.x) * splits;

    float top = -INFINITY, total = 0.0f, x[W] = {};
    for (int s = lane; s < splits; s += 32)
        top = fmaxf(top, lse[row + s]);
#pragma unroll
    for (int m = 16; m; m /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, m));
    const float shift = finite_or_zero(top);
    for (int s = lane; s < splits; s += 32)
        total += exp2_fast(lse[row + s] - shift);
#pragma unroll
    for (int m = 16; m; m /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, m);

#pragma unroll 4
    for (int s = warp; s < splits; s += COMBINE_WARPS) {
        const float weight = exp2_fast(lse[row + s] - shift);
        const tk_pack<float, W> p = *reinterpret_cast<const tk_pack<float, W> *>(part + (row + s) * D + lane * W);
#pragma unroll
        for (int w = 0; w < W; ++w)
            x[w] += weight * p.at[w];
    }
#pragma unroll
    for (int w = 0; w < W; ++w)
        sums[warp][lane * W + w] = x[w];
    __syncthreads();
    if (threadIdx.x < D) {
        float y = 0.0f;
#pragma unroll
        for (int w = 0; w < COMBINE_WARPS; ++w)
            y += sums[w][threadIdx.x];
        out[blockIdx.y * ld_out + (int64_t)blockIdx.x * D + threadIdx.x] = tk_round<T>(total == 0.0f ? 0.0f : y / total);
    }
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
