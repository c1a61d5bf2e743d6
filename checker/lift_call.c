// Calls: walked into where there is code, otherwise by the table of effects.
#include <string.h>

#include "base/demangle.h"
#include "checker/host.h"
#include "checker/lift.h"

typedef TC_VEC(const tc_val *) tc_vals;

// ---- special registers ----

static tc_t linear_thread(const tc_lift *L) {
    const tc_launch_syms *s = &L->contract->syms;
    tc_terms *ts = L->ts;
    tc_t row = tc_add(ts, s->thread_idx[1], tc_mul(ts, s->block_dim[1], s->thread_idx[2]));
    return tc_add(ts, s->thread_idx[0], tc_mul(ts, s->block_dim[0], row));
}

tc_t tc_lift_lane(tc_lift *L) {
    for (int i = 0; i < 3; i++)
        L->m->reads_thread_idx[i] = true;
    L->m->reads_block_dim[0] = L->m->reads_block_dim[1] = true;
    return tc_mod(L->ts, linear_thread(L), tc_int(L->ts, 32));
}

// SOUND: of other warps and blocks it may be another one, so that these are arguments too.
tc_t tc_lift_elected(tc_lift *L, tc_t mask) {
    if (!L->elected) {
        tc_fn *fn = tc_fn_new(L->ts, "elected", 5);
        fn->has_lo = fn->has_hi = true;
        fn->hi = 31;
        L->elected = fn;
    }
    tc_lift_lane(L);
    const tc_t *b = L->contract->syms.block_idx;
    const tc_t args[5] = {mask, tc_div(L->ts, linear_thread(L), tc_int(L->ts, 32)), b[0], b[1], b[2]};
    return tc_app(L->ts, L->elected, args);
}

const tc_val *tc_lift_sreg(tc_lift *L, tc_sreg r, unsigned width) {
    const tc_launch_syms *s = &L->contract->syms;
    if (r <= TC_SREG_TID_Z) {
        L->m->reads_thread_idx[r - TC_SREG_TID_X] = true;
        return tc_val_int(L, width, s->thread_idx[r - TC_SREG_TID_X]);
    }
    if (r <= TC_SREG_CTAID_Z) {
        L->m->reads_block_idx[r - TC_SREG_CTAID_X] = true;
        return tc_val_int(L, width, s->block_idx[r - TC_SREG_CTAID_X]);
    }
    if (r <= TC_SREG_NTID_Z) {
        L->m->reads_block_dim[r - TC_SREG_NTID_X] = true;
        return tc_val_int(L, width, s->block_dim[r - TC_SREG_NTID_X]);
    }
    if (r <= TC_SREG_NCTAID_Z) {
        L->m->reads_grid_dim[r - TC_SREG_NCTAID_X] = true;
        return tc_val_int(L, width, s->grid_dim[r - TC_SREG_NCTAID_X]);
    }
    switch (r) {
    case TC_SREG_LANEID:
        return tc_val_int(L, width, tc_lift_lane(L));
    case TC_SREG_WARPSIZE:
        return tc_val_int(L, width, tc_int(L->ts, 32));
    case TC_SREG_DYN_SMEM:
        return tc_val_int(L, width, s->smem);
    case TC_SREG_WARPID: // PTX lets it change during the run
        return tc_val_unknown_ranged(L, width, "%warpid", 1, 0, 63);
    default:
        return tc_val_unknown(L, LLVMIntTypeInContext(LLVMGetModuleContext(L->module), width), "special register", 1);
    }
}

// ---- effects ----

static tc_t int_arg(const tc_act *a, size_t i) {
    return i < a->nargs && a->args[i]->kind == TC_V_INT && a->args[i]->width > 1 ? a->args[i]->term : NULL;
}

static const tc_val *ptr_arg(tc_lift *L, const tc_act *a, size_t i) {
    if (i >= a->nargs)
        return tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    return a->args[i]->kind == TC_V_INT ? tc_lift_int_to_ptr(L, a->args[i]) : a->args[i];
}

