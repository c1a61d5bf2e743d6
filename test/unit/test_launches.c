// Launch sites through the checker's door: verdicts, the report that is added to, and every allocation of a check failed in turn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>
#include <cmocka.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "checker/launches_door.h"
#include "contract_kit.h"

// void f(int n) { if (n > 0 && n < 4096) k<<<?, 64>>>(y, n); } with a y of n elements of ? bytes.
static const char host[] =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
    "target triple = \"x86_64-pc-linux-gnu\"\n"
    "declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64, ptr)\n"
    "declare i32 @cudaMalloc(ptr, i64)\n"
    "declare void @__device_stub__k(ptr, i32)\n"
    "define void @f(i32 %%n) {\n"
    "%%y = alloca ptr\n"
    "%%low = icmp sgt i32 %%n, 0\n%%high = icmp slt i32 %%n, 4096\n%%in = and i1 %%low, %%high\nbr i1 %%in, label %%go, label %%out\n"
    "go:\n%%wide = sext i32 %%n to i64\n%%bytes = mul i64 %%wide, %d\n%%e = call i32 @cudaMalloc(ptr %%y, i64 %%bytes)\n"
    "%%sum = add nsw i32 %%n, %d\n%%grid = sdiv i32 %%sum, 64\n%%x = zext i32 %%grid to i64\n%%xy = or i64 %%x, 4294967296\n"
    "%%p = call i32 @__cudaPushCallConfiguration(i64 %%xy, i32 1, i64 4294967360, i32 1, i64 0, ptr null)\n"
    "%%v = load ptr, ptr %%y\ncall void @__device_stub__k(ptr %%v, i32 %%n)\nbr label %%out\n"
    "out:\nret void\n}\n";

typedef struct outcome {
    int element, rounding; // bytes; 63: up
    const char *before;
    uint64_t fail_at;
    // results
    uint64_t allocations;
    bool none;
    char findings[1024], report[1 << 16], summary[256];
} outcome;

static bool describe(void *ctx, const char *mangled, tc_host_function *out) {
    static const tc_param n = {.name = "n", .type = &kit_int};
    (void)ctx;
    *out = (tc_host_function){.name = "f", .params = &n, .nparams = 1};
    return strcmp(mangled, "f") == 0;
}

static void dispose(void *m) { LLVMDisposeModule(m); }

static LLVMModuleRef module_of(const outcome *o) {
    static char text[8192];
    snprintf(text, sizeof text, host, o->element, o->rounding);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    LLVMModuleRef m = NULL;
    char *error = NULL;
    if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &m, &error)) {
        fprintf(stderr, "%s\n%s\n", error, text);
        LLVMDisposeMessage(error);
    }
    return m;
}

static void put(char *to, size_t size, const char *text) { snprintf(to, size, "%s", text ? text : ""); }

static void check_in_trap(tc_trap *trap, void *arg) {
    outcome *o = arg;
    LLVMModuleRef m = module_of(o);
    assert_non_null(m);
    tc_trap_cleanup(trap, dispose, m);
    tc_arena *a = tc_arena_new(trap);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    kit_param(k, "y", &kit_floats, "mut shape(n) tile(64)");
    kit_param(k, "n", &kit_int, "");
    k->kernel.name = "k";
    k->kernel.mangled = "__device_stub__k";
    k->kernel.attrs = kit_attrs(k, "block(64) grid(tc_cdiv(n, 64)) requires(n < 1000000)");
    k->kernel.params = k->params;
    k->unit.kernels = &k->kernel;
    k->unit.nkernels = 1;
    k->unit.module = m;
    k->unit.describe = describe;
    static const char *const files[] = {"test.cu"};
    k->unit.files = files;
    k->unit.nfiles = 1;
    k->options.failalloc = o->fail_at;
    tc_result r;
    tc_alloc_count();
    tc_check_launches(a, &k->unit, &k->options, o->before, &r);
    o->allocations = tc_alloc_count();
    o->findings[0] = '\0';
    for (size_t i = 0; i < r.findings.len; i++) {
        size_t at = strlen(o->findings);
        snprintf(o->findings + at, sizeof o->findings - at, "%s %s\n", r.findings.data[i].code, r.findings.data[i].text);
    }
    o->none = r.summary_line == NULL;
    put(o->summary, sizeof o->summary, r.summary_line);
    put(o->report, sizeof o->report, r.report);
}

