// What is wrong in a contract is told, with its place; nothing is told of what is right.
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

// ---- one word wrong ----

static const tc_type pair_type = {
    .kind = TC_TY_STRUCT,
    .name = "pair",
    .size = 8,
    .align = 4,
    .fields = (const tc_field[]){{.name = "a", .type = &kit_int}, {.name = "b", .type = &kit_int, .offset = 4}},
    .nfields = 2};

// The kernel: x has these words, then n, m, scale, flag, pair, idx (shared, shape(n)), r (__restrict__).
static void kernel(kit *k, const char *words) {
    kit_param(k, "x", &kit_floats, words);
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "m", &kit_int, "");
    kit_param(k, "scale", &kit_float, "");
    kit_param(k, "pair", &pair_type, "");
    kit_param(k, "idx", &kit_ints, "shared shape(n)");
    kit_param(k, "v", &kit_voids, "");
    kit_type_arg(k, "E", &kit_float);
}

static const struct {
    const char *words;
    const char *wants[2]; // in one finding
} on_pointer[] = {
    // words
    {"shapes(n)", {"tc_shapes"}},
    {"grid(4)", {"tc_grid", "kernel"}},
    {"shared mut", {"tc_shared", "tc_mut"}},
    {"out atomic", {"tc_out", "tc_atomic"}},
    {"mut shape(n) shape(2 * n)", {"tc_shape", "twice"}},
    {"mut(n)", {"tc_mut", "no arguments"}},
    {"unchecked", {"tc_unchecked", "1 argument"}},
    {"unchecked(n)", {"tc_unchecked", "reason"}},
    {"unchecked(\"\")", {"tc_unchecked", "reason"}},
    // counts and dimensions
    {"mut shape()", {"tc_shape", "at least 1"}},
    {"mut shape", {"tc_shape", "at least 1"}},
    {"mut shape(1, 1, 1, 1, 1, 1, 1, 1, n)", {"9 dimensions", "8"}},
    {"mut shape(n, n) tile(16)", {"tc_tile", "dimension"}},
    {"mut shape(n, n) tile(16, 16) at(blockIdx.x)", {"tc_at", "dimension"}},
    {"mut shape(n) stride(n, 1)", {"tc_stride", "dimension"}},
    {"mut shape(n, n) tile(16, 16) owner(i; i % gridDim.x)", {"tc_owner", "dimension"}},
    {"mut shape(n) rows(0)", {"tc_rows", "2 arguments"}},
    {"mut shape(n, n, n, n) tile(1, 1, 1, n)", {"4 dimensions", "which tile"}},
    // what needs what
    {"mut tile(16)", {"tc_tile", "tc_shape"}},
    {"mut rows(0, n)", {"tc_rows", "tc_shape"}},
    {"mut stride(n)", {"tc_stride", "tc_shape"}},
    {"mut shape(n) at(blockIdx.x)", {"tc_at", "tc_tile"}},
    {"mut shape(n) owner(i; i)", {"tc_owner", "tc_tile"}},
    {"mut shape(n) tile(4) at(blockIdx.x) owner(i; i)", {"tc_at", "tc_owner"}},
    {"mut shape(n) tile(4) rows(0, n)", {"tc_tile", "tc_rows"}},
    {"shared shape(n) tile(4)", {"tc_tile", "tc_mut"}},
    {"atomic shape(n) rows(0, n)", {"tc_rows", "tc_mut"}},
    {"mut shape(n) range(0, n)", {"tc_range", "tc_shared"}},
    {"shared shape(n) injective", {"tc_injective", "not integers"}},
    {"mut shape(n) init(0)", {"tc_init", "tc_atomic"}},
    {"shared shape(n) inplace(idx)", {"tc_inplace", "tc_mut"}},
    {"mut shape(n) inplace(other)", {"'other'"}},
    {"mut shape(n) inplace(n)", {"'n'", "pointer"}},
    {"mut shape(n) inplace(x)", {"itself"}},
    // extents and tiles
    {"mut shape(n) tile(0)", {"tc_tile", "0"}},
    {"mut shape(n) tile(-64)", {"tc_tile", "-64"}},
    {"mut shape(n) tile(m)", {"tc_tile", "may be zero"}},
    {"mut shape(-4)", {"never negative"}},
    {"mut shape(-9223372036854775807 - 1)", {"never negative"}},
    {"mut align(3)", {"tc_align", "power of two"}},
    {"mut align(0)", {"tc_align", "power of two"}},
    {"mut align(n)", {"tc_align", "power of two"}},
    // expressions
    {"mut shape(2 * q)", {"'q'"}},
    {"mut shape(n / 0)", {"zero"}},
    {"mut shape(n % (4 - 4))", {"zero"}},
    {"mut shape(tc_cdiv(n, 0))", {"zero"}},
    {"mut shape(tc_cdiv(n, -1))", {"negative"}},
    {"mut shape(n << -1)", {"shift"}},
    {"mut shape(1 << 1000000000)", {"shift"}},
    {"mut shape((1ull << 63) * (1ull << 63) * 4)", {"too large"}},
    {"mut shape((1 << 126) + (1 << 126))", {"too large"}},
    {"mut shape(-(-((1 << 126) - 1 + (1 << 126)) - 1))", {"too large"}},
    {"mut shape(scale)", {"'scale'", "float"}},
    {"mut shape(pair)", {"'pair'", "integers"}},
    {"mut shape(pair.c)", {"no field 'c'"}},
    {"mut shape(pair->a)", {"not a pointer"}},
    {"mut shape(pair[0])", {"no elements"}},
    {"mut shape(n.x)", {"'n' has no fields"}},
    {"mut shape(x)", {"pointer", "not a number"}},
    {"mut shape(x == 0)", {"'x' is never null"}},
    {"mut shape(x == idx)", {"nullptr only"}},
    {"mut shape(x[0])", {"tc_shared"}},
    {"mut shape(idx[0][1])", {"1 dimensions, not 2"}},
    {"mut shape(idx[0].y)", {"dimensions"}},
    {"mut shape(v->n)", {"'v' is a pointer"}},
    {"mut shape(v)", {"'v' is a pointer"}},
    {"mut shape(E)", {"'E' is a type"}},
    {"mut shape(item_t)", {"'item_t' is a type"}},
    {"mut shape(half)", {"'half' is a function"}},
    {"mut shape(third(n))", {"'third'"}},
    {"mut shape(A::f<3>(n))", {"it has a loop"}},
    {"mut shape(min(n))", {"min wants 2"}},
    {"mut shape((float)n)", {"'float'", "integers"}},
    {"mut shape((E)n)", {"'E'", "integers"}},
    {"mut shape((nothing)n)", {"'nothing' is not a type"}},
    {"mut shape(sizeof(nothing))", {"'nothing' is not a type"}},
    {"mut shape(sizeof(void))", {"size of 'void'"}},
    {"mut shape(\"n\")", {"text"}},
    {"mut shape(1.5)", {"fractions"}},
    {"mut shape(n +)", {"expected"}},
    {"mut shape(blockIdx.x)", {"'blockIdx'", "all blocks"}},
    {"mut shape(threadIdx.x)", {"'threadIdx'"}},
    {"mut shape(n) tile(4) at(threadIdx.x)", {"'threadIdx'"}},
    {"mut shape(gridDim)", {"gridDim.x"}},
    {"mut shape(gridDim.w)", {"gridDim.x"}},
    {"mut shape(n) tile(4) owner(i; blockIdx.x)", {"'blockIdx'"}},
    {"mut shape(n) tile(4) owner(i % gridDim.x)", {"expected"}},
    {"mut shape(n) tile(4) owner(i; i, i)", {"one expression"}},
};

