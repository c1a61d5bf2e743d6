// LayerNorm of each row: out = (x - mean) / sqrt(variance + eps) * weight + bias, in float; the variance from the distances to the mean.
//
// Shapes: x and out are rows x cols, with rows x_ld and out_ld elements apart, weight and bias have cols elements, bias may be null. G threads hold a
// row in registers, each K packs of W elements; with LONG a row may have more, which is read three times. A block of THREADS has THREADS / G rows. A
// kernel of its own does it in place.
// Proved for all sizes that the launches let through: each block writes its own rows, all of them, and nothing of the gaps between them; bias is
// read only where there is one; the wide accesses are aligned; no index overflows; the partial sums do not race.
#include <tilecheck.h>

#include "norm.h"

template <typename T, int W>
__device__ inline tk_pack<T, W> normed(const tk_pack<T, W> &x, float mean, float scale, const tk_pack<T, W> &weight, const tk_pack<T, W> &bias,
                                       bool biased)
{
    tk_pack<T, W> y;
    for (int w = 0; w < W; ++w) {
        const float v = (tk_float(x.at[w]) - mean) * scale * tk_float(weight.at[w]);
        y.at[w] = tk_round<T>(biased ? v + tk_float(bias.at[w]) : v);
    }
    return y;
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
__device__ inline void layernorm_rows(T *out, const T *x, const T *weight, const T *bias, int64_t rows, int64_t cols, int64_t out_ld,
                                      int64_t x_ld, float eps)
{
    using pack = tk_pack<T, W>;
    __shared__ float part[2][G > 32 ? G / 32 : 1];
    const int lane = threadIdx.x % G, packs = (int)(cols / W);
    const int64_t row = (int64_t)blockIdx.x * (THREADS / G) + threadIdx.x / G;
    const bool live = row < rows;
    const T *from = x + row * x_ld;
    T *to = out + row * out_ld;

    constexpr bool EARLY = K <= 2; // the weights are asked for with the row, where there are registers for them
    pack v[K], g[K], b[K];
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (live && i < packs) {
            v[k] = *(const pack *)(from + (int64_t)i * W);
            if constexpr (EARLY) {
                g[k] = *(const pack *)(weight + (int64_t)i * W);
                if (bias)
                    b[k] = *(const pack *)(bias + (int64_t)i * W);
            }
        }
    }
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs)
            for (int w = 0; w < W; ++w)
                sum += tk_float(v[k].at[w]);
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G) {
            const pack u = *(const pack *)(from + (int64_t)i * W);
            for (int w = 0; w < W; ++w)
                sum += tk_float(u.at[w]);
        }
    const float mean = tk_reduce<tk_sum, G>(sum, part[0]) / (float)cols;

    float squares = 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs)
            for (int w = 0; w < W; ++w)
                squares += (tk_float(v[k].at[w]) - mean) * (tk_float(v[k].at[w]) - mean);
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G) {
            const pack u = *(const pack *)(from + (int64_t)i * W);
            for (int w = 0; w < W; ++w)
                squares += (tk_float(u.at[w]) - mean) * (tk_float(u.at[w]) - mean);
        }
    squares = tk_reduce<tk_sum, G>(squares, part[1]);
    if (!live)
        return;

    const float scale = rsqrtf(squares / (float)cols + eps);
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (i < packs) {
            if constexpr (!EARLY) {
                g[k] = *(const pack *)(weight + (int64_t)i * W);
                if (bias)
                    b[k] = *(const pack *)(bias + (int64_t)i * W);
            }
            *(pack *)(to + (int64_t)i * W) = normed<T, W>(v[k], mean, scale, g[k], b[k], bias != nullptr);
        }
    }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G) {
            const pack u = *(const pack *)(from + (int64_t)i * W), f = *(const pack *)(weight + (int64_t)i * W);
            pack h;
            if (bias)
                h = *(const pack *)(bias + (int64_t)i * W);
            *(pack *)(to + (int64_t)i * W) = normed<T, W>(u, mean, scale, f, h, bias != nullptr);
        }
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0 && cols <= out_ld && out_ld <= TK_LD_MAX && out_ld % W == 0)
__global__ void __launch_bounds__(THREADS)
layernorm(tc_out tc_shape(rows, cols) tc_stride(out_ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *out,
          tc_shared tc_shape(rows, cols) tc_stride(x_ld, 1) tc_align(sizeof(T) * W) const T *x,
          tc_shared tc_shape(cols) tc_align(sizeof(T) * W) const T *weight,
          tc_shared tc_optional tc_shape(cols) tc_align(sizeof(T) * W) const T *bias,
          int64_t rows, int64_t cols, int64_t out_ld, int64_t x_ld, float eps)
{
    layernorm_rows<T, W, THREADS, G, K, LONG>(out, x, weight, bias, rows, cols, out_ld, x_ld, eps);
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= ld && ld <= TK_LD_MAX && ld % W == 0)
__global__ void __launch_bounds__(THREADS)
layernorm_inplace(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(THREADS / G, cols) tc_at(blockIdx.x, 0) tc_align(sizeof(T) * W) T *x,
                  tc_shared tc_shape(cols) tc_align(sizeof(T) * W) const T *weight,
                  tc_shared tc_optional tc_shape(cols) tc_align(sizeof(T) * W) const T *bias,
                  int64_t rows, int64_t cols, int64_t ld, float eps)
{
    layernorm_rows<T, W, THREADS, G, K, LONG>(x, x, weight, bias, rows, cols, ld, ld, eps);
}

struct layernorm_call {
    int64_t rows, cols, out_ld, x_ld;
    float eps;
    cudaStream_t stream;
};

template <typename T, int W, int THREADS, int G, int K, bool LONG>
static tk_status launch(T *out, const T *x, const T *weight, const T *bias, const layernorm_call &c)
{
    if (c.rows < 1 || c.rows > TK_ROWS_MAX || c.cols < 1 || c.cols % W || (!LONG && c.cols > W * G * K))
        return tk_fail(TK_SIZE, "layernorm: %lld rows of %lld", (long long)c.rows, (long long)c.cols);
    if (c.cols > c.x_ld || c.x_ld > TK_LD_MAX || c.x_ld % W || c.cols > c.out_ld || c.out_ld > TK_LD_MAX || c.out_ld % W)
        return tk_fail(TK_SIZE, "layernorm: rows are %lld and %lld elements apart", (long long)c.x_ld, (long long)c.out_ld);
    if ((uintptr_t)out % sizeof(tk_pack<T, W>) || (uintptr_t)x % sizeof(tk_pack<T, W>) || (uintptr_t)weight % sizeof(tk_pack<T, W>) ||
        (uintptr_t)bias % sizeof(tk_pack<T, W>))
        return tk_fail(TK_ALIGNMENT, "layernorm: accesses of %d bytes", (int)sizeof(T) * W);
    const unsigned blocks = (unsigned)((c.rows + THREADS / G - 1) / (THREADS / G));
    if (out == x && c.out_ld == c.x_ld)
        layernorm_inplace<T, W, THREADS, G, K, LONG><<<blocks, THREADS, 0, c.stream>>>(out, weight, bias, c.rows, c.cols, c.x_ld, c.eps);
    else
        layernorm<T, W, THREADS, G, K, LONG><<<blocks, THREADS, 0, c.stream>>>(out, x, weight, bias, c.rows, c.cols, c.out_ld, c.x_ld, c.eps);
    return tk_launched("layernorm");
}

template <typename T> using launcher = tk_status (*)(T *, const T *, const T *, const T *, const layernorm_call &);

// By the length of a row; the last takes any.
template <typename T>
static const launcher<T> narrow[] = {launch<T, 1, 128, 32, 4, false>, launch<T, 1, 256, 256, 4, false>, launch<T, 1, 1024, 1024, 4, true>};
template <typename T, int W = 16 / sizeof(T)>
static const launcher<T> wide[] = {launch<T, W, 128, 16, 1, false>,    launch<T, W, 128, 32, 1, false>,   launch<T, W, 128, 32, 2, false>,
                                   launch<T, W, 128, 128, 2, false>,   launch<T, W, 256, 256, 2, false>,  launch<T, W, 512, 512, 2, false>,
                                   launch<T, W, 1024, 1024, 2, false>, launch<T, W, 1024, 1024, 4, true>};

template <typename T>
static tk_status choose(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, const tk_tensor *bias, const layernorm_call &c)
{
    const bool is_wide = tk_alignment(out) == 16 && tk_alignment(x) == 16 && tk_alignment(weight) == 16 && (!bias || tk_alignment(bias) == 16);
    const int64_t packs = c.cols * (int64_t)sizeof(T) / 16;
    const bool is_whole = c.cols * sizeof(T) % 16 == 0;
    const launcher<T> run = is_wide && is_whole ? wide<T>[norm_wide(packs)] : narrow<T>[c.cols <= 128 ? 0 : c.cols <= 1024 ? 1 : 2];
    return run((T *)out->data, (const T *)x->data, (const T *)weight->data, (const T *)(bias ? bias->data : nullptr), c);
}

extern "C" tk_status tk_layernorm(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, const tk_tensor *bias, float eps,
                                  tk_stream stream)
{
    norm_rows in, to;
    TK_TRY(norm_check_x(x));
    TK_TRY(norm_check_as(out, "out", x, true));
    TK_TRY(norm_check_vector(weight, "weight", x));
    TK_TRY(tk_check_apart(out, "out", x, "x", true));
    TK_TRY(tk_check_apart(out, "out", weight, "weight", false));
    if (bias) {
        TK_TRY(norm_check_vector(bias, "bias", x));
        TK_TRY(tk_check_apart(out, "out", bias, "bias", false));
    }
    if (!tk_elements(x))
        return TK_OK;
    TK_TRY(norm_as_rows(x, "x", &in));
    TK_TRY(norm_as_rows(out, "out", &to));
    const layernorm_call c = {in.rows, in.cols, to.ld, in.ld, eps, stream};
    return x->type == TK_F32   ? choose<float>(out, x, weight, bias, c)
           : x->type == TK_F16 ? choose<__half>(out, x, weight, bias, c)
                               : choose<__nv_bfloat16>(out, x, weight, bias, c);
}
