// Contracts: what resolves to what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "contract_kit.h"

static void with_kit(tc_trap *trap, void *arg) {
    void (*fn)(kit *);
    memcpy(&fn, arg, sizeof fn);
    tc_arena *a = tc_arena_new(trap);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    fn(k);
}

static void run(void (*fn)(kit *)) {
    const char *why;
    if (tc_trap_run(with_kit, &fn, &why) != TC_OK)
        fail_msg("%s", why);
}

static void make(kit *k, const char *words) {
    if (kit_make(k, words) != TC_OK)
        fail_msg("%s", kit_findings(k));
}

static void has_line(kit *k, const char *line) {
    const char *text = tc_contract_text(k->a, &k->c);
    if (!strstr(text, line))
        fail_msg("no '%s' in\n%s", line, text);
}

static void has_no_line(kit *k, const char *line) {
    const char *text = tc_contract_text(k->a, &k->c);
    if (strstr(text, line))
        fail_msg("'%s' in\n%s", line, text);
}

// ---- the example of the language's description ----

static void sgemm(kit *k) {
    kit_param(k, "A", &kit_floats, "shared shape(M, K)");
    kit_param(k, "B", &kit_floats, "shared shape(K, N)");
    kit_param(k, "C", &kit_floats, "mut shape(M, N) tile(BM, 64)");
    kit_param(k, "M", &kit_int, "");
    kit_param(k, "N", &kit_int, "");
    kit_param(k, "K", &kit_int, "");
    make(k, "block(16, 16) grid(tc_cdiv(N, 64), tc_cdiv(M, 64)) requires(M >= 1 && M <= 1 << 15)");
    const tc_contract *c = &k->c;
    assert_true(c->annotated && c->has_block && c->has_grid);
    assert_int_equal(c->scalars.len, 3);
    assert_int_equal(c->objects.len, 3);
    assert_true(c->syms.block_dim[0] == tc_int(k->ts, 16));
    assert_true(c->syms.block_dim[2] == tc_int(k->ts, 1));
    assert_true(c->syms.thread_idx[2] == tc_int(k->ts, 0));
    assert_true(c->syms.grid_dim[2] == tc_int(k->ts, 1));
    assert_true(c->syms.block_idx[2] == tc_int(k->ts, 0));
    const tc_object_contract *o = tc_contract_object(c, 2, 0);
    assert_string_equal(o->path, "C");
    assert_int_equal(o->region, TC_REGION_AT);
    assert_true(o->at[0] == c->syms.block_idx[1] && o->at[1] == c->syms.block_idx[0]);
    assert_true(o->stride[0] == tc_contract_scalar(c, 4, 0)->term);
    assert_true(o->stride[1] == tc_int(k->ts, 1));
    has_line(k, "scalar 'M' of int in [1, 32768]");
    has_line(k, "scalar 'N' of int in [0, 2147483647]");
    has_line(k, "pointer 'C' of float: mut shape(M, N) tile(64, 64) at(blockIdx.y, blockIdx.x)");
    has_line(k, "// M >= 1");
    has_line(k, "// M <= 1 << 15");
    has_line(k, "// N >= 0");
    has_line(k, "// gridDim.x == tc_cdiv(N, 64)");
    // From M <= 32768: the grid has at most 512 blocks in y.
    tc_interval r = tc_range_of(k->ts, c->syms.block_idx[1]);
    assert_true(r.lo == 0 && r.hi == 511);
}

static void test_a_matrix_product(void **state) {
    (void)state;
    run(sgemm);
}

// ---- facts ----

static void facts_stay(kit *k) {
    kit_param(k, "x", &kit_floats, "mut shape(n)");
    kit_param(k, "n", &kit_int, "");
    make(k, "requires(n >= 3 && gridDim.x <= 7)");
    // The symbol has the range, and a launch still has to meet the fact.
    tc_interval r = tc_range_of(k->ts, k->c.scalars.data[0].term);
    assert_true(r.lo == 3);
    tc_map syms = {0};
    tc_i128 two = 2, eight = 8, three = 3;
    const tc_sym *n = k->c.scalars.data[0].term->sym, *g = k->c.syms.grid_dim[0]->sym;
    unsigned broken[2] = {0, 0};
    for (int t = 0; t < 2; t++) {
        tc_map_put(k->a, &syms, TC_KEY(n), t ? (void *)&three : (void *)&two);
        tc_map_put(k->a, &syms, TC_KEY(g), t ? (void *)&three : (void *)&eight);
        tc_env env = {.syms = syms};
        for (size_t i = 0; i < k->c.facts.len; i++) {
            tc_i128 v = 1;
            bool known = strstr(k->c.facts.data[i].text, "n >= 3") || strstr(k->c.facts.data[i].text, "gridDim.x <= 7");
            if (known && (!tc_eval(k->ts, k->c.facts.data[i].term, &env, &v) || !v))
                broken[t]++;
        }
    }
    assert_int_equal(broken[0], 2);
    assert_int_equal(broken[1], 0);
}

