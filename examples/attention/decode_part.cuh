// Attention of one new token over a part of its cache: what the kernels for decoding share. A block has one split of the cache and up to 16 query heads of
// one head of keys.
#ifndef TK_DECODE_PART_CUH
#define TK_DECODE_PART_CUH

#include "attention_device.h"
#include "tk_device.h"

#include <math.h>
#include <tilecheck.h>

constexpr int ROWS = 16, KEYS = 16, MAX_SPLITS = 128;
constexpr int COMBINE_WARPS = 8, COMBINE_THREADS = COMBINE_WARPS * 32;

// ---- one split ----

// O is float where there are several splits: then the result goes to the workspace with the logarithm (to base 2) of its sum of weights.
// The cache says where a tile of keys begins, and of values, and gives 16 bytes at a time: of a row of queries from dimension i + d on, and of a row of the
// tile, whose first one has dimension d at `at`. The last tile of a sequence is read to its length only. At most KEPT of the 16 rows of queries are there.
template <typename T, typename O, int D, int WARPS, int KEPT, typename Cache>
__device__ __forceinline__ void attend(O *out, float *lse, const Cache &cache, int length, float scale, int heads_kv, int group, int groups, int splits,
                                       int64_t ld_out)
{
    constexpr int THREADS = WARPS * 32;
    __shared__ __align__(16) float part[WARPS][KEPT][D];
    __shared__ float part_most[WARPS][KEPT], part_sum[WARPS][KEPT];
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
                x = cache.query(r, i * 32, c * 8);
            a[2 * i][h] = x.x, a[2 * i][h + 2] = x.y, a[2 * i + 1][h] = x.z, a[2 * i + 1][h + 2] = x.w;
        }

    const int tiles = (length + KEYS - 1) / KEYS, each = (tiles + splits - 1) / splits;
    const int first = blockIdx.x * each, last = min(first + each, tiles);

    float o[D / 8][4] = {};
    float most[2] = {-INFINITY, -INFINITY}, sum[2] = {0.0f, 0.0f};
    uint4 key[2][D / 32], value[4][D / 64];

    auto load_keys = [&](int tile) {
        const T *at = cache.keys(tile) + c * 8;
#pragma unroll
        for (int n = 0; n < 2; ++n)
#pragma unroll
            for (int i = 0; i < D / 32; ++i) {
                key[n][i] = make_uint4(0, 0, 0, 0);
                if (tile * KEYS + n * 8 + g < length)
                    key[n][i] = cache.key(at, tile, n * 8 + g, i * 32, c * 8);
            }
    };

    if (first + warp < last)
        load_keys(first + warp);
    for (int tile = first + warp; tile < last; tile += WARPS) {
        const T *at = cache.values(tile) + g * 8;
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int i = 0; i < D / 64; ++i) {
                const int r = n / 2 * 8 + c * 2 + n % 2;
                value[n][i] = make_uint4(0, 0, 0, 0); // a weight of 0 would make NaN of what may be there
                if (tile * KEYS + r < length)
                    value[n][i] = cache.value(at, tile, r, i * 64, g * 8);
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
    for (int h = 0; h < KEPT / 8; ++h) {
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
    for (int r = threadIdx.x / D; r < KEPT && row0 + r < group; r += THREADS / D) {
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

#endif
