// TC1007: each element of a tc_out parameter is written, and none is read before.
//
// Written: for an arbitrary element, one of the writes has an instance that touches it (cover.h): a block, a thread, iterations. Where
// writes are of parts of elements, so it is of each part.
#include "checker/cover.h"
#include "checker/layout.h"

enum { most_writes = 40, most_parts = 32 };

// Bytes of an element: no write begins or ends among them.
typedef struct part {
    tc_i128 from, to;
} part;

static tc_obligation start(tc_cx *cx, uint32_t object, tc_loc loc, const char *claim) {
    tc_obligation ob = tc_obligation_start(TC_RULE_TC1007, loc, claim);
    ob.object = object;
    ob.contract = cx->model->objects.data[object].contract;
    return ob;
}

// ---- every element is written ----

// SOUND: of a row-major array of extents e0, e1, … element (i0, i1, …) that exists has a number below e0 * e1 * …
static void number_is_below(tc_cx *cx, const tc_object_contract *o, const tc_t *element, tc_tvec *h) {
    tc_terms *ts = cx->ts;
    for (unsigned from = 0; from < o->ndims; from++) {
        tc_t number = element[from], extent = o->shape[from];
        unsigned open = !tc_is_const(extent);
        for (unsigned d = from + 1; d < o->ndims; d++) {
            number = tc_add(ts, tc_mul(ts, number, o->shape[d]), element[d]);
            extent = tc_mul(ts, extent, o->shape[d]);
            open += !tc_is_const(o->shape[d]);
            if (open > 1) // linear ones need no help
                tc_hyps_push(cx, h, tc_lt(ts, number, extent));
        }
    }
}

static void element_of(tc_cx *cx, const tc_object_contract *o, tc_t *element, tc_tvec *h) {
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_sym *s = tc_sym_new(cx->ts, tc_fmt(cx->arena, "i%u", d), TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
        s->has_lo = true;
        element[d] = tc_of_sym(cx->ts, s);
        tc_hyps_push(cx, h, tc_lt(cx->ts, element[d], o->shape[d]));
    }
    number_is_below(cx, o, element, h);
}

static bool same_witness(const tc_map *a, const tc_map *b) {
    if (a->len != b->len)
        return false;
    for (size_t i = 0; i < a->len; i++)
        if (tc_map_get(b, a->keys[i]) != a->values[i])
            return false;
    return true;
}

typedef struct covered {
    tc_map witness[most_writes];
    uint32_t copy[most_writes], loop[most_writes];
    size_t n;
} covered;

// The condition under which the site writes the element. SOUND: values of two instances are one only where the instances are.
static bool add_write(tc_cx *cx, covered *c, const tc_site *s, const tc_t *element, part p, tc_t *condition) {
    tc_target t;
    if (c->n == most_writes || !tc_target_of_part(cx, s, element, p.from, p.to, &t))
        return false;
    tc_map witness = {0};
    uint32_t copy = (uint32_t)(c->n + 3);
    if (!tc_cover(cx, s, &t, true, TC_NONE, copy, condition, &witness))
        return false;
    tc_map named = {0}; // the indices alone
    for (size_t i = 0; i < witness.len; i++)
        if (!((tc_t)witness.values[i])->sym || ((tc_t)witness.values[i])->sym->copy != copy)
            tc_map_put(cx->arena, &named, witness.keys[i], witness.values[i]);
    for (size_t i = 0; i < c->n; i++)
        if (c->loop[i] == s->event->loop && same_witness(&c->witness[i], &named)) {
            copy = c->copy[i];
            witness = (tc_map){0};
            if (!tc_cover(cx, s, &t, true, TC_NONE, copy, condition, &witness))
                return false;
            break;
        }
    c->witness[c->n] = named;
    c->copy[c->n] = copy;
    c->loop[c->n++] = s->event->loop;
    return true;
}

// ---- by tiles ----

static tc_t blocks_in_all(tc_cx *cx) {
    const tc_launch_syms *s = &cx->contract->syms;
    tc_t n = tc_int(cx->ts, 1);
    for (int d = 0; d < 3; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, s->grid_dim[d]));
    return n;
}

typedef struct choice {
    tc_t node; // a minimum or maximum
} choice;

static void find_choice(void *ctx, tc_t t) {
    choice *c = ctx;
    if (!c->node && (t->op == TC_T_MIN || t->op == TC_T_MAX))
        c->node = t;
}

