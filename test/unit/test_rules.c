// The rules on models made by hand: each proof beside a near miss that must fail.
#include "rules_fixture.h"

// ---- subscripts ----

static tc_site site_of(fixture *f, uint32_t object, tc_t element, tc_i128 bytes) {
    tc_site s = {.object = object, .bytes = bytes};
    s.contract = fx_contract(f, object);
    s.offset = tc_mulc(f->ts, element, 4);
    s.width = tc_int(f->ts, bytes);
    return s;
}

static tc_t range(fixture *f, tc_t lo, tc_t t, tc_t end) {
    return tc_and(f->ts, tc_le(f->ts, lo, t), tc_lt(f->ts, t, end));
}

FX_TEST(divides_by_products_and_sums) {
    tc_terms *ts = f->ts;
    tc_t ld = fx_size(f, "ld"), row = fx_unknown(f, "row", 0, 100), col = fx_unknown(f, "col", 0, 100), q, r;
    tc_poly_divide(ts, tc_add(ts, tc_mul(ts, row, ld), col), ld, &q, &r);
    assert_ptr_equal(q, row);
    assert_ptr_equal(r, col);
    tc_t pitch = tc_addc(ts, ld, 8);
    tc_poly_divide(ts, tc_add(ts, tc_mul(ts, row, pitch), col), pitch, &q, &r);
    assert_ptr_equal(q, row);
    assert_ptr_equal(r, col);
    tc_poly_divide(ts, tc_addc(ts, tc_mulc(ts, row, 8), 3), tc_int(ts, 8), &q, &r);
    assert_ptr_equal(q, row);
    assert_int_equal((int)r->value, 3);
}

FX_TEST(finds_row_and_column) {
    tc_terms *ts = f->ts;
    tc_t w = fx_size(f, "w"), h = fx_size(f, "h"), x = fx_unknown(f, "x", 0, 1 << 20),
         y = fx_unknown(f, "y", 0, 1 << 20);
    tc_t shape[] = {h, w};
    uint32_t o = fx_object(f, "img", TC_BORROW_MUT, 2, shape);
    fx_prepare(f);
    tc_tvec known = {0};
    tc_hyps_push(&f->cx, &known, range(f, tc_int(ts, 0), x, w));
    tc_hyps_push(&f->cx, &known, range(f, tc_int(ts, 0), y, h));
    // mirrored: y * w + (w - 1 - x)
    tc_site s = site_of(f, o, tc_add(ts, tc_mul(ts, y, w), tc_sub(ts, tc_addc(ts, w, -1), x)), 4);
    tc_index_find(&f->cx, &s, &known);
    assert_true(s.index.inside);
    assert_ptr_equal(s.index.group[0], y);
    assert_ptr_equal(s.index.group[1], tc_sub(ts, tc_addc(ts, w, -1), x));
    // near miss: w - x reaches the next row
    s = site_of(f, o, tc_add(ts, tc_mul(ts, y, w), tc_sub(ts, w, x)), 4);
    tc_index_find(&f->cx, &s, &known);
    assert_false(s.index.inside);
}

FX_TEST(takes_inner_dimensions_together) {
    tc_terms *ts = f->ts;
    tc_t len = fx_size(f, "len"), d = fx_size(f, "d"), segments = fx_size(f, "segments");
    tc_t b = fx_unknown(f, "b", 0, 1 << 20), i = fx_unknown(f, "i", 0, 1 << 30);
    tc_t shape[] = {segments, len, d};
    uint32_t o = fx_object(f, "dx", TC_BORROW_MUT, 3, shape);
    fx_prepare(f);
    tc_tvec known = {0};
    tc_hyps_push(&f->cx, &known, range(f, tc_int(ts, 0), b, segments));
    tc_hyps_push(&f->cx, &known, range(f, tc_int(ts, 0), i, tc_mul(ts, len, d)));
    tc_site s = site_of(f, o, tc_add(ts, tc_mul(ts, b, tc_mul(ts, len, d)), i), 4);
    tc_index_find(&f->cx, &s, &known);
    assert_true(s.index.inside);
    assert_int_equal(s.index.ngroups, 2);
    assert_ptr_equal(s.index.group[0], b);
    assert_ptr_equal(s.index.group[1], i);
}

