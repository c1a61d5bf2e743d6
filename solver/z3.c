// Z3: lowered terms to expressions over integers, or bounded ones to bit-vectors (z3_bits.c); one question at a time.
#include <stdlib.h>
#include <string.h>

#include "solver/z3i.h"

// A context keeps every expression that was made in it until it is closed; then a new one is cheaper than the memory.
enum { EXPRESSIONS_MAX = 100000, TIMEOUT_MS = 20000, SEED = 7 };

// Outlives the arena, so that the trap may still release it.
typedef struct handle {
    Z3_context c;
} handle;

struct tc_z3 {
    tc_terms *ts;
    tc_arena *arena, *scratch;
    tc_trap *trap;
    handle *h;
    int cleanup;
    tc_map made[2]; // term -> expression: products as a function, real products
    tc_map made_bits; // of this question
    unsigned width;   // of bit-vectors; 0: integers
    tc_arena *made_arena;
    Z3_solver solver;
    Z3_model model;
    bool real, cuts, broken; // broken: Z3 reported an error in this question
    tc_map ranged; // symbols and applications whose ranges were asserted
    unsigned level;
    tc_work work;
    TC_VEC(Z3_ast) tracked;
    TC_VEC(Z3_ast) core;
};

static void on_error(Z3_context c, Z3_error_code e) {
    (void)c;
    (void)e;
}

static void context_open(handle *h) {
    Z3_config config = Z3_mk_config();
    h->c = Z3_mk_context(config);
    Z3_del_config(config);
    if (h->c)
        Z3_set_error_handler(h->c, on_error);
}

static void context_close(handle *h) {
    if (h->c)
        Z3_del_context(h->c);
    h->c = NULL;
}

static void handle_drop(void *p) {
    handle *h = p;
    context_close(h);
    free(h);
}

tc_z3 *tc_z3_new(tc_terms *ts, tc_arena *a) {
    tc_z3 *z = TC_NEW(a, tc_z3);
    z->ts = ts;
    z->arena = a;
    z->trap = tc_arena_trap(a);
    z->h = calloc(1, sizeof *z->h);
    if (!z->h)
        tc_trap_raise(z->trap, TC_ENOMEM, "out of memory");
    z->cleanup = tc_trap_cleanup(z->trap, handle_drop, z->h);
    context_open(z->h);
    return z;
}

void tc_z3_free(tc_z3 *z) {
    if (!z->h)
        return;
    z->solver = NULL;
    z->h = NULL;
    tc_trap_done(z->trap, z->cleanup);
    if (z->made_arena)
        tc_arena_free(z->made_arena);
    z->made_arena = NULL;
}

// ---- expressions ----

static Z3_context ctx(const tc_z3 *z) {
    return z->h->c;
}

static Z3_ast number(const tc_z3 *z, tc_i128 v) {
    Z3_sort sort = Z3_mk_int_sort(ctx(z));
    if (v >= INT64_MIN && v <= INT64_MAX)
        return Z3_mk_int64(ctx(z), (int64_t)v, sort);
    return Z3_mk_numeral(ctx(z), tc_i128_text(z->scratch, v), sort);
}

static Z3_func_decl function(const tc_z3 *z, const char *name, unsigned arity) {
    Z3_sort sort = Z3_mk_int_sort(ctx(z)), *domain = TC_NEW_ARRAY(z->scratch, Z3_sort, arity + 1);
    for (unsigned i = 0; i < arity; i++)
        domain[i] = sort;
    return Z3_mk_func_decl(ctx(z), Z3_mk_string_symbol(ctx(z), name), arity, domain, sort);
}

static Z3_ast multiply(const tc_z3 *z, Z3_ast a, Z3_ast b, bool linear) {
    Z3_ast args[2] = {a, b};
    return linear || z->real ? Z3_mk_mul(ctx(z), 2, args) : Z3_mk_app(ctx(z), function(z, "mul", 2), 2, args);
}

// Nested from the right, so that the constant stays outside and products with common last factors share.
static Z3_ast product(const tc_z3 *z, tc_t t, Z3_ast const *args) {
    bool scaled = tc_is_const(t->args[0]);
    Z3_ast p = args[t->nargs - 1];
    for (uint32_t i = t->nargs - 1; i-- > (scaled ? 1u : 0u);)
        p = multiply(z, args[i], p, tc_is_const(t->args[i]));
    return scaled ? multiply(z, args[0], p, true) : p;
}

