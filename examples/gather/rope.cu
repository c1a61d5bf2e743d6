// Rotary position embedding: the pairs (i, i + half) of each head are turned by the angle of the token's position.
//
// Shapes: in and out are tokens x heads x 2 half, of bf16, fp16 or f32, with strides of tokens and heads; cos and sin are rows x half, of that
// type or f32; positions holds one row number a token, i32 or i64. W elements move in one access, 16 bytes where addresses and strides allow it;
// half and all strides count packs of W. A block turns TZ tokens' TY * U heads; a thread has both halves of U heads in flight before it
// needs the tables.
// Proved for up to 2^32 tokens, 2^16 heads and 2^16 packs: in bounds, as positions are rows of the tables; no overflow; each element of the output is
// written, and by one thread; in place, nobody reads what another thread writes.
#include <tilecheck.h>

#include "gather.cuh"
#include "tk_device.h"
#include "tk_gather.h"

namespace {

constexpr int TY = 4, TZ = 4, U = 2, HEADS = TY * U;
constexpr int64_t MAX_TOKENS = (int64_t)1 << 32, MAX_HEADS = 1 << 16, MAX_HALF = 1 << 16, MAX_STEP = (int64_t)1 << 32;

// W elements of a table as floats: one access, or two where W floats are wider than 16 bytes.
template <typename C, int W> struct table_pack {
    static constexpr int V = sizeof(C) * W > 16 ? 16 / sizeof(C) : W;
    float at[W];
    __device__ table_pack(const C *table, int64_t pack)
    {
#pragma unroll
        for (int i = 0; i < W / V; ++i) {
            const tk_bits<C, V> bits = ((const tk_bits<C, V> *)table)[pack * (W / V) + i];
            const tk_floats<V> p = tk_widen<C, V>(bits);
            for (int v = 0; v < V; ++v)
                at[i * V + v] = p.at[v];
        }
    }
};

template <typename T, typename C, int W>
__device__ inline void turn(tk_bits<T, W> &first, tk_bits<T, W> &second, const table_pack<C, W> &cos, const table_pack<C, W> &sin)
{
    tk_floats<W> a = tk_widen<T, W>(first), b = tk_widen<T, W>(second);
    for (int w = 0; w < W; ++w) {
        const float p = a.at[w], q = b.at[w];
        a.at[w] = p * cos.at[w] - q * sin.at[w];
        b.at[w] = q * cos.at[w] + p * sin.at[w];
    }
    first = tk_narrow<T, W>(a);
    second = tk_narrow<T, W>(b);
}

template <typename T, typename C, typename Id, int W, int TX>
tc_block(TX, TY, TZ) tc_grid(tc_cdiv(tokens, TZ), tc_cdiv(heads, HEADS))
tc_requires(tokens <= MAX_TOKENS && heads >= 1 && heads <= MAX_HEADS && half >= 1 && half <= MAX_HALF && rows <= MAX_TOKENS)
tc_requires(oh >= 2 * half && ot >= heads * oh && ot <= MAX_STEP && ih >= 2 * half && it >= heads * ih && it <= MAX_STEP)
tc_requires(lc >= half && lc <= MAX_STEP && ls >= half && ls <= MAX_STEP && rows * lc <= MAX_SPAN && rows * ls <= MAX_SPAN)
tc_requires(tokens * ot <= MAX_SPAN && tokens * it <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY * TZ, 1024 / (TX * TY * TZ))
    rope(tc_out tc_shape(tokens, heads, 2, half * W) tc_stride(ot * W, oh * W, half * W, 1) tc_tile(TZ, HEADS, 2, half * W)
             tc_at(blockIdx.x, blockIdx.y, 0, 0) tc_align(sizeof(T) * W) T *out,
         tc_shared tc_shape(tokens, heads, 2, half * W) tc_stride(it * W, ih * W, half * W, 1) tc_align(sizeof(T) * W) const T *in,
         tc_shared tc_shape(rows, half * W) tc_stride(lc * W, 1) tc_align(min(16, sizeof(C) * W)) const C *cos,
         tc_shared tc_shape(rows, half * W) tc_stride(ls * W, 1) tc_align(min(16, sizeof(C) * W)) const C *sin,
         tc_shared tc_shape(tokens) tc_range(0, rows) const Id *positions,
         int64_t tokens, int64_t heads, int64_t half, int64_t rows, int64_t ot, int64_t oh, int64_t it, int64_t ih, int64_t lc, int64_t ls)
{
    using bits = tk_bits<T, W>;
    const int64_t token = (int64_t)blockIdx.x * TZ + threadIdx.z, head = (int64_t)blockIdx.y * HEADS + threadIdx.y;
    if (token >= tokens)
        return;
    const int64_t position = positions[token];
    for (int64_t i = threadIdx.x; i < half; i += TX) {
        bits a[U], b[U];
#pragma unroll
        for (int u = 0; u < U; ++u)
            if (head + u * TY < heads) {
                a[u] = ((const bits *)in)[token * it + (head + u * TY) * ih + i];
                b[u] = ((const bits *)in)[token * it + (head + u * TY) * ih + half + i];
            }
        const table_pack<C, W> c(cos, position * lc + i), s(sin, position * ls + i);
#pragma unroll
        for (int u = 0; u < U; ++u)
            if (head + u * TY < heads) {
                turn<T, C, W>(a[u], b[u], c, s);
                ((bits *)out)[token * ot + (head + u * TY) * oh + i] = a[u];
                ((bits *)out)[token * ot + (head + u * TY) * oh + half + i] = b[u];
            }
    }
}

template <typename T, typename C, typename Id, int W, int TX>
tc_block(TX, TY, TZ) tc_grid(tc_cdiv(tokens, TZ), tc_cdiv(heads, HEADS))
tc_requires(tokens <= MAX_TOKENS && heads >= 1 && heads <= MAX_HEADS && half >= 1 && half <= MAX_HALF && rows <= MAX_TOKENS)
tc_requires(xh >= 2 * half && xt >= heads * xh && xt <= MAX_STEP && lc >= half && lc <= MAX_STEP && ls >= half && ls <= MAX_STEP)
tc_requires(tokens * xt <= MAX_SPAN && rows * lc <= MAX_SPAN && rows * ls <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY * TZ, 1024 / (TX * TY * TZ))
    rope_in_place(tc_mut tc_shape(tokens, heads, 2, half * W) tc_stride(xt * W, xh * W, half * W, 1) tc_tile(TZ, HEADS, 2, half * W)
                      tc_at(blockIdx.x, blockIdx.y, 0, 0) tc_align(sizeof(T) * W) T *x,
                  tc_shared tc_shape(rows, half * W) tc_stride(lc * W, 1) tc_align(min(16, sizeof(C) * W)) const C *cos,
                  tc_shared tc_shape(rows, half * W) tc_stride(ls * W, 1) tc_align(min(16, sizeof(C) * W)) const C *sin,
                  tc_shared tc_shape(tokens) tc_range(0, rows) const Id *positions,
                  int64_t tokens, int64_t heads, int64_t half, int64_t rows, int64_t xt, int64_t xh, int64_t lc, int64_t ls)
{
    using bits = tk_bits<T, W>;
    const int64_t token = (int64_t)blockIdx.x * TZ + threadIdx.z, head = (int64_t)blockIdx.y * HEADS + threadIdx.y;
    if (token >= tokens)
        return;
    const int64_t position = positions[token];
    for (int64_t i = threadIdx.x; i < half; i += TX) {
        bits a[U], b[U];
#pragma unroll
        for (int u = 0; u < U; ++u)
            if (head + u * TY < heads) {
                a[u] = ((const bits *)x)[token * xt + (head + u * TY) * xh + i];
                b[u] = ((const bits *)x)[token * xt + (head + u * TY) * xh + half + i];
            }
        const table_pack<C, W> c(cos, position * lc + i), s(sin, position * ls + i);
#pragma unroll
        for (int u = 0; u < U; ++u)
            if (head + u * TY < heads) {
                turn<T, C, W>(a[u], b[u], c, s);
                ((bits *)x)[token * xt + (head + u * TY) * xh + i] = a[u];
                ((bits *)x)[token * xt + (head + u * TY) * xh + half + i] = b[u];
            }
    }
}

struct operands {
    const tk_tensor *out, *in, *cos, *sin, *positions;
};

template <typename T, typename C, typename Id, int W> tk_status launch(const operands *p, cudaStream_t stream)
{
    T *const out = (T *)p->out->data;
    const T *const in = (const T *)p->in->data;
    const C *const cos = (const C *)p->cos->data, *const sin = (const C *)p->sin->data;
    const Id *const positions = (const Id *)p->positions->data;
    const int64_t tokens = p->out->extent[0], heads = p->out->extent[1], half = p->cos->extent[1] / W, rows = p->cos->extent[0];
    const int64_t lc = step(p->cos, 0, W, half), ls = step(p->sin, 0, W, half);
    const int64_t oh = step(p->out, 1, W, 2 * half), ih = step(p->in, 1, W, 2 * half);
    if (tokens < 1 || tokens > MAX_TOKENS || heads < 1 || heads > MAX_HEADS || half < 1 || half > MAX_HALF || rows < 1 || rows > MAX_TOKENS)
        return tk_fail(TK_SIZE, "rope: too many tokens, heads or elements of a head");
    if (oh < 2 * half || oh > MAX_STEP || ih < 2 * half || ih > MAX_STEP || lc < half || lc > MAX_STEP || ls < half || ls > MAX_STEP)
        return tk_fail(TK_SHAPE, "rope: heads or rows of a table overlap or are too far apart");
    const int64_t ot = step(p->out, 0, W, heads * oh), it = step(p->in, 0, W, heads * ih);
    if (ot > MAX_SPAN / tokens || it > MAX_SPAN / tokens || lc > MAX_SPAN / rows || ls > MAX_SPAN / rows)
        return tk_fail(TK_SIZE, "rope: tokens or rows of a table are too far apart");
    if (ot < heads * oh || ot > MAX_STEP || it < heads * ih || it > MAX_STEP)
        return tk_fail(TK_UNSUPPORTED, "rope: a token's heads do not come before the next token's, or are too far apart");
    constexpr int TX = W == 4 ? 16 : 8; // half of a head of 128 across x
    constexpr size_t TABLE = sizeof(C) * W < 16 ? sizeof(C) * W : 16;
    if (!tk_is_aligned(out, sizeof(T) * W) || !tk_is_aligned(in, sizeof(T) * W) || !tk_is_aligned(cos, TABLE) || !tk_is_aligned(sin, TABLE))
        return tk_fail(TK_ALIGNMENT, "rope: an address is not aligned");
    const dim3 grid((unsigned)tc_cdiv(tokens, TZ), (unsigned)tc_cdiv(heads, HEADS)), block(TX, TY, TZ);
    if (out == in)
        rope_in_place<T, C, Id, W, TX><<<grid, block, 0, stream>>>(out, cos, sin, positions, tokens, heads, half, rows, ot, oh, lc, ls);
    else
        rope<T, C, Id, W, TX><<<grid, block, 0, stream>>>(out, in, cos, sin, positions, tokens, heads, half, rows, ot, oh, it, ih, lc, ls);
    return tk_launched("rope");
}

// Rows of a table are whole packs of as many elements as the tensors' packs have.
bool is_pack(const tk_tensor *table, tk_type type)
{
    const int64_t w = 16 / (int64_t)tk_type_bytes(type);
    return table->extent[1] % w == 0 && (table->extent[0] == 1 || table->stride[0] % w == 0);
}

typedef tk_status (*launcher)(const operands *, cudaStream_t);

// By the type of positions, and whether accesses are wide.
template <typename T, typename C> struct by_index {
    static constexpr int W = 16 / sizeof(T);
    static constexpr launcher at[2][2] = {{launch<T, C, int32_t, 1>, launch<T, C, int32_t, W>}, {launch<T, C, int64_t, 1>, launch<T, C, int64_t, W>}};
};

} // namespace

