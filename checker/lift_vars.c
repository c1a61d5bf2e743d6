// What an iteration of a loop changes, and how: closed forms over the loop's counter where there are any.
#include "checker/host.h"
#include "checker/lift.h"

enum { MAX_PASSES = 24, MAX_SET = 4 };

// ---- finding out ----

static tc_var *find_var(tc_vars *vars, const tc_cell *c) {
    for (size_t i = 0; i < vars->len; i++)
        if (vars->data[i].cell == c)
            return &vars->data[i];
    return NULL;
}

typedef struct tc_changes {
    tc_lift *L;
    tc_vars *vars;
    const tc_flow *entry;
    bool found;
} tc_changes;

// What a cell holds; where its bytes were written through other cells, some value, if all of them were.
static const tc_val *seen(tc_lift *L, const tc_flow *f, const tc_cell *cell) {
    const tc_val *v = tc_state_get(&f->state, cell->index);
    bool others = v == NULL && cell->local != NULL && tc_local_is_written(f, cell->local, cell->offset, cell->width);
    return others || tc_val_is_covered(v) ? tc_local_other_bytes(L, &f->state, cell) : v;
}

static void add_var(tc_lift *L, tc_vars *vars, const tc_flow *entry, tc_cell *cell, const tc_val *back) {
    const tc_val *now = tc_val_is_covered(back) ? tc_val_any(L) : back; // until the pass is over
    tc_push(L->arena, vars, ((tc_var){.cell = cell, .back = now, .entry = seen(L, entry, cell)}));
}

static void note_change(void *ctx, uint32_t cell, const tc_val *header, const tc_val *back) {
    tc_changes *c = ctx;
    tc_cell *at = c->L->cells.data[cell];
    if (find_var(c->vars, at) != NULL)
        return;
    // Of a float's value no more is known than where it is the same, so beside that only its being written matters.
    if (header != NULL && back != NULL && header->kind == TC_V_FLOAT && back->kind == TC_V_FLOAT &&
        header->undef == back->undef && (header->bits == NULL || header->bits == back->bits))
        return;
    add_var(c->L, c->vars, c->entry, at, back);
    c->found = true;
}

// The cells that an earlier run of the same loop found: kept with the loop's node.
static tc_vars *remembered(tc_lift *L, tc_loop_ctx *c) {
    uint64_t key = tc_hash_mix(c->header, 0x3a25);
    tc_vars *m = tc_map_get(&c->node->things, key);
    if (m == NULL) {
        m = TC_NEW(L->arena, tc_vars);
        tc_map_put(L->arena, &c->node->things, key, m);
    }
    return m;
}

// ---- pointers that change their base ----

static bool same_base(const tc_val *entry, const tc_val *back) {
    if (entry == NULL || entry->kind != TC_V_PTR || back->kind != TC_V_PTR || entry->nalts != back->nalts)
        return false;
    for (size_t i = 0; i < entry->nalts; i++)
        if (entry->alts[i].place != back->alts[i].place || entry->alts[i].cond != back->alts[i].cond)
            return false;
    return true;
}

// Adds the places of p to the variable's set; true when it grew.
static bool widen_set(tc_lift *L, tc_loop_ctx *c, tc_var *v, const tc_val *p) {
    bool grew = false;
    if (L->host != NULL) // the set may give way to "anything"
        tc_host_leak(L, p);
    for (size_t i = 0; i < p->nalts && !v->wide; i++) {
        tc_alt a = p->alts[i];
        if (L->places.data[a.place].kind == TC_PL_UNKNOWN) {
            v->wide = grew = true;
            break;
        }
        size_t k = 0;
        while (k < v->set.len && v->set.data[k].place != a.place)
            k++;
        bool fixed = !tc_lift_varies_in(L, a.offset, c->node);
        if (k == v->set.len) {
            if (v->set.len == MAX_SET) {
                v->wide = grew = true;
                break;
            }
            tc_push(L->arena, &v->set, ((tc_alt){NULL, a.place, fixed ? a.offset : NULL}));
            grew = true;
        } else if (v->set.data[k].offset != NULL && v->set.data[k].offset != a.offset) {
            v->set.data[k].offset = NULL; // SOUND: any offset in that object
            grew = true;
        }
    }
    return grew;
}

