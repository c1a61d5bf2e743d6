// RMSNorm of each row: out = x / sqrt(mean(x * x) + eps) * weight, in float.
//
// Shapes: x and out are rows x cols, with rows x_ld and out_ld elements apart, weight has cols elements. G threads hold a row in registers, each
// K packs of W elements; with LONG a row may have more, which is read twice. A block of THREADS has THREADS / G rows. A kernel of its own does it
// in place.
// Proved for all sizes that the launches let through: each block writes its own rows, all of them, and nothing of the gaps between them; the wide
// accesses are aligned; no index overflows; the partial sums do not race.
#include <tilecheck.h>

#include "norm.h"

// The weights are asked for with the row where there are registers for them. Blocks of 1024 are to be two on a multiprocessor, if their rows are short.
template <int THREADS, int K, bool LONG> constexpr bool EARLY = K <= 4 && THREADS < 1024 && !LONG;
template <int W, int THREADS, int K, bool LONG>
constexpr int BLOCKS = W == 1 ? 1 : tk_blocks(THREADS, LONG || K > 4 ? 64 : THREADS == 1024 ? 32 : K > 2 ? 64 : 40);

template <typename T, int W, int THREADS, int G, int K, bool LONG>
__device__ inline void rmsnorm_rows(T *out, const T *x, const T *weight, int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld, float eps,
                                    bool round_first)
{
    using bits = tk_bits<T, W>;
    __shared__ float part[THREADS / 32];
    const int lane = threadIdx.x % G, packs = (int)(cols / W);
    const int64_t row = (int64_t)blockIdx.x * (THREADS / G) + threadIdx.x / G;
    const bool live = row < rows;
    const bits *from = (const bits *)(x + row * x_ld), *weights = (const bits *)weight;
    bits *to = (bits *)(out + row * out_ld);

    bits v[K], g[K];
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (live && i < packs) {
            v[k] = from[i];
            if constexpr (EARLY<THREADS, K, LONG>)
                g[k] = weights[i];
        }
    }
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs) {
            norm_squares<T, W>(v[k], &sum);
            tk_anew(v[k]);
        }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G)
            norm_squares<T, W>(from[i], &sum);
    sum = tk_reduce<tk_sum, G>(sum, part);
    if (!live)
        return;

    const float scale = rsqrtf(sum / (float)cols + eps);
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (i < packs) {
            if constexpr (!EARLY<THREADS, K, LONG>)
                g[k] = weights[i];
            to[i] = norm_scaled<T, W>(v[k], scale, g[k], round_first);
        }
    }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G)
            to[i] = norm_scaled<T, W>(from[i], scale, weights[i], round_first);
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0 && cols <= out_ld && out_ld <= TK_LD_MAX && out_ld % W == 0)
__global__ void __launch_bounds__(THREADS, BLOCKS<W, THREADS, K, LONG>)
rmsnorm(tc_out tc_shape(rows, cols) tc_stride(out_ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *out,
        tc_shared tc_shape(rows, cols) tc_stride(x_ld, 1) tc_align(sizeof(T) * W) const T *x,
        tc_shared tc_shape(cols) tc_align(sizeof(T) * W) const T *weight,
        int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld, float eps, bool round_first)
{
    rmsnorm_rows<T, W, THREADS, G, K, LONG>(out, x, weight, rows, cols, out_ld, x_ld, eps, round_first);
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= ld && ld <= TK_LD_MAX && ld % W == 0)
__global__ void __launch_bounds__(THREADS, BLOCKS<W, THREADS, K, LONG>)
rmsnorm_inplace(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *x,
                tc_shared tc_shape(cols) tc_align(sizeof(T) * W) const T *weight,
                int64_t rows, int64_t cols, int64_t ld, float eps, bool round_first)
{
    rmsnorm_rows<T, W, THREADS, G, K, LONG>(x, x, weight, rows, cols, ld, ld, eps, round_first);
}

struct rmsnorm_call {
    int64_t rows, cols, out_ld, x_ld;
    float eps;
    bool round_first;
    cudaStream_t stream;
};

template <typename T, int W, int THREADS, int G, int K, bool LONG>
static tk_status launch(T *out, const T *x, const T *weight, const rmsnorm_call &c)
{
    if (c.rows < 1 || c.rows > TK_ROWS_MAX || c.cols < 1 || c.cols % W || (!LONG && c.cols > W * G * K))
        return tk_fail(TK_SIZE, "rmsnorm: %lld rows of %lld", (long long)c.rows, (long long)c.cols);
    if (c.cols > c.x_ld || c.x_ld > TK_LD_MAX || c.x_ld % W || c.cols > c.out_ld || c.out_ld > TK_LD_MAX || c.out_ld % W)
        return tk_fail(TK_SIZE, "rmsnorm: rows are %lld and %lld elements apart", (long long)c.x_ld, (long long)c.out_ld);
    if ((uintptr_t)out % sizeof(tk_pack<T, W>) || (uintptr_t)x % sizeof(tk_pack<T, W>) || (uintptr_t)weight % sizeof(tk_pack<T, W>))
        return tk_fail(TK_ALIGNMENT, "rmsnorm: accesses of %d bytes", (int)sizeof(T) * W);
    const unsigned blocks = (unsigned)((c.rows + THREADS / G - 1) / (THREADS / G));
    if (out == x && c.out_ld == c.x_ld)
        rmsnorm_inplace<T, W, THREADS, G, K, LONG><<<blocks, THREADS, 0, c.stream>>>(out, weight, c.rows, c.cols, c.x_ld, c.eps,
                                                                                     c.round_first);
    else
        rmsnorm<T, W, THREADS, G, K, LONG><<<blocks, THREADS, 0, c.stream>>>(out, x, weight, c.rows, c.cols,
                                                                             c.out_ld, c.x_ld, c.eps, c.round_first);
    return tk_launched("rmsnorm");
}

template <typename T> using launcher = tk_status (*)(T *, const T *, const T *, const rmsnorm_call &);

// By the length of a row; the last takes any.
template <typename T>
static const launcher<T> narrow[] = {launch<T, 1, 128, 32, 4, false>, launch<T, 1, 256, 256, 4, false>, launch<T, 1, 1024, 1024, 4, true>};
template <typename T, int W = 16 / sizeof(T)>
static const launcher<T> wide[NORM_WIDE] = {
    launch<T, W, 128, 16, 1, false>,   launch<T, W, 128, 32, 1, false>,   launch<T, W, 128, 32, 2, false>,   launch<T, W, 128, 64, 2, false>,
    launch<T, W, 128, 64, 4, false>,   launch<T, W, 128, 128, 3, false>,  launch<T, W, 128, 128, 4, false>,  launch<T, W, 256, 256, 3, false>,
    launch<T, W, 256, 256, 4, false>,  launch<T, W, 512, 512, 3, false>,  launch<T, W, 512, 512, 4, false>,  launch<T, W, 1024, 1024, 4, false>,
    launch<T, W, 1024, 1024, 8, true>};

template <typename T>
static tk_status choose(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, const rmsnorm_call &c)
{
    const bool is_wide = tk_alignment(out) == 16 && tk_alignment(x) == 16 && tk_alignment(weight) == 16;
    const int64_t packs = c.cols * (int64_t)sizeof(T) / 16;
    const bool is_whole = c.cols * sizeof(T) % 16 == 0;
    const launcher<T> run = is_wide && is_whole ? wide<T>[norm_wide(packs)] : narrow<T>[c.cols <= 128 ? 0 : c.cols <= 1024 ? 1 : 2];
    return run((T *)out->data, (const T *)x->data, (const T *)weight->data, c);
}

extern "C" tk_status tk_rmsnorm(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, float eps, int64_t round_first, tk_stream stream)
{
    norm_rows in, to;
    TK_TRY(norm_check_x(x));
    TK_TRY(norm_check_as(out, "out", x, true));
    TK_TRY(norm_check_vector(weight, "weight", x));
    TK_TRY(tk_check_eps(eps));
    TK_TRY(tk_check_apart(out, "out", x, "x", true));
    TK_TRY(tk_check_apart(out, "out", weight, "weight", false));
    if (!tk_elements(x))
        return TK_OK;
    TK_TRY(norm_as_rows(x, "x", &in));
    TK_TRY(norm_as_rows(out, "out", &to));
    const rmsnorm_call c = {in.rows, in.cols, to.ld, in.ld, eps, round_first != 0, stream};
    return x->type == TK_F32   ? choose<float>(out, x, weight, c)
           : x->type == TK_F16 ? choose<__half>(out, x, weight, c)
                               : choose<__nv_bfloat16>(out, x, weight, c);
}