// t < limit. A quotient by D >= 1 is below a limit where what is divided is below D times that; minima in D are in the way of
// products, and are one of their two arguments.
static bool is_below(tc_cx *cx, const tc_tvec *h, tc_t t, tc_t limit, int depth) {
    tc_terms *ts = cx->ts;
    if (tc_try(cx, h, tc_lt(ts, t, limit)).proved)
        return true;
    bool quotient = t->op == TC_T_DIV || (t->op == TC_T_TDIV && tc_try(cx, h, tc_le(ts, tc_int(ts, 0), t->args[0])).proved);
    if (quotient && tc_try(cx, h, tc_le(ts, tc_int(ts, 1), t->args[1])).proved &&
        tc_try(cx, h, tc_lt(ts, t->args[0], tc_mul(ts, t->args[1], limit))).proved)
        return true;
    choice c = {NULL};
    tc_walk(ts, t, find_choice, &c);
    if (!c.node || depth == 0)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        tc_t one = c.node->args[i], other = c.node->args[1 - i];
        tc_map map = {0};
        tc_tvec g = {0};
        tc_map_put(cx->arena, &map, TC_KEY(c.node), (void *)(uintptr_t)one);
        for (size_t k = 0; k < h->len; k++)
            tc_hyps_push(cx, &g, tc_subst(ts, h->data[k], &map));
        tc_hyps_push(cx, &g, c.node->op == TC_T_MIN ? tc_le(ts, one, other) : tc_le(ts, other, one));
        if (!is_below(cx, &g, tc_subst(ts, t, &map), tc_subst(ts, limit, &map), depth - 1))
            return false;
    }
    return true;
}

// As many blocks as tiles, and each block has one that is there. SOUND: no two blocks have one tile (TC1005, leaned on), so each
// tile has a block.
static bool each_tile_has_a_block(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o, const tc_tvec *known) {
    tc_terms *ts = cx->ts;
    tc_t tiles = tc_int(ts, 1), there = tc_bool(ts, true), number[TC_MAX_DIMS];
    for (unsigned d = 0; d < o->ndims; d++) {
        number[d] = o->tile[d] == o->shape[d] ? tc_int(ts, 1)
                                              : tc_div(ts, tc_addc(ts, tc_add(ts, o->shape[d], o->tile[d]), -1), o->tile[d]);
        tiles = tc_mul(ts, tiles, number[d]);
        there = tc_and(ts, there, tc_le(ts, tc_int(ts, 0), o->at[d]));
    }
    ob->hyps.len = 0;
    for (size_t i = 0; i < known->len; i++)
        tc_hyps_push(cx, &ob->hyps, known->data[i]);
    ob->goal = tc_and(ts, tc_eq(ts, blocks_in_all(cx), tiles), there);
    if (!tc_decide(cx, ob) && !tc_decide_if(cx, ob, cx->ones.data, cx->ones.len))
        return false;
    for (unsigned d = 0; d < o->ndims; d++)
        tc_hyps_contents(cx, &ob->hyps, o->at[d]);
    for (unsigned d = 0; d < o->ndims; d++)
        if (!is_below(cx, &ob->hyps, o->at[d], number[d], 2))
            return false;
    for (size_t i = 0; i < ob->hyps.len; i++)
        tc_note_uses(cx, ob, ob->hyps.data[i]);
    tc_depend(cx, ob, cx->region_lemma[cx->model->objects.data[ob->object].contract]);
    return true;
}

// The part of an arbitrary element of an arbitrary block's tile is written by that block.
static bool tile_is_written(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o, const tc_tvec *known, part p) {
    tc_terms *ts = cx->ts;
    tc_t element[TC_MAX_DIMS];
    ob->hyps.len = 0;
    for (size_t i = 0; i < known->len; i++)
        tc_hyps_push(cx, &ob->hyps, known->data[i]);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_sym *s = tc_sym_new(ts, tc_fmt(cx->arena, "l%u", d), TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
        s->has_lo = true;
        tc_t l = tc_of_sym(ts, s);
        element[d] = tc_add(ts, tc_mul(ts, o->at[d], o->tile[d]), l);
        tc_hyps_push(cx, &ob->hyps, tc_lt(ts, l, o->tile[d]));
        tc_hyps_push(cx, &ob->hyps, tc_lt(ts, element[d], o->shape[d]));
    }
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        tc_target t;
        tc_map witness = {0};
        if (s->object != ob->object || s->event->kind != TC_EV_WRITE || !tc_target_of_part(cx, s, element, p.from, p.to, &t) ||
            !tc_cover(cx, s, &t, false, TC_NONE, 3, &ob->goal, &witness))
            continue;
        if (tc_decide(cx, ob))
            return true;
    }
    return false;
}

static bool written_by_tiles(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o, part p) {
    if (o->region != TC_REGION_AT)
        return false;
    tc_tvec known = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &known, cx->facts.data[i]);
    for (unsigned d = 0; d < o->ndims; d++) // there is an element
        tc_hyps_push(cx, &known, tc_le(cx->ts, tc_int(cx->ts, 1), o->shape[d]));
    return each_tile_has_a_block(cx, ob, o, &known) && tile_is_written(cx, ob, o, &known, p);
}

// ---- parts ----