// Does the pointer move by some amount from its first value, or change its base? True when the form changed.
static bool settle_pointer(tc_lift *L, tc_loop_ctx *c, tc_var *v) {
    if (v->back == NULL || v->back->kind != TC_V_PTR || v->wide)
        return false;
    if (v->form != TC_F_SET) {
        if (same_base(v->entry, v->back))
            return false;
        v->form = TC_F_SET;
        if (v->entry != NULL && v->entry->kind == TC_V_PTR)
            widen_set(L, c, v, v->entry);
        else if (v->entry != NULL)
            v->wide = true;
        widen_set(L, c, v, v->back);
        return true;
    }
    return widen_set(L, c, v, v->back);
}

// ---- header values ----

static uint64_t var_key(const tc_var *v, uint64_t which) { return tc_hash_mix(v->cell->index + 1, which + 0x7a5); }

static const char *var_name(tc_lift *L, const tc_var *v) {
    size_t n = 0;
    const char *name = v->cell->local == NULL || v->cell->local->value == NULL ? NULL : LLVMGetValueName2(v->cell->local->value, &n);
    return n == 0 ? "carried" : tc_strndup(L->arena, name, n);
}

static bool is_uninit_sym(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_SYM && t->sym->kind == TC_SYM_UNINIT;
}

static bool has_uninit(tc_lift *L, const tc_val *v) {
    return v != NULL && v->kind == TC_V_INT && tc_any(L->ts, v->term, is_uninit_sym, NULL);
}

static const tc_val *unknown_integer(tc_lift *L, tc_var *v, const tc_val *like) {
    unsigned width = like->width;
    bool fresh;
    tc_sym_kind kind = has_uninit(L, v->entry) || has_uninit(L, v->back) ? TC_SYM_UNINIT : TC_SYM_UNKNOWN;
    tc_interval r = {true, true, -tc_pow2(width - 1), tc_pow2(width - 1) - 1};
    if (v->exact) {
        r.lo = v->lo;
        r.hi = v->hi;
    } else if (v->is_unsigned) {
        r.lo = 0;
        r.hi = tc_pow2(width) - 1;
    }
    // Two readings are two symbols. Of 64 bits the ends take more than a word: -2^63 … 2^63 - 1, 0 … 2^64 - 1.
    uint64_t key = var_key(v, v->exact ? 2 : 1);
    key = tc_hash_mix(tc_hash_mix(key, (uint64_t)r.lo), tc_hash_mix((uint64_t)(r.lo >> 64), (uint64_t)r.hi));
    tc_sym *s = tc_lift_sym(L, var_name(L, v), kind, width == 1 ? TC_BOOL : TC_INT, key, &fresh);
    s->traced = true;
    if (fresh && width > 1) {
        s->has_lo = s->has_hi = true;
        s->lo = r.lo;
        s->hi = r.hi;
    }
    v->sym = s;
    return tc_val_made(L, width, tc_of_sym(L->ts, s), like->made, like->what);
}

static const tc_val *unknown_pointer(tc_lift *L, tc_var *v) {
    bool fresh;
    if (v->wide)
        return tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    if (v->form == TC_F_SET) {
        TC_VEC(tc_alt) alts = {0};
        tc_t rest = L->tt;
        for (size_t i = 0; i < v->set.len; i++) {
            tc_alt a = v->set.data[i];
            tc_t here = i + 1 == v->set.len ? L->tt : tc_lift_bool_sym(L, "which", var_key(v, 16 + i));
            a.cond = tc_and(L->ts, rest, here);
            rest = tc_and(L->ts, rest, tc_not(L->ts, here));
            if (a.offset == NULL)
                a.offset = tc_of_sym(L->ts, tc_lift_sym(L, "offset", TC_SYM_UNKNOWN, TC_INT, var_key(v, 32 + i), &fresh));
            tc_push(L->arena, &alts, a);
        }
        return tc_val_alts(L, alts.data, alts.len);
    }
    if (v->entry == NULL || v->entry->kind != TC_V_PTR)
        return tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    v->moved = tc_of_sym(L->ts, tc_lift_sym(L, "moved", TC_SYM_UNKNOWN, TC_INT, var_key(v, 3), &fresh));
    TC_VEC(tc_alt) alts = {0};
    for (size_t i = 0; i < v->entry->nalts; i++) {
        tc_alt a = v->entry->alts[i];
        a.offset = tc_add(L->ts, a.offset, v->moved);
        tc_push(L->arena, &alts, a);
    }
    return tc_val_alts(L, alts.data, alts.len);
}

