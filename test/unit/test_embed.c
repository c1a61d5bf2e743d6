// From contracts to records and back: what is said of a kernel is what the launch is asked, and no term changes its value on the way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker/embed_terms.h"
#include "embed_kit.h"
#include "term_gen.h"

static void with_arena(tc_trap *trap, void *arg) {
    void (*fn)(tc_arena *);
    memcpy(&fn, arg, sizeof fn);
    fn(tc_arena_new(trap));
}

static void run(void (*fn)(tc_arena *)) {
    const char *why;
    if (tc_trap_run(with_arena, &fn, &why) != TC_OK)
        fail_msg("%s", why);
}

// ---- a kernel ----

typedef struct fixture {
    kit k;
    uint8_t *record;
    size_t size;
    tc_embedded e;
    ek_launch l;
    tc_embedded_cell *cells;
    tc_embedded_frame f;
} fixture;

static const tc_type mut_floats = {.kind = TC_TY_POINTER, .name = "float *", .size = 8, .align = 8, .elem = &kit_float};

static fixture *start(tc_arena *a) {
    fixture *x = TC_NEW(a, fixture);
    kit_init(&x->k, a);
    return x;
}

static void encode(fixture *x, const char *words, const tc_kernel_result *r) {
    tc_status status = kit_make(&x->k, words);
    if (status != TC_OK)
        print_message("%s", kit_findings(&x->k));
    assert_int_equal(status, TC_OK);
    x->record = ek_record(&x->k, true, r, &x->size);
    assert_int_equal(tc_embedded_open(x->record, x->size, &x->e), TC_EMBEDDED_OK);
    x->cells = ek_cells(&x->e);
}

static void launch(fixture *x, uint32_t grid, uint32_t block) {
    ek_launch_init(&x->l, grid, block);
}

static void set(fixture *x, const char *name, uint64_t value) {
    ek_set(&x->l, &x->e, name, value);
}

static void done(fixture *x) {
    free(x->record);
    free(x->cells);
}

// The texts of the conditions that the launch does not meet, or that cannot be evaluated (with "? "), one a line.
static const char *unmet(fixture *x) {
    tc_text t = {.arena = x->k.a};
    tc_embedded_begin(&x->f, &x->e, &x->l.launch, x->cells);
    for (uint32_t i = 0; i < x->e.tables[TC_REC_TABLE_CONDITION].count; i++) {
        tc_embedded_condition c = tc_embedded_condition_at(&x->e, i);
        tc_embedded_answer answer = tc_embedded_meets(&x->f, i, NULL);
        if (answer != TC_EMBEDDED_HOLDS)
            tc_putf(&t, "%s%s [%s]\n", answer == TC_EMBEDDED_CANNOT ? "? " : "", c.text, tc_embedded_condition_name(c.kind));
    }
    return tc_text_str(&t);
}

static tc_embedded_answer fact(fixture *x, const char *kind, tc_embedded_witness *at, tc_embedded_state *why) {
    tc_i128 scratch[64];
    tc_embedded_budget budget = {.steps = 100000, .scratch = scratch, .nscratch = 64};
    tc_embedded_begin(&x->f, &x->e, &x->l.launch, x->cells);
    for (uint32_t i = 0; i < x->e.tables[TC_REC_TABLE_FACT].count; i++)
        if (strcmp(tc_embedded_fact_name(tc_embedded_fact_at(&x->e, i).kind), kind) == 0)
            return tc_embedded_fact_holds(&x->f, i, &budget, at, why);
    fail_msg("there is no fact '%s'", kind);
    return TC_EMBEDDED_CANNOT;
}

// ---- conditions ----

