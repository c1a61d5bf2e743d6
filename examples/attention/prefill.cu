// Attention of all tokens of sequences, of one length or of many, causal or not, with as many heads of queries to a head of keys as there are.
//
// Shapes: q and out are batch x seq_q x heads x D, k and v are batch x seq_kv x heads_kv x D; or ragged: total x heads x D with an array of starts.
// A block has 128 queries of one head, a warp 8 of each 32 of them, and goes over the keys in tiles of 64 (after FlashAttention-2, Dao 2023): scores
// and weights stay in registers, where the result of the first product is the operand of the second one. The next keys come while weights are made
// and values are used, the values while scores are made. Pieces of 16 bytes stand in shared memory at their place exclusive-or the row's number
// modulo 8, so that the eight rows of a matrix are in different banks. Causal tiles come longest first within a head.
//
// Proved for all sizes that the contracts allow: nothing is read outside of a sequence's tensors, also at ragged ends; every row of out is written,
// by one block; copies are complete and seen by all before they are read, and nobody reads any more what they overwrite.
#include "attention_device.h"
#include "attention_host.h"
#include "tk_attention.h"
#include "tk_device.h"

#include <math.h>
#include <tilecheck.h>

constexpr int WARPS = 4, THREADS = WARPS * 32, QUERIES = 128, KEYS = 64;
template <int D> constexpr int BLOCKS = D == 64 ? 3 : 2; // on a multiprocessor

// ROWS rows of D elements from row `first` of a tensor of so many rows; behind its end the last one again, whose scores or results nobody uses.
template <int ROWS, int D, typename T>
__device__ __forceinline__ void fetch(uint4 *to, const T *from, int first, int rows, int64_t ld)
{
    constexpr int P = D / 8, STEP = THREADS / P; // STEP is a multiple of 8: a thread's place in its rows is always the same
    const int r = threadIdx.x / P, c = threadIdx.x % P;
    uint4 *at = to + r * P + (c ^ (r & 7));
#pragma unroll
    for (int i = 0; i < ROWS / STEP; ++i)
        copy_async(at + i * STEP * P, from + (int64_t)min(first + i * STEP + r, rows - 1) * ld + c * 8);
}