static const tc_val *taken_in_turn(tc_lift *L, tc_loop_ctx *c, const tc_var *v) {
    tc_terms *ts = L->ts;
    TC_VEC(tc_alt) alts = {0};
    tc_t turn = tc_mod(ts, c->k, tc_int(ts, (tc_i128)v->turns.len)), rest = L->tt;
    for (size_t i = 0; i < v->turns.len; i++) {
        tc_alt a = v->turns.data[i];
        tc_t here = i + 1 == v->turns.len ? L->tt : tc_eq(ts, turn, tc_int(ts, (tc_i128)i));
        a.cond = tc_and(ts, rest, here);
        rest = tc_and(ts, rest, tc_not(ts, here));
        tc_push(L->arena, &alts, a);
    }
    return tc_val_alts(L, alts.data, alts.len);
}

// k * step, with what an amount hangs on outermost: each way is a product of its own then.
static tc_t times(tc_terms *ts, tc_t k, tc_t step) {
    return step->op == TC_T_ITE ? tc_ite(ts, step->args[0], times(ts, k, step->args[1]), times(ts, k, step->args[2])) : tc_mul(ts, k, step);
}

static const tc_val *closed_value(tc_lift *L, tc_loop_ctx *c, tc_var *v) {
    tc_terms *ts = L->ts;
    if (v->form == TC_F_FLIP) {
        tc_t even = tc_eq(ts, tc_mod(ts, c->k, tc_int(ts, 2)), tc_int(ts, 0));
        return tc_val_bool(L, tc_ite(ts, even, v->entry->term, tc_not(ts, v->entry->term)));
    }
    if (v->form == TC_F_LATE) {
        tc_map map = {0};
        tc_map_put(L->arena, &map, TC_KEY(c->k), (void *)(uintptr_t)tc_addc(ts, c->k, -1));
        tc_t t = tc_subst(ts, v->late, &map);
        if (v->entry != NULL) // where it is NULL, iteration 0 is marked as not written
            t = tc_ite(ts, tc_eq(ts, c->k, tc_int(ts, 0)), v->entry->term, t);
        return tc_val_made(L, v->back->width, t, v->back->made, v->back->what);
    }
    if (v->form == TC_F_TURNS)
        return taken_in_turn(L, c, v);
    tc_t by = times(ts, c->k, v->step);
    if (v->form == TC_F_DOUBLED || v->form == TC_F_HALVED) {
        tc_t factor = tc_pow2_term(ts, by), x0 = v->entry->term;
        return tc_val_made(L, v->back->width, v->form == TC_F_DOUBLED ? tc_mul(ts, x0, factor) : tc_div(ts, x0, factor),
                           v->back->made, v->back->what);
    }
    if (v->back->kind == TC_V_PTR) {
        TC_VEC(tc_alt) alts = {0};
        for (size_t i = 0; i < v->entry->nalts; i++) {
            tc_alt a = v->entry->alts[i];
            a.offset = tc_add(ts, a.offset, by);
            tc_push(L->arena, &alts, a);
        }
        return tc_val_alts(L, alts.data, alts.len);
    }
    tc_t t = tc_add(ts, v->entry->term, by);
    if (v->form == TC_F_CYCLE)
        t = tc_mod(ts, t, v->period);
    if (v->form == TC_F_SQUARE) {
        tc_t pairs = tc_div(ts, tc_sub(ts, tc_mul(ts, c->k, c->k), c->k), tc_int(ts, 2));
        t = tc_add(ts, t, tc_mul(ts, v->period, pairs));
    }
    return tc_val_made(L, v->back->width, t, v->back->made, v->back->what);
}

static const tc_val *header_value(tc_lift *L, tc_loop_ctx *c, tc_var *v) {
    if (v->form != TC_F_UNKNOWN && v->form != TC_F_SET)
        return closed_value(L, c, v);
    const tc_val *like = v->back != NULL ? v->back : v->entry;
    if (like == NULL)
        return NULL;
    switch (like->kind) {
    case TC_V_INT:
        return v->entry == NULL || (v->entry->kind == TC_V_INT && v->entry->width == like->width)
                   ? unknown_integer(L, v, like)
                   : tc_val_any(L);
    case TC_V_PTR:
        return unknown_pointer(L, v);
    case TC_V_FLOAT:
        return v->entry == NULL || v->entry->kind == TC_V_FLOAT ? tc_val_float(L, L->ff) : tc_val_any(L);
    default:
        return tc_val_any(L);
    }
}