static Z3_ast symbol(const tc_z3 *z, const tc_sym *s) {
    const char *name = tc_fmt(z->scratch, "%s!%u", s->name, (unsigned)s->id);
    return Z3_mk_const(ctx(z), Z3_mk_string_symbol(ctx(z), name),
                       s->sort == TC_BOOL ? Z3_mk_bool_sort(ctx(z)) : Z3_mk_int_sort(ctx(z)));
}

// An operator that the lowering leaves (none is expected): any value, the same for the same term.
static Z3_ast opaque(const tc_z3 *z, tc_t t) {
    const char *name = tc_fmt(z->scratch, "opaque!%u", (unsigned)t->id);
    return Z3_mk_const(ctx(z), Z3_mk_string_symbol(ctx(z), name),
                       t->sort == TC_BOOL ? Z3_mk_bool_sort(ctx(z)) : Z3_mk_int_sort(ctx(z)));
}

Z3_ast tc_z3_express_logic(Z3_context c, tc_t t, Z3_ast const *a) {
    switch (t->op) {
    case TC_T_ITE:
        return Z3_mk_ite(c, a[0], a[1], a[2]);
    case TC_T_EQ:
        return Z3_mk_eq(c, a[0], a[1]);
    case TC_T_NOT:
        return Z3_mk_not(c, a[0]);
    case TC_T_AND:
        return Z3_mk_and(c, t->nargs, a);
    case TC_T_OR:
        return Z3_mk_or(c, t->nargs, a);
    default:
        return NULL;
    }
}

static Z3_ast express(const tc_z3 *z, tc_t t, Z3_ast const *a) {
    Z3_context c = ctx(z);
    switch (t->op) {
    case TC_T_CONST:
        if (t->sort == TC_INT)
            return number(z, t->value);
        return t->value ? Z3_mk_true(c) : Z3_mk_false(c);
    case TC_T_SYM:
        return symbol(z, t->sym);
    case TC_T_APP:
        return Z3_mk_app(c, function(z, tc_fmt(z->scratch, "%s!f%u", t->fn->name, (unsigned)t->fn->id), t->nargs),
                         t->nargs, a);
    case TC_T_ADD:
        return Z3_mk_add(c, t->nargs, a);
    case TC_T_MUL:
        return product(z, t, a);
    case TC_T_LE:
        return Z3_mk_le(c, a[0], a[1]);
    case TC_T_ITE:
    case TC_T_EQ:
    case TC_T_NOT:
    case TC_T_AND:
    case TC_T_OR:
        return tc_z3_express_logic(c, t, a);
    default:
        return opaque(z, t);
    }
}

static void assert_range_bits(tc_z3 *z, tc_t t, Z3_ast a) {
    tc_interval r = tc_range_get(t);
    Z3_context c = ctx(z);
    if (r.has_lo)
        Z3_solver_assert(c, z->solver, Z3_mk_bvsle(c, tc_z3_number_bits(c, z->scratch, r.lo, z->width), a));
    if (r.has_hi)
        Z3_solver_assert(c, z->solver, Z3_mk_bvsle(c, a, tc_z3_number_bits(c, z->scratch, r.hi, z->width)));
}

static void assert_range(tc_z3 *z, tc_t t, Z3_ast a) {
    if (z->width) {
        assert_range_bits(z, t, a);
        return;
    }
    tc_interval r = tc_range_get(t);
    if (r.has_lo)
        Z3_solver_assert(ctx(z), z->solver, Z3_mk_le(ctx(z), number(z, r.lo), a));
    if (r.has_hi)
        Z3_solver_assert(ctx(z), z->solver, Z3_mk_le(ctx(z), a, number(z, r.hi)));
}

