// What the kernels of this folder share on the host.
#ifndef GATHER_CUH
#define GATHER_CUH

#include "tk_host.h"

constexpr unsigned TK_FLOATS = TK_OF(TK_F32) | TK_OF(TK_F16) | TK_OF(TK_BF16), TK_INDICES = TK_OF(TK_I32) | TK_OF(TK_I64);

constexpr int64_t MAX_LD = (int64_t)1 << 40, MAX_SPAN = (int64_t)1 << 55;
constexpr int64_t MAX_GRID = 65535; // of the grid's second and third dimension

static inline tk_status check_indices(const tk_tensor *t, const char *name, int rank, unsigned types)
{
    TK_TRY(tk_check(t, name, rank, types));
    return tk_is_dense(t) ? TK_OK : tk_fail(TK_UNSUPPORTED, "%s is not dense", name);
}

static inline tk_status check_type(const tk_tensor *t, const char *name, tk_type type)
{
    return t->type == type ? TK_OK : tk_fail(TK_TYPE, "%s is %s, not %s", name, tk_type_name(t->type), tk_type_name(type));
}

static inline tk_status check_contiguous(const tk_tensor *t, const char *name)
{
    const int last = t->rank - 1;
    return t->extent[last] <= 1 || t->stride[last] == 1 ? TK_OK : tk_fail(TK_UNSUPPORTED, "%s: its last dimension is not contiguous", name);
}

// The last extent and all that is moved in steps of it are whole packs of 16 bytes at addresses that are multiples of 16.
static inline bool is_wide(const tk_tensor *t)
{
    return tk_alignment(t) == 16 && t->extent[t->rank - 1] * (int64_t)tk_type_bytes(t->type) % 16 == 0;
}

// The stride of a dimension in words of so many elements; of a dimension with one index, whose stride is of no matter, that of the dense tensor.
static inline int64_t step(const tk_tensor *t, int dim, int64_t words, int64_t dense) { return t->extent[dim] == 1 ? dense : t->stride[dim] / words; }

#endif
