// The expression parser: shapes of trees, places of errors, limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "checker/expr.h"

static void with_arena(tc_trap *trap, void *arg) {
    void (*fn)(tc_arena *);
    memcpy(&fn, arg, sizeof fn);
    fn(tc_arena_new(trap));
}

static void run(void (*fn)(tc_arena *)) {
    const char *why;
    if (tc_trap_run(with_arena, &fn, &why) != TC_OK)
        fail_msg("%s", why);
}

// ---- trees as text: (+ a (neg b)) ----

static const char *const op_names[] = {
    [TC_X_NUM] = "num",   [TC_X_NAME] = "name",     [TC_X_CALL] = "call", [TC_X_INDEX] = "[]", [TC_X_FIELD] = ".",
    [TC_X_CAST] = "cast", [TC_X_STRING] = "string", [TC_X_NEG] = "neg",   [TC_X_NOT] = "!",    [TC_X_BITNOT] = "~",
    [TC_X_ADD] = "+",     [TC_X_MUL] = "*",         [TC_X_DIV] = "/",     [TC_X_MOD] = "%",    [TC_X_SHL] = "<<",
    [TC_X_SHR] = ">>",    [TC_X_LT] = "<",          [TC_X_LE] = "<=",     [TC_X_GT] = ">",     [TC_X_GE] = ">=",
    [TC_X_EQ] = "==",     [TC_X_NE] = "!=",         [TC_X_AND] = "&&",    [TC_X_OR] = "||",    [TC_X_BITAND] = "&",
    [TC_X_BITOR] = "|",   [TC_X_BITXOR] = "^",      [TC_X_COND] = "?"};

static void put_tree(tc_text *out, const tc_expr *e) {
    if (e->op == TC_X_NUM) {
        tc_put128(out, e->num);
        return;
    }
    if (e->op == TC_X_NAME) {
        tc_put(out, e->text);
        return;
    }
    tc_putf(out, "(%s", e->op == TC_X_FIELD && e->num ? "->" : op_names[e->op]);
    if (e->text)
        tc_putf(out, " %s", e->text);
    for (size_t i = 0; i < e->nargs; i++) {
        tc_putc(out, ' ');
        put_tree(out, e->args[i]);
    }
    tc_putc(out, ')');
}

static const char *tree(tc_arena *a, const char *text) {
    tc_exprs out = {0};
    tc_expr_error err = {0};
    if (tc_expr_parse(a, text, &out, NULL, &err) != TC_OK)
        return tc_fmt(a, "error at %zu: %s", err.pos, err.message);
    tc_text t = {.arena = a};
    for (size_t i = 0; i < out.len; i++) {
        tc_put(&t, i ? ", " : "");
        put_tree(&t, out.data[i]);
    }
    return tc_text_str(&t);
}

