// Inline PTX: each instruction by the table of effects; what is not in it makes the whole statement a hole.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/lift.h"

enum { MAX_INSTS = 64, MAX_ARGS = 32 };

typedef struct tc_asm {
    tc_lift *L;
    tc_flow *f;
    LLVMValueRef call;
    tc_strmap regs; // "%0", "p" -> tc_val
    const tc_val *args[MAX_ARGS];
    size_t nargs, noutputs, noperands;
    bool memory; // clobbered
    uint64_t inst; // which one, for keys
} tc_asm;

// ---- operands ----

static LLVMTypeRef int_type(tc_lift *L, unsigned bits) {
    return LLVMIntTypeInContext(LLVMGetModuleContext(L->module), bits == 0 ? 32 : bits);
}

static const tc_val *set_reg(tc_asm *x, const char *name, const tc_val *v) {
    tc_strmap_put(x->L->arena, &x->regs, name, (void *)(uintptr_t)v);
    return v;
}

// The constraints in order: outputs, inputs (a number ties one to an output), clobbers. false: memory operands.
static bool bind(tc_asm *x) {
    size_t n;
    tc_lift *L = x->L;
    const char *c = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(x->call), &n), *end = c + n;
    unsigned arg = 0;
    while (c < end) {
        const char *stop = memchr(c, ',', (size_t)(end - c));
        size_t len = stop == NULL ? (size_t)(end - c) : (size_t)(stop - c);
        if (c[0] == '~') {
            x->memory |= len >= 9 && strncmp(c, "~{memory}", 9) == 0;
        } else if (memchr(c, '*', len) != NULL || x->noperands >= MAX_ARGS) {
            return false;
        } else if (c[0] == '=') {
            x->noutputs++;
            x->noperands++;
        } else {
            if (arg >= LLVMGetNumArgOperands(x->call))
                return false;
            const tc_val *v = tc_lift_operand(L, LLVMGetOperand(x->call, arg++));
            x->args[x->nargs++] = v;
            set_reg(x, tc_fmt(L->arena, "%%%zu", x->noperands++), v);
            if (isdigit((unsigned char)c[0]))
                set_reg(x, tc_fmt(L->arena, "%%%lu", strtoul(c, NULL, 10)), v);
        }
        c = stop == NULL ? end : stop + 1;
    }
    return true;
}

static const tc_val *value(tc_asm *x, const char *text, unsigned bits) {
    tc_lift *L = x->L;
    const tc_val *v = tc_strmap_get(&x->regs, text);
    tc_i128 n;
    if (v != NULL)
        return v;
    if (tc_i128_parse(text, strlen(text), &n))
        return tc_val_int(L, bits == 0 ? 32 : bits, tc_int(L->ts, n));
    if (text[0] == '%' && isalpha((unsigned char)text[1]) && tc_sreg_of_ptx(text) != TC_SREG_OTHER)
        return tc_lift_sreg(L, tc_sreg_of_ptx(text), 32);
    return tc_val_unknown(L, int_type(L, bits), "asm", tc_hash_bytes(text, strlen(text), x->inst));
}

static const tc_val *as_pointer(tc_lift *L, const tc_val *v) {
    if (v->kind == TC_V_PTR)
        return v;
    return v->kind == TC_V_INT ? tc_lift_int_to_ptr(L, v) : tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
}

// "%1+16"
static const tc_val *address(tc_asm *x, const char *text) {
    tc_lift *L = x->L;
    size_t n = strcspn(text, "+");
    const tc_val *p = as_pointer(L, value(x, tc_strndup(L->arena, text, n), 64));
    tc_i128 by;
    if (text[n] == 0)
        return p;
    if (!tc_i128_parse(text + n + 1, strlen(text + n + 1), &by))
        return tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    TC_VEC(tc_alt) alts = {0};
    for (size_t i = 0; i < p->nalts; i++) {
        tc_alt a = p->alts[i];
        a.offset = tc_addc(L->ts, a.offset, by);
        tc_push(L->arena, &alts, a);
    }
    return tc_val_alts(L, alts.data, alts.len);
}