static const tc_val *some_result(tc_lift *L, const tc_act *a) {
    return a->result == NULL ? NULL : tc_val_derived(L, a->result, a->effect.what, a->key + 1, a->args, a->nargs);
}

static void sync_event(tc_lift *L, tc_flow *f, tc_event_kind kind, const tc_act *a, size_t first, tc_scope scope) {
    tc_event e = tc_event_make(L, f, kind, a->effect.what);
    e.scope = scope;
    e.operand[0] = int_arg(a, first);
    e.operand[1] = int_arg(a, first + 1);
    tc_record_event(L, e);
}

// A block has no more threads.
static tc_i128 most_threads(tc_lift *L) {
    const tc_i128 most = 1024; // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
    tc_i128 n = 1;
    for (int d = 0; d < 3; d++) {
        tc_interval r = tc_range_of(L->ts, L->contract->syms.block_dim[d]);
        n = r.has_hi && n * r.hi < most ? n * r.hi : most;
    }
    return n;
}

// __syncthreads_count counts threads of the block.
static const tc_val *barrier_result(tc_lift *L, const tc_act *a) {
    unsigned bits;
    if (a->effect.arg != TC_RED_POPC || a->result == NULL || !tc_lift_type_bits(L, a->result, &bits) || bits != 32)
        return some_result(L, a);
    return tc_val_derived_ranged(L, bits, a->effect.what, a->key + 1, 0, most_threads(L), a->args, a->nargs);
}

static const tc_val *barrier(tc_lift *L, tc_flow *f, const tc_act *a) {
    const tc_val *r = barrier_result(L, a);
    tc_event e = tc_event_make(L, f, TC_EV_BARRIER, a->effect.what);
    e.scope = TC_SCOPE_CTA;
    // With a reduction the only argument is its operand; the barrier is number 0 then.
    bool numbered = a->nargs > (a->effect.arg == TC_RED_NONE ? 0 : 1);
    e.operand[0] = numbered ? int_arg(a, 0) : tc_int(L->ts, 0);
    e.value = r != NULL && r->kind == TC_V_INT ? r->term : NULL;
    const tc_val *voted = a->effect.arg != TC_RED_NONE && a->nargs > 0 ? a->args[a->nargs - 1] : NULL;
    e.voted = voted && voted->kind == TC_V_INT ? tc_lift_truth(L, voted) : NULL;
    tc_record_event(L, e);
    return r;
}

static void grid_barrier(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_event e = tc_event_make(L, f, TC_EV_BARRIER, a->effect.what);
    e.scope = TC_SCOPE_GPU;
    e.operand[0] = tc_int(L->ts, 0);
    tc_record_event(L, e);
}

static void warp(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_event e = tc_event_make(L, f, TC_EV_WARP, a->effect.what);
    e.scope = TC_SCOPE_WARP;
    e.order = a->effect.kind == TC_FX_SYNCWARP ? TC_ORD_ACQ_REL : TC_ORD_PLAIN;
    if (!(a->effect.kind == TC_FX_VOTE && a->effect.arg == TC_VOTE_ACTIVEMASK))
        e.operand[0] = int_arg(a, 0);
    if (a->effect.kind == TC_FX_SHUFFLE) {
        e.exchange = a->effect.arg + 1;
        e.lane[0] = int_arg(a, 2);
        e.lane[1] = int_arg(a, 3);
    }
    tc_record_event(L, e);
}

static void fence(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_event e = tc_event_make(L, f, TC_EV_FENCE, a->effect.what);
    e.scope = (tc_scope)a->effect.arg;
    e.order = a->order == TC_ORD_PLAIN ? TC_ORD_SEQ_CST : a->order;
    tc_record_event(L, e);
}