// Elements are cut where writes begin and end. SOUND: padding is no value (layout.h): what is nothing else need not be written.
static size_t parts_of(tc_cx *cx, uint32_t object, const tc_type *elem, part *parts) {
    const size_t size = (size_t)elem->size;
    bool *cut = TC_NEW_ARRAY(cx->arena, bool, size + 1);
    cut[size] = true;
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        tc_grain g;
        if (s->object != object || s->event->kind != TC_EV_WRITE || !tc_grain_of(cx, s, &g))
            continue;
        for (tc_i128 k = 0; k < g.each; k++)
            cut[k * g.unit + g.lead] = cut[k * g.unit + (g.lead + g.rest) % g.unit] = true;
    }
    size_t n = 0, from = 0;
    for (size_t to = 1; to <= size; to++) {
        if (!cut[to])
            continue;
        if (tc_type_has_value(elem, from, to, false)) {
            if (n == most_parts)
                return 0;
            parts[n++] = (part){(tc_i128)from, (tc_i128)to};
        }
        from = to;
    }
    return n;
}

// The part of an arbitrary element is written by some block. *followed: some write is followed back to a thread.
static bool part_is_written(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o, part p, bool *followed) {
    tc_t element[TC_MAX_DIMS], any = tc_bool(cx->ts, false), when;
    covered *cov = TC_NEW(cx->arena, covered);
    ob->hyps.len = 0;
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &ob->hyps, cx->facts.data[i]);
    element_of(cx, o, element, &ob->hyps);
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->object != ob->object || s->event->kind != TC_EV_WRITE || !add_write(cx, cov, s, element, p, &when))
            continue;
        *followed = true;
        any = tc_or(cx->ts, any, when);
        ob->goal = when;
        if (tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->ones.data, cx->ones.len))
            return true;
    }
    ob->goal = any;
    if (cov->n > 1 && (tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->ones.data, cx->ones.len)))
        return true;
    return written_by_tiles(cx, ob, o, p);
}

static const char *unwritten(tc_cx *cx, const tc_object_contract *o, part p) {
    if (p.from == 0 && p.to == (tc_i128)o->elem->size)
        return tc_fmt(cx->arena, "not shown that each element of '%s' is written", o->path);
    return tc_fmt(cx->arena, "not shown that bytes %d to %d of each element of '%s' are written", (int)p.from, (int)p.to - 1, o->path);
}

static const char *unfollowed(tc_cx *cx, const tc_object_contract *o) {
    return tc_fmt(cx->arena, "no write of '%s' is followed from its elements back to threads", o->path);
}

static bool parts_are_written(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o) {
    part parts[most_parts];
    const size_t n = o->elem && o->ndims > 0 ? parts_of(cx, ob->object, o->elem, parts) : 0;
    tc_tvec core = {0};
    bool followed = false;
    for (size_t i = 0; i < n; i++) {
        if (!part_is_written(cx, ob, o, parts[i], &followed)) {
            tc_verdict_unknown(ob, followed ? unwritten(cx, o, parts[i]) : unfollowed(cx, o));
            return false;
        }
        for (size_t k = 0; k < ob->core.len; k++)
            tc_hyps_push(cx, &core, ob->core.data[k]);
    }
    ob->core = core;
    if (n == 0)
        tc_verdict_unknown(ob, unfollowed(cx, o));
    return n > 0;
}

static void all_written(tc_cx *cx, uint32_t object) {
    const tc_object_contract *o = &cx->objects[cx->model->objects.data[object].contract];
    tc_obligation ob = start(cx, object, o->loc, tc_fmt(cx->arena, "every element of '%s' is written", o->path));
    if (parts_are_written(cx, &ob, o))
        for (size_t i = ob.preconditions.len; i-- > 0;) // of each part
            tc_verdict_proved_if(cx->arena, &ob, ob.preconditions.data[i]);
    for (size_t i = 0; i < cx->sites.len; i++) // a write out of bounds writes nothing here
        if (cx->sites.data[i].object == object && tc_event_writes(cx->sites.data[i].event))
            tc_depend(cx, &ob, cx->sites.data[i].bounds);
    tc_oblige(cx, &ob);
}

// ---- none is read before ----

static void read_late(tc_cx *cx, const tc_site *s) {
    tc_obligation ob = start(cx, s->object, s->event->loc,
                             tc_fmt(cx->arena, "what is read of '%s' was written before", tc_object_name(cx, s->object)));
    ob.event = s->event;
    if (s->event->kind == TC_EV_ATOMIC || !tc_decide_written(cx, &ob, s))
        tc_verdict_unknown(&ob, tc_fmt(cx->arena, "not shown that what is read of '%s' was written before: tc_mut if it has a value at launch",
                                       tc_object_name(cx, s->object)));
    tc_oblige(cx, &ob);
}

void tc_rule_out(tc_cx *cx) {
    for (uint32_t i = 0; i < cx->model->objects.len; i++)
        if (cx->model->objects.data[i].contract >= 0 && cx->borrow[i] == TC_BORROW_OUT)
            all_written(cx, i);
    for (size_t i = 0; i < cx->sites.len; i++)
        if (cx->sites.data[i].borrow == TC_BORROW_OUT && tc_event_reads(cx->sites.data[i].event))
            read_late(cx, &cx->sites.data[i]);
}