// Queries first … first + 127 of a sequence; the pointers are those of its first token, at this head.
template <typename T, int D, bool CAUSAL>
__device__ __forceinline__ void attend(T *out, const T *q, const T *k, const T *v, int first,
                                       int seq_q, int seq_kv, float scale, int64_t ld_out, int64_t ld_q, int64_t ld)
{
    constexpr int P = D / 8;
    extern __shared__ __align__(128) uint4 smem[];
    uint4 *const queries = smem, *const keys = smem + QUERIES * P, *const values = smem + (QUERIES + KEYS) * P;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, c = lane % 4, turn = lane % 8;
    const int ahead = seq_kv - seq_q; // query i sees keys up to i + ahead

    int end = seq_kv;
    if (CAUSAL)
        end = max(min(seq_kv, first + QUERIES + ahead), 0);
    const int tiles = (end + KEYS - 1) / KEYS;

    float o[2][D / 8][4] = {};
    float most[2][2] = {{-INFINITY, -INFINITY}, {-INFINITY, -INFINITY}}, sum[2][2] = {};

    fetch<QUERIES, D>(queries, q, first, seq_q, ld_q);
    if (tiles > 0)
        fetch<KEYS, D>(keys, k, 0, seq_kv, ld);
    commit_copies();
    for (int tile = 0; tile < tiles; ++tile) {
        const int key0 = tile * KEYS;
        wait_for_copies();
        __syncthreads();
        fetch<KEYS, D>(values, v, key0, seq_kv, ld);
        commit_copies();

        float s[2][KEYS / 8][4] = {};
#pragma unroll
        for (int kk = 0; kk < D / 16; ++kk) {
            unsigned a[2][4];
#pragma unroll
            for (int m = 0; m < 2; ++m)
                load_matrices(a[m], queries + (m * 64 + lane / 8 % 2 * 32 + warp * 8 + turn) * P + ((kk * 2 + lane / 16) ^ turn));
#pragma unroll
            for (int n = 0; n < KEYS / 16; ++n) {
                unsigned b[4];
                load_matrices(b, keys + (n * 16 + lane / 16 * 8 + turn) * P + ((kk * 2 + lane / 8 % 2) ^ turn));
#pragma unroll
                for (int m = 0; m < 2; ++m) {
                    mma(s[m][2 * n], a[m], b[0], b[1], T());
                    mma(s[m][2 * n + 1], a[m], b[2], b[3], T());
                }
            }
        }

        wait_for_copies();
        __syncthreads();
        if (tile + 1 < tiles)
            fetch<KEYS, D>(keys, k, key0 + KEYS, seq_kv, ld);
        commit_copies();

        if (key0 + KEYS > seq_kv || (CAUSAL && key0 + KEYS - 1 > first + ahead)) {
#pragma unroll
            for (int m = 0; m < 2; ++m)
#pragma unroll
                for (int n = 0; n < KEYS / 8; ++n)
#pragma unroll
                    for (int e = 0; e < 4; ++e) {
                        const int key = key0 + n * 8 + c * 2 + e % 2, row = first + (m * 2 + e / 2) * 32 + warp * 8 + g;
                        if (key >= seq_kv || (CAUSAL && key > row + ahead))
                            s[m][n][e] = -INFINITY;
                    }
        }

#pragma unroll
        for (int m = 0; m < 2; ++m)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                float top = most[m][h];
#pragma unroll
                for (int n = 0; n < KEYS / 8; ++n)
                    top = fmaxf(top, fmaxf(s[m][n][h * 2], s[m][n][h * 2 + 1]));
                top = row_max(top);
                const float shift = finite_or_zero(top) * scale, shrink = exp2_fast(most[m][h] * scale - shift);
                most[m][h] = top;
                float all = sum[m][h] * shrink;
#pragma unroll
                for (int j = 0; j < D / 8; ++j)
                    o[m][j][h * 2] *= shrink, o[m][j][h * 2 + 1] *= shrink;
#pragma unroll
                for (int n = 0; n < KEYS / 8; ++n)
#pragma unroll
                    for (int e = 0; e < 2; ++e) {
                        const float x = exp2_fast(s[m][n][h * 2 + e] * scale - shift);
                        s[m][n][h * 2 + e] = x;
                        all += x;
                    }
                sum[m][h] = all;
            }

#pragma unroll
        for (int kk = 0; kk < KEYS / 16; ++kk) {
            unsigned a[2][4];
#pragma unroll
            for (int m = 0; m < 2; ++m)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    a[m][e] = pair(s[m][2 * kk + e / 2][e % 2 * 2], s[m][2 * kk + e / 2][e % 2 * 2 + 1], T());
#pragma unroll
            for (int n = 0; n < D / 16; ++n) {
                unsigned b[4];
                load_transposed(b, values + (kk * 16 + lane % 16) * P + ((n * 2 + lane / 16) ^ turn));
#pragma unroll
                for (int m = 0; m < 2; ++m) {
                    mma(o[m][2 * n], a[m], b[0], b[1], T());
                    mma(o[m][2 * n + 1], a[m], b[2], b[3], T());
                }
            }
        }
    }

    // Lane c of a row has columns 2 c and 2 c + 1 of each product; the four lanes exchange them: then lane c has all 8 columns of every fourth one.
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int m = i / 2, h = i % 2, row = first + i * 32 + threadIdx.x / 4;
        const float all = row_sum(sum[m][h]), scaled = all == 0.0f ? 0.0f : 1.0f / all;
#pragma unroll
        for (int j = 0; j < D / 32; ++j) {
            unsigned w[4];
#pragma unroll
            for (int e = 0; e < 4; ++e)
                w[e] = pair(o[m][j * 4 + e][h * 2] * scaled, o[m][j * 4 + e][h * 2 + 1] * scaled, T());
            const unsigned r0 = __shfl_xor_sync(0xffffffffu, c & 1 ? w[0] : w[1], 1), r1 = __shfl_xor_sync(0xffffffffu, c & 1 ? w[2] : w[3], 1);
            const unsigned x0 = c & 1 ? r0 : w[0], x1 = c & 1 ? w[1] : r0, x2 = c & 1 ? r1 : w[2], x3 = c & 1 ? w[3] : r1;
            const unsigned r2 = __shfl_xor_sync(0xffffffffu, c & 2 ? x0 : x2, 2), r3 = __shfl_xor_sync(0xffffffffu, c & 2 ? x1 : x3, 2);
            if (row < seq_q)
                *reinterpret_cast<uint4 *>(out + row * ld_out + j * 32 + c * 8) = c & 2 ? make_uint4(r2, r3, x2, x3) : make_uint4(x0, x1, r2, r3);
        }
    }
}