// Not written before the loop, and perhaps not by the iterations before.
static tc_t header_undef(tc_lift *L, tc_loop_ctx *c, tc_var *v) {
    tc_t entry = v->entry != NULL ? v->entry->undef
                 : v->cell->local != NULL && v->cell->local->param >= 0 ? L->ff
                                                                        : L->tt;
    tc_t back = v->back == NULL ? L->tt : v->back->undef;
    if (tc_is_false(entry) && tc_is_false(back))
        return L->ff;
    if (tc_is_false(back))
        return tc_and(L->ts, entry, tc_eq(L->ts, c->k, tc_int(L->ts, 0)));
    return tc_lift_bool_sym(L, "not written", var_key(v, 4));
}

tc_flow tc_vars_header(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars) {
    tc_flow h = tc_flow_fork(L, entry, L->tt);
    tc_node *node = L->node;
    LLVMValueRef inst = L->inst;
    L->node = c->node;
    L->inst = NULL;
    for (size_t i = 0; i < vars->len; i++) {
        tc_var *v = &vars->data[i];
        const tc_val *x = header_value(L, c, v);
        tc_t undef = header_undef(L, c, v);
        if (x != NULL && x->undef != undef) {
            tc_val *u = TC_NEW(L->arena, tc_val);
            *u = *x;
            u->undef = undef;
            // An integer's term shows where it was not written.
            if (u->kind == TC_V_INT && u->width > 1 && !tc_is_false(undef))
                u->term = tc_ite(L->ts, undef, tc_cell_uninit(L, v->cell), u->term);
            x = u;
        }
        v->header = x;
        tc_state_set(L, &h.state, v->cell->index, x);
    }
    L->node = node;
    L->inst = inst;
    return h;
}

void tc_vars_back(tc_lift *L, const tc_flow *back, tc_vars *vars) {
    for (size_t i = 0; i < vars->len; i++)
        vars->data[i].back = seen(L, back, vars->data[i].cell);
}

void tc_vars_discover(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars) {
    tc_vars *known = remembered(L, c);
    for (size_t i = 0; i < known->len; i++)
        if (find_var(vars, known->data[i].cell) == NULL)
            add_var(L, vars, entry, known->data[i].cell, known->data[i].back);
    L->dry++;
    for (unsigned pass = 0; pass < MAX_PASSES && !L->stopped; pass++) {
        tc_flow header = tc_vars_header(L, c, entry, vars), back;
        if (!tc_loop_pass(L, c, header, &back)) {
            // Maybe only under the values of the first iteration: they are what the header has for now.
            break;
        }
        tc_changes ch = {L, vars, entry, false};
        tc_state_diff(header.state, back.state, note_change, &ch);
        tc_vars_back(L, &back, vars);
        for (size_t i = 0; i < vars->len; i++)
            ch.found |= settle_pointer(L, c, &vars->data[i]);
        if (!ch.found)
            break;
        if (pass + 1 == MAX_PASSES)
            L->stopped = true; // never seen to happen
    }
    L->dry--;
    known->len = 0;
    for (size_t i = 0; i < vars->len; i++)
        tc_push(L->arena, known, vars->data[i]);
}

// ---- closed forms ----

typedef struct tc_unwrapping {
    tc_lift *lift;
    unsigned width;
    tc_map done; // terms share parts: each is looked at once
} tc_unwrapping;

static tc_t unwrapped(tc_unwrapping *u, tc_t t);

static tc_t unwrapped_parts(tc_unwrapping *u, tc_t t) {
    tc_terms *ts = u->lift->ts;
    switch (t->op) {
    case TC_T_WRAP:
        return tc_wrap_width(t) >= u->width ? unwrapped(u, t->args[0]) : t;
    case TC_T_ADD: {
        tc_t r = tc_int(ts, 0);
        for (uint32_t i = 0; i < t->nargs; i++)
            r = tc_add(ts, r, unwrapped(u, t->args[i]));
        return r;
    }
    case TC_T_MUL: {
        tc_t r = tc_int(ts, 1);
        for (uint32_t i = 0; i < t->nargs; i++)
            r = tc_mul(ts, r, unwrapped(u, t->args[i]));
        return r;
    }
    case TC_T_ITE: {
        tc_t a = unwrapped(u, t->args[1]), b = unwrapped(u, t->args[2]);
        return tc_ite(ts, t->args[0], a, b);
    }
    default:
        return t;
    }
}

