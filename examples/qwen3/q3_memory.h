// Memory on the host, and texts that grow. Each allocation can fail and can be made to fail.
#ifndef Q3_MEMORY_H
#define Q3_MEMORY_H

#include "../tk/tk_host.h"

#ifdef __cplusplus
extern "C" {
#endif

// n elements of size bytes, zeroed; null where there is no memory or the product overflows. Never null for n == 0.
void *q3_alloc(size_t n, size_t size);

// p with room for n elements, the old ones kept; null where there is no memory, and then p is as it was.
void *q3_resize(void *p, size_t n, size_t size);

void q3_free(void *p); // null is fine

tk_status q3_no_memory(const char *what); // TK_MEMORY, with a text

// For tests: this thread's nth allocation from now on fails, once; 0: none. The count is of those since the last call.
void q3_memory_fail_at(uint64_t nth);
uint64_t q3_memory_count(void);

// A text that grows; zero is an empty one. at ends in a NUL that n does not count (null while nothing was put in).
typedef struct q3_text {
    char *at;
    size_t n, capacity;
} q3_text;

tk_status q3_text_put(q3_text *t, const void *bytes, size_t n);
tk_status q3_text_format(q3_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
tk_status q3_text_quote(q3_text *t, const char *s); // as a JSON string
void q3_text_free(q3_text *t);

// ---- UTF-8 ----

// The first character of n > 0 bytes. Above 0: it has so many bytes and is *c. Below 0: so many bytes are no character and cannot become
// one (a maximal subpart: what one U+FFFD stands for). 0: the bytes end within a character.
int q3_utf8_first(const unsigned char *s, size_t n, uint32_t *c);

bool q3_utf8_is_valid(const char *s, size_t n);

int q3_utf8_write(char *out, uint32_t c); // 1 … 4 bytes, of a code point that is no surrogate

#ifdef __cplusplus
}
#endif
#endif