static void test_a_range_does_not_swallow_its_fact(void **state) {
    (void)state;
    run(facts_stay);
}

static void equal_facts(kit *k) {
    kit_param(k, "n", &kit_int, "");
    make(k, "requires(n == 7 && gridDim.y == 1 && gridDim.z == 1)");
    assert_non_null(k->c.scalars.data[0].term->sym);
    assert_non_null(k->c.syms.grid_dim[1]->sym);
    has_line(k, "// n == 7");
    has_line(k, "// gridDim.y == 1");
    has_line(k, "scalar 'n' of int in [7, 8]");
}

static void test_a_required_value_stays_a_symbol(void **state) {
    (void)state;
    run(equal_facts);
}

static void hardware(kit *k) {
    make(k, "requires(true)");
    has_line(k, "// blockDim.x >= 1");
    has_line(k, "// blockDim.z <= 64");
    has_line(k, "// gridDim.x <= 2147483647");
    has_line(k, "// gridDim.y <= 65535");
    has_line(k, "// threadIdx.x < blockDim.x");
    has_line(k, "// blockIdx.z < gridDim.z");
    has_line(k, "// blockDim.x * blockDim.y * blockDim.z <= 1024");
}

static void test_hardware_limits(void **state) {
    (void)state;
    run(hardware);
}

static void launch_bounds(kit *k) {
    k->kernel.max_threads = 256;
    kit_param(k, "bx", &kit_int, "");
    make(k, "block(bx, 2)");
    has_line(k, "fact blockDim.x <= 128");
    has_line(k, "fact bx == blockDim.x");
}

static void test_launch_bounds_divide_by_fixed_extents(void **state) {
    (void)state;
    run(launch_bounds);
}

static void cluster(kit *k) {
    make(k, "block(128) grid(8, 4) cluster(2, 2)");
    assert_true(k->c.has_cluster);
    has_no_line(k, "fact gridDim");
    kit j;
    kit_init(&j, k->a);
    kit_param(&j, "n", &kit_int, "");
    make(&j, "grid(n) cluster(2)");
    has_line(&j, "// gridDim.x % 2 == 0");
}

static void test_clusters_divide_the_grid(void **state) {
    (void)state;
    run(cluster);
}

static void options(kit *k) {
    const char *error;
    tc_options_parse(&k->options, k->a, "block=64,*", &error);
    tc_options_parse(&k->options, k->a, "grid=*,2", &error);
    tc_options_parse(&k->options, k->a, "define=n=12", &error);
    kit_param(k, "n", &kit_int, "");
    make(k, "");
    assert_false(k->c.annotated);
    assert_true(k->c.has_block && k->c.has_grid);
    assert_true(k->c.syms.block_dim[0] == tc_int(k->ts, 64));
    assert_non_null(k->c.syms.block_dim[1]->sym);
    assert_true(k->c.block[1] == k->c.syms.block_dim[1]);
    assert_true(k->c.syms.grid_dim[1] == tc_int(k->ts, 2));
    assert_true(k->c.scalars.data[0].term == tc_int(k->ts, 12));
    kit j;
    kit_init(&j, k->a);
    j.options = k->options;
    make(&j, "block(32)"); // what is declared goes before an option
    assert_true(j.c.syms.block_dim[0] == tc_int(j.ts, 32));
}

static void test_options_declare_what_is_left_open(void **state) {
    (void)state;
    run(options);
}

static void smem(kit *k) {
    kit_param(k, "n", &kit_int, "");
    make(k, "block(256) smem(blockDim.x * sizeof(float))");
    assert_true(k->c.syms.smem == tc_int(k->ts, 1024));
    kit j;
    kit_init(&j, k->a);
    make(&j, "smem(blockDim.x * 4)");
    assert_non_null(j.c.syms.smem->sym);
    has_line(&j, "// the declared bytes of dynamic shared memory");
}

