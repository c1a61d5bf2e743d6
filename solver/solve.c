// Z3 behind the solver's door.
#include "solver/solve.h"

#include <string.h>
#include <z3.h>

#include "solver/termi.h"

enum { QUERIES_PER_CONTEXT = 64 };

struct tc_solver {
    tc_terms *ts;
    tc_arena *arena;
    Z3_context z;
    int cleanup;
    unsigned effort, queries, live;
    void (*dump)(void *, const char *);
    void *dump_ctx;
};

static void on_error(Z3_context z, Z3_error_code e) {
    (void)z;
    (void)e;
}
static void drop(void *p) {
    tc_solver *s = p;
    if (s->z)
        Z3_del_context(s->z);
    s->z = NULL;
}

const char *tc_rung_name(tc_rung r) {
    static const char *const names[] = {
#define X(name, text) text,
        TC_RUNGS(X)
#undef X
    };
    return names[r];
}

static void open_context(tc_solver *s) {
    Z3_config c = Z3_mk_config();
    s->z = Z3_mk_context(c);
    Z3_del_config(c);
    Z3_set_error_handler(s->z, on_error);
}

tc_solver *tc_solver_new(tc_terms *ts, tc_arena *a, unsigned effort) {
    tc_solver *s = TC_NEW(a, tc_solver);
    s->ts = ts;
    s->arena = a;
    s->effort = effort ? effort : 100;
    open_context(s);
    s->cleanup = tc_trap_cleanup(tc_arena_trap(a), drop, s);
    return s;
}
void tc_solver_free(tc_solver *s) {
    drop(s);
}
void tc_solver_dump(tc_solver *s, void (*fn)(void *, const char *), void *ctx) {
    s->dump = fn;
    s->dump_ctx = ctx;
}

typedef struct tr {
    tc_solver *s;
    Z3_context z;
    Z3_solver sv;
    bool real;
    tc_map memo;
    unsigned fresh;
    TC_VEC(tc_t) lemmas; // polynomials C with factor d: pairs
    tc_map seen;
} tr;