static const struct {
    const char *words;
    const char *wants[2];
} on_kernel[] = {
    {"mut", {"tc_mut", "kernel"}},
    {"blok(4)", {"tc_blok"}},
    {"block(64) block(128)", {"tc_block", "twice"}},
    {"block(1, 2, 3, 4)", {"tc_block", "1 to 3"}},
    {"block(0)", {"blockDim.x is 0"}},
    {"block(2048)", {"blockDim.x is 2048"}},
    {"block(32, 64)", {"2048 threads"}},
    {"block(1, 1, 65)", {"blockDim.z is 65"}},
    {"block(gridDim.x)", {"'gridDim'"}},
    {"block(blockDim.x)", {"'blockDim'"}},
    {"grid(0)", {"gridDim.x is 0"}},
    {"grid(1, 65536)", {"gridDim.y is 65536"}},
    {"grid(gridDim.x)", {"'gridDim'"}},
    {"smem(-1)", {"shared memory"}},
    {"smem(1, 2)", {"tc_smem", "1 argument"}},
    {"cluster(0)", {"cluster"}},
    {"cluster(n)", {"cluster"}},
    {"cluster(4, 8)", {"16 blocks"}},
    {"requires(n > 5) requires(n < 3)", {"n > 5", "n < 3"}},
    {"requires(n > 5 && n < 3)", {"n > 5", "n < 3"}},
    {"requires(n > 2147483647)", {"no launch"}},
    {"requires(1 > 2)", {"no launch"}},
    {"grid(4) requires(gridDim.x == 5)", {"no launch"}},
    {"requires(n >= size)", {"'size'"}},
    {"requires()", {"tc_requires", "1 argument"}},
    {"requires(n > 1, m > 1)", {"tc_requires", "1 argument"}},
    {"requires(blockIdx.x == 0)", {"'blockIdx'"}},
    {"param(q, mut, shape(n))", {"'q'"}},
    {"param(n, mut)", {"'n'", "pointer"}},
    {"param(pair, mut)", {"'pair'", "pointer"}},
    {"param(x)", {"tc_param"}},
    {"param()", {"tc_param"}},
    {"param(x, mut, )", {"tc_param"}},
    {"param(x, mutt)", {"tc_mutt"}},
    {"param(x, 3)", {"expected a word"}},
    {"param(x, mut + 1)", {"expected a word"}},
    {"param(x + 1, mut)", {"not a parameter"}},
    {"param(x, mut, shape(q))", {"'q'"}},
    {"param(x, block(3))", {"tc_block", "kernel"}},
    {"param(x, shared) param(x, mut)", {"tc_shared", "tc_mut"}},
    {"forall(i, idx[i] > 0)", {"expected"}},
    {"forall(i; x[i] > 0)", {"tc_shared"}},
    {"forall(a, b, c, d, e; a > b)", {"5 names"}},
    {"distinct(x)", {"tc_distinct", "at least 2"}},
    {"distinct(x, n)", {"'n'"}},
    {"distinct(x, y)", {"'y'"}},
    {"distinct(x, x)", {"twice"}},
    {"distinct(x, idx) may_alias(idx, x)", {"tc_distinct", "tc_may_alias"}},
};

