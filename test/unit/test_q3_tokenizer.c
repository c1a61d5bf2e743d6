// The tokenizer: a file in the form of Qwen3's with the tokens that Hugging Face's tokenizers gives (test/qwen3/make.py), and files that
// are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "examples/qwen3/q3_tokenizer.h"
#include "q3_kit.h"

// ---- cases of the fixture ----

static size_t unhex(const char *hex, char *out) {
    size_t n = 0;
    for (unsigned byte; *hex && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        out[n++] = (char)byte;
    return n;
}

static void expect_ids(const q3_tokenizer *t, const char *text, size_t n, unsigned flags, const cJSON *want) {
    q3_ids ids = {0};
    assert_int_equal(q3_encode(t, text, n, flags, &ids), TK_OK);
    assert_int_equal(ids.n, cJSON_GetArraySize(want));
    const cJSON *one = want->child;
    for (size_t i = 0; i < ids.n; ++i, one = one->next)
        assert_int_equal(ids.at[i], one->valueint);
    q3_ids_free(&ids);
}

static void expect_text(const q3_tokenizer *t, const cJSON *list, unsigned flags, const char *want) {
    q3_text streamed = {0}, bytes = {0};
    q3_stream s = {.n = 0};
    for (const cJSON *one = list->child; one; one = one->next) {
        const int32_t id = one->valueint;
        assert_int_equal(q3_stream_put(&s, t, id, flags, &streamed), TK_OK);
        assert_true(!streamed.n || q3_utf8_is_valid(streamed.at, streamed.n));
        assert_int_equal(q3_decode(t, &id, 1, flags, &bytes), TK_OK);
    }
    assert_int_equal(q3_stream_end(&s, &streamed), TK_OK);
    assert_int_equal(streamed.n, strlen(want));
    assert_memory_equal(streamed.at ? streamed.at : "", want, streamed.n);
    if (bytes.n && q3_utf8_is_valid(bytes.at, bytes.n))
        assert_string_equal(bytes.at, want);
    q3_text_free(&streamed);
    q3_text_free(&bytes);
}

static void test_tokens_are_those_of_hugging_face(void **state) {
    (void)state;
    q3_tokenizer *t;
    cJSON *cases;
    int n = 0;
    assert_int_equal(q3_tokenizer_open(TC_SOURCE_DIR "/test/qwen3", &t), TK_OK);
    assert_int_equal(q3_json_read(TC_SOURCE_DIR "/test/qwen3/cases.json", &cases), TK_OK);
    for (const cJSON *c = cases->child; c; c = c->next, ++n) {
        char text[4096];
        const char *hex = cJSON_GetObjectItem(c, "hex")->valuestring;
        assert_true(strlen(hex) / 2 <= sizeof text);
        const size_t bytes = unhex(hex, text);
        expect_ids(t, text, bytes, 0, cJSON_GetObjectItem(c, "ids"));
        expect_ids(t, text, bytes, Q3_SPECIAL_IS_TEXT, cJSON_GetObjectItem(c, "as_text"));
        expect_text(t, cJSON_GetObjectItem(c, "ids"), 0, cJSON_GetObjectItem(c, "decoded")->valuestring);
        expect_text(t, cJSON_GetObjectItem(c, "ids"), Q3_SKIP_SPECIAL, cJSON_GetObjectItem(c, "skipped")->valuestring);
    }
    assert_true(n > 80);
    cJSON_Delete(cases);
    q3_tokenizer_close(t);
}

static void test_tokens_are_found_by_name(void **state) {
    (void)state;
    q3_tokenizer *t;
    size_t n;
    assert_int_equal(q3_tokenizer_open(TC_SOURCE_DIR "/test/qwen3/tokenizer.json", &t), TK_OK);
    const int32_t end = q3_tokenizer_find(t, "<|im_end|>"), think = q3_tokenizer_find(t, "<think>"), the = q3_tokenizer_find(t, "Ġthe");
    assert_true(end > 0 && think > 0 && the > 0);
    assert_int_equal(q3_tokenizer_find(t, "no such token"), -1);
    assert_true(q3_token_is_special(t, end));
    assert_false(q3_token_is_special(t, think));
    assert_false(q3_token_is_special(t, -1));
    assert_int_equal(think + 2, q3_tokenizer_size(t));
    assert_memory_equal(q3_token_bytes(t, the, &n), " the", 4);
    assert_int_equal(n, 4);
    assert_null(q3_token_bytes(t, -1, &n));
    assert_null(q3_token_bytes(t, q3_tokenizer_size(t), &n));
    q3_text out = {0};
    assert_int_equal(q3_decode(t, (const int32_t[]){the, -1, 1 << 30, the}, 4, 0, &out), TK_OK); // as transformers does
    assert_string_equal(out.at, " the the");
    q3_text_free(&out);
    q3_tokenizer_close(t);
}

// ---- a tokenizer of our own ----

static tk_status small(const char *pattern, const char *vocab, const char *merges, const char *added, q3_tokenizer **t) {
    q3_text json = {0};
    kit_tokenizer(&json, pattern, vocab, merges, added);
    const tk_status status = q3_tokenizer_parse("t.json", json.at, json.n, t);
    q3_text_free(&json);
    return status;
}

static void expect(const q3_tokenizer *t, const char *text, const char *want) {
    q3_ids ids = {0};
    q3_text got = {0};
    assert_int_equal(q3_encode(t, text, strlen(text), 0, &ids), TK_OK);
    assert_int_equal(q3_text_put(&got, "", 0), TK_OK);
    for (size_t i = 0; i < ids.n; ++i)
        assert_int_equal(q3_text_format(&got, "%s%d", i ? " " : "", (int)ids.at[i]), TK_OK);
    assert_string_equal(got.at, want);
    q3_ids_free(&ids);
    q3_text_free(&got);
}

static void test_merges_go_by_rank_then_from_the_left(void **state) {
    (void)state;
    q3_tokenizer *t;
    assert_int_equal(small(KIT_QWEN, KIT_VOCAB, KIT_MERGES, KIT_ADDED, &t), TK_OK);
    expect(t, "abc", "257");         // ab before bc
    expect(t, "bc", "260");
    expect(t, "aaaaa", "259 97");
    expect(t, "aaabc", "258 257");   // a b first, then a a
    expect(t, "ab1c", "256 49 99");  // apart: no merge over a digit
    expect(t, "a b", "97 32 98");
    expect(t, "", "");
    expect(t, "a<|end|>b<|end|>>", "97 300 98 301"); // the longest
    expect(t, "<|end|", "60 124 101 110 100 124");
    q3_tokenizer_close(t);
}

static void test_white_space_is_that_of_unicode(void **state) {
    (void)state;
    q3_tokenizer *t;
    // U+180E is no white space since Unicode 6.3, but is PCRE2's \s: here it merges with what follows, as of one piece.
    assert_int_equal(small("\\\\s|\\\\S+", ",\"áł\":256,\"áłİ\":257,\"áłİx\":258", "\"á ł\",\"áł İ\",\"áłİ x\"", "", &t), TK_OK);
    expect(t, "\u180ex", "258");
    q3_tokenizer_close(t);
    assert_int_equal(small("[^\\\\s]+|[^\\\\S]", "", "", "", &t), TK_OK);
    expect(t, "a \u3000b", "97 32 227 128 128 98");
    q3_tokenizer_close(t);
}

static void test_hostile_texts_take_no_square(void **state) {
    (void)state;
    enum { N = 1 << 20 };
    q3_tokenizer *t;
    char *text = malloc(N);
    assert_int_equal(small(KIT_QWEN, KIT_VOCAB, KIT_MERGES, KIT_ADDED, &t), TK_OK);
    const clock_t begin = clock();
    for (int kind = 0; kind < 6; ++kind) {
        q3_ids ids = {0};
        static const char *const repeated[] = {"a", " ", "abc", "\u0301\u0323", "<|end|", "\xff"};
        for (size_t i = 0, n = strlen(repeated[kind]); i < N; ++i)
            text[i] = repeated[kind][i % n];
        assert_int_equal(q3_encode(t, text, N, 0, &ids), TK_OK);
        assert_true(ids.n > N / 5);
        q3_ids_free(&ids);
    }
    assert_true(clock() - begin < 60 * CLOCKS_PER_SEC); // a square takes hours
    free(text);
    q3_tokenizer_close(t);
}

static void test_a_stream_holds_back_half_characters(void **state) {
    (void)state;
    q3_tokenizer *t;
    q3_text out = {0};
    q3_stream s = {.n = 0};
    assert_int_equal(small(KIT_QWEN, KIT_VOCAB, KIT_MERGES, KIT_ADDED, &t), TK_OK);
    static const struct {
        int id;
        const char *text;
    } steps[] = {{97, "a"}, {0xf0, "a"}, {0x9f, "a"}, {0x99, "a"}, {0x82, "a🙂"}, {0xe2, "a🙂"}, {0x82, "a🙂"}, {98, "a🙂\ufffdb"}, {0xc3, "a🙂\ufffdb"}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        assert_int_equal(q3_stream_put(&s, t, steps[i].id, 0, &out), TK_OK);
        assert_string_equal(out.at, steps[i].text);
    }
    assert_int_equal(q3_stream_end(&s, &out), TK_OK);
    assert_string_equal(out.at, "a🙂\ufffdb\ufffd");
    q3_text_free(&out);
    q3_tokenizer_close(t);
}

// ---- refusals ----

static void refuse(tk_status status, const char *pattern, const char *vocab, const char *merges, const char *added, const char *why) {
    q3_tokenizer *t;
    assert_int_equal(small(pattern, vocab, merges, added, &t), status);
    assert_null(t);
    if (!strstr(tk_message(), why) || strncmp(tk_message(), "t.json: ", 8) != 0)
        fail_msg("\"%s\" does not say \"%s\"", tk_message(), why);
}

static void test_bad_vocabularies_are_refused(void **state) {
    (void)state;
    refuse(TK_FILE, "a", ",\"ab\":1", "", "", "have one id, 1");
    refuse(TK_FILE, "a", ",\"a\":256", "", "", "a is there twice");
    refuse(TK_FILE, "a", "", "", "{\"id\":300,\"content\":\"x\",\"id\":301}", "id is there twice");
    refuse(TK_FILE, "a", ",\"ab\":0256", "", "", "no JSON");
    refuse(TK_FILE, "a", ",\"ab\":-1", "", "", "ab is -1");
    refuse(TK_FILE, "a", ",\"ab\":1.5", "", "", "ab is no integer");
    refuse(TK_FILE, "a", ",\"ab\":4294967296", "", "", "ab is 4294967296");
    refuse(TK_FILE, "a", "", "\"a b\"", "", "merge 0: ab is not in the vocabulary");
    refuse(TK_FILE, "a", "", "\"a xy\"", "", "merge 0: xy is not");
    refuse(TK_FILE, "a", KIT_VOCAB, "\"a b\",\"ab\"", "", "merge 1 is no pair");
    refuse(TK_FILE, "a", KIT_VOCAB, "\"a b c\"", "", "merge 0 is no pair");
    refuse(TK_FILE, "a", KIT_VOCAB, "\" b\"", "", "merge 0 is no pair");
    refuse(TK_FILE, "a", KIT_VOCAB, "[\"a\"]", "", "merge 0 is no pair");
    refuse(TK_FILE, "a", KIT_VOCAB, "[\"a\",1]", "", "merge 0 is no pair");
    refuse(TK_FILE, "a", KIT_VOCAB, "7", "", "merge 0 is no pair");
    refuse(TK_FILE, "a", "", "", "{\"id\":7}", "has no content");
    refuse(TK_FILE, "a", "", "", "7", "has no content");
    refuse(TK_FILE, "a", "", "", "{\"content\":\"\",\"id\":300}", "has no content");
    refuse(TK_FILE, "a", "", "", "{\"content\":\"xy\"}", "xy is no integer");
    refuse(TK_FILE, "a", "", "", "{\"content\":\"xy\",\"id\":7}", "have one id, 7");
    refuse(TK_FILE, "a", "", "", "{\"content\":\"a\",\"id\":300}", "a has the ids 97 and 300");
    refuse(TK_FILE, "a", "", "", KIT_ADDED "," KIT_ADDED, "has the ids 300 and 300");
    refuse(TK_UNSUPPORTED, "a", "", "", "{\"content\":\"xy\",\"id\":300,\"lstrip\":true}", "xy: lstrip is set");
}

static void test_patterns_that_would_be_read_otherwise_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"^a", "a$", "\\\\w+", "\\\\bx", "[[:alpha:]]", "[a&&b]", "[]a]", "(*UTF)a", "(?m:a)", "(?<n>a)", "(a)\\\\1",
                                      "a{,2}", "a{2}+", "\\\\h", "\\\\xff", "\\\\x", "\\\\p", "a|b\\\\", "\\\\Qa\\\\E"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        refuse(TK_UNSUPPORTED, bad[i], "", "", "", "the pattern's");
    refuse(TK_UNSUPPORTED, "a*", "", "", "", "matches the empty text");
    refuse(TK_UNSUPPORTED, "", "", "", "", "matches the empty text");
    refuse(TK_FILE, "(a", "", "", "", "the pattern: ");
    refuse(TK_FILE, "[a", "", "", "", "the pattern: ");
    refuse(TK_FILE, "\\\\p{Nope}", "", "", "", "the pattern: ");
}