// The expression of root. Ranges are asserted for each question anew, expressions are kept.
static Z3_ast translate(tc_z3 *z, tc_t root) {
    tc_map *made = z->width ? &z->made_bits : &z->made[z->real];
    tc_arena *keep = z->width ? z->scratch : z->made_arena;
    size_t base = tc_order_take(z->ts, &root, 1), n = z->ts->order.len - base;
    Z3_ast *args = NULL;
    uint32_t cap = 0;
    for (size_t i = 0; i < n; i++) {
        tc_t t = z->ts->order.data[base + i];
        Z3_ast a = tc_map_get(made, TC_KEY(t));
        if (!a) {
            if (t->nargs > cap || !args) {
                cap = t->nargs + 16;
                args = TC_NEW_ARRAY(z->scratch, Z3_ast, cap);
            }
            for (uint32_t k = 0; k < t->nargs; k++)
                args[k] = tc_map_get(made, TC_KEY(t->args[k]));
            a = z->broken ? NULL : z->width ? tc_z3_express_bits(ctx(z), z->scratch, t, args, z->width) : express(z, t, args);
            if (!a) {
                z->broken = true;
                continue;
            }
            tc_map_put(keep, made, TC_KEY(t), a);
        }
        if (!z->broken && t->sort == TC_INT && (t->op == TC_T_SYM || t->op == TC_T_APP) && !tc_map_has(&z->ranged, TC_KEY(t))) {
            if (z->level == 0)
                tc_map_put(z->scratch, &z->ranged, TC_KEY(t), z);
            assert_range(z, t, a);
        }
    }
    tc_order_drop(z->ts, base);
    return tc_map_get(made, TC_KEY(root));
}

// ---- questions ----

static void context_renew(tc_z3 *z) {
    if (z->made_arena && z->made[0].len + z->made[1].len < EXPRESSIONS_MAX && ctx(z))
        return;
    if (z->made_arena) {
        tc_arena_free(z->made_arena);
        context_close(z->h);
        context_open(z->h);
    }
    z->made[0] = z->made[1] = (tc_map){0};
    z->made_arena = tc_arena_new(z->trap);
}

void tc_z3_begin(tc_z3 *z, tc_arena *scratch, bool real, bool cuts) {
    context_renew(z);
    z->cuts = cuts;
    z->scratch = scratch;
    z->real = real;
    z->width = 0;
    z->broken = !ctx(z);
    z->level = 0;
    z->ranged = (tc_map){0};
    z->tracked.len = z->tracked.cap = z->core.len = z->core.cap = 0;
    z->tracked.data = z->core.data = NULL;
    z->solver = z->broken ? NULL : Z3_mk_simple_solver(ctx(z));
    if (z->solver)
        Z3_solver_inc_ref(ctx(z), z->solver);
    z->broken |= !z->solver;
}

void tc_z3_begin_bits(tc_z3 *z, tc_arena *scratch, unsigned width) {
    tc_z3_begin(z, scratch, false, false);
    z->width = width;
    z->made_bits = (tc_map){0};
}

void tc_z3_assert(tc_z3 *z, tc_t t, bool tracked) {
    Z3_ast a = translate(z, t);
    if (z->broken)
        return;
    if (tracked) {
        const char *name = tc_fmt(z->scratch, "used!%zu", z->tracked.len);
        Z3_ast p = Z3_mk_const(ctx(z), Z3_mk_string_symbol(ctx(z), name), Z3_mk_bool_sort(ctx(z)));
        tc_push(z->scratch, &z->tracked, p);
        a = Z3_mk_implies(ctx(z), p, a);
    }
    Z3_solver_assert(ctx(z), z->solver, a);
    z->broken |= Z3_get_error_code(ctx(z)) != Z3_OK;
}

void tc_z3_push(tc_z3 *z) {
    if (!z->broken)
        Z3_solver_push(ctx(z), z->solver);
    z->level++;
}

void tc_z3_pop(tc_z3 *z) {
    if (!z->broken)
        Z3_solver_pop(ctx(z), z->solver, 1);
    z->level--;
}

static void set_limits(tc_z3 *z, uint64_t rlimit) {
    Z3_context c = ctx(z);
    Z3_params p = Z3_mk_params(c);
    Z3_params_inc_ref(c, p);
    Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "rlimit"), rlimit > UINT32_MAX ? UINT32_MAX : (unsigned)rlimit);
    Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "timeout"), TIMEOUT_MS);
    Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "random_seed"), SEED);
    Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), false);
    // Above 4: no Gomory and Hermite cuts.
    Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "arith.branch_cut_ratio"), z->cuts ? 2 : 5);
    Z3_solver_set_params(c, z->solver, p);
    Z3_params_dec_ref(c, p);
}

