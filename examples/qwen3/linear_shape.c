#include "linear_shape.h"

#include "tk_host.h"

static int64_t blocks(void)
{
    const int there = tk_multiprocessors();
    return there < 1 ? 1 : there;
}

bool q3_is_few(int64_t n) { return n <= 24 * blocks(); }

int64_t q3_rows_each(int64_t n) { return (n + blocks() - 1) / blocks(); }

// Rows that a multiprocessor goes through, at so many at a time: those of a round that is not full count too.
static int64_t rows_gone_through(int64_t n, int at_a_time)
{
    const int64_t a_round = blocks() * at_a_time;
    return (n + a_round - 1) / a_round * at_a_time;
}

int q3_best_warps(int64_t n, int split)
{
    int best = 32;
    for (int w = 28; w >= 16; w -= 4)
        if (rows_gone_through(n, w / split) < rows_gone_through(n, best / split))
            best = w;
    return best;
}
