// Norms over the last dimension. Types: TK_F32, TK_F16, TK_BF16, the same for all tensors of a call; sums and products in float.
//
// Rows: tensors of any rank are taken as rows of contiguous elements that lie a fixed distance apart (a dense tensor, a column slice of a matrix);
// up to 2^31 - 1 rows, 2^28 elements from a row to the next. Where addresses and distances are multiples of 16 bytes, and the row length too,
// accesses are of 16 bytes. out may be the very tensor x (same strides) or apart from it; weight and bias are contiguous and apart from what is
// written. eps is finite and not below 0 (TK_VALUE).
#ifndef TK_NORM_H
#define TK_NORM_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

// out = x / sqrt(mean(x * x) + eps) * weight.
// round_first, as Qwen3 and Llama have it: the quotient is rounded to the element type before it is multiplied by the weight. Otherwise one rounding.
tk_status tk_rmsnorm(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, float eps, int64_t round_first, tk_stream stream);

// residual += x, rounded to the element type; out = the rmsnorm of the new residual. residual is apart from all others; out may be x.
tk_status tk_rmsnorm_add(const tk_tensor *out, const tk_tensor *residual, const tk_tensor *x, const tk_tensor *weight, float eps, int64_t round_first,
                         tk_stream stream);

// The rmsnorm of each head: x and out are tokens x heads x 64 or 128 with any strides of tokens and heads, weight has 64 or 128 elements.
tk_status tk_rmsnorm_heads(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, float eps, int64_t round_first, tk_stream stream);

// out = (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias; bias may be null.
tk_status tk_layernorm(const tk_tensor *out, const tk_tensor *x, const tk_tensor *weight, const tk_tensor *bias, float eps, tk_stream stream);

#ifdef __cplusplus
}
#endif
#endif