FX_TEST(wide_access_covers_elements) {
    tc_terms *ts = f->ts;
    tc_t i = fx_unknown(f, "i", 0, 1 << 20);
    uint32_t o = fx_object(f, "x", TC_BORROW_MUT, 1, &f->n);
    fx_prepare(f);
    tc_tvec known = {0};
    tc_hyps_push(&f->cx, &known, tc_le(ts, tc_addc(ts, tc_mulc(ts, i, 4), 4), f->n));
    tc_site s = site_of(f, o, tc_mulc(ts, i, 4), 16);
    tc_index_find(&f->cx, &s, &known);
    assert_true(s.index.inside);
    assert_int_equal((int)s.index.count, 4);
    // near miss: one element further
    s = site_of(f, o, tc_addc(ts, tc_mulc(ts, i, 4), 1), 16);
    tc_index_find(&f->cx, &s, &known);
    assert_false(s.index.inside);
}

// ---- wraps ----

static bool is_settled(fixture *f, tc_t node) {
    return tc_settle(&f->cx, node) == tc_settle(&f->cx, node->args[0]);
}

FX_TEST(no_wrap_by_the_launch) {
    tc_terms *ts = f->ts;
    fx_grid(f, 256, fx_cdiv(f, f->n, 256));
    fx_fact(f, tc_le(ts, tc_int(ts, 1), f->n));
    tc_t i = fx_wrapped(f, tc_add(ts, tc_mul(ts, f->bx, f->bd), f->tx), 32, true, tc_bool(ts, true), 3);
    fx_prepare(f);
    assert_true(is_settled(f, i));
}

FX_TEST(a_later_guard_is_no_help) {
    tc_terms *ts = f->ts;
    tc_t x = fx_size(f, "x"), true_ = tc_bool(ts, true);
    // s = x + 1 is computed, then compared: what the comparison says does not help the sum.
    tc_t s = fx_wrapped(f, tc_addc(ts, x, 1), 32, true, true_, 3);
    tc_t t = fx_wrapped(f, tc_addc(ts, s, 1), 32, true, tc_lt(ts, s, tc_int(ts, 100)), 4);
    fx_prepare(f);
    assert_false(is_settled(f, s));
    assert_true(is_settled(f, t) || t->op != TC_T_WRAP);
}

FX_TEST(what_leans_on_a_wrap_is_asked_again) {
    tc_terms *ts = f->ts;
    tc_t x = fx_size(f, "x");
    // u = x + 1 as unsigned may wrap for x = -1; v = u + 1 is in range only if it did not.
    tc_t u = fx_wrapped(f, tc_addc(ts, x, 1), 8, false, tc_bool(ts, true), 3);
    tc_t v = fx_wrapped(f, tc_addc(ts, u, 1), 8, false, tc_lt(ts, tc_addc(ts, x, 2), tc_int(ts, 256)), 4);
    fx_prepare(f);
    assert_false(is_settled(f, u));
    assert_false(is_settled(f, v));
}

// ---- invariants ----

static tc_invariant invariant(fixture *f, tc_t term, tc_t entry_cond, tc_t step_guard, tc_t step_cond) {
    tc_invariant i = {.term = term, .entry_guard = tc_bool(f->ts, true), .entry_cond = entry_cond};
    i.step_guard = tc_and(f->ts, term, step_guard);
    i.step_cond = step_cond;
    return i;
}

static void halving_loop(fixture *f) {
    tc_terms *ts = f->ts;
    // for (s = bd / 2; s > 0; s /= 2)
    tc_sym *sym = tc_sym_new(ts, "s", TC_SYM_UNKNOWN, TC_VAR_ITERATION, TC_INT);
    tc_t s = tc_of_sym(ts, sym), half = tc_div(ts, s, tc_int(ts, 2)), start = tc_div(ts, f->bd, tc_int(ts, 2));
    tc_loop loop = {.parent = TC_NONE, .guard = tc_bool(ts, true), .first = 2, .last = 10};
    tc_t runs = tc_lt(ts, tc_int(ts, 0), s);
    tc_t good = tc_le(ts, tc_mulc(ts, s, 2), f->bd), bad = tc_le(ts, tc_mulc(ts, s, 4), f->bd);
    tc_t nonneg = tc_le(ts, tc_int(ts, 0), s);
    tc_invariant list[] = {
        invariant(f, good, tc_le(ts, tc_mulc(ts, start, 2), f->bd), runs, tc_le(ts, tc_mulc(ts, half, 2), f->bd)),
        invariant(f, bad, tc_le(ts, tc_mulc(ts, start, 4), f->bd), runs, tc_le(ts, tc_mulc(ts, half, 4), f->bd)),
        invariant(f, nonneg, tc_le(ts, tc_int(ts, 0), start), runs, tc_le(ts, tc_int(ts, 0), half))};
    list[1].declared = true;
    for (int i = 0; i < 3; i++)
        tc_push(f->a, &loop.invariants, list[i]);
    tc_push(f->a, &f->m.loops, loop);
}