static void saxpy(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "a", &kit_float, "");
    kit_param(&x->k, "x", &kit_floats, "shared shape(n)");
    kit_param(&x->k, "y", &mut_floats, "mut shape(n) tile(256) align(16)");
    encode(x, "block(256) grid(tc_cdiv(n, 256)) requires(n >= 1 && n % 4 == 0)", NULL);
    assert_string_equal(x->e.mangled, "_Z1kv");
    assert_string_equal(x->e.name, "k");
    assert_int_equal(x->e.verdict, TC_REC_VERDICT_NOT_CHECKED);
    assert_int_equal(x->e.flags, 0);
    assert_int_equal(x->e.arguments, 24);
    assert_int_equal(tc_embedded_param_at(&x->e, 2).offset, 8);
    launch(x, 4, 256);
    set(x, "n", 1000);
    set(x, "x", ek_base);
    set(x, "y", ek_base + 16);
    assert_string_equal(unmet(x), "");
    set(x, "n", 1026); // one block too few, and no multiple of 4
    assert_string_equal(unmet(x), "gridDim.x == tc_cdiv(n, 256) [grid]\nn % 4 == 0 [requires]\n");
    set(x, "n", (uint64_t)-4);
    assert_non_null(strstr(unmet(x), "n >= 1 [requires]\n"));
    set(x, "n", 1000);
    x->l.launch.block[0] = 128;
    set(x, "y", ek_base + 4);
    assert_string_equal(unmet(x), "blockDim.x == 256 [block]\nthe address of 'y' is a multiple of 16 [align]\n");
    x->l.launch.block[0] = 256;
    x->l.launch.grid[1] = 2;
    set(x, "y", 0);
    assert_string_equal(unmet(x), "gridDim.y == 1 [grid]\n'y' is not null, or has no elements [null]\n");
    done(x);
}

// What fixes a symbol is no fact of the contract, and still a condition.
static void fixed(tc_arena *a) {
    fixture *x = start(a);
    const char *error;
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "m", &kit_unsigned, "");
    kit_param(&x->k, "x", &kit_ints, "shared shape(n, m)");
    assert_int_equal(tc_options_parse(&x->k.options, a, "define=m=7", &error), TC_OK);
    encode(x, "block(32, 4) grid(3) requires(n == 4) smem(4 * n) cluster(3)", NULL);
    launch(x, 3, 32);
    x->l.launch.block[1] = 4;
    x->l.launch.smem = 16;
    x->l.launch.cluster[0] = 3;
    set(x, "n", 4);
    set(x, "m", 7);
    set(x, "x", ek_base);
    assert_string_equal(unmet(x), "");
    set(x, "n", 5);
    set(x, "m", 8);
    x->l.launch.smem = 20; // 4 * n
    x->l.launch.cluster[0] = 0;
    assert_string_equal(unmet(x), "? cluster.x == 3 [cluster]\nm == 7 [define]\nn == 4 [requires]\n");
    done(x);
}

// An extent that is fixed by way of others has one value in the contract, and no fact says which.
static void fixed_by_others(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    encode(x, "block(n, 1) grid(2 * n) requires(n == 4)", NULL);
    launch(x, 8, 4);
    set(x, "n", 4);
    assert_string_equal(unmet(x), "");
    x->l.launch.grid[0] = 7;
    x->l.launch.block[0] = 5;
    const char *text = unmet(x);
    assert_non_null(strstr(text, "gridDim.x == "));
    assert_non_null(strstr(text, "blockDim.x == "));
    done(x);
}

// A condition that has no value is not met; one whose numbers are too large is not decided.
static void without_value(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "l", &kit_long, "");
    encode(x, "requires(l / n == 3) requires(n == 0 || 12 / n > 1) requires(l * l * l * n < 100 || n == 9)", NULL);
    launch(x, 1, 1);
    set(x, "l", 6);
    set(x, "n", 2);
    assert_string_equal(unmet(x), "l * l * l * n < 100 || n == 9 [requires]\n");
    set(x, "n", 0);
    assert_string_equal(unmet(x), "l / n == 3 [requires]\n");
    set(x, "l", (uint64_t)INT64_MAX);
    set(x, "n", 5);
    assert_string_equal(unmet(x), "l / n == 3 [requires]\n? l * l * l * n < 100 || n == 9 [requires]\n");
    set(x, "n", 9); // the other side decides
    assert_string_equal(unmet(x), "l / n == 3 [requires]\nn == 0 || 12 / n > 1 [requires]\n");
    done(x);
}