static const tc_val *atomic(tc_lift *L, tc_flow *f, const tc_act *a) {
    size_t value = a->effect.arg == TC_AT_CAS ? 2 : 1;
    LLVMTypeRef type = a->result;
    tc_touch t = {.kind = TC_EV_ATOMIC, .what = a->effect.what, .type = type, .changing = true};
    t.order = a->order == TC_ORD_PLAIN ? TC_ORD_RELAXED : a->order;
    t.scope = (tc_scope)a->effect.width;
    t.operand = int_arg(a, value);
    if (a->effect.arg == TC_AT_ADD && type != NULL && LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        t.added = t.operand;
    if (a->effect.arg == TC_AT_CAS || a->effect.arg == TC_AT_EXCH)
        t.put = t.operand;
    if (a->effect.arg == TC_AT_CAS) {
        t.expected = int_arg(a, 1);
        t.put = t.expected ? t.put : NULL;
    }
    uint64_t size = type == NULL ? 4 : tc_lift_type_size(L, type);
    t.width = tc_int(L->ts, (tc_i128)size);
    t.align = size;
    return tc_lift_touch(L, f, ptr_arg(L, a, 0), &t, NULL);
}

static const tc_val *load(tc_lift *L, tc_flow *f, const tc_act *a) {
    if (a->result == NULL)
        return NULL;
    tc_touch t = {.kind = TC_EV_READ, .what = a->effect.what, .type = a->result, .order = a->order,
                  .is_volatile = a->is_volatile, .non_coherent = a->effect.kind == TC_FX_LOAD_NC};
    uint64_t size = a->effect.width > 0 ? a->effect.width : tc_lift_type_size(L, a->result);
    t.scope = a->order == TC_ORD_PLAIN ? TC_SCOPE_THREAD : a->scope;
    t.width = tc_int(L->ts, (tc_i128)size);
    t.align = size;
    return tc_lift_touch(L, f, ptr_arg(L, a, 0), &t, NULL);
}

static void store(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_touch t = {.kind = TC_EV_WRITE, .what = a->effect.what, .order = a->order, .is_volatile = a->is_volatile};
    t.scope = a->order == TC_ORD_PLAIN ? TC_SCOPE_THREAD : a->scope;
    t.width = tc_int(L->ts, a->effect.width > 0 ? a->effect.width : 4);
    t.align = a->effect.width > 0 ? a->effect.width : 4;
    t.value = int_arg(a, 1);
    if (a->nargs > 1)
        t.undef = tc_val_undef(L, a->args[1]);
    tc_lift_touch(L, f, ptr_arg(L, a, 0), &t, NULL);
}

// The global side is read and the shared side written some time before the group's wait returns.
static void async_copy(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_i128 width = a->effect.width > 0 ? a->effect.width : 16;
    tc_touch t = {.kind = TC_EV_ASYNC_READ, .what = a->effect.what, .width = tc_int(L->ts, width), .align = (uint64_t)width};
    if (int_arg(a, 2) != NULL) // fewer bytes are read, or none, and the rest is filled with zeros
        t.width = tc_lift_unsigned(L, f, a->args[2], "size", false);
    tc_lift_touch(L, f, ptr_arg(L, a, 1), &t, NULL);
    t.kind = TC_EV_ASYNC_WRITE;
    t.width = tc_int(L->ts, width);
    tc_lift_touch(L, f, ptr_arg(L, a, 0), &t, NULL);
}

static void async_wait(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_event e = tc_event_make(L, f, TC_EV_WAIT, a->effect.what);
    e.operand[0] = a->effect.arg == TC_FX_OPERAND ? int_arg(a, 0) : tc_int(L->ts, (tc_i128)a->effect.arg);
    e.operand[1] = a->effect.width == 1 ? tc_int(L->ts, 1) : NULL; // also what is not committed
    tc_record_event(L, e);
}

static const char *string_of(tc_lift *L, const tc_val *v) {
    if (v->kind != TC_V_PTR || v->nalts != 1 || L->places.data[v->alts[0].place].kind != TC_PL_OBJECT)
        return "";
    LLVMValueRef init = tc_object_init(L, L->places.data[v->alts[0].place].object);
    size_t n;
    if (init == NULL || !LLVMIsConstantString(init))
        return "";
    const char *s = LLVMGetAsString(init, &n);
    return tc_strndup(L->arena, s, strnlen(s, n));
}

static void assume(tc_lift *L, tc_flow *f, const tc_act *a, bool stated) {
    if (a->nargs == 0 || a->args[0]->kind != TC_V_INT)
        return;
    tc_t cond = tc_lift_under(L, f->guard, tc_lift_truth(L, a->args[0]));
    tc_record_assumption(L, f, cond, stated ? "tc_assume" : "__builtin_assume",
                         stated && a->nargs > 1 ? string_of(L, a->args[1]) : "the compiler takes it as a fact");
    f->guard = tc_and(L->ts, f->guard, cond);
}

static const tc_val *convert(tc_lift *L, const tc_act *a) {
    unsigned bits;
    if (a->result == NULL || a->nargs == 0)
        return NULL;
    const tc_val *v = a->args[0];
    if (v->kind == TC_V_PTR && tc_lift_type_bits(L, a->result, &bits))
        return tc_lift_ptr_to_int(L, v, bits);
    if (v->kind == TC_V_INT && LLVMGetTypeKind(a->result) == LLVMPointerTypeKind)
        return tc_lift_int_to_ptr(L, v);
    if (v->kind == TC_V_INT && tc_lift_type_bits(L, a->result, &bits) && bits <= v->width)
        return tc_val_made(L, bits, v->term, v->made, v->what);
    return v->kind == TC_V_PTR ? v : some_result(L, a);
}

static const tc_val *another_thread(tc_lift *L, tc_flow *f, const tc_act *a) {
    const tc_val *r = tc_val_unknown_ranged(L, 64, "in another thread", 1, -tc_pow2(63), tc_pow2(63) - 1);
    if (L->dry > 0 || a->nargs == 0 || a->args[0]->kind != TC_V_INT || a->args[0]->width != 64)
        return r;
    tc_t value = tc_lift_signed(L, f, a->args[0], "value in another thread");
    tc_push(L->arena, &L->m->others, ((tc_another){r->term->sym, value}));
    return r;
}

static bool was_read(const tc_lift *L, uint32_t object) {
    for (size_t i = 0; i < L->m->events.len; i++) {
        const tc_event *e = &L->m->events.data[i];
        if (e->object == object && (e->kind == TC_EV_READ || e->kind == TC_EV_ATOMIC || e->kind == TC_EV_ASYNC_READ))
            return true;
    }
    return false;
}

// SOUND: outside of all loops, what was recorded so far is all that the thread may have done.
static const tc_val *not_read(tc_lift *L, const tc_act *a) {
    const tc_val *p = ptr_arg(L, a, 0);
    bool shown = L->loop == NULL && L->m->holes.len == 0 && p->kind == TC_V_PTR && p->nalts > 0;
    for (size_t i = 0; i < p->nalts && shown; i++) {
        const tc_place *pl = &L->places.data[p->alts[i].place];
        shown = pl->kind == TC_PL_OBJECT && !was_read(L, pl->object);
    }
    return tc_val_bool(L, shown ? L->tt : tc_lift_bool_sym(L, "nothing was read", 1));
}

// sincos, modf and the like write a number of their own type through their pointers, frexp and remquo an int.
static uint64_t written_by(const char *name) {
    size_t n = strlen(name);
    if (strncmp(name, "frexp", 5) == 0 || strncmp(name, "remquo", 6) == 0)
        return 4;
    return strcmp(name, "modf") != 0 && n > 0 && name[n - 1] == 'f' ? 4 : 8;
}

static const tc_val *opaque(tc_lift *L, tc_flow *f, const tc_act *a) {
    unsigned bits;
    uint64_t size = written_by(a->effect.what == NULL ? "" : a->effect.what);
    const uint64_t key = a->key + 1;
    for (size_t i = 0; i < a->nargs; i++)
        if (a->args[i]->kind == TC_V_PTR) {
            tc_touch t = {.kind = TC_EV_WRITE, .what = a->effect.what, .width = tc_int(L->ts, (tc_i128)size), .align = size};
            tc_lift_touch(L, f, a->args[i], &t, NULL);
        }
    if (a->result == NULL || !tc_lift_type_bits(L, a->result, &bits) || bits == 1)
        return a->result == NULL ? NULL : tc_val_computed(L, some_result(L, a), key, a->args, a->nargs);
    tc_i128 lo = -tc_pow2(bits - 1), hi = tc_pow2(bits - 1) - 1;
    switch (a->effect.arg) {
    case TC_MATH_F2U_RN:
    case TC_MATH_F2U_RZ:
    case TC_MATH_F2U_RD:
    case TC_MATH_F2U_RU:
        lo = 0;
        hi = tc_pow2(bits) - 1;
        break;
    case TC_MATH_ISNAN:
    case TC_MATH_ISINF:
    case TC_MATH_FINITE:
    case TC_MATH_SIGNBIT: // any nonzero value is true
    default:
        break;
    }
    return tc_val_computed(L, tc_val_derived_ranged(L, bits, a->effect.what, key, lo, hi, a->args, a->nargs), key, a->args, a->nargs);
}

const tc_val *tc_lift_act(tc_lift *L, tc_flow *f, const tc_act *a) {
    unsigned bits = 32;
    switch (a->effect.kind) {
    case TC_FX_NOTHING:
    case TC_FX_PRINTF:
        return some_result(L, a);
    case TC_FX_SREG:
        if (a->result != NULL && !tc_lift_type_bits(L, a->result, &bits))
            return some_result(L, a);
        return tc_lift_sreg(L, (tc_sreg)a->effect.arg, bits);
    case TC_FX_OPAQUE:
        return opaque(L, f, a);
    case TC_FX_INT:
        return a->result == NULL ? NULL : tc_lift_int_op(L, f, a->result, (tc_int_op)a->effect.arg, a->args, a->nargs);
    case TC_FX_BARRIER:
        return barrier(L, f, a);
    case TC_FX_GRID_BARRIER:
        grid_barrier(L, f, a);
        return NULL;
    case TC_FX_NAMED_SYNC:
        sync_event(L, f, TC_EV_BARRIER, a, 0, TC_SCOPE_CTA);
        return NULL;
    case TC_FX_NAMED_ARRIVE:
        sync_event(L, f, TC_EV_ARRIVE, a, 0, TC_SCOPE_CTA);
        return NULL;
    case TC_FX_SYNCWARP:
    case TC_FX_SHUFFLE:
    case TC_FX_VOTE:
        warp(L, f, a);
        return tc_val_signless_all(some_result(L, a));
    case TC_FX_MATRIX_LOAD:
    case TC_FX_MATRIX_STORE:
    case TC_FX_MATRIX_OP:
        return tc_lift_matrix(L, f, a);
    case TC_FX_FENCE:
        fence(L, f, a);
        return NULL;
    case TC_FX_ATOMIC:
        return atomic(L, f, a);
    case TC_FX_LOAD_NC:
    case TC_FX_LOAD:
        return load(L, f, a);
    case TC_FX_STORE:
        store(L, f, a);
        return NULL;
    case TC_FX_CP_ASYNC:
        async_copy(L, f, a);
        return NULL;
    case TC_FX_CP_COMMIT:
        tc_record_event(L, tc_event_make(L, f, TC_EV_COMMIT, a->effect.what));
        return NULL;
    case TC_FX_CP_WAIT:
        async_wait(L, f, a);
        return NULL;
    case TC_FX_ASSUME:
        assume(L, f, a, false);
        return NULL;
    case TC_FX_STMT_ASSUME:
        assume(L, f, a, true);
        return NULL;
    case TC_FX_STMT_ASSERT:
        if (a->nargs > 0 && a->args[0]->kind == TC_V_INT) {
            tc_t cond = tc_lift_under(L, f->guard, tc_lift_truth(L, a->args[0]));
            tc_record_check(L, f, TC_CK_ASSERT, cond, cond, "tc_assert", L->inst);
        }
        return NULL;
    case TC_FX_STMT_INVARIANT:
        if (a->nargs > 0 && a->args[0]->kind == TC_V_INT)
            tc_lift_declared(L, f, tc_lift_truth(L, a->args[0]));
        return NULL;
    case TC_FX_ANOTHER:
        return another_thread(L, f, a);
    case TC_FX_NOT_READ:
        return not_read(L, a);
    case TC_FX_TRAP:
        tc_promise_effect(L, f); // what comes behind may lean on it
        L->m->ends_threads |= a->effect.arg == 1;
        f->guard = L->ff;
        return some_result(L, a);
    case TC_FX_CVTA:
        return convert(L, a);
    default:
        return some_result(L, a);
    }
}

// ---- calls ----

static LLVMTypeRef result_type(LLVMValueRef inst) {
    LLVMTypeRef t = LLVMTypeOf(inst);
    return LLVMGetTypeKind(t) == LLVMVoidTypeKind ? NULL : t;
}

static void arguments(tc_lift *L, LLVMValueRef inst, tc_vals *out) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef v = LLVMGetOperand(inst, i);
        tc_push(L->arena, out, LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMMetadataTypeKind ? tc_val_any(L) : tc_lift_operand(L, v));
    }
}

