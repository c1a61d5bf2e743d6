// What the facts say of single symbols, so that the symbols get these ranges.
#include "checker/contract_build.h"

// ---- from facts to bounds ----

// constant + coef * sym
typedef struct single {
    const tc_sym *sym;
    tc_i128 coef, constant;
} single;

static bool add_summand(single *r, tc_t t) {
    if (tc_is_const(t))
        return tc_add128(r->constant, t->value, &r->constant);
    tc_i128 coef = 1;
    if (t->op == TC_T_MUL && t->nargs == 2 && tc_is_const(t->args[0])) {
        coef = t->args[0]->value;
        t = t->args[1];
    }
    if (t->op != TC_T_SYM || r->sym)
        return false;
    r->sym = t->sym;
    r->coef = coef;
    return true;
}

static bool single_of(tc_t t, single *r) {
    *r = (single){.sym = NULL};
    if (t->op != TC_T_ADD)
        return add_summand(r, t) && r->sym;
    for (uint32_t i = 0; i < t->nargs; i++)
        if (!add_summand(r, t->args[i]))
            return false;
    return r->sym != NULL;
}

static uint32_t index_of(const tc_sym *s) {
    return s->kind == TC_SYM_PARAM ? s->owner : s->axis;
}

static void put_bound(tc_build *b, const tc_fact *f, const tc_sym *s, bool lower, tc_i128 value) {
    bool known = s->kind == TC_SYM_PARAM || s->kind == TC_SYM_BLOCKDIM || s->kind == TC_SYM_GRIDDIM;
    if (!known || s->sort != TC_INT || index_of(s) == UINT32_MAX)
        return;
    tc_bound bound = {s->kind, index_of(s), lower, value, f->text, f->loc};
    tc_push(b->arena, &b->bounds, bound);
}

// t >= 0
static void harvest_nonneg(tc_build *b, const tc_fact *f, tc_t t) {
    single s;
    tc_i128 minus;
    if (!single_of(t, &s) || s.coef == 0 || !tc_sub128(0, s.constant, &minus))
        return;
    if (s.coef > 0)
        put_bound(b, f, s.sym, true, -tc_floor_div(s.constant, s.coef));
    else
        put_bound(b, f, s.sym, false, tc_floor_div(minus, s.coef));
}

static void harvest(tc_build *b, const tc_fact *f, tc_t t) {
    tc_terms *ts = b->c->terms;
    if (t->op == TC_T_AND)
        for (uint32_t i = 0; i < t->nargs; i++)
            harvest(b, f, t->args[i]);
    else if (t->op == TC_T_LE)
        harvest_nonneg(b, f, tc_sub(ts, t->args[1], t->args[0]));
    else if (t->op == TC_T_EQ) {
        harvest_nonneg(b, f, tc_sub(ts, t->args[1], t->args[0]));
        harvest_nonneg(b, f, tc_sub(ts, t->args[0], t->args[1]));
    } else if (t->op == TC_T_NOT && t->args[0]->op == TC_T_LE) // !(x <= y) is y + 1 <= x
        harvest_nonneg(b, f, tc_addc(ts, tc_sub(ts, t->args[0]->args[0], t->args[0]->args[1]), -1));
}

void tc_bounds_harvest(tc_build *b) {
    for (size_t i = 0; i < b->c->facts.len; i++) {
        tc_fact f = b->c->facts.data[i];
        harvest(b, &f, f.term);
    }
}

// ---- from bounds to ranges ----

static bool stands_before(tc_loc a, tc_loc b) {
    if (a.file != b.file)
        return a.file < b.file;
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static void contradiction(tc_build *b, const tc_sym *s, const tc_bound *lo, const tc_bound *hi) {
    const tc_bound *first = !lo || (hi && stands_before(hi->loc, lo->loc)) ? hi : lo, *second = first == lo ? hi : lo;
    if (!second) {
        tc_contract_fail(b, first->loc, NULL,
                         "no launch meets this contract: %s cannot be, for '%s' is within %s and %s", first->text,
                         s->name, tc_i128_text(b->arena, s->lo), tc_i128_text(b->arena, s->hi));
        return;
    }
    tc_contract_fail(b, first->loc, NULL, "no launch meets this contract: %s and %s exclude each other", first->text,
                     second->text);
    tc_contract_note(b, second->loc, "the other condition is here");
}

void tc_bounds_apply(tc_build *b, tc_sym *s, tc_sym_kind kind, uint32_t index, tc_i128 lo, tc_i128 hi) {
    const tc_bound *from_lo = NULL, *from_hi = NULL;
    tc_i128 least = lo, most = hi;
    for (size_t i = 0; i < b->bounds.len; i++) {
        const tc_bound *x = &b->bounds.data[i];
        if (x->kind != kind || x->index != index)
            continue;
        if (x->lower && x->value > least) {
            least = x->value;
            from_lo = x;
        } else if (!x->lower && x->value < most) {
            most = x->value;
            from_hi = x;
        }
    }
    s->has_lo = s->has_hi = true;
    s->lo = lo;
    s->hi = hi;
    if (least > most) {
        contradiction(b, s, from_lo, from_hi);
        return;
    }
    // A symbol of one value would be a constant, and the fact that says so could not be stated any more.
    if (least == most && lo < hi) {
        least -= most == hi;
        most += most < hi;
    }
    s->lo = least;
    s->hi = most;
}
