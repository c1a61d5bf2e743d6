// Attention: out = softmax(scale q k^T) v, for each head, with grouped heads of keys and values (query head h takes head h / (heads / heads_kv)).
//
// bf16 and fp16, all tensors of one type; scores, exponentials and sums are float, the weights are rounded to the type before they meet v. The head
// dimension D is 64 or 128. heads is a multiple of heads_kv. scale is above 0 and at most 2e38, 1 / sqrt(D) for instance.
// A query that sees no key gives zeros. Where scores are infinite or NaN, so may the result be.
//
// Layout: the last two dimensions, heads and D, are dense (stride D, 1); from one token to the next there may be a gap, as in a view of the joint
// output of the q, k and v projections, and of dimensions before that there is none. Tensors start at, and tokens lie at, multiples of 16 bytes.
// k and v have the same strides. Outputs overlap no other tensor, workspaces included.
#ifndef TK_ATTENTION_H
#define TK_ATTENTION_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

// One new token for each sequence, over a cache of keys and values that has it already.
//   out, q: (batch, heads, D)    k, v: (batch, capacity, heads_kv, D)    lengths: (batch) i32, how many tokens of the cache are there.
// A length below 0 counts as 0, one above capacity as capacity. batch and heads at most 65535, capacity at most 2^24.
size_t tk_attention_decode_workspace(int64_t batch, int64_t heads, int64_t heads_kv, int64_t dim, int64_t capacity);
tk_status tk_attention_decode(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *lengths, float scale,
                              tk_workspace w, tk_stream stream);

// The same over a paged cache: token t of sequence b is row t % page_size of page table[b][t / page_size].
//   k, v: (pages, page_size, heads_kv, D), page_size a multiple of 16    table: (batch, max_pages) i32, dense    capacity: max_pages * page_size.
// Entries of the table that hold a token of their sequence have to be in 0 … pages - 1; the others are not read.
size_t tk_attention_decode_paged_workspace(int64_t batch, int64_t heads, int64_t heads_kv, int64_t dim, int64_t max_pages, int64_t page_size);
tk_status tk_attention_decode_paged(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *table,
                                    const tk_tensor *lengths, float scale, tk_workspace w, tk_stream stream);

// All tokens of sequences of one length.
//   out, q: (batch, seq_q, heads, D)    k, v: (batch, seq_kv, heads_kv, D).
// causal: query i sees keys 0 … i + seq_kv - seq_q, so that the last query sees all of them. Lengths at most 2^24, heads and batch at most 65535.
tk_status tk_attention_prefill(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, float scale, int64_t causal,
                               tk_stream stream);

// Sequences of different lengths, one behind the other.
//   out, q: (total_q, heads, D)    k, v: (total_kv, heads_kv, D)    starts_q, starts_kv: (batch + 1) i32, where each sequence begins, and where
//   the last one ends; they never fall, and are in 0 … total. longest_q: at least the length of the longest sequence of q.
// Rows of out that belong to no sequence are not written, nor those of a sequence behind longest_q.
tk_status tk_attention_prefill_ragged(const tk_tensor *out, const tk_tensor *q, const tk_tensor *k, const tk_tensor *v, const tk_tensor *starts_q,
                                      const tk_tensor *starts_kv, int64_t longest_q, float scale, int64_t causal, tk_stream stream);

#ifdef __cplusplus
}
#endif
#endif
