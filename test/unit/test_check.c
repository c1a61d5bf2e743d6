// A whole unit through the checker's door: verdicts of small kernels, and every allocation of a check failed in turn.
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

#include "checker/check.h"
#include "contract_kit.h"
#include "runtime-shim/contract.h"

static const char header[] = "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
                             "target triple = \"nvptx64-nvidia-cuda\"\n"
                             "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                             "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n";

// y[blockIdx.x * 64 + threadIdx.x] = x[the same], under the guard that %c stands for.
static const char scale[] = "define ptx_kernel void @k(ptr %y, ptr %x, i32 %n) {\n"
                            "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                            "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                            "%o = mul i32 %b, 64\n%s = add i32 %o, %t\n"
                            "%c = icmp @ i32 %s, %n\nbr i1 %c, label %in, label %out\n"
                            "in:\n%i = sext i32 %s to i64\n"
                            "%p = getelementptr inbounds float, ptr %x, i64 %i\n%v = load float, ptr %p, align 4\n"
                            "%q = getelementptr inbounds float, ptr %y, i64 %i\nstore float %v, ptr %q, align 4\n"
                            "br label %out\nout:\nret void\n}\n";

typedef struct outcome {
    const char *guard, *words; // of the comparison; of the kernel
    uint64_t fail_at;
    // results
    tc_summary summary;
    uint64_t allocations;
    char findings[1024];
    char report[1 << 18];
} outcome;

static LLVMModuleRef module_of(const char *guard) {
    static char text[8192];
    const char *at = strstr(scale, "icmp @") + strlen("icmp ");
    snprintf(text, sizeof text, "%s%.*s%s%s", header, (int)(at - scale), scale, guard, at + 1);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    LLVMModuleRef m = NULL;
    char *error = NULL;
    if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &m, &error)) {
        fprintf(stderr, "%s\n%s\n", error, text);
        LLVMDisposeMessage(error);
    }
    return m;
}

static void dispose(void *m) {
    LLVMDisposeModule(m);
}

// The record of the kernel says what the summary says.
static void check_contract(const tc_result *r) {
    enum { NOTE = 24 };
    tc_embedded e;
    if (r->summary.kernels == 0)
        return;
    assert_true(r->ncontracts > NOTE);
    assert_int_equal(tc_embedded_open(r->contracts + NOTE, r->ncontracts - NOTE, &e), TC_EMBEDDED_OK);
    assert_string_equal(e.mangled, "k");
    assert_int_equal(e.tables[TC_REC_TABLE_PARAM].count, 3);
    assert_int_equal(e.verdict == TC_REC_VERDICT_PROVED, r->summary.proved);
    assert_int_equal(e.verdict == TC_REC_VERDICT_VIOLATED, r->summary.violated);
    assert_int_equal(e.verdict == TC_REC_VERDICT_UNKNOWN, r->summary.unknown);
    // Only a contract that nobody could finish has no conditions.
    assert_true(e.tables[TC_REC_TABLE_CONDITION].count >= 6 || e.flags & TC_REC_PARTIAL);
}

static void check_in_trap(tc_trap *trap, void *arg) {
    outcome *o = arg;
    LLVMModuleRef m = module_of(o->guard);
    assert_non_null(m);
    tc_trap_cleanup(trap, dispose, m);
    tc_arena *a = tc_arena_new(trap);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    kit_param(k, "y", &kit_floats, "mut shape(n) tile(64)");
    kit_param(k, "x", &kit_floats, "shape(n)");
    kit_param(k, "n", &kit_int, "");
    k->kernel.mangled = "k";
    k->kernel.attrs = kit_attrs(k, o->words);
    k->kernel.params = k->params;
    k->unit.kernels = &k->kernel;
    k->unit.module = m;
    static const char *const files[] = {"test.cu"};
    k->unit.files = files;
    k->unit.nfiles = 1;
    k->options.failalloc = o->fail_at;
    k->options.embed = true;
    tc_result r;
    tc_alloc_count();
    tc_check_unit(a, &k->unit, &k->options, &r);
    o->allocations = tc_alloc_count();
    o->summary = r.summary;
    o->findings[0] = '\0';
    for (size_t i = 0; i < r.findings.len; i++) {
        size_t at = strlen(o->findings);
        snprintf(o->findings + at, sizeof o->findings - at, "%s %s\n", r.findings.data[i].code ? r.findings.data[i].code : "",
                 r.findings.data[i].text);
    }
    snprintf(o->report, sizeof o->report, "%s", r.report);
    check_contract(&r);
}

static void check(outcome *o) {
    if (!o->words)
        o->words = "block(64) grid(tc_cdiv(n, 64)) requires(n < 1000000)";
    assert_int_equal(tc_trap_run(check_in_trap, o, NULL), TC_OK);
    cJSON *json = cJSON_Parse(o->report);
    assert_non_null(json);
    cJSON_Delete(json);
}

static void holds(void **state) {
    (void)state;
    outcome o = {.guard = "slt"};
    check(&o);
    assert_null(strstr(o.findings, "TC"));
    assert_int_equal(o.summary.proved, 1);
}

static void one_too_many(void **state) {
    (void)state;
    outcome o = {.guard = "sle"};
    check(&o);
    assert_int_equal(o.summary.violated, 1);
    assert_non_null(strstr(o.findings, "TC2001"));
}

// Whatever allocation fails, the check ends with an answer that is the right one or unknown, and a report that parses.
// Under a sanitizer each fifth, which takes as long.
#if __has_feature(address_sanitizer)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

static void fail_each(const char *guard, unsigned proved, unsigned violated) {
    outcome all = {.guard = guard};
    check(&all);
    assert_true(all.allocations > 1000);
    for (uint64_t n = 1; n <= all.allocations; n += STEP) {
        outcome o = {.guard = guard, .fail_at = n};
        check(&o);
        if (o.summary.kernels == 0) {
            assert_non_null(strstr(o.findings, "out of memory"));
            continue;
        }
        assert_int_equal(o.summary.kernels, 1);
        if (o.summary.unknown == 1) {
            assert_non_null(strstr(o.findings, "TC9002"));
            continue;
        }
        assert_int_equal(o.summary.proved, proved);
        assert_int_equal(o.summary.violated, violated);
    }
}

static void every_allocation_of_a_proof_fails(void **state) {
    (void)state;
    fail_each("slt", 1, 0);
}

static void every_allocation_of_a_search_fails(void **state) {
    (void)state;
    fail_each("sle", 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds),
        cmocka_unit_test(one_too_many),
        cmocka_unit_test(every_allocation_of_a_proof_fails),
        cmocka_unit_test(every_allocation_of_a_search_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
