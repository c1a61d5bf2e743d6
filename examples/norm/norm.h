// What the norms share: the steps of an RMSNorm, and what their launches ask of the caller's tensors.
#ifndef NORM_H
#define NORM_H

#include "tk_host.h"
#include "tk_norm.h"
#include "tk_rows.h"

template <typename T, int W>
__device__ inline tk_bits<T, W> norm_scaled(tk_bits<T, W> x, float scale, tk_bits<T, W> weight, bool round_first)
{
    const tk_floats<W> g = tk_widen<T, W>(weight);
    tk_floats<W> v = tk_widen<T, W>(x);
    for (int w = 0; w < W; ++w)
        v.at[w] *= scale;
    if (round_first)
        v = tk_widen<T, W>(tk_narrow<T, W>(v));
    for (int w = 0; w < W; ++w)
        v.at[w] *= g.at[w];
    return tk_narrow<T, W>(v);
}

template <typename T, int W> __device__ inline void norm_squares(tk_bits<T, W> x, float *sum)
{
    const tk_floats<W> v = tk_widen<T, W>(x);
    for (int w = 0; w < W; ++w)
        *sum += v.at[w] * v.at[w];
}

constexpr unsigned NORM_TYPES = TK_OF(TK_F32) | TK_OF(TK_F16) | TK_OF(TK_BF16);

struct norm_rows {
    int64_t rows, cols, ld;
};

inline tk_status norm_as_rows(const tk_tensor *t, const char *name, norm_rows *r)
{
    if (!tk_as_rows(t, &r->rows, &r->cols, &r->ld))
        return tk_fail(TK_UNSUPPORTED, "%s: its strides are not those of rows at one distance", name);
    return TK_OK;
}

// A tensor of the type and extents of x, rank 1 or more.
inline tk_status norm_check_as(const tk_tensor *t, const char *name, const tk_tensor *x, bool written)
{
    TK_TRY(written ? tk_check_written(t, name, x->rank, TK_OF(x->type)) : tk_check(t, name, x->rank, TK_OF(x->type)));
    for (int d = 0; d < TK_RANK && d < x->rank; ++d)
        TK_TRY(tk_check_extent(t, name, d, x->extent[d]));
    return TK_OK;
}

inline tk_status norm_check_x(const tk_tensor *x)
{
    if (!x)
        return tk_fail(TK_NULL, "x is null");
    if (x->rank < 1 || x->rank > TK_RANK)
        return tk_fail(TK_SHAPE, "x has %d dimensions, this call wants 1 to %d", x->rank, TK_RANK);
    return tk_check(x, "x", x->rank, NORM_TYPES);
}

// A contiguous vector with an element for each column of x.
inline tk_status norm_check_vector(const tk_tensor *t, const char *name, const tk_tensor *x)
{
    TK_TRY(tk_check(t, name, 1, TK_OF(x->type)));
    TK_TRY(tk_check_extent(t, name, 0, x->extent[x->rank - 1]));
    if (t->extent[0] > 1 && t->stride[0] != 1)
        return tk_fail(TK_UNSUPPORTED, "%s is not contiguous", name);
    return TK_OK;
}

// Which of the wide kernels of rows takes a row of so many packs; their table is in each file.
constexpr int NORM_WIDE = 13;
inline int norm_wide(int64_t packs)
{
    static const int64_t most[NORM_WIDE - 1] = {16, 32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 4096};
    int i = 0;
    while (i < NORM_WIDE - 1 && packs > most[i])
        ++i;
    return i;
}

#endif
