// Fuzz target: an input is a text for a small tokenizer, a tokenizer.json, and a text's pattern. A text comes back whole where nothing in it
// is composed, whatever its bytes; streamed it is UTF-8; files are accepted or refused with a reason.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "examples/qwen3/q3_tokenizer.h"
#include "test/unit/q3_kit.h"

static void need(int holds) {
    if (!holds)
        abort();
}

static void round_trip(const q3_tokenizer *t, const char *text, size_t n, unsigned flags) {
    q3_ids ids = {0};
    q3_text bytes = {0}, streamed = {0};
    q3_stream s = {.n = 0};
    const tk_status status = q3_encode(t, text, n, flags, &ids);
    if (status == TK_OK) { // else a pattern that takes too long
        need(q3_decode(t, ids.at, ids.n, 0, &bytes) == TK_OK);
        for (size_t i = 0; i < ids.n; ++i)
            need(q3_stream_put(&s, t, ids.at[i], 0, &streamed) == TK_OK);
        need(q3_stream_end(&s, &streamed) == TK_OK);
        need(bytes.n == streamed.n && (!bytes.n || memcmp(bytes.at, streamed.at, bytes.n) == 0) && q3_utf8_is_valid(bytes.at, bytes.n));
        bool simple = q3_utf8_is_valid(text, n);
        for (size_t i = 0; i < n; ++i)
            simple = simple && (unsigned char)text[i] < 0xcc;
        need(!simple || (bytes.n == n && (!n || memcmp(bytes.at, text, n) == 0)));
    }
    need(status == TK_OK || (ids.n == 0 && *tk_message()));
    q3_ids_free(&ids);
    q3_text_free(&bytes);
    q3_text_free(&streamed);
}

static void with_file(const char *json, size_t n, const char *text, size_t bytes) {
    q3_tokenizer *t;
    const tk_status status = q3_tokenizer_parse("f", json, n, &t);
    need(status != TK_OK ? !t && *tk_message() : t != NULL);
    if (status == TK_OK)
        round_trip(t, text, bytes, 0);
    q3_tokenizer_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static q3_tokenizer *fixed;
    q3_text json = {0};
    if (!fixed) {
        kit_tokenizer(&json, KIT_QWEN, KIT_VOCAB, KIT_MERGES, KIT_ADDED);
        need(q3_tokenizer_parse("t.json", json.at, json.n, &fixed) == TK_OK);
        json.n = 0;
    }
    char *text = calloc(size + 1, 1);
    memcpy(text, data, size);
    round_trip(fixed, text, size, 0);
    round_trip(fixed, text, size, Q3_SPECIAL_IS_TEXT);
    with_file(text, size, "text", 4);
    if (size < 200) { // as the pattern, and as what follows the single bytes
        char *quoted = calloc(size + 1, 1);
        for (size_t i = 0, k = 0; i < size; ++i)
            if (text[i] != '"' && text[i])
                quoted[k++] = text[i];
        kit_tokenizer(&json, quoted, KIT_VOCAB, KIT_MERGES, KIT_ADDED);
        with_file(json.at, json.n, "The text's, 12 abc \n\n x\xcc\x81", 24);
        json.n = 0;
        kit_tokenizer(&json, KIT_QWEN, KIT_VOCAB, text, "");
        with_file(json.at, json.n, "abcaaab", 7);
        free(quoted);
    }
    q3_text_free(&json);
    free(text);
    return 0;
}
