// Which tile a product is done with, and in how many slices of K: by what these take on an H200, where a multiprocessor without a tile in the last
// round costs as much as one with a tile. Times are in microseconds.
#include "gemm_call.h"

enum { LARGE_DEVICE = 132 }; // the workspace is asked for without a device

typedef struct tile {
    int rows, cols, blocks; // blocks at a time on a multiprocessor
    double step[3];         // 64 along K on a multiprocessor that has so many tiles, one for each that it has
    double rest;            // what a tile takes besides
} tile;

static const tile TILES[TK_GEMM_TILES] = {
    [TK_GEMM_128_256] = {128, 256, 1, {1.04}, 3.5},
    [TK_GEMM_128_128] = {128, 128, 2, {0.61, 1.14}, 3.5},
    [TK_GEMM_256_160] = {256, 160, 1, {1.31}, 4.2},
    [TK_GEMM_256_96] = {256, 96, 1, {0.81}, 3.5},
    [TK_GEMM_64_64] = {64, 64, 3, {0.27, 0.38, 0.58}, 3.0},
};

static int64_t over(int64_t a, int64_t b) { return (a + b - 1) / b; }

static double time_of(tk_gemm_tile_size which, int64_t M, int64_t N, int64_t steps, int64_t slices, int multiprocessors)
{
    const tile *t = &TILES[which];
    const int64_t tiles = over(M, t->rows) * over(N, t->cols) * slices, at_a_time = (int64_t)t->blocks * multiprocessors;
    const int64_t rounds = (tiles - 1) / at_a_time, last = over(tiles - rounds * at_a_time, multiprocessors); // that many a multiprocessor at the end
    const double each = (double)over(steps, slices);
    return (double)rounds * (each * t->step[t->blocks - 1] + t->rest) + each * t->step[last - 1] + t->rest;
}

tk_gemm_tile_size tk_gemm_best_tile(int64_t M, int64_t N, int64_t K, unsigned tiles, int multiprocessors)
{
    tk_gemm_tile_size best = TK_GEMM_TILES;
    double least = 0;
    for (int i = 0; i < TK_GEMM_TILES; ++i) {
        const double time = time_of((tk_gemm_tile_size)i, M, N, over(K, 64), 1, multiprocessors);
        if (tiles >> i & 1 && (best == TK_GEMM_TILES || time < least))
            best = (tk_gemm_tile_size)i, least = time;
    }
    return best;
}

// Of few rows: so that there are three tiles of 16 x 128 for each multiprocessor, each of at least eight steps. Else tiles of 128 x 128 and one
// round at most; the slices are written and read, and one more kernel is started.
int64_t tk_gemm_split(int64_t M, int64_t N, int64_t K)
{
    const int64_t steps = K / 64;
    if (M < 1 || N < 1 || M > 1 << 12 || N > 1 << 16 || K > 1 << 21)
        return 1;
    if (M <= TK_GEMM_SKINNY) {
        int64_t slices = 3 * LARGE_DEVICE / (over(M, 16) * over(N, 128));
        slices = slices < steps / 8 ? slices : steps / 8;
        return slices < 2 ? 1 : slices > 64 ? 64 : slices;
    }
    const int64_t tiles = over(M, 128) * over(N, 128);
    int64_t best = 1;
    double least = time_of(tk_gemm_best_tile(M, N, K, ~0u, LARGE_DEVICE), M, N, over(K, 64), 1, LARGE_DEVICE);
    for (int64_t slices = 2; slices <= 64 && slices * tiles <= 2 * LARGE_DEVICE && steps / slices >= 4; ++slices) {
        const double moved = (double)slices * (double)M * (double)N * 8;
        const double time = time_of(TK_GEMM_128_128, M, N, over(K, 64), slices, LARGE_DEVICE) + 2.5 + moved / 3.5e6;
        if (time < least)
            best = slices, least = time;
    }
    return best;
}
