// The RMSNorm of each head, as of the queries and keys of Qwen3, in views with strides: tokens x heads x D with D = 64 or 128, in float.
//
// Shapes: x and out are tokens x heads x D, tokens and heads some elements apart, weight has D elements. G threads hold a head in registers, each K
// packs of W elements; a block has 128 / G heads of one token. A kernel of its own does it in place. Where the strides of heads are the larger
// ones, tokens and heads change places.
// Proved for all sizes and strides that the launches let through: each block writes its own heads, all of them, and nothing of the gaps between
// them; the wide accesses are aligned; no index overflows.
#include <tilecheck.h>

#include "norm.h"

constexpr int THREADS = 128;
constexpr int64_t MAX_GROUPS = 65535; // of heads: a grid's extent in y

template <typename T, int W, int G, int D>
__device__ inline void rmsnorm_head(T *out, const T *x, const T *weight, int64_t heads, int64_t out_token, int64_t out_head, int64_t x_token,
                                    int64_t x_head, float eps, bool round_first)
{
    using bits = tk_bits<T, W>;
    constexpr int K = D / W / G;
    const int lane = threadIdx.x % G;
    const int64_t head = (int64_t)blockIdx.y * (THREADS / G) + threadIdx.x / G;
    const bool live = head < heads;
    const bits *from = (const bits *)(x + blockIdx.x * x_token + head * x_head), *weights = (const bits *)weight;

    bits v[K], g[K];
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        if (live) {
            v[k] = from[k * G + lane];
            g[k] = weights[k * G + lane];
        }
    for (int k = 0; k < K; ++k)
        if (live)
            norm_squares<T, W>(v[k], &sum);
    sum = tk_reduce<tk_sum, G>(sum, nullptr);
    if (!live)
        return;
    const float scale = rsqrtf(sum / D + eps);
    bits *to = (bits *)(out + blockIdx.x * out_token + head * out_head);
    for (int k = 0; k < K; ++k)
        to[k * G + lane] = norm_scaled<T, W>(v[k], scale, g[k], round_first);
}

template <typename T, int W, int G, int D>
tc_block(THREADS) tc_grid(tokens, tc_cdiv(heads, THREADS / G))
tc_requires(tokens >= 1 && tokens <= TK_ROWS_MAX && heads >= 1 && heads <= MAX_GROUPS * (THREADS / G))
tc_requires(out_head >= D && out_head <= TK_LD_MAX && out_head % W == 0)
tc_requires(out_token >= out_head * heads && out_token <= TK_LD_MAX && out_token % W == 0)
tc_requires(x_head >= D && x_head <= TK_LD_MAX && x_head % W == 0 && x_token >= x_head * heads && x_token <= TK_LD_MAX && x_token % W == 0)
__global__ void __launch_bounds__(THREADS)
rmsnorm_heads(tc_out tc_shape(tokens, heads, D) tc_stride(out_token, out_head, 1) tc_tile(1, THREADS / G, D) tc_at(blockIdx.x, blockIdx.y, 0)
              tc_align(sizeof(T) * W) T *out,
              tc_shared tc_shape(tokens, heads, D) tc_stride(x_token, x_head, 1) tc_align(sizeof(T) * W) const T *x,
              tc_shared tc_shape(D) tc_align(sizeof(T) * W) const T *weight,
              int64_t tokens, int64_t heads, int64_t out_token, int64_t out_head, int64_t x_token, int64_t x_head, float eps, bool round_first)
{
    rmsnorm_head<T, W, G, D>(out, x, weight, heads, out_token, out_head, x_token, x_head, eps, round_first);
}

template <typename T, int W, int G, int D>
tc_block(THREADS) tc_grid(tokens, tc_cdiv(heads, THREADS / G))
tc_requires(tokens >= 1 && tokens <= TK_ROWS_MAX && heads >= 1 && heads <= MAX_GROUPS * (THREADS / G))
tc_requires(head >= D && head <= TK_LD_MAX && head % W == 0 && token >= head * heads && token <= TK_LD_MAX && token % W == 0)
__global__ void __launch_bounds__(THREADS)
rmsnorm_heads_inplace(tc_mut tc_shape(tokens, heads, D) tc_stride(token, head, 1) tc_tile(1, THREADS / G, D) tc_at(blockIdx.x, blockIdx.y, 0)
                      tc_align(sizeof(T) * W) T *x,
                      tc_shared tc_shape(D) tc_align(sizeof(T) * W) const T *weight,
                      int64_t tokens, int64_t heads, int64_t token, int64_t head, float eps, bool round_first)
{
    rmsnorm_head<T, W, G, D>(x, x, weight, heads, token, head, token, head, eps, round_first);
}

struct heads_call {
    int64_t tokens, heads, out_token, out_head, x_token, x_head;
    float eps;
    bool round_first;
    cudaStream_t stream;
};

