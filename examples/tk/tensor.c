#include "tk_host.h"

// Elements of one tensor, and the span of one tensor's bytes: far beyond any memory, and sums and products of them fit 64 bits.
#define MAX_ELEMENTS ((int64_t)1 << 48)
#define MAX_SPAN ((int64_t)1 << 58)

size_t tk_type_bytes(tk_type type)
{
    static const size_t bytes[] = {
#define TK_ONE(name, size) [name] = size,
        TK_TYPES(TK_ONE)
#undef TK_ONE
    };
    return (unsigned)type < TK_TYPE_COUNT ? bytes[type] : 0;
}

const char *tk_type_name(tk_type type)
{
    static const char *const names[] = {
#define TK_ONE(name, size) [name] = #name,
        TK_TYPES(TK_ONE)
#undef TK_ONE
    };
    return (unsigned)type < TK_TYPE_COUNT ? names[type] : "no type";
}

// ---- making ----

tk_tensor tk_dense(void *data, tk_type type, int rank, const int64_t *extent)
{
    tk_tensor t = {.data = data, .type = type, .rank = rank};
    if (rank < 0 || rank > TK_RANK)
        return t; // tk_check refuses the rank
    uint64_t stride = 1; // wraps where extents are absurd, which tk_check refuses
    for (int d = rank - 1; d >= 0; --d) {
        t.extent[d] = extent[d];
        t.stride[d] = (int64_t)stride;
        stride *= (uint64_t)extent[d];
    }
    return t;
}

tk_tensor tk_vector(void *data, tk_type type, int64_t n) { return tk_dense(data, type, 1, &n); }

tk_tensor tk_matrix(void *data, tk_type type, int64_t rows, int64_t cols, int64_t ld)
{
    return (tk_tensor){.data = data, .type = type, .rank = 2, .extent = {rows, cols}, .stride = {ld, 1}};
}

// ---- looking ----

int64_t tk_elements(const tk_tensor *t)
{
    int64_t n = 1;
    for (int d = 0; d < t->rank; ++d)
        n *= t->extent[d];
    return n;
}

bool tk_is_dense(const tk_tensor *t)
{
    int64_t stride = 1;
    for (int d = t->rank - 1; d >= 0; --d) {
        if (t->extent[d] != 1 && t->stride[d] != stride)
            return false;
        stride *= t->extent[d];
    }
    return true;
}

bool tk_as_rows(const tk_tensor *t, int64_t *rows, int64_t *cols, int64_t *ld)
{
    *rows = 1;
    *cols = t->rank ? t->extent[t->rank - 1] : 1;
    *ld = *cols;
    if (t->rank && *cols > 1 && t->stride[t->rank - 1] != 1)
        return false;
    for (int d = t->rank - 2; d >= 0; --d) {
        if (t->extent[d] == 1)
            continue;
        if (*rows == 1)
            *ld = t->stride[d];
        else if (t->stride[d] != *rows * *ld)
            return false;
        *rows *= t->extent[d];
    }
    return true;
}

int tk_alignment(const tk_tensor *t)
{
    const size_t bytes = tk_type_bytes(t->type);
    uint64_t all = (uintptr_t)t->data | 16;
    for (int d = 0; d + 1 < t->rank; ++d)
        if (t->extent[d] != 1)
            all |= (uint64_t)t->stride[d] * bytes;
    return (int)(all & -all);
}

// Elements from the first to the last, both counted.
static int64_t span(const tk_tensor *t)
{
    int64_t last = 0;
    for (int d = 0; d < t->rank; ++d) {
        if (t->extent[d] == 0)
            return 0;
        last += (t->extent[d] - 1) * t->stride[d];
    }
    return last + 1;
}

// ---- checking ----

static tk_status check_layout(const tk_tensor *t, const char *name)
{
    int64_t elements = 1, last = 0;
    for (int d = 0; d < t->rank; ++d) {
        int64_t reach;
        if (t->extent[d] < 0)
            return tk_fail(TK_SHAPE, "%s: extent %d is %lld", name, d, (long long)t->extent[d]);
        if (t->stride[d] < 0)
            return tk_fail(TK_SHAPE, "%s: stride %d is %lld; strides below 0 are not supported", name, d, (long long)t->stride[d]);
        if (__builtin_mul_overflow(elements, t->extent[d], &elements) || elements > MAX_ELEMENTS)
            return tk_fail(TK_SIZE, "%s: more than 2^48 elements", name);
        if (t->extent[d] == 0)
            continue;
        if (__builtin_mul_overflow(t->extent[d] - 1, t->stride[d], &reach) || __builtin_add_overflow(last, reach, &last) || last > MAX_SPAN)
            return tk_fail(TK_SIZE, "%s: reaches over more than 2^58 elements", name);
    }
    return TK_OK;
}