static void test_dynamic_shared_memory(void **state) {
    (void)state;
    run(smem);
}

// ---- expressions ----

static tc_t value_of(kit *k, const char *expr) {
    kit j;
    kit_init(&j, k->a);
    j.ts = k->ts;
    kit_targ(&j, "T", 32);
    kit_type_arg(&j, "E", &kit_float);
    kit_param(&j, "p", &kit_floats, tc_fmt(k->a, "mut shape(%s)", expr));
    kit_param(&j, "n", &kit_int, "");
    kit_param(&j, "u", &kit_unsigned, "");
    kit_param(&j, "l", &kit_long, "");
    kit_param(&j, "b", &kit_bool, "");
    kit_param(&j, "c", &kit_char, "");
    make(&j, "block(256)");
    k->c = j.c;
    return j.c.objects.data[0].shape[0];
}

static void same(kit *k, const char *expr, const char *text) {
    const char *t = tc_term_text(k->ts, value_of(k, expr));
    if (strcmp(t, text) != 0)
        fail_msg("%s is %s, not %s", expr, t, text);
}

static void expressions(kit *k) {
    same(k, "7 / 2", "3");
    same(k, "5 - -7 / 2", "8"); // truncates
    same(k, "9 + -7 % 3", "8"); // sign of the dividend
    same(k, "1 << 38", "274877906944");
    same(k, "1 << 100 >> 98", "4");
    same(k, "T * 2 + BM", "128");
    same(k, "NEG + 10", "7");
    same(k, "A::B<3>::c", "9");
    same(k, "sizeof(float) + sizeof(E) + sizeof(long long) + sizeof(item_t) + sizeof(n) + sizeof(p) + sizeof(void *)",
         "40");
    same(k, "alignof(E)", "4");
    same(k, "tc_cdiv(10, 4) + tc_cdiv(8, 4) + tc_cdiv(0, 4)", "5");
    same(k, "min(3, 4) + std::max(3, 4)", "7");
    same(k, "blockDim.x * 2", "512");
    same(k, "warpSize", "32");
    same(k, "(3 < 4) + (4 <= 4) + (5 > 6) + (1 == 1) + (1 != 1) + (3 >= 4)", "3");
    same(k, "3 && 0 || 2", "1");
    same(k, "!0 + !5", "1");
    same(k, "1 ? 2 : 3", "2");
    same(k, "6 & 3 | 8 ^ 1", "11");
    same(k, "-(~4)", "5");
    same(k, "'A'", "65");
    same(k, "true + false", "1");
    // casts wrap
    same(k, "(unsigned)-1", "4294967295");
    same(k, "(unsigned char)300", "44");
    same(k, "1000 + (signed char)200", "944");
    same(k, "(bool)7", "1");
    same(k, "static_cast<unsigned short>(65537)", "1");
    same(k, "unsigned(5) + item_t(6)", "11");
    same(k, "(size_t)-1 == 18446744073709551615ull", "1");
    // where the interval fits they do nothing
    same(k, "(long long)u", "u");
    same(k, "(unsigned)u", "u");
    same(k, "(long long)c + 200", "c + 200");
    same(k, "half(8)", "4");
}

static void test_expressions_are_of_mathematical_integers(void **state) {
    (void)state;
    run(expressions);
}

static bool is_op(void *ctx, tc_t t) {
    return t->op == *(tc_op *)ctx;
}

static bool contains(kit *k, tc_t t, tc_op op) {
    return tc_any(k->ts, t, is_op, &op);
}

static void symbolic(kit *k) {
    // Near misses: nothing is dropped that may matter.
    assert_true(contains(k, value_of(k, "1000000000000ll + (int)l"), TC_T_WRAP));
    assert_true(contains(k, value_of(k, "(unsigned)c"), TC_T_WRAP));
    assert_true(contains(k, value_of(k, "(unsigned)(b + u)"), TC_T_WRAP));
    assert_true(contains(k, value_of(k, "l / 3"), TC_T_TDIV));
    assert_true(contains(k, value_of(k, "l % 3 + 7"), TC_T_TREM));
    assert_false(contains(k, value_of(k, "u / 3"), TC_T_TDIV));
    assert_false(contains(k, value_of(k, "u % 3"), TC_T_TREM));
    assert_true(contains(k, value_of(k, "1ll << u"), TC_T_POW2));
    assert_true(contains(k, value_of(k, "u >> 3"), TC_T_DIV));
    assert_true(contains(k, value_of(k, "u ^ 5"), TC_T_BITXOR));
    // n is the extent itself, and so not negative: what the first pass finds is used.
    assert_false(contains(k, value_of(k, "n"), TC_T_TDIV));
}

