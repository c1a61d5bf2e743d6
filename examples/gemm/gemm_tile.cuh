// The products of one tile of a tensor-core GEMM, by a block: a ring of stages in shared memory, and the fragments and sums of its warps.
//
// Threads. A block is (8, 4, warps): a warp is one plane, and x + 8 y is the lane. The eight rows of a matrix that ldmatrix takes are x, which of
// its four matrices is y, and a fragment's row and columns are 2 y + x / 4 and x % 4: no index is made of the lane's number.
//
// Shared memory. A stage has 64 elements along K of A's rows and of B's, in pieces of 16 bytes, in the order in which they lie in global memory:
// rows of 64 elements along K, or 64 rows of BM or BN elements. Each row is followed by a piece that is not used, so that the eight
// rows of a matrix lie in different banks; that leaves the addresses sums, where a swizzle would make them bit operations.
#ifndef TK_GEMM_TILE_CUH
#define TK_GEMM_TILE_CUH

#include "gemm_mma.cuh"

#include <tilecheck.h>

// ROWS rows of PIECES pieces from (row0, col0) of a matrix of rows x cols, by WARPS warps. With SPREAD, every SPREAD rows the tile skips as many.
// WIDE: cols and ld are multiples of 8, and the base is aligned to 16 bytes.
template <bool WIDE, int ROWS, int PIECES, int WARPS, bool PAIRS, int SPREAD, typename T>
__device__ __forceinline__ void tk_fetch(uint4 *to, const T *from, int64_t ld, int row0, int col0, int rows, int cols)
{
    constexpr int GROUPS = PIECES / 8;
    const int y = threadIdx.y, z = threadIdx.z, column = (int)threadIdx.x ^ (PAIRS ? z % 4 * 2 + y % 2 : z % 2 * 4 + y);
    static_assert(ROWS * GROUPS % (WARPS * 4) == 0 && WARPS % 4 == 0, "each thread has as many pieces as the others; its rows' place in eight is one");
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

    // The copies of step `step` of the products of rows m0 … and columns n0 …, which begin at k0. There are zeros at `end` and behind it.
    static __device__ __forceinline__ void fetch_a(unsigned char *memory, const T *A, int M, int64_t lda, int m0, int k0, int end, int step)
    {
        uint4 *const to = reinterpret_cast<uint4 *>(memory) + step % STAGES * SIZE_A;
        if constexpr (A_BY_K)
            tk_fetch<WIDE, BM, PIECES_A, WARPS, false, 0>(to, A, lda, m0, k0 + step * BK, M, end);
        else
            tk_fetch<WIDE, BK, PIECES_A, WARPS, false, 0>(to, A, lda, k0 + step * BK, m0, end, M);
    }
    static __device__ __forceinline__ void fetch_b(unsigned char *memory, const T *B, const T *B2, int N, int64_t ldb, int n0, int k0, int end, int step)
    {
        uint4 *const to = reinterpret_cast<uint4 *>(memory) + STAGES * SIZE_A + step % STAGES * SIZE_B;
        if constexpr (GATED) {
            tk_fetch<WIDE, BN / 2, PIECES_B, WARPS, true, WN / 2>(to, B, ldb, n0, k0 + step * BK, N, end);
            tk_fetch<WIDE, BN / 2, PIECES_B, WARPS, true, WN / 2>(to + WN / 2 * PIECES_B, B2, ldb, n0, k0 + step * BK, N, end);
        } else if constexpr (B_BY_K) {
            tk_fetch<WIDE, BN, PIECES_B, WARPS, true, 0>(to, B, ldb, n0, k0 + step * BK, N, end);
        } else {
            tk_fetch<WIDE, BK, PIECES_B, WARPS, false, 0>(to, B, ldb, k0 + step * BK, n0, end, N);
        }
    }

    // The copies of the first steps, which the products wait for.
    static __device__ __forceinline__ void begin(unsigned char *memory, const T *A, const T *B, const T *B2, int M, int N, int64_t lda, int64_t ldb, int m0,
                                                 int n0, int k0, int end)
    {
        static_assert(STAGES >= 2 && STAGES <= 4, "two stages to four");
        fetch_a(memory, A, M, lda, m0, k0, end, 0);
        fetch_b(memory, B, B2, N, ldb, n0, k0, end, 0);
        tk_copy_commit();
        if constexpr (STAGES > 2) {
            fetch_a(memory, A, M, lda, m0, k0, end, 1);
            fetch_b(memory, B, B2, N, ldb, n0, k0, end, 1);
            tk_copy_commit();
        }
        if constexpr (STAGES > 3) {
            fetch_a(memory, A, M, lda, m0, k0, end, 2);
            fetch_b(memory, B, B2, N, ldb, n0, k0, end, 2);
            tk_copy_commit();
        }
    }

    // sums += A[m0 …, k0 … end) B[n0 …, k0 … end), in steps of 64 along K. GATED: of each warp's columns the first half is of B, the other one of B2.
    static __device__ __forceinline__ void products(float (&sums)[WM / 16][WN / 8][4], unsigned char *memory, const T *A, const T *B, const T *B2, int M,
                                                    int N, int64_t lda, int64_t ldb, int m0, int n0, int k0, int end)
    {
        const uint4 *const ring_a = reinterpret_cast<const uint4 *>(memory), *const ring_b = ring_a + STAGES * SIZE_A;
        const int x = threadIdx.x, y = threadIdx.y, wm = threadIdx.z / WARPS_N * WM, wn = threadIdx.z % WARPS_N * WN;
        const int steps = (end - k0 + BK - 1) / BK;

        unsigned fa[2][WM / 16][4], fb[2][WN / 16][4];
        auto load = [&](int to, int step, int kk) {
            const uint4 *const a = ring_a + step % STAGES * SIZE_A, *const b = ring_b + step % STAGES * SIZE_B;
#pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                if (A_BY_K)
                    tk_load_matrix<false>(fa[to][i], &a[(wm + i * 16 + y % 2 * 8 + x) * 8 + ((kk * 2 + y / 2) ^ x)]);
                else
                    tk_load_matrix<true>(fa[to][i], &a[(kk * 16 + y / 2 * 8 + x) * PIECES_A + (wm / 8 + i * 2 + y % 2 ^ x)]);
#pragma unroll
            for (int j = 0; j < WN / 16; ++j)
                if (B_BY_K)
                    tk_load_matrix<false>(fb[to][j], &b[(wn + j * 16 + x / 2 * 4 + y / 2 * 2 + x % 2) * 8 + ((kk * 2 + y % 2) ^ x)]);
                else
                    tk_load_matrix<true>(fb[to][j], &b[(kk * 16 + y % 2 * 8 + x) * PIECES_B + (wn / 8 + j * 2 + y / 2 ^ x)]);
        };
        auto multiply = [&](int from) {
#pragma unroll
            for (int i = 0; i < WM / 16; ++i)
#pragma unroll
                for (int j = 0; j < WN / 8; ++j)
                    tk_mma<T>(sums[i][j], fa[from][i], fb[from][j / 2][j % 2 * 2], fb[from][j / 2][j % 2 * 2 + 1]);
        };

        tk_copy_wait<STAGES - 2>();
        __syncthreads();
        load(0, 0, 0);
        for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int kk = 0; kk < 3; ++kk) { // the fragments of kk + 1 arrive while those of kk are used
                load((kk + 1) % 2, step, kk + 1);
                if (kk == 0)
                    fetch_a(memory, A, M, lda, m0, k0, end, step + STAGES - 1);
                if (kk == 1)
                    fetch_b(memory, B, B2, N, ldb, n0, k0, end, step + STAGES - 1);
                multiply(kk % 2);
            }
            tk_copy_commit();
            tk_copy_wait<STAGES - 2>();
            __syncthreads(); // the next stage is there, and this one is no longer read but for what is in registers
            load(0, step + 1, 0);
            multiply(1);
        }
        tk_copy_wait_all();
        __syncthreads(); // the next tile's copies may go where this one's last fragments were
    }
};

#endif
