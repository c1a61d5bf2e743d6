// The products of one tile of a tensor-core GEMM, by a block: a ring of stages in shared memory, and the fragments and sums of its warps.
//
// Threads. A block is (8, 4, warps): a warp is one plane, and x + 8 y is the lane. The eight rows of a matrix that ldmatrix takes are x, which of
// its four matrices is y, and a fragment's row and columns are 2 y + x / 4 and x % 4: no index is made of the lane's number.
//
// Shared memory. A stage has 64 elements along K of A's rows and of B's, in pieces of 16 bytes, in the order in which they lie in global memory:
// rows of 64 elements along K, or 64 rows of BM or BN elements. Of eight pieces of a row, piece c lies in place c xor x, where x says which of
// its matrix's eight rows it is: so these lie in different banks. No row is padded: a copy whose two halves of 32 bytes come to lie in different ones
// fetches both twice. A thread is given a place, and looks for the piece that belongs there: where it writes is a sum.
// B along K: the eight columns of a product's fragment are 4 q and 4 q + 1 of its sixteen, those of the next one 4 q + 2 and 4 q + 3: so a thread has
// four columns of the result that are neighbours.
#ifndef TK_GEMM_TILE_CUH
#define TK_GEMM_TILE_CUH

#include "gemm_mma.cuh"

#include <tilecheck.h>

// ROWS rows of PIECES pieces from (row0, col0) of a matrix of rows x cols, by WARPS warps. PAIRS: B along K. With SPREAD, every SPREAD rows the tile
// skips as many.
// WIDE: cols and ld are multiples of 8, and the base is aligned to 16 bytes.
template <bool WIDE, int ROWS, int PIECES, int WARPS, bool PAIRS, int SPREAD, typename T>
__device__ __forceinline__ void tk_fetch(uint4 *to, const T *from, int64_t ld, int row0, int col0, int rows, int cols)
{
    constexpr int GROUPS = PIECES / 8;
    const int y = threadIdx.y, z = threadIdx.z, column = (int)threadIdx.x ^ (PAIRS ? z % 4 * 2 + y % 2 : z % 2 * 4 + y);
    static_assert(ROWS * GROUPS % (WARPS * 4) == 0 && WARPS % 4 == 0, "a thread's pieces: as many as others have, and of rows of one x");
#pragma unroll
    for (int i = 0; i < ROWS * GROUPS / (WARPS * 4); ++i) {
        const int r = (i / GROUPS * WARPS + threadIdx.z) * 4 + threadIdx.y, c = i % GROUPS * 8 + column;
        const int row = row0 + r, col = col0 + c * 8;
        uint4 *const piece = &to[(SPREAD ? r / SPREAD * (2 * SPREAD) + r % SPREAD : r) * PIECES + i % GROUPS * 8 + threadIdx.x];
        if (WIDE) {
            tk_copy16(piece, from + row * ld + col, row < rows && col < cols);
        } else {
            tk_pack<T, 8> p;
#pragma unroll
            for (int e = 0; e < 8; ++e)
                p.at[e] = row < rows && col + e < cols ? from[row * ld + col + e] : tk_round<T>(0.0f);
            *reinterpret_cast<tk_pack<T, 8> *>(piece) = p;
        }
    }
}