// ---- sequences of one length ----

template <typename T, int D, bool CAUSAL>
tc_block(THREADS) tc_grid(tiles, heads, batch) tc_smem((QUERIES + 2 * KEYS) * D * 2)
tc_requires(batch >= 1 && batch < 65536 && heads >= 1 && heads < 65536 && group >= 1 && heads_kv >= 1 && heads == heads_kv * group)
tc_requires(tiles == tc_cdiv(seq_q, QUERIES) && seq_q >= 1 && seq_q <= 1 << 24 && seq_kv >= 0 && seq_kv <= 1 << 24)
tc_requires(ld_out % 8 == 0 && ld_out >= heads * D && ld_out <= 1 << 22 && ld_q % 8 == 0 && ld_q >= heads * D && ld_q <= 1 << 22)
tc_requires(ld % 8 == 0 && ld >= heads_kv * D && ld <= 1 << 22)
tc_requires(batch_out % 8 == 0 && batch_out >= seq_q * ld_out && batch_out <= 1ll << 46 && batch_q % 8 == 0 && batch_q >= seq_q * ld_q)
tc_requires(batch_q <= 1ll << 46 && batch_kv % 8 == 0 && batch_kv >= seq_kv * ld && batch_kv <= 1ll << 46)
__global__ void __launch_bounds__(THREADS, BLOCKS<D>)
    prefill(tc_out tc_shape(batch, seq_q, heads, D) tc_stride(batch_out, ld_out, D, 1) tc_align(16) tc_tile(1, QUERIES, 1, D)
                tc_at(blockIdx.z, CAUSAL ? tiles - 1 - blockIdx.x : blockIdx.x, blockIdx.y, 0) T *__restrict__ out,
            tc_shared tc_shape(batch, seq_q, heads, D) tc_stride(batch_q, ld_q, D, 1) tc_align(16) const T *__restrict__ q,
            tc_shared tc_shape(batch, seq_kv, heads_kv, D) tc_stride(batch_kv, ld, D, 1) tc_align(16) const T *__restrict__ k,
            tc_shared tc_shape(batch, seq_kv, heads_kv, D) tc_stride(batch_kv, ld, D, 1) tc_align(16) const T *__restrict__ v, float scale,
            int batch, int heads, int heads_kv, int group, int tiles, int seq_q, int seq_kv, int64_t batch_out, int64_t ld_out, int64_t batch_q,
            int64_t ld_q, int64_t batch_kv, int64_t ld)
{
    const int x = blockIdx.x, tile = CAUSAL ? tiles - 1 - x : x, head = blockIdx.y, head_kv = head / group;
    attend<T, D, CAUSAL>(out + blockIdx.z * batch_out + head * D, q + blockIdx.z * batch_q + head * D, k + blockIdx.z * batch_kv + head_kv * D,
                         v + blockIdx.z * batch_kv + head_kv * D, tile * QUERIES, seq_q, seq_kv, scale, ld_out, ld_q, ld);
}

// ---- sequences of many lengths ----