static Z3_ast x_term(tr *x, tc_t t);
static void say(tr *x, Z3_ast a) {
    Z3_solver_assert(x->z, x->sv, a);
}
static Z3_ast num(tr *x, tc_i128 v) {
    return Z3_mk_numeral(x->z, tc_i128_text(x->s->arena, v), Z3_mk_int_sort(x->z));
}
static Z3_ast le(tr *x, Z3_ast a, Z3_ast b) {
    return Z3_mk_le(x->z, a, b);
}
static Z3_ast and2(tr *x, Z3_ast a, Z3_ast b) {
    Z3_ast v[2] = {a, b};
    return Z3_mk_and(x->z, 2, v);
}
static Z3_ast add2(tr *x, Z3_ast a, Z3_ast b) {
    Z3_ast v[2] = {a, b};
    return Z3_mk_add(x->z, 2, v);
}
static Z3_ast mul2(tr *x, Z3_ast a, Z3_ast b) {
    Z3_ast v[2] = {a, b};
    return Z3_mk_mul(x->z, 2, v);
}
static Z3_ast konst(tr *x, const char *name, uint64_t id, tc_sort sort) {
    return Z3_mk_const(x->z, Z3_mk_string_symbol(x->z, tc_fmt(x->s->arena, "%s%llu", name, (unsigned long long)id)),
                       sort == TC_BOOL ? Z3_mk_bool_sort(x->z) : Z3_mk_int_sort(x->z));
}
static Z3_ast fn(tr *x, const char *name, unsigned id, unsigned n, const Z3_ast *args) {
    Z3_sort in = Z3_mk_int_sort(x->z), d[8];
    for (unsigned i = 0; i < n && i < 8; i++)
        d[i] = in;
    return Z3_mk_app(x->z,
                     Z3_mk_func_decl(x->z, Z3_mk_string_symbol(x->z, tc_fmt(x->s->arena, "%s%u", name, id)), n, d, in),
                     n, args);
}
static void range(tr *x, Z3_ast a, tc_interval r) {
    if (r.has_lo)
        say(x, le(x, num(x, r.lo), a));
    if (r.has_hi)
        say(x, le(x, a, num(x, r.hi)));
}
static Z3_ast divmod(tr *x, tc_t t, bool mod) {
    Z3_ast a = x_term(x, t->args[0]), b = x_term(x, t->args[1]);
    if (tc_is_const(t->args[1]) && t->args[1]->value > 0)
        return mod ? Z3_mk_mod(x->z, a, b) : Z3_mk_div(x->z, a, b);
    tc_t dv = tc_div(x->s->ts, t->args[0], t->args[1]);
    Z3_ast q = konst(x, "q", dv->id, TC_INT), r = konst(x, "r", dv->id, TC_INT), p;
    if (x->real)
        p = mul2(x, q, b);
    else {
        Z3_ast v[2] = {q, b};
        p = fn(x, "qmul", 0, 2, v);
        // q >= 0 when a >= 0; q < n when a < n * b is left to the difference lemmas on q
        say(x, Z3_mk_implies(x->z, and2(x, le(x, num(x, 0), a), le(x, num(x, 1), b)),
                             and2(x, le(x, num(x, 0), q), le(x, q, a))));
        say(x, Z3_mk_implies(x->z, Z3_mk_eq(x->z, q, num(x, 0)), Z3_mk_eq(x->z, p, num(x, 0))));
    }
    say(x, Z3_mk_implies(x->z, le(x, num(x, 1), b),
                         and2(x, Z3_mk_eq(x->z, a, add2(x, p, r)),
                              and2(x, le(x, num(x, 0), r), le(x, add2(x, r, num(x, 1)), b)))));
    return mod ? r : q;
}
static Z3_ast product(tr *x, tc_t t) {
    uint32_t i = 0;
    Z3_ast c = NULL, p = NULL;
    if (tc_is_const(t->args[0])) {
        c = num(x, t->args[0]->value);
        i = 1;
    }
    for (uint32_t k = t->nargs; k-- > i;) {
        Z3_ast f = x_term(x, t->args[k]);
        if (!p)
            p = f;
        else if (x->real)
            p = mul2(x, f, p);
        else {
            Z3_ast v[2] = {f, p};
            p = fn(x, "mul", 0, 2, v);
        }
    }
    return c && p ? mul2(x, c, p) : p ? p : c;
}
static Z3_ast make(tr *x, tc_t t) {
    Z3_context z = x->z;
    Z3_ast v[512];
    switch (t->op) {
    case TC_T_CONST:
        return t->sort == TC_BOOL ? (t->value ? Z3_mk_true(z) : Z3_mk_false(z)) : num(x, t->value);
    case TC_T_SYM: {
        Z3_ast a = konst(x, "s", t->sym->id, t->sort);
        if (t->sort == TC_INT)
            range(x, a, (tc_interval){t->sym->has_lo, t->sym->has_hi, t->sym->lo, t->sym->hi});
        return a;
    }
    case TC_T_MUL:
        return product(x, t);
    case TC_T_DIV:
        return divmod(x, t, false);
    case TC_T_MOD:
        return divmod(x, t, true);
    case TC_T_ADD:
    case TC_T_AND:
    case TC_T_OR:
        if (t->nargs > 512)
            break;
        for (uint32_t i = 0; i < t->nargs; i++)
            v[i] = x_term(x, t->args[i]);
        return t->op == TC_T_ADD   ? Z3_mk_add(z, t->nargs, v)
               : t->op == TC_T_AND ? Z3_mk_and(z, t->nargs, v)
                                   : Z3_mk_or(z, t->nargs, v);
    case TC_T_MIN:
        v[0] = x_term(x, t->args[0]);
        v[1] = x_term(x, t->args[1]);
        return Z3_mk_ite(z, le(x, v[0], v[1]), v[0], v[1]);
    case TC_T_MAX:
        v[0] = x_term(x, t->args[0]);
        v[1] = x_term(x, t->args[1]);
        return Z3_mk_ite(z, le(x, v[0], v[1]), v[1], v[0]);
    case TC_T_ITE:
        return Z3_mk_ite(z, x_term(x, t->args[0]), x_term(x, t->args[1]), x_term(x, t->args[2]));
    case TC_T_NOT:
        return Z3_mk_not(z, x_term(x, t->args[0]));
    case TC_T_EQ:
        return Z3_mk_eq(z, x_term(x, t->args[0]), x_term(x, t->args[1]));
    case TC_T_LE:
        return le(x, x_term(x, t->args[0]), x_term(x, t->args[1]));
    case TC_T_WRAP: {
        Z3_ast w = konst(x, "w", t->id, TC_INT), k = konst(x, "k", t->id, TC_INT), a = x_term(x, t->args[0]);
        unsigned n = tc_wrap_width(t);
        bool sg = tc_wrap_signed(t);
        say(x, Z3_mk_eq(z, a, add2(x, w, mul2(x, num(x, tc_pow2(n)), k))));
        range(x, w, (tc_interval){true, true, sg ? -tc_pow2(n - 1) : 0, (sg ? tc_pow2(n - 1) : tc_pow2(n)) - 1});
        return w;
    }
    case TC_T_APP: {
        if (t->nargs > 8)
            break;
        for (uint32_t i = 0; i < t->nargs; i++)
            v[i] = x_term(x, t->args[i]);
        Z3_ast a = fn(x, "f", t->fn->id, t->nargs, v);
        range(x, a, (tc_interval){t->fn->has_lo, t->fn->has_hi, t->fn->lo, t->fn->hi});
        return a;
    }
    case TC_T_TDIV:
    case TC_T_TREM: {
        Z3_ast a = x_term(x, t->args[0]), b = x_term(x, t->args[1]);
        if (tc_is_const(t->args[1]) && t->args[1]->value > 0) {
            Z3_ast zero = num(x, 0), pos = le(x, zero, a), na = Z3_mk_unary_minus(z, a);
            return t->op == TC_T_TDIV
                       ? Z3_mk_ite(z, pos, Z3_mk_div(z, a, b), Z3_mk_unary_minus(z, Z3_mk_div(z, na, b)))
                       : Z3_mk_ite(z, pos, Z3_mk_mod(z, a, b), Z3_mk_unary_minus(z, Z3_mk_mod(z, na, b)));
        }
        Z3_ast u = konst(x, "t", t->id, TC_INT), g = and2(x, le(x, num(x, 0), a), le(x, num(x, 1), b));
        tc_t m =
            t->op == TC_T_TDIV ? tc_div(x->s->ts, t->args[0], t->args[1]) : tc_mod(x->s->ts, t->args[0], t->args[1]);
        say(x, Z3_mk_implies(z, g, Z3_mk_eq(z, u, x_term(x, m))));
        return u;
    }
    default:
        break;
    }
    Z3_ast a = konst(x, "o", t->id, t->sort);
    if (t->sort == TC_INT)
        range(x, a, tc_range_of(x->s->ts, t));
    if (t->op == TC_T_POW2)
        say(x, le(x, num(x, 1), a));
    return a;
}
static Z3_ast x_term(tr *x, tc_t t) {
    Z3_ast a = tc_map_get(&x->memo, TC_KEY(t));
    if (!a) {
        a = make(x, t);
        tc_map_put(x->s->arena, &x->memo, TC_KEY(t), a);
    }
    return a;
}

