// __restrict__ parameters of device functions: what is reached through one, and written at all, is reached through no other pointer while
// the function runs. Which parameter an address comes from is read off the code. Two accesses that are not shown to be apart are listed.
//
// Kernels' own parameters are objects of their own (TC1001 to TC1003 tell where they may be one).
#include <string.h>

#include "checker/lift.h"

enum { MAX_REACHES = 64, MAX_ROOTS = 64, OTHER = 0x10000, OWN, OPEN }; // OPEN: being looked for

static bool is_restrict(LLVMValueRef function, unsigned param) {
    return LLVMGetEnumAttributeAtIndex(function, param + 1, LLVMGetEnumAttributeKindForName("noalias", 7)) != NULL;
}

bool tc_restrict_any(LLVMValueRef function) {
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (is_restrict(function, i))
            return true;
    return false;
}

// ---- where an address comes from ----

static bool is_lifetime(LLVMValueRef user) {
    size_t n;
    if (LLVMIsACallInst(user) == NULL || LLVMIsAFunction(LLVMGetCalledValue(user)) == NULL)
        return false;
    return strncmp(LLVMGetValueName2(LLVMGetCalledValue(user), &n), "llvm.lifetime.", 14) == 0;
}

typedef struct tc_roots {
    const tc_frame *of; // the function whose parameters are asked about
    LLVMValueRef open[MAX_ROOTS];
    size_t n;
} tc_roots;

static uint32_t root_of(tc_roots *r, const tc_frame *in, LLVMValueRef v);

static uint32_t both(uint32_t a, uint32_t b) { return a == OPEN ? b : b == OPEN || a == b ? a : (uint32_t)OTHER; }

static uint32_t of_argument(tc_roots *r, const tc_frame *in, LLVMValueRef v) {
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(in->cfg->function); i++) {
        if (LLVMGetParam(in->cfg->function, i) != v)
            continue;
        if (LLVMGetEnumAttributeAtIndex(in->cfg->function, i + 1, byval) != NULL)
            return OWN;
        if (in == r->of)
            return i;
        return in->caller == NULL || in->call == NULL || i >= LLVMGetNumArgOperands(in->call)
                   ? (uint32_t)OTHER
                   : root_of(r, in->caller, LLVMGetOperand(in->call, i));
    }
    return OTHER;
}

// What a variable holds: one address, whatever is added to it. SOUND: one whose own address goes elsewhere may hold anything.
static uint32_t of_variable(tc_roots *r, const tc_frame *in, LLVMValueRef variable) {
    uint32_t found = OPEN;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) != NULL || is_lifetime(user))
            continue;
        if (LLVMIsAStoreInst(user) == NULL || LLVMGetOperand(user, 1) != variable)
            return OTHER;
        found = both(found, root_of(r, in, LLVMGetOperand(user, 0)));
    }
    return found;
}

static uint32_t root_of(tc_roots *r, const tc_frame *in, LLVMValueRef v) {
    if (LLVMIsAArgument(v) != NULL)
        return of_argument(r, in, v);
    if (LLVMIsAInstruction(v) == NULL)
        return LLVMIsNull(v) ? (uint32_t)OWN : (uint32_t)OTHER;
    for (size_t i = 0; i < r->n; i++)
        if (r->open[i] == v)
            return OPEN;
    if (r->n == MAX_ROOTS)
        return OTHER;
    r->open[r->n++] = v;
    uint32_t found = OTHER;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca:
        found = OWN;
        break;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        found = root_of(r, in, LLVMGetOperand(v, 0));
        break;
    case LLVMSelect:
        found = both(root_of(r, in, LLVMGetOperand(v, 1)), root_of(r, in, LLVMGetOperand(v, 2)));
        break;
    case LLVMPHI:
        found = OPEN;
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            found = both(found, root_of(r, in, LLVMGetIncomingValue(v, i)));
        break;
    case LLVMLoad:
        if (LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) != NULL)
            found = of_variable(r, in, LLVMGetOperand(v, 0));
        break;
    default:
        break;
    }
    r->n--;
    return found;
}

