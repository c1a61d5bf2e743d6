// Where the largest element of each row stands: the first of several, the first NaN where there is one.
//
// Shapes: x is rows x cols, with rows ld elements apart, out has rows indices. A block takes a row; few long rows are cut into parts, of which a
// block each leaves its best in the workspace, best, and a second kernel takes the best of these, a warp for a row.
// Proved for all sizes that the launches let through: each block writes the results of its own rows or part, all of them; the wide accesses are
// aligned; no index overflows; the partial results do not race.
#include <tilecheck.h>

#include "softmax.h"

// Of two keys the larger is the better one: that of the larger value, NaN above all, of equal ones that of the lower index.
using key = unsigned long long;

__device__ inline key key_of(float v, int at)
{
    const key size = __float_as_uint(v) & 0x7fffffffu;
    const key order = v != v ? 0xffffffffu : v < 0.0f ? 0x7fffffffu - size : 0x80000000u + size; // -0 is 0
    return order << 32 | (0x7fffffffu - ((unsigned)at & 0x7fffffffu));
}

__device__ inline int index_of(key k) { return (int)(0x7fffffffu - ((unsigned)k & 0x7fffffffu)); }

__device__ inline key better(key a, key b) { return a > b ? a : b; }

__device__ inline key best_of_warp(key k)
{
    for (int d = 16; d > 0; d /= 2)
        k = better(k, __shfl_xor_sync(0xffffffffu, k, d));
    return k;
}

// The best of the columns first … end - 1, of a block; thread 0 gets it.
template <typename T, int W> __device__ inline key best_of_part(const T *x, int64_t first, int64_t end)
{
    using pack = tk_pack<T, W>;
    __shared__ key of_warp[PART_THREADS / 32];
    float best = -INFINITY;
    int at = first + threadIdx.x * W < end ? (int)(first + threadIdx.x * W) : 0x7fffffff;
    for (int64_t c = first + threadIdx.x * W; c < end; c += PART_THREADS * W) {
        const pack u = *(const pack *)(x + c);
        for (int w = 0; w < W; ++w) {
            const float v = tk_float(u.at[w]);
            if (!(v <= best) && best == best) {
                best = v;
                at = (int)c + w;
            }
        }
    }
    key k = best_of_warp(key_of(best, at));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = k;
    __syncthreads();
    for (int w = 0; w < PART_THREADS / 32; ++w)
        k = better(k, of_warp[w]);
    return k;
}

template <typename T, int W>
tc_block(PART_THREADS) tc_grid(rows)
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && cols <= ld && ld <= TK_LD_MAX && ld % W == 0)
__global__ void __launch_bounds__(PART_THREADS)
argmax(tc_out tc_shape(rows) tc_tile(1) int *out, tc_shared tc_shape(rows, cols) tc_stride(ld, 1) tc_align(sizeof(T) * W) const T *x,
       int64_t rows, int64_t cols, int64_t ld)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const key k = best_of_part<T, W>(x + blockIdx.x * ld, 0, cols);
    if (threadIdx.x == 0)
        out[blockIdx.x] = index_of(k);
}

template <typename T, int W>
tc_block(PART_THREADS) tc_grid(parts, rows)
tc_requires(rows >= 1 && rows <= 65535 && cols >= 1 && cols % W == 0 && cols <= ld && ld <= TK_LD_MAX && ld % W == 0)
tc_requires(parts >= 1 && parts <= PARTS_MAX && part_cols >= PART_COLS && part_cols <= TK_LD_MAX && part_cols % PART_COLS == 0)
__global__ void __launch_bounds__(PART_THREADS)
argmax_part(tc_out tc_shape(rows, parts) tc_tile(1, 1) key *best, tc_shared tc_shape(rows, cols) tc_stride(ld, 1) tc_align(sizeof(T) * W) const T *x,
            int64_t rows, int64_t cols, int64_t ld, int64_t parts, int64_t part_cols)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int64_t first = blockIdx.x * part_cols;
    const key k = best_of_part<T, W>(x + blockIdx.y * ld, first, min(cols, first + part_cols));
    if (threadIdx.x == 0)
        best[blockIdx.y * parts + blockIdx.x] = k;
}

tc_block(PART_THREADS) tc_grid(tc_cdiv(rows, PART_THREADS / 32)) tc_requires(rows >= 1 && rows <= 65535 && parts >= 1 && parts <= PARTS_MAX)
__global__ void __launch_bounds__(PART_THREADS)
argmax_combine(tc_out tc_shape(rows) tc_tile(PART_THREADS / 32) int *out, tc_shared tc_shape(rows, parts) const key *best, int64_t rows,
               int64_t parts)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int64_t row = (int64_t)blockIdx.x * (PART_THREADS / 32) + threadIdx.x / 32;
    key k = 0;
    if (row < rows)
        for (int64_t p = threadIdx.x % 32; p < parts; p += 32)
            k = better(k, best[row * parts + p]);
    k = best_of_warp(k);
    if (row < rows && threadIdx.x % 32 == 0)
        out[row] = index_of(k);
}

