// D = A B + bias + C, or silu(A G) * (A U), on tensor cores: bf16 and fp16, sums in float. For sm_80 and later.
//
// Shapes: A is M x K and B is K x N, each with elements next to each other along K or along its other dimension; D and C are M x N, of the element
// type or float, and bias has N elements. Any sizes up to 2^30 a dimension, and any leading dimensions up to 2^31.
// A block has one tile of BM x BN. Blocks start along x first: gridDim.x rows of tiles, for each column, so that the tiles that are computed at one
// time share rows of A and columns of B in the cache; blockIdx.z counts these groups of rows. Two kernels share the products (gemm_tile.cuh): one
// that ends with bias, C and rounding, and one that leaves the sums of a slice of K in a workspace, for products of few tiles (split K).
// WIDE: all rows begin on 16 bytes, and are whole numbers of 16 bytes along the contiguous dimension; else elements are moved one by one.
// Proved for every instantiation: the copies of a stage are complete before it is read and not overwritten before it has been, all accesses
// are in bounds and aligned, nothing overflows, a block writes its own tiles and no two threads one element. Where C is D itself, C is null
// and add_D says so.
#ifndef TK_GEMM_KERNEL_CUH
#define TK_GEMM_KERNEL_CUH

#include "gemm_tile.cuh"

extern __shared__ __align__(128) unsigned char tk_gemm_memory[];

// The sums of a thread as runs of four columns: run (i, j, h) is of the row and the columns that these two say, within the warp's part of the tile.
__device__ __forceinline__ int tk_gemm_row(int i, int h) { return i * 16 + h * 8 + (int)threadIdx.y * 2 + (int)threadIdx.x / 4; }
__device__ __forceinline__ int tk_gemm_col(int j) { return j * 16 + (int)threadIdx.x % 4 * 4; }

// Two fragments have a run. With B along K they were read so that the thread has it whole. Else it has columns 2 q and 2 q + 1 of each, where q is
// its place among four lanes: two neighbours give each other a pair, which leaves the runs in the order 0, 2, 1, 3.
template <bool B_BY_K, bool GATED, int ROWS, int COLS>
__device__ __forceinline__ void tk_gemm_run(float (&run)[4], const float (&sums)[ROWS][COLS][4], int i, int j, int h)
{
    float v[2][2];
#pragma unroll
    for (int p = 0; p < 2; ++p)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const float s = sums[i][j * 2 + p][h * 2 + e];
            v[p][e] = GATED ? s / (1.0f + __expf(-s)) * sums[i][(j * 2 + p + COLS / 2) % COLS][h * 2 + e] : s;
        }
    if (B_BY_K) {
        run[0] = v[0][0], run[1] = v[0][1], run[2] = v[1][0], run[3] = v[1][1];
        return;
    }
    const int x = threadIdx.x, odd = x % 2, other = (int)threadIdx.y * 8 + x / 4 * 4 + x % 2 * 2 + x / 2 % 2;
    const float a = __shfl_xor_sync(0xffffffffu, odd ? v[0][0] : v[1][0], 1);
    const float b = __shfl_xor_sync(0xffffffffu, odd ? v[0][1] : v[1][1], 1);
    run[0] = __shfl_sync(0xffffffffu, odd ? a : v[0][0], other), run[1] = __shfl_sync(0xffffffffu, odd ? b : v[0][1], other);
    run[2] = __shfl_sync(0xffffffffu, odd ? v[1][0] : a, other), run[3] = __shfl_sync(0xffffffffu, odd ? v[1][1] : b, other);
}