tk_status tk_rope(const tk_tensor *out, const tk_tensor *in, const tk_tensor *cos, const tk_tensor *sin, const tk_tensor *positions, tk_stream stream)
{
    TK_TRY(tk_check_written(out, "out", 3, TK_FLOATS));
    TK_TRY(tk_check(in, "in", 3, TK_OF(out->type)));
    TK_TRY(tk_check(cos, "cos", 2, TK_OF(out->type) | TK_OF(TK_F32)));
    TK_TRY(tk_check(sin, "sin", 2, TK_OF(cos->type)));
    TK_TRY(check_indices(positions, "positions", 1, TK_INDICES));
    for (int d = 0; d < 3; ++d)
        TK_TRY(tk_check_extent(in, "in", d, out->extent[d]));
    if (out->extent[2] % 2)
        return tk_fail(TK_SHAPE, "out: extent 2 is %lld, which is odd", (long long)out->extent[2]);
    TK_TRY(tk_check_extent(cos, "cos", 1, out->extent[2] / 2));
    TK_TRY(tk_check_extent(sin, "sin", 1, out->extent[2] / 2));
    TK_TRY(tk_check_extent(sin, "sin", 0, cos->extent[0]));
    TK_TRY(tk_check_extent(positions, "positions", 0, out->extent[0]));
    TK_TRY(tk_check_apart(out, "out", in, "in", true));
    TK_TRY(tk_check_apart(out, "out", cos, "cos", false));
    TK_TRY(tk_check_apart(out, "out", sin, "sin", false));
    TK_TRY(tk_check_apart(out, "out", positions, "positions", false));
    if (tk_elements(out) == 0)
        return TK_OK;
    if (cos->extent[0] == 0)
        return tk_fail(TK_SHAPE, "cos has no row");
    TK_TRY(check_contiguous(out, "out"));
    TK_TRY(check_contiguous(in, "in"));
    TK_TRY(check_contiguous(cos, "cos"));
    TK_TRY(check_contiguous(sin, "sin"));
    const operands p = {out, in, cos, sin, positions};
    const bool wide = is_wide(out) && is_wide(in) && is_wide(cos) && is_wide(sin) && is_pack(cos, out->type) && is_pack(sin, out->type);
    const int id = positions->type == TK_I64;
    if (out->type == TK_F32)
        return by_index<float, float>::at[id][wide](&p, stream);
    if (out->type == TK_F16)
        return (cos->type == TK_F32 ? by_index<__half, float>::at : by_index<__half, __half>::at)[id][wide](&p, stream);
    return (cos->type == TK_F32 ? by_index<__nv_bfloat16, float>::at : by_index<__nv_bfloat16, __nv_bfloat16>::at)[id][wide](&p, stream);
}
