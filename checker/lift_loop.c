// Loops: passes over the body, exits.
#include <string.h>

#include "checker/lift.h"

// ---- one pass ----

static LLVMBasicBlockRef header_block(const tc_loop_ctx *c) {
    return c->frame->cfg->blocks[c->frame->cfg->loops.data[c->cfg_loop].header];
}

static void set_header_phis(tc_lift *L, tc_loop_ctx *c, const tc_flow *f) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_block(c)); i != NULL && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        const tc_val *v = tc_state_get(&f->state, tc_cell_phi(L, i)->index);
        tc_lift_set(L, i, v == NULL ? tc_val_any(L) : tc_val_as(L, v, LLVMTypeOf(i), 0));
    }
}

// The header's phis are cells: entries and back edges write them.
static void write_header_phis(tc_lift *L, tc_loop_ctx *c, tc_edges *edges) {
    tc_node *node = L->node;
    L->node = c->node;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_block(c)); i != NULL && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        for (size_t e = 0; e < edges->len; e++) {
            L->inst = i;
            const tc_val *v = tc_lift_phi(L, c->frame->cfg, i, &edges->data[e], 1);
            tc_state_set(L, &edges->data[e].flow.state, tc_cell_phi(L, i)->index, tc_val_as(L, v, LLVMTypeOf(i), 0));
        }
    L->node = node;
}

bool tc_loop_pass(tc_lift *L, tc_loop_ctx *c, tc_flow header, tc_flow *back) {
    tc_frame *fr = c->frame;
    const tc_cfg_loop *cl = &fr->cfg->loops.data[c->cfg_loop];
    for (size_t i = 0; i < cl->blocks.len; i++)
        fr->in[cl->blocks.data[i]].len = 0;
    c->back = c->exits = (tc_edges){0};
    c->declared.len = c->fills.len = 0;
    tc_loop_ctx *in_frame = fr->loop;
    tc_node *node = L->node;
    c->outer = L->loop;
    L->loop = fr->loop = c;
    L->node = c->node;
    set_header_phis(L, c, &header);
    if (c->iteration != NULL)
        L->node = c->iteration;
    tc_lift_block(L, cl->header, tc_flow_fork(L, &header, L->tt));
    tc_lift_region(L, c->cfg_loop);
    write_header_phis(L, c, &c->back);
    L->node = node;
    L->loop = c->outer;
    fr->loop = in_frame;
    if (c->back.len == 0)
        return false;
    *back = tc_flow_merge(L, c->back.data, c->back.len);
    return true;
}

tc_t tc_lift_forget_header(tc_lift *L, tc_t guard) {
    const tc_loop_ctx *c = L->frame->loop;
    if (!c->monotone || c->unrolled || !tc_lift_implied(L, guard, c->goes_on) ||
        !tc_lift_implied(L, guard, c->header_fact))
        return guard;
    return tc_lift_strip(L, guard, c->header_fact);
}

// ---- the counter ----

static void make_counter(tc_lift *L, tc_loop_ctx *c, bool has_hi, tc_i128 hi) {
    tc_node *node = L->node;
    LLVMValueRef inst = L->inst;
    L->node = c->node;
    L->inst = NULL;
    bool fresh;
    tc_loc loc = tc_lift_loc(L, LLVMGetBasicBlockTerminator(header_block(c)), NULL);
    const char *name = tc_fmt(L->arena, "k@%u", loc.line);
    for (const tc_loop_ctx *o = L->loop; o != NULL; o = o->outer) // nested loops on one line
        if (o->counter != NULL && strcmp(o->counter->name, name) == 0)
            name = tc_fmt(L->arena, "k@%u:%u", loc.line, loc.column);
    tc_sym *s = tc_lift_sym(L, name, TC_SYM_COUNTER, TC_INT,
                            tc_hash_mix(tc_hash_mix(c->header, has_hi), tc_hash_mix((uint64_t)(hi >> 64), (uint64_t)hi)), &fresh);
    if (fresh) {
        s->variance = TC_VAR_ITERATION;
        s->has_lo = true;
        s->lo = 0;
        s->has_hi = has_hi;
        s->hi = hi;
    }
    if (L->dry == 0 && c->record != TC_NONE)
        s->owner = c->record;
    c->counter = s;
    c->k = tc_of_sym(L->ts, s);
    L->node = node;
    L->inst = inst;
}