static void test_what_is_not_known_stays(void **state) {
    (void)state;
    run(symbolic);
}

// ---- where an expression has no value ----

static const char *requirement(kit *k, const char *expr) {
    kit j;
    kit_init(&j, k->a);
    kit_param(&j, "n", &kit_int, "");
    kit_param(&j, "d", &kit_int, "");
    kit_param(&j, "u", &kit_unsigned, "");
    make(&j, tc_fmt(k->a, "requires(%s)", expr));
    for (size_t i = j.c.facts.len; i-- > 0;)
        if (j.c.facts.data[i].loc.line == 100)
            return tc_term_text(j.ts, j.c.facts.data[i].term);
    return "true";
}

static void undefined(kit *k) {
    // A launch for which the expression has no value is not allowed.
    assert_string_equal(requirement(k, "n / d > 3"), "d != 0 && n / d >= 4");
    assert_non_null(strstr(requirement(k, "n % d > 3"), "d != 0"));
    assert_non_null(strstr(requirement(k, "tc_cdiv(n, d) > 3"), "d > 0"));
    assert_non_null(strstr(requirement(k, "(1 << d) > 3"), "d >= 0"));
    // A guard guards, as in C.
    const char *guarded = requirement(k, "d == 0 || n / d > 3");
    assert_non_null(strstr(guarded, "d == 0"));
    assert_non_null(strstr(guarded, "||"));
    assert_null(strstr(guarded, "d != 0"));
    assert_null(strstr(requirement(k, "(d != 0 ? n / d : 0) < 3"), "d != 0 &&"));
    // A divisor that cannot be zero asks nothing.
    assert_null(strstr(requirement(k, "n / (u + 1) > 3"), "&&"));
}

static void test_a_requirement_without_value_does_not_hold(void **state) {
    (void)state;
    run(undefined);
}

static void undefined_shape(kit *k) {
    kit_param(k, "x", &kit_floats, "mut shape(n / d)");
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "d", &kit_int, "");
    make(k, "");
    // Nothing is assumed of d, and nothing of the extent where d is 0.
    for (size_t i = 0; i < k->c.facts.len; i++)
        if (strstr(k->c.facts.data[i].text, "n / d")) {
            assert_int_equal(k->c.facts.data[i].term->op, TC_T_OR);
            return;
        }
    fail_msg("no fact about the extent");
}

static void test_an_extent_without_value_assumes_nothing(void **state) {
    (void)state;
    run(undefined_shape);
}

// ---- structures ----

static const tc_type dims_type = {
    .kind = TC_TY_ARRAY, .name = "int[2]", .size = 8, .align = 4, .elem = &kit_int, .count = 2};
static const tc_type ptrs_type = {
    .kind = TC_TY_ARRAY, .name = "float *[2]", .size = 16, .align = 8, .elem = &kit_floats, .count = 2};

// struct mat { int rows, dims[2]; float *data [shape(rows, dims[1])]; float *ptr[2]; float scale; };
static const tc_type *mat_type(kit *k, const char *words) {
    tc_field fields[] = {{.name = "rows", .type = &kit_int, .offset = 0},
                         {.name = "dims", .type = &dims_type, .offset = 4},
                         {.name = "data", .type = &kit_floats, .offset = 16, .attrs = kit_attrs(k, words)},
                         {.name = "ptr", .type = &ptrs_type, .offset = 24},
                         {.name = "scale", .type = &kit_float, .offset = 40}};
    tc_field *copy = TC_NEW_ARRAY(k->a, tc_field, 5);
    memcpy(copy, fields, sizeof fields);
    tc_type *t = TC_NEW(k->a, tc_type);
    *t = (tc_type){.kind = TC_TY_STRUCT, .name = "mat", .size = 48, .align = 8, .fields = copy, .nfields = 5};
    return t;
}

