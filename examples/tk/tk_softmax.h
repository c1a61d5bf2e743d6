// Softmax, argmax and sampling over the last dimension. Types of x: TK_F32, TK_F16, TK_BF16; exponentials and sums in float.
//
// Rows: tensors of any rank are taken as rows of contiguous elements that lie a fixed distance apart; up to 2^31 - 1 rows, 2^28 elements from a row
// to the next, and 2^28 in a row. How much workspace is wanted does not depend on where x lies: its data may be null. Where addresses and distances are
// multiples of 16 bytes, and the row length too, accesses are of 16 bytes.
#ifndef TK_SOFTMAX_H
#define TK_SOFTMAX_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

// out = e^(x - largest of the row) / the row's sum of that. out has the type of x, and may be the very tensor x (same strides) or apart from it.
// As in PyTorch a row with a NaN or +infinity, or of -infinity alone, is NaN.
tk_status tk_softmax(const tk_tensor *out, const tk_tensor *x, tk_workspace w, tk_stream stream);
size_t tk_softmax_workspace(const tk_tensor *x);

// out (TK_I32, contiguous, the extents of x without the last) = where the row's largest element stands, the first one of several; the first NaN where
// there is one. The last extent of x is not 0.
tk_status tk_argmax(const tk_tensor *out, const tk_tensor *x, tk_workspace w, tk_stream stream);
size_t tk_argmax_workspace(const tk_tensor *x);

// Draws from each row of logits (rows x vocabulary; up to 65535 of up to 2^18) one index, out (TK_I32, rows), by the number uniform (TK_F32, rows),
// 0 <= uniform < 1.
//
// Probabilities are those of softmax(logits / temperature). Kept are the top_k most probable (0 or at least the vocabulary: all), and of these, with
// their probabilities scaled to a sum of 1, the fewest most probable that come to top_p (1: all). Of equal logits the lower index comes first. The
// index drawn is the first at which the sum of the kept probabilities, in the order of indices, exceeds uniform times the whole sum. Probabilities
// are rounded to 2^-35 of the largest one and added up exactly, so that the result depends on the arguments alone. The probability of a NaN is 0.
// temperature > 0, finite, and so is its inverse (TK_VALUE below 4.3e-39); 0 < top_p <= 1.
tk_status tk_sample(const tk_tensor *out, const tk_tensor *logits, const tk_tensor *uniform, float temperature, int64_t top_k, float top_p,
                    tk_workspace w, tk_stream stream);
size_t tk_sample_workspace(const tk_tensor *logits);

#ifdef __cplusplus
}
#endif
#endif