// tiles is of the longest sequence; blocks behind the end of theirs have nothing to do.
template <typename T, int D, bool CAUSAL>
tc_block(THREADS) tc_grid(tiles, heads, batch) tc_smem((QUERIES + 2 * KEYS) * D * 2)
tc_requires(batch >= 1 && batch < 65536 && heads >= 1 && heads < 65536 && group >= 1 && heads_kv >= 1 && heads == heads_kv * group)
tc_requires(tiles >= 1 && tiles <= 1 << 17 && total_q >= 0 && total_q <= 1 << 30 && total_kv >= 0 && total_kv <= 1 << 30)
tc_requires(ld_out % 8 == 0 && ld_out >= heads * D && ld_out <= 1 << 22 && ld_q % 8 == 0 && ld_q >= heads * D && ld_q <= 1 << 22)
tc_requires(ld % 8 == 0 && ld >= heads_kv * D && ld <= 1 << 22)
__global__ void __launch_bounds__(THREADS, BLOCKS<D>)
    prefill_ragged(tc_mut tc_shape(total_q, heads, D) tc_stride(ld_out, D, 1) tc_align(16) T *__restrict__ out,
                   tc_shared tc_shape(total_q, heads, D) tc_stride(ld_q, D, 1) tc_align(16) const T *__restrict__ q,
                   tc_shared tc_shape(total_kv, heads_kv, D) tc_stride(ld, D, 1) tc_align(16) const T *__restrict__ k,
                   tc_shared tc_shape(total_kv, heads_kv, D) tc_stride(ld, D, 1) tc_align(16) const T *__restrict__ v,
                   tc_shared tc_shape(batch + 1) tc_range(0, total_q + 1) tc_monotone const int *__restrict__ starts_q,
                   tc_shared tc_shape(batch + 1) tc_range(0, total_kv + 1) tc_monotone const int *__restrict__ starts_kv, float scale, int batch,
                   int heads, int heads_kv, int group, int tiles, int total_q, int total_kv, int64_t ld_out, int64_t ld_q, int64_t ld)
{
    const int x = blockIdx.x, tile = CAUSAL ? tiles - 1 - x : x, head = blockIdx.y, head_kv = head / group, b = blockIdx.z;
    const int q0 = starts_q[b], seq_q = starts_q[b + 1] - q0, kv0 = starts_kv[b], seq_kv = starts_kv[b + 1] - kv0;
    if (tile * QUERIES >= seq_q)
        return;
    attend<T, D, CAUSAL>(out + q0 * ld_out + head * D, q + q0 * ld_q + head * D, k + kv0 * ld + head_kv * D, v + kv0 * ld + head_kv * D,
                         tile * QUERIES, seq_q, seq_kv, scale, ld_out, ld_q, ld);
}

// ---- host ----

struct shape {
    int64_t batch, heads, heads_kv, dim, group;
    int64_t seq_q, seq_kv; // of one sequence, or of all of them
    int64_t batch_out, ld_out, batch_q, ld_q, batch_kv, ld;
};

static tk_status check_all(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, int rank, float scale, shape *s)
{
    const int token = rank - 3;
    TK_TRY(tk_check_written(out, "out", rank, TK_OF(TK_BF16) | TK_OF(TK_F16)));
    TK_TRY(tk_check(q, "q", rank, TK_OF(out->type)));
    TK_TRY(tk_check(k, "k", rank, TK_OF(out->type)));
    TK_TRY(tk_check(v, "v", rank, TK_OF(out->type)));
    for (int d = 0; d < rank; ++d)
        TK_TRY(tk_check_extent(out, "out", d, q->extent[d]));
    TK_TRY(tk_check_extent(k, "k", rank - 1, q->extent[rank - 1]));
    s->heads = q->extent[token + 1];
    s->heads_kv = k->extent[token + 1];
    s->dim = q->extent[token + 2];
    TK_TRY(check_heads(s->dim, s->heads, s->heads_kv, scale));
    TK_TRY(check_tokens(out, "out"));
    TK_TRY(check_tokens(q, "q"));
    TK_TRY(check_cache(k, v));
    TK_TRY(tk_check_apart(out, "out", q, "q", false));
    TK_TRY(tk_check_apart(out, "out", k, "k", false));
    TK_TRY(tk_check_apart(out, "out", v, "v", false));
    s->group = s->heads_kv ? s->heads / s->heads_kv : 0;
    s->seq_q = q->extent[token];
    s->seq_kv = k->extent[token];
    s->ld_out = stride_of(out, token, s->heads * s->dim);
    s->ld_q = stride_of(q, token, s->heads * s->dim);
    s->ld = stride_of(k, token, s->heads_kv * s->dim);
    if (s->heads > 65535 || s->seq_q > 1 << 30 || s->seq_kv > 1 << 30 || s->ld_out > 1 << 22 || s->ld_q > 1 << 22 || s->ld > 1 << 22)
        return tk_fail(TK_SIZE, "more heads or tokens, or larger strides, than are supported");
    return TK_OK;
}

// More shared memory than the 48 KB that every kernel may have.
template <typename Kernel> static tk_status allow_smem(Kernel *kernel, int bytes)
{
    const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    return e == cudaSuccess ? TK_OK : tk_fail(TK_DEVICE, "prefill: %s", cudaGetErrorString(e));
}

