// The interpreter on small pieces of IR: what overflows and what does not, where runs end, and that nothing crashes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "checker/interp.h"
#include "contract_kit.h"

static const char header[] = "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
                             "target triple = \"nvptx64-nvidia-cuda\"\n"
                             "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                             "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n";

// A kernel k(float *a, int n, int m), a of `size` elements, run with one block of `threads`.
typedef struct outcome {
    const char *ir; // the whole function, or the body up to an i64 %i that indexes a
    bool whole;
    tc_i128 n, m;
    uint32_t threads;
    uint64_t size;
    const uint32_t (*only)[6];
    size_t nonly;
    uint64_t max_steps, fail_at;
    // results
    tc_status status;
    char codes[256]; // "TC2001 TC2002"
    char stopped[256];
    char text[256];
    tc_run_stats stats;
    bool decoded;
} outcome;

static LLVMModuleRef module_of(const outcome *o) {
    static char text[16384];
    if (o->whole)
        snprintf(text, sizeof text, "%s%s", header, o->ir);
    else
        snprintf(text, sizeof text,
                 "%sdefine ptx_kernel void @k(ptr %%a, i32 %%n, i32 %%m) {\n%s\n"
                 "%%p = getelementptr inbounds float, ptr %%a, i64 %%i\nstore float 1.0, ptr %%p, align 4\nret void\n}\n",
                 header, o->ir);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    LLVMModuleRef m = NULL;
    char *error = NULL;
    if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &m, &error)) {
        fprintf(stderr, "%s\n%s\n", error, text);
        LLVMDisposeMessage(error);
        return NULL;
    }
    return m;
}

static void dispose(void *m) {
    LLVMDisposeModule(m);
}

static void run_in_trap(tc_trap *trap, void *arg) {
    outcome *o = arg;
    LLVMModuleRef m = module_of(o);
    assert_non_null(m);
    tc_trap_cleanup(trap, dispose, m);
    tc_alloc_fail_at(o->fail_at);
    tc_arena *a = tc_arena_new(trap);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    kit_param(k, "a", &kit_floats, tc_fmt(a, "mut shape(%llu)", (unsigned long long)o->size));
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "m", &kit_int, "");
    k->kernel.mangled = "k";
    k->unit.module = m;
    assert_int_equal(kit_make(k, tc_fmt(a, "block(%u) grid(1)", o->threads ? o->threads : 1)), TC_OK);
    tc_push(a, &k->options.sets, ((tc_setting){.name = "n", .value = o->n}));
    tc_push(a, &k->options.sets, ((tc_setting){.name = "m", .value = o->m}));
    const char *why = NULL;
    tc_program *p = tc_program_new(a, &k->unit, &k->c, &why);
    if (!p) {
        snprintf(o->stopped, sizeof o->stopped, "%s", why);
        return;
    }
    o->decoded = true;
    tc_launch l;
    assert_true(tc_launch_make(a, &k->c, &k->options, &l, &why));
    l.only = o->only;
    l.nonly = o->nonly;
    l.max_steps = o->max_steps;
    tc_faults faults = {0};
    tc_interp_run(a, p, &l, &k->options, 0, &faults, &o->stats);
    for (size_t i = 0; i < faults.len; i++) {
        size_t at = strlen(o->codes);
        snprintf(o->codes + at, sizeof o->codes - at, "%s%s", at ? " " : "", faults.data[i].code);
        snprintf(o->text, sizeof o->text, "%s", faults.data[i].text);
    }
    snprintf(o->stopped, sizeof o->stopped, "%s", o->stats.stopped ? o->stats.stopped : "");
}

static void run(outcome *o) {
    if (!o->size)
        o->size = 64;
    o->codes[0] = o->stopped[0] = '\0';
    o->status = tc_trap_run(run_in_trap, o, NULL);
    tc_alloc_fail_at(0);
}

// ---- what overflows ----

typedef struct row {
    const char *what, *ir;
    long long n, m;
    const char *codes;
} row;

