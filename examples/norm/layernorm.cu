// LayerNorm of each row: out = (x - mean) / sqrt(variance + eps) * weight + bias, in float; the variance from the distances to the mean.
//
// Shapes: x and out are rows x cols, with rows x_ld and out_ld elements apart, weight and bias have cols elements, bias may be null. G threads hold a
// row in registers, each K packs of W elements; with LONG a row may have more, which is read three times. A block of THREADS has THREADS / G rows. A
// kernel of its own does it in place.
// Proved for all sizes that the launches let through: each block writes its own rows, all of them, and nothing of the gaps between them; bias is
// read only where there is one; the wide accesses are aligned; no index overflows; the partial sums do not race.
#include <tilecheck.h>

#include "norm.h"

template <typename T, int W> __device__ inline void add_up(tk_bits<T, W> x, float *sum)
{
    const tk_floats<W> v = tk_widen<T, W>(x);
    for (int w = 0; w < W; ++w)
        *sum += v.at[w];
}

template <typename T, int W> __device__ inline void add_squares(tk_bits<T, W> x, float mean, float *sum)
{
    const tk_floats<W> v = tk_widen<T, W>(x);
    for (int w = 0; w < W; ++w)
        *sum += (v.at[w] - mean) * (v.at[w] - mean);
}

template <typename T, int W>
__device__ inline tk_bits<T, W> normed(tk_bits<T, W> x, float mean, float scale, tk_bits<T, W> weight, tk_bits<T, W> bias, bool biased)
{
    const tk_floats<W> g = tk_widen<T, W>(weight), b = tk_widen<T, W>(bias);
    tk_floats<W> v = tk_widen<T, W>(x);
    for (int w = 0; w < W; ++w) {
        v.at[w] = (v.at[w] - mean) * scale * g.at[w];
        v.at[w] = biased ? v.at[w] + b.at[w] : v.at[w];
    }
    return tk_narrow<T, W>(v);
}

// Weights and biases are asked for with the row where that pays: it costs registers, and so rows in flight.
template <int THREADS, int K, bool LONG> constexpr bool EARLY = (K <= 2 || (K == 4 && THREADS <= 256)) && !LONG;
template <int W, int THREADS, int K, bool LONG>
constexpr int BLOCKS = W == 1 ? 1 : tk_blocks(THREADS, K > 4 || THREADS == 1024 ? 64 : K == 4 && EARLY<THREADS, K, LONG> ? 64 : 40);

template <typename T, int W, int THREADS, int G, int K, bool LONG>
__device__ inline void layernorm_rows(T *out, const T *x, const T *weight, const T *bias, int64_t rows, int64_t cols, int64_t out_ld,
                                      int64_t x_ld, float eps)
{
    using bits = tk_bits<T, W>;
    __shared__ float part[2][THREADS / 32];
    const int lane = threadIdx.x % G, packs = (int)(cols / W);
    const int64_t row = (int64_t)blockIdx.x * (THREADS / G) + threadIdx.x / G;
    const bool live = row < rows;
    const bits *from = (const bits *)(x + row * x_ld), *weights = (const bits *)weight, *biases = (const bits *)bias;
    bits *to = (bits *)(out + row * out_ld);

    bits v[K], g[K], b[K];
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        b[k] = bits();
        if (live && i < packs) {
            v[k] = from[i];
            if constexpr (EARLY<THREADS, K, LONG>) {
                g[k] = weights[i];
                if (bias)
                    b[k] = biases[i];
            }
        }
    }
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs) {
            add_up<T, W>(v[k], &sum);
            tk_anew(v[k]);
        }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G)
            add_up<T, W>(from[i], &sum);
    const float mean = tk_reduce<tk_sum, G>(sum, part[0]) / (float)cols;

    float squares = 0.0f;
    for (int k = 0; k < K; ++k)
        if (live && k * G + lane < packs) {
            add_squares<T, W>(v[k], mean, &squares);
            tk_anew(v[k]);
        }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G)
            add_squares<T, W>(from[i], mean, &squares);
    squares = tk_reduce<tk_sum, G>(squares, part[1]);
    if (!live)
        return;

    const float scale = rsqrtf(squares / (float)cols + eps);
    for (int k = 0; k < K; ++k) {
        const int i = k * G + lane;
        if (i < packs) {
            if constexpr (!EARLY<THREADS, K, LONG>) {
                g[k] = weights[i];
                if (bias)
                    b[k] = biases[i];
            }
            to[i] = normed<T, W>(v[k], mean, scale, g[k], b[k], bias != nullptr);
        }
    }
    if constexpr (LONG)
        for (int i = K * G + lane; i < packs; i += G) {
            bits h = bits();
            if (bias)
                h = biases[i];
            to[i] = normed<T, W>(from[i], mean, scale, weights[i], h, bias != nullptr);
        }
}

template <typename T, int W, int THREADS, int G, int K, bool LONG>
tc_block(THREADS) tc_grid(tc_cdiv(rows, THREADS / G))
tc_requires(rows >= 1 && rows <= TK_ROWS_MAX && cols >= 1 && cols % W == 0 && (LONG || cols <= W * G * K))
tc_requires(cols <= x_ld && x_ld <= TK_LD_MAX && x_ld % W == 0 && cols <= out_ld && out_ld <= TK_LD_MAX && out_ld % W == 0)
__global__ void __launch_bounds__(THREADS, BLOCKS<W, THREADS, K, LONG>)
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
__global__ void __launch_bounds__(THREADS, BLOCKS<W, THREADS, K, LONG>)
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
static const launcher<T> wide[NORM_WIDE] = {
    launch<T, W, 128, 16, 1, false>,   launch<T, W, 128, 32, 1, false>,   launch<T, W, 128, 32, 2, false>,   launch<T, W, 128, 64, 2, false>,
    launch<T, W, 128, 64, 4, false>,   launch<T, W, 128, 128, 3, false>,  launch<T, W, 128, 128, 4, false>,  launch<T, W, 256, 256, 3, false>,
    launch<T, W, 256, 256, 4, false>,  launch<T, W, 512, 512, 3, false>,  launch<T, W, 512, 512, 4, false>,  launch<T, W, 512, 512, 8, false>,
    launch<T, W, 1024, 1024, 8, true>};

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
    TK_TRY(tk_check_eps(eps));
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
