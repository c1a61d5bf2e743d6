// The regular expression that splits a text, as a tokenizer.json spells it: Oniguruma's syntax, run by PCRE2. The part that both read alike
// is taken; white space is spelled out, since PCRE2's \s has U+180E; anything else is refused.
#ifndef Q3_PATTERN_H
#define Q3_PATTERN_H

#include "q3_memory.h"

typedef struct q3_pattern q3_pattern;

tk_status q3_pattern_new(const char *file, const char *regex, q3_pattern **out); // file is for messages
void q3_pattern_free(q3_pattern *p); // null is fine

typedef tk_status q3_piece_fn(void *ctx, const char *piece, size_t n);

// Calls piece for each match and for what lies between matches, in the text's order; the pieces are not empty. The text is valid UTF-8.
tk_status q3_pattern_split(const q3_pattern *p, const char *text, size_t n, q3_piece_fn *piece, void *ctx);

#endif
