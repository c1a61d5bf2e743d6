// A string that grows in an arena.
#ifndef TC_BASE_TEXT_H
#define TC_BASE_TEXT_H

#include "base/int128.h"

typedef struct tc_text {
    tc_arena *arena;
    char *data; // always NUL-terminated once something was put; NULL when empty
    size_t len, cap;
} tc_text;

void tc_put(tc_text *t, const char *s);
void tc_putn(tc_text *t, const char *s, size_t n);
void tc_putc(tc_text *t, char c);
void tc_putf(tc_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tc_put128(tc_text *t, tc_i128 x);
const char *tc_text_str(const tc_text *t); // "" when empty

#endif