static tc_t unwrapped(tc_unwrapping *u, tc_t t) {
    if (t->op != TC_T_WRAP && t->op != TC_T_ADD && t->op != TC_T_MUL && t->op != TC_T_ITE)
        return t;
    tc_t r = tc_map_get(&u->done, TC_KEY(t));
    if (r)
        return r;
    r = unwrapped_parts(u, t);
    tc_map_put(u->lift->arena, &u->done, TC_KEY(t), (void *)(uintptr_t)r);
    return r;
}

tc_t tc_lift_unwrapped(tc_lift *L, tc_t t, unsigned width) {
    tc_unwrapping u = {.lift = L, .width = width};
    return unwrapped(&u, t);
}

static bool invariant(tc_lift *L, tc_loop_ctx *c, tc_t t) { return !tc_lift_varies_in(L, t, c->node); }

// x = (x + step) % period, x ^= 1, x = 1 - x.
static bool is_cycle(tc_lift *L, tc_loop_ctx *c, tc_var *v, tc_t h) {
    tc_terms *ts = L->ts;
    tc_t b = v->back->term, two = tc_int(ts, 2), one = tc_int(ts, 1);
    tc_interval r = tc_lift_range(L, v->entry->term);
    if (tc_range_within(r, 0, 1) && (b == tc_bitop(ts, TC_T_BITXOR, h, one) || tc_lift_unwrapped(L, b, v->back->width) == tc_sub(ts, one, h))) {
        v->step = one;
        v->period = two;
        return true;
    }
    if ((b->op != TC_T_MOD && b->op != TC_T_TREM) || !tc_is_const(b->args[1]))
        return false;
    tc_i128 period = b->args[1]->value;
    tc_t step = tc_sub(ts, tc_lift_unwrapped(L, b->args[0], v->back->width), h);
    // Neither the sum nor the remainder leaves the range while 0 <= x < period.
    if (period < 1 || !tc_is_const(step) || step->value < 0 || step->value > 1 << 20 || period > 1 << 20 ||
        v->back->width < 32 || !tc_range_within(r, 0, period - 1) || !invariant(L, c, v->entry->term))
        return false;
    v->step = step;
    v->period = b->args[1];
    return true;
}

typedef struct tc_signs {
    bool with, without;
    bool reads; // by what makes another thing of a negative number
} tc_signs;

// C's types are not in the IR; what is done with a value tells.
static void note_sign(LLVMValueRef user, tc_signs *s) {
    switch (LLVMIsAInstruction(user) == NULL ? LLVMPHI : LLVMGetInstructionOpcode(user)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
        *(LLVMGetNSW(user) ? &s->with : &s->without) = true;
        break;
    case LLVMSExt:
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMAShr:
        s->with = true;
        break;
    case LLVMZExt:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMLShr:
        s->without = s->reads = true;
        break;
    case LLVMICmp: {
        LLVMIntPredicate p = LLVMGetICmpPredicate(user);
        s->with |= p >= LLVMIntSGT;
        s->without |= p >= LLVMIntUGT && p <= LLVMIntULE;
        break;
    }
    default:
        break;
    }
}

static tc_signs *signs_of_variable(tc_lift *L, LLVMValueRef variable) {
    tc_signs *s = TC_NEW(L->arena, tc_signs);
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef load = LLVMGetUser(u);
        if (LLVMIsALoadInst(load) == NULL)
            continue;
        for (LLVMUseRef w = LLVMGetFirstUse(load); w != NULL; w = LLVMGetNextUse(w))
            note_sign(LLVMGetUser(w), s);
    }
    return s;
}

// Found once for all loops that change the variable.
static tc_signs signs_of(tc_lift *L, const tc_var *v) {
    if (v->cell->local == NULL || LLVMIsAAllocaInst(v->cell->local->value) == NULL)
        return (tc_signs){0};
    LLVMValueRef variable = v->cell->local->value;
    if (!tc_map_has(&L->signs, TC_KEY(variable)))
        tc_map_put(L->arena, &L->signs, TC_KEY(variable), signs_of_variable(L, variable));
    return *(tc_signs *)tc_map_get(&L->signs, TC_KEY(variable));
}

// Is the variable one of C's unsigned types? The symbol that stands for it is better the unsigned reading then: a guess, as
// each reading is one of all values of the type.
static bool is_used_unsigned(tc_lift *L, const tc_var *v) {
    tc_signs s = signs_of(L, v);
    return s.without && !s.with;
}

// Is a negative number another one to it? Where C widens what it reads, or divides or shifts it, as one of an unsigned
// type. Comparing one so is a way to ask whether it is in range.
static bool tells_signs(tc_lift *L, const tc_var *v, unsigned width) {
    enum { int_bits = 32 };
    tc_signs s = signs_of(L, v);
    return (width < int_bits && s.with != s.without) || (v->is_unsigned && s.reads);
}

