// Embedding lookup: row t of the output is the row of the table that token t names.
//
// Shapes: out is tokens x width with ldo words from row to row, table is rows x width with ldt, ids holds one row number a token, i32 or i64.
// Elements are words of 16 bytes, or of one element where addresses or rows do not allow that; no bit changes. Four rows are in flight in a thread.
// Proved for up to 2^32 tokens and rows: loads through ids are in bounds, as the contract says that ids are rows; no overflow; each element
// of the output is written, and by one thread.
#include <tilecheck.h>

#include "gather.cuh"
#include "tk_gather.h"

#include <cuda_runtime.h>

namespace {

constexpr int TX = 64, TY = 2, ROWS = 4, TILE = TY * ROWS;
constexpr int64_t MAX_ROWS = (int64_t)1 << 32;

template <typename Word, typename Id>
tc_block(TX, TY) tc_grid(tc_cdiv(tokens, TILE), tc_cdiv(width, TX))
tc_requires(tokens <= MAX_ROWS && rows <= MAX_ROWS && width >= 1 && width <= MAX_GRID * TX && ldo >= width && ldt >= width)
tc_requires(ldo <= MAX_LD && ldt <= MAX_LD && tokens * ldo <= MAX_SPAN && rows * ldt <= MAX_SPAN)
__global__ void __launch_bounds__(TX * TY)
    embedding(tc_out tc_shape(tokens, width) tc_stride(ldo, 1) tc_tile(TILE, TX) tc_at(blockIdx.x, blockIdx.y) Word *out,
              tc_shared tc_shape(rows, width) tc_stride(ldt, 1) const Word *table, tc_shared tc_shape(tokens) tc_range(0, rows) const Id *ids,
              int64_t tokens, int64_t rows, int64_t width, int64_t ldo, int64_t ldt)
{
    const int64_t token = (int64_t)blockIdx.x * TILE + threadIdx.y, col = (int64_t)blockIdx.y * TX + threadIdx.x;
    if (col >= width)
        return;
    Word x[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (token + u * TY < tokens)
            x[u] = table[(int64_t)ids[token + u * TY] * ldt + col];
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
        if (token + u * TY < tokens)
            out[(token + u * TY) * ldo + col] = x[u];
}

template <typename Word, typename Id> tk_status launch(const tk_tensor *out, const tk_tensor *table, const tk_tensor *ids, cudaStream_t stream)
{
    if ((uintptr_t)out->data % sizeof(Word) || (uintptr_t)table->data % sizeof(Word))
        return tk_fail(TK_ALIGNMENT, "embedding: an address is not aligned");
    const int64_t words = sizeof(Word) == 16 ? 16 / (int64_t)tk_type_bytes(out->type) : 1; // elements of one
    const int64_t tokens = out->extent[0], rows = table->extent[0], width = out->extent[1] / words;
    const int64_t ldo = step(out, 0, words, width), ldt = step(table, 0, words, width);
    if (tokens < 1 || tokens > MAX_ROWS || rows < 1 || rows > MAX_ROWS || width < 1 || width > MAX_GRID * TX)
        return tk_fail(TK_SIZE, "embedding: more than 2^32 rows, or too long ones");
    if (ldo < width || ldo > MAX_LD || ldo > MAX_SPAN / tokens || ldt < width || ldt > MAX_LD || ldt > MAX_SPAN / rows)
        return tk_fail(TK_SHAPE, "embedding: rows overlap or reach too far");
    const dim3 grid((unsigned)tc_cdiv(tokens, TILE), (unsigned)tc_cdiv(width, TX)), block(TX, TY);
    embedding<Word, Id>
        <<<grid, block, 0, stream>>>((Word *)out->data, (const Word *)table->data, (const Id *)ids->data, tokens, rows, width, ldo, ldt);
    return tk_launched("embedding");
}

typedef tk_status (*launcher)(const tk_tensor *, const tk_tensor *, const tk_tensor *, cudaStream_t);

// By the type of ids, and the word: 2, 4 or 16 bytes.
constexpr launcher launchers[2][3] = {{launch<uint16_t, int32_t>, launch<uint32_t, int32_t>, launch<uint4, int32_t>},
                                      {launch<uint16_t, int64_t>, launch<uint32_t, int64_t>, launch<uint4, int64_t>}};

constexpr int COUNTERS = 1024;

template <typename Id>
tc_block(COUNTERS) tc_grid(1) tc_requires(n <= (int64_t)1 << 48)
__global__ void __launch_bounds__(COUNTERS) count_outside(tc_out tc_shape(1) int64_t *count, tc_shared tc_shape(n) const Id *ids, int64_t n,
                                                          int64_t limit)
{
    int64_t total = 0;
    for (int64_t first = 0; first < n; first += COUNTERS) {
        const int64_t i = first + threadIdx.x;
        total += __syncthreads_count(i < n && (ids[i] < 0 || ids[i] >= limit));
    }
    if (threadIdx.x == 0)
        *count = total;
}

template <typename Id> tk_status launch_count(const tk_tensor *count, const tk_tensor *ids, int64_t limit, cudaStream_t stream)
{
    const int64_t n = ids->extent[0];
    if (n < 0 || n > (int64_t)1 << 48)
        return tk_fail(TK_SIZE, "count_outside: more than 2^48 ids");
    count_outside<Id><<<1, COUNTERS, 0, stream>>>((int64_t *)count->data, (const Id *)ids->data, n, limit);
    return tk_launched("count_outside");
}

} // namespace

tk_status tk_embedding(const tk_tensor *out, const tk_tensor *table, const tk_tensor *ids, tk_stream stream)
{
    TK_TRY(tk_check_written(out, "out", 2, TK_FLOATS));
    TK_TRY(tk_check(table, "table", 2, TK_FLOATS));
    TK_TRY(check_type(table, "table", out->type));
    TK_TRY(tk_check_extent(table, "table", 1, out->extent[1]));
    TK_TRY(check_indices(ids, "ids", 1, TK_INDICES));
    TK_TRY(tk_check_extent(ids, "ids", 0, out->extent[0]));
    TK_TRY(tk_check_apart(out, "out", table, "table", false));
    TK_TRY(tk_check_apart(out, "out", ids, "ids", false));
    if (tk_elements(out) == 0)
        return TK_OK;
    TK_TRY(check_contiguous(out, "out"));
    TK_TRY(check_contiguous(table, "table"));
    if (table->extent[0] == 0)
        return tk_fail(TK_SHAPE, "table has no row");
    const int word = is_wide(out) && is_wide(table) ? 2 : out->type == TK_F32;
    return launchers[ids->type == TK_I64][word](out, table, ids, stream);
}

tk_status tk_count_outside(const tk_tensor *count, const tk_tensor *ids, int64_t limit, tk_stream stream)
{
    TK_TRY(tk_check_written(count, "count", 1, TK_OF(TK_I64)));
    TK_TRY(tk_check_extent(count, "count", 0, 1));
    TK_TRY(check_indices(ids, "ids", 1, TK_INDICES));
    TK_TRY(tk_check_apart(count, "count", ids, "ids", false));
    return ids->type == TK_I64 ? launch_count<int64_t>(count, ids, limit, stream) : launch_count<int32_t>(count, ids, limit, stream);
}