// The whole file with one text replaced.
static void refuse_edited(tk_status status, const char *from, const char *to, const char *why) {
    q3_text json = {0}, edited = {0};
    q3_tokenizer *t;
    kit_tokenizer(&json, KIT_QWEN, KIT_VOCAB, KIT_MERGES, KIT_ADDED);
    const char *at = strstr(json.at, from);
    assert_non_null(at);
    assert_int_equal(q3_text_put(&edited, json.at, (size_t)(at - json.at)), TK_OK);
    assert_int_equal(q3_text_format(&edited, "%s%s", to, at + strlen(from)), TK_OK);
    assert_int_equal(q3_tokenizer_parse("t.json", edited.at, edited.n, &t), status);
    if (!strstr(tk_message(), why))
        fail_msg("\"%s\" does not say \"%s\"", tk_message(), why);
    q3_text_free(&json);
    q3_text_free(&edited);
}

static void test_other_pipelines_are_refused(void **state) {
    (void)state;
    refuse_edited(TK_UNSUPPORTED, "\"NFC\"", "\"NFKC\"", "normalizer");
    refuse_edited(TK_UNSUPPORTED, "\"truncation\":null", "\"truncation\":{}", "truncation");
    refuse_edited(TK_UNSUPPORTED, "\"padding\":null", "\"padding\":{}", "padding");
    refuse_edited(TK_UNSUPPORTED, "\"Isolated\"", "\"Removed\"", "Isolated");
    refuse_edited(TK_UNSUPPORTED, "\"invert\":false", "\"invert\":true", "Isolated");
    refuse_edited(TK_UNSUPPORTED, "\"use_regex\":false", "\"use_regex\":true", "use_regex");
    refuse_edited(TK_UNSUPPORTED, ",\"use_regex\":false", "", "use_regex");
    refuse_edited(TK_UNSUPPORTED, "\"Regex\"", "\"String\"", "Regex");
    refuse_edited(TK_UNSUPPORTED, "\"Sequence\"", "\"Other\"", "pre_tokenizer");
    refuse_edited(TK_UNSUPPORTED, "\"post_processor\":null", "\"post_processor\":{\"type\":\"TemplateProcessing\"}", "post_processor");
    refuse_edited(TK_UNSUPPORTED, "\"decoder\":{\"type\":\"ByteLevel\"}", "\"decoder\":{}", "decoder");
    refuse_edited(TK_UNSUPPORTED, "\"BPE\"", "\"WordPiece\"", "model is not BPE");
    refuse_edited(TK_UNSUPPORTED, "\"BPE\"", "\"BPE\",\"ignore_merges\":true", "ignore_merges");
    refuse_edited(TK_UNSUPPORTED, "\"BPE\"", "\"BPE\",\"dropout\":0.1", "dropout");
    refuse_edited(TK_UNSUPPORTED, "\"BPE\"", "\"BPE\",\"end_of_word_suffix\":\"x\"", "end_of_word_suffix");
    refuse_edited(TK_FILE, "\"decoder\"", "\"recoder\"", "decoder is missing");
    refuse_edited(TK_FILE, "\"vocab\":{", "\"vocab\":[{", "no JSON at line 1");
    refuse_edited(TK_FILE, "\"merges\":[", "\"other\":[", "merges is missing");
    refuse_edited(TK_FILE, "\"\\u0100\":0,", "", "no token for the byte 0");
    q3_tokenizer *t;
    assert_int_equal(q3_tokenizer_open("/no/such/file", &t), TK_FILE);
    assert_int_equal(q3_tokenizer_parse("t.json", "[]", 2, &t), TK_FILE);
    q3_ids ids = {0};
    assert_int_equal(small(KIT_QWEN, "", "", "", &t), TK_OK);
    assert_int_equal(q3_encode(t, "", SIZE_MAX / 2, 0, &ids), TK_SIZE);
    q3_tokenizer_close(t);
}