// The step grows by the same constant each time: x = 0; for (i = 0; …; i++) x += i. SOUND: congruent modulo 2^w, as a sum is.
static bool is_square(tc_lift *L, tc_loop_ctx *c, tc_var *v, tc_t step) {
    tc_t first = tc_loop_at(L, c, step, tc_int(L->ts, 0));
    tc_t growth = tc_sub(L->ts, tc_loop_at(L, c, step, tc_addc(L->ts, c->k, 1)), step);
    if (!tc_is_const(growth) || !invariant(L, c, first) ||
        step != tc_add(L->ts, first, tc_mul(L->ts, c->k, growth)))
        return false;
    v->form = TC_F_SQUARE;
    v->step = first;
    v->period = growth;
    return true;
}

// What is added to h: where that hangs on conditions, a few of them, on each way.
static tc_t added_to(tc_lift *L, tc_t t, tc_t h, unsigned conditions) {
    if (t->op != TC_T_ITE || conditions == 0)
        return tc_sub(L->ts, t, h);
    return tc_ite(L->ts, t->args[0], added_to(L, t->args[1], h, conditions - 1), added_to(L, t->args[2], h, conditions - 1));
}

static void classify_integer(tc_lift *L, tc_loop_ctx *c, tc_var *v) {
    unsigned w = v->back->width;
    tc_t h = v->header->term;
    if (w == 1) {
        if (v->back->term == tc_not(L->ts, h))
            v->form = TC_F_FLIP;
        return;
    }
    tc_t next = tc_lift_unwrapped(L, v->back->term, w), step = tc_sub(L->ts, next, h), on_each_way = added_to(L, next, h, 3);
    if (!invariant(L, c, step) && invariant(L, c, on_each_way))
        step = on_each_way;
    if (invariant(L, c, step)) {
        // SOUND: terms are congruent modulo 2^w, so x0 + k * step is the value whether or not it wraps on the way.
        v->form = TC_F_AFFINE;
        v->step = step;
        return;
    }
    if (is_square(L, c, v, step))
        return;
    if (is_cycle(L, c, v, h)) {
        v->form = TC_F_CYCLE;
        return;
    }
    v->is_unsigned = is_used_unsigned(L, v);
    tc_interval a = tc_lift_range(L, v->entry->term), b = tc_lift_range(L, v->back->term);
    if (!a.has_lo || !a.has_hi || !b.has_lo || !b.has_hi)
        return;
    v->lo = a.lo < b.lo ? a.lo : b.lo;
    v->hi = a.hi > b.hi ? a.hi : b.hi;
    // SOUND: the range of the next value was found with an unknown present one.
    v->exact = v->hi - v->lo < tc_pow2(w) && (v->lo > -tc_pow2(w - 1) || v->hi < tc_pow2(w - 1) - 1);
    v->exact &= !v->is_unsigned || v->lo >= 0;
}

static void classify_pointer(tc_lift *L, tc_loop_ctx *c, tc_var *v) {
    if (v->form == TC_F_SET || v->moved == NULL || !same_base(v->entry, v->back) || v->back->nalts == 0)
        return;
    tc_t step = NULL;
    for (size_t i = 0; i < v->back->nalts; i++) {
        tc_t s = tc_sub(L->ts, v->back->alts[i].offset, v->header->alts[i].offset);
        if ((step != NULL && s != step) || !invariant(L, c, s))
            return;
        step = s;
    }
    v->form = TC_F_AFFINE;
    v->step = step;
}

static bool same_pointer(const tc_val *x, const tc_val *y) {
    if (x == y)
        return true;
    if (x == NULL || y == NULL || x->kind != TC_V_PTR || y->kind != TC_V_PTR || x->nalts != y->nalts)
        return false;
    for (size_t i = 0; i < x->nalts; i++)
        if (x->alts[i].place != y->alts[i].place || x->alts[i].cond != y->alts[i].cond || x->alts[i].offset != y->alts[i].offset)
            return false;
    return true;
}

static bool may_take_turns(const tc_var *v) {
    const tc_val *all[] = {v->entry, v->header, v->back};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == NULL || all[i]->kind != TC_V_PTR || !tc_is_false(all[i]->undef))
            return false;
    return (v->form == TC_F_SET || v->form == TC_F_UNKNOWN) && !v->wide && v->entry->nalts == 1;
}