// For a polynomial e and a factor d of its products, e = C * d + rest: what the sign of C says of C * d.
static void sign_lemmas(tr *x, tc_t e, int depth) {
    tc_terms *ts = x->s->ts;
    if (depth > 3 || tc_map_has(&x->seen, TC_KEY(e)))
        return;
    tc_map_put(x->s->arena, &x->seen, TC_KEY(e), x);
    tc_poly p;
    tc_poly_of(e, &p);
    tc_tvec ds = {0};
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t n;
        const tc_t *f = tc_core_factors(&p.m[i].core, &n);
        for (uint32_t k = 0; n > 1 && k < n && ds.len < 12; k++) {
            bool known = false;
            for (size_t q = 0; q < ds.len; q++)
                known |= ds.data[q] == f[k];
            if (!known)
                tc_push(x->s->arena, &ds, f[k]);
        }
    }
    for (size_t q = 0; q < ds.len; q++) {
        tc_t d = ds.data[q], C = tc_int(ts, 0), lone = tc_int(ts, 0);
        for (uint32_t i = 0; i < p.n; i++) {
            uint32_t n;
            const tc_t *f = tc_core_factors(&p.m[i].core, &n);
            bool has = false;
            tc_t rest = tc_int(ts, p.m[i].coef);
            for (uint32_t k = 0; k < n; k++) {
                if (!has && f[k] == d)
                    has = true;
                else
                    rest = tc_mul(ts, rest, f[k]);
            }
            if (has) {
                C = tc_add(ts, C, rest);
                if (n == 1)
                    lone = tc_add(ts, lone, rest);
            }
        }
        tc_t both[2] = {C, tc_sub(ts, C, lone)};
        for (int b = 0; b < (tc_is_const(lone) && lone->value == 0 ? 1 : 2); b++) {
            tc_t c = both[b];
            if (tc_is_const(c))
                continue;
            Z3_ast zc = x_term(x, c), zd = x_term(x, d), zp = x_term(x, tc_mul(ts, c, d)), zero = num(x, 0);
            Z3_context z = x->z;
            Z3_ast dpos = le(x, zero, zd);
            say(x, Z3_mk_implies(z, and2(x, dpos, le(x, num(x, 1), zc)), le(x, zd, zp)));
            say(x, Z3_mk_implies(z, and2(x, dpos, le(x, zc, num(x, -1))), le(x, add2(x, zp, zd), zero)));
            say(x, Z3_mk_implies(z, Z3_mk_eq(z, zc, zero), Z3_mk_eq(z, zp, zero)));
            sign_lemmas(x, c, depth + 1);
        }
    }
}
static void atoms(void *ctx, tc_t t) {
    tr *x = ctx;
    if (t->op == TC_T_LE || (t->op == TC_T_EQ && t->args[0]->sort == TC_INT))
        sign_lemmas(x, tc_sub(x->s->ts, t->args[0], t->args[1]), 0);
}
static tr start(tc_solver *s, bool real, unsigned rl) {
    // A context keeps every expression that it made until it is closed.
    if (++s->queries % QUERIES_PER_CONTEXT == 0 && s->live == 0) {
        drop(s);
        open_context(s);
    }
    s->live++;
    tr x = {.s = s, .z = s->z, .real = real};
    x.sv = Z3_mk_simple_solver(s->z);
    Z3_solver_inc_ref(s->z, x.sv);
    Z3_params p = Z3_mk_params(s->z);
    Z3_params_inc_ref(s->z, p);
    Z3_params_set_uint(s->z, p, Z3_mk_string_symbol(s->z, "rlimit"), rl);
    Z3_params_set_uint(s->z, p, Z3_mk_string_symbol(s->z, "timeout"), 20000);
    Z3_params_set_uint(s->z, p, Z3_mk_string_symbol(s->z, "random_seed"), 7);
    Z3_solver_set_params(s->z, x.sv, p);
    Z3_params_dec_ref(s->z, p);
    return x;
}
static void stop(tr *x) {
    Z3_solver_dec_ref(x->z, x->sv);
    x->s->live--;
}