// "%0", "{%0,%1}", "p|q": the names in order.
static size_t names_of(tc_asm *x, const char *text, const char **out, size_t max) {
    size_t n = 0;
    for (const char *p = text; *p != 0;) {
        size_t len = strcspn(p, "{},|");
        if (len > 0 && n < max)
            out[n++] = tc_strndup(x->L->arena, p, len);
        p += len + (p[len] != 0);
    }
    return n;
}

static tc_t predicate(tc_asm *x, const tc_ptx_inst *in) {
    if (in->predicate == NULL)
        return x->L->tt;
    const tc_val *p = tc_strmap_get(&x->regs, in->predicate);
    tc_t t = p != NULL && p->kind == TC_V_INT ? tc_lift_truth(x->L, p)
                                              : tc_lift_bool_sym(x->L, "predicate", x->inst + 0x9ed);
    return in->negated ? tc_not(x->L->ts, t) : t;
}

// A predicated instruction leaves the register as it was where the predicate is false.
static void assign(tc_asm *x, const tc_ptx_inst *in, const char *name, const tc_val *v) {
    if (in->predicate != NULL) {
        const tc_val *old = tc_strmap_get(&x->regs, name);
        v = old == NULL ? tc_val_derived(x->L, int_type(x->L, v->kind == TC_V_INT ? v->width : 32), "asm", x->inst, NULL, 0)
                        : tc_val_choose(x->L, predicate(x, in), v, old, NULL);
    }
    set_reg(x, name, v);
}

// ---- arithmetic ----

static bool has_word(const char *opcode, const char *word) {
    size_t n = strlen(word);
    for (const char *p = opcode; (p = strchr(p, '.')) != NULL; p++)
        if (strncmp(p + 1, word, n) == 0 && (p[n + 1] == '.' || p[n + 1] == 0))
            return true;
    return false;
}

static bool is_float(tc_ptx_type t) { return t >= TC_PTXT_F16 && t <= TC_PTXT_TF32; }
static bool is_signed(tc_ptx_type t) { return t >= TC_PTXT_S8 && t <= TC_PTXT_S64; }

static const tc_val *opaque(tc_asm *x, const tc_ptx_inst *in) {
    const tc_val *args[8];
    size_t n = 0;
    for (size_t i = 1; i < in->noperands; i++)
        args[n++] = value(x, in->operands[i], tc_ptx_type_bits(in->type));
    tc_ptx_type to = strcmp(in->base, "cvt") == 0 && in->type2 != TC_PTXT_NONE ? in->type2 : in->type;
    unsigned bits = strcmp(in->base, "setp") == 0 ? 1 : tc_ptx_type_bits(to);
    if (bits > 64 || is_float(to)) {
        tc_t undef = x->L->ff;
        for (size_t i = 0; i < n; i++)
            undef = tc_or(x->L->ts, undef, tc_val_undef(x->L, args[i]));
        return tc_val_float(x->L, undef);
    }
    const tc_val *r = tc_val_derived(x->L, int_type(x->L, bits), in->effect.what, x->inst + 0x40, args, n);
    return is_signed(to) ? r : tc_val_signless_all(r);
}