template <typename T, int D, bool CAUSAL>
static tk_status launch(T *out, const T *q, const T *k, const T *v, float scale, const shape *s, tk_stream stream)
{
    constexpr int SMEM = (QUERIES + 2 * KEYS) * D * 2;
    const int64_t batch = s->batch, heads = s->heads, heads_kv = s->heads_kv, group = s->group, seq_q = s->seq_q, seq_kv = s->seq_kv;
    const int64_t batch_out = s->batch_out, ld_out = s->ld_out, batch_q = s->batch_q, ld_q = s->ld_q, batch_kv = s->batch_kv, ld = s->ld;
    if (batch < 1 || batch > 65535 || heads < 1 || heads > 65535 || heads_kv < 1 || heads_kv > 65535 || group < 1 || group > 65535 ||
        heads != heads_kv * group || seq_q < 1 || seq_q > 1 << 24 || seq_kv < 0 || seq_kv > 1 << 24)
        return tk_fail(TK_SIZE, "more sequences, heads or tokens than are supported");
    if (ld_out % 8 || ld_out < heads * D || ld_out > 1 << 22 || ld_q % 8 || ld_q < heads * D || ld_q > 1 << 22 || ld % 8 || ld < heads_kv * D ||
        ld > 1 << 22)
        return tk_fail(TK_SIZE, "larger strides than are supported, or tokens that overlap");
    if (batch_out % 8 || batch_out < seq_q * ld_out || batch_out > 1ll << 46 || batch_q % 8 || batch_q < seq_q * ld_q || batch_q > 1ll << 46 ||
        batch_kv % 8 || batch_kv < seq_kv * ld || batch_kv > 1ll << 46)
        return tk_fail(TK_SIZE, "larger strides than are supported, or sequences that overlap");
    if ((uintptr_t)out % 16 || (uintptr_t)q % 16 || (uintptr_t)k % 16 || (uintptr_t)v % 16)
        return tk_fail(TK_ALIGNMENT, "a tensor is not aligned to 16 bytes");
    const int64_t tiles = (seq_q + QUERIES - 1) / QUERIES;
    TK_TRY(allow_smem(prefill<T, D, CAUSAL>, SMEM));
    prefill<T, D, CAUSAL><<<dim3((unsigned)tiles, (unsigned)heads, (unsigned)batch), THREADS, SMEM, stream>>>(
        out, q, k, v, scale, (int)batch, (int)heads, (int)heads_kv, (int)group, (int)tiles, (int)seq_q, (int)seq_kv, batch_out, ld_out, batch_q, ld_q,
        batch_kv, ld);
    return tk_launched("prefill");
}

template <typename T, int D, bool CAUSAL>
static tk_status launch_ragged(T *out, const T *q, const T *k, const T *v, const int *starts_q, const int *starts_kv, int64_t longest, float scale,
                               const shape *s, tk_stream stream)
{
    constexpr int SMEM = (QUERIES + 2 * KEYS) * D * 2;
    const int64_t batch = s->batch, heads = s->heads, heads_kv = s->heads_kv, group = s->group, total_q = s->seq_q, total_kv = s->seq_kv;
    const int64_t ld_out = s->ld_out, ld_q = s->ld_q, ld = s->ld, tiles = (longest + QUERIES - 1) / QUERIES;
    if (batch < 1 || batch > 65535 || heads < 1 || heads > 65535 || heads_kv < 1 || heads_kv > 65535 || group < 1 || group > 65535 ||
        heads != heads_kv * group || total_q < 0 || total_q > 1 << 30 || total_kv < 0 || total_kv > 1 << 30 ||
        longest < 1 || tiles < 1 || tiles > 1 << 17)
        return tk_fail(TK_SIZE, "more sequences, heads or tokens than are supported");
    if (ld_out % 8 || ld_out < heads * D || ld_out > 1 << 22 || ld_q % 8 || ld_q < heads * D || ld_q > 1 << 22 || ld % 8 || ld < heads_kv * D ||
        ld > 1 << 22)
        return tk_fail(TK_SIZE, "larger strides than are supported, or tokens that overlap");
    if ((uintptr_t)out % 16 || (uintptr_t)q % 16 || (uintptr_t)k % 16 || (uintptr_t)v % 16)
        return tk_fail(TK_ALIGNMENT, "a tensor is not aligned to 16 bytes");
    TK_TRY(allow_smem(prefill_ragged<T, D, CAUSAL>, SMEM));
    prefill_ragged<T, D, CAUSAL><<<dim3((unsigned)tiles, (unsigned)heads, (unsigned)batch), THREADS, SMEM, stream>>>(
        out, q, k, v, starts_q, starts_kv, scale, (int)batch, (int)heads, (int)heads_kv, (int)group, (int)tiles, (int)total_q, (int)total_kv, ld_out,
        ld_q, ld);
    return tk_launched("prefill_ragged");
}