static uint64_t rlimit_count(const tc_z3 *z) {
    Z3_stats stats = Z3_solver_get_statistics(ctx(z), z->solver);
    uint64_t n = 0;
    Z3_stats_inc_ref(ctx(z), stats);
    for (unsigned i = 0; i < Z3_stats_size(ctx(z), stats); i++)
        if (strcmp(Z3_stats_get_key(ctx(z), stats, i), "rlimit count") == 0 && Z3_stats_is_uint(ctx(z), stats, i))
            n = Z3_stats_get_uint_value(ctx(z), stats, i);
    Z3_stats_dec_ref(ctx(z), stats);
    return n;
}

static void drop_model(tc_z3 *z) {
    if (z->model)
        Z3_model_dec_ref(ctx(z), z->model);
    z->model = NULL;
}

static void keep_core(tc_z3 *z) {
    Z3_ast_vector v = Z3_solver_get_unsat_core(ctx(z), z->solver);
    Z3_ast_vector_inc_ref(ctx(z), v);
    for (unsigned i = 0; i < Z3_ast_vector_size(ctx(z), v); i++)
        tc_push(z->scratch, &z->core, Z3_ast_vector_get(ctx(z), v, i));
    Z3_ast_vector_dec_ref(ctx(z), v);
}

tc_z3_answer tc_z3_check(tc_z3 *z, uint64_t rlimit, uint64_t *spent) {
    drop_model(z);
    // SOUND: after any error the question is not the one that was asked.
    if (z->broken)
        return TC_Z3_UNDEF;
    set_limits(z, rlimit);
    uint64_t before = rlimit_count(z);
    Z3_lbool r = Z3_solver_check_assumptions(ctx(z), z->solver, (unsigned)z->tracked.len, z->tracked.data);
    if (Z3_get_error_code(ctx(z)) != Z3_OK) {
        z->broken = true;
        return TC_Z3_UNDEF;
    }
    uint64_t after = rlimit_count(z);
    uint64_t steps = after > before ? after - before : 0;
    z->work.rlimit += steps;
    z->work.questions++;
    if (spent)
        *spent += steps;
    if (r == Z3_L_FALSE) {
        z->core.len = 0;
        keep_core(z);
        return TC_Z3_UNSAT;
    }
    if (r == Z3_L_TRUE) {
        z->model = Z3_solver_get_model(ctx(z), z->solver);
        if (z->model)
            Z3_model_inc_ref(ctx(z), z->model);
        return z->model ? TC_Z3_SAT : TC_Z3_UNDEF;
    }
    return TC_Z3_UNDEF;
}

bool tc_z3_in_core(tc_z3 *z, size_t i) {
    for (size_t k = 0; k < z->core.len; k++)
        if (z->core.data[k] == z->tracked.data[i])
            return true;
    return false;
}

bool tc_z3_value(tc_z3 *z, tc_t t, tc_i128 *r) {
    Z3_ast v = NULL, a = z->width ? NULL : tc_map_get(&z->made[z->real], TC_KEY(t));
    if (!z->model || !a || !Z3_model_eval(ctx(z), z->model, a, true, &v))
        return false;
    if (t->sort == TC_BOOL) {
        *r = Z3_get_bool_value(ctx(z), v) == Z3_L_TRUE;
        return true;
    }
    if (Z3_get_ast_kind(ctx(z), v) != Z3_NUMERAL_AST)
        return false;
    const char *text = Z3_get_numeral_string(ctx(z), v);
    return tc_i128_parse(text, strlen(text), r);
}

void tc_z3_end(tc_z3 *z) {
    drop_model(z);
    if (z->solver && ctx(z)) {
        Z3_solver_dec_ref(ctx(z), z->solver);
        if (z->broken)
            context_close(z->h);
    }
    z->solver = NULL;
}

tc_work tc_z3_work(const tc_z3 *z) {
    return z->work;
}

const char *tc_z3_text(tc_z3 *z) {
    return z->broken ? "" : Z3_solver_to_string(ctx(z), z->solver);
}