// An argument that does not lie in the buffer is not known, and nothing else.
static void short_buffer(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "l", &kit_long, "");
    encode(x, "requires(n > 0) requires(l > 0)", NULL);
    launch(x, 1, 1);
    set(x, "n", 1);
    set(x, "l", 1);
    x->l.launch.buffer_size = 12;
    assert_string_equal(unmet(x), "? l > 0 [requires]\n");
    uint32_t n = 1;
    uint64_t l = 0;
    const void *params[] = {&n, &l};
    x->l.launch.params = params;
    assert_string_equal(unmet(x), "l > 0 [requires]\n");
    done(x);
}

// ---- inferred conditions, and what cannot be said ----

static void inferred(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "x", &kit_floats, "shared shape(n)");
    assert_int_equal(kit_make(&x->k, "block(32)"), TC_OK);
    tc_kernel_result r = {.kernel = &x->k.kernel, .contract = &x->k.c, .verdict = TC_PROVED_IF};
    tc_terms *ts = x->k.ts;
    tc_t unknown = tc_of_sym(ts, tc_sym_new(ts, "something", TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_BOOL));
    tc_t small = tc_le(ts, tc_mul(ts, x->k.c.syms.grid_dim[0], tc_int(ts, 32)), tc_int(ts, 1024));
    tc_push(a, &r.preconditions, ((tc_fact){tc_aligned_symbol(ts, "aligned", 0, 16), "the address of 'x' is a multiple of 16", {0}}));
    tc_push(a, &r.preconditions, ((tc_fact){small, "gridDim.x * 32 <= 1024", {0}}));
    tc_push(a, &r.preconditions, ((tc_fact){tc_and(ts, unknown, tc_le(ts, x->k.c.syms.grid_dim[0], tc_int(ts, 40))), "something", {0}}));
    x->record = ek_record(&x->k, true, &r, &x->size);
    assert_int_equal(tc_embedded_open(x->record, x->size, &x->e), TC_EMBEDDED_OK);
    x->cells = ek_cells(&x->e);
    assert_int_equal(x->e.verdict, TC_REC_VERDICT_PROVED_IF);
    launch(x, 30, 32);
    set(x, "x", ek_base + 4);
    assert_string_equal(unmet(x), "the address of 'x' is a multiple of 16 [inferred]\n? something [inferred]\n");
    set(x, "x", ek_base);
    x->l.launch.grid[0] = 50; // a conjunct that is false decides
    assert_string_equal(unmet(x), "gridDim.x * 32 <= 1024 [inferred]\nsomething [inferred]\n");
    unsigned cannot = 0;
    for (uint32_t i = 0; i < x->e.tables[TC_REC_TABLE_CONDITION].count; i++)
        cannot += tc_embedded_condition_at(&x->e, i).flags & TC_REC_CONDITION_CANNOT;
    assert_int_equal(cannot, 1);
    done(x);
}

static void partial(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_make(&x->k, "requires(nothing > 0) requires(n > 0)");
    x->record = ek_record(&x->k, false, NULL, &x->size);
    assert_int_equal(tc_embedded_open(x->record, x->size, &x->e), TC_EMBEDDED_OK);
    assert_int_equal(x->e.flags, TC_REC_PARTIAL);
    x->cells = ek_cells(&x->e);
    launch(x, 1, 1);
    assert_string_equal(unmet(x), "n > 0 [requires]\n");
    done(x);
}

// ---- memory ----