template <typename T, typename O, bool WIDE, bool A_BY_K, bool B_BY_K, bool GATED, int BM, int BN, int WARPS_M, int WARPS_N, int STAGES>
tc_block(8, 4, WARPS_M * WARPS_N)
tc_smem(STAGES * (BM + BN) * 128)
tc_requires(M >= 1 && N >= 1 && K >= 1 && M <= 1 << 30 && N <= 1 << 30 && K <= 1 << 30)
tc_requires(lda >= (A_BY_K ? K : M) && ldb >= (B_BY_K ? K : N) && ldc >= N && ldd >= N)
tc_requires(lda <= 1LL << 31 && ldb <= 1LL << 31 && ldc <= 1LL << 31 && ldd <= 1LL << 31)
tc_requires(!WIDE || (lda % 8 == 0 && ldb % 8 == 0 && (A_BY_K ? K : M) % 8 == 0 && (B_BY_K ? K : N) % 8 == 0))
tc_requires(!WIDE || (N % 4 == 0 && ldc % 4 == 0 && ldd % 4 == 0))
tc_requires(gridDim.x >= 1 && gridDim.x <= 64 && gridDim.y == tc_cdiv(N, GATED ? BN / 2 : BN))
__global__ void __launch_bounds__(WARPS_M * WARPS_N * 32)
tk_gemm_kernel(tc_mut tc_shape(M, N) tc_stride(ldd, 1) tc_align(WIDE ? 4 * sizeof(O) : sizeof(O)) tc_tile(BM, BN / (GATED ? 2 : 1))
               tc_at(blockIdx.z * gridDim.x + blockIdx.x, blockIdx.y) O *D,
               tc_shared tc_shape(A_BY_K ? M : K, A_BY_K ? K : M) tc_stride(lda, 1) tc_align(WIDE ? 16 : sizeof(T)) const T *A,
               tc_shared tc_shape(B_BY_K ? N : K, B_BY_K ? K : N) tc_stride(ldb, 1) tc_align(WIDE ? 16 : sizeof(T)) const T *B,
               tc_shared tc_shape(GATED ? N : 0, K) tc_stride(ldb, 1) tc_align(WIDE ? 16 : sizeof(T)) const T *B2,
               tc_shared tc_optional tc_shape(N) const T *bias,
               tc_shared tc_optional tc_shape(M, N) tc_stride(ldc, 1) tc_align(WIDE ? 4 * sizeof(O) : sizeof(O)) const O *C, bool add_D,
               int M, int N, int K, int64_t lda, int64_t ldb, int64_t ldc, int64_t ldd)
{
    using tile = tk_gemm_tile<T, WIDE, A_BY_K, B_BY_K, GATED, BM, BN, WARPS_M, WARPS_N, STAGES>;
    constexpr int COLS = GATED ? BN / 2 : BN;
    const int m0 = ((int)blockIdx.z * gridDim.x + blockIdx.x) * BM, n0 = blockIdx.y * COLS;
    if (m0 >= M)
        return;
    float sums[tile::WM / 16][tile::WN / 8][4] = {};
    tile::products(sums, tk_gemm_memory, A, B, B2, M, N, K, lda, ldb, m0, n0, 0, (K + 63) / 64);

    const int r0 = m0 + threadIdx.z / WARPS_N * tile::WM, c0 = n0 + threadIdx.z % WARPS_N * (COLS / WARPS_N);
    constexpr int ROWS = tile::WM / 16, PAIRS = tile::WN / (GATED ? 32 : 16);
    float shift[PAIRS][4] = {};
    if (WIDE && bias)
#pragma unroll
        for (int j = 0; j < PAIRS; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                if (c0 + tk_gemm_col(j) < N)
                    shift[j][e] = tk_float(bias[c0 + tk_gemm_col(j) + e]);
    // All loads of C that registers have room for before the first store: one behind it would wait until the store's address is known to be another.
    constexpr int AHEAD = sizeof(O) == 2 && ROWS % 2 == 0 && ROWS * PAIRS <= 16 ? 2 : 1;
#pragma unroll
    for (int i0 = 0; i0 < ROWS; i0 += AHEAD) {
        tk_pack<O, 4> add[AHEAD][2][PAIRS] = {};
        auto fetch = [&](const O *from, int64_t ld) {
#pragma unroll
            for (int i = 0; i < AHEAD; ++i)
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const int row = r0 + tk_gemm_row(i0 + i, h);
                    const int64_t line = row * ld;
#pragma unroll
                    for (int j = 0; j < PAIRS; ++j) {
                        const int col = c0 + tk_gemm_col(j);
                        if (row < M && col < N)
                            add[i][h][j] = *reinterpret_cast<const tk_pack<O, 4> *>(from + line + col);
                    }
                }
        };
        if (WIDE && !GATED && C)
            fetch(C, ldc);
        else if (WIDE && !GATED && add_D)
            fetch(D, ldd);
#pragma unroll
        for (int i = 0; i < AHEAD; ++i)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int row = r0 + tk_gemm_row(i0 + i, h);
                const int64_t line = row * ldd;
#pragma unroll
                for (int j = 0; j < PAIRS; ++j) {
                    const int col = c0 + tk_gemm_col(j);
                    float run[4];
                    tk_gemm_run<B_BY_K, GATED>(run, sums, i0 + i, j, h);
                    if (WIDE) {
                        tk_pack<O, 4> d;
#pragma unroll
                        for (int e = 0; e < 4; ++e)
                            d.at[e] = tk_round<O>(run[e] + shift[j][e] + tk_float(add[i][h][j].at[e]));
                        if (row < M && col < N)
                            *reinterpret_cast<tk_pack<O, 4> *>(D + line + col) = d;
                    } else {
#pragma unroll
                        for (int e = 0; e < 4; ++e)
                            if (row < M && col + e < N) {
                                O *const at = D + line + col + e;
                                const float more = C ? tk_float(C[row * ldc + col + e]) : add_D ? tk_float(*at) : 0.0f;
                                *at = tk_round<O>(run[e] + (bias ? tk_float(bias[col + e]) : 0.0f) + more);
                            }
                    }
                }
            }
    }
}

