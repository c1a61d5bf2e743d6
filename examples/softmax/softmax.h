// What the kernels over rows of scores share: exponentials, and what the calls ask of the caller's tensors.
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include "tk_host.h"
#include "tk_rows.h"
#include "tk_softmax.h"

// e^x to the precision of T; of the 16-bit types, 0 below 2^-126.
template <typename T> __device__ inline float softmax_exp(float x)
{
    if constexpr (sizeof(T) == 4) {
        return expf(x);
    } else {
        float y;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.442695041f));
        return y;
    }
}

// The distance of x from the largest, as exponent: with no largest one (all are -infinity) no exponent is NaN.
__device__ inline float softmax_base(float top) { return top == -INFINITY ? 0.0f : top; }

// The largest and the sum of e^(x - largest) of some elements, in one pass.
struct softmax_sum {
    float top, sum;
};

// The sum with another base; of nothing it stays 0, whatever the exponent.
template <typename T> __device__ inline float softmax_moved(softmax_sum s, float base)
{
    return s.sum == 0.0f ? 0.0f : s.sum * softmax_exp<T>(softmax_base(s.top) - base);
}

// Of two elements of 16 bits in a word at once. No NaN is the largest, but of NaNs alone.
__device__ inline unsigned softmax_max2(const __half *, unsigned a, unsigned b)
{
    __half2 x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = __hmax2(x, y);
    memcpy(&a, &x, sizeof a);
    return a;
}
__device__ inline unsigned softmax_max2(const __nv_bfloat16 *, unsigned a, unsigned b)
{
    __nv_bfloat162 x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = __hmax2(x, y);
    memcpy(&a, &x, sizeof a);
    return a;
}

// The largest of top and the elements of a pack.
template <typename T, int W> __device__ inline float softmax_top(tk_bits<T, W> x, float top)
{
    if constexpr (sizeof(T) == 2 && W == 8) {
        const T *const type = nullptr;
        const unsigned word = softmax_max2(type, softmax_max2(type, x.x, x.y), softmax_max2(type, x.z, x.w));
        const tk_floats<2> two = tk_widen<T, 2>(word);
        return fmaxf(top, fmaxf(two.at[0], two.at[1]));
    } else {
        const tk_floats<W> v = tk_widen<T, W>(x);
        for (int w = 0; w < W; ++w)
            top = fmaxf(top, v.at[w]);
        return top;
    }
}

template <typename T, int W> __device__ inline float softmax_exps(tk_bits<T, W> x, float base)
{
    const tk_floats<W> v = tk_widen<T, W>(x);
    float sum = 0.0f;
    for (int w = 0; w < W; ++w)
        sum += softmax_exp<T>(v.at[w] - base);
    return sum;
}

template <typename T, int W> __device__ inline tk_bits<T, W> softmax_result(tk_bits<T, W> x, float base, float scale)
{
    tk_floats<W> v = tk_widen<T, W>(x);
    for (int w = 0; w < W; ++w)
        v.at[w] = softmax_exp<T>(v.at[w] - base) * scale;
    return tk_narrow<T, W>(v);
}

template <typename T, int W> __device__ inline void softmax_add(softmax_sum *s, tk_bits<T, W> x)
{
    const float top = softmax_top<T, W>(x, s->top);
    if (top > s->top) { // seldom, in a long row
        s->sum = softmax_moved<T>(*s, top);
        s->top = top;
    }
    s->sum += softmax_exps<T, W>(x, softmax_base(top));
}

constexpr unsigned SOFTMAX_TYPES = TK_OF(TK_F32) | TK_OF(TK_F16) | TK_OF(TK_BF16);

inline tk_status softmax_check_x(const tk_tensor *x, const char *name)
{
    if (!x)
        return tk_fail(TK_NULL, "%s is null", name);
    if (x->rank < 1 || x->rank > TK_RANK)
        return tk_fail(TK_SHAPE, "%s has %d dimensions, this call wants 1 to %d", name, x->rank, TK_RANK);
    return tk_check(x, name, x->rank, SOFTMAX_TYPES);
}

// The rows of a tensor that a call with it would take; false for one that it would refuse, or with nothing to do.
inline bool softmax_sizes(const tk_tensor *x, int64_t *rows, int64_t *cols)
{
    int64_t ld;
    return x && x->rank >= 1 && x->rank <= TK_RANK && tk_has_form(x, x->rank, SOFTMAX_TYPES) && tk_elements(x) > 0 &&
           tk_as_rows(x, rows, cols, &ld) && *cols <= TK_LD_MAX;
}

// Parts of a row that blocks of 128 threads take each, where there are too few rows for the device: about PARTS_WANTED blocks in all, of 1024
// columns at least.
constexpr int PART_THREADS = 128;
constexpr int64_t PARTS_WANTED = 528, PART_COLS = 1024, PARTS_MAX = 1024;

struct softmax_parts {
    int64_t parts, cols; // a row, and each but the last of them, a multiple of PART_COLS
};

inline softmax_parts softmax_split(int64_t rows, int64_t cols, int64_t blocks = PARTS_WANTED)
{
    int64_t wanted = rows > 0 ? (blocks + rows - 1) / rows : 1;
    wanted = wanted > PARTS_MAX ? PARTS_MAX : wanted;
    softmax_parts p;
    p.cols = (cols + wanted * PART_COLS - 1) / (wanted * PART_COLS) * PART_COLS;
    p.cols = p.cols > 0 ? p.cols : PART_COLS;
    p.parts = (cols + p.cols - 1) / p.cols;
    return p;
}

#endif