static void expect_finding(kit *k, const char *words, const char *const wants[2]) {
    size_t named = 0;
    for (size_t i = 0; i < k->out.len; i++) {
        const tc_finding *f = &k->out.data[i];
        assert_string_equal(f->code, "TC9001");
        assert_true(f->loc.line >= 99);
        named += strstr(f->text, wants[0]) && (!wants[1] || strstr(f->text, wants[1]));
    }
    if (named == 0)
        fail_msg("%s gives:\n%s", words, kit_findings(k));
    if (k->out.len > 2)
        fail_msg("%s gives too much:\n%s", words, kit_findings(k));
}

static void pointer_words(kit *k) {
    for (size_t i = 0; i < sizeof on_pointer / sizeof *on_pointer; i++) {
        kit_init(k, k->a);
        kernel(k, on_pointer[i].words);
        if (kit_make(k, "") != TC_EINPUT)
            fail_msg("%s is accepted", on_pointer[i].words);
        expect_finding(k, on_pointer[i].words, on_pointer[i].wants);
    }
}

static void test_wrong_words_of_a_pointer(void **state) {
    (void)state;
    run(pointer_words);
}

static void kernel_words(kit *k) {
    for (size_t i = 0; i < sizeof on_kernel / sizeof *on_kernel; i++) {
        kit_init(k, k->a);
        kernel(k, "");
        if (kit_make(k, on_kernel[i].words) != TC_EINPUT)
            fail_msg("%s is accepted", on_kernel[i].words);
        expect_finding(k, on_kernel[i].words, on_kernel[i].wants);
    }
}

