// Of two tensors, element by element: sum, product, and SwiGLU = silu(gate) up.
//
// Shapes: n elements, or rows x cols with ld elements from row to row, of bf16, fp16 or f32. W elements move in one access: 16 bytes where
// addresses and rows allow it, else one element. All loads of a thread are in flight before its first store.
// Proved for n up to 2^39, and for rows up to 2^36 with strides up to 2^48 packs: in bounds, aligned, no overflow, each element of the output is
// written, and by one thread; also where the output is the first input.
#include <tilecheck.h>

#include "activation.cuh"
#include "map.cuh"
#include "tk_elementwise.h"
#include "tk_host.h"

namespace {

struct add {
    template <typename T> static __device__ float at(float a, float b) { return a + b; }
};

struct mul {
    template <typename T> static __device__ float at(float a, float b) { return a * b; }
};

struct swiglu {
    template <typename T> static __device__ float at(float gate, float up) { return silu<T>(gate) * up; }
};

template <class Op, typename T, int W> __device__ inline tk_bits<T, W> apply(const tk_bits<T, W> &a, const tk_bits<T, W> &b)
{
    const tk_floats<W> y = tk_widen<T, W>(b);
    tk_floats<W> x = tk_widen<T, W>(a);
    for (int w = 0; w < W; ++w)
        x.at[w] = Op::template at<T>(x.at[w], y.at[w]);
    return tk_narrow<T, W>(x);
}

template <class Op, typename T, int W, int U>
tc_block(THREADS) tc_grid(tc_cdiv(n, THREADS * W * U)) tc_requires(n <= MAX_ELEMENTS)
__global__ void __launch_bounds__(THREADS) flat(tc_out tc_inplace(a) tc_shape(n) tc_tile(THREADS * W * U) tc_align(sizeof(T) * W) T *out,
                                                tc_shared tc_shape(n) tc_align(sizeof(T) * W) const T *a,
                                                tc_shared tc_shape(n) tc_align(sizeof(T) * W) const T *b, int64_t n)
{
    using bits = tk_bits<T, W>;
    const int64_t packs = n / W, first = (int64_t)blockIdx.x * (THREADS * U) + threadIdx.x;
    bits x[U], y[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (first + u * THREADS < packs) {
            x[u] = ((const bits *)a)[first + u * THREADS];
            y[u] = ((const bits *)b)[first + u * THREADS];
        }
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (first + u * THREADS < packs)
            ((bits *)out)[first + u * THREADS] = apply<Op, T, W>(x[u], y[u]);
    const int64_t rest = packs * W + threadIdx.x; // less than a pack is left
    if (blockIdx.x == gridDim.x - 1 && rest < n)
        out[rest] = tk_round<T>(Op::template at<T>(tk_float(a[rest]), tk_float(b[rest])));
}

template <class Op, typename T, int W>
tc_block(TX, TY) tc_grid(tc_cdiv(rows, TILE_ROWS), tc_cdiv(packs, TX))
tc_requires(rows <= MAX_ROWS && packs >= 1 && packs <= MAX_TILES * TX && ldo >= packs && lda >= packs && ldb >= packs)
tc_requires(ldo <= MAX_LD && lda <= MAX_LD && ldb <= MAX_LD && rows * ldo <= MAX_SPAN && rows * lda <= MAX_SPAN && rows * ldb <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY)
    strided(tc_out tc_shape(rows, packs * W) tc_stride(ldo * W, 1) tc_tile(TILE_ROWS, TX * W) tc_at(blockIdx.x, blockIdx.y)
                tc_align(sizeof(T) * W) T *out,
            tc_shared tc_shape(rows, packs * W) tc_stride(lda * W, 1) tc_align(sizeof(T) * W) const T *a,
            tc_shared tc_shape(rows, packs * W) tc_stride(ldb * W, 1) tc_align(sizeof(T) * W) const T *b,
            int64_t rows, int64_t packs, int64_t ldo, int64_t lda, int64_t ldb)
{
    using bits = tk_bits<T, W>;
    const int64_t row = (int64_t)blockIdx.x * TILE_ROWS + threadIdx.y, col = (int64_t)blockIdx.y * TX + threadIdx.x;
    if (col >= packs)
        return;
    bits x[ROWS], y[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows) {
            x[u] = ((const bits *)a)[(row + u * TY) * lda + col];
            y[u] = ((const bits *)b)[(row + u * TY) * ldb + col];
        }
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            ((bits *)out)[(row + u * TY) * ldo + col] = apply<Op, T, W>(x[u], y[u]);
}

template <class Op, typename T, int W>
tc_block(TX, TY) tc_grid(tc_cdiv(rows, TILE_ROWS), tc_cdiv(packs, TX))
tc_requires(rows <= MAX_ROWS && packs >= 1 && packs <= MAX_TILES * TX && ldx >= packs && ldb >= packs)
tc_requires(ldx <= MAX_LD && ldb <= MAX_LD && rows * ldx <= MAX_SPAN && rows * ldb <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY)
    strided_in_place(tc_mut tc_shape(rows, packs * W) tc_stride(ldx * W, 1) tc_tile(TILE_ROWS, TX * W) tc_at(blockIdx.x, blockIdx.y)
                         tc_align(sizeof(T) * W) T *x,
                     tc_shared tc_shape(rows, packs * W) tc_stride(ldb * W, 1) tc_align(sizeof(T) * W) const T *b,
                     int64_t rows, int64_t packs, int64_t ldx, int64_t ldb)
{
    using bits = tk_bits<T, W>;
    const int64_t row = (int64_t)blockIdx.x * TILE_ROWS + threadIdx.y, col = (int64_t)blockIdx.y * TX + threadIdx.x;
    if (col >= packs)
        return;
    bits v[ROWS], y[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows) {
            v[u] = ((const bits *)x)[(row + u * TY) * ldx + col];
            y[u] = ((const bits *)b)[(row + u * TY) * ldb + col];
        }
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (row + u * TY < rows)
            ((bits *)x)[(row + u * TY) * ldx + col] = apply<Op, T, W>(v[u], y[u]);
}

template <class Op, typename T, int W>
tk_status launch(const char *name, const tk_tensor *to, const tk_tensor *from, const tk_tensor *with, const view *v, cudaStream_t stream)
{
    T *const out = (T *)to->data;
    const T *const a = (const T *)from->data, *const b = (const T *)with->data;
    if ((uintptr_t)out % (sizeof(T) * W) || (uintptr_t)a % (sizeof(T) * W) || (uintptr_t)b % (sizeof(T) * W))
        return tk_fail(TK_ALIGNMENT, "%s: an address is not aligned", name);
    if (v[0].flat) {
        constexpr int U = LOADS<W>;
        const int64_t n = v[0].cols;
        if (n < 1 || n > MAX_ELEMENTS)
            return tk_fail(TK_SIZE, "%s: more than 2^39 elements", name);
        flat<Op, T, W, U><<<(unsigned)tc_cdiv(n, THREADS * W * U), THREADS, 0, stream>>>(out, a, b, n);
        return tk_launched(name);
    }
    const int64_t rows = v[0].rows, packs = v[0].cols / W, ldo = v[0].ld / W, lda = v[1].ld / W, ldb = v[2].ld / W;
    if (rows < 1 || rows > MAX_ROWS || packs < 1 || packs > MAX_TILES * TX)
        return tk_fail(TK_SIZE, "%s: more than 2^36 rows, or too long ones", name);
    if (!fits(ldo, rows, packs) || !fits(lda, rows, packs) || !fits(ldb, rows, packs))
        return tk_fail(TK_SHAPE, "%s: rows overlap or reach too far", name);
    const dim3 grid((unsigned)tc_cdiv(rows, TILE_ROWS), (unsigned)tc_cdiv(packs, TX)), block(TX, TY);
    if (out == a)
        strided_in_place<Op, T, W><<<grid, block, 0, stream>>>(out, b, rows, packs, ldo, ldb);
    else
        strided<Op, T, W><<<grid, block, 0, stream>>>(out, a, b, rows, packs, ldo, lda, ldb);
    return tk_launched(name);
}

typedef tk_status (*launcher)(const char *, const tk_tensor *, const tk_tensor *, const tk_tensor *, const view *, cudaStream_t);

// By type, and whether accesses are 16 bytes wide.
template <class Op>
constexpr launcher launchers[3][2] = {{launch<Op, float, 1>, launch<Op, float, 4>},
                                         {launch<Op, __half, 1>, launch<Op, __half, 8>},
                                         {launch<Op, __nv_bfloat16, 1>, launch<Op, __nv_bfloat16, 8>}};

// out may have the place of a.
template <class Op>
tk_status binary(const char *name, const tk_tensor *out, const char *a_name, const tk_tensor *a, const char *b_name, const tk_tensor *b,
                        tk_stream stream)
{
    TK_TRY(check_as(out, a_name, a, TK_FLOATS));
    TK_TRY(check_as(out, b_name, b, TK_FLOATS));
    TK_TRY(tk_check_apart(out, "out", a, a_name, true));
    TK_TRY(tk_check_apart(out, "out", b, b_name, false));
    if (tk_elements(out) == 0)
        return TK_OK;
    const tk_tensor *const all[] = {out, a, b};
    view v[3];
    TK_TRY(look(name, 3, all, v));
    return launchers<Op>[out->type][is_wide(3, all, v)](name, out, a, b, v, stream);
}

// Of a and b in either order, that the output may have the place of either.
template <class Op> tk_status commutative(const char *name, const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, tk_stream stream)
{
    TK_TRY(check_out(out, TK_FLOATS));
    TK_TRY(check_as(out, "b", b, TK_FLOATS));
    return out->data == b->data ? binary<Op>(name, out, "b", b, "a", a, stream) : binary<Op>(name, out, "a", a, "b", b, stream);
}

} // namespace

tk_status tk_add(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, tk_stream stream)
{
    return commutative<add>("add", out, a, b, stream);
}

tk_status tk_mul(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, tk_stream stream)
{
    return commutative<mul>("mul", out, a, b, stream);
}

tk_status tk_swiglu(const tk_tensor *out, const tk_tensor *gate, const tk_tensor *up, tk_stream stream)
{
    TK_TRY(check_out(out, TK_FLOATS));
    return binary<swiglu>("swiglu", out, "gate", gate, "up", up, stream);
}