tk_status tk_check(const tk_tensor *t, const char *name, int rank, unsigned types)
{
    if (!t)
        return tk_fail(TK_NULL, "%s is null", name);
    const size_t bytes = tk_type_bytes(t->type);
    if (!bytes || !(types & TK_OF(t->type)))
        return tk_fail(TK_TYPE, "%s is %s, which this call does not take", name, tk_type_name(t->type));
    if (t->rank != rank)
        return tk_fail(TK_SHAPE, "%s has %d dimensions, this call wants %d", name, t->rank, rank);
    TK_TRY(check_layout(t, name));
    if (!t->data && tk_elements(t))
        return tk_fail(TK_NULL, "%s.data is null", name);
    if ((uintptr_t)t->data % bytes)
        return tk_fail(TK_ALIGNMENT, "%s.data is %p, no address of %s", name, t->data, tk_type_name(t->type));
    return TK_OK;
}

// One-to-one where, ordered by stride, each stride passes over all that the smaller ones reach.
tk_status tk_check_written(const tk_tensor *t, const char *name, int rank, unsigned types)
{
    TK_TRY(tk_check(t, name, rank, types));
    if (!tk_elements(t))
        return TK_OK;
    bool done[TK_RANK] = {false};
    int64_t reach = 0;
    for (int n = 0; n < rank; ++n) {
        int next = -1;
        for (int d = 0; d < rank; ++d)
            if (!done[d] && (next < 0 || t->stride[d] < t->stride[next]))
                next = d;
        done[next] = true;
        if (t->extent[next] == 1)
            continue;
        if (t->stride[next] <= reach)
            return tk_fail(TK_SHAPE, "%s: stride %d is %lld: two elements share a place", name, next, (long long)t->stride[next]);
        reach += (t->extent[next] - 1) * t->stride[next];
    }
    return TK_OK;
}

tk_status tk_check_extent(const tk_tensor *t, const char *name, int dim, int64_t extent)
{
    if (t->extent[dim] != extent)
        return tk_fail(TK_SHAPE, "%s: extent %d is %lld, not %lld", name, dim, (long long)t->extent[dim], (long long)extent);
    return TK_OK;
}

static bool is_same_place(const tk_tensor *a, const tk_tensor *b)
{
    if (a->data != b->data || a->type != b->type || a->rank != b->rank)
        return false;
    for (int d = 0; d < a->rank; ++d)
        if (a->extent[d] != b->extent[d] || (a->extent[d] != 1 && a->stride[d] != b->stride[d]))
            return false;
    return true;
}

tk_status tk_check_apart(const tk_tensor *out, const char *out_name, const tk_tensor *in, const char *in_name, bool may_be_same)
{
    const uintptr_t a = (uintptr_t)out->data, b = (uintptr_t)in->data;
    const uintptr_t a_bytes = (uintptr_t)span(out) * tk_type_bytes(out->type), b_bytes = (uintptr_t)span(in) * tk_type_bytes(in->type);
    if (a_bytes == 0 || b_bytes == 0 || (a < b ? b - a >= a_bytes : a - b >= b_bytes))
        return TK_OK;
    if (may_be_same && is_same_place(out, in))
        return TK_OK;
    return tk_fail(TK_OVERLAP, "%s overlaps %s%s", out_name, in_name, may_be_same ? "; it may be the same tensor or apart from it" : "");
}

tk_status tk_check_workspace(tk_workspace w, size_t bytes)
{
    if (bytes && !w.data)
        return tk_fail(TK_NULL, "the workspace is null; %zu bytes are needed", bytes);
    if (w.bytes < bytes)
        return tk_fail(TK_WORKSPACE, "the workspace has %zu bytes; %zu are needed", w.bytes, bytes);
    if (bytes && (uintptr_t)w.data % 256)
        return tk_fail(TK_ALIGNMENT, "the workspace is %p, not aligned to 256 bytes", w.data);
    return TK_OK;
}