static const tc_val *compare(tc_asm *x, const tc_ptx_inst *in, const tc_val *a, const tc_val *b) {
    static const struct {
        const char *word;
        LLVMIntPredicate sp, up;
    } table[] = {{"eq", LLVMIntEQ, LLVMIntEQ},   {"ne", LLVMIntNE, LLVMIntNE},   {"lt", LLVMIntSLT, LLVMIntULT},
                 {"le", LLVMIntSLE, LLVMIntULE}, {"gt", LLVMIntSGT, LLVMIntUGT}, {"ge", LLVMIntSGE, LLVMIntUGE},
                 {"lo", LLVMIntULT, LLVMIntULT}, {"ls", LLVMIntULE, LLVMIntULE}, {"hi", LLVMIntUGT, LLVMIntUGT},
                 {"hs", LLVMIntUGE, LLVMIntUGE}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (has_word(in->opcode, table[i].word))
            return tc_lift_icmp(x->L, x->f, is_signed(in->type) ? table[i].sp : table[i].up, a, b);
    return opaque(x, in);
}

static const tc_val *convert_int(tc_asm *x, const tc_ptx_inst *in, const tc_val *a) {
    tc_lift *L = x->L;
    unsigned to = tc_ptx_type_bits(in->type2);
    if (a->kind == TC_V_PTR)
        a = tc_lift_ptr_to_int(L, a, 64);
    if (a->kind != TC_V_INT || is_float(in->type) || is_float(in->type2) || to == 0 || to > 64 || has_word(in->opcode, "sat"))
        return opaque(x, in);
    if (to <= a->width)
        return tc_val_made(L, to, a->term, x->call, "narrowing");
    return tc_val_int(L, to, is_signed(in->type) ? tc_lift_signed(L, x->f, a, "widening")
                                                 : tc_lift_unsigned(L, x->f, a, "widening", false));
}

static const tc_val *compute_with(tc_asm *x, const tc_ptx_inst *in, const tc_val *v[4]) {
    tc_lift *L = x->L;
    if (strcmp(in->base, "mov") == 0 && v[1] != NULL)
        return v[1];
    if (strcmp(in->base, "cvt") == 0 && v[1] != NULL)
        return convert_int(x, in, v[1]);
    for (int i = 1; i < 4; i++)
        if (v[i] != NULL && v[i]->kind == TC_V_PTR)
            v[i] = tc_lift_ptr_to_int(L, v[i], 64);
    if (strcmp(in->base, "selp") == 0 && v[1] != NULL && v[2] != NULL && v[3] != NULL && v[1]->kind == TC_V_INT && v[2]->kind == TC_V_INT &&
        v[1]->width == v[2]->width && v[3]->kind == TC_V_INT)
        return tc_val_choose(L, tc_lift_truth(L, v[3]), v[1], v[2], NULL);
    bool ints = v[1] != NULL && v[2] != NULL && v[1]->kind == TC_V_INT && v[2]->kind == TC_V_INT &&
                v[1]->width == v[2]->width && v[1]->width > 1 && !is_float(in->type);
    if (!ints)
        return opaque(x, in);
    if (strcmp(in->base, "add") == 0 && !has_word(in->opcode, "sat"))
        return tc_val_made(L, v[1]->width, tc_add(L->ts, v[1]->term, v[2]->term), x->call, "sum in inline PTX");
    if (strcmp(in->base, "sub") == 0 && !has_word(in->opcode, "sat"))
        return tc_val_made(L, v[1]->width, tc_sub(L->ts, v[1]->term, v[2]->term), x->call, "difference in inline PTX");
    if (strcmp(in->base, "mul") == 0 && has_word(in->opcode, "lo"))
        return tc_val_made(L, v[1]->width, tc_mul(L->ts, v[1]->term, v[2]->term), x->call, "product in inline PTX");
    if (strcmp(in->base, "setp") == 0 && !has_word(in->opcode, "and") && !has_word(in->opcode, "or"))
        return compare(x, in, v[1], v[2]);
    return opaque(x, in);
}

static const tc_val *compute(tc_asm *x, const tc_ptx_inst *in) {
    unsigned bits = tc_ptx_type_bits(in->type);
    const tc_val *v[4] = {NULL, NULL, NULL, NULL};
    size_t n = 1;
    for (; n < in->noperands && n < 4; n++) {
        if (in->operands[n][0] == '{')
            return opaque(x, in);
        v[n] = value(x, in->operands[n], bits);
    }
    return tc_lift_traced(x->L, compute_with(x, in, v), v + 1, n - 1);
}

// ---- instructions ----

// No register has 8 bits: a loaded byte is extended by its type (PTX ISA, "Operand Size Exceeding Instruction-Type Size").
static const tc_val *in_register(tc_asm *x, tc_flow *g, const tc_ptx_inst *in, const tc_val *v) {
    if (v->kind != TC_V_INT || v->width != 8)
        return v;
    return tc_val_int(x->L, 16, is_signed(in->type) ? tc_lift_signed(x->L, g, v, "widening")
                                                    : tc_lift_unsigned(x->L, g, v, "widening", false));
}

static void load(tc_asm *x, tc_flow *g, const tc_ptx_inst *in, tc_act *a) {
    tc_lift *L = x->L;
    const char *names[8];
    size_t n = names_of(x, in->operands[0], names, 8);
    unsigned bits = tc_ptx_type_bits(in->type);
    LLVMTypeRef one = is_float(in->type) && bits == 32   ? LLVMFloatTypeInContext(LLVMGetModuleContext(L->module))
                      : is_float(in->type) && bits == 64 ? LLVMDoubleTypeInContext(LLVMGetModuleContext(L->module))
                                                         : int_type(L, bits > 64 ? 64 : bits);
    const tc_val *ptr = address(x, in->operands[1]);
    a->args = &ptr;
    a->nargs = 1;
    a->result = n > 1 ? LLVMVectorType(one, (unsigned)n) : one;
    const tc_val *v = tc_lift_act(L, g, a);
    for (size_t i = 0; i < n; i++)
        assign(x, in, names[i],
               in_register(x, g, in, v != NULL && v->kind == TC_V_AGG && i < v->nelems ? v->elems[i]
                                     : n > 1 || v == NULL                              ? tc_val_any(L)
                                                                                       : v));
}

static void atom(tc_asm *x, tc_flow *g, const tc_ptx_inst *in, tc_act *a) {
    tc_lift *L = x->L;
    const tc_val *args[4];
    size_t at = in->noperands > 0 && in->is_mem[0] ? 0 : 1, n = 0;
    unsigned bits = tc_ptx_type_bits(in->type);
    for (size_t i = at; i < in->noperands && n < 4; i++)
        args[n++] = in->is_mem[i] ? address(x, in->operands[i]) : value(x, in->operands[i], bits);
    a->args = args;
    a->nargs = n;
    a->result = is_float(in->type) ? (bits == 64 ? LLVMDoubleTypeInContext(LLVMGetModuleContext(L->module))
                                                 : LLVMFloatTypeInContext(LLVMGetModuleContext(L->module)))
                                   : int_type(L, bits > 64 ? 64 : bits);
    const tc_val *v = tc_lift_act(L, g, a);
    if (at == 1 && v != NULL)
        assign(x, in, in->operands[0], v);
}

// The lanes' mask is the last operand; the results come first.
static void warp(tc_asm *x, tc_flow *g, const tc_ptx_inst *in, tc_act *a) {
    const char *names[2];
    const tc_val *mask = in->noperands == 0 ? NULL : value(x, in->operands[in->noperands - 1], 32);
    a->args = &mask;
    a->nargs = mask == NULL ? 0 : 1;
    a->result = NULL;
    tc_lift_act(x->L, g, a);
    if (in->effect.kind == TC_FX_SYNCWARP || in->noperands == 0)
        return;
    size_t n = names_of(x, in->operands[0], names, 2);
    bool elects = in->effect.kind == TC_FX_VOTE && in->effect.arg == TC_VOTE_ELECT;
    if (elects && n == 2 && mask->kind == TC_V_INT) {
        tc_t lane = tc_lift_elected(x->L, mask->term);
        assign(x, in, names[0], tc_val_int(x->L, 32, lane));
        assign(x, in, names[1], tc_val_bool(x->L, tc_eq(x->L->ts, tc_lift_lane(x->L), lane)));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        x->inst += 0x100;
        assign(x, in, names[i], i == 1 ? tc_val_bool(x->L, tc_lift_bool_sym(x->L, "valid", x->inst)) : opaque(x, in));
    }
}

// The registers of an operand: "{%0,%1}", or one.
static size_t registers(tc_asm *x, const char *text, unsigned bits, const tc_val **out, size_t max) {
    const char *names[8];
    size_t n = names_of(x, text, names, 8);
    for (size_t i = 0; i < n && i < max; i++)
        out[i] = value(x, names[i], bits);
    return n < max ? n : max;
}

// The type of the results stands first of all: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32.
static LLVMTypeRef matrix_result(tc_asm *x, const tc_ptx_inst *in) {
    LLVMContextRef c = LLVMGetModuleContext(x->L->module);
    for (const char *p = in->opcode; in->effect.kind == TC_FX_MATRIX_OP && (p = strchr(p, '.')) != NULL;) {
        size_t n = strcspn(++p, ".");
        if (n == 3 && (p[0] == 'f' || p[0] == 's') && strncmp(p + 1, "32", 2) == 0)
            return p[0] == 'f' ? LLVMFloatTypeInContext(c) : LLVMInt32TypeInContext(c);
        if (n == 3 && strncmp(p, "f64", 3) == 0)
            return LLVMDoubleTypeInContext(c);
        if (n == 3 && strncmp(p, "f16", 3) == 0)
            break;
    }
    return LLVMInt32TypeInContext(c); // pairs of smaller ones
}

static void matrix(tc_asm *x, tc_flow *g, const tc_ptx_inst *in, tc_act *a) {
    tc_lift *L = x->L;
    const char *names[8];
    const tc_val *args[MAX_ARGS];
    bool store = in->effect.kind == TC_FX_MATRIX_STORE;
    size_t n = store ? 0 : names_of(x, in->operands[0], names, 8), nargs = 0;
    for (size_t i = store ? 0 : 1; i < in->noperands && nargs < MAX_ARGS; i++) {
        if (in->is_mem[i])
            args[nargs++] = address(x, in->operands[i]);
        else
            nargs += registers(x, in->operands[i], 32, args + nargs, MAX_ARGS - nargs);
    }
    a->args = args;
    a->nargs = nargs;
    a->result = n == 0 ? NULL : LLVMVectorType(matrix_result(x, in), (unsigned)n);
    const tc_val *v = tc_lift_act(L, g, a);
    for (size_t i = 0; i < n; i++)
        assign(x, in, names[i], v != NULL && v->kind == TC_V_AGG && i < v->nelems ? v->elems[i] : tc_val_any(L));
}

static void with_operands(tc_asm *x, tc_flow *g, const tc_ptx_inst *in, tc_act *a) {
    const tc_val *args[8];
    for (size_t i = 0; i < in->noperands; i++)
        args[i] = in->is_mem[i] ? address(x, in->operands[i]) : value(x, in->operands[i], 32);
    a->args = args;
    a->nargs = in->noperands;
    // cp.async: the size is in the effect, a smaller one to read in the fourth operand.
    if (in->effect.kind == TC_FX_CP_ASYNC && in->noperands > 3)
        args[2] = args[3];
    else if (in->effect.kind == TC_FX_CP_ASYNC)
        a->nargs = 2;
    tc_lift_act(x->L, g, a);
}

// What is moved across such a statement, or an access of its own that nobody knows of, makes another program of it. A relaxed load leaves it the same.
static bool orders_memory(const tc_ptx_inst *in) {
    switch (in->effect.kind) {
    case TC_FX_BARRIER:
    case TC_FX_NAMED_SYNC:
    case TC_FX_NAMED_ARRIVE:
    case TC_FX_GRID_BARRIER:
    case TC_FX_SYNCWARP:
    case TC_FX_FENCE:
    case TC_FX_ATOMIC:
    case TC_FX_STORE:
    case TC_FX_CP_ASYNC:
    case TC_FX_CP_WAIT:
        return true;
    case TC_FX_LOAD:
        return in->order >= TC_ORD_ACQUIRE;
    default:
        return false;
    }
}

static bool is_fence_of_compiler(LLVMValueRef inst) {
    size_t n;
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if (LLVMIsAInlineAsm(callee))
        return strstr(LLVMGetInlineAsmConstraintString(callee, &n), "~{memory}") != NULL;
    return LLVMIsAFunction(callee) && tc_effect_of_call(LLVMGetValueName2(callee, &n)).kind == TC_FX_BARRIER;
}

// A wait before a barrier that holds the compiler too: what it may move lies between the two, and there is nothing.
static bool is_held(LLVMValueRef call) {
    for (LLVMValueRef i = LLVMGetNextInstruction(call); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
            return false;
        if (LLVMIsACallInst(i) && !LLVMIsADbgInfoIntrinsic(i))
            return is_fence_of_compiler(i);
    }
    return false;
}

static void note_loose(tc_asm *x, const tc_ptx_inst *in) {
    tc_lift *L = x->L;
    if (x->memory || L->dry > 0 || !orders_memory(in) || (in->effect.kind == TC_FX_CP_WAIT && is_held(x->call)))
        return;
    tc_push(L->arena, &L->m->loose, ((tc_loose){in->effect.what, tc_lift_loc(L, L->inst, NULL)}));
}

static void run(tc_asm *x, const tc_ptx_inst *in) {
    tc_lift *L = x->L;
    note_loose(x, in);
    tc_t p = predicate(x, in);
    tc_act a = {.effect = in->effect, .order = (tc_order)in->order, .scope = (tc_scope)in->scope, .is_volatile = in->is_volatile,
                .key = x->inst};
    a.fixed = in->predicate == NULL && x->memory && LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(x->call)) != 0;
    tc_flow g = {tc_and(L->ts, x->f->guard, p), x->f->state};
    switch (in->effect.kind) {
    case TC_FX_SREG:
        if (in->noperands > 0)
            assign(x, in, in->operands[0], tc_lift_sreg(L, (tc_sreg)in->effect.arg, 32));
        return;
    case TC_FX_OPAQUE: {
        const char *names[2];
        size_t n = in->noperands == 0 ? 0 : names_of(x, in->operands[0], names, 2);
        if (n == 1)
            assign(x, in, names[0], compute(x, in));
        else
            for (size_t i = 0; i < n; i++)
                assign(x, in, names[i], tc_val_any(L));
        return;
    }
    case TC_FX_CVTA:
        if (in->noperands > 1)
            assign(x, in, in->operands[0], value(x, in->operands[1], 64));
        return;
    case TC_FX_LOAD:
    case TC_FX_LOAD_NC:
        if (in->noperands > 1)
            load(x, &g, in, &a);
        break;
    case TC_FX_ATOMIC:
        atom(x, &g, in, &a);
        break;
    case TC_FX_SYNCWARP:
    case TC_FX_SHUFFLE:
    case TC_FX_VOTE:
        warp(x, &g, in, &a);
        break;
    case TC_FX_MATRIX_LOAD:
    case TC_FX_MATRIX_STORE:
    case TC_FX_MATRIX_OP:
        matrix(x, &g, in, &a);
        break;
    case TC_FX_TRAP:
        if (in->effect.arg == 1)
            L->m->ends_threads = true;
        else
            tc_record_abort(L, tc_and(L->ts, x->f->guard, p));
        x->f->guard = tc_and(L->ts, x->f->guard, tc_not(L->ts, p));
        return;
    default:
        with_operands(x, &g, in, &a);
    }
    x->f->state = g.state;
}

