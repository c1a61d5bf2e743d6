#include "tk_host.h"

#include <math.h>

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
        if (t->extent[d] != 1 && t->stride[d] > MAX_SPAN) // of an empty dimension too: what is computed with it stays in 64 bits
            return tk_fail(TK_SIZE, "%s: stride %d is %lld; at most 2^58 is supported", name, d, (long long)t->stride[d]);
        if (t->extent[d] == 0)
            continue;
        if (__builtin_mul_overflow(t->extent[d] - 1, t->stride[d], &reach) || __builtin_add_overflow(last, reach, &last) || last > MAX_SPAN)
            return tk_fail(TK_SIZE, "%s: reaches over more than 2^58 elements", name);
    }
    return TK_OK;
}

static tk_status check_form(const tk_tensor *t, const char *name, int rank, unsigned types)
{
    if (!t)
        return tk_fail(TK_NULL, "%s is null", name);
    if (!tk_type_bytes(t->type) || !(types & TK_OF(t->type)))
        return tk_fail(TK_TYPE, "%s is %s, which this call does not take", name, tk_type_name(t->type));
    if (t->rank != rank)
        return tk_fail(TK_SHAPE, "%s has %d dimensions, this call wants %d", name, t->rank, rank);
    return check_layout(t, name);
}

tk_status tk_check(const tk_tensor *t, const char *name, int rank, unsigned types)
{
    TK_TRY(check_form(t, name, rank, types));
    if (!t->data && tk_elements(t))
        return tk_fail(TK_NULL, "%s.data is null", name);
    if ((uintptr_t)t->data % tk_type_bytes(t->type))
        return tk_fail(TK_ALIGNMENT, "%s.data is %p, no address of %s", name, t->data, tk_type_name(t->type));
    return TK_OK;
}

bool tk_has_form(const tk_tensor *t, int rank, unsigned types)
{
    tk_hush(true);
    const bool has = check_form(t, "a tensor", rank, types) == TK_OK;
    tk_hush(false);
    return has;
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

// A tensor as runs of bytes that lie one distance apart: the dimensions inside that are dense, and the rest in one.
typedef struct runs {
    uintptr_t at, bytes, count, distance; // distance is at least bytes; 0 of a single run
} runs;

static bool runs_of(const tk_tensor *t, runs *r)
{
    const uintptr_t bytes = tk_type_bytes(t->type);
    int64_t run = 1, count = 1, distance = 0;
    for (int d = t->rank - 1; d >= 0; --d) {
        if (t->extent[d] == 1)
            continue;
        if (count == 1 && t->stride[d] == run) {
            run *= t->extent[d];
        } else if (count == 1) {
            count = t->extent[d];
            distance = t->stride[d];
        } else if (t->stride[d] == count * distance) {
            count *= t->extent[d];
        } else {
            return false;
        }
    }
    *r = (runs){(uintptr_t)t->data, (uintptr_t)run * bytes, (uintptr_t)count, (uintptr_t)distance * bytes};
    return count == 1 || distance >= run;
}

// Of two whose memory from first to last byte meets: whether they are such runs that no byte is of both.
static bool is_between(const tk_tensor *a, const tk_tensor *b, bool *exact)
{
    runs low, high;
    *exact = runs_of(a, &low) && runs_of(b, &high) && (low.count == 1 || high.count == 1 || low.distance == high.distance);
    if (!*exact || (low.count == 1 && high.count == 1))
        return false;
    if (high.at < low.at) {
        const runs other = low;
        low = high;
        high = other;
    }
    const uintptr_t distance = low.count == 1 ? high.distance : low.distance, from = high.at - low.at, behind = from % distance;
    return behind >= low.bytes && (distance - behind >= high.bytes || from / distance + 1 >= low.count);
}

tk_status tk_check_apart(const tk_tensor *out, const char *out_name, const tk_tensor *in, const char *in_name, bool may_be_same)
{
    bool exact = false;
    const uintptr_t a = (uintptr_t)out->data, b = (uintptr_t)in->data;
    const uintptr_t a_bytes = (uintptr_t)span(out) * tk_type_bytes(out->type), b_bytes = (uintptr_t)span(in) * tk_type_bytes(in->type);
    if (a_bytes == 0 || b_bytes == 0 || (a < b ? b - a >= a_bytes : a - b >= b_bytes))
        return TK_OK;
    if ((may_be_same && is_same_place(out, in)) || is_between(out, in, &exact))
        return TK_OK;
    return tk_fail(TK_OVERLAP, exact ? "%s overlaps %s%s" : "%s and %s reach over the same memory, and not in rows of one distance%s", out_name, in_name,
                   may_be_same ? "; it may be the same tensor or apart from it" : "");
}

tk_status tk_check_vectors(int count, int written, const tk_tensor *vectors, const char *const *names)
{
    for (int i = 0; i < count; ++i)
        TK_TRY(tk_check(&vectors[i], names[i], 1, ~0u));
    for (int i = 0; i < written; ++i)
        for (int other = i + 1; other < count; ++other)
            TK_TRY(tk_check_apart(&vectors[i], names[i], &vectors[other], names[other], false));
    return TK_OK;
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

tk_status tk_check_scratch(tk_workspace w, size_t bytes, int count, const tk_tensor *const *tensors, const char *const *names)
{
    TK_TRY(tk_check_workspace(w, bytes));
    const tk_tensor scratch = tk_vector(w.data, TK_F32, (int64_t)((bytes + sizeof(float) - 1) / sizeof(float)));
    for (int i = 0; i < count; ++i)
        if (tensors[i])
            TK_TRY(tk_check_apart(&scratch, "the workspace", tensors[i], names[i], false));
    return TK_OK;
}

tk_status tk_check_eps(float eps)
{
    return isfinite(eps) && eps >= 0 ? TK_OK : tk_fail(TK_VALUE, "eps is %g, not finite and at least 0", (double)eps);
}