static void unknown_call(tc_lift *L, tc_flow *f, const char *what, const tc_vals *args, LLVMTypeRef result) {
    // It sees the locals whose addresses it is given, and all other memory anyhow.
    const tc_val *all = tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    tc_vals touched = {0};
    for (size_t i = 0; i < args->len; i++)
        tc_push(L->arena, &touched, args->data[i]);
    tc_push(L->arena, &touched, all);
    tc_record_hole(L, f, TC_HOLE_VALUE | TC_HOLE_MEMORY | TC_HOLE_SYNC, what, touched.data, touched.len);
    if (result != NULL)
        tc_lift_set(L, L->inst, tc_val_derived(L, result, "result", 1, args->data, args->len));
}

static void lifetime(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    unsigned n = LLVMGetNumArgOperands(inst);
    const tc_val *p = n == 0 ? NULL : tc_lift_operand(L, LLVMGetOperand(inst, n - 1));
    if (p == NULL || p->kind != TC_V_PTR || p->nalts != 1 || L->places.data[p->alts[0].place].kind != TC_PL_LOCAL)
        return;
    tc_local_reset(L, f, L->places.data[p->alts[0].place].local);
}

static LLVMValueRef callee_of(tc_lift *L, LLVMValueRef inst) {
    LLVMValueRef v = LLVMGetCalledValue(inst);
    if (LLVMIsAFunction(v) || LLVMIsAInlineAsm(v))
        return v;
    const tc_val *p = tc_lift_operand(L, v);
    if (p->kind == TC_V_PTR && p->nalts == 1 && L->places.data[p->alts[0].place].kind == TC_PL_FUNCTION)
        return L->places.data[p->alts[0].place].function;
    return NULL;
}