FX_TEST(inductive_ones_stay) {
    halving_loop(f);
    fx_prepare(f);
    const tc_loop *l = &f->m.loops.data[0];
    assert_true(l->invariants.data[0].holds);
    assert_false(l->invariants.data[1].holds);
    assert_true(l->invariants.data[2].holds);
    tc_report_invariants(&f->cx);
    assert_int_equal(fx_count(f, TC_RULE_TC9002), 1);
}

FX_TEST(after_a_loop_only_where_it_was_entered) {
    tc_terms *ts = f->ts;
    halving_loop(f);
    tc_loop *l = &f->m.loops.data[0];
    l->guard = tc_lt(ts, f->n, tc_int(ts, 0));
    fx_prepare(f);
    tc_tvec h = {0};
    tc_hyps_at(&f->cx, &h, tc_bool(ts, true), TC_NONE, 20);
    tc_t term = l->invariants.data[0].term;
    for (size_t i = 0; i < h.len; i++)
        assert_ptr_not_equal(h.data[i], term);
}

// ---- a copy of n elements ----

typedef struct copy {
    uint32_t x, y;
    tc_t i, inside;
} copy;

// y[i] = x[i] with i = blockIdx.x * 256 + threadIdx.x under i < n.
static copy elementwise(fixture *f, bool guarded, bool tiled, tc_i128 stride) {
    tc_terms *ts = f->ts;
    copy c = {.x = fx_object(f, "x", TC_BORROW_SHARED, 1, &f->n), .y = fx_object(f, "y", TC_BORROW_MUT, 1, &f->n)};
    tc_t tile = tc_int(ts, 256);
    if (tiled)
        fx_tile(f, c.y, &tile, &f->bx);
    fx_grid(f, 256, fx_cdiv(f, f->n, 256));
    fx_fact(f, tc_le(ts, tc_int(ts, 1), f->n));
    c.i = tc_add(ts, tc_mulc(ts, f->bx, stride), f->tx);
    c.inside = guarded ? tc_lt(ts, c.i, f->n) : tc_bool(ts, true);
    fx_event(f, TC_EV_READ, c.x, c.i, 4, c.inside, 5);
    fx_event(f, TC_EV_WRITE, c.y, c.i, 4, c.inside, 6);
    return c;
}

FX_TEST(elementwise_is_proved) {
    elementwise(f, true, true, 256);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED);
    assert_int_equal(fx_count(f, TC_RULE_TC1004), 1);
    assert_int_equal(fx_count(f, TC_RULE_TC1001), 1);
}

FX_TEST(without_guard_bounds_are_open) {
    elementwise(f, false, true, 256);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 5), TC_UNKNOWN);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 6), TC_UNKNOWN);
}

FX_TEST(stride_255_leaves_the_tile) {
    elementwise(f, true, true, 255);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 0), TC_PROVED);
    assert_int_equal(fx_worst(f, TC_RULE_TC1004, 6), TC_UNKNOWN);
    assert_int_equal(fx_worst(f, TC_RULE_TC1001, 6), TC_UNKNOWN);
}

FX_TEST(without_tile_pairs_are_compared) {
    elementwise(f, true, false, 256);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED);
    assert_int_equal(fx_count(f, TC_RULE_TC1004), 0);
}

FX_TEST(without_tile_stride_255_overlaps) {
    elementwise(f, true, false, 255);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC1001, 6), TC_UNKNOWN);
}

FX_TEST(write_to_shared_is_open) {
    copy c = elementwise(f, true, true, 256);
    fx_event(f, TC_EV_WRITE, c.x, c.i, 4, c.inside, 7);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC1003, 7), TC_UNKNOWN);
}