static const row arithmetic[] = {
    {"signed sum in range", "%s = add nsw i32 %n, %m\n%i = sext i32 %s to i64", 3, 4, ""},
    {"signed sum past the end", "%s = add nsw i32 %n, %m\n%d = sub nsw i32 %s, %s\n%i = sext i32 %d to i64", INT32_MAX, 1,
     "TC2002"},
    {"unsigned sum past 2^32", "%t = add i32 %n, %m\n%s = add i32 %t, 4\n%i = zext i32 %s to i64", INT32_MAX, INT32_MAX,
     "TC2002"},
    {"unsigned wrap undone by another", "%s = sub i32 %n, 5\n%t = add i32 %s, 5\n%i = zext i32 %t to i64", 3, 0, ""},
    {"unsigned wrap read as negative", "%s = sub i32 %n, 5\n%t = add nsw i32 %s, 5\n%i = sext i32 %t to i64", 3, 0, ""},
    {"unsigned wrap that stays", "%s = sub i32 %n, 5\n%i = zext i32 %s to i64", 3, 0, "TC2002 TC2001"},
    {"unsigned product past 2^32", "%s = mul i32 %n, %n\n%i = zext i32 %s to i64", 65536, 0, "TC2002"},
    {"product past 2^31 read as signed", "%s = mul i32 %n, %m\n%i = sext i32 %s to i64", 65536, 32768, "TC2002 TC2001"},
    {"the same read as unsigned", "%s = mul i32 %n, %m\n%t = zext i32 %s to i64\n%i = lshr i64 %t, 31", 65536, 32768, ""},
    {"mask of a wrapped value", "%s = mul i32 %n, %n\n%t = and i32 %s, 63\n%i = zext i32 %t to i64", 65537, 0, ""},
    {"shift of a wrapped value", "%s = mul i32 %n, %n\n%t = lshr i32 %s, 26\n%i = zext i32 %t to i64", 65537, 0, "TC2002"},
    {"left shift past 2^32", "%s = shl i32 %n, 30\n%i = zext i32 %s to i64", 4, 0, "TC2002"},
    {"narrowing that changes the value", "%w = sext i32 %n to i64\n%s = mul nsw i64 %w, %w\n%t = trunc i64 %s to i32\n"
                                         "%i = sext i32 %t to i64", 65536, 0, "TC2002"},
    {"narrowing and widening of a negative", "%w = sext i32 %n to i64\n%t = trunc i64 %w to i32\n%u = add nsw i32 %t, 9\n"
                                             "%i = sext i32 %u to i64", -4, 0, ""},
    {"narrowing to a byte that fits", "%t = trunc i32 %n to i8\n%i = sext i8 %t to i64", 63, 0, ""},
    {"narrowing to a byte that does not", "%t = trunc i32 %n to i8\n%i = zext i8 %t to i64", 260, 0, "TC2002"},
    {"byte read with the other sign", "%t = trunc i32 %n to i8\n%u = sext i8 %t to i32\n%v = add nsw i32 %u, 1\n"
                                      "%i = sext i32 %v to i64", 255, 0, "TC2002"},
    {"constant of either sign", "%s = add i32 %n, -1\n%i = zext i32 %s to i64", 1, 0, ""},
    {"negative compared as unsigned", "%c = icmp ult i32 %n, %m\n%i = zext i1 %c to i64", -1, 5, ""},
    {"overflow that is only data", "%s = mul nsw i32 %n, %n\n%f = sitofp i32 %s to float\n%i = add i64 0, 1", 65536, 0, ""},
    {"through a float it is data", "%s = mul nsw i32 %n, %n\n%f = sitofp i32 %s to float\n%t = fptosi float %f to i32\n"
                                   "%i = sext i32 %t to i64", 65536, 0, ""},
    {"float too large for an integer", "%f = fmul float 1048576.0, 1048576.0\n%t = fptosi float %f to i32\n%u = ashr i32 %t, 26\n"
                                       "%i = sext i32 %u to i64", 0, 0, "TC2002"},
    {"choice by an overflowed condition", "%s = mul nsw i32 %n, %n\n%c = icmp eq i32 %s, 0\n%i = select i1 %c, i64 1, i64 2",
     65536, 0, "TC2002"},
    {"undefined index", "%s = add i32 undef, 1\n%i = sext i32 %s to i64", 0, 0, "TC2005"},
    {"undefined times zero is decided", "%s = and i32 undef, 0\n%i = sext i32 %s to i64", 0, 0, ""},
    {"division by zero", "%s = sdiv i32 7, %n\n%i = sext i32 %s to i64", 0, 0, "TC2004"},
    {"remainder of the least by -1", "%s = srem i32 %n, %m\n%i = sext i32 %s to i64", INT32_MIN, -1, "TC2004"},
    {"64-bit sum past the end", "%w = sext i32 %n to i64\n%s = shl i64 %w, 32\n%t = add nsw i64 %s, %s\n%u = ashr i64 %t, 60\n"
                                "%i = and i64 %u, 1", INT32_MAX, 0, "TC2002"},
    {"byte swap of inline PTX", "%s = call i32 asm \"prmt.b32 $0, $1, 0, 0x4440;\", \"=r,r\"(i32 %n)\n%i = zext i32 %s to i64",
     0x0a0b0c0d, 0, ""},
};

