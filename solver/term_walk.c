// Walks over the distinct subterms of a term, substitution, renaming. No recursion: terms can be deep.
#include "solver/termi.h"

void tc_order_stamp(tc_terms *ts, size_t base, size_t n) {
    ts->walks++;
    for (size_t i = 0; i < n; i++) {
        tc_tnode *t = tc_tnode_of(ts->order.data[base + i]);
        t->walk = ts->walks;
        t->pos = i;
    }
}

size_t tc_order_take(tc_terms *ts, const tc_t *roots, size_t nroots) {
    size_t base = ts->order.len;
    uint64_t walk = ++ts->walks;
    for (size_t i = 0; i < nroots; i++) {
        if (tc_tnode_of(roots[i])->walk == walk)
            continue;
        tc_tnode_of(roots[i])->walk = walk;
        tc_push(ts->arena, &ts->stack, ((tc_visit){roots[i], 0}));
        while (ts->stack.len) {
            tc_visit *v = &tc_last(&ts->stack);
            if (v->next == v->t->nargs) {
                tc_tnode_of(v->t)->pos = ts->order.len - base;
                tc_push(ts->arena, &ts->order, v->t);
                (void)tc_pop(&ts->stack);
                continue;
            }
            tc_t a = v->t->args[v->next++];
            if (tc_tnode_of(a)->walk == walk)
                continue;
            tc_tnode_of(a)->walk = walk;
            tc_push(ts->arena, &ts->stack, ((tc_visit){a, 0}));
        }
    }
    tc_terms_meet(ts, ts->order.len - base);
    return base;
}

// Far more than a kernel that someone wrote needs; seconds.
static const uint64_t max_visited = 60000000;

void tc_terms_meet(tc_terms *ts, uint64_t n) {
    ts->visited += n;
    if (ts->visited > max_visited)
        tc_trap_raise(tc_arena_trap(ts->arena), TC_ELIMIT, "its formulas are too large");
}

uint64_t tc_terms_visited(const tc_terms *ts) {
    return ts->visited;
}

void tc_order_drop(tc_terms *ts, size_t base) {
    ts->order.len = base;
}

void tc_walk(tc_terms *ts, tc_t t, void (*fn)(void *ctx, tc_t sub), void *ctx) {
    size_t base = tc_order_take(ts, &t, 1), n = ts->order.len - base;
    for (size_t i = 0; i < n; i++)
        fn(ctx, ts->order.data[base + i]);
    tc_order_drop(ts, base);
}

bool tc_any(tc_terms *ts, tc_t t, bool (*p)(void *ctx, tc_t sub), void *ctx) {
    size_t base = tc_order_take(ts, &t, 1), n = ts->order.len - base;
    bool found = false;
    for (size_t i = 0; i < n && !found; i++)
        found = p(ctx, ts->order.data[base + i]);
    tc_order_drop(ts, base);
    return found;
}

// ---- rebuilding ----

static tc_t rebuild_product(tc_terms *ts, const tc_t *args, uint32_t n) {
    tc_t t = args[0];
    for (uint32_t i = 1; i < n; i++)
        t = tc_mul(ts, t, args[i]);
    return t;
}

tc_t tc_term_rebuild(tc_terms *ts, tc_t t, const tc_t *args) {
    switch (t->op) {
    case TC_T_CONST:
    case TC_T_SYM:
    case TC_T_COUNT:
        return t;
    case TC_T_ADD:
        return tc_sum(ts, args, t->nargs);
    case TC_T_MUL:
        return rebuild_product(ts, args, t->nargs);
    case TC_T_DIV:
        return tc_div(ts, args[0], args[1]);
    case TC_T_MOD:
        return tc_mod(ts, args[0], args[1]);
    case TC_T_TDIV:
        return tc_tdiv(ts, args[0], args[1]);
    case TC_T_TREM:
        return tc_trem(ts, args[0], args[1]);
    case TC_T_MIN:
        return tc_min(ts, args[0], args[1]);
    case TC_T_MAX:
        return tc_max(ts, args[0], args[1]);
    case TC_T_POW2:
        return tc_pow2_term(ts, args[0]);
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        return tc_bitop(ts, t->op, args[0], args[1]);
    case TC_T_WRAP:
        return (tc_wrap_is_kept(t) ? tc_wrap_kept : tc_wrap)(ts, args[0], tc_wrap_width(t), tc_wrap_signed(t));
    case TC_T_ITE:
        return tc_ite(ts, args[0], args[1], args[2]);
    case TC_T_APP:
        return tc_app(ts, t->fn, args);
    case TC_T_EQ:
        return tc_eq(ts, args[0], args[1]);
    case TC_T_LE:
        return tc_le(ts, args[0], args[1]);
    case TC_T_NOT:
        return tc_not(ts, args[0]);
    case TC_T_AND:
        return tc_and_n(ts, args, t->nargs);
    case TC_T_OR:
        return tc_or_n(ts, args, t->nargs);
    }
    return t;
}

typedef tc_t (*replace_fn)(void *ctx, tc_t t); // NULL: built from its arguments

