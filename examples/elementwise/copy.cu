// Copies, and casts between bf16, fp16 and f32, rounded to nearest even.
//
// Shapes: n elements, or rows x cols with ld elements from row to row. W elements move in one access: 16 bytes of the wider type where
// addresses and rows allow it, else one element. All loads of a thread are in flight before its first store. A copy goes by the size of an
// element, not by its type: no bit changes, NaN's included.
// Proved for n up to 2^39, and for rows up to 2^36 with strides up to 2^48 packs: in bounds, aligned, no overflow, each element of the output
// is written, and by one thread.
#include <tilecheck.h>

#include "map.cuh"
#include "tk_device.h"
#include "tk_elementwise.h"
#include "tk_host.h"

namespace {

template <typename O, typename I> struct conversion {
    static __device__ O of(I x) { return tk_round<O>(tk_float(x)); }
};

template <typename T> struct conversion<T, T> {
    static __device__ T of(T x) { return x; }
};

template <typename O, typename I, int W> __device__ inline tk_bits<O, W> convert_pack(const tk_bits<I, W> &in)
{
    const tk_pack<I, W> x = tk_unpack<I, W>(in);
    tk_pack<O, W> out;
    for (int w = 0; w < W; ++w)
        out.at[w] = conversion<O, I>::of(x.at[w]);
    return tk_bits_of<O, W>(out);
}

template <typename O, typename I, int W, int U>
tc_block(THREADS) tc_grid(tc_cdiv(n, THREADS * W * U)) tc_requires(n <= MAX_ELEMENTS)
__global__ void __launch_bounds__(THREADS) flat(tc_out tc_shape(n) tc_tile(THREADS * W * U) tc_align(sizeof(O) * W) O *out,
                                                tc_shared tc_shape(n) tc_align(sizeof(I) * W) const I *in, int64_t n)
{
    const int64_t packs = n / W, first = (int64_t)blockIdx.x * (THREADS * U) + threadIdx.x;
    tk_bits<I, W> x[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (first + u * THREADS < packs)
            x[u] = ((const tk_bits<I, W> *)in)[first + u * THREADS];
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (first + u * THREADS < packs)
            ((tk_bits<O, W> *)out)[first + u * THREADS] = convert_pack<O, I, W>(x[u]);
    const int64_t rest = packs * W + threadIdx.x; // less than a pack is left
    if (blockIdx.x == gridDim.x - 1 && rest < n)
        out[rest] = conversion<O, I>::of(in[rest]);
}

template <typename O, typename I, int W>
tc_block(TX, TY) tc_grid(tc_cdiv(rows, TILE_ROWS), tc_cdiv(packs, TX))
tc_requires(rows <= MAX_ROWS && packs >= 1 && packs <= MAX_TILES * TX && ldo >= packs && ldi >= packs)
tc_requires(ldo <= MAX_LD && ldi <= MAX_LD && rows * ldo <= MAX_SPAN && rows * ldi <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY)
    strided(tc_out tc_shape(rows, packs * W) tc_stride(ldo * W, 1) tc_tile(TILE_ROWS, TX * W) tc_at(blockIdx.x, blockIdx.y)
                tc_align(sizeof(O) * W) O *out,
            tc_shared tc_shape(rows, packs * W) tc_stride(ldi * W, 1) tc_align(sizeof(I) * W) const I *in,
            int64_t rows, int64_t packs, int64_t ldo, int64_t ldi)
{
    const int64_t row = (int64_t)blockIdx.x * TILE_ROWS + threadIdx.y, col = (int64_t)blockIdx.y * TX + threadIdx.x;
    if (col >= packs)
        return;
    tk_bits<I, W> x[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            x[u] = ((const tk_bits<I, W> *)in)[(row + u * TY) * ldi + col];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            ((tk_bits<O, W> *)out)[(row + u * TY) * ldo + col] = convert_pack<O, I, W>(x[u]);
}

template <typename O, typename I, int W>
tk_status launch(const char *name, const tk_tensor *to, const tk_tensor *from, const view *v, cudaStream_t stream)
{
    O *const out = (O *)to->data;
    const I *const in = (const I *)from->data;
    if ((uintptr_t)out % (sizeof(O) * W) || (uintptr_t)in % (sizeof(I) * W))
        return tk_fail(TK_ALIGNMENT, "%s: an address is not aligned", name);
    if (v[0].flat) {
        constexpr int U = W >= 4 && sizeof(O) == sizeof(I) ? 1 : LOADS<W>; // as many stores as loads: the sooner the better
        const int64_t n = v[0].cols;
        if (n < 1 || n > MAX_ELEMENTS)
            return tk_fail(TK_SIZE, "%s: more than 2^39 elements", name);
        flat<O, I, W, U><<<(unsigned)tc_cdiv(n, THREADS * W * U), THREADS, 0, stream>>>(out, in, n);
        return tk_launched(name);
    }
    const int64_t rows = v[0].rows, packs = v[0].cols / W, ldo = v[0].ld / W, ldi = v[1].ld / W;
    if (rows < 1 || rows > MAX_ROWS || packs < 1 || packs > MAX_TILES * TX)
        return tk_fail(TK_SIZE, "%s: more than 2^36 rows, or too long ones", name);
    if (!fits(ldo, rows, packs) || !fits(ldi, rows, packs))
        return tk_fail(TK_SHAPE, "%s: rows overlap or reach too far", name);
    const dim3 grid((unsigned)tc_cdiv(rows, TILE_ROWS), (unsigned)tc_cdiv(packs, TX)), block(TX, TY);
    strided<O, I, W><<<grid, block, 0, stream>>>(out, in, rows, packs, ldo, ldi);
    return tk_launched(name);
}

typedef tk_status (*launcher)(const char *, const tk_tensor *, const tk_tensor *, const view *, cudaStream_t);

// By whether accesses are 16 bytes wide.
constexpr launcher copy2[2] = {launch<uint16_t, uint16_t, 1>, launch<uint16_t, uint16_t, 8>};
constexpr launcher copy4[2] = {launch<uint32_t, uint32_t, 1>, launch<uint32_t, uint32_t, 4>};
constexpr launcher copy8[2] = {launch<uint64_t, uint64_t, 1>, launch<uint64_t, uint64_t, 2>};

// By the type of the output, that of the input, and whether accesses are wide.
constexpr launcher casts[3][3][2] = {{{copy4[0], copy4[1]},
                                  {launch<float, __half, 1>, launch<float, __half, 4>},
                                  {launch<float, __nv_bfloat16, 1>, launch<float, __nv_bfloat16, 4>}},
                                 {{launch<__half, float, 1>, launch<__half, float, 4>},
                                  {copy2[0], copy2[1]},
                                  {launch<__half, __nv_bfloat16, 1>, launch<__half, __nv_bfloat16, 8>}},
                                 {{launch<__nv_bfloat16, float, 1>, launch<__nv_bfloat16, float, 4>},
                                  {launch<__nv_bfloat16, __half, 1>, launch<__nv_bfloat16, __half, 8>},
                                  {copy2[0], copy2[1]}}};

} // namespace

tk_status tk_copy(const tk_tensor *out, const tk_tensor *in, tk_stream stream)
{
    TK_TRY(check_out(out, TK_ALL));
    TK_TRY(check_as(out, "in", in, TK_ALL));
    TK_TRY(tk_check_apart(out, "out", in, "in", false));
    if (tk_elements(out) == 0)
        return TK_OK;
    const tk_tensor *const all[] = {out, in};
    view v[2];
    TK_TRY(look("copy", 2, all, v));
    const bool wide = is_wide(2, all, v);
    switch (tk_type_bytes(out->type)) {
    case 2: return copy2[wide]("copy", out, in, v, stream);
    case 4: return copy4[wide]("copy", out, in, v, stream);
    default: return copy8[wide]("copy", out, in, v, stream);
    }
}

tk_status tk_cast(const tk_tensor *out, const tk_tensor *in, tk_stream stream)
{
    TK_TRY(check_out(out, TK_FLOATS));
    TK_TRY(check_extents(out, "in", in, TK_FLOATS));
    TK_TRY(tk_check_apart(out, "out", in, "in", false));
    if (tk_elements(out) == 0)
        return TK_OK;
    const tk_tensor *const all[] = {out, in};
    view v[2];
    TK_TRY(look("cast", 2, all, v));
    return casts[out->type][in->type][is_wide(2, all, v)]("cast", out, in, v, stream);
}
