// JSON as its grammar has it, and no member twice.
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "q3_kit.h"

static tk_status parse(const char *text) {
    cJSON *json;
    const tk_status status = q3_json_parse("j.json", text, strlen(text), &json);
    assert_true((status == TK_OK) == (json != NULL));
    cJSON_Delete(json);
    return status;
}

// All texts of up to six of these characters, alone, in a list and in an object, against the grammar as a regular expression.
static void test_numbers_by_enumeration(void **state) {
    (void)state;
    static const char of[] = "-01.eE+";
    enum { KINDS = sizeof of - 1, LONGEST = 6 };
    regex_t grammar;
    assert_int_equal(regcomp(&grammar, "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$", REG_EXTENDED | REG_NOSUB), 0);
    size_t taken = 0, refused = 0;
    for (int n = 1, count = KINDS; n <= LONGEST; ++n, count *= KINDS)
        for (int i = 0; i < count; ++i) {
            char number[LONGEST + 1] = "", text[32];
            for (int k = 0, rest = i; k < n; ++k, rest /= KINDS)
                number[k] = of[rest % KINDS];
            const tk_status want = regexec(&grammar, number, 0, NULL, 0) ? TK_FILE : TK_OK;
            *(want == TK_OK ? &taken : &refused) += 1;
            static const char *const around[] = {"%s", "[%s]", "{\"a\":%s,\"b\":1}", "[ %s\n]"};
            snprintf(text, sizeof text, around[i % 4], number);
            if (parse(text) != want)
                fail_msg("%s: %s", text, want == TK_OK ? tk_message() : "taken");
        }
    assert_true(taken > 1000 && refused > 10000);
    regfree(&grammar);
}

static void test_what_is_no_json_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"\xef\xbb\xbf{}", "\f{}", "{\"a\":\v1}", "[1,\x01 2]", "\"a\nb\"", "\"a\tb\"", "{\"a\x1f\":1}", "[1,]", "{\"a\":1,}", "[1 2]",
                                      "+1", ".5", "0x10", "NaN", "Infinity", "-Infinity", "True", "nul", "'a'", "\"\\x\"", "\"\\", "\"", "[", "/* */ 1",
                                      "\xc2\xa0 1", "\"a\\\nb\"", "1 // one"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        if (parse(bad[i]) != TK_FILE || !strstr(tk_message(), "j.json: no JSON at line "))
            fail_msg("text %zu: %s", i, tk_message());
    assert_int_equal(parse("{\n\"a\":1,\n\"b\": 064}"), TK_FILE);
    assert_string_equal(tk_message(), "j.json: no JSON at line 3, byte 14");
    static const char *const good[] = {" \t\r\n{ } \n", "\"\\\" \\\\ \\/ \\b \\n \\u00e9 \xc3\xa9 064 64.\"", "[true,false,null,-0,1E+2,0.5e-3]", "{\"a\":{\"a\":{\"a\":1}}}",
                                       "[{\"a\":1},{\"a\":2}]", "\"a\\\\\"", "\"\x7f\""};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
        if (parse(good[i]) != TK_OK)
            fail_msg("%s: %s", good[i], tk_message());
}

static void test_no_member_is_there_twice(void **state) {
    (void)state;
    static const char *const bad[] = {"{\"twice\":1,\"twice\":1}", "[0,{\"b\":1,\"twice\":2,\"c\":3,\"twice\":4}]", "{\"a\":[[{\"x\":{\"twice\":1,\"twice\":null}}]]}",
                                      "{\"twice\":1,\"tw\\u0069ce\":1}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(parse(bad[i]), TK_FILE);
        assert_string_equal(tk_message(), "j.json: twice is there twice");
    }
    assert_int_equal(parse("{\"a\":1,\"A\":2,\"aa\":3,\"\":4}"), TK_OK);
    for (uint64_t k = 1;; ++k) {
        q3_memory_fail_at(k);
        const tk_status status = parse("{\"a\":{\"b\":[1,2],\"c\":\"d\"},\"e\":{}}");
        if (status == TK_OK)
            break;
        assert_int_equal(status, TK_MEMORY);
    }
    q3_memory_fail_at(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_by_enumeration),
        cmocka_unit_test(test_what_is_no_json_is_refused),
        cmocka_unit_test(test_no_member_is_there_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
