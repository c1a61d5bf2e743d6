// What the kernels over rows of scores share: exponentials, and what the calls ask of the caller's tensors.
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include "tk_host.h"
#include "tk_rows.h"
#include "tk_softmax.h"

// e^x to the precision of T.
template <typename T> __device__ inline float softmax_exp(float x)
{
    if constexpr (sizeof(T) == 4)
        return expf(x);
    else
        return __expf(x);
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

template <typename T, int W> __device__ inline void softmax_add(softmax_sum *s, const tk_pack<T, W> &x)
{
    float top = s->top;
    for (int w = 0; w < W; ++w)
        top = fmaxf(top, tk_float(x.at[w]));
    const float base = softmax_base(top);
    float sum = softmax_moved<T>(*s, base);
    for (int w = 0; w < W; ++w)
        sum += softmax_exp<T>(tk_float(x.at[w]) - base);
    s->top = top;
    s->sum = sum;
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
    return softmax_check_x(x, "x") == TK_OK && tk_elements(x) > 0 && tk_as_rows(x, rows, cols, &ld) && *cols <= TK_LD_MAX;
}

// Parts of a row that blocks of 128 threads take each, where there are too few rows for the device: about PARTS_WANTED blocks in all, of 1024
// columns at least.
constexpr int PART_THREADS = 128;
constexpr int64_t PARTS_WANTED = 528, PART_COLS = 1024, PARTS_MAX = 1024;

struct softmax_parts {
    int64_t parts, cols; // a row, and each but the last of them, a multiple of PART_COLS
};

inline softmax_parts softmax_split(int64_t rows, int64_t cols)
{
    int64_t wanted = rows > 0 ? (PARTS_WANTED + rows - 1) / rows : 1;
    wanted = wanted > PARTS_MAX ? PARTS_MAX : wanted;
    softmax_parts p;
    p.cols = (cols + wanted * PART_COLS - 1) / (wanted * PART_COLS) * PART_COLS;
    p.cols = p.cols > 0 ? p.cols : PART_COLS;
    p.parts = (cols + p.cols - 1) / p.cols;
    return p;
}

#endif