template <typename T, int W, int G, int D> static tk_status launch(T *out, const T *x, const T *weight, const heads_call &c)
{
    const int64_t tokens = c.tokens, heads = c.heads, out_token = c.out_token, out_head = c.out_head, x_token = c.x_token, x_head = c.x_head;
    if (tokens < 1 || tokens > TK_ROWS_MAX || heads < 1 || heads > MAX_GROUPS * (THREADS / G))
        return tk_fail(TK_SIZE, "rmsnorm_heads: %lld and %lld heads", (long long)tokens, (long long)heads);
    if (out_head < D || out_head > TK_LD_MAX || out_head % W || out_token < out_head * heads || out_token > TK_LD_MAX || out_token % W)
        return tk_fail(TK_SIZE, "rmsnorm_heads: the strides of out are %lld and %lld", (long long)out_token, (long long)out_head);
    if (x_head < D || x_head > TK_LD_MAX || x_head % W || x_token < x_head * heads || x_token > TK_LD_MAX || x_token % W)
        return tk_fail(TK_SIZE, "rmsnorm_heads: the strides of x are %lld and %lld", (long long)x_token, (long long)x_head);
    if ((uintptr_t)out % sizeof(tk_pack<T, W>) || (uintptr_t)x % sizeof(tk_pack<T, W>) || (uintptr_t)weight % sizeof(tk_pack<T, W>))
        return tk_fail(TK_ALIGNMENT, "rmsnorm_heads: accesses of %d bytes", (int)sizeof(T) * W);
    const dim3 grid((unsigned)tokens, (unsigned)((heads + THREADS / G - 1) / (THREADS / G)));
    if (out == x && out_token == x_token && out_head == x_head)
        rmsnorm_heads_inplace<T, W, G, D><<<grid, THREADS, 0, c.stream>>>(out, weight, tokens, heads, x_token, x_head, c.eps, c.round_first);
    else
        rmsnorm_heads<T, W, G, D><<<grid, THREADS, 0, c.stream>>>(out, x, weight, tokens, heads, out_token, out_head, x_token, x_head, c.eps,
                                                                  c.round_first);
    return tk_launched("rmsnorm_heads");
}

template <typename T> using launcher = tk_status (*)(T *, const T *, const T *, const heads_call &);

template <typename T> static const launcher<T> narrow[] = {launch<T, 1, 32, 64>, launch<T, 1, 32, 128>};
template <typename T, int W = 16 / sizeof(T)> static const launcher<T> wide[] = {launch<T, W, 64 / W, 64>, launch<T, W, 128 / W, 128>};

template <typename T> static tk_status choose(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, const heads_call &c)
{
    const bool is_wide = tk_alignment(out) == 16 && tk_alignment(x) == 16 && tk_alignment(weight) == 16;
    const launcher<T> run = (is_wide ? wide<T> : narrow<T>)[x->extent[2] == 128];
    return run((T *)out->data, (const T *)x->data, (const T *)weight->data, c);
}

// The strides of two dimensions; of an extent of 1 a stride that fits any order.
static void look(const tk_tensor *t, int outer, int inner, int64_t *outer_stride, int64_t *inner_stride)
{
    *inner_stride = t->extent[inner] > 1 ? t->stride[inner] : t->extent[2];
    *outer_stride = t->extent[outer] > 1 ? t->stride[outer] : *inner_stride * t->extent[inner];
}

extern "C" tk_status tk_rmsnorm_heads(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, float eps, int64_t round_first,
                                      tk_stream stream)
{
    TK_TRY(tk_check(x, "x", 3, NORM_TYPES));
    TK_TRY(norm_check_as(out, "out", x, true));
    TK_TRY(norm_check_vector(weight, "weight", x));
    TK_TRY(tk_check_eps(eps));
    TK_TRY(tk_check_apart(out, "out", x, "x", true));
    TK_TRY(tk_check_apart(out, "out", weight, "weight", false));
    if (x->extent[2] != 64 && x->extent[2] != 128)
        return tk_fail(TK_UNSUPPORTED, "heads of %lld elements; 64 and 128 are supported", (long long)x->extent[2]);
    if (!tk_elements(x))
        return TK_OK;
    if (x->stride[2] != 1 || out->stride[2] != 1)
        return tk_fail(TK_UNSUPPORTED, "the elements of a head are not contiguous");
    const int outer = out->extent[0] > 1 && out->extent[1] > 1 && out->stride[1] > out->stride[0] ? 1 : 0, inner = 1 - outer;
    heads_call c = {x->extent[outer], x->extent[inner], 0, 0, 0, 0, eps, round_first != 0, stream};
    look(out, outer, inner, &c.out_token, &c.out_head);
    look(x, outer, inner, &c.x_token, &c.x_head);
    if (c.x_token < c.x_head * c.heads)
        return tk_fail(TK_UNSUPPORTED, "the strides of x and out are of different order");
    return x->type == TK_F32   ? choose<float>(out, x, weight, c)
           : x->type == TK_F16 ? choose<__half>(out, x, weight, c)
                               : choose<__nv_bfloat16>(out, x, weight, c);
}