static void extents(tc_arena *a) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "ld", &kit_int, "");
    kit_param(&x->k, "x", &kit_floats, "shared shape(n, 8) stride(ld, 1)");
    kit_param(&x->k, "y", &mut_floats, "mut optional shape(n)");
    kit_param(&x->k, "z", &kit_ints, "unchecked(\"why not\")");
    kit_var(&x->k, "counter", &kit_unsigned, "atomic init(0)");
    kit_make(&x->k, "");
    // A variable is in it where the kernel's code touches it.
    tc_kmodel model = {0};
    tc_kernel_result result = {.kernel = &x->k.kernel, .contract = &x->k.c, .model = &model};
    x->record = ek_record(&x->k, true, &result, &x->size);
    assert_int_equal(tc_embedded_open(x->record, x->size, &x->e), TC_EMBEDDED_OK);
    assert_int_equal(x->e.tables[TC_REC_TABLE_BORROW].count, 3);
    assert_int_equal(x->e.flags, 0);
    free(x->record);
    tc_push(a, &model.objects, ((tc_object){.contract = 3}));
    x->record = ek_record(&x->k, true, &result, &x->size);
    assert_int_equal(tc_embedded_open(x->record, x->size, &x->e), TC_EMBEDDED_OK);
    assert_int_equal(x->e.verdict, TC_REC_VERDICT_PROVED);
    x->cells = ek_cells(&x->e);
    launch(x, 1, 1);
    set(x, "n", 5);
    set(x, "ld", 10);
    set(x, "x", ek_base);
    tc_embedded_extent r;
    tc_embedded_begin(&x->f, &x->e, &x->l.launch, x->cells);
    assert_int_equal(tc_embedded_extent_of(&x->f, 0, &r), TC_EMBEDDED_VALUE);
    assert_true(r.address == ek_base && r.lo == 0 && r.hi == 4 * (4 * 10 + 7 + 1));
    assert_int_equal(tc_embedded_extent_of(&x->f, 1, &r), TC_EMBEDDED_VALUE);
    assert_true(r.address == 0 && r.hi == 20);
    assert_int_equal(tc_embedded_extent_of(&x->f, 2, &r), TC_EMBEDDED_NEVER); // no shape
    assert_int_equal(tc_embedded_extent_of(&x->f, 3, &r), TC_EMBEDDED_VALUE);
    assert_true(r.address == ek_base + 1024 && r.hi == 4);
    tc_embedded_borrow b = tc_embedded_borrow_at(&x->e, 2);
    assert_string_equal(b.why, "why not");
    assert_true(tc_embedded_borrow_at(&x->e, 1).flags & TC_REC_BORROW_OPTIONAL);
    assert_true(tc_embedded_borrow_at(&x->e, 0).flags & TC_REC_BORROW_STRIDED);
    set(x, "ld", (uint64_t)-10); // backwards
    tc_embedded_begin(&x->f, &x->e, &x->l.launch, x->cells);
    assert_int_equal(tc_embedded_extent_of(&x->f, 0, &r), TC_EMBEDDED_VALUE);
    assert_true(r.lo == -4 * 40 && r.hi == 4 * 8);
    set(x, "n", 0);
    tc_embedded_begin(&x->f, &x->e, &x->l.launch, x->cells);
    assert_int_equal(tc_embedded_extent_of(&x->f, 0, &r), TC_EMBEDDED_VALUE);
    assert_true(r.lo == 0 && r.hi == 0);
    assert_int_equal(fact(x, "init", NULL, NULL), TC_EMBEDDED_HOLDS);
    x->l.memory[1024] = 3;
    assert_int_equal(fact(x, "init", NULL, NULL), TC_EMBEDDED_FAILS);
    done(x);
}

static fixture *index_array(tc_arena *a, const char *words, const char *kernel) {
    fixture *x = start(a);
    kit_param(&x->k, "n", &kit_int, "");
    kit_param(&x->k, "m", &kit_int, "");
    kit_param(&x->k, "idx", &kit_ints, words);
    encode(x, kernel, NULL);
    launch(x, 1, 1);
    set(x, "n", 4);
    set(x, "m", 10);
    set(x, "idx", ek_base);
    return x;
}

static void store(fixture *x, int32_t a, int32_t b, int32_t c, int32_t d) {
    int32_t values[] = {a, b, c, d};
    memcpy(x->l.memory, values, sizeof values);
}