static void structures(kit *k) {
    const tc_type *mat = mat_type(k, "shared shape(rows, dims[1])");
    kit_param(k, "a", mat, "");
    kit_param(k, "rows", &kit_int, "");
    kit_param(k, "out", &kit_floats, "mut shape(a.dims[0], rows)");
    make(k, "param(a.ptr[i], mut, shape(a.dims[i])) requires(a.rows >= rows)");
    assert_int_equal(k->c.scalars.len, 4);
    assert_string_equal(k->c.scalars.data[1].path, "a.dims[0]");
    const tc_scalar *d1 = tc_contract_scalar(&k->c, 0, 8);
    assert_string_equal(d1->path, "a.dims[1]");
    const tc_object_contract *data = tc_contract_object(&k->c, 0, 16);
    assert_string_equal(data->path, "a.data");
    // A field's expression sees its siblings first.
    assert_true(data->shape[0] == tc_contract_scalar(&k->c, 0, 0)->term);
    assert_true(data->shape[1] == d1->term);
    const tc_object_contract *p1 = tc_contract_object(&k->c, 0, 32);
    assert_string_equal(p1->path, "a.ptr[1]");
    assert_int_equal(p1->borrow, TC_BORROW_MUT);
    assert_true(p1->shape[0] == d1->term);
    const tc_object_contract *out = tc_contract_object(&k->c, 2, 0);
    assert_true(out->shape[1] == tc_contract_scalar(&k->c, 1, 0)->term);
    assert_null(tc_contract_object(&k->c, 0, 40));
}

static void test_fields_of_structures(void **state) {
    (void)state;
    run(structures);
}

static void chosen_element(kit *k) {
    kit_param(k, "a", mat_type(k, ""), "");
    kit_param(k, "i", &kit_int, "");
    make(k, "requires(a.dims[i] > 5)");
    has_line(k, "i == 0");
    has_line(k, "i == 1");
    for (size_t i = 0; i < k->c.facts.len; i++)
        if (strcmp(k->c.facts.data[i].text, "a.dims[i] > 5") == 0)
            return;
    fail_msg("no fact");
}

static void test_an_index_may_be_a_parameter(void **state) {
    (void)state;
    run(chosen_element);
}

static void param_word(kit *k) {
    kit_param(k, "p", mat_type(k, ""), "");
    kit_param(k, "q", &kit_floats, "");
    make(k, "param(q, tc_shared, shape(4, p.rows)) param(p.data, out, shape(8), optional) param(q, align(16))");
    has_line(k, "pointer 'q' of float: shared shape(4, p.rows) align(16)");
    has_line(k, "pointer 'p.data' of float: out shape(8) optional");
}

static void test_words_may_stand_at_the_kernel(void **state) {
    (void)state;
    run(param_word);
}

// ---- regions ----

static tc_t index_sym(kit *k, const char *name) {
    return tc_of_sym(k->ts, tc_sym_new(k->ts, name, TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT));
}

static void tile_region(kit *k) {
    kit_param(k, "x", &kit_floats, "mut shape(n, m) tile(4, 8) at(blockIdx.x, 0)");
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "m", &kit_int, "");
    make(k, "");
    tc_t i[2] = {index_sym(k, "i"), index_sym(k, "j")};
    tc_t own = tc_contract_owned(&k->c, &k->c.objects.data[0], i);
    tc_terms *ts = k->ts;
    tc_t first = tc_mulc(ts, k->c.syms.block_idx[0], 4);
    tc_t want = tc_and(ts, tc_and(ts, tc_le(ts, first, i[0]), tc_lt(ts, i[0], tc_addc(ts, first, 4))),
                       tc_in_range(ts, i[1], 0, 7));
    assert_ptr_equal(own, want);
    assert_ptr_equal(tc_contract_flat(&k->c, &k->c.objects.data[0], i),
                     tc_add(ts, tc_mul(ts, i[0], k->c.scalars.data[1].term), i[1]));
}

static void test_a_tile_owns_a_rectangle(void **state) {
    (void)state;
    run(tile_region);
}