// ---- exits ----

static tc_t exit_condition(tc_lift *L, const tc_edge *e, tc_t header_guard) {
    return tc_lift_strip(L, e->flow.guard, header_guard);
}

static const tc_val *at_last(tc_lift *L, tc_loop_ctx *c, const tc_val *v, tc_t last) {
    if (v->kind == TC_V_INT) {
        tc_t t = tc_loop_at(L, c, v->term, last);
        return t != v->term && tc_is_false(v->undef) ? tc_val_made(L, v->width, t, v->made, v->what) : v;
    }
    TC_VEC(tc_alt) alts = {0};
    for (size_t i = 0; v->kind == TC_V_PTR && i < v->nalts; i++) {
        tc_alt a = v->alts[i];
        a.offset = tc_loop_at(L, c, a.offset, last);
        tc_push(L->arena, &alts, a);
    }
    return v->kind == TC_V_PTR && tc_is_false(v->undef) ? tc_val_alts(L, alts.data, alts.len) : v;
}

// A counter of a known last value is replaced by it.
static void fix_counter(tc_lift *L, tc_loop_ctx *c, tc_flow *f, const tc_vars *vars, tc_t last) {
    for (size_t i = 0; i < vars->len; i++) {
        const tc_val *v = tc_state_get(&f->state, vars->data[i].cell->index);
        const tc_val *fixed = v == NULL ? NULL : at_last(L, c, v, last);
        if (fixed != v)
            tc_state_set(L, &f->state, vars->data[i].cell->index, fixed);
    }
}

// After the loop: one of the exits was taken, so the last one needs no condition. What is known of the counter's last
// value is kept apart, for those who speak of it: also behind exits from which no return is possible.
static void leave(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_flow *header, const tc_vars *vars, tc_t last,
                  tc_t trips) {
    const tc_cfg *g = c->frame->cfg;
    size_t live = 0;
    tc_fill_leave(L, c, entry, header, trips);
    tc_t some = L->ff, none = entry->guard;
    for (size_t i = 0; i < c->exits.len; i++)
        live += !g->dies[c->exits.data[i].to];
    for (size_t i = 0; i < c->exits.len; i++) {
        tc_edge e = c->exits.data[i];
        tc_t cond = exit_condition(L, &e, header->guard);
        some = tc_or(L->ts, some, cond);
        if (!g->dies[e.to]) {
            live--;
            e.flow.guard = live == 0 ? none : tc_and(L->ts, none, cond);
            none = tc_and(L->ts, none, tc_not(L->ts, cond));
            if (last != NULL)
                fix_counter(L, c, &e.flow, vars, last);
        }
        tc_lift_push(L, e.from, e.to, e.flow);
    }
    if (L->dry == 0 && c->record != TC_NONE)
        L->m->loops.data[c->record].leaves = some;
    if (L->dry == 0) {
        tc_t fact = tc_and(L->ts, c->header_fact, some);
        if (last != NULL)
            fact = tc_is_const(last) ? tc_eq(L->ts, c->k, last) : tc_and(L->ts, fact, tc_eq(L->ts, c->k, last));
        tc_left *left = TC_NEW(L->arena, tc_left);
        *left = (tc_left){c->counter, entry->guard, fact};
        tc_map_put(L->arena, &L->left, TC_KEY(c->counter), left);
        for (size_t i = 0; i < vars->len; i++)
            if (vars->data[i].sym != NULL && vars->data[i].form == TC_F_UNKNOWN)
                tc_map_put(L->arena, &L->left, TC_KEY(vars->data[i].sym), left);
        for (size_t i = 0; i < c->readings.len; i++) {
            tc_left *read = TC_NEW(L->arena, tc_left);
            *read = (tc_left){c->counter, entry->guard, c->readings.data[i].before};
            tc_map_put(L->arena, &L->readings, TC_KEY(c->readings.data[i].node), read);
        }
    }
}

