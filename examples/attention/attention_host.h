// What the entries of the attention kernels check alike.
#ifndef TK_ATTENTION_HOST_H
#define TK_ATTENTION_HOST_H

#include "tk_host.h"

static inline tk_status check_heads(int64_t dim, int64_t heads, int64_t heads_kv, float scale)
{
    if (dim != 64 && dim != 128)
        return tk_fail(TK_UNSUPPORTED, "a head dimension of %lld; 64 and 128 are supported", (long long)dim);
    if (heads_kv < 1 ? heads > 0 : heads % heads_kv != 0)
        return tk_fail(TK_SHAPE, "%lld heads are no multiple of %lld heads of keys", (long long)heads, (long long)heads_kv);
    if (!(scale > 0.0f && scale <= 2.0e38f)) // log2(e) times that is finite too
        return tk_fail(TK_VALUE, "scale is %g, not above 0 and at most 2e38", (double)scale);
    return TK_OK;
}

// Heads are dense, and each token begins at a multiple of 16 bytes.
static inline tk_status check_tokens(const tk_tensor *t, const char *name)
{
    const int last = t->rank - 1;
    if (t->extent[last] > 1 && t->stride[last] != 1)
        return tk_fail(TK_SHAPE, "%s: stride %d is %lld, not 1", name, last, (long long)t->stride[last]);
    if (t->extent[last - 1] > 1 && t->stride[last - 1] != t->extent[last])
        return tk_fail(TK_SHAPE, "%s: stride %d is %lld, not %lld: heads are dense", name, last - 1, (long long)t->stride[last - 1],
                       (long long)t->extent[last]);
    if (tk_alignment(t) < 16)
        return tk_fail(TK_ALIGNMENT, "%s: its address or its strides are no multiples of 16 bytes", name);
    return TK_OK;
}

// A dimension of one element may have any stride.
static inline int64_t stride_of(const tk_tensor *t, int dim, int64_t least)
{
    return t->extent[dim] > 1 ? t->stride[dim] : least;
}

static inline tk_status check_dense(const tk_tensor *t, const char *name)
{
    return tk_is_dense(t) ? TK_OK : tk_fail(TK_SHAPE, "%s is not dense", name);
}

static inline tk_status check_cache(const tk_tensor *k, const tk_tensor *v)
{
    TK_TRY(check_tokens(k, "k"));
    TK_TRY(check_tokens(v, "v"));
    for (int d = 0; d < k->rank; ++d) {
        TK_TRY(tk_check_extent(v, "v", d, k->extent[d]));
        if (k->extent[d] > 1 && k->stride[d] != v->stride[d])
            return tk_fail(TK_SHAPE, "k and v: strides %d differ", d);
    }
    return TK_OK;
}

#endif
