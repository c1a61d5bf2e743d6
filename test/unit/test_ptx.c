// The parser of inline PTX and the table of effects.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checker/effects.h"

enum { MAX = 16 };

typedef struct parsed {
    const char *text;
    tc_ptx_inst in[MAX];
    int n;
    void (*then)(const tc_ptx_inst *in, int n);
} parsed;

static void parse_in_trap(tc_trap *trap, void *arg) {
    parsed *p = arg;
    tc_arena *a = tc_arena_new(trap);
    p->n = tc_ptx_parse(a, p->text, p->in, MAX);
    if (p->then)
        p->then(p->in, p->n);
}

static int parse(const char *text, void (*then)(const tc_ptx_inst *in, int n)) {
    parsed p = {.text = text, .then = then};
    assert_int_equal(tc_trap_run(parse_in_trap, &p, NULL), TC_OK);
    return p.n;
}

static void is_cp_async(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 1);
    assert_int_equal(in[0].effect.kind, TC_FX_CP_ASYNC);
    assert_int_equal(in[0].effect.width, 16);
    assert_string_equal(in[0].operands[0], "%0");
    assert_true(in[0].is_mem[0] && in[0].is_mem[1] && !in[0].is_mem[2]);
    assert_string_equal(in[0].operands[2], "16");
}

static void cp_async(void **state) {
    (void)state;
    parse("cp.async.cg.shared.global [$0], [$1], 16;", is_cp_async);
    parse("  cp.async.cg.shared.global.L2::128B [ %0 ], [ %1 ], 16 ;\n", is_cp_async);
}

static void is_groups(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 4);
    assert_int_equal(in[0].effect.kind, TC_FX_CP_COMMIT);
    assert_int_equal(in[1].effect.kind, TC_FX_CP_WAIT);
    assert_int_equal(in[1].effect.arg, 2);
    assert_int_equal(in[2].effect.arg, TC_FX_OPERAND);
    assert_int_equal(in[3].effect.arg, 0);
    assert_int_equal(in[3].effect.width, 1);
}

static void groups(void **state) {
    (void)state;
    parse("cp.async.commit_group; cp.async.wait_group 2; cp.async.wait_group $0; cp.async.wait_all;", is_groups);
}

static void is_scoped(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 3);
    assert_string_equal(in[0].opcode, "setp.lt.f16");
    assert_string_equal(in[0].operands[0], "__$temp3");
    assert_string_equal(in[1].opcode, "selp.u16");
    assert_string_equal(in[2].predicate, "__$temp3");
    assert_true(in[2].negated);
}

static void scopes(void **state) {
    (void)state;
    parse("{ .reg .pred __$$temp3;\n setp.lt.f16 __$$temp3, $1, $2; // less\n selp.u16 $0, 1, 0, __$$temp3;\n"
          "@!__$$temp3 trap; }",
          is_scoped);
}

static void is_vector_load(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 1);
    assert_int_equal(in[0].effect.kind, TC_FX_LOAD_NC);
    assert_int_equal(in[0].effect.width, 16);
    assert_int_equal(in[0].vector, 4);
    assert_int_equal(in[0].space, TC_PTX_GLOBAL);
    assert_int_equal(in[0].type, TC_PTXT_F32);
    assert_string_equal(in[0].operands[0], "{%0,%1,%2,%3}");
    assert_string_equal(in[0].operands[1], "%4+16");
}

static void vectors(void **state) {
    (void)state;
    parse("ld.global.nc.v4.f32 {$0, $1, $2, $3}, [$4 + 16];", is_vector_load);
}

static void is_atomics(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 3);
    assert_int_equal(in[0].effect.kind, TC_FX_ATOMIC);
    assert_int_equal(in[0].effect.arg, TC_AT_ADD);
    assert_int_equal(in[0].order, 3);
    assert_int_equal(in[0].scope, TC_FXS_GPU);
    assert_int_equal(in[1].effect.arg, TC_AT_UMAX);
    assert_int_equal(in[1].scope, TC_FXS_CTA);
    assert_int_equal(in[2].effect.arg, TC_AT_FADD);
}

static void atomics(void **state) {
    (void)state;
    parse("atom.add.release.gpu.u32 $0,[$1],$2; red.relaxed.cta.shared.max.u32 [$1], $2; red.global.add.f32 [$1], $3;",
          is_atomics);
}

static void is_sync(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 5);
    assert_int_equal(in[0].effect.kind, TC_FX_NAMED_SYNC);
    assert_int_equal(in[0].noperands, 2);
    assert_int_equal(in[1].effect.kind, TC_FX_NAMED_ARRIVE);
    assert_int_equal(in[2].effect.kind, TC_FX_FENCE);
    assert_int_equal(in[2].effect.arg, TC_FXS_GPU);
    assert_int_equal(in[3].effect.arg, TC_FXS_SYS);
    assert_int_equal(in[4].effect.kind, TC_FX_NOTHING);
}