FX_TEST(write_to_shared_under_false_guard_is_proved) {
    copy c = elementwise(f, true, true, 256);
    tc_t k = fx_unknown(f, "k", 0, 1 << 20), never = tc_and(f->ts, tc_lt(f->ts, c.i, k), tc_lt(f->ts, k, f->tx));
    fx_event(f, TC_EV_WRITE, c.x, c.i, 4, tc_and(f->ts, c.inside, never), 7);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED);
    assert_int_equal(fx_count(f, TC_RULE_TC1003), 1);
}

FX_TEST(reading_the_neighbour_is_open) {
    copy c = elementwise(f, true, true, 256);
    tc_t next = tc_addc(f->ts, c.i, 1);
    fx_event(f, TC_EV_READ, c.y, next, 4, tc_lt(f->ts, next, f->n), 8);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 8), TC_PROVED);
    assert_int_equal(fx_worst(f, TC_RULE_TC1002, 8), TC_UNKNOWN);
}

FX_TEST(reading_the_own_element_is_proved) {
    copy c = elementwise(f, true, true, 256);
    fx_event(f, TC_EV_READ, c.y, c.i, 4, c.inside, 8);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED);
    assert_int_equal(fx_count(f, TC_RULE_TC1002), 1);
}

FX_TEST(plain_access_to_atomic_is_open) {
    copy c = elementwise(f, true, true, 256);
    uint32_t count = fx_object(f, "count", TC_BORROW_ATOMIC, 1, &f->n);
    fx_event(f, TC_EV_ATOMIC, count, c.i, 4, c.inside, 9);
    fx_event(f, TC_EV_WRITE, count, c.i, 4, c.inside, 10);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC1006, 9), TC_PROVED);
    assert_int_equal(fx_worst(f, TC_RULE_TC1006, 10), TC_UNKNOWN);
}

FX_TEST(missing_shape_is_named) {
    copy c = elementwise(f, true, true, 256);
    uint32_t z = fx_object(f, "z", TC_BORROW_SHARED, 0, NULL);
    f->m.objects.data[z].size = NULL;
    fx_event(f, TC_EV_READ, z, c.i, 4, c.inside, 9);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 9), TC_UNKNOWN);
    bool named = false;
    for (size_t i = 0; i < f->r.obligations.len; i++)
        named |= f->r.obligations.data[i].reason && strstr(f->r.obligations.data[i].reason, "tc_shape");
    assert_true(named);
}

// ---- inferred preconditions ----

FX_TEST(unread_grid_dimension_is_inferred_to_be_1) {
    tc_terms *ts = f->ts;
    uint32_t y = fx_object(f, "y", TC_BORROW_MUT, 1, &f->n);
    fx_fact(f, tc_eq(ts, f->bd, tc_int(ts, 256)));
    f->m.reads_block_idx[0] = f->m.reads_thread_idx[0] = true;
    tc_t i = tc_add(ts, tc_mulc(ts, f->bx, 256), f->tx);
    fx_event(f, TC_EV_WRITE, y, i, 4, tc_lt(ts, i, f->n), 6);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED_IF);
    assert_int_equal(f->r.preconditions.len, 2);
    assert_string_equal(f->r.preconditions.data[0].text, "gridDim.y == 1");
}

FX_TEST(a_grid_dimension_that_is_read_is_not) {
    tc_terms *ts = f->ts;
    uint32_t y = fx_object(f, "y", TC_BORROW_MUT, 1, &f->n);
    fx_fact(f, tc_eq(ts, f->bd, tc_int(ts, 256)));
    f->m.reads_block_idx[0] = f->m.reads_block_idx[1] = f->m.reads_thread_idx[0] = true;
    tc_t i = tc_add(ts, tc_mulc(ts, f->bx, 256), f->tx);
    fx_event(f, TC_EV_WRITE, y, i, 4, tc_lt(ts, i, f->n), 6);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC1001, 6), TC_UNKNOWN);
}

// ---- the contract alone ----

FX_TEST(tile_map_must_be_one_to_one) {
    copy c = elementwise(f, true, true, 256);
    fx_contract(f, c.y)->at[0] = tc_div(f->ts, f->bx, tc_int(f->ts, 2));
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC1005, 0), TC_UNKNOWN);
}