void tc_lift_declared(tc_lift *L, const tc_flow *f, tc_t cond) {
    tc_loop_ctx *c = L->loop;
    while (c != NULL && c->unrolled)
        c = c->outer;
    if (c == NULL || c->frame != L->frame || L->dry > 0)
        return;
    tc_push(L->arena, &c->declared, ((tc_declared){cond, f->guard, tc_lift_loc(L, L->inst, NULL)}));
}

// ---- the loop ----

static void add_phi_vars(tc_lift *L, tc_loop_ctx *c, const tc_flow *entry, tc_vars *vars) {
    tc_node *node = L->node;
    L->node = c->node;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_block(c)); i != NULL && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        tc_var v = {.cell = tc_cell_phi(L, i)};
        v.entry = v.back = tc_state_get(&entry->state, v.cell->index);
        tc_push(L->arena, vars, v);
    }
    L->node = node;
}

// The body runs at most once: no loop.
static void run_once(tc_lift *L, tc_loop_ctx *c, tc_flow *entry) {
    tc_flow back;
    c->unrolled = true;
    c->goes_on = c->header_fact = L->tt;
    c->monotone = false;
    tc_loop_pass(L, c, tc_flow_fork(L, entry, L->tt), &back);
    for (size_t i = 0; i < c->exits.len; i++)
        tc_lift_push(L, c->exits.data[i].from, c->exits.data[i].to, c->exits.data[i].flow);
}

static uint32_t record_loop(tc_lift *L, tc_loop_ctx *c, const tc_flow *entry) {
    tc_loop l = {.id = (uint32_t)L->m->loops.len, .parent = TC_NONE, .guard = tc_record_guard(L, entry->guard, NULL, 0)};
    for (const tc_loop_ctx *o = L->loop; o != NULL; o = o->outer)
        if (!o->unrolled) {
            l.parent = o->record;
            break;
        }
    l.first = L->point++;
    l.loc = tc_lift_loc(L, LLVMGetBasicBlockTerminator(header_block(c)), NULL);
    tc_push(L->arena, &L->m->loops, l);
    return l.id;
}

typedef struct tc_nested {
    tc_lift *lift;
    tc_map flat; // a WRAP node -> the same value with no other of its width inside
} tc_nested;

static void flatten(void *ctx, tc_t t) {
    tc_nested *n = ctx;
    if (t->op != TC_T_WRAP)
        return;
    tc_t arg = tc_lift_unwrapped(n->lift, t->args[0], tc_wrap_width(t));
    if (arg != t->args[0])
        tc_map_put(n->lift->arena, &n->flat, TC_KEY(t),
                   (void *)(uintptr_t)tc_wrap_kept(n->lift->ts, arg, tc_wrap_width(t), tc_wrap_signed(t)));
}

// SOUND: a wrap takes the same value of congruent arguments.
static tc_t without_nested_wraps(tc_lift *L, tc_t t) {
    tc_nested n = {L, {0}};
    tc_walk(L->ts, t, flatten, &n);
    return n.flat.len == 0 ? t : tc_subst(L->ts, t, &n.flat);
}

static bool is_choice(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_OR || t->op == TC_T_ITE;
}

// What the paths back to the header have in common is hard to see in their disjunction. SOUND: each of them went past
// the header's own exits; where there are no others, what tells the paths apart is left out, which only weakens it.
static tc_t back_condition(tc_lift *L, const tc_loop_ctx *c, tc_t back, tc_t entry) {
    uint32_t header = c->frame->cfg->loops.data[c->cfg_loop].header;
    tc_t on = tc_lift_strip(L, back, entry), stay = L->tt;
    for (size_t i = 0; i < c->exits.len; i++) {
        const tc_edge *e = &c->exits.data[i];
        if (e->from == header)
            stay = tc_and(L->ts, stay, tc_not(L->ts, tc_lift_strip(L, e->flow.guard, entry)));
    }
    if (tc_is_true(stay) || tc_lift_implied(L, on, stay))
        return on;
    if (c->exits.len > 1)
        return tc_and(L->ts, stay, on);
    size_t n = on->op == TC_T_AND ? on->nargs : 1;
    for (size_t i = 0; i < n; i++) {
        tc_t x = on->op == TC_T_AND ? on->args[i] : on;
        if (!tc_any(L->ts, x, is_choice, NULL))
            stay = tc_and(L->ts, stay, x);
    }
    return stay;
}

