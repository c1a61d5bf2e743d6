// Products of matrices of bf16 and fp16 on tensor cores: gemm_launch.cuh.
#include "gemm_launch.cuh"

tk_status tk_gemm_in_bf16(const tk_gemm_call *c) { return choose<__nv_bfloat16>(*c); }

tk_status tk_gemm_in_f16(const tk_gemm_call *c) { return choose<__half>(*c); }