static void strided(fixture *f, bool wide_enough) {
    tc_terms *ts = f->ts;
    tc_t m = fx_size(f, "M"), ld = fx_size(f, "ld"), shape[] = {m, f->n};
    uint32_t a = fx_object(f, "a", TC_BORROW_MUT, 2, shape);
    tc_object_contract *o = fx_contract(f, a);
    o->explicit_stride = true;
    o->stride[0] = ld;
    fx_grid(f, 16, fx_cdiv(f, f->n, 16));
    fx_fact(f, tc_le(ts, wide_enough ? f->n : tc_addc(ts, f->n, -1), ld));
    tc_t col = tc_add(ts, tc_mulc(ts, f->bx, 16), f->tx), row = fx_unknown(f, "row", 0, INT32_MAX);
    tc_t guard = tc_and(ts, tc_lt(ts, col, f->n), tc_lt(ts, row, m));
    fx_event(f, TC_EV_WRITE, a, tc_add(ts, tc_mul(ts, row, ld), col), 4, guard, 6);
}

FX_TEST(wide_strides_are_one_to_one) {
    strided(f, true);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED);
}

FX_TEST(narrow_strides_are_not) {
    strided(f, false);
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC1005, 0), TC_UNKNOWN);
    assert_int_equal(fx_worst(f, TC_RULE_TC1001, 6), TC_UNKNOWN);
}

// ---- alignment ----

static void vector_access(fixture *f, tc_i128 lead) {
    tc_terms *ts = f->ts;
    uint32_t x = fx_object(f, "x", TC_BORROW_SHARED, 1, &f->n);
    fx_grid(f, 256, fx_cdiv(f, f->n, 1024));
    tc_t i = tc_mulc(ts, tc_add(ts, tc_mulc(ts, f->bx, 256), f->tx), 4);
    fx_event(f, TC_EV_READ, x, tc_addc(ts, i, lead), 16, tc_le(ts, tc_addc(ts, i, 8), f->n), 5);
    f->m.events.data[0].align = 16;
}

FX_TEST(vector_needs_an_aligned_base) {
    vector_access(f, 0);
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED_IF);
    assert_string_equal(f->r.preconditions.data[0].text, "the address of 'x' is a multiple of 16");
}

FX_TEST(declared_alignment_is_enough) {
    vector_access(f, 0);
    f->m.objects.data[0].align = 16;
    fx_check(f);
    assert_int_equal(f->r.verdict, TC_PROVED);
}

FX_TEST(odd_offset_is_no_matter_of_the_base) {
    vector_access(f, 1);
    f->m.objects.data[0].align = 16;
    fx_check(f);
    assert_int_equal(fx_worst(f, TC_RULE_TC2003, 5), TC_UNKNOWN);
}

// ---- arithmetic and uninitialised values ----

FX_TEST(overflow_that_reaches_an_address_is_asked) {
    tc_terms *ts = f->ts;
    uint32_t x = fx_object(f, "x", TC_BORROW_SHARED, 1, &f->n);
    tc_t k = fx_size(f, "k"), node = fx_wrapped(f, tc_mulc(ts, k, 2), 32, true, tc_bool(ts, true), 4);
    fx_wrapped(f, tc_mulc(ts, k, 3), 32, true, tc_bool(ts, true), 5); // only data
    fx_event(f, TC_EV_READ, x, node, 4, range(f, tc_int(ts, 0), node, f->n), 6);
    fx_check(f);
    assert_int_equal(fx_count(f, TC_RULE_TC2002), 1);
    assert_int_equal(fx_worst(f, TC_RULE_TC2002, 4), TC_UNKNOWN);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 6), TC_PROVED);
}

static void uninitialised(fixture *f, bool same_guard) {
    tc_terms *ts = f->ts;
    uint32_t x = fx_object(f, "x", TC_BORROW_SHARED, 1, &f->n);
    tc_t mode = fx_size(f, "mode"), is_set = tc_eq(ts, mode, tc_int(ts, 0));
    tc_t u = fx_sym(f, "slot", TC_SYM_UNINIT, TC_VAR_ACCESS, INT32_MIN, INT32_MAX);
    tc_t slot = tc_ite(ts, is_set, tc_int(ts, 3), u);
    tc_t inside = range(f, tc_int(ts, 0), slot, f->n);
    fx_event(f, TC_EV_READ, x, slot, 4, same_guard ? tc_and(ts, is_set, inside) : inside, 6);
    fx_check(f);
}