// An intrinsic of LLVM that depends on its arguments alone.
static bool touches_nothing(LLVMValueRef callee) {
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6), convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAttributeRef m = LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, memory);
    return LLVMGetIntrinsicID(callee) != 0 && m != NULL && LLVMGetEnumAttributeValue(m) == 0 &&
           LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, convergent) == NULL;
}

void tc_lift_unknown_call(tc_lift *L, tc_flow *f, const char *what, LLVMValueRef inst) {
    tc_vals args = {0};
    if (L->host != NULL) {
        tc_host_unknown_call(L, f, inst);
        return;
    }
    arguments(L, inst, &args);
    unknown_call(L, f, what, &args, result_type(inst));
}

// The result is written through a pointer.
static bool returns_in_memory(LLVMValueRef callee) {
    unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
    return LLVMCountParams(callee) > 0 && LLVMGetEnumAttributeAtIndex(callee, 1, sret) != NULL;
}

// The toolkit's, which may well touch memory and wait: barriers of a grid, for one.
static bool is_of_toolkit(const char *name) {
    static const char *const prefixes[] = {"llvm.",    "__",         "cuda", "nv", "_ZN18cooperative_groups", "_ZNK18cooperative_groups",
                                           "_ZN4cuda", "_ZNK4cuda", "_ZN6nvcuda", "_ZNK6nvcuda"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static const tc_val *pure_call(tc_lift *L, tc_flow *f, const char *name, const tc_vals *args, LLVMTypeRef result) {
    tc_record_assumption(L, f, tc_lift_bool_sym(L, "no effect", 0xe47e), tc_fmt(L->arena, "'%s' touches no memory and waits for nobody", name),
                         "pure-extern: it has no body here");
    return result == NULL ? NULL : tc_val_derived(L, result, name, 1, args->data, args->len);
}

void tc_lift_call_function(tc_lift *L, tc_flow *f, LLVMValueRef callee, LLVMValueRef inst) {
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    LLVMTypeRef result = result_type(inst);
    tc_vals args = {0};
    if (strncmp(name, "llvm.lifetime.", 14) == 0) {
        lifetime(L, f, inst);
        return;
    }
    if (L->host != NULL && tc_host_call(L, f, callee, name, inst))
        return;
    tc_effect fx = tc_effect_of_call(name);
    if (fx.kind == TC_FX_MEMCPY || fx.kind == TC_FX_MEMMOVE) {
        tc_lift_memcpy(L, f, inst, fx.what);
        return;
    }
    if (fx.kind == TC_FX_MEMSET) {
        tc_lift_memset(L, f, inst);
        return;
    }
    arguments(L, inst, &args);
    const tc_val *r = NULL;
    if (fx.kind == TC_FX_ASSUME)
        tc_promise_bundles(L, f, inst);
    if (fx.kind != TC_FX_UNKNOWN) {
        tc_act a = {.effect = fx, .args = args.data, .nargs = args.len, .result = result};
        r = tc_lift_act(L, f, &a);
    } else if (!LLVMIsDeclaration(callee)) {
        r = tc_lift_function(L, callee, inst, args.data, args.len, f);
    } else if (touches_nothing(callee)) {
        r = result == NULL ? NULL : tc_val_derived(L, result, name, 1, args.data, args.len);
    } else if (L->contract->pure_extern && !returns_in_memory(callee) && !is_of_toolkit(name)) {
        r = pure_call(L, f, tc_demangle(L->arena, name), &args, result);
    } else if (L->host != NULL) {
        tc_host_unknown_call(L, f, inst);
        return;
    } else {
        unknown_call(L, f, tc_fmt(L->arena, "call of unknown function '%s'", tc_demangle(L->arena, name)), &args, result);
        return;
    }
    if (result != NULL)
        tc_lift_set(L, inst, r != NULL ? r : tc_val_unknown(L, result, "result", 1));
}

void tc_lift_call_inst(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMValueRef callee = callee_of(L, inst);
    if (callee == NULL) {
        tc_lift_indirect(L, f, inst);
        return;
    }
    if (LLVMIsAInlineAsm(callee) && L->host != NULL) {
        tc_host_unknown_call(L, f, inst);
        return;
    }
    if (!LLVMIsAInlineAsm(callee)) {
        tc_lift_call_function(L, f, callee, inst);
        return;
    }
    const tc_val *r = tc_lift_asm(L, f, inst);
    if (result_type(inst) != NULL)
        tc_lift_set(L, inst, r != NULL ? r : tc_val_unknown(L, LLVMTypeOf(inst), "asm", 1));
}