template <typename T, bool WIDE, bool A_BY_K, bool B_BY_K, bool GATED, int BM, int BN, int WARPS_M, int WARPS_N, int STAGES> struct tk_gemm_tile {
    static constexpr int BK = 64, WARPS = WARPS_M * WARPS_N, WM = BM / WARPS_M, WN = BN / WARPS_N;
    static constexpr int PIECES_A = A_BY_K ? 8 : BM / 8, PIECES_B = B_BY_K ? 8 : BN / 8;
    static constexpr int SIZE_A = (A_BY_K ? BM : BK) * PIECES_A, SIZE_B = (B_BY_K ? BN : BK) * PIECES_B;
    static_assert(!GATED || (A_BY_K && B_BY_K), "gated: both along K");
    static_assert(STAGES >= 2 && STAGES <= 4, "stages to begin with");

    // sums += A[m0 …, k0 …] B[n0 …, k0 …], steps stages of 64 along K. GATED: of each warp's columns the first half is of B, the other one of B2.
    static __device__ __forceinline__ void products(float (&sums)[WM / 16][WN / 8][4], unsigned char *memory, const T *A, const T *B,
                                                    const T *B2, int M, int N, int K, int64_t lda, int64_t ldb, int m0, int n0, int k0, int steps)
    {
        uint4 *const ring_a = reinterpret_cast<uint4 *>(memory), *const ring_b = ring_a + STAGES * SIZE_A;
        const int x = threadIdx.x, y = threadIdx.y, wm = threadIdx.z / WARPS_N * WM, wn = threadIdx.z % WARPS_N * WN;

        const int end = min(K, k0 + steps * BK); // behind it there are zeros, also in stages that no step uses

        auto fetch_a = [&](int step) {
            if (A_BY_K)
                tk_fetch<WIDE, BM, PIECES_A, WARPS, false, 0>(ring_a + step % STAGES * SIZE_A, A, lda, m0, k0 + step * BK, M, end);
            else
                tk_fetch<WIDE, BK, PIECES_A, WARPS, false, 0>(ring_a + step % STAGES * SIZE_A, A, lda, k0 + step * BK, m0, end, M);
        };
        auto fetch_b = [&](int step) {
            uint4 *const to = ring_b + step % STAGES * SIZE_B;
            if constexpr (GATED) {
                tk_fetch<WIDE, BN / 2, PIECES_B, WARPS, true, WN / 2>(to, B, ldb, n0, k0 + step * BK, N, end);
                tk_fetch<WIDE, BN / 2, PIECES_B, WARPS, true, WN / 2>(to + WN / 2 * PIECES_B, B2, ldb, n0, k0 + step * BK, N, end);
            } else if constexpr (B_BY_K) {
                tk_fetch<WIDE, BN, PIECES_B, WARPS, true, 0>(to, B, ldb, n0, k0 + step * BK, N, end);
            } else {
                tk_fetch<WIDE, BK, PIECES_B, WARPS, false, 0>(to, B, ldb, k0 + step * BK, n0, end, N);
            }
        };
        constexpr int ROWS = WM / 16, COLS = WN / 16;
        unsigned fa[ROWS][4], fb[2][COLS][4];
        auto load_a = [&](int step, int kk, int i) {
            const uint4 *const a = ring_a + step % STAGES * SIZE_A;
            if (A_BY_K)
                tk_load_matrix<false>(fa[i], &a[(wm + i * 16 + y % 2 * 8 + x) * 8 + ((kk * 2 + y / 2) ^ x)]);
            else
                tk_load_matrix<true>(fa[i], &a[(kk * 16 + y / 2 * 8 + x) * PIECES_A + (wm / 8 + i * 2 + y % 2 ^ x)]);
        };
        auto load_b = [&](int step, int kk) {
            const uint4 *const b = ring_b + step % STAGES * SIZE_B;
#pragma unroll
            for (int j = 0; j < COLS; ++j)
                if (B_BY_K)
                    tk_load_matrix<false>(fb[kk % 2][j], &b[(wn + j * 16 + x / 2 * 4 + y / 2 * 2 + x % 2) * 8 + ((kk * 2 + y % 2) ^ x)]);
                else
                    tk_load_matrix<true>(fb[kk % 2][j], &b[(kk * 16 + y % 2 * 8 + x) * PIECES_B + (wn / 8 + j * 2 + y / 2 ^ x)]);
        };
        auto multiply = [&](int kk, int i) {
#pragma unroll
            for (int j = 0; j < WN / 8; ++j)
                tk_mma<T>(sums[i][j], fa[i], fb[kk % 2][j / 2][j % 2 * 2], fb[kk % 2][j / 2][j % 2 * 2 + 1]);
        };

        fetch_a(0), fetch_b(0);
        tk_copy_commit();
        if (STAGES > 2) {
            fetch_a(1), fetch_b(1);
            tk_copy_commit();
        }
        if (STAGES > 3) {
            fetch_a(2), fetch_b(2);
            tk_copy_commit();
        }
        tk_copy_wait<STAGES - 2>();
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            load_a(0, 0, i);
        load_b(0, 0);
        for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int kk = 0; kk < 4; ++kk) { // the fragments of kk + 1 arrive while those of kk are used: B's in a second set, A's in place
                if (kk == 3) {
                    tk_copy_commit();
                    tk_copy_wait<STAGES - 2>();
                    __syncthreads(); // the next stage is there, and this one is no longer read: its last fragments are in registers
                }
                const int next = kk < 3 ? step : step + 1;
                load_b(next, (kk + 1) % 4);
                if (kk == 0)
                    fetch_a(step + STAGES - 1);
                if (kk == 1)
                    fetch_b(step + STAGES - 1);
#pragma unroll
                for (int i = 0; i < ROWS; ++i) {
                    multiply(kk, i);
                    load_a(next, (kk + 1) % 4, i);
                }
            }
        }
        tk_copy_wait_all();
    }
};

#endif
