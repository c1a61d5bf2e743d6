// Options as the plugin hands them over, and files of a unit by their path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "checker/options.h"
#include "checker/unit.h"

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

static void parse(tc_arena *a, tc_options *o, const char *arg) {
    const char *error = "";
    if (tc_options_parse(o, a, arg, &error) != TC_OK)
        fail_msg("%s: %s", arg, error);
}

static void good(tc_arena *a) {
    tc_options o;
    tc_options_init(&o);
    assert_int_equal(o.effort, 100);
    assert_true(o.smem == -1);
    static const char *const args[] = {
        "report=out.json", "all",           "block=32,*",       "grid=7",      "define=p.n=-5",
        "define=m=0x10",   "unknown=error", "rules=TC1,TC2002", "budget=300",  "explain=TC1001",
        "dump=contract",   "run=k<3>",      "smem=1024",        "set=n=100",   "extent=x=64",
        "fill=x=iota",     "fill=y=a=b",    "seed=7",           "failalloc=12",
        "contracts=k.c",   "noembed"};
    for (size_t i = 0; i < sizeof args / sizeof *args; i++)
        parse(a, &o, args[i]);
    assert_string_equal(o.report, "out.json");
    assert_true(o.all && o.block.given && o.block.dim[0] == 32 && o.block.dim[1] == -1 && o.block.dim[2] == 1);
    assert_true(o.grid.dim[0] == 7 && o.grid.dim[1] == 1);
    assert_int_equal(o.defines.len, 2);
    assert_string_equal(o.defines.data[0].name, "p.n");
    assert_true(o.defines.data[0].value == -5 && o.defines.data[1].value == 16);
    assert_int_equal(o.unknown, TC_UNKNOWN_ERROR);
    assert_int_equal(o.effort, 300);
    assert_int_equal(o.dump, TC_DUMP_CONTRACT);
    assert_string_equal(o.run, "k<3>");
    assert_string_equal(o.contracts, "k.c");
    assert_true(o.noembed);
    assert_true(o.smem == 1024 && o.seed == 7 && o.failalloc == 12);
    assert_true(o.sets.data[0].value == 100 && o.extents.data[0].value == 64);
    assert_string_equal(o.fills.data[0].text, "iota");
    assert_string_equal(o.fills.data[1].text, "a=b");
    assert_true(tc_options_rule(&o, "TC1001") && tc_options_rule(&o, "TC2002"));
    assert_false(tc_options_rule(&o, "TC2001") || tc_options_rule(&o, "TC9001"));
    o.rules = NULL;
    assert_true(tc_options_rule(&o, "TC2001"));
}

static void test_every_option(void **state) {
    (void)state;
    run(good);
}

static void bad(tc_arena *a) {
    // The message names what is wrong.
    static const char *const args[][2] = {{"bogus=1", "bogus"},
                                          {"", "''"},
                                          {"=1", "''"},
                                          {"report", "report=FILE"},
                                          {"report=", "report"},
                                          {"all=1", "all"},
                                          {"block=0", "block"},
                                          {"block=1,2,3,4", "block"},
                                          {"block=", "block"},
                                          {"block=1,,2", "block"},
                                          {"block=1x", "1x"},
                                          {"grid=-1", "grid"},
                                          {"grid=2147483648", "grid"},
                                          {"define=n", "NAME=VALUE"},
                                          {"define==3", "define"},
                                          {"define=n=", "define"},
                                          {"define=n=x", "n=x"},
                                          {"unknown=maybe", "maybe"},
                                          {"rules=TC2001,TC7777", "TC7777"},
                                          {"rules=", "rules"},
                                          {"rules=TC1,", "rules"},
                                          {"budget=lots", "lots"},
                                          {"budget=0", "budget"},
                                          {"dump=core", "core"},
                                          {"smem=-1", "smem"},
                                          {"extent=x=-1", "extent"},
                                          {"fill=x", "fill"},
                                          {"seed=-1", "seed"},
                                          {"failalloc=x", "failalloc"},
                                          {"reports=x", "reports"}};
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        tc_options o;
        tc_options_init(&o);
        const char *error = "";
        if (tc_options_parse(&o, a, args[i][0], &error) != TC_EINPUT)
            fail_msg("%s is accepted", args[i][0]);
        if (!strstr(error, args[i][1]))
            fail_msg("%s: %s", args[i][0], error);
    }
}

static void test_wrong_options_are_named(void **state) {
    (void)state;
    run(bad);
}

static void test_files_by_their_path(void **state) {
    (void)state;
    static const char *const files[] = {"src/k.cu", "/usr/include/math.h", "./inc//a.h", "k.cu", "/w/src/b.h"};
    tc_unit u = {.files = files, .nfiles = 5};
    assert_int_equal(tc_unit_file(&u, "/w", "src/k.cu"), 0);
    assert_int_equal(tc_unit_file(&u, "/w", "/w/src/k.cu"), 0);
    assert_int_equal(tc_unit_file(&u, "/w", "/usr/include/math.h"), 1);
    assert_int_equal(tc_unit_file(&u, "/usr/include", "math.h"), 1);
    assert_int_equal(tc_unit_file(&u, "/w", "inc/a.h"), 2);
    assert_int_equal(tc_unit_file(&u, "/w", "./inc/./a.h"), 2);
    assert_int_equal(tc_unit_file(&u, "/w", "k.cu"), 3);
    assert_int_equal(tc_unit_file(&u, "/w/", "src/b.h"), 4);
    assert_int_equal(tc_unit_file(&u, NULL, "/w/src//b.h"), 4);
    assert_int_equal(tc_unit_file(&u, "/x", "src/b.h"), 0);
    assert_int_equal(tc_unit_file(&u, "/w", "unknown.h"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_option),
        cmocka_unit_test(test_wrong_options_are_named),
        cmocka_unit_test(test_files_by_their_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