FX_TEST(uninitialised_where_it_is_not_looked_at) {
    uninitialised(f, true);
    assert_int_equal(fx_worst(f, TC_RULE_TC2005, 6), TC_PROVED);
}

FX_TEST(uninitialised_index_is_open) {
    uninitialised(f, false);
    assert_int_equal(fx_worst(f, TC_RULE_TC2005, 6), TC_UNKNOWN);
}

// ---- holes ----

static void with_hole(fixture *f, unsigned effect, bool other) {
    copy c = elementwise(f, true, true, 256);
    uint32_t z = fx_object(f, "z", TC_BORROW_MUT, 1, &f->n);
    uint32_t *objects = TC_NEW(f->a, uint32_t);
    objects[0] = other ? z : c.y;
    tc_hole h = {
        .effect = effect, .guard = tc_bool(f->ts, true), .objects = objects, .nobjects = 1, .what = "inline asm"};
    h.loop = TC_NONE;
    h.loc.line = 9;
    tc_push(f->a, &f->m.holes, h);
    fx_check(f);
}

FX_TEST(hole_blurs_the_object_it_touches) {
    with_hole(f, TC_HOLE_MEMORY, false);
    assert_int_equal(fx_worst(f, TC_RULE_TC1004, 6), TC_UNKNOWN);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 5), TC_PROVED);
    assert_int_equal(f->r.verdict, TC_UNKNOWN);
}

FX_TEST(hole_elsewhere_stays_local) {
    with_hole(f, TC_HOLE_MEMORY, true);
    assert_int_equal(fx_worst(f, TC_RULE_TC1004, 6), TC_PROVED);
    assert_int_equal(f->r.verdict, TC_UNKNOWN);
}

FX_TEST(hole_in_control_blurs_all) {
    with_hole(f, TC_HOLE_CONTROL, true);
    assert_int_equal(fx_worst(f, TC_RULE_TC2001, 5), TC_UNKNOWN);
}

FX_TEST(hole_of_a_value_blurs_nothing) {
    with_hole(f, TC_HOLE_VALUE, false);
    assert_int_equal(f->r.verdict, TC_PROVED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides_by_products_and_sums),
        cmocka_unit_test(finds_row_and_column),
        cmocka_unit_test(takes_inner_dimensions_together),
        cmocka_unit_test(wide_access_covers_elements),
        cmocka_unit_test(no_wrap_by_the_launch),
        cmocka_unit_test(a_later_guard_is_no_help),
        cmocka_unit_test(what_leans_on_a_wrap_is_asked_again),
        cmocka_unit_test(inductive_ones_stay),
        cmocka_unit_test(after_a_loop_only_where_it_was_entered),
        cmocka_unit_test(elementwise_is_proved),
        cmocka_unit_test(without_guard_bounds_are_open),
        cmocka_unit_test(stride_255_leaves_the_tile),
        cmocka_unit_test(without_tile_pairs_are_compared),
        cmocka_unit_test(without_tile_stride_255_overlaps),
        cmocka_unit_test(write_to_shared_is_open),
        cmocka_unit_test(write_to_shared_under_false_guard_is_proved),
        cmocka_unit_test(reading_the_neighbour_is_open),
        cmocka_unit_test(reading_the_own_element_is_proved),
        cmocka_unit_test(plain_access_to_atomic_is_open),
        cmocka_unit_test(missing_shape_is_named),
        cmocka_unit_test(unread_grid_dimension_is_inferred_to_be_1),
        cmocka_unit_test(a_grid_dimension_that_is_read_is_not),
        cmocka_unit_test(tile_map_must_be_one_to_one),
        cmocka_unit_test(wide_strides_are_one_to_one),
        cmocka_unit_test(narrow_strides_are_not),
        cmocka_unit_test(vector_needs_an_aligned_base),
        cmocka_unit_test(declared_alignment_is_enough),
        cmocka_unit_test(odd_offset_is_no_matter_of_the_base),
        cmocka_unit_test(overflow_that_reaches_an_address_is_asked),
        cmocka_unit_test(uninitialised_where_it_is_not_looked_at),
        cmocka_unit_test(uninitialised_index_is_open),
        cmocka_unit_test(hole_blurs_the_object_it_touches),
        cmocka_unit_test(hole_elsewhere_stays_local),
        cmocka_unit_test(hole_in_control_blurs_all),
        cmocka_unit_test(hole_of_a_value_blurs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