// ---- host ----

struct argmax_call {
    int64_t rows, cols, ld;
    softmax_parts parts;
    cudaStream_t stream;
};

template <typename T, int W> static tk_status launch(int *out, const T *x, key *best, const argmax_call &c)
{
    const int64_t rows = c.rows, cols = c.cols, ld = c.ld, parts = c.parts.parts, part_cols = c.parts.cols;
    const cudaStream_t stream = c.stream;
    if (rows < 1 || rows > TK_ROWS_MAX || cols < 1 || cols % W || cols > ld || ld > TK_LD_MAX || ld % W)
        return tk_fail(TK_SIZE, "argmax: %lld rows of %lld, %lld apart", (long long)rows, (long long)cols, (long long)ld);
    if ((uintptr_t)x % sizeof(tk_pack<T, W>))
        return tk_fail(TK_ALIGNMENT, "argmax: accesses of %d bytes", (int)sizeof(T) * W);
    if (parts == 1) {
        tk_launch(argmax<T, W>, (unsigned)rows, PART_THREADS, 0, stream, out, x, rows, cols, ld);
        return tk_launched("argmax");
    }
    if (rows > 65535 || parts < 1 || parts > PARTS_MAX || part_cols < PART_COLS || part_cols > TK_LD_MAX || part_cols % PART_COLS)
        return tk_fail(TK_SIZE, "argmax: %lld parts of %lld", (long long)parts, (long long)part_cols);
    const dim3 grid((unsigned)parts, (unsigned)rows);
    tk_launch(argmax_part<T, W>, grid, PART_THREADS, 0, stream, best, x, rows, cols, ld, parts, part_cols);
    TK_TRY(tk_launched("argmax"));
    tk_launch(argmax_combine, (unsigned)((rows + PART_THREADS / 32 - 1) / (PART_THREADS / 32)), PART_THREADS, 0, stream, out, best, rows, parts);
    return tk_launched("argmax");
}

template <typename T> using launcher = tk_status (*)(int *, const T *, key *, const argmax_call &);
template <typename T> static const launcher<T> launchers[] = {launch<T, 1>, launch<T, 16 / sizeof(T)>};

template <typename T> static tk_status choose(const tk_tensor *out, const tk_tensor *x, const argmax_call &c, tk_workspace w)
{
    const bool is_wide = tk_alignment(x) == 16 && c.cols * sizeof(T) % 16 == 0;
    return launchers<T>[is_wide]((int *)out->data, (const T *)x->data, (key *)w.data, c);
}

extern "C" size_t tk_argmax_workspace(const tk_tensor *x)
{
    int64_t rows, cols;
    if (!softmax_sizes(x, &rows, &cols))
        return 0;
    const int64_t parts = softmax_split(rows, cols).parts;
    return parts == 1 ? 0 : (size_t)(rows * parts) * sizeof(key);
}

extern "C" tk_status tk_argmax(const tk_tensor *out, const tk_tensor *x, tk_workspace w, tk_stream stream)
{
    int64_t rows, cols, ld;
    TK_TRY(softmax_check_x(x, "x"));
    TK_TRY(out ? tk_check_written(out, "out", x->rank - 1, TK_OF(TK_I32)) : tk_fail(TK_NULL, "out is null"));
    for (int d = 0; d < TK_RANK && d + 1 < x->rank; ++d)
        TK_TRY(tk_check_extent(out, "out", d, x->extent[d]));
    if (!tk_is_dense(out))
        return tk_fail(TK_UNSUPPORTED, "out is not contiguous");
    TK_TRY(tk_check_apart(out, "out", x, "x", false));
    if (!tk_elements(out))
        return TK_OK;
    if (!tk_elements(x))
        return tk_fail(TK_SHAPE, "x has rows without an element");
    if (!tk_as_rows(x, &rows, &cols, &ld))
        return tk_fail(TK_UNSUPPORTED, "the strides of x are not those of rows at one distance");
    const tk_tensor *const tensors[] = {out, x};
    const char *const names[] = {"out", "x"};
    TK_TRY(tk_check_scratch(w, tk_argmax_workspace(x), 2, tensors, names));
    const argmax_call c = {rows, cols, ld, softmax_split(rows, cols), stream};
    return x->type == TK_F32 ? choose<float>(out, x, c, w) : x->type == TK_F16 ? choose<__half>(out, x, c, w) : choose<__nv_bfloat16>(out, x, c, w);
}