// ---- memory ----

static tk_status whole(const char *text) {
    q3_tokenizer *t;
    q3_ids ids = {0};
    q3_text out = {0};
    q3_stream s = {.n = 0};
    TK_TRY(q3_tokenizer_parse("t.json", text, strlen(text), &t));
    char marks[256] = "\xff a<|end|>";
    for (int i = 0; i < 50; ++i)
        strcat(marks, i % 2 ? "\u0301" : "\u0323");
    tk_status status = q3_encode(t, marks, strlen(marks), 0, &ids);
    if (status == TK_OK)
        status = q3_decode(t, ids.at, ids.n, 0, &out);
    else
        assert_int_equal(ids.n, 0);
    for (size_t i = 0; i < ids.n && status == TK_OK; ++i)
        status = q3_stream_put(&s, t, ids.at[i], 0, &out);
    if (status == TK_OK)
        status = q3_stream_end(&s, &out);
    q3_ids_free(&ids);
    q3_text_free(&out);
    q3_tokenizer_close(t);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    q3_text json = {0};
    kit_tokenizer(&json, KIT_QWEN, KIT_VOCAB, KIT_MERGES, KIT_ADDED);
    for (uint64_t k = 1;; ++k) {
        q3_memory_fail_at(k);
        const tk_status status = whole(json.at);
        if (status == TK_OK && q3_memory_count() < k)
            break;
        assert_true(status == TK_MEMORY || status == TK_OK); // a table that cannot grow stays as it is
    }
    assert_true(q3_memory_count() > 500);
    q3_memory_fail_at(0);
    q3_text_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_are_those_of_hugging_face),
        cmocka_unit_test(test_tokens_are_found_by_name),
        cmocka_unit_test(test_merges_go_by_rank_then_from_the_left),
        cmocka_unit_test(test_white_space_is_that_of_unicode),
        cmocka_unit_test(test_hostile_texts_take_no_square),
        cmocka_unit_test(test_a_stream_holds_back_half_characters),
        cmocka_unit_test(test_bad_vocabularies_are_refused),
        cmocka_unit_test(test_patterns_that_would_be_read_otherwise_are_refused),
        cmocka_unit_test(test_other_pipelines_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