// The new terms are kept on the same stack of terms, above the old ones: position i is at base + n + i.
static tc_t rebuild_at(tc_terms *ts, size_t made, tc_t t) {
    tc_t few[16], *args = t->nargs <= 16 ? few : TC_NEW_ARRAY(ts->arena, tc_t, t->nargs);
    bool same = true;
    for (uint32_t k = 0; k < t->nargs; k++) {
        args[k] = ts->order.data[made + tc_tnode_of(t->args[k])->pos];
        same &= args[k] == t->args[k];
    }
    return same ? t : tc_term_rebuild(ts, t, args);
}

static tc_t rebuild(tc_terms *ts, tc_t root, replace_fn replace, void *ctx) {
    size_t base = tc_order_take(ts, &root, 1), made = ts->order.len, n = made - base;
    for (size_t i = 0; i < n; i++) {
        tc_t t = ts->order.data[base + i], r = replace(ctx, t);
        tc_push(ts->arena, &ts->order, r ? r : rebuild_at(ts, made, t));
    }
    tc_t result = tc_last(&ts->order);
    tc_order_drop(ts, base);
    return result;
}

// ---- substitution ----

typedef struct subst {
    const tc_map *map;
    uint32_t first; // the smallest id that is replaced: what is older holds none
} subst;

static tc_t subst_one(void *ctx, tc_t t) {
    const subst *s = ctx;
    if (t->id < s->first)
        return t;
    return (tc_t)tc_map_get(s->map, TC_KEY(t));
}

tc_t tc_subst(tc_terms *ts, tc_t t, const tc_map *map) {
    subst s = {map, UINT32_MAX};
    for (size_t i = 0; i < map->len; i++) {
        tc_t from = (tc_t)(uintptr_t)map->keys[i];
        if (from->id < s.first)
            s.first = from->id;
    }
    if (t->id < s.first)
        return t;
    return rebuild(ts, t, subst_one, &s);
}

// ---- renaming ----

static tc_map *copies_of(tc_terms *ts, uint32_t copy) {
    while (ts->copies.len <= copy)
        tc_push(ts->arena, &ts->copies, TC_NEW(ts->arena, tc_map));
    return ts->copies.data[copy];
}

static const tc_sym *copy_sym(tc_terms *ts, const tc_sym *s, uint32_t copy) {
    tc_map *m = copies_of(ts, copy);
    tc_sym *c = tc_map_get(m, TC_KEY(s));
    if (c)
        return c;
    c = tc_sym_new(ts, s->name, s->kind, s->variance, s->sort);
    uint32_t id = c->id;
    *c = *s;
    c->id = id;
    c->copy = copy;
    c->origin = s;
    tc_map_put(ts->arena, m, TC_KEY(s), c);
    return c;
}

static const tc_fn *copy_fn(tc_terms *ts, const tc_fn *f, uint32_t copy) {
    tc_map *m = copies_of(ts, copy);
    tc_fn *c = tc_map_get(m, TC_KEY(f));
    if (c)
        return c;
    c = tc_fn_new(ts, f->name, f->arity);
    uint32_t id = c->id;
    *c = *f;
    c->id = id;
    tc_map_put(ts->arena, m, TC_KEY(f), c);
    return c;
}

static tc_map *renaming_of(tc_terms *ts, tc_variance from, uint32_t copy) {
    for (size_t i = 0; i < ts->renamings.len; i++)
        if (ts->renamings.data[i]->from == from && ts->renamings.data[i]->copy == copy)
            return &ts->renamings.data[i]->memo;
    tc_renaming *r = TC_NEW(ts->arena, tc_renaming);
    r->from = from;
    r->copy = copy;
    tc_push(ts->arena, &ts->renamings, r);
    return &r->memo;
}

tc_t tc_rename(tc_terms *ts, tc_t root, tc_variance from, uint32_t copy) {
    if (root->variance < from)
        return root;
    tc_map *memo = renaming_of(ts, from, copy);
    tc_t done = tc_map_get(memo, TC_KEY(root));
    if (done)
        return done;
    size_t base = tc_order_take(ts, &root, 1), n = ts->order.len - base;
    for (size_t i = 0; i < n; i++) {
        tc_t t = ts->order.data[base + i];
        if (t->variance < from || tc_map_has(memo, TC_KEY(t)))
            continue;
        tc_t few[16], *args = t->nargs <= 16 ? few : TC_NEW_ARRAY(ts->arena, tc_t, t->nargs), r;
        for (uint32_t k = 0; k < t->nargs; k++) {
            tc_t a = tc_map_get(memo, TC_KEY(t->args[k]));
            args[k] = a ? a : t->args[k];
        }
        if (t->op == TC_T_SYM)
            r = tc_of_sym(ts, copy_sym(ts, t->sym, copy));
        else if (t->op == TC_T_APP && t->fn->variance >= from)
            r = tc_app(ts, copy_fn(ts, t->fn, copy), args);
        else
            r = tc_term_rebuild(ts, t, args);
        tc_map_put(ts->arena, memo, TC_KEY(t), (void *)(uintptr_t)r);
    }
    tc_order_drop(ts, base);
    return tc_map_get(memo, TC_KEY(root));
}
