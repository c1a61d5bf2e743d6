// Element by element: copies, casts, sums, products, activations.
//
// All tensors of a call have the same rank (0 … 4) and extents. Each is dense, or its dimensions but the last are evenly spaced rows of
// contiguous elements (a slice of the last dimension, rows with a gap behind): TK_UNSUPPORTED otherwise. Any pointer aligned to its elements
// will do; where all addresses and row distances are multiples of 16 bytes, accesses are 16 bytes wide.
//
// Types: bf16, fp16 and f32, the same for all tensors of a call but in tk_cast. Arithmetic is in float, rounded once to nearest even.
// An output overlaps no input, but for the named one whose very place it may have; they may be columns of one matrix.
// Limits (TK_SIZE): 2^39 elements where all tensors are dense, else 2^36 rows and 2^20 - 16 elements a row. No workspace.
#ifndef TK_ELEMENTWISE_H
#define TK_ELEMENTWISE_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

tk_status tk_copy(const tk_tensor *out, const tk_tensor *in, tk_stream stream); // one type, of any kind: i32 and i64 too
tk_status tk_cast(const tk_tensor *out, const tk_tensor *in, tk_stream stream); // between any two of the three types

// out may be a or b. out = a is the residual sum in place.
tk_status tk_add(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, tk_stream stream);
tk_status tk_mul(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, tk_stream stream);

// x / (1 + exp(-x)); x Φ(x) with the error function, and with the usual tanh in its place. out may be in.
// Of f32, accurate functions; of the 16-bit types, the fast ones, whose errors are far below a rounding.
tk_status tk_silu(const tk_tensor *out, const tk_tensor *in, tk_stream stream);
tk_status tk_gelu_erf(const tk_tensor *out, const tk_tensor *in, tk_stream stream);
tk_status tk_gelu_tanh(const tk_tensor *out, const tk_tensor *in, tk_stream stream);

// silu(gate) up. gate and up may be halves of one tensor's rows. out may be gate.
tk_status tk_swiglu(const tk_tensor *out, const tk_tensor *gate, const tk_tensor *up, tk_stream stream);

#ifdef __cplusplus
}
#endif
#endif
