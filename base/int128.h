// 128-bit integers: bounds such as 2^64 and products of two 64-bit values must be exact.
#ifndef TC_BASE_INT128_H
#define TC_BASE_INT128_H

#include <stdbool.h>

#include "base/arena.h"

__extension__ typedef __int128 tc_i128;
__extension__ typedef unsigned __int128 tc_u128;

#define TC_I128_MAX ((tc_i128)(((tc_u128)1 << 127) - 1))
#define TC_I128_MIN (-TC_I128_MAX - 1)

// false, and *r untouched, when the result does not fit.
bool tc_add128(tc_i128 a, tc_i128 b, tc_i128 *r);
bool tc_sub128(tc_i128 a, tc_i128 b, tc_i128 *r);
bool tc_mul128(tc_i128 a, tc_i128 b, tc_i128 *r);
// Floor division and its remainder; b is not zero. TC_I128_MIN / -1 wraps to TC_I128_MIN.
tc_i128 tc_floor_div(tc_i128 a, tc_i128 b);
tc_i128 tc_floor_mod(tc_i128 a, tc_i128 b);
tc_i128 tc_pow2(unsigned k); // k <= 126
// Not negative; 0 for two zeros. Where 2^127 would be the answer it is 2^126, a common divisor too.
tc_i128 tc_gcd128(tc_i128 a, tc_i128 b);

// Wraps x to width bits (1..64), read as signed or unsigned.
tc_i128 tc_wrap128(tc_i128 x, unsigned width, bool is_signed);

// Decimal text in the arena.
const char *tc_i128_text(tc_arena *a, tc_i128 x);
// Decimal or 0x text, with a minus sign if need be; false when it does not parse or fit.
bool tc_i128_parse(const char *s, size_t n, tc_i128 *r);

#endif
