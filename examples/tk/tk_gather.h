// Rows by index: embedding lookup, rotary position embedding, and appending to key/value caches.
//
// Index tensors are dense. Their values are the caller's promise, as no call waits for the device to read them: the contracts of the kernels
// say what they must be, and a value that is not reads or writes out of bounds. tk_count_outside tells whether they are in range.
// The last dimension of every other tensor is contiguous; the strides before it are free as far as said here. Any pointer aligned to its
// elements will do; where all addresses and strides are multiples of 16 bytes, accesses are 16 bytes wide. An output overlaps no input
// unless said so. No workspace.
#ifndef TK_GATHER_H
#define TK_GATHER_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

// count[0] (i64, one element): how many of ids (i32 or i64, n) are not in 0 … limit - 1. One block: for checks, not for the fast path.
tk_status tk_count_outside(const tk_tensor *count, const tk_tensor *ids, int64_t limit, tk_stream stream);

// out[t] = table[ids[t]]. out is tokens x dim, table is rows x dim, of one type (bf16, fp16, f32); ids is tokens, i32 or i64, each in
// 0 … rows - 1. Up to 2^32 tokens and rows, 2^20 elements a row.
tk_status tk_embedding(const tk_tensor *out, const tk_tensor *table, const tk_tensor *ids, tk_stream stream);

// Of each token t and head h, the pairs (i, i + D/2) are turned by the angle whose cosine and sine stand in row positions[t] of the tables:
//     out[t][h][i]       = in[t][h][i] cos - in[t][h][i + D/2] sin
//     out[t][h][i + D/2] = in[t][h][i + D/2] cos + in[t][h][i] sin
// in float, rounded once. in and out are tokens x heads x D of one type (bf16, fp16, f32), D even; out may be in. cos and sin are
// rows x D/2, of that type or both f32. positions is tokens, i32 or i64, each in 0 … rows - 1. Heads of a token follow each other in memory
// before the next token's, with or without gaps; a slice of fused projections will do, and one call over q and k heads side by side turns
// both. Up to 2^32 tokens, 2^16 heads, D of 2^16.
tk_status tk_rope(const tk_tensor *out, const tk_tensor *in, const tk_tensor *cos, const tk_tensor *sin, const tk_tensor *positions,
                  tk_stream stream);

// Token t of k[b] and v[b] becomes token start[b] + t of the caches' sequence b. k and v are batch x count x heads x D with equal strides,
// the caches are batch x capacity x heads x D with equal strides, all of one type (bf16, fp16, f32); a token's heads are dense. start is
// batch, i32, each in 0 … capacity - count. Up to 65535 sequences.
tk_status tk_kv_append(const tk_tensor *k_cache, const tk_tensor *v_cache, const tk_tensor *k, const tk_tensor *v, const tk_tensor *start,
                       tk_stream stream);

// As tk_kv_append, into pages: the caches are pages x page_size x heads x D, and token p of sequence b is token p % page_size of the page
// table[b][p / page_size]. table is batch x most, i32. start[b] is in 0 … most page_size - count. The entries of table that are written
// through are all different and in 0 … pages - 1; the others may be anything, so sequences may share pages that are only read.
tk_status tk_kv_append_paged(const tk_tensor *k_cache, const tk_tensor *v_cache, const tk_tensor *k, const tk_tensor *v, const tk_tensor *table,
                             const tk_tensor *start, tk_stream stream);

#ifdef __cplusplus
}
#endif
#endif