static void contents(tc_arena *a) {
    tc_embedded_witness at;
    tc_embedded_state why;
    fixture *x = index_array(a, "shared shape(n) range(0, m) injective monotone", "");
    store(x, 1, 3, 5, 7);
    assert_int_equal(fact(x, "range", &at, &why), TC_EMBEDDED_HOLDS);
    assert_int_equal(fact(x, "injective", &at, &why), TC_EMBEDDED_HOLDS);
    assert_int_equal(fact(x, "monotone", &at, &why), TC_EMBEDDED_HOLDS);
    store(x, 1, 10, 1, 7);
    assert_int_equal(fact(x, "range", &at, &why), TC_EMBEDDED_FAILS);
    assert_true(at.n == 1 && at.at[0] == 1 && at.value == 10);
    assert_int_equal(fact(x, "injective", &at, &why), TC_EMBEDDED_FAILS);
    assert_true(at.value == 1);
    assert_int_equal(fact(x, "monotone", &at, &why), TC_EMBEDDED_FAILS);
    assert_true(at.at[0] == 2);
    set(x, "n", 1 << 20); // longer than the memory
    store(x, 0, 0, 0, 0);
    assert_int_equal(fact(x, "range", &at, &why), TC_EMBEDDED_CANNOT);
    assert_int_equal(why, TC_EMBEDDED_MISSING);
    set(x, "n", 100); // longer than the scratch
    assert_int_equal(fact(x, "injective", &at, &why), TC_EMBEDDED_CANNOT);
    assert_int_equal(why, TC_EMBEDDED_LONG);
    set(x, "idx", 0);
    assert_int_equal(fact(x, "range", &at, &why), TC_EMBEDDED_HOLDS);
    assert_string_equal(unmet(x), "'idx' is not null, or has no elements [null]\n");
    set(x, "n", 0);
    assert_string_equal(unmet(x), "");
    set(x, "n", 4);
    x->l.launch.read = NULL;
    set(x, "idx", ek_base);
    assert_int_equal(fact(x, "range", &at, &why), TC_EMBEDDED_CANNOT);
    done(x);
}

// An element in a condition is read where it exists, and nowhere else.
static void elements(tc_arena *a) {
    fixture *x = index_array(a, "shared shape(n)", "requires(idx[0] == 0 && idx[m] <= 9)");
    store(x, 0, 3, 5, 12);
    set(x, "m", 2);
    assert_string_equal(unmet(x), "");
    set(x, "m", 3);
    assert_string_equal(unmet(x), "idx[m] <= 9 [requires]\n");
    x->l.reads = 0;
    set(x, "m", 4); // there is no such element: the condition has no value, and is not met
    assert_string_equal(unmet(x), "idx[m] <= 9 [requires]\n");
    assert_true(x->l.reads <= 1 && x->l.outside == 0);
    set(x, "m", (uint64_t)-1);
    assert_string_equal(unmet(x), "idx[m] <= 9 [requires]\n");
    assert_int_equal(x->l.outside, 0);
    char text[100];
    set(x, "m", 3);
    unmet(x);
    for (uint32_t i = 0; i < x->e.tables[TC_REC_TABLE_CONDITION].count; i++)
        if (strstr(tc_embedded_condition_at(&x->e, i).text, "idx[m]")) {
            tc_embedded_values_text(&x->f, tc_embedded_condition_at(&x->e, i).expr, text, sizeof text);
            assert_non_null(strstr(text, "m = 3"));
            assert_non_null(strstr(text, "idx[3] = 12"));
        }
    done(x);
}

static void forall(tc_arena *a) {
    tc_embedded_witness at;
    tc_embedded_state why;
    fixture *x = index_array(a, "shared shape(n)", "forall(i, j; j >= i || idx[i] + idx[j] < m)");
    store(x, 1, 2, 3, 4);
    assert_int_equal(fact(x, "forall", &at, &why), TC_EMBEDDED_HOLDS);
    store(x, 1, 6, 3, 4);
    assert_int_equal(fact(x, "forall", &at, &why), TC_EMBEDDED_FAILS);
    assert_true(at.n == 2 && at.at[0] == 3 && at.at[1] == 1);
    assert_int_equal(x->l.outside, 0);
    done(x);
    // Nothing bounds k: it cannot be looked through, and says so.
    x = index_array(a, "shared shape(n)", "forall(i, k; idx[i] * k != 7)");
    store(x, 1, 2, 3, 4);
    assert_int_equal(fact(x, "forall", &at, &why), TC_EMBEDDED_CANNOT);
    assert_true(tc_embedded_fact_at(&x->e, 0).flags & TC_REC_CONDITION_CANNOT);
    done(x);
}