static void owner_region(kit *k) {
    kit_param(k, "x", &kit_floats, "mut shape(n, m) tile(4, 8) owner(i, j; (i * tiles + j) % gridDim.x)");
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "m", &kit_int, "");
    kit_param(k, "tiles", &kit_unsigned, "");
    make(k, "");
    const tc_object_contract *o = &k->c.objects.data[0];
    assert_int_equal(o->region, TC_REGION_OWNER);
    assert_string_equal(o->owner_index[1]->name, "j");
    tc_t index[2] = {tc_int(k->ts, 9), tc_int(k->ts, 17)};
    tc_terms *ts = k->ts;
    const tc_launch_syms *s = &k->c.syms;
    tc_t tile = tc_addc(ts, tc_mulc(ts, k->c.scalars.data[2].term, 2), 2);
    tc_t block =
        tc_add(ts, s->block_idx[0],
               tc_mul(ts, s->grid_dim[0], tc_add(ts, s->block_idx[1], tc_mul(ts, s->grid_dim[1], s->block_idx[2]))));
    tc_t own = tc_contract_owned(&k->c, o, index);
    // i and j may be negative as far as the words go, so the remainder is C's until numbers stand for them.
    assert_true(own == tc_eq(ts, tc_trem(ts, tile, s->grid_dim[0]), block) ||
                own == tc_eq(ts, tc_mod(ts, tile, s->grid_dim[0]), block));
}

static void test_an_owner_names_a_linear_block(void **state) {
    (void)state;
    run(owner_region);
}

static void rows_region(kit *k) {
    kit_param(k, "off", &kit_ints, "shared shape(segments + 1) monotone range(0, 1000)");
    kit_param(k, "x", &kit_floats, "mut shape(n, 4) rows(off[blockIdx.x], off[blockIdx.x + 1])");
    kit_param(k, "segments", &kit_int, "");
    kit_param(k, "n", &kit_int, "");
    make(k, "");
    const tc_object_contract *o = &k->c.objects.data[1];
    assert_int_equal(o->region, TC_REGION_ROWS);
    assert_int_equal(o->rows_lo->op, TC_T_APP);
    assert_ptr_equal(o->rows_lo->fn, tc_contract_contents(&k->c, 0));
    assert_true(o->rows_lo->fn->has_lo && o->rows_lo->fn->lo == INT32_MIN && o->rows_lo->fn->hi == INT32_MAX);
    assert_ptr_equal(o->rows_hi->args[0], tc_addc(k->ts, k->c.syms.block_idx[0], 1));
    has_line(k, "range(0, 1000) monotone");
}

static void test_rows_from_an_offset_array(void **state) {
    (void)state;
    run(rows_region);
}

static void forall(kit *k) {
    kit_param(k, "table", &kit_ints, "shared shape(batch, pages)");
    kit_param(k, "lens", &kit_ints, "shared shape(batch)");
    kit_param(k, "batch", &kit_int, "");
    kit_param(k, "pages", &kit_int, "");
    make(k, "forall(s, p; p * 16 >= lens[s] || table[s][p] < pages)");
    assert_int_equal(k->c.foralls.len, 1);
    const tc_forall_fact *f = &k->c.foralls.data[0];
    assert_int_equal(f->nbound, 2);
    assert_true(contains(k, f->term, TC_T_APP));
    // Said only of elements that exist: for s = -1 the fact says nothing.
    tc_map map = {0};
    tc_map_put(k->a, &map, TC_KEY(tc_of_sym(k->ts, f->bound[0])), (void *)(uintptr_t)tc_int(k->ts, -1));
    assert_true(tc_is_true(tc_subst(k->ts, f->term, &map)));
}

static void test_facts_about_index_arrays(void **state) {
    (void)state;
    run(forall);
}

// ---- other words ----

static void others(kit *k) {
    static const tc_type table = {
        .kind = TC_TY_ARRAY, .name = "int[8]", .size = 32, .align = 4, .elem = &kit_int, .count = 8};
    kit_param(k, "x", &kit_floats, "mut shape(n) inplace(y)");
    kit_param(k, "y", &kit_floats, "shared shape(n) optional align(sizeof(float) * 4)");
    kit_param(k, "z", &kit_floats, "unchecked(\"tables of the driver\")");
    kit_param(k, "n", &kit_int, "");
    kit_var(k, "ticket", &kit_int, "atomic init(0)");
    kit_var(k, "lut", &table, "shared");
    make(k, "distinct(x, z) may_alias(y, z) requires(y != nullptr || n == 0)");
    has_line(k, "inplace(y)");
    has_line(k, "align(16) optional");
    has_line(k, "unchecked (tables of the driver)");
    has_line(k, "variable 'ticket' of int: atomic shape(1) init(0)");
    has_line(k, "variable 'lut' of int: shared shape(8)");
    has_line(k, "distinct(x, z)");
    has_line(k, "may_alias(y, z)");
    const tc_object_contract *y = tc_contract_object(&k->c, 1, 0);
    assert_int_equal(y->nonnull->op, TC_T_SYM);
    assert_int_equal(y->nonnull->sort, TC_BOOL);
    assert_int_equal(y->nonnull->sym->owner, 1);
    assert_true(tc_is_true(tc_contract_object(&k->c, 0, 0)->nonnull));
    bool found = false;
    for (size_t i = 0; i < k->c.facts.len; i++)
        found |=
            strcmp(k->c.facts.data[i].text, "y != nullptr || n == 0") == 0 && k->c.facts.data[i].term->op == TC_T_OR;
    assert_true(found);
}

