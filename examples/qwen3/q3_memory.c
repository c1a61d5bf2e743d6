#include "q3_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- allocations ----

static _Thread_local uint64_t fail_at, count;

static bool fails(void) { return ++count == fail_at; }

void q3_memory_fail_at(uint64_t nth)
{
    fail_at = nth;
    count = 0;
}

uint64_t q3_memory_count(void) { return count; }

void *q3_alloc(size_t n, size_t size) { return fails() ? NULL : calloc(n ? n : 1, size); }

void *q3_resize(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (fails() || __builtin_mul_overflow(n ? n : 1, size, &bytes))
        return NULL;
    return realloc(p, bytes);
}

void q3_free(void *p) { free(p); }

tk_status q3_no_memory(const char *what) { return tk_fail(TK_MEMORY, "%s: out of memory", what); }

// ---- texts ----

static tk_status reserve(q3_text *t, size_t more)
{
    size_t want;
    if (__builtin_add_overflow(t->n, more, &want) || want >= SIZE_MAX / 2)
        return q3_no_memory("a text");
    if (want < t->capacity)
        return TK_OK;
    const size_t capacity = want + want / 2 + 32;
    char *at = q3_resize(t->at, capacity, 1);
    if (!at)
        return q3_no_memory("a text");
    t->at = at;
    t->capacity = capacity;
    return TK_OK;
}

tk_status q3_text_put(q3_text *t, const void *bytes, size_t n)
{
    TK_TRY(reserve(t, n));
    if (n)
        memcpy(t->at + t->n, bytes, n);
    t->n += n;
    t->at[t->n] = '\0';
    return TK_OK;
}

tk_status q3_text_format(q3_text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    const tk_status status = n < 0 ? q3_no_memory("a text") : reserve(t, (size_t)n);
    if (status == TK_OK) {
        vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
    return status;
}

tk_status q3_text_quote(q3_text *t, const char *s)
{
    TK_TRY(q3_text_put(t, "\"", 1));
    for (; *s; ++s) {
        const unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c == '"' || c == '\\')
            TK_TRY(q3_text_format(t, "\\u%04x", c));
        else
            TK_TRY(q3_text_put(t, s, 1));
    }
    return q3_text_put(t, "\"", 1);
}

void q3_text_free(q3_text *t)
{
    q3_free(t->at);
    *t = (q3_text){0};
}

// ---- UTF-8 ----

int q3_utf8_first(const unsigned char *s, size_t n, uint32_t *c)
{
    if (s[0] < 0x80) {
        *c = s[0];
        return 1;
    }
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return -1;
    const int length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    *c = s[0] & (0x7fu >> length);
    for (int i = 1; i < length; ++i) {
        if ((size_t)i == n)
            return 0;
        // The second byte's range excludes what is overlong, surrogates, and what is past U+10FFFF.
        const unsigned char low = i > 1 ? 0x80 : s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
        const unsigned char high = i > 1 ? 0xbf : s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
        if (s[i] < low || s[i] > high)
            return -i;
        *c = *c << 6 | (s[i] & 0x3fu);
    }
    return length;
}

bool q3_utf8_is_valid(const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t c;
        const int length = q3_utf8_first((const unsigned char *)s + i, n - i, &c);
        if (length <= 0)
            return false;
        i += (size_t)length;
    }
    return true;
}

int q3_utf8_write(char *out, uint32_t c)
{
    const int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = length - 1; i > 0; --i, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[length] | c);
    return length;
}