// ---- the statement ----

static size_t count_registers(const char *text) {
    size_t n = *text != 0;
    for (; *text != 0; text++)
        n += *text == ',';
    return n;
}

static bool is_complete(const tc_ptx_inst *in) {
    bool two = in->noperands == 2;
    switch (in->effect.kind) {
    case TC_FX_UNKNOWN:
        return false;
    case TC_FX_STORE:
        return in->noperands > 1;
    case TC_FX_MATRIX_LOAD:
        return two && !in->is_mem[0] && in->is_mem[1] && count_registers(in->operands[0]) == in->effect.arg;
    case TC_FX_MATRIX_STORE:
        return two && in->is_mem[0] && !in->is_mem[1] && count_registers(in->operands[1]) == in->effect.arg;
    default:
        return true;
    }
}

static bool all_known(const tc_ptx_inst *in, int n) {
    for (int i = 0; i < n; i++)
        if (!is_complete(&in[i]))
            return false;
    return true;
}

static bool has_address(const tc_ptx_inst *in, int n) {
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < in[i].noperands; k++)
            if (in[i].is_mem[k])
                return true;
    return false;
}

static void hole(tc_asm *x, const char *text, const tc_ptx_inst *in, int n) {
    tc_lift *L = x->L;
    bool side = LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(x->call)) != 0;
    unsigned effect = TC_HOLE_VALUE;
    const tc_val *touched[MAX_ARGS + 1];
    size_t k = 0;
    if (x->memory || n < 0 || (side && has_address(in, n))) {
        effect |= TC_HOLE_MEMORY | TC_HOLE_SYNC;
        for (size_t i = 0; i < x->nargs; i++)
            touched[k++] = x->args[i]->kind == TC_V_INT && x->args[i]->width >= 32 ? tc_lift_int_to_ptr(L, x->args[i])
                                                                                   : x->args[i];
        if (x->memory || n < 0)
            touched[k++] = tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    } else if (side) {
        effect |= TC_HOLE_SYNC;
    }
    char *line = tc_strndup(L->arena, text, strnlen(text, 80));
    for (char *p = line; *p != 0; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    tc_record_hole(L, x->f, effect, tc_fmt(L->arena, "inline asm '%s'", line), touched, k);
}