static uint64_t spent(tr *x) {
    Z3_stats st = Z3_solver_get_statistics(x->z, x->sv);
    for (unsigned i = 0; i < Z3_stats_size(x->z, st); i++)
        if (strcmp(Z3_stats_get_key(x->z, st, i), "rlimit count") == 0)
            return Z3_stats_get_uint_value(x->z, st, i);
    return 0;
}
tc_proof tc_prove(tc_solver *s, const tc_t *hyps, size_t nhyps, tc_t goal) {
    tc_proof p = {.rung = TC_RUNG_TRIVIAL};
    for (size_t i = 0; i < nhyps; i++)
        tc_push(s->arena, &p.used, hyps[i]);
    if (tc_is_true(goal)) {
        p.proved = true;
        return p;
    }
    for (size_t i = 0; i < nhyps; i++)
        if (hyps[i] == goal || tc_is_false(hyps[i])) {
            p.proved = true;
            return p;
        }
    Z3_solver keep = NULL;
    (void)keep;
    tr x = start(s, false, 200u * s->effort);
    for (size_t i = 0; i < nhyps; i++)
        say(&x, x_term(&x, hyps[i]));
    say(&x, Z3_mk_not(s->z, x_term(&x, goal)));
    for (size_t i = 0; i < nhyps; i++)
        tc_walk(s->ts, hyps[i], atoms, &x);
    tc_walk(s->ts, goal, atoms, &x);
    if (s->dump)
        s->dump(s->dump_ctx, Z3_solver_to_string(s->z, x.sv));
    Z3_lbool r = Z3_solver_check(s->z, x.sv);
    p.rlimit = spent(&x);
    p.rung = TC_RUNG_LINEAR;
    p.proved = r == Z3_L_FALSE && Z3_get_error_code(s->z) == Z3_OK;
    if (!p.proved) {
        p.reason = r == Z3_L_TRUE ? "no rung decides it" : "budget";
        p.rung = TC_RUNG_NONE;
    }
    stop(&x);
    return p;
}
tc_proof tc_prove_disjoint(tc_solver *s, const tc_t *hyps, size_t n, tc_t a, tc_i128 wa, tc_t b, tc_i128 wb) {
    tc_terms *ts = s->ts;
    return tc_prove(s, hyps, n, tc_or(ts, tc_le(ts, tc_addc(ts, a, wa), b), tc_le(ts, tc_addc(ts, b, wb), a)));
}
bool tc_maybe_sat(tc_solver *s, const tc_t *hyps, size_t n) {
    return !tc_prove(s, hyps, n, tc_bool(s->ts, false)).proved;
}

