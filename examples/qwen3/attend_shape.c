#include "attend_shape.h"

#include "tk_host.h"

enum { KEYS_EACH = 128, SPLITS_MOST = 128 };

// One for each 128 tokens, but no more blocks than multiprocessors: a second block on one waits for the first.
int64_t q3_attend_splits(int64_t kv_heads, int64_t capacity)
{
    const int64_t there = tk_multiprocessors(), most = kv_heads > 0 && there > kv_heads ? there / kv_heads : 1;
    const int64_t wanted = capacity / KEYS_EACH + (capacity % KEYS_EACH > 0), splits = wanted < most ? wanted : most;
    return splits < 1 ? 1 : splits < SPLITS_MOST ? splits : SPLITS_MOST;
}