// The sums of slice blockIdx.z of K, which is `each` stages of 64.
template <typename T, bool A_BY_K, bool B_BY_K, int BM, int BN, int WARPS_M, int WARPS_N, int STAGES>
tc_block(8, 4, WARPS_M * WARPS_N) tc_grid(tc_cdiv(N, BN), tc_cdiv(M, BM), slices)
tc_smem(STAGES * (BM + BN) * 128)
tc_requires(M >= 1 && N >= 1 && K >= 1 && M <= 1 << 20 && N <= 1 << 20 && K <= 1 << 21)
tc_requires(slices >= 1 && slices <= 256 && each >= 1 && each <= 1 << 15)
tc_requires(lda >= (A_BY_K ? K : M) && ldb >= (B_BY_K ? K : N) && lda <= 1LL << 31 && ldb <= 1LL << 31 && N % 4 == 0)
tc_requires(lda % 8 == 0 && ldb % 8 == 0 && (A_BY_K ? K : M) % 8 == 0 && (B_BY_K ? K : N) % 8 == 0)
__global__ void __launch_bounds__(WARPS_M * WARPS_N * 32)
tk_gemm_split_kernel(tc_mut tc_shape(slices, M, N) tc_align(16) tc_tile(1, BM, BN) float *part,
                     tc_shared tc_shape(A_BY_K ? M : K, A_BY_K ? K : M) tc_stride(lda, 1) tc_align(16) const T *A,
                     tc_shared tc_shape(B_BY_K ? N : K, B_BY_K ? K : N) tc_stride(ldb, 1) tc_align(16) const T *B,
                     int M, int N, int K, int64_t lda, int64_t ldb, int slices, int each)
{
    using tile = tk_gemm_tile<T, true, A_BY_K, B_BY_K, false, BM, BN, WARPS_M, WARPS_N, STAGES>;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN, first = blockIdx.z * each;
    float sums[tile::WM / 16][tile::WN / 8][4] = {};
    tile::products(sums, tk_gemm_memory, A, B, nullptr, M, N, K, lda, ldb, m0, n0, first * 64, max(min((K + 63) / 64 - first, each), 0));

    const int r0 = m0 + threadIdx.z / WARPS_N * tile::WM, c0 = n0 + threadIdx.z % WARPS_N * tile::WN;
#pragma unroll
    for (int i = 0; i < tile::WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < tile::WN / 16; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int row = r0 + tk_gemm_row(i, h), col = c0 + tk_gemm_col(j);
                float run[4];
                tk_gemm_run<B_BY_K, false>(run, sums, i, j, h);
                if (row < M && col < N)
                    *reinterpret_cast<float4 *>(part + ((int64_t)blockIdx.z * M + row) * N + col) = make_float4(run[0], run[1], run[2], run[3]);
            }
}

// D = the sum of the slices, in their order, + bias + C. A thread has four columns.
template <typename T, typename O>
tc_block(256) tc_grid(tc_cdiv(N, 1024), M)
tc_requires(M >= 1 && M < 65536 && N >= 1 && N <= 1 << 20 && slices >= 1 && slices <= 256)
tc_requires(ldc >= N && ldd >= N && ldc <= 1LL << 31 && ldd <= 1LL << 31 && N % 4 == 0 && ldc % 4 == 0 && ldd % 4 == 0)
__global__ void tk_gemm_sum_kernel(tc_mut tc_shape(M, N) tc_stride(ldd, 1) tc_align(4 * sizeof(O)) tc_tile(1, 1024) O *D,
                                   tc_shared tc_shape(slices, M, N) tc_align(16) const float *part, tc_shared tc_optional tc_shape(N) const T *bias,
                                   tc_shared tc_optional tc_shape(M, N) tc_stride(ldc, 1) tc_align(4 * sizeof(O)) const O *C, bool add_D,
                                   int M, int N, int64_t ldc, int64_t ldd, int slices)
{
    const int64_t row = blockIdx.y;
    const int col = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (col >= N)
        return;
    tk_pack<O, 4> d = {};
    if (C)
        d = *reinterpret_cast<const tk_pack<O, 4> *>(C + row * ldc + col);
    else if (add_D)
        d = *reinterpret_cast<const tk_pack<O, 4> *>(D + row * ldd + col);
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 4
    for (int s = 0; s < slices; ++s) {
        const float4 p = *reinterpret_cast<const float4 *>(part + (s * (int64_t)M + row) * N + col);
        sum.x += p.x, sum.y += p.y, sum.z += p.z, sum.w += p.w;
    }
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (int e = 0; e < 4; ++e)
        d.at[e] = tk_round<O>(sums[e] + (bias ? tk_float(bias[col + e]) : 0.0f) + tk_float(d.at[e]));
    *reinterpret_cast<tk_pack<O, 4> *>(D + row * ldd + col) = d;
}

#endif