// The variable whose value before an iteration v has after it; NULL: there is none.
static tc_var *takes_over(tc_vars *vars, const tc_var *v) {
    for (size_t i = 0; i < vars->len; i++)
        if (may_take_turns(&vars->data[i]) && same_pointer(vars->data[i].header, v->back))
            return &vars->data[i];
    return NULL;
}

// Pointers that change places: t = from; from = to; to = t. SOUND: by induction on the iterations, whatever the headers' values stand
// for: what a variable is after one of them is, term by term, what the next of the ring was before it.
static bool classify_ring(tc_lift *L, tc_vars *vars, tc_var *first) {
    TC_VEC(tc_var *) ring = {0};
    for (tc_var *v = first; may_take_turns(v); v = takes_over(vars, v)) {
        tc_push(L->arena, &ring, v);
        tc_var *next = takes_over(vars, v);
        if (next == NULL || ring.len > MAX_SET)
            return false;
        if (next == first)
            break;
    }
    for (size_t i = 0; i < ring.len; i++) {
        ring.data[i]->turns.len = 0;
        for (size_t k = 0; k < ring.len; k++)
            tc_push(L->arena, &ring.data[i]->turns, ring.data[(i + k) % ring.len]->entry->alts[0]);
    }
    for (size_t i = 0; i < ring.len; i++)
        ring.data[i]->form = TC_F_TURNS;
    return ring.len > 0;
}

static bool classify_rings(tc_lift *L, tc_vars *vars) {
    bool any = false;
    for (size_t i = 0; i < vars->len; i++)
        any |= may_take_turns(&vars->data[i]) && classify_ring(L, vars, &vars->data[i]);
    return any;
}

bool tc_vars_classify(tc_lift *L, tc_loop_ctx *c, tc_vars *vars) {
    bool any = classify_rings(L, vars);
    for (size_t i = 0; i < vars->len; i++) {
        tc_var *v = &vars->data[i];
        if (v->form != TC_F_UNKNOWN || v->entry == NULL || v->back == NULL || v->header == NULL || v->entry->kind != v->back->kind ||
            v->header->kind != v->back->kind || !tc_is_false(v->entry->undef) || !tc_is_false(v->back->undef))
            continue;
        if (v->back->kind == TC_V_INT && v->entry->width == v->back->width)
            classify_integer(L, c, v);
        else if (v->back->kind == TC_V_PTR)
            classify_pointer(L, c, v);
        any |= v->form != TC_F_UNKNOWN;
    }
    return any;
}

// The s of 2^s; 0 when it is none.
static unsigned log_of(tc_t t) {
    for (unsigned s = 1; tc_is_const(t) && s < 31; s++)
        if (t->value == tc_pow2(s))
            return s;
    return 0;
}

// SOUND: doubling: terms are congruent modulo 2^w. Halving: of a value that is not negative, C's division, a shift and the floor
// agree, and none of the values is negative then, the first being a constant of the type.
static bool is_geometric(tc_lift *L, tc_var *v) {
    if (v->form != TC_F_UNKNOWN || v->sym == NULL || v->entry == NULL || v->entry->kind != TC_V_INT || v->back == NULL ||
        v->back->kind != TC_V_INT || v->header->kind != TC_V_INT || v->back->width != v->entry->width || v->back->width < 8 ||
        !tc_is_const(v->entry->term) || v->entry->term->value < 1 ||
        v->entry->term->value >= tc_pow2(v->back->width - 1) || !tc_is_false(v->back->undef) || !tc_is_false(v->entry->undef))
        return false;
    tc_t h = v->header->term, b = tc_lift_unwrapped(L, v->back->term, v->back->width);
    unsigned s = 0;
    tc_form form = TC_F_DOUBLED;
    if (b->op == TC_T_MUL && b->nargs == 2 && b->args[1] == h) {
        s = log_of(b->args[0]);
    } else if ((b->op == TC_T_DIV || b->op == TC_T_TDIV) && b == v->back->term && b->args[0] == h) {
        form = TC_F_HALVED;
        s = log_of(b->args[1]);
    }
    if (s == 0)
        return false;
    v->form = form;
    v->step = tc_int(L->ts, (tc_i128)s);
    return true;
}

unsigned tc_vars_find_geometric(tc_lift *L, tc_vars *vars) {
    unsigned n = 0;
    for (size_t i = 0; i < vars->len; i++)
        n += is_geometric(L, &vars->data[i]);
    return n;
}