template <typename T>
static tk_status one_length(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, float scale, bool causal,
                            const shape *s, tk_stream stream)
{
    T *o = (T *)out->data;
    const T *a = (const T *)q->data, *b = (const T *)k->data, *c = (const T *)v->data;
    if (s->dim == 64)
        return causal ? launch<T, 64, true>(o, a, b, c, scale, s, stream) : launch<T, 64, false>(o, a, b, c, scale, s, stream);
    return causal ? launch<T, 128, true>(o, a, b, c, scale, s, stream) : launch<T, 128, false>(o, a, b, c, scale, s, stream);
}

template <typename T>
static tk_status many_lengths(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *starts_q,
                              const tk_tensor *starts_kv, int64_t longest, float scale, bool causal, const shape *s, tk_stream stream)
{
    T *o = (T *)out->data;
    const T *a = (const T *)q->data, *b = (const T *)k->data, *c = (const T *)v->data;
    const int *m = (const int *)starts_q->data, *n = (const int *)starts_kv->data;
    if (s->dim == 64)
        return causal ? launch_ragged<T, 64, true>(o, a, b, c, m, n, longest, scale, s, stream)
                      : launch_ragged<T, 64, false>(o, a, b, c, m, n, longest, scale, s, stream);
    return causal ? launch_ragged<T, 128, true>(o, a, b, c, m, n, longest, scale, s, stream)
                  : launch_ragged<T, 128, false>(o, a, b, c, m, n, longest, scale, s, stream);
}

#define LOG2_E 1.44269504f // weights are powers of two

extern "C" tk_status tk_attention_prefill(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, float scale,
                                          int64_t causal, tk_stream stream)
{
    shape s;
    TK_TRY(check_all(out, q, k, v, 4, scale, &s));
    TK_TRY(tk_check_extent(k, "k", 0, q->extent[0]));
    if (!tk_elements(out))
        return TK_OK;
    s.batch = q->extent[0];
    s.batch_out = stride_of(out, 0, s.seq_q * s.ld_out);
    s.batch_q = stride_of(q, 0, s.seq_q * s.ld_q);
    s.batch_kv = stride_of(k, 0, s.seq_kv * s.ld);
    return out->type == TK_BF16 ? one_length<__nv_bfloat16>(out, q, k, v, scale * LOG2_E, causal != 0, &s, stream)
                                : one_length<__half>(out, q, k, v, scale * LOG2_E, causal != 0, &s, stream);
}

extern "C" tk_status tk_attention_prefill_ragged(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v,
                                                 const tk_tensor *starts_q, const tk_tensor *starts_kv, int64_t longest_q, float scale,
                                                 int64_t causal, tk_stream stream)
{
    shape s;
    TK_TRY(check_all(out, q, k, v, 3, scale, &s));
    TK_TRY(tk_check(starts_q, "starts_q", 1, TK_OF(TK_I32)));
    TK_TRY(tk_check(starts_kv, "starts_kv", 1, TK_OF(TK_I32)));
    TK_TRY(check_dense(starts_q, "starts_q"));
    TK_TRY(check_dense(starts_kv, "starts_kv"));
    TK_TRY(tk_check_extent(starts_kv, "starts_kv", 0, starts_q->extent[0]));
    TK_TRY(tk_check_apart(out, "out", starts_q, "starts_q", false));
    TK_TRY(tk_check_apart(out, "out", starts_kv, "starts_kv", false));
    if (starts_q->extent[0] < 1)
        return tk_fail(TK_SHAPE, "starts_q is empty; it has one element more than there are sequences");
    if (longest_q < 0 || longest_q > 1 << 24)
        return tk_fail(TK_VALUE, "longest_q is %lld, not 0 … 2^24", (long long)longest_q);
    if (!tk_elements(out) || starts_q->extent[0] == 1 || longest_q == 0)
        return TK_OK;
    s.batch = starts_q->extent[0] - 1;
    return out->type == TK_BF16
               ? many_lengths<__nv_bfloat16>(out, q, k, v, starts_q, starts_kv, longest_q, scale * LOG2_E, causal != 0, &s, stream)
               : many_lengths<__half>(out, q, k, v, starts_q, starts_kv, longest_q, scale * LOG2_E, causal != 0, &s, stream);
}