static cJSON *check(outcome *o) {
    assert_int_equal(tc_trap_run(check_in_trap, o, NULL), TC_OK);
    cJSON *json = o->none ? NULL : cJSON_Parse(o->report);
    assert_true(o->none || json != NULL);
    return json;
}

static const char *verdict_of(const cJSON *report) {
    const cJSON *site = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "launches"), 0);
    return cJSON_GetStringValue(cJSON_GetObjectItem(site, "verdict"));
}

static void verdicts(void **state) {
    (void)state;
    static const struct {
        int element, rounding;
        const char *verdict, *summary;
    } cases[] = {{4, 63, "proved", "tilecheck: 1 launch: 1 proved"},
                 {8, 63, "proved", "tilecheck: 1 launch: 1 proved"},
                 {1, 63, "violated", "tilecheck: 1 launch: 1 violated"},
                 {4, 0, "run-time", "tilecheck: 1 launch: 1 left to the run time"},
                 {4, 64, "run-time", "tilecheck: 1 launch: 1 left to the run time"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome o = {.element = cases[i].element, .rounding = cases[i].rounding};
        cJSON *json = check(&o);
        assert_string_equal(verdict_of(json), cases[i].verdict);
        assert_string_equal(o.summary, cases[i].summary);
        cJSON_Delete(json);
    }
}

// What was there stays as it stands, numbers that a double does not hold included.
static void is_added_to(void **state) {
    (void)state;
    outcome o = {.element = 4, .rounding = 63};
    o.before = "{\"version\": 1, \"file\": \"test.cu\", \"kernels\": [{\"n\": 18446744073709551615, \"text\": \"\\\"rules_not_run\\\": x\"}], "
               "\"rules_not_run\": [\"TC4001\"], \"summary\": {\"kernels\": 1, \"proved\": 1}}\n";
    cJSON *json = check(&o);
    assert_non_null(strstr(o.report, "{\"n\": 18446744073709551615, \"text\": \"\\\"rules_not_run\\\": x\"}"));
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "summary"), "proved")), 1);
    assert_null(strstr(o.report, "TC4001\"]"));
    assert_string_equal(verdict_of(json), "proved");
    cJSON_Delete(json);
}

static void is_not_added_to(void **state) {
    (void)state;
    static const char *const others[] = {"", "{", "[]", "{\"file\": \"test.cu\"}", "null",
                                         "{\"file\": \"other.cu\", \"kernels\": [{}], \"rules_not_run\": [], \"summary\": {\"kernels\": 1}}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        outcome o = {.element = 4, .rounding = 63, .before = others[i]};
        cJSON *json = check(&o);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "kernels")), 0);
        assert_string_equal(verdict_of(json), "proved");
        cJSON_Delete(json);
    }
}

// Whatever allocation fails, the answer is the right one, left to the run time, or that nothing was checked.
#if __has_feature(address_sanitizer)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

static void every_allocation_fails(void **state) {
    (void)state;
    outcome all = {.element = 1, .rounding = 63};
    cJSON_Delete(check(&all));
    assert_true(all.allocations > 500);
    for (uint64_t n = 1; n <= all.allocations; n += STEP) {
        outcome o = {.element = 1, .rounding = 63, .fail_at = n};
        cJSON *json = check(&o);
        if (o.none)
            assert_non_null(strstr(o.findings, "out of memory"));
        else
            assert_true(strcmp(verdict_of(json), "violated") == 0 || strcmp(verdict_of(json), "run-time") == 0);
        cJSON_Delete(json);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(is_added_to),
        cmocka_unit_test(is_not_added_to),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