// What does not fit is left out, and that is said: the reader takes the record.
static void too_large(tc_arena *a) {
    tc_embed e = {.arena = a};
    for (int i = 0; i < TC_REC_MAX_NODES + 100; i++) {
        uint32_t node = tc_embed_constant(&e, i);
        assert_int_equal(node, i < TC_REC_MAX_NODES - 1 ? i : TC_REC_MAX_NODES - 1);
        assert_true(tc_embed_cannot(&e, node) == (i >= TC_REC_MAX_NODES - 1));
    }
    assert_true(e.partial);
    assert_int_equal(e.counts[TC_REC_TABLE_NODE], TC_REC_MAX_NODES);
    assert_int_equal(e.tables[TC_REC_TABLE_NODE].len, 16 * TC_REC_MAX_NODES);
    uint32_t sum = tc_embed_node(&e, TC_REC_OP_ADD, 0, 1, TC_REC_MAX_NODES - 1, 0);
    assert_true(tc_embed_cannot(&e, sum));
    for (int i = 0; i < TC_REC_MAX_ROWS; i++)
        assert_true(tc_embed_row(&e, TC_REC_TABLE_PAIR));
    assert_false(tc_embed_row(&e, TC_REC_TABLE_PAIR));
}

// ---- any term ----

enum { ROUNDS = 4000, VALUES = 6, BYTES = 400, SHAPES = 8 };

typedef struct random_state {
    uint64_t s;
} random_state;

static uint64_t next(random_state *r) {
    r->s ^= r->s << 13;
    r->s ^= r->s >> 7;
    r->s ^= r->s << 17;
    return r->s;
}

// A contract whose scalars and optional pointers are the generator's symbols, and whose shape is SHAPES of its terms.
static void contract_of(tc_arena *a, gen *g, const tc_t *terms, kit *k) {
    static const tc_type pointer = {.kind = TC_TY_POINTER, .name = "int *", .size = 8, .align = 8, .elem = &kit_int};
    kit_init(k, a);
    k->c = (tc_contract){.kernel = &k->kernel, .terms = g->ts};
    k->kernel.params = k->params;
    for (uint32_t i = 0; i < GEN_SYMS; i++) {
        kit_param(k, g->syms[i]->name, &kit_long, "");
        tc_push(a, &k->c.scalars, ((tc_scalar){.path = g->syms[i]->name, .param = i, .type = &kit_long, .term = tc_of_sym(g->ts, g->syms[i])}));
    }
    for (uint32_t i = 0; i < GEN_BOOLS; i++) {
        const tc_sym *s = g->syms[GEN_SYMS + i];
        kit_param(k, s->name, &pointer, "");
        tc_object_contract o = {.path = s->name, .param = (int)(GEN_SYMS + i), .elem = &kit_int, .optional = true, .nonnull = tc_of_sym(g->ts, s)};
        if (i == 0) {
            o.ndims = SHAPES;
            for (int d = 0; d < SHAPES; d++) {
                o.shape[d] = terms[d];
                o.stride[d] = tc_int(g->ts, 1);
            }
        }
        tc_push(a, &k->c.objects, o);
    }
    for (int d = 0; d < 3; d++)
        k->c.syms.block_dim[d] = k->c.syms.grid_dim[d] = tc_int(g->ts, 1);
}

static tc_t some_term(gen *g, random_state *r) {
    int last = g->n - 1 - (int)(next(r) % 6);
    tc_t t = g->nodes[last < 0 ? 0 : last].term;
    return t->sort == TC_INT ? t : tc_ite(g->ts, t, tc_int(g->ts, 1), tc_int(g->ts, 0));
}