static const struct {
    const char *text, *tree;
} good[] = {
    {"", ""},
    {"  ", ""},
    {"n", "n"},
    {"a, b,c", "a, b, c"},
    // precedence, as in C
    {"a + b * c", "(+ a (* b c))"},
    {"(a + b) * c", "(* (+ a b) c)"},
    {"a - b - c", "(+ a (neg b) (neg c))"},
    {"a - (b - c)", "(+ a (neg (+ b (neg c))))"},
    {"a - b + c", "(+ a (neg b) c)"},
    {"a / b / c", "(/ (/ a b) c)"},
    {"a / b * c", "(* (/ a b) c)"},
    {"a * b / c", "(/ (* a b) c)"},
    {"a % b * c", "(* (% a b) c)"},
    {"-a * b", "(* (neg a) b)"},
    {"- -a", "(neg (neg a))"},
    {"+a", "a"},
    {"!a && b", "(&& (! a) b)"},
    {"~a & b", "(& (~ a) b)"},
    {"a << b + c", "(<< a (+ b c))"},
    {"1 << 2 << 3", "(<< (<< 1 2) 3)"},
    {"a < b == c", "(== (< a b) c)"},
    {"0 <= a < b", "(< (<= 0 a) b)"},
    {"a & b == c", "(& a (== b c))"},
    {"a | b ^ c & d", "(| a (^ b (& c d)))"},
    {"a || b && c || d", "(|| a (&& b c) d)"},
    {"a && b && c", "(&& a b c)"},
    {"(a && b) && c", "(&& a b c)"},
    {"a && (b && c)", "(&& a (&& b c))"},
    {"a ? b : c ? d : e", "(? a b (? c d e))"},
    {"a ? b ? c : d : e", "(? a (? b c d) e)"},
    {"a || b ? c : d", "(? (|| a b) c d)"},
    // numbers
    {"0", "0"},
    {"017", "15"},
    {"0x1F", "31"},
    {"0xe+1", "(+ 14 1)"},
    {"0b101", "5"},
    {"1LL << 38", "(<< 1 38)"},
    {"10u, 10UL, 10ull, 10llu, 10z", "10, 10, 10, 10, 10"},
    {"1'000'000", "1000000"},
    {"18446744073709551615", "18446744073709551615"},
    {"'a', '\\n', '\\0', '\\x41', '\\'', '\\\\'", "97, 10, 0, 65, 39, 92"},
    {"true, false, nullptr", "1, 0, 0"},
    // names, fields, elements
    {"p.n, p->n, p.a[2].x", "(. n p), (-> n p), (. x ([] (. a p) 2))"},
    {"table[i][j + 1]", "([] ([] table i) (+ j 1))"},
    {"A::b, ::c", "A::b, ::c"},
    {"A::B<3>::c", "A::B<3>::c"},
    {"f<3>(a), f<A, 4>(a, b)", "(call f<3> a), (call f<A,4> a b)"},
    {"f<g<3>>(a)", "(call f<g<3>> a)"},
    {"traits<unsigned int>::bits", "traits<unsigned int>::bits"},
    {"a < b && c > (d)", "(&& (< a b) (> c d))"},
    {"a < b", "(< a b)"},
    {"a < b, c > d", "(< a b), (> c d)"},
    {"min(a, max(b, c))", "(call min a (call max b c))"},
    {"f()", "(call f)"},
    // casts
    {"(long long)a * b", "(* (cast long long a) b)"},
    {"(unsigned)-1", "(cast unsigned (neg 1))"},
    {"(size_t) - a", "(cast size_t (neg a))"},
    {"(n) - 1", "(+ n (neg 1))"},
    {"(n) & m", "(& n m)"},
    {"(T)a", "(cast T a)"},
    {"(T)(a - b)", "(cast T (+ a (neg b)))"},
    {"(A::T<3>)a", "(cast A::T<3> a)"},
    {"(const unsigned int)a", "(cast const unsigned int a)"},
    {"(void *)0 == p", "(== (cast void* 0) p)"},
    {"unsigned(x) + int(y)", "(+ (call unsigned x) (call int y))"},
    {"static_cast<long long>(a + b)", "(cast long long (+ a b))"},
    {"static_cast<T>(a)", "(cast T a)"},
    {"sizeof(float)", "(call sizeof float)"},
    {"sizeof(unsigned long long) * n", "(* (call sizeof unsigned long long) n)"},
    {"sizeof(const float *)", "(call sizeof const float*)"},
    {"sizeof(T), alignof(A::B)", "(call sizeof T), (call alignof A::B)"},
    {"\"a\\tb\"", "(string a\tb)"},
};

static void trees(tc_arena *a) {
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_string_equal(tree(a, good[i].text), good[i].tree);
}

static void test_trees(void **state) {
    (void)state;
    run(trees);
}

// ---- errors ----