// The pointer through which the present instruction makes an access; NULL: one of several.
static LLVMValueRef pointer_of(LLVMValueRef inst, bool writes) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(inst, 0);
    case LLVMStore:
        return LLVMGetOperand(inst, 1);
    case LLVMCall:
        break;
    default:
        return NULL;
    }
    LLVMValueRef only = NULL;
    unsigned pointers = 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, i))) == LLVMPointerTypeKind) {
            only = LLVMGetOperand(inst, i);
            pointers++;
        }
    if (pointers == 2 && (LLVMIsAMemCpyInst(inst) != NULL || LLVMIsAMemMoveInst(inst) != NULL))
        return LLVMGetOperand(inst, writes ? 0 : 1);
    return pointers == 1 ? only : NULL;
}

// ---- accesses while the function runs ----

static bool is_same_reach(const tc_reach *a, const tc_reach *b) {
    return a->root == b->root && a->place == b->place && a->offset == b->offset && a->width == b->width && a->guard == b->guard &&
           a->writes == b->writes;
}

void tc_restrict_access(tc_lift *L, tc_t guard, const tc_alt *alt, tc_t width, bool writes) {
    if (L->dry > 0 || L->inst == NULL || tc_is_false(guard))
        return;
    for (tc_frame *f = L->frame; f != NULL && f->caller != NULL; f = f->caller) {
        if (!f->restricts)
            continue;
        tc_roots r = {f, {NULL}, 0};
        LLVMValueRef p = pointer_of(L->inst, writes);
        uint32_t root = p == NULL ? (uint32_t)OTHER : root_of(&r, L->frame, p);
        tc_reach x = {root == OPEN ? (uint32_t)OTHER : root, alt->place, tc_lift_under(L, guard, alt->offset), width, guard, writes};
        bool seen = x.root == OWN;
        for (size_t i = 0; i < f->reaches.len && !seen; i++)
            seen = is_same_reach(&f->reaches.data[i], &x);
        if (!seen)
            tc_push(L->arena, &f->reaches, x);
    }
}

// ---- pairs ----

static bool may_be_one(const tc_lift *L, uint32_t a, uint32_t b) {
    const tc_place *p = &L->places.data[a], *q = &L->places.data[b];
    if (a == b)
        return true;
    if (p->kind != TC_PL_OBJECT || q->kind != TC_PL_OBJECT)
        return p->kind == TC_PL_UNKNOWN || q->kind == TC_PL_UNKNOWN;
    int i = L->m->objects.data[p->object].contract, k = L->m->objects.data[q->object].contract;
    return i >= 0 && k >= 0 && tc_contract_may_meet(L->contract, (uint32_t)i, (uint32_t)k);
}

// Is the parameter's own address taken, by a lambda for instance, so that it is used where its name is not seen?
static bool is_captured(LLVMValueRef function, unsigned param) {
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetParam(function, param)); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), variable = LLVMIsAStoreInst(user) != NULL ? LLVMGetOperand(user, 1) : NULL;
        if (variable == NULL || LLVMIsAAllocaInst(variable) == NULL)
            continue;
        for (LLVMUseRef w = LLVMGetFirstUse(variable); w != NULL; w = LLVMGetNextUse(w)) {
            LLVMValueRef x = LLVMGetUser(w);
            if (LLVMIsALoadInst(x) == NULL && !is_lifetime(x) && (LLVMIsAStoreInst(x) == NULL || LLVMGetOperand(x, 1) != variable))
                return true;
        }
    }
    return false;
}

// How many parameters may point to the place?
static unsigned pointing_to(const tc_lift *L, const tc_frame *f, uint32_t place) {
    unsigned n = 0;
    for (size_t i = 0; i < f->nargs; i++) {
        bool may = false;
        for (size_t k = 0; f->args[i]->kind == TC_V_PTR && k < f->args[i]->nalts; k++)
            may |= may_be_one(L, f->args[i]->alts[k].place, place);
        n += may;
    }
    return n;
}