static void compare(gen *g, const tc_t *terms, const tc_embedded *e, tc_embedded_cell *cells, unsigned *compared) {
    ek_launch l;
    ek_launch_init(&l, 1, 1);
    for (int i = 0; i < GEN_SYMS + GEN_BOOLS; i++)
        ek_set(&l, e, g->syms[i]->name, (uint64_t)(i < GEN_SYMS ? g->env[i] : g->env[i] ? (tc_i128)ek_base : 0));
    tc_embedded_frame f;
    tc_env env = {.app = gen_app, .sym = gen_sym, .ctx = g};
    tc_embedded_begin(&f, e, &l.launch, cells);
    tc_embedded_borrow b = tc_embedded_borrow_at(e, 0);
    for (uint32_t d = 0; d < SHAPES; d++) {
        tc_i128 want = 0, got = 0;
        bool has = tc_eval(g->ts, terms[d], &env, &want);
        tc_embedded_state s = tc_embedded_value(&f, tc_embedded_dim_at(e, b.first_dim + d).extent, &got);
        if (s == TC_EMBEDDED_NEVER) // calls of the generator's function cannot be said
            continue;
        *compared += 1;
        if (has != (s == TC_EMBEDDED_VALUE) || (has && want != got))
            fail_msg("%s: %s, not %s", tc_term_text(g->ts, terms[d]), s == TC_EMBEDDED_VALUE ? tc_i128_text(tc_terms_arena(g->ts), got) : "no value",
                     has ? tc_i128_text(tc_terms_arena(g->ts), want) : "no value");
    }
}

typedef struct round {
    random_state r;
    unsigned compared;
} round;

static void one_round(tc_trap *trap, void *arg) {
    round *o = arg;
    uint8_t data[BYTES];
    tc_arena *a = tc_arena_new(trap);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(next(&o->r) >> 24);
    gen *g = TC_NEW(a, gen);
    kit *k = TC_NEW(a, kit);
    gen_init(g, tc_terms_new(a), data, BYTES);
    for (uint32_t i = 0; i < GEN_SYMS + GEN_BOOLS; i++)
        ((tc_sym *)(uintptr_t)g->syms[i])->owner = i < GEN_SYMS ? i : i - GEN_SYMS;
    gen_trees(g, 8 + (int)(next(&o->r) % 30));
    tc_t terms[SHAPES];
    for (int d = 0; d < SHAPES; d++)
        terms[d] = some_term(g, &o->r);
    contract_of(a, g, terms, k);
    size_t size;
    uint8_t *record = ek_record(k, true, NULL, &size);
    tc_embedded e;
    assert_int_equal(tc_embedded_open(record, size, &e), TC_EMBEDDED_OK);
    tc_embedded_cell *cells = ek_cells(&e);
    for (int v = 0; v < VALUES; v++) {
        if (g->len - g->at < 150)
            g->at = 7 * (size_t)v;
        gen_values(g);
        compare(g, terms, &e, cells, &o->compared);
    }
    free(cells);
    free(record);
}

static void random_terms(void **state) {
    (void)state;
    round o = {{UINT64_C(0x9e3779b97f4a7c15)}, 0};
    for (long i = 0; i < ROUNDS; i++)
        assert_int_equal(tc_trap_run(one_round, &o, NULL), TC_OK);
    assert_true(o.compared > ROUNDS * VALUES * SHAPES / 2);
}

#define TEST(name)                                                                                                                         \
    static void test_##name(void **state) {                                                                                                \
        (void)state;                                                                                                                       \
        run(name);                                                                                                                         \
    }
TEST(saxpy)
TEST(fixed)
TEST(fixed_by_others)
TEST(without_value)
TEST(short_buffer)
TEST(inferred)
TEST(partial)
TEST(extents)
TEST(contents)
TEST(elements)
TEST(forall)
TEST(too_large)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saxpy),    cmocka_unit_test(test_fixed),    cmocka_unit_test(test_fixed_by_others),
           cmocka_unit_test(test_without_value), cmocka_unit_test(test_short_buffer),
        cmocka_unit_test(test_inferred), cmocka_unit_test(test_partial),  cmocka_unit_test(test_extents),       cmocka_unit_test(test_contents),
        cmocka_unit_test(test_elements), cmocka_unit_test(test_forall),   cmocka_unit_test(test_too_large),     cmocka_unit_test(random_terms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
