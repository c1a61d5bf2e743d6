// The tokenizer of a model folder: tokenizer.json, byte-level BPE as Qwen3's. A text is cut at the added tokens, composed (NFC), split by the
// file's regular expression, and each piece's bytes are merged pair by pair in the order of the file's merges.
//
// What the file asks for beyond that is refused (TK_UNSUPPORTED), not passed over. A tokenizer is read only once it is open: any number of
// threads may use it.
//
// Which characters are letters, numbers and marks is said by the libraries that are linked (PCRE2, utf8proc), each of one version of Unicode. A character
// that is newer, or newer than the tables of the program that a model was trained with, may be cut or composed otherwise there.
#ifndef Q3_TOKENIZER_H
#define Q3_TOKENIZER_H

#include "q3_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct q3_tokenizer q3_tokenizer;

tk_status q3_tokenizer_open(const char *path, q3_tokenizer **out); // a tokenizer.json, or a folder that holds one
tk_status q3_tokenizer_parse(const char *file, const char *text, size_t n, q3_tokenizer **out); // with a NUL behind it; file is for messages
void q3_tokenizer_close(q3_tokenizer *t); // null is fine

int32_t q3_tokenizer_size(const q3_tokenizer *t); // one more than the largest id

// The id of a token as the file spells it ("<|im_end|>", "Ġthe"); -1: there is none.
int32_t q3_tokenizer_find(const q3_tokenizer *t, const char *token);

// The bytes that a token stands for; null where the id has no token. Not ended by a NUL.
const char *q3_token_bytes(const q3_tokenizer *t, int32_t id, size_t *n);
bool q3_token_is_special(const q3_tokenizer *t, int32_t id);

// ---- encoding ----

typedef struct q3_ids { // zero is an empty list
    int32_t *at;
    size_t n, capacity;
} q3_ids;

void q3_ids_free(q3_ids *ids);

enum { Q3_SPECIAL_IS_TEXT = 1 }; // special tokens in the text are not theirs but text, as from someone who is not trusted

// Appends the tokens of n bytes. What is no UTF-8 counts as U+FFFD, one for each maximal subpart. Nothing is appended on an error.
tk_status q3_encode(const q3_tokenizer *t, const char *text, size_t n, unsigned flags, q3_ids *out);

// ---- decoding ----

enum { Q3_SKIP_SPECIAL = 1 };

// Appends the tokens' bytes: any bytes, UTF-8 as a whole where they come from a text. Ids without a token stand for nothing.
tk_status q3_decode(const q3_tokenizer *t, const int32_t *ids, size_t n, unsigned flags, q3_text *out);

// One token at a time, always whole characters: what may still become one is held back. What cannot is U+FFFD. Zero is a fresh stream.
typedef struct q3_stream {
    unsigned char held[4];
    unsigned n;
} q3_stream;

tk_status q3_stream_put(q3_stream *s, const q3_tokenizer *t, int32_t id, unsigned flags, q3_text *out);
tk_status q3_stream_end(q3_stream *s, q3_text *out); // what is held back will become nothing: U+FFFD

#ifdef __cplusplus
}
#endif
#endif