static void test_wrong_words_of_a_kernel(void **state) {
    (void)state;
    run(kernel_words);
}

// ---- near misses: right, and close to wrong ----

static void right_words(kit *k) {
    static const char *const pointer[] = {
        "mut shape(n) tile(n)",
        "mut shape(n, m) tile(1, m)",
        "mut shape(n) tile(gridDim.x)",
        "mut shape(0)",
        "mut shape(n) stride(1)",
        "mut shape(n, n) tile(16, 16) owner(i, j; i + j)",
        "mut shape(n, n, n) tile(1, 1, n)",
        "mut shape(n, n, n, n) tile(1, 1, 1, n) at(0, 0, blockIdx.y, blockIdx.x)",
        "mut shape(n << 3)",
        "mut shape(1 << 62)",
        "mut shape(pair.b)",
        "mut shape(idx[n - 1])",
        "mut shape(x != nullptr ? n : 0) optional",
        "mut shape(!x ? 0 : n) optional",
        "mut inplace(idx)",
        "shape(n)",
        "unchecked(\"why\" )",
        "mut shape(n / m)",
        "mut shape(1ull << 63)",
        "mut shape(9223372036854775807, 9223372036854775807)",
        "mut shape(9223372036854775807, 9223372036854775807, 9223372036854775807)",
        "align(sizeof(E))",
        "mut shape(n, n, n, n, n, n, n, n)",
    };
    static const char *const words[] = {
        "block(32, 32)",
        "block(1024) grid(2147483647, 65535, 65535)",
        "block(n)",
        "grid(n, m)",
        "requires(n > 2 && n < 4)",
        "requires(n > 5 || n < 3)",
        "requires(2147483647 >= n)",
        "smem(0)",
        "smem(gridDim.x * 4)",
        "cluster(4, 4)",
        "param(v, mut)",
        "param(x, tc_mut, tc_shape(n))",
        "forall(i; idx[i] >= 0 && idx[i] < n)",
        "forall(n; idx[n] >= 0)",
        "distinct(x, idx) may_alias(x, v)",
    };
    for (size_t i = 0; i < sizeof pointer / sizeof *pointer; i++) {
        kit_init(k, k->a);
        kernel(k, pointer[i]);
        if (kit_make(k, "") != TC_OK)
            fail_msg("%s: %s", pointer[i], kit_findings(k));
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        kit_init(k, k->a);
        kernel(k, "");
        if (kit_make(k, words[i]) != TC_OK)
            fail_msg("%s: %s", words[i], kit_findings(k));
    }
}

static void test_near_misses_are_right(void **state) {
    (void)state;
    run(right_words);
}

static void tile_excuses(kit *k) {
    // Whether m may be zero is a question for a solver as soon as something is said of it.
    kernel(k, "mut shape(n) tile(m)");
    assert_int_equal(kit_make(k, "requires(m * m >= 1)"), TC_OK);
    kit_init(k, k->a);
    kernel(k, "mut shape(n) tile(m)");
    assert_int_equal(kit_make(k, "requires(m >= 1)"), TC_OK);
    kit_init(k, k->a);
    kernel(k, "mut shape(n) tile(m)");
    assert_int_equal(kit_make(k, "requires(n >= 1)"), TC_EINPUT);
}