static const tc_val *outputs(tc_asm *x) {
    tc_lift *L = x->L;
    LLVMTypeRef type = LLVMTypeOf(x->call);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return NULL;
    TC_VEC(const tc_val *) elems = {0};
    for (size_t i = 0; i < x->noutputs; i++) {
        LLVMTypeRef t = x->noutputs == 1 ? type : LLVMStructGetTypeAtIndex(type, (unsigned)i);
        const tc_val *v = tc_strmap_get(&x->regs, tc_fmt(L->arena, "%%%zu", i));
        unsigned bits;
        if (v != NULL && v->kind == TC_V_INT && tc_lift_type_bits(L, t, &bits) && bits != v->width)
            v = bits < v->width ? tc_val_made(L, bits, v->term, v->made, v->what) : NULL;
        v = v == NULL ? tc_val_derived(L, t, "asm", 0xa53 + i, x->args, x->nargs) : tc_val_as(L, v, t, 0);
        tc_push(L->arena, &elems, v);
    }
    return x->noutputs == 1 ? elems.data[0] : tc_val_agg(L, elems.data, elems.len);
}

const tc_val *tc_lift_asm(tc_lift *L, tc_flow *f, LLVMValueRef call) {
    size_t n;
    const char *raw = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n);
    const char *text = tc_strndup(L->arena, raw, n);
    tc_asm x = {.L = L, .f = f, .call = call};
    tc_ptx_inst insts[MAX_INSTS];
    bool bound = bind(&x);
    int count = bound ? tc_ptx_parse(L->arena, text, insts, MAX_INSTS) : -1;
    if (count < 0 || !all_known(insts, count)) {
        hole(&x, text, insts, count);
        x.regs = (tc_strmap){0};
        return outputs(&x);
    }
    for (int i = 0; i < count; i++) {
        x.inst = (uint64_t)i * 0x1000 + 0x1000;
        run(&x, &insts[i]);
    }
    return outputs(&x);
}
