// What a search finds: values of symbols, finite tables for functions; exact evaluation, nothing taken from Z3 unread.
#include "solver/solvei.h"

tc_i128 tc_model_clamp(tc_i128 v, bool has_lo, tc_i128 lo, bool has_hi, tc_i128 hi) {
    if (has_lo && v < lo)
        return lo;
    return has_hi && v > hi ? hi : v;
}

static bool model_sym(void *ctx, const tc_sym *s, tc_i128 *r) {
    const tc_model *m = ctx;
    const tc_i128 *v = tc_map_get(&m->syms, TC_KEY(s));
    *r = v ? *v : s->sort == TC_BOOL ? 0 : tc_model_clamp(0, s->has_lo, s->lo, s->has_hi, s->hi);
    return true;
}

static bool same_args(const tc_fn *f, const tc_i128 *a, const tc_i128 *b) {
    for (uint32_t i = 0; i < f->arity; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool model_app(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    const tc_model *m = ctx;
    if (tc_lower_is_internal(m->s->lowering, f))
        return tc_lower_value(m->s->lowering, f, args, r);
    *r = tc_model_clamp(0, f->has_lo, f->lo, f->has_hi, f->hi);
    for (size_t i = 0; i < m->table.len; i++)
        if (m->table.data[i].fn == f && same_args(f, m->table.data[i].args, args))
            *r = m->table.data[i].value;
    return true;
}

bool tc_model_value(tc_model *m, tc_t t, tc_i128 *r) {
    tc_env env = {.app = model_app, .sym = model_sym, .ctx = m};
    return tc_eval(m->s->ts, t, &env, r);
}

void tc_model_table(tc_model *m, const tc_fn *f, void (*fn)(void *ctx, const tc_i128 *args, tc_i128 value), void *ctx) {
    for (size_t i = 0; i < m->table.len; i++)
        if (m->table.data[i].fn == f)
            fn(ctx, m->table.data[i].args, m->table.data[i].value);
}

static void read_app(tc_model *m, tc_arena *scratch, tc_t t, tc_i128 value) {
    tc_i128 *args = TC_NEW_ARRAY(scratch, tc_i128, t->nargs + 1);
    for (uint32_t i = 0; i < t->nargs; i++)
        if (!tc_model_value(m, t->args[i], &args[i]))
            return;
    for (size_t i = 0; i < m->table.len; i++)
        if (m->table.data[i].fn == t->fn && same_args(t->fn, m->table.data[i].args, args))
            return;
    tc_push(scratch, &m->table, ((tc_model_entry){t->fn, args, value}));
}

void tc_model_read(tc_model *m, tc_solver *s, tc_arena *scratch, const tc_tvec *leaves) {
    *m = (tc_model){.s = s};
    for (size_t i = 0; i < leaves->len; i++) {
        tc_t t = leaves->data[i];
        tc_i128 v;
        if (!tc_z3_value(s->z3, tc_lower(s->lowering, t), &v))
            continue;
        if (t->op == TC_T_APP) {
            read_app(m, scratch, t, v);
            continue;
        }
        tc_i128 *keep = TC_NEW(scratch, tc_i128);
        *keep = v;
        tc_map_put(scratch, &m->syms, TC_KEY(t->sym), keep);
    }
}