bool tc_vars_stay_small(const tc_vars *vars, tc_i128 trips) {
    enum { most_bits = 62 };
    for (size_t i = 0; i < vars->len; i++) {
        const tc_var *v = &vars->data[i];
        if (v->form == TC_F_HALVED || (v->form == TC_F_DOUBLED && (trips > most_bits || v->step->value * trips > most_bits)))
            return false;
    }
    return true;
}

void tc_vars_not_geometric(tc_vars *vars) {
    for (size_t i = 0; i < vars->len; i++)
        if (vars->data[i].form == TC_F_DOUBLED || vars->data[i].form == TC_F_HALVED)
            vars->data[i].form = TC_F_UNKNOWN;
}

static bool is_wrap_or_other(void *ctx, tc_t t) {
    const tc_loop_ctx *c = ctx;
    return t->op == TC_T_WRAP || (t->op == TC_T_SYM && t->sym != c->counter && t->sym->variance >= TC_VAR_ITERATION);
}

bool tc_vars_find_late(tc_lift *L, tc_loop_ctx *c, tc_vars *vars) {
    bool found = false;
    for (size_t i = 0; i < vars->len; i++) {
        tc_var *v = &vars->data[i];
        if (v->form != TC_F_UNKNOWN || v->back == NULL || v->back->kind != TC_V_INT || v->back->width == 1 ||
            !tc_is_false(v->back->undef) || tc_any(L->ts, v->back->term, is_wrap_or_other, c))
            continue;
        if (v->entry != NULL && (v->entry->kind != TC_V_INT || v->entry->width != v->back->width))
            continue;
        v->form = TC_F_LATE;
        v->late = v->back->term;
        found = true;
    }
    return found;
}

// ---- values as the invariants see them ----

// A value that has left the type's range, by an unsigned sum or by narrowing, is read at no other place when it enters a
// variable without a closed form. SOUND: the node is read here, under the check's guard, and has its argument's value where
// the check holds. A value that fits one of the two readings is none that has left, but where the variable is read as the other.
static tc_t checked_reading(tc_lift *L, const tc_flow *f, const tc_var *v, const tc_val *x) {
    unsigned w = x->width;
    if (v->form != TC_F_UNKNOWN || v->sym == NULL || v->exact || x->kind != TC_V_INT || w < 2 || v->back->width != w ||
        !tc_is_false(x->undef))
        return NULL;
    tc_i128 lo = v->is_unsigned ? 0 : -tc_pow2(w - 1), hi = tc_pow2(v->is_unsigned ? w : w - 1) - 1;
    tc_interval r = tc_lift_range(L, x->term);
    if (tc_range_within(r, lo, hi) || (!tells_signs(L, v, w) && tc_range_within(r, -tc_pow2(w - 1), tc_pow2(w) - 1)))
        return NULL;
    tc_t node = tc_wrap_kept(L->ts, x->term, w, !v->is_unsigned);
    if (node->op == TC_T_WRAP)
        tc_record_check(L, f, TC_CK_WRAP, tc_in_range(L->ts, x->term, lo, hi), node, x->what != NULL ? x->what : "value",
                        x->made != NULL ? x->made : L->inst);
    return node;
}

void tc_vars_check(tc_lift *L, const tc_flow *f, tc_vars *vars, bool back) {
    for (size_t i = 0; i < vars->len; i++) {
        tc_var *v = &vars->data[i];
        const tc_val *x = back ? v->back : v->entry;
        if (x != NULL && v->back != NULL && v->back->kind == TC_V_INT)
            *(back ? &v->back_read : &v->entry_read) = checked_reading(L, f, v, x);
    }
}

static tc_t as_symbol_reads(tc_lift *L, const tc_var *v, tc_t t) {
    return v->exact ? t : tc_wrap(L->ts, t, v->back->width, !v->is_unsigned);
}

tc_t tc_var_entry_term(tc_lift *L, const tc_var *v) {
    if (v->sym == NULL || v->entry == NULL || v->entry->kind != TC_V_INT || v->entry->width < 2 ||
        v->back == NULL || v->back->kind != TC_V_INT)
        return NULL;
    return v->entry_read != NULL ? v->entry_read : as_symbol_reads(L, v, v->entry->term);
}

tc_t tc_var_back_term(tc_lift *L, const tc_var *v) {
    if (v->back == NULL || v->back->kind != TC_V_INT || v->back->width < 2)
        return NULL;
    return v->back_read != NULL ? v->back_read : as_symbol_reads(L, v, v->back->term);
}
