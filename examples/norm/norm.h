// What the norms share: the last step of an RMSNorm, and what their launches ask of the caller's tensors.
#ifndef NORM_H
#define NORM_H

#include "tk_host.h"
#include "tk_norm.h"
#include "tk_rows.h"

template <typename T> __device__ inline T norm_scaled(T x, float scale, T weight, bool round_first)
{
    float v = tk_float(x) * scale;
    if (round_first)
        v = tk_float(tk_round<T>(v));
    return tk_round<T>(v * tk_float(weight));
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
inline int norm_wide(int64_t packs)
{
    static const int64_t most[] = {16, 32, 64, 256, 512, 1024, 2048};
    int i = 0;
    while (i < 7 && packs > most[i])
        ++i;
    return i;
}

#endif
