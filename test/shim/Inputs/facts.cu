// Kernels whose contracts say something of the contents of arrays, for integers of each size and sign.
#include <tilecheck.h>

#define FACTS(name, type)                                                                                                                  \
    tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n >= 1)                                                                               \
    extern "C" __global__ void name(tc_shared tc_shape(n) tc_range(2, 100) tc_monotone tc_injective const type *x, int n)                  \
    {                                                                                                                                      \
        (void)x;                                                                                                                           \
    }
FACTS(facts_u8, unsigned char)
FACTS(facts_i8, signed char)
FACTS(facts_u16, unsigned short)
FACTS(facts_i16, short)
FACTS(facts_u32, unsigned)
FACTS(facts_i32, int)
FACTS(facts_u64, unsigned long long)
FACTS(facts_i64, long long)