static void test_a_tile_extent_may_be_required_positive(void **state) {
    (void)state;
    run(tile_excuses);
}

// ---- how it is told ----

static void carets(kit *k) {
    kernel(k, "mut shape(n + * 2)");
    assert_int_equal(kit_make(k, ""), TC_EINPUT);
    assert_int_equal(k->out.len, 1);
    const tc_finding *f = &k->out.data[0];
    assert_int_equal(f->loc.line, 101);
    assert_int_equal(f->severity, TC_SEV_ERROR);
    assert_string_equal(f->kernel, "k");
    assert_string_equal(f->notes.data[0].text, "in the argument of tc_shape:\n  n + * 2\n      ^");
    kit_init(k, k->a);
    kernel(k, "mut shape(M, nn)");
    kit_make(k, "");
    assert_int_equal(k->out.len, 2); // both are told
    assert_string_equal(k->out.data[0].notes.data[0].text, "in the argument of tc_shape:\n  M, nn\n  ^");
    assert_string_equal(k->out.data[1].notes.data[0].text, "in the argument of tc_shape:\n  M, nn\n     ^~");
    // A tc_param's caret stands under the whole.
    kit_init(k, k->a);
    kernel(k, "");
    kit_make(k, "param(x, mut, shape(2 * q))");
    assert_string_equal(k->out.data[0].notes.data[0].text,
                        "in the argument of tc_shape:\n  x, mut, shape(2 * q)\n                    ^");
}

static void test_the_caret_is_under_the_fault(void **state) {
    (void)state;
    run(carets);
}

static void long_texts(kit *k) {
    tc_text t = {.arena = k->a};
    tc_put(&t, "mut shape(");
    for (int i = 0; i < 200; i++)
        tc_put(&t, "n + ");
    tc_put(&t, "qq");
    for (int i = 0; i < 200; i++)
        tc_put(&t, " + n");
    tc_put(&t, ")");
    kernel(k, tc_text_str(&t));
    kit_make(k, "");
    const char *note = k->out.data[0].notes.data[0].text;
    assert_true(strlen(note) < 300);
    const char *line = strchr(note, '\n') + 1, *mark = strchr(line, '\n') + 1;
    assert_int_equal(strstr(line, "qq") - line, strchr(mark, '^') - mark);
    // Not UTF-8, and UTF-8: one column for each character.
    kit_init(k, k->a);
    kernel(k, "mut shape(\"\xc3\xa4\xff\" + q)");
    kit_make(k, "");
    note = k->out.data[k->out.len - 1].notes.data[0].text;
    assert_string_equal(note, "in the argument of tc_shape:\n  \"\xc3\xa4?\" + q\n  ^~~~");
}

static void test_long_and_strange_texts_are_shown(void **state) {
    (void)state;
    run(long_texts);
}

