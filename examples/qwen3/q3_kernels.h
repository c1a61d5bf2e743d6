// The kernels of a Qwen3 layer that no general library has: fused for one token, or between two products. All tensors are dense bf16 in device memory.
// Calls are asynchronous; a status other than TK_OK has its text in tk_message(). What a call writes meets nothing else that it is given but where it says so
// (TK_OVERLAP). Pointers are aligned to their elements, or as is said (TK_ALIGNMENT). eps is finite and not below 0 (TK_VALUE).
#ifndef Q3_KERNELS_H
#define Q3_KERNELS_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

// y[n] = w[n x k] · x[k], with RMSNorm(x) * norm for x where norm is not null, and residual + … where residual is not null. y may be residual, element
// for element. Without norm, eps is not looked at. k is a multiple of 8, at most 32768; w, x and norm are aligned to 16 bytes. w and norm are read while the kernels
// before this one on the stream may still run: none of them may write them.
tk_status q3_linear(void *y, const void *w, const void *x, const void *norm, const void *residual, int64_t n, int64_t k, float eps, tk_stream stream);

// y[n] = silu(gate[n x k] · x) * (up[n x k] · x), with the same x. gate and norm are read as early as w and norm above.
tk_status q3_gated(void *y, const void *gate, const void *up, const void *x, const void *norm, int64_t n, int64_t k, float eps, tk_stream stream);

// Of qkv (tokens x (heads + 2 kv_heads) x 128): q (tokens x heads x 128) and k with RMSNorm over each head and RoPE, k and v put into the caches
// (capacity x kv_heads x 128) from row *position on. cosines and sines are capacity x 64. All but position are aligned to 4 bytes.
// *position is on the device: 0 <= *position <= capacity - tokens, which is the caller's to see to. It, the norms, cosines and sines are read as early as w.
tk_status q3_heads(void *q, void *keys, void *values, const void *qkv, const void *q_norm, const void *k_norm, const void *cosines, const void *sines,
                   const int32_t *position, int64_t tokens, int64_t heads, int64_t kv_heads, int64_t capacity, float eps, tk_stream stream);

// All between the projections of a decode step: of qkv ((heads + 2 kv_heads) x 128) the heads as above, k and v put into row *position of the caches, and
// out (heads x 128) = attention of the new token over rows 0 to *position. heads is at most 8 kv_heads; scale is that of the scores, before exp(), above 0 and
// at most 2e38. The caches are aligned to 16 bytes. What q3_heads reads early this does too. 0 <= *position < capacity is the caller's to see to.
size_t q3_attend_workspace(int64_t heads, int64_t kv_heads, int64_t capacity); // bytes; 0 for short caches
tk_status q3_attend(void *out, void *keys, void *values, const void *qkv, const void *q_norm, const void *k_norm, const void *cosines, const void *sines,
                    const int32_t *position, int64_t heads, int64_t kv_heads, int64_t capacity, float eps, float scale, tk_workspace w, tk_stream stream);

// The end of a decode step: tokens[*position + 1] = *token, and *position and *length (always one more) go up by one. Nothing where the cache is full.
tk_status q3_advance(int32_t *position, int32_t *length, int32_t *tokens, const int32_t *token, int64_t capacity, tk_stream stream);

#ifdef __cplusplus
}
#endif
#endif
