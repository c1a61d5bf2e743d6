#include "linear_shape.h"

#include "tk_host.h"

static int64_t multiprocessors(void)
{
    const int there = tk_multiprocessors();
    return there < 1 ? 1 : there;
}

bool q3_is_few(int64_t n) { return n <= 24 * multiprocessors(); }

int64_t q3_rows_each(int64_t n)
{
    const int64_t blocks = Q3_BLOCKS_EACH * multiprocessors();
    return (n + blocks - 1) / blocks;
}