static void synchronisation(void **state) {
    (void)state;
    parse("bar.sync $0, 64; bar.arrive 1, 64; fence.acq_rel.gpu; membar.sys; prefetch.global.L2 [$1];", is_sync);
}

static void is_registers(const tc_ptx_inst *in, int n) {
    assert_int_equal(n, 2);
    assert_int_equal(in[0].effect.kind, TC_FX_SREG);
    assert_int_equal(in[0].effect.arg, TC_SREG_LANEID);
    assert_int_equal(in[1].effect.kind, TC_FX_UNKNOWN); // its value is nobody's to know
}

static void registers(void **state) {
    (void)state;
    parse("mov.u32 $0, %laneid; mov.u32 $0, %smid;", is_registers);
}

static void is_unknown(const tc_ptx_inst *in, int n) {
    for (int i = 0; i < n; i++)
        assert_int_equal(in[i].effect.kind, TC_FX_UNKNOWN);
}

static void unknown_stays_unknown(void **state) {
    (void)state;
    assert_int_equal(parse("wgmma.fence.sync.aligned;", is_unknown), 1);
    assert_int_equal(
        parse("cp.async.bulk.commit_group; fence.proxy.async; mbarrier.init.shared.b64 [$0], 1;", is_unknown), 3);
    assert_int_equal(parse("L1: bra L1;", is_unknown), 2);
    assert_int_equal(parse("st.async.u32 [$0], $1; atom.add.noftz.f16x2 $0, [$1], $2;", is_unknown), 2);
}

static void what_does_not_parse(void **state) {
    (void)state;
    static const char *const bad[] = {"{ mov.u32 $0, $1;", "mov.u32 $0, $1; }", "ld.u32 $0, [$1;", ".reg .u32 t",
                                      "mov.u32 $0, , $1;", "@ mov.u32 $0, $1;", "%0 mov;",         "5;"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(parse(bad[i], NULL), -1);
    char many[MAX * 8 + 16] = "";
    for (int i = 0; i <= MAX; i++)
        strcat(many, "trap; ");
    assert_int_equal(parse(many, NULL), -1);
    assert_int_equal(parse("", NULL), 0);
    assert_int_equal(parse(" // nothing\n /* at all */ ;", NULL), 0);
}

// Any bytes give an answer.
static void noise(void **state) {
    (void)state;
    static const char alphabet[] = "{}[];,.@!%$0123abmovldst \n:|+-_/*";
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        size_t n = 0;
        for (; n < sizeof text - 1; n++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            if (x % 61 == 0)
                break;
            text[n] = alphabet[x % (sizeof alphabet - 1)];
        }
        text[n] = '\0';
        parse(text, NULL);
    }
}

static void calls(void **state) {
    (void)state;
    static const struct {
        const char *name;
        tc_effect_kind kind;
        uint32_t arg;
    } rows[] = {{"llvm.nvvm.barrier.cta.sync.aligned.all", TC_FX_BARRIER, TC_RED_NONE},
                {"llvm.nvvm.barrier.cta.red.popc.aligned.all", TC_FX_BARRIER, TC_RED_POPC},
                {"llvm.nvvm.shfl.sync.bfly.f32", TC_FX_SHUFFLE, TC_SHFL_BFLY},
                {"llvm.lifetime.start.p0", TC_FX_NOTHING, 0},
                {"llvm.umax.i32", TC_FX_INT, TC_INT_UMAX},
                {"__nv_sqrtf", TC_FX_OPAQUE, TC_MATH_SQRT},
                {"__nv_fmaf_rn", TC_FX_OPAQUE, TC_MATH_FMA},
                {"__nv_float2int_rd", TC_FX_OPAQUE, TC_MATH_F2S_RD},
                {"llvm.nvvm.read.ptx.sreg.ctaid.y", TC_FX_SREG, TC_SREG_CTAID_Y},
                {"tc_stmt_assume_", TC_FX_STMT_ASSUME, 0},
                {"llvm.nvvm.atomic.cas.gen.i.cta.i32.p0", TC_FX_ATOMIC, TC_AT_CAS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tc_effect e = tc_effect_of_call(rows[i].name);
        assert_int_equal(e.kind, rows[i].kind);
        assert_int_equal(e.arg, rows[i].arg);
    }
    // A user's function that is named like one of the table's is another one.
    static const char *const others[] = {"_Z6__ldgPKf",
                                         "sqrtf",
                                         "__nv_unknown",
                                         "llvm.nvvm.mbarrier.init",
                                         "tc_stmt_",
                                         "llvm.nvvm.cp.async.bulk.commit.group",
                                         "__nv_cvta_generic_to_shared_impl"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(tc_effect_of_call(others[i]).kind, TC_FX_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cp_async),
        cmocka_unit_test(groups),
        cmocka_unit_test(scopes),
        cmocka_unit_test(vectors),
        cmocka_unit_test(atomics),
        cmocka_unit_test(synchronisation),
        cmocka_unit_test(registers),
        cmocka_unit_test(noise),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(what_does_not_parse),
        cmocka_unit_test(calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
