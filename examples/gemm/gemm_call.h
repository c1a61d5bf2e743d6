// A product whose tensors have been checked: what the entry hands to the kernel files.
#ifndef TK_GEMM_CALL_H
#define TK_GEMM_CALL_H

#include "tk_host.h"

typedef struct tk_gemm_call {
    void *D;
    const void *A, *B, *B2, *bias, *C; // B2: the second matrix of a gated product; bias and C may be null
    bool add_D;                        // to what D has
    bool a_by_k, b_by_k;               // contiguous along K
    bool wide;                         // rows begin on 16 bytes, and are whole numbers of them
    tk_type type, out;
    int64_t M, N, K, lda, ldb, ldc, ldd;
    int64_t slices; // of K, for which the workspace has room: 1 for none
    tk_workspace w;
    tk_stream stream;
} tk_gemm_call;

// gemm_shape.c: how long a product takes with each tile, as far as rounds of tiles and traffic go.
typedef enum tk_gemm_tile_size { TK_GEMM_128_256, TK_GEMM_128_128, TK_GEMM_256_160, TK_GEMM_256_96, TK_GEMM_64_64, TK_GEMM_TILES } tk_gemm_tile_size;

#ifdef __cplusplus
extern "C" {
#endif
int64_t tk_gemm_split(int64_t M, int64_t N, int64_t K); // slices of K, 1 for none
tk_gemm_tile_size tk_gemm_best_tile(int64_t M, int64_t N, int64_t K, unsigned tiles, int multiprocessors); // of these: a bit each, one at least
#ifdef __cplusplus
}
#endif

tk_status tk_gemm_in_bf16(const tk_gemm_call *c);
tk_status tk_gemm_in_f16(const tk_gemm_call *c);
tk_status tk_gemm_of_few_rows(const tk_gemm_call *c); // wide, both along K, M at most TK_GEMM_FEW
tk_status tk_gemm_in_f32(const tk_gemm_call *c);

enum { TK_GEMM_FEW = 4, TK_GEMM_SKINNY = 64 };

#endif