// The condition of going on, from a pass that is not recorded.
static bool find_goes_on(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars, bool *all) {
    tc_flow back;
    L->dry++;
    c->goes_on = c->header_fact = L->tt;
    c->monotone = false;
    c->readings.len = 0;
    bool loops = tc_loop_pass(L, c, tc_vars_header(L, c, entry, vars), &back);
    L->dry--;
    if (!loops)
        return false;
    tc_vars_back(L, &back, vars);
    c->goes_on = tc_loop_about_counter(L, c, back_condition(L, c, back.guard, entry->guard), all);
    c->read = c->goes_on;
    c->goes_on = without_nested_wraps(L, c->read);
    return true;
}

static tc_t carried_term(const tc_val *v, tc_t read) {
    return read != NULL ? read : v != NULL && v->kind == TC_V_INT ? v->term : NULL;
}

static void record_carried(tc_lift *L, tc_loop *l, const tc_vars *vars) {
    for (size_t i = 0; i < vars->len; i++) {
        const tc_var *v = &vars->data[i];
        if (v->sym != NULL)
            tc_push(L->arena, &l->carried,
                    ((tc_carried){v->sym, carried_term(v->entry, v->entry_read), carried_term(v->back, v->back_read)}));
    }
}

// What enters the symbols of the header, on entry or from the end of the body.
static void check_carried(tc_lift *L, tc_loop_ctx *c, const tc_flow *f, tc_vars *vars, bool back) {
    tc_loop_ctx *outer = L->loop;
    LLVMValueRef inst = L->inst;
    L->inst = LLVMGetBasicBlockTerminator(header_block(c));
    if (back)
        L->loop = c;
    tc_vars_check(L, f, vars, back);
    L->loop = outer;
    L->inst = inst;
}

// A last value that is worth being written for the counter: a constant, or what the counter of the loop around decides, so
// that a variable that both loops move has a closed form there too.
static bool is_fixed(tc_lift *L, tc_t trips) {
    tc_loop_ctx *around = L->loop;
    while (around != NULL && around->unrolled)
        around = around->outer;
    bool all = true;
    if (around != NULL && !tc_is_const(trips))
        tc_loop_about_counter(L, around, tc_eq(L->ts, trips, tc_int(L->ts, 0)), &all);
    return tc_is_const(trips) || (around != NULL && all);
}

static void record_pass(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars, const tc_bound *bound, bool all) {
    check_carried(L, c, entry, vars, false);
    c->record = record_loop(L, c, entry);
    ((tc_sym *)(uintptr_t)c->counter)->owner = c->record;
    tc_loop_set_facts(L, c, vars);
    tc_flow header = tc_vars_header(L, c, entry, vars), back;
    header.guard = tc_and(L->ts, header.guard, c->header_fact);
    L->m->loops.data[c->record].reached = tc_record_guard(L, header.guard, NULL, 0);
    bool loops = tc_loop_pass(L, c, header, &back);
    if (loops) {
        tc_vars_back(L, &back, vars);
        check_carried(L, c, &back, vars, true);
    }
    size_t live = 0;
    for (size_t i = 0; i < c->exits.len; i++)
        live += !c->frame->cfg->dies[c->exits.data[i].to];
    bool counted = all && c->exits.len == 1 && live == 1;
    tc_loop *l = &L->m->loops.data[c->record];
    l->counter = c->counter;
    l->affine = counted && bound->trips != NULL;
    l->trips = l->affine ? bound->trips : NULL;
    l->last = L->point++;
    if (loops) {
        l->again = tc_record_guard(L, back.guard, NULL, 0);
        record_carried(L, l, vars);
        tc_lift_invariants(L, c, vars, entry, &header, &back);
    }
    tc_t last = l->trips != NULL && bound->exact && is_fixed(L, l->trips) ? l->trips : NULL;
    leave(L, c, entry, &header, vars, last, l->trips != NULL && bound->exact && tc_is_const(l->trips) ? last : NULL);
}

