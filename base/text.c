#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

enum { FIRST = 64 };

// Room for n more bytes and the NUL.
static void reserve(tc_text *t, size_t n) {
    if (n >= SIZE_MAX / 4 - t->len)
        tc_trap_out_of_memory(tc_arena_trap(t->arena));
    size_t need = t->len + n + 1;
    if (need <= t->cap)
        return;
    size_t cap = t->cap ? t->cap * 2 : FIRST;
    if (cap < need)
        cap = need;
    char *data = tc_alloc(t->arena, cap);
    if (t->len)
        memcpy(data, t->data, t->len);
    t->data = data;
    t->cap = cap;
}

void tc_putn(tc_text *t, const char *s, size_t n) {
    reserve(t, n);
    if (n)
        memcpy(t->data + t->len, s, n);
    t->len += n;
    t->data[t->len] = '\0';
}

void tc_put(tc_text *t, const char *s) {
    tc_putn(t, s, strlen(s));
}

void tc_putc(tc_text *t, char c) {
    tc_putn(t, &c, 1);
}

void tc_putf(tc_text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        tc_trap_raise(tc_arena_trap(t->arena), TC_EINTERNAL, "a text could not be formatted");
    reserve(t, (size_t)n);
    va_start(args, format);
    vsnprintf(t->data + t->len, (size_t)n + 1, format, args);
    va_end(args);
    t->len += (size_t)n;
}

void tc_put128(tc_text *t, tc_i128 x) {
    tc_put(t, tc_i128_text(t->arena, x));
}

const char *tc_text_str(const tc_text *t) {
    return t->data ? t->data : "";
}
