// One tile of a tensor-core GEMM by a block: the ring of stages in shared memory, and the products of its warps.
//
// Threads. A block is (8, 4, warps): a warp is one plane, and x + 8 y is the lane. The eight rows of a matrix that ldmatrix takes are x, which
// of its four matrices is y, and a fragment's row and columns are 2 y + x / 4 and x % 4, so that no index needs the lane itself.
//
// Shared memory. A stage has BM x 64 elements of A and BN x 64 of B, in pieces of 16 bytes, in the order in which they lie in global memory:
// rows of 64 elements along K (8 pieces), or 64 rows of BM or BN elements (BM / 8 pieces). Of each eight pieces of row r, piece c lies
// at c ^ r % 8: the eight rows that a matrix has are then in different banks, and so are the eight pieces that a row's copy writes.
#ifndef TK_GEMM_TILE_CUH
#define TK_GEMM_TILE_CUH

#include "gemm_mma.cuh"

constexpr int TK_GEMM_BK = 64; // along K, a stage

// ROWS rows of PIECES pieces from (row0, col0) of a matrix of rows x cols, by WARPS warps; what lies outside of the matrix becomes zero. The
// first row goes to row `first` of the tile; with SPREAD, every SPREAD rows the tile skips as many.
// WIDE: cols and ld are multiples of 8, and the base is aligned to 16 bytes.
template <bool WIDE, int ROWS, int PIECES, int WARPS, int SPREAD, typename T>
__device__ __forceinline__ void tk_fetch(uint4 *to, int first, const T *from, long long ld, int row0, int col0, int rows, int cols)
{
    constexpr int GROUPS = PIECES / 8;
    static_assert(ROWS * GROUPS % (WARPS * 4) == 0, "each thread has as many pieces as the others");
#pragma unroll
    for (int i = 0; i < ROWS * GROUPS / (WARPS * 4); ++i) {
        const int r = (i / GROUPS * WARPS + threadIdx.z) * 4 + threadIdx.y, group = i % GROUPS * 8;
        const int row = row0 + r, col = col0 + (group + threadIdx.x) * 8;
        const int at = first + (SPREAD ? r / SPREAD * (2 * SPREAD) + r % SPREAD : r);
        uint4 *const piece = &to[at * PIECES + group + (threadIdx.x ^ at % 8)];
        if (WIDE) {
            if (row < rows && col < cols)
                tk_copy16(piece, from + row * ld + col);
            else
                *piece = uint4();
        } else {
            tk_pack<T, 8> p;
            for (int e = 0; e < 8; ++e)
                p.at[e] = row < rows && col + e < cols ? from[row * ld + col + e] : tk_round<T>(0.0f);
            *reinterpret_cast<tk_pack<T, 8> *>(piece) = p;
        }
    }
}
#endif