static const struct {
    const char *text;
    size_t pos;
    const char *part; // of the message
} bad[] = {
    {"n + * 2", 4, "no pointers"},
    {"n *", 3, "expected an expression, found the end"},
    {"n, , 2", 3, "expected an expression, found ','"},
    {"n,", 2, "expected an expression, found the end"},
    {"n 2", 2, "found '2'"},
    {"n > 2 ? n", 9, "expected ':'"},
    {"n = 2", 2, "found '='"},
    {"(n", 2, "expected ')'"},
    {"n)", 1, "found ')'"},
    {"f(a", 3, "expected ',' or ')'"},
    {"a[1", 3, "expected ']'"},
    {"a.", 2, "name of a field"},
    {"a.1", 1, "fractions"},
    {"1.5", 0, "fractions"},
    {"1e3", 0, "fractions"},
    {"0x1p3", 0, "fractions"},
    {"089", 0, "octal"},
    {"0x", 0, "not a number"},
    {"12abc", 0, "not a number"},
    {"18446744073709551616", 0, "64 bits"},
    {"'ab'", 0, "one character"},
    {"''", 0, "one character"},
    {"'a", 0, "closing quote"},
    {"\"abc", 0, "closing quote"},
    {"n @ m", 2, "no meaning"},
    {"n \xff", 2, "no meaning"},
    {"{ n }", 0, "expected an expression"},
    {"&n", 0, "no pointers"},
    {"i, j; i", 4, "found ';'"},
    {"sizeof n", 7, "in parentheses"},
    {"sizeof(1 + 2)", 7, "in parentheses"},
    {"A::", 3, "a name"},
    {"static_cast<1>(n)", 11, "expected '<'"},
    {"unsigned long n", 9, "found 'long'"},
};

static void errors(tc_arena *a) {
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tc_exprs out = {0};
        tc_expr_error err = {0};
        assert_int_equal(tc_expr_parse(a, bad[i].text, &out, NULL, &err), TC_EINPUT);
        if (err.pos != bad[i].pos || !strstr(err.message, bad[i].part))
            fail_msg("'%s': error at %zu: %s", bad[i].text, err.pos, err.message);
        assert_true(err.end >= err.pos);
    }
}

static void test_errors_have_a_place(void **state) {
    (void)state;
    run(errors);
}

static void binders(tc_arena *a) {
    tc_exprs out = {0}, names = {0};
    tc_expr_error err;
    assert_int_equal(tc_expr_parse(a, "i, j; i * n + j", &out, &names, &err), TC_OK);
    assert_int_equal(names.len, 2);
    assert_string_equal(names.data[1]->text, "j");
    assert_int_equal(out.len, 1);
    static const char *const wrong[] = {"i * n", "i, j", "; i", "i; ", "i, 2; i", "i j; i", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        out = (tc_exprs){0};
        names = (tc_exprs){0};
        assert_int_equal(tc_expr_parse(a, wrong[i], &out, &names, &err), TC_EINPUT);
    }
}

static void test_bound_names_stand_before_a_semicolon(void **state) {
    (void)state;
    run(binders);
}

static void places(tc_arena *a) {
    tc_exprs out = {0};
    tc_expr_error err;
    const char *text = "(a || b) && c[1] > f(x)";
    assert_int_equal(tc_expr_parse(a, text, &out, NULL, &err), TC_OK);
    const tc_expr *e = out.data[0];
    assert_int_equal(e->pos, 0);
    assert_int_equal(e->end, strlen(text));
    assert_int_equal(e->args[0]->pos, 0);
    assert_int_equal(e->args[0]->end, 8);
    assert_int_equal(e->args[1]->pos, 12);
    assert_int_equal(e->args[1]->args[0]->end, 16);
    assert_int_equal(e->args[1]->args[1]->pos, 19);
}

static void test_nodes_know_their_text(void **state) {
    (void)state;
    run(places);
}

// ---- limits ----

static char *repeat(const char *s, size_t n) {
    size_t len = strlen(s);
    char *out = malloc(len * n + 1);
    assert_non_null(out);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * len, s, len);
    out[len * n] = '\0';
    return out;
}