static void test_other_words(void **state) {
    (void)state;
    run(others);
}

static void repeated(kit *k) {
    kit_param(k, "x", &kit_floats, "mut mut shape(n) shape(n)");
    kit_param(k, "n", &kit_int, "");
    make(k, "block(64) block(64)");
}

static void test_saying_the_same_again_is_harmless(void **state) {
    (void)state;
    run(repeated);
}

static void words_on_variables_alone(kit *k) {
    kit_var(k, "ticket", &kit_int, "atomic");
    make(k, "");
    assert_false(k->c.annotated);
}

static void test_a_variable_does_not_annotate_a_kernel(void **state) {
    (void)state;
    run(words_on_variables_alone);
}

// ---- memory ----

static void everything(tc_trap *trap, void *arg) {
    tc_arena *a = tc_arena_new(trap);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    kit_param(k, "a", mat_type(k, "shared shape(rows, dims[1])"), "");
    kit_param(k, "x", &kit_floats, "mut shape(n, m) tile(4, 8) owner(i, j; (i * 3 + j) % gridDim.x)");
    kit_param(k, "off", &kit_ints, "shared shape(n + 1) monotone");
    kit_param(k, "y", &kit_floats, "mut shape(n, m) rows(off[blockIdx.x], off[blockIdx.x + 1])");
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "m", &kit_int, "");
    kit_var(k, "ticket", &kit_int, "atomic init(0)");
    const char *words = arg;
    kit_make(k, words);
    tc_contract_text(a, &k->c);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    static const char *const words[] = {
        "block(256) grid(tc_cdiv(n, 256)) requires(n >= 1 && n <= 1 << 20 && half(n) > 3) param(a.ptr[i], mut, "
        "shape(n))",
        "requires(nn > 3) block(32, 64) grid(0) param(q, shared) forall(i; off[i] < m) distinct(x, y) requires(n +) ",
    };
    for (size_t w = 0; w < 2; w++) {
        tc_alloc_count();
        assert_int_equal(tc_trap_run(everything, (void *)(uintptr_t)words[w], NULL), TC_OK);
        uint64_t n = tc_alloc_count();
        for (uint64_t i = 1; i <= n; i++) {
            tc_alloc_fail_at(i);
            assert_int_equal(tc_trap_run(everything, (void *)(uintptr_t)words[w], NULL), TC_ENOMEM);
        }
        tc_alloc_fail_at(0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_matrix_product),
        cmocka_unit_test(test_a_range_does_not_swallow_its_fact),
        cmocka_unit_test(test_a_required_value_stays_a_symbol),
        cmocka_unit_test(test_hardware_limits),
        cmocka_unit_test(test_launch_bounds_divide_by_fixed_extents),
        cmocka_unit_test(test_clusters_divide_the_grid),
        cmocka_unit_test(test_options_declare_what_is_left_open),
        cmocka_unit_test(test_dynamic_shared_memory),
        cmocka_unit_test(test_expressions_are_of_mathematical_integers),
        cmocka_unit_test(test_what_is_not_known_stays),
        cmocka_unit_test(test_a_requirement_without_value_does_not_hold),
        cmocka_unit_test(test_an_extent_without_value_assumes_nothing),
        cmocka_unit_test(test_fields_of_structures),
        cmocka_unit_test(test_an_index_may_be_a_parameter),
        cmocka_unit_test(test_words_may_stand_at_the_kernel),
        cmocka_unit_test(test_a_tile_owns_a_rectangle),
        cmocka_unit_test(test_an_owner_names_a_linear_block),
        cmocka_unit_test(test_rows_from_an_offset_array),
        cmocka_unit_test(test_facts_about_index_arrays),
        cmocka_unit_test(test_other_words),
        cmocka_unit_test(test_saying_the_same_again_is_harmless),
        cmocka_unit_test(test_a_variable_does_not_annotate_a_kernel),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
