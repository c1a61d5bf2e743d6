#include "base/int128.h"

#include <ctype.h>

bool tc_add128(tc_i128 a, tc_i128 b, tc_i128 *r) {
    tc_i128 sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *r = sum;
    return true;
}

bool tc_sub128(tc_i128 a, tc_i128 b, tc_i128 *r) {
    tc_i128 difference;
    if (__builtin_sub_overflow(a, b, &difference))
        return false;
    *r = difference;
    return true;
}

bool tc_mul128(tc_i128 a, tc_i128 b, tc_i128 *r) {
    tc_i128 product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *r = product;
    return true;
}

tc_i128 tc_floor_div(tc_i128 a, tc_i128 b) {
    if (b == -1)
        return (tc_i128)(0 - (tc_u128)a);
    tc_i128 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

tc_i128 tc_floor_mod(tc_i128 a, tc_i128 b) {
    if (b == -1)
        return 0;
    tc_i128 r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

tc_i128 tc_pow2(unsigned k) {
    return (tc_i128)((tc_u128)1 << (k & 127));
}

static tc_u128 magnitude(tc_i128 x) {
    return x < 0 ? 0 - (tc_u128)x : (tc_u128)x;
}

tc_i128 tc_gcd128(tc_i128 a, tc_i128 b) {
    tc_u128 x = magnitude(a), y = magnitude(b);
    while (y) {
        tc_u128 r = x % y;
        x = y;
        y = r;
    }
    return x > (tc_u128)TC_I128_MAX ? tc_pow2(126) : (tc_i128)x;
}

tc_i128 tc_wrap128(tc_i128 x, unsigned width, bool is_signed) {
    tc_u128 modulus = (tc_u128)1 << width;
    tc_u128 low = (tc_u128)x & (modulus - 1);
    bool negative = is_signed && (low >> (width - 1)) != 0;
    return negative ? (tc_i128)low - (tc_i128)modulus : (tc_i128)low;
}

const char *tc_i128_text(tc_arena *a, tc_i128 x) {
    char digits[48];
    size_t at = sizeof digits;
    tc_u128 rest = magnitude(x);
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (x < 0)
        digits[--at] = '-';
    return tc_strndup(a, digits + at, sizeof digits - at);
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    int lower = tolower((unsigned char)c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

bool tc_i128_parse(const char *s, size_t n, tc_i128 *r) {
    bool negative = n && *s == '-';
    if (negative)
        s++, n--;
    int base = 10;
    if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        base = 16, s += 2, n -= 2;
    if (!n)
        return false;
    // Counted downwards: the smallest value has no positive counterpart.
    tc_i128 value = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = digit_value(s[i]);
        if (digit >= base || !tc_mul128(value, base, &value) || !tc_sub128(value, digit, &value))
            return false;
    }
    return negative ? (*r = value, true) : tc_sub128(0, value, r);
}
