// Products of matrices.
#ifndef TK_GEMM_H
#define TK_GEMM_H

#include "tk.h"

#ifdef __cplusplus
extern "C" {
#endif

// out = a b + bias + residual, rounded once.
//
// a is M x K, b is K x N, out and residual are M x N, bias has N elements. a and b are of one type: bf16 or fp16 (tensor cores, sums in float), or
// f32 (sums in float, no tensor cores); bias too. out is of that type or f32, and residual of out's. bias and residual may be null.
// Each of a and b has elements next to each other (stride 1) along one of its two dimensions, whichever: weights stored N x K are b with the strides
// (1, ld). Rows of out and of residual are contiguous. out may be residual, and meets no other tensor. M is at most 2^25 (f32: 2^22),
// N 2^21 (f32: 2^30), K 2^30, leading dimensions 2^31; K is at least 1.
// Fast where the bases of a and b lie on 16 bytes, their leading dimensions and contiguous extents are multiples of 8, N and the leading dimensions
// of out and residual multiples of 4; anything else is done too.
//
// The sum over K of one element is made in an order that depends on the shape alone: the same call gives the same bits. With a workspace of
// tk_gemm_workspace(M, N, K) bytes (which may be 0), products of few tiles are cut along K; with a smaller one they are not, which takes longer.
tk_status tk_gemm(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, const tk_tensor *bias, const tk_tensor *residual,
                  tk_workspace w, tk_stream stream);

size_t tk_gemm_workspace(int64_t m, int64_t n, int64_t k);

// out = silu(a gate) * (a up), where silu(x) = x / (1 + exp(-x)); rounded once.
//
// a is M x K, gate and up K x N, out M x N, all bf16 or all fp16. All of a, gate and up are contiguous along K (weights stored N x K), gate and up
// with one leading dimension: two matrices, two halves of one, or, each with twice the leading dimension, every second row of one.
// Bases lie on 16 bytes, K and the leading dimensions of a, gate and up are multiples of 8, N and out's of 4.
tk_status tk_gemm_gated(const tk_tensor *out, const tk_tensor *a, const tk_tensor *gate, const tk_tensor *up, tk_stream stream);

#ifdef __cplusplus
}
#endif
#endif
