// Appends tokens' keys and values to caches: sequences of one piece, or in pages named by a table.
//
// Shapes: k and v are batch x count x width, with strides of sequences and tokens; the caches are batch x capacity x width, or
// pages x page x width. Elements are words of 16 bytes, or of one element where addresses or strides do not allow that; no bit changes.
// Token t of sequence b becomes token start[b] + t of it. One block a token and TX words; each thread moves one of k and one of v.
// Proved for up to 65535 sequences and 2^30 tokens each: in bounds and without overflow for what the contracts say of start and table, and no
// two blocks write one place: of the paged cache because no two entries of the table that are written through name one page.
#include <tilecheck.h>

#include "gather.cuh"
#include "tk_gather.h"

#include <cuda_runtime.h>

namespace {

constexpr int TX = 128;
constexpr int64_t MAX_TOKENS = 1 << 30, MAX_MOST = 1 << 24, MAX_PAGE = 1 << 16, MAX_STEP = (int64_t)1 << 32;

template <typename Word>
tc_block(TX) tc_grid(count, batch, tc_cdiv(width, TX))
tc_requires(batch <= MAX_GRID && capacity <= MAX_TOKENS && count <= capacity && width >= 1 && width <= MAX_GRID * TX)
tc_requires(ct >= width && cb >= capacity * ct && cb <= MAX_LD && xt >= width && xb >= count * xt && xb <= MAX_LD)
__global__ void __launch_bounds__(TX)
    append(tc_mut tc_shape(batch, capacity, width) tc_stride(cb, ct, 1) tc_tile(1, 1, TX)
               tc_at(blockIdx.y, start[blockIdx.y] + blockIdx.x, blockIdx.z) Word *k_cache,
           tc_mut tc_shape(batch, capacity, width) tc_stride(cb, ct, 1) tc_tile(1, 1, TX)
               tc_at(blockIdx.y, start[blockIdx.y] + blockIdx.x, blockIdx.z) Word *v_cache,
           tc_shared tc_shape(batch, count, width) tc_stride(xb, xt, 1) const Word *k,
           tc_shared tc_shape(batch, count, width) tc_stride(xb, xt, 1) const Word *v,
           tc_shared tc_shape(batch) tc_range(0, capacity - count + 1) const int32_t *start,
           int batch, int count, int capacity, int64_t width, int64_t cb, int64_t ct, int64_t xb, int64_t xt)
{
    const int64_t col = (int64_t)blockIdx.z * TX + threadIdx.x;
    if (col >= width)
        return;
    const int64_t from = blockIdx.y * xb + blockIdx.x * xt + col;
    const Word x = k[from], y = v[from];
    const int64_t to = blockIdx.y * cb + ((int64_t)start[blockIdx.y] + blockIdx.x) * ct + col;
    k_cache[to] = x;
    v_cache[to] = y;
}

// An entry of the table is written through where its tokens meet start[b] … start[b] + count - 1.
template <typename Word>
tc_block(TX) tc_grid(count, batch, tc_cdiv(width, TX))
tc_requires(batch <= MAX_GRID && count <= most * page && page >= 1 && page <= MAX_PAGE && most <= MAX_MOST && most * page <= MAX_TOKENS)
tc_requires(pages <= MAX_TOKENS && width >= 1 && width <= MAX_GRID * TX)
tc_requires(ct >= width && cp >= page * ct && cp <= MAX_STEP && xt >= width && xb >= count * xt && xb <= MAX_LD)
tc_forall(b, p; p * page + page <= start[b] || p * page >= start[b] + count || (0 <= table[b][p] && table[b][p] < pages))
tc_forall(b, p, c, q; (b == c && p == q) || p * page + page <= start[b] || p * page >= start[b] + count || q * page + page <= start[c] ||
                          q * page >= start[c] + count || table[b][p] != table[c][q])
__global__ void __launch_bounds__(TX)
    append_paged(tc_mut tc_shape(pages, page, width) tc_stride(cp, ct, 1) Word *k_cache,
                 tc_mut tc_shape(pages, page, width) tc_stride(cp, ct, 1) Word *v_cache,
                 tc_shared tc_shape(batch, count, width) tc_stride(xb, xt, 1) const Word *k,
                 tc_shared tc_shape(batch, count, width) tc_stride(xb, xt, 1) const Word *v,
                 tc_shared tc_shape(batch, most) const int32_t *table,
                 tc_shared tc_shape(batch) tc_range(0, most * page - count + 1) const int32_t *start,
                 int batch, int count, int pages, int page, int most, int64_t width, int64_t cp, int64_t ct, int64_t xb, int64_t xt)
{
    const int64_t col = (int64_t)blockIdx.z * TX + threadIdx.x;
    if (col >= width)
        return;
    const int64_t from = blockIdx.y * xb + blockIdx.x * xt + col;
    const Word x = k[from], y = v[from];
    const int at = start[blockIdx.y] + (int)blockIdx.x;
    const int64_t to = table[(int64_t)blockIdx.y * most + at / page] * cp + at % page * ct + col;
    k_cache[to] = x;
    v_cache[to] = y;
}

struct operands {
    const tk_tensor *k_cache, *v_cache, *k, *v, *table, *start; // table: null where the cache is of one piece
};

template <typename Word> tk_status launch(const operands *p, cudaStream_t stream)
{
    if ((uintptr_t)p->k_cache->data % sizeof(Word) || (uintptr_t)p->v_cache->data % sizeof(Word) || (uintptr_t)p->k->data % sizeof(Word) ||
        (uintptr_t)p->v->data % sizeof(Word))
        return tk_fail(TK_ALIGNMENT, "kv_append: an address is not aligned");
    Word *const k_cache = (Word *)p->k_cache->data, *const v_cache = (Word *)p->v_cache->data;
    const Word *const k = (const Word *)p->k->data, *const v = (const Word *)p->v->data;
    const int32_t *const start = (const int32_t *)p->start->data;
    const int64_t words = sizeof(Word) == 16 ? 16 / (int64_t)tk_type_bytes(p->k->type) : 1; // elements of one
    const int64_t batch = p->k->extent[0], count = p->k->extent[1], first = p->k_cache->extent[0], second = p->k_cache->extent[1];
    const int64_t heads = p->k->extent[2], dim = p->k->extent[3];
    if (first < 1 || second < 1)
        return p->table ? tk_fail(TK_SHAPE, "kv_append: %lld tokens for a cache of %lld pages of %lld", (long long)count, (long long)first, (long long)second)
                        : tk_fail(TK_SHAPE, "kv_append: %lld tokens for a cache of %lld", (long long)count, (long long)second);
    if (batch < 1 || batch > MAX_GRID || count < 1 || count > MAX_TOKENS || first > MAX_TOKENS || second > MAX_TOKENS ||
        heads < 1 || heads > MAX_TOKENS || dim < 1 || dim > MAX_TOKENS)
        return tk_fail(TK_SIZE, "kv_append: an extent is too large");
    const int64_t width = heads * dim / words;
    const int64_t ct = step(p->k_cache, 1, words, width), xt = step(p->k, 1, words, width);
    if (width < 1 || width > MAX_GRID * TX)
        return tk_fail(TK_SIZE, "kv_append: a token's heads are too large");
    if (ct < width || ct > MAX_STEP || xt < width || xt > MAX_STEP)
        return tk_fail(TK_UNSUPPORTED, "kv_append: tokens overlap or are too far apart");
    const int64_t cb = step(p->k_cache, 0, words, second * ct), xb = step(p->k, 0, words, count * xt);
    if (cb < second * ct || cb > MAX_LD || xb < count * xt || xb > MAX_LD)
        return tk_fail(TK_UNSUPPORTED, "kv_append: a sequence's tokens do not come before the next one's, or are too far apart");
    const dim3 grid((unsigned)count, (unsigned)batch, (unsigned)tc_cdiv(width, TX));
    if (!p->table) {
        if (count > second)
            return tk_fail(TK_SHAPE, "kv_append: %lld tokens for a cache of %lld", (long long)count, (long long)second);
        append<Word><<<grid, TX, 0, stream>>>(k_cache, v_cache, k, v, start, (int)batch, (int)count, (int)second, width, cb, ct, xb, xt);
        return tk_launched("kv_append");
    }
    const int64_t most = p->table->extent[1];
    if (most < 1)
        return tk_fail(TK_SHAPE, "kv_append: %lld tokens for %lld pages of %lld", (long long)count, (long long)most, (long long)second);
    if (second > MAX_PAGE || cb > MAX_STEP || most > MAX_MOST || most > MAX_TOKENS / second)
        return tk_fail(TK_SIZE, "kv_append: pages, or tables of them, are too large");
    if (count > most * second)
        return tk_fail(TK_SHAPE, "kv_append: %lld tokens for %lld pages of %lld", (long long)count, (long long)most, (long long)second);
    append_paged<Word><<<grid, TX, 0, stream>>>(k_cache, v_cache, k, v, (const int32_t *)p->table->data, start, (int)batch, (int)count, (int)first,
                                                (int)second, (int)most, width, cb, ct, xb, xt);
    return tk_launched("kv_append_paged");
}

typedef tk_status (*launcher)(const operands *, cudaStream_t);

constexpr launcher launchers[3] = {launch<uint16_t>, launch<uint32_t>, launch<uint4>}; // by the word: 2, 4 or 16 bytes

bool has_dense_heads(const tk_tensor *t)
{
    return (t->extent[3] == 1 || t->stride[3] == 1) && (t->extent[2] == 1 || t->stride[2] == t->extent[3]);
}

// Extents 2 and 3 are one run of memory: whole packs of it.
bool is_wide_run(const tk_tensor *t)
{
    const int64_t bytes = (int64_t)tk_type_bytes(t->type);
    return (uintptr_t)t->data % 16 == 0 && t->extent[2] * t->extent[3] * bytes % 16 == 0 && (t->extent[0] <= 1 || t->stride[0] * bytes % 16 == 0) &&
           (t->extent[1] <= 1 || t->stride[1] * bytes % 16 == 0);
}

// b is as a, but for its address.
tk_status check_twin(const tk_tensor *a, const tk_tensor *b, const char *name)
{
    TK_TRY(tk_check(b, name, 4, TK_OF(a->type)));
    for (int d = 0; d < 4; ++d) {
        TK_TRY(tk_check_extent(b, name, d, a->extent[d]));
        if (a->extent[d] != 1 && a->stride[d] != b->stride[d])
            return tk_fail(TK_UNSUPPORTED, "%s: stride %d is %lld, not %lld", name, d, (long long)b->stride[d], (long long)a->stride[d]);
    }
    return TK_OK;
}

tk_status kv_append(const operands *p, tk_stream stream)
{
    TK_TRY(tk_check_written(p->k_cache, "k_cache", 4, TK_FLOATS));
    TK_TRY(check_twin(p->k_cache, p->v_cache, "v_cache"));
    TK_TRY(tk_check(p->k, "k", 4, TK_OF(p->k_cache->type)));
    TK_TRY(check_twin(p->k, p->v, "v"));
    TK_TRY(tk_check_extent(p->k, "k", 2, p->k_cache->extent[2]));
    TK_TRY(tk_check_extent(p->k, "k", 3, p->k_cache->extent[3]));
    TK_TRY(check_indices(p->start, "start", 1, TK_OF(TK_I32)));
    TK_TRY(tk_check_extent(p->start, "start", 0, p->k->extent[0]));
    const tk_tensor *const caches[] = {p->k_cache, p->v_cache}, *const others[] = {p->k, p->v, p->start, p->table};
    const char *const cache_names[] = {"k_cache", "v_cache"}, *const names[] = {"k", "v", "start", "table"};
    TK_TRY(tk_check_apart(p->k_cache, "k_cache", p->v_cache, "v_cache", false));
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < (p->table ? 4 : 3); ++j)
            TK_TRY(tk_check_apart(caches[i], cache_names[i], others[j], names[j], false));
    if (tk_elements(p->k) == 0)
        return TK_OK;
    if (!has_dense_heads(p->k_cache) || !has_dense_heads(p->k))
        return tk_fail(TK_UNSUPPORTED, "kv_append: a token's heads are not dense");
    const bool wide = is_wide_run(p->k_cache) && is_wide_run(p->v_cache) && is_wide_run(p->k) && is_wide_run(p->v);
    return launchers[wide ? 2 : p->k->type == TK_F32](p, stream);
}

} // namespace

tk_status tk_kv_append(const tk_tensor *k_cache, const tk_tensor *v_cache, const tk_tensor *k, const tk_tensor *v, const tk_tensor *start,
                       tk_stream stream)
{
    const operands p = {k_cache, v_cache, k, v, NULL, start};
    TK_TRY(tk_check(k_cache, "k_cache", 4, TK_FLOATS));
    TK_TRY(tk_check(k, "k", 4, TK_FLOATS));
    TK_TRY(tk_check_extent(k, "k", 0, k_cache->extent[0]));
    return kv_append(&p, stream);
}

tk_status tk_kv_append_paged(const tk_tensor *k_cache, const tk_tensor *v_cache, const tk_tensor *k, const tk_tensor *v, const tk_tensor *table,
                             const tk_tensor *start, tk_stream stream)
{
    const operands p = {k_cache, v_cache, k, v, table, start};
    TK_TRY(tk_check(k, "k", 4, TK_FLOATS));
    TK_TRY(check_indices(table, "table", 2, TK_OF(TK_I32)));
    TK_TRY(tk_check_extent(table, "table", 0, k->extent[0]));
    return kv_append(&p, stream);
}