static void overflow_rows(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++) {
        const row *r = &arithmetic[i];
        outcome o = {.ir = r->ir, .n = r->n, .m = r->m};
        run(&o);
        if (o.status != TC_OK || strcmp(o.codes, r->codes) != 0 || o.stopped[0]) {
            print_error("%s: '%s', expected '%s' (%s%s)\n", r->what, o.codes, r->codes, o.text, o.stopped);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// ---- how runs end ----

static void endless_loop(void **state) {
    (void)state;
    outcome o = {.whole = true, .max_steps = 10000,
                 .ir = "define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\nbr label %l\nl:\nbr label %l\n}\n"};
    run(&o);
    assert_string_equal(o.codes, "");
    assert_non_null(strstr(o.stopped, "step limit"));
    assert_true(o.stats.steps >= 10000 && o.stats.steps < 70000);
    assert_false(o.stats.complete);
}

static void what_cannot_be_run(void **state) {
    (void)state;
    static const struct {
        const char *ir, *why;
    } rows[] = {
        {"define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\ncall void asm sideeffect \"foo.bar;\", \"\"()\nret void\n}\n",
         "inline asm 'foo.bar;' cannot be run"},
        {"declare i32 @else(i32)\ndefine ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\n%x = call i32 @else(i32 %n)\nret void\n}\n",
         "a call of 'else'"},
        {"define i32 @r(i32 %x) {\n%y = call i32 @r(i32 %x)\nret i32 %y\n}\n"
         "define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\n%x = call i32 @r(i32 %n)\nret void\n}\n",
         "recursive"},
        {"define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\n%x = zext i32 %n to i128\n%y = mul i128 %x, %x\nret void\n}\n",
         "a value of an unusual type"},
        {"define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\n%f = load ptr, ptr %a, align 4\ncall void %f()\nret void\n}\n",
         "a call of a function of which nothing is known"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        outcome o = {.whole = true, .ir = rows[i].ir, .n = 1};
        run(&o);
        if (!strstr(o.stopped, rows[i].why))
            fail_msg("'%s', expected '%s'", o.stopped, rows[i].why);
        assert_false(o.stats.complete);
    }
}

// What is not reached does not stop a run.
static void unknown_code_off_the_path(void **state) {
    (void)state;
    outcome o = {.whole = true, .n = 0,
                 .ir = "define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\n%c = icmp ne i32 %n, 0\nbr i1 %c, label %x, label %y\n"
                       "x:\ncall void asm sideeffect \"foo.bar;\", \"\"()\nbr label %y\ny:\nret void\n}\n"};
    run(&o);
    assert_string_equal(o.stopped, "");
    assert_true(o.stats.complete);
}

static const char phis[] = "define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\nentry:\nbr label %l\nl:\n"
                           "%x = phi i64 [ 1, %entry ], [ %y, %l ]\n%y = phi i64 [ 2, %entry ], [ %x, %l ]\n"
                           "%k = phi i32 [ 0, %entry ], [ %j, %l ]\n%j = add nsw i32 %k, 1\n%c = icmp slt i32 %j, %n\n"
                           "br i1 %c, label %l, label %e\ne:\n%d = mul nsw i64 %x, 100\n%p = getelementptr float, ptr %a, i64 %d\n"
                           "store float 1.0, ptr %p, align 4\nret void\n}\n";

// All phis of a block change at once: x and y swap.
static void phis_swap(void **state) {
    (void)state;
    outcome o = {.whole = true, .ir = phis, .n = 1, .size = 101};
    run(&o);
    assert_string_equal(o.codes, "");
    o.n = 2;
    run(&o);
    assert_string_equal(o.codes, "TC2001");
    assert_non_null(strstr(o.text, "byte 800"));
    o.n = 3;
    run(&o);
    assert_string_equal(o.codes, "");
}

// ---- some threads only ----

static const char neighbour[] =
    "@s = internal addrspace(3) global [64 x i32] undef, align 4\n"
    "define ptx_kernel void @k(ptr %a, i32 %n, i32 %m) {\n%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "%w = zext i32 %t to i64\n%g = getelementptr [64 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 0, i64 %w\n"
    "store i32 %t, ptr %g, align 4\ncall void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n%u = sub nsw i32 63, %t\n"
    "%v = sext i32 %u to i64\n%h = getelementptr [64 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 0, i64 %v\n"
    "%x = load i32, ptr %h, align 4\n%y = sext i32 %x to i64\n%p = getelementptr float, ptr %a, i64 %y\n"
    "store float 1.0, ptr %p, align 4\nret void\n}\n";

// What an absent thread would have written is unknown, and not a fault of those who read it.
static void absent_threads(void **state) {
    (void)state;
    static const uint32_t only[][6] = {{0, 0, 0, 5, 0, 0}, {0, 0, 0, 9, 0, 0}};
    outcome o = {.whole = true, .ir = neighbour, .threads = 64, .only = only, .nonly = 2};
    run(&o);
    assert_string_equal(o.codes, "");
    assert_string_equal(o.stopped, "");
    outcome all = {.whole = true, .ir = neighbour, .threads = 64};
    run(&all);
    assert_string_equal(all.codes, "");
    assert_true(all.stats.complete && all.stats.accesses == 3 * 64);
    outcome small = {.whole = true, .ir = neighbour, .threads = 64, .size = 63};
    run(&small);
    assert_string_equal(small.codes, "TC2001");
}

static void every_allocation_fails(void **state) {
    (void)state;
    for (uint64_t n = 1;; n++) {
        outcome o = {.whole = true, .ir = neighbour, .threads = 64, .fail_at = n};
        run(&o);
        if (o.status == TC_OK)
            break;
        assert_int_equal(o.status, TC_ENOMEM);
        assert_true(n < 20000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_rows),  cmocka_unit_test(endless_loop),
        cmocka_unit_test(phis_swap),      cmocka_unit_test(unknown_code_off_the_path),
        cmocka_unit_test(absent_threads), cmocka_unit_test(what_cannot_be_run),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