static bool is_promised_apart(const tc_lift *L, const tc_frame *f, const tc_reach *a, const tc_reach *b) {
    LLVMValueRef fn = f->cfg->function;
    if (!a->writes && !b->writes)
        return false;
    if (a->root == OTHER && b->root == OTHER) {
        for (unsigned i = 0; i < LLVMCountParams(fn); i++)
            if (is_restrict(fn, i) && is_captured(fn, i))
                return pointing_to(L, f, a->place) > 1;
        return false;
    }
    return a->root != b->root && ((a->root != OTHER && is_restrict(fn, a->root)) || (b->root != OTHER && is_restrict(fn, b->root)));
}

typedef struct tc_renamed {
    tc_lift *L;
    const tc_node *node;
    tc_map map;
} tc_renamed;

static void rename_sym(void *ctx, tc_t t) {
    tc_renamed *r = ctx;
    if (t->op != TC_T_SYM || tc_map_has(&r->map, TC_KEY(t)) || !tc_lift_born_in(r->L, t->sym, r->node))
        return;
    tc_sym *s = tc_sym_new(r->L->ts, t->sym->name, TC_SYM_UNKNOWN, TC_VAR_ACCESS, t->sort);
    s->has_lo = t->sym->has_lo;
    s->has_hi = t->sym->has_hi;
    s->lo = t->sym->lo;
    s->hi = t->sym->hi;
    tc_map_put(r->L->arena, &r->map, TC_KEY(t), (void *)(uintptr_t)tc_of_sym(r->L->ts, s));
}

static tc_reach renamed(tc_lift *L, const tc_frame *f, const tc_reach *x) {
    tc_renamed r = {L, f->node, {0}};
    tc_reach y = *x;
    tc_walk(L->ts, x->offset, rename_sym, &r);
    tc_walk(L->ts, x->width, rename_sym, &r);
    tc_walk(L->ts, x->guard, rename_sym, &r);
    y.offset = tc_subst(L->ts, x->offset, &r.map);
    y.width = tc_subst(L->ts, x->width, &r.map);
    y.guard = tc_subst(L->ts, x->guard, &r.map);
    return y;
}

// SOUND: what the function's run chooses, iterations and values read, may differ between the two accesses; and is not what it was last.
static void check_pair(tc_lift *L, const tc_frame *f, const tc_reach *x, const tc_reach *y, const char *text) {
    tc_terms *ts = L->ts;
    tc_reach a = renamed(L, f, x), b = renamed(L, f, y);
    tc_t apart = tc_or(ts, tc_le(ts, tc_add(ts, a.offset, a.width), b.offset), tc_le(ts, tc_add(ts, b.offset, b.width), a.offset));
    if (a.place != b.place)
        apart = tc_lift_bool_sym(L, "apart", 0xa9a7);
    tc_flow g = {.guard = tc_and(ts, a.guard, b.guard)};
    tc_record_assumption(L, &g, apart, text, "__restrict__: the compiler takes it as a fact");
}

void tc_restrict_end(tc_lift *L, tc_flow *flow, const tc_frame *f, const char *name) {
    const char *text = tc_fmt(L->arena, "in '%s' no other pointer reaches what a __restrict__ one does", name);
    if (L->dry > 0)
        return;
    for (size_t i = 0; i < f->reaches.len; i++)
        for (size_t k = i + 1; k < f->reaches.len; k++) {
            const tc_reach *a = &f->reaches.data[i], *b = &f->reaches.data[k];
            if (!may_be_one(L, a->place, b->place) || !is_promised_apart(L, f, a, b))
                continue;
            if (f->reaches.len > MAX_REACHES) { // too many pairs to be asked about
                tc_record_assumption(L, flow, tc_lift_bool_sym(L, "apart", 0xa9a7), text, "__restrict__: the compiler takes it as a fact");
                return;
            }
            check_pair(L, f, a, b, text);
        }
}