static void limits(tc_arena *a) {
    static const char *const pieces[] = {
        "(",   "-",     "!",        "n + ",    "n ? ",  "n ? n : ", "n[",   "f(",     "f<",
        "a::", "(int)", "(T)",      "n.",      "n && ", "1 / ",     "a < ", "n, ",    "'",
        "\"",  "[",     "{",        "sizeof(", "0x",    "9",        ">>",   "(a::b<", "static_cast<",
        "\\",  " ",     "\xc3\xa4", ";",       "n - ",  "n << ",    "p->",  "f<3>(",  "(n) "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = repeat(pieces[i], (1 << 20) / strlen(pieces[i]));
        tc_exprs out = {0};
        tc_expr_error err = {0};
        clock_t start = clock();
        tc_status status = tc_expr_parse(a, text, &out, NULL, &err);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (strcmp(pieces[i], " ") != 0)
            assert_int_equal(status, TC_EINPUT);
        if (seconds > 1)
            fail_msg("a megabyte of '%s' takes %.1f s", pieces[i], seconds);
        free(text);
    }
}

static void test_a_megabyte_is_answered_fast(void **state) {
    (void)state;
    run(limits);
}

static void long_chain(tc_arena *a) {
    char *text = repeat("n + ", 4000);
    strcpy(text + strlen(text) - 3, "   ");
    tc_exprs out = {0};
    tc_expr_error err;
    assert_int_equal(tc_expr_parse(a, text, &out, NULL, &err), TC_OK);
    assert_int_equal(out.data[0]->nargs, 4000);
    assert_int_equal(out.data[0]->height, 1);
    free(text);
    text = repeat("n / ", 1000);
    strcpy(text + strlen(text) - 3, "   ");
    assert_int_equal(tc_expr_parse(a, text, &out, NULL, &err), TC_EINPUT);
    assert_non_null(strstr(err.message, "nested"));
    free(text);
}

static void test_chains_are_flat(void **state) {
    (void)state;
    run(long_chain);
}

// ---- lists of pieces ----

static const char *pieces_text(tc_arena *a, const char *text) {
    tc_pieces out = {0};
    tc_expr_error err;
    if (tc_expr_split(a, text, &out, &err) != TC_OK)
        return tc_fmt(a, "error at %zu", err.pos);
    tc_text t = {.arena = a};
    for (size_t i = 0; i < out.len; i++) {
        const tc_piece *p = &out.data[i];
        tc_putf(&t, "%s%.*s", i ? "|" : "", (int)(p->end - p->pos), text + p->pos);
        tc_putf(&t, "/%.*s", (int)(p->word_end - p->pos), text + p->pos);
        if (p->has_args)
            tc_putf(&t, "/%.*s", (int)(p->args_end - p->args_pos), text + p->args_pos);
    }
    return tc_text_str(&t);
}

static void splits(tc_arena *a) {
    assert_string_equal(pieces_text(a, ""), "");
    assert_string_equal(pieces_text(a, " p.x, shared , shape(M, N)"), "p.x/p|shared/shared|shape(M, N)/shape/M, N");
    assert_string_equal(pieces_text(a, "p.ptr[i], owner(i, j; f(i, j)), unchecked(\"a, b\")"),
                        "p.ptr[i]/p|owner(i, j; f(i, j))/owner/i, j; f(i, j)|unchecked(\"a, b\")/unchecked/\"a, b\"");
    assert_string_equal(pieces_text(a, "f(a)(b), (c)"), "f(a)(b)/f|(c)/");
    assert_string_equal(pieces_text(a, "f([)]"), "f([)]/f");
    assert_string_equal(pieces_text(a, "a,, b"), "error at 2");
    assert_string_equal(pieces_text(a, "a,"), "error at 2");
    assert_string_equal(pieces_text(a, "f(a"), "error at 3");
    assert_string_equal(pieces_text(a, "f)a"), "error at 1");
}

static void test_lists_are_split_outside_of_brackets(void **state) {
    (void)state;
    run(splits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_errors_have_a_place),
        cmocka_unit_test(test_bound_names_stand_before_a_semicolon),
        cmocka_unit_test(test_nodes_know_their_text),
        cmocka_unit_test(test_a_megabyte_is_answered_fast),
        cmocka_unit_test(test_chains_are_flat),
        cmocka_unit_test(test_lists_are_split_outside_of_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