struct tc_model {
    tr *x;
    Z3_model m;
};
static bool m_sym(void *ctx, const tc_sym *sy, tc_i128 *r) {
    tc_model *m = ctx;
    Z3_ast v;
    if (!Z3_model_eval(m->x->z, m->m, konst(m->x, "s", sy->id, sy->sort), true, &v))
        return false;
    if (sy->sort == TC_BOOL) {
        *r = Z3_get_bool_value(m->x->z, v) == Z3_L_TRUE;
        return true;
    }
    if (Z3_get_ast_kind(m->x->z, v) != Z3_NUMERAL_AST)
        return false;
    const char *t = Z3_get_numeral_string(m->x->z, v);
    return tc_i128_parse(t, strlen(t), r);
}
static bool m_app(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    tc_model *m = ctx;
    Z3_ast v[8], o;
    for (unsigned i = 0; i < f->arity && i < 8; i++)
        v[i] = num(m->x, args[i]);
    if (!Z3_model_eval(m->x->z, m->m, fn(m->x, "f", f->id, f->arity, v), true, &o) ||
        Z3_get_ast_kind(m->x->z, o) != Z3_NUMERAL_AST)
        return false;
    const char *t = Z3_get_numeral_string(m->x->z, o);
    return tc_i128_parse(t, strlen(t), r);
}
bool tc_model_value(tc_model *m, tc_t t, tc_i128 *r) {
    tc_env e = {.app = m_app, .sym = m_sym, .ctx = m};
    return tc_eval(m->x->s->ts, t, &e, r);
}
void tc_model_table(tc_model *m, const tc_fn *f, void (*cb)(void *, const tc_i128 *, tc_i128), void *ctx) {
    for (unsigned i = 0; i < Z3_model_get_num_funcs(m->x->z, m->m); i++) {
        Z3_func_decl d = Z3_model_get_func_decl(m->x->z, m->m, i);
        Z3_string nm = Z3_get_symbol_string(m->x->z, Z3_get_decl_name(m->x->z, d));
        if (strcmp(nm, tc_fmt(m->x->s->arena, "f%u", f->id)) != 0)
            continue;
        Z3_func_interp fi = Z3_model_get_func_interp(m->x->z, m->m, d);
        for (unsigned k = 0; k < Z3_func_interp_get_num_entries(m->x->z, fi); k++) {
            Z3_func_entry e = Z3_func_interp_get_entry(m->x->z, fi, k);
            tc_i128 a[8], v;
            for (unsigned q = 0; q < f->arity && q < 8; q++) {
                Z3_string t = Z3_get_numeral_string(m->x->z, Z3_func_entry_get_arg(m->x->z, e, q));
                if (!tc_i128_parse(t, strlen(t), &a[q]))
                    return;
            }
            Z3_string t = Z3_get_numeral_string(m->x->z, Z3_func_entry_get_value(m->x->z, e));
            if (tc_i128_parse(t, strlen(t), &v))
                cb(ctx, a, v);
        }
    }
}
typedef struct bounds {
    tr *x;
    tc_i128 b;
    tc_tvec syms;
} bounds;
static void collect(void *ctx, tc_t t) {
    bounds *b = ctx;
    if (t->op == TC_T_SYM && t->sort == TC_INT && (t->sym->variance == TC_VAR_LAUNCH || t->sym->kind == TC_SYM_COUNTER))
        tc_push(b->x->s->arena, &b->syms, t);
}
static bool valid(tc_model *m, const tc_t *hyps, size_t n) {
    for (size_t i = 0; i < n; i++) {
        tc_i128 v;
        if (!tc_model_value(m, hyps[i], &v) || v != 1)
            return false;
    }
    return true;
}
bool tc_find(tc_solver *s, const tc_t *hyps, size_t n, const tc_search *search) {
    static const tc_i128 limits[] = {1, 2, 3, 4, 8, 17, 33, 65, 130, 258, 1025, 70000};
    unsigned left = search->tries ? search->tries : 1;
    for (size_t k = 0; left > 0 && k < sizeof limits / sizeof *limits + (search->large ? 1 : 0); k++) {
        bool big = k == sizeof limits / sizeof *limits;
        tr x = start(s, true, 100000);
        for (size_t i = 0; i < n; i++)
            say(&x, x_term(&x, hyps[i]));
        bounds b = {.x = &x};
        for (size_t i = 0; i < n; i++)
            tc_walk(s->ts, hyps[i], collect, &b);
        for (size_t i = 0; i < b.syms.len && !big; i++) {
            tc_t t = b.syms.data[i];
            tc_i128 l = limits[k] > 1 || !t->sym->has_lo || t->sym->lo < limits[k] ? limits[k] : t->sym->lo;
            say(&x, le(&x, x_term(&x, t), num(&x, l)));
            say(&x, le(&x, num(&x, -l), x_term(&x, t)));
        }
        bool found = false;
        for (unsigned q = 0; q < 4 && !found && left > 0; q++) {
            if (Z3_solver_check(s->z, x.sv) != Z3_L_TRUE)
                break;
            tc_model m = {&x, Z3_solver_get_model(s->z, x.sv)};
            if (!m.m)
                break;
            Z3_model_inc_ref(s->z, m.m);
            Z3_ast differ[64];
            unsigned nd = 0;
            if (valid(&m, hyps, n))
                {
                left--;
                found = search->accept(search->ctx, &m);
            }
            for (size_t i = 0; i < b.syms.len && nd < 64; i++) {
                tc_i128 v;
                if (m_sym(&m, b.syms.data[i]->sym, &v))
                    differ[nd++] = Z3_mk_not(s->z, Z3_mk_eq(s->z, x_term(&x, b.syms.data[i]), num(&x, v)));
            }
            Z3_model_dec_ref(s->z, m.m);
            if (!nd)
                break;
            say(&x, Z3_mk_or(s->z, nd, differ));
        }
        stop(&x);
        if (found)
            return true;
    }
    return false;
}