static void hints(kit *k) {
    static const struct {
        const char *words, *hint;
    } table[] = {{"mut shape(nn)", "did you mean 'n'?"},
                 {"mut shape(scal)", "did you mean 'scale'?"},
                 {"shard", "did you mean 'shared'?"},
                 {"mut shape(pair.bb)", "did you mean 'b'?"},
                 {"mut shape(griddim.x)", "did you mean 'gridDim'?"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        kit_init(k, k->a);
        kernel(k, table[i].words);
        kit_make(k, "");
        bool found = false;
        for (size_t n = 0; n < k->out.data[0].notes.len; n++)
            found |= strcmp(k->out.data[0].notes.data[n].text, table[i].hint) == 0;
        if (!found)
            fail_msg("%s has no hint '%s'", table[i].words, table[i].hint);
    }
    kit_init(k, k->a);
    kernel(k, "mut shape(elephant)");
    kit_make(k, "");
    assert_int_equal(k->out.data[0].notes.len, 1);
}

static void test_hints_name_what_is_near(void **state) {
    (void)state;
    run(hints);
}

static void contradiction_place(kit *k) {
    kernel(k, "");
    kit_make(k, "requires(n > 5) requires(m > 1) requires(n < 3)");
    assert_int_equal(k->out.len, 1);
    const tc_finding *f = &k->out.data[0];
    assert_int_equal(f->loc.line, 102);
    assert_int_equal(f->notes.data[0].loc.line, 104);
}

static void test_contradictions_name_both_conditions(void **state) {
    (void)state;
    run(contradiction_place);
}

static void restricted(kit *k) {
    kit_param(k, "a", &kit_restrict, "mut inplace(b)");
    kit_param(k, "b", &kit_floats, "shared");
    assert_int_equal(kit_make(k, ""), TC_EINPUT);
    assert_non_null(strstr(k->out.data[0].text, "__restrict__"));
    kit_init(k, k->a);
    kit_param(k, "a", &kit_floats, "mut inplace(b)");
    kit_param(k, "b", &kit_restrict, "shared");
    assert_int_equal(kit_make(k, ""), TC_EINPUT);
    assert_non_null(strstr(k->out.data[0].text, "__restrict__"));
    kit_init(k, k->a);
    kit_param(k, "v", &kit_voids, "mut shape(4)");
    assert_int_equal(kit_make(k, ""), TC_EINPUT);
    assert_non_null(strstr(k->out.data[0].text, "void"));
}

static void test_types_are_looked_at(void **state) {
    (void)state;
    run(restricted);
}

static void circular(kit *k) {
    kit_param(k, "a", &kit_ints, "shared shape(b[0])");
    kit_param(k, "b", &kit_ints, "shared shape(a[0])");
    assert_int_equal(kit_make(k, ""), TC_EINPUT);
    assert_non_null(strstr(k->out.data[0].text, "itself"));
}

static void test_shapes_may_not_go_in_circles(void **state) {
    (void)state;
    run(circular);
}

static void huge_struct(kit *k) {
    static const tc_type big = {
        .kind = TC_TY_ARRAY, .name = "int[100000]", .size = 400000, .align = 4, .elem = &kit_int, .count = 100000};
    static const tc_type bigger = {
        .kind = TC_TY_ARRAY, .name = "int[64][100000]", .size = 25600000, .align = 4, .elem = &big, .count = 64};
    kit_param(k, "a", &bigger, "");
    kit_param(k, "late", &kit_floats, "mut shape(4)");
    assert_int_equal(kit_make(k, "requires(a[0][3] > 1)"), TC_EINPUT);
    assert_non_null(strstr(kit_findings(k), "'late' is beyond"));
    kit_init(k, k->a);
    kit_param(k, "a", &big, "");
    kit_param(k, "late", &kit_floats, "mut shape(a[3])");
    assert_int_equal(kit_make(k, "requires(a[255] > 1)"), TC_OK);
    kit_init(k, k->a);
    kit_param(k, "a", &big, "");
    assert_int_equal(kit_make(k, "requires(a[256] > 1)"), TC_EINPUT);
}

static void test_huge_parameters_are_cut_off(void **state) {
    (void)state;
    run(huge_struct);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_words_of_a_pointer),
        cmocka_unit_test(test_wrong_words_of_a_kernel),
        cmocka_unit_test(test_near_misses_are_right),
        cmocka_unit_test(test_a_tile_extent_may_be_required_positive),
        cmocka_unit_test(test_the_caret_is_under_the_fault),
        cmocka_unit_test(test_long_and_strange_texts_are_shown),
        cmocka_unit_test(test_hints_name_what_is_near),
        cmocka_unit_test(test_contradictions_name_both_conditions),
        cmocka_unit_test(test_types_are_looked_at),
        cmocka_unit_test(test_shapes_may_not_go_in_circles),
        cmocka_unit_test(test_huge_parameters_are_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