// Closed forms of variables that are doubled and halved. Of one alone its own bounds say more than a power of the counter does, but where
// another variable counts the loop.
static void find_geometric(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars, bool *all) {
    const unsigned n = tc_vars_find_geometric(L, vars);
    if (n == 0)
        return;
    if (n == 1) {
        const tc_bound others = tc_loop_bound(L, c, vars);
        if (!others.has_hi || !tc_vars_stay_small(vars, others.hi)) {
            tc_vars_not_geometric(vars);
            return;
        }
    }
    if (!find_goes_on(L, c, entry, vars, all) || !tc_loop_bound(L, c, vars).has_hi) {
        tc_vars_not_geometric(vars);
        find_goes_on(L, c, entry, vars, all);
    }
}

void tc_lift_loop(tc_lift *L, uint32_t loop) {
    tc_frame *fr = L->frame;
    tc_loop_ctx *c = TC_NEW(L->arena, tc_loop_ctx);
    c->frame = fr;
    c->cfg_loop = loop;
    c->record = TC_NONE;
    uint32_t h = fr->cfg->loops.data[loop].header;
    c->header = TC_KEY(fr->cfg->blocks[h]);
    c->node = tc_lift_node(L, L->node, c->header);
    c->goes_on = c->header_fact = L->tt;
    tc_edges edges = fr->in[h];
    fr->in[h] = (tc_edges){0};
    write_header_phis(L, c, &edges);
    if ((L->pure || tc_map_has(&L->choices->unroll, c->header)) && !tc_map_has(&L->choices->keep, c->header) &&
        tc_lift_unroll(L, c, edges))
        return;
    c->unrolled = false;
    tc_flow entry = tc_flow_merge(L, edges.data, edges.len);
    tc_vars vars = {0};
    bool all;
    make_counter(L, c, false, 0);
    add_phi_vars(L, c, &entry, &vars);
    tc_vars_discover(L, c, &entry, &vars);
    tc_vars_classify(L, c, &vars);
    if (L->stopped)
        return;
    if (!find_goes_on(L, c, &entry, &vars, &all)) {
        run_once(L, c, &entry);
        return;
    }
    find_geometric(L, c, &entry, &vars, &all);
    if (tc_vars_find_late(L, c, &vars) && !find_goes_on(L, c, &entry, &vars, &all)) {
        run_once(L, c, &entry);
        return;
    }
    tc_bound bound = tc_loop_bound(L, c, &vars);
    if (L->dry > 0) { // what the pass over the outer loop wants to know is known
        tc_flow header = {entry.guard, entry.state};
        tc_t trips = all && c->exits.len == 1 && bound.exact ? bound.trips : NULL;
        leave(L, c, &entry, &header, &vars, trips != NULL && is_fixed(L, trips) ? trips : NULL, trips);
        return;
    }
    if (bound.has_hi) {
        tc_loop_ctx old = *c;
        make_counter(L, c, true, bound.hi);
        for (size_t i = 0; i < vars.len; i++)
            if (vars.data[i].form == TC_F_LATE)
                vars.data[i].late = tc_loop_at(L, &old, vars.data[i].late, c->k);
        tc_loop_note_ranges(L, &old, &vars, c->k);
        find_goes_on(L, c, &entry, &vars, &all);
        // A loop inside has a trip count now, and with it what it moves a closed form.
        if (tc_vars_classify(L, c, &vars))
            find_goes_on(L, c, &entry, &vars, &all);
        // The ranges make readings exact, and with them the trip count.
        tc_bound again = tc_loop_bound(L, c, &vars);
        bound.trips = again.trips;
        bound.exact = again.exact;
    }
    record_pass(L, c, &entry, &vars, &bound, all);
}
