// What the elementwise kernels share: how large a block's part is, and how the host sees tensors as rows.
#ifndef MAP_CUH
#define MAP_CUH

#include "tk_host.h"

// A dense block, THREADS * W * U elements: U packs a thread, a block's width apart, so that a warp's accesses are one piece of memory. Two of 16
// bytes for each input keep 64 KB an SM in flight at full occupancy; small blocks write soon after they read.
constexpr int THREADS = 128;
template <int W> constexpr int LOADS = W > 1 ? 2 : 4;

// A block of rows: ROWS packs a thread, one under another. Narrow, so that the rows of a head fill it.
constexpr int TX = 16, TY = 16, ROWS = 4, TILE_ROWS = TY * ROWS;

constexpr int64_t MAX_ELEMENTS = (int64_t)1 << 39, MAX_ROWS = (int64_t)1 << 36, MAX_LD = (int64_t)1 << 48, MAX_SPAN = (int64_t)1 << 55;
constexpr int64_t MAX_TILES = 65535; // of the grid's second dimension

constexpr unsigned TK_FLOATS = TK_OF(TK_F32) | TK_OF(TK_F16) | TK_OF(TK_BF16), TK_ALL = TK_FLOATS | TK_OF(TK_I32) | TK_OF(TK_I64);

static inline tk_status check_out(const tk_tensor *out, unsigned types)
{
    if (!out)
        return tk_fail(TK_NULL, "out is null");
    if (out->rank < 0 || out->rank > TK_RANK)
        return tk_fail(TK_SHAPE, "out has %d dimensions, 4 at most are supported", out->rank);
    return tk_check_written(out, "out", out->rank, types);
}

// An input of out's extents.
static inline tk_status check_extents(const tk_tensor *out, const char *name, const tk_tensor *in, unsigned types)
{
    TK_TRY(tk_check(in, name, out->rank, types));
    for (int d = 0; d < out->rank; ++d)
        TK_TRY(tk_check_extent(in, name, d, out->extent[d]));
    return TK_OK;
}

// An input of out's extents and type.
static inline tk_status check_as(const tk_tensor *out, const char *name, const tk_tensor *in, unsigned types)
{
    TK_TRY(check_extents(out, name, in, types));
    if (in->type != out->type)
        return tk_fail(TK_TYPE, "%s is %s and out %s", name, tk_type_name(in->type), tk_type_name(out->type));
    return TK_OK;
}

// A tensor as rows; flat: all tensors of the call are dense, and cols is the number of elements.
struct view {
    bool flat;
    int64_t rows, cols, ld;
};

static inline tk_status look(const char *name, int count, const tk_tensor *const *t, view *v)
{
    bool dense = true;
    for (int i = 0; i < count; ++i) {
        if (!tk_as_rows(t[i], &v[i].rows, &v[i].cols, &v[i].ld))
            return tk_fail(TK_UNSUPPORTED, "%s: tensor %d of the call is no set of evenly spaced contiguous rows", name, i);
        dense = dense && (v[i].rows == 1 || v[i].ld == v[i].cols);
    }
    for (int i = 0; i < count; ++i) {
        v[i].flat = dense;
        if (dense) {
            v[i].cols *= v[i].rows;
            v[i].ld = v[i].cols;
            v[i].rows = 1;
        }
    }
    return TK_OK;
}

// Addresses, and rows if there are some, are whole packs of 16 bytes.
static inline bool is_wide(int count, const tk_tensor *const *t, const view *v)
{
    for (int i = 0; i < count; ++i) {
        const int64_t w = 16 / (int64_t)tk_type_bytes(t[i]->type);
        if ((uintptr_t)t[i]->data % 16 || (!v[i].flat && (v[i].cols % w || v[i].ld % w)))
            return false;
    }
    return true;
}

// What the kernels ask of rows that are ld packs apart; it overflows nowhere.
static inline bool fits(int64_t ld, int64_t rows, int64_t packs) { return ld >= packs && ld <= MAX_LD && ld <= MAX_SPAN / rows; }

#endif
