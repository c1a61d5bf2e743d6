// Activations of each element: SiLU, GELU with the error function, GELU with tanh.
//
// Shapes: n elements, or rows x cols with ld elements from row to row, of bf16, fp16 or f32. W elements move in one access: 16 bytes where
// addresses and rows allow it, else one element. All loads of a thread are in flight before its first store.
// Proved for n up to 2^39, and for rows up to 2^36 with strides up to 2^48 packs: in bounds, aligned, no overflow, each element of the output
// is written, and by one thread; also where the output is the input.
#include <tilecheck.h>

#include "activation.cuh"
#include "map.cuh"
#include "tk_elementwise.h"
#include "tk_host.h"

namespace {

struct silu_of {
    template <typename T> static __device__ float at(float x) { return silu<T>(x); }
};

struct gelu_erf_of {
    template <typename T> static __device__ float at(float x) { return gelu_erf<T>(x); }
};

struct gelu_tanh_of {
    template <typename T> static __device__ float at(float x) { return gelu_tanh<T>(x); }
};

template <class Op, typename T, int W> __device__ inline tk_bits<T, W> apply(const tk_bits<T, W> &in)
{
    tk_floats<W> x = tk_widen<T, W>(in);
    for (int w = 0; w < W; ++w)
        x.at[w] = Op::template at<T>(x.at[w]);
    return tk_narrow<T, W>(x);
}

template <class Op, typename T, int W, int U>
tc_block(THREADS) tc_grid(tc_cdiv(n, THREADS * W * U)) tc_requires(n <= MAX_ELEMENTS)
__global__ void __launch_bounds__(THREADS) flat(tc_out tc_inplace(in) tc_shape(n) tc_tile(THREADS * W * U) tc_align(sizeof(T) * W) T *out,
                                                tc_shared tc_shape(n) tc_align(sizeof(T) * W) const T *in, int64_t n)
{
    using bits = tk_bits<T, W>;
    const int64_t packs = n / W, first = (int64_t)blockIdx.x * (THREADS * U) + threadIdx.x;
    bits x[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (first + u * THREADS < packs)
            x[u] = ((const bits *)in)[first + u * THREADS];
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (first + u * THREADS < packs)
            ((bits *)out)[first + u * THREADS] = apply<Op, T, W>(x[u]);
    const int64_t rest = packs * W + threadIdx.x; // less than a pack is left
    if (blockIdx.x == gridDim.x - 1 && rest < n)
        out[rest] = tk_round<T>(Op::template at<T>(tk_float(in[rest])));
}

template <class Op, typename T, int W>
tc_block(TX, TY) tc_grid(tc_cdiv(rows, TILE_ROWS), tc_cdiv(packs, TX))
tc_requires(rows <= MAX_ROWS && packs >= 1 && packs <= MAX_TILES * TX && ldo >= packs && ldi >= packs)
tc_requires(ldo <= MAX_LD && ldi <= MAX_LD && rows * ldo <= MAX_SPAN && rows * ldi <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY)
    strided(tc_out tc_shape(rows, packs * W) tc_stride(ldo * W, 1) tc_tile(TILE_ROWS, TX * W) tc_at(blockIdx.x, blockIdx.y)
                tc_align(sizeof(T) * W) T *out,
            tc_shared tc_shape(rows, packs * W) tc_stride(ldi * W, 1) tc_align(sizeof(T) * W) const T *in,
            int64_t rows, int64_t packs, int64_t ldo, int64_t ldi)
{
    using bits = tk_bits<T, W>;
    const int64_t row = (int64_t)blockIdx.x * TILE_ROWS + threadIdx.y, col = (int64_t)blockIdx.y * TX + threadIdx.x;
    if (col >= packs)
        return;
    bits x[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            x[u] = ((const bits *)in)[(row + u * TY) * ldi + col];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            ((bits *)out)[(row + u * TY) * ldo + col] = apply<Op, T, W>(x[u]);
}

template <class Op, typename T, int W>
tc_block(TX, TY) tc_grid(tc_cdiv(rows, TILE_ROWS), tc_cdiv(packs, TX))
tc_requires(rows <= MAX_ROWS && packs >= 1 && packs <= MAX_TILES * TX && ldx >= packs && ldx <= MAX_LD && rows * ldx <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY)
    strided_in_place(tc_mut tc_shape(rows, packs * W) tc_stride(ldx * W, 1) tc_tile(TILE_ROWS, TX * W) tc_at(blockIdx.x, blockIdx.y)
                         tc_align(sizeof(T) * W) T *x,
                     int64_t rows, int64_t packs, int64_t ldx)
{
    using bits = tk_bits<T, W>;
    const int64_t row = (int64_t)blockIdx.x * TILE_ROWS + threadIdx.y, col = (int64_t)blockIdx.y * TX + threadIdx.x;
    if (col >= packs)
        return;
    bits v[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            v[u] = ((const bits *)x)[(row + u * TY) * ldx + col];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            ((bits *)x)[(row + u * TY) * ldx + col] = apply<Op, T, W>(v[u]);
}

template <class Op, typename T, int W>
tk_status launch(const char *name, const tk_tensor *to, const tk_tensor *from, const view *v, cudaStream_t stream)
{
    T *const out = (T *)to->data;
    const T *const in = (const T *)from->data;
    if ((uintptr_t)out % (sizeof(T) * W) || (uintptr_t)in % (sizeof(T) * W))
        return tk_fail(TK_ALIGNMENT, "%s: an address is not aligned", name);
    if (v[0].flat) {
        constexpr int U = LOADS<W>;
        const int64_t n = v[0].cols;
        if (n < 1 || n > MAX_ELEMENTS)
            return tk_fail(TK_SIZE, "%s: more than 2^39 elements", name);
        flat<Op, T, W, U><<<(unsigned)tc_cdiv(n, THREADS * W * U), THREADS, 0, stream>>>(out, in, n);
        return tk_launched(name);
    }
    const int64_t rows = v[0].rows, packs = v[0].cols / W, ldo = v[0].ld / W, ldi = v[1].ld / W;
    if (rows < 1 || rows > MAX_ROWS || packs < 1 || packs > MAX_TILES * TX)
        return tk_fail(TK_SIZE, "%s: more than 2^36 rows, or too long ones", name);
    if (!fits(ldo, rows, packs) || !fits(ldi, rows, packs))
        return tk_fail(TK_SHAPE, "%s: rows overlap or reach too far", name);
    const dim3 grid((unsigned)tc_cdiv(rows, TILE_ROWS), (unsigned)tc_cdiv(packs, TX)), block(TX, TY);
    if (out == in)
        strided_in_place<Op, T, W><<<grid, block, 0, stream>>>(out, rows, packs, ldo);
    else
        strided<Op, T, W><<<grid, block, 0, stream>>>(out, in, rows, packs, ldo, ldi);
    return tk_launched(name);
}

typedef tk_status (*launcher)(const char *, const tk_tensor *, const tk_tensor *, const view *, cudaStream_t);

// By type, and whether accesses are 16 bytes wide.
template <class Op>
constexpr launcher launchers[3][2] = {{launch<Op, float, 1>, launch<Op, float, 4>},
                                  {launch<Op, __half, 1>, launch<Op, __half, 8>},
                                  {launch<Op, __nv_bfloat16, 1>, launch<Op, __nv_bfloat16, 8>}};

template <class Op> tk_status activation(const char *name, const tk_tensor *out, const tk_tensor *in, tk_stream stream)
{
    TK_TRY(check_out(out, TK_FLOATS));
    TK_TRY(check_as(out, "in", in, TK_FLOATS));
    TK_TRY(tk_check_apart(out, "out", in, "in", true));
    if (tk_elements(out) == 0)
        return TK_OK;
    const tk_tensor *const all[] = {out, in};
    view v[2];
    TK_TRY(look(name, 2, all, v));
    return launchers<Op>[out->type][is_wide(2, all, v)](name, out, in, v, stream);
}

} // namespace

tk_status tk_silu(const tk_tensor *out, const tk_tensor *in, tk_stream stream) { return activation<silu_of>("silu", out, in, stream); }

tk_status tk_gelu_erf(const tk_tensor *out, const tk_tensor *in, tk_stream stream) { return activation<gelu_erf_of>("gelu_erf", out, in, stream); }

tk_status tk_gelu_tanh(const tk_tensor *out, const tk_tensor *in, tk_stream stream) { return activation<gelu_tanh_of>("gelu_tanh", out, in, stream); }
