// Counterexamples: small launches run in the interpreter, and models of the solver turned into launches.
//
// Only what the interpreter shows becomes violated. A launch counts only if the contract and the inferred preconditions
// allow it, and a fault only if all faults before it in the same run are told as well.
#include "checker/rules.h"

#include <string.h>

enum {
    sweep_when_open = 144,      // launches tried when something is not proved
    sweep_when_proved = 6,     // launches of the cross-check
    sweep_to_reach = 60,       // more of them, until each access was reached once
    steps_when_open = 4000000, // instructions a launch
    steps_when_proved = 400000,
    steps_to_reach = 4000000,  // in all
    steps_of_model = 12000000,
    steps_of_contents = 400000, // when a fault's threads are run alone
    steps_when_large = 1000000, // a few threads run, and all that they touch is kept
    steps_in_all = 48000000, // of one kernel's search
    searches = 4,            // obligations for which the solver is asked
    models = 4,              // models tried for each
    large_launches = 12,     // for what the solver finds no launch for
    max_threads = 1 << 16    // of a launch that is run as a whole
};

typedef struct hunt {
    tc_cx *cx;
    tc_program *program;
    size_t sought; // index of the obligation that is searched for
    bool contradiction;
    unsigned runs;
    uint64_t accesses, steps;
    const char *stopped;
} hunt;

static bool is_open(const tc_obligation *ob) {
    return ob->verdict == TC_UNKNOWN && !ob->hidden && tc_rule_runs(ob->rule) && ob->rule != TC_RULE_TC9001;
}

// ---- which launches count ----

static bool fact_holds(hunt *h, const tc_launch *l, tc_t term) {
    tc_i128 v;
    return tc_launch_eval(h->cx->contract, l, NULL, NULL, term, &v) && v == 1;
}

static bool is_allowed(hunt *h, const tc_launch *l) {
    const tc_fact *which = NULL;
    if (!tc_launch_allowed(h->cx->contract, l, &which) || !tc_program_takes_block(h->program, l))
        return false;
    for (size_t i = 0; i < h->cx->ones.len; i++)
        if (!fact_holds(h, l, h->cx->ones.data[i].term))
            return false;
    for (size_t i = 0; i < h->cx->no_wrap.len; i++)
        if (!fact_holds(h, l, h->cx->no_wrap.data[i].term))
            return false;
    return true;
}

// ---- from faults to verdicts ----

static bool same_line(tc_loc a, tc_loc b) {
    return a.line != 0 && a.line == b.line && a.file == b.file;
}

static bool same_place(tc_loc a, tc_loc b) {
    return same_line(a, b) && a.column == b.column;
}

static bool is_of(const tc_fault *f, const tc_object *o) {
    return o->name && (strcmp(f->object, o->name) == 0 ||
                       (o->dynamic_shared && strcmp(f->object, tc_dynamic_shared_name) == 0));
}

// What a fault says of an obligation of its rule: several accesses may stand on one line.
typedef enum fit {
    NO_FIT,
    OTHER_OBJECT, // on its line
    SAME_OBJECT,  // on its line
    SAME_PLACE    // and in its column; of a pair both
} fit;

static bool either_way(const tc_fault *f, const tc_obligation *ob, bool (*same)(tc_loc a, tc_loc b)) {
    return (same(f->loc, ob->loc) && same(f->other_loc, ob->other->loc)) || (same(f->loc, ob->other->loc) && same(f->other_loc, ob->loc));
}

// A fault of two accesses is one of the pair that both are of; a barrier's is where it is told.
static bool on_line(const tc_fault *f, const tc_obligation *ob) {
    if (f->two && ob->other && f->other_loc.line != 0)
        return either_way(f, ob, same_line);
    if (same_line(f->loc, ob->loc) || (ob->other && same_line(f->loc, ob->other->loc)))
        return true;
    return f->two && ob->rule != TC_RULE_TC3002 && same_line(f->other_loc, ob->loc);
}

static bool in_place(const tc_fault *f, const tc_obligation *ob) {
    if (f->two && ob->other)
        return either_way(f, ob, same_place);
    return same_place(f->loc, ob->loc) || (f->two && same_place(f->other_loc, ob->loc)) ||
           (ob->other && same_place(f->loc, ob->other->loc));
}

// A copy that is complete races like any other access; where a fence is missing, nothing orders two blocks.
static bool is_of_rule(const tc_fault *f, const tc_obligation *ob) {
    static const char *const conflicts[] = {"TC3001", "TC1001", "TC1002"};
    bool fits = strcmp(f->code, tc_rule_code(ob->rule)) == 0;
    for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts && ob->rule == TC_RULE_TC3003 && ob->other; i++)
        fits |= strcmp(f->code, conflicts[i]) == 0;
    return fits;
}

// Of two names of one buffer it may be either.
static bool is_of_either(const hunt *h, const tc_fault *f, const tc_obligation *ob) {
    const tc_kmodel *m = h->cx->model;
    return is_of(f, &m->objects.data[ob->object]) ||
           (ob->other && ob->other->object < m->objects.len && is_of(f, &m->objects.data[ob->other->object]));
}

static fit fit_of(const hunt *h, const tc_fault *f, const tc_obligation *ob) {
    if (!is_of_rule(f, ob) || !on_line(f, ob))
        return NO_FIT;
    if (f->object && ob->object != TC_NONE && !is_of_either(h, f, ob))
        return OTHER_OBJECT;
    return in_place(f, ob) ? SAME_PLACE : SAME_OBJECT;
}

static uint32_t object_of(const hunt *h, const tc_fault *f) {
    for (uint32_t i = 0; f->object && i < h->cx->model->objects.len; i++)
        if (is_of(f, &h->cx->model->objects.data[i]))
            return i;
    return TC_NONE;
}

// The best fit that any obligation has. An object that the model does not know by this name may be any.
static fit best_fit(const hunt *h, const tc_fault *f) {
    const tc_obligations *obs = &h->cx->result->obligations;
    fit best = NO_FIT;
    for (size_t i = 0; i < obs->len; i++) {
        fit x = fit_of(h, f, &obs->data[i]);
        if (x > best)
            best = x;
    }
    return best == OTHER_OBJECT && object_of(h, f) != TC_NONE ? NO_FIT : best;
}

// The fault's threads alone, once more, to see what they read of the index arrays.
static const tc_watch *contents_of(hunt *h, const tc_launch *l, const tc_fault *f) {
    uint32_t(*only)[6] = tc_alloc_array(h->cx->arena, 2, sizeof *only);
    // Of two, the other came first: its block does again.
    const int first = f->two;
    memcpy(only[first], f->block, sizeof f->block);
    memcpy(only[first] + 3, f->thread, sizeof f->thread);
    memcpy(only[!first], f->other_block, sizeof f->other_block);
    memcpy(only[!first] + 3, f->other_thread, sizeof f->other_thread);
    tc_watch *w = TC_NEW(h->cx->arena, tc_watch);
    *w = (tc_watch){.code = f->code, .loc = f->loc};
    tc_launch alone = *l;
    alone.only = (const uint32_t (*)[6])only;
    alone.nonly = f->two ? 2 : 1;
    alone.watch = w;
    alone.max_steps = f->step + steps_of_contents;
    tc_faults faults = {0};
    tc_run_stats stats;
    tc_interp_run(h->cx->arena, h->program, &alone, h->cx->options, 0, &faults, &stats);
    return w->seen && w->reads.len > 0 ? w : NULL;
}

static bool has_index_arrays(const tc_contract *c) {
    for (size_t i = 0; i < c->objects.len; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        if (o->borrow == TC_BORROW_SHARED && o->elem && o->elem->kind == TC_TY_INT)
            return true;
    }
    return false;
}

static tc_counterexample *example_of(hunt *h, const tc_launch *l, const tc_fault *f) {
    tc_counterexample *x = TC_NEW(h->cx->arena, tc_counterexample);
    x->launch = *l;
    x->fault = *f;
    if (has_index_arrays(h->cx->contract) && strcmp(f->code, "TC1005") != 0)
        x->contents = contents_of(h, l, f);
    return x;
}

// A rule that is not proved is told too where a run shows it.
static bool is_hidden(const tc_cx *cx, tc_rule rule) {
    return !tc_options_rule(cx->options, tc_rule_code(rule));
}

// Lanes that drop out of a reduction take values from lanes that are not there, and never use them, which a run does not tell from a
// fault: TC3004 in a run contradicts a proof, and is no violation.
static bool is_fault(tc_rule rule) { return rule != TC_RULE_TC3004; }

// A fault where nothing was asked: the run is believed, the checker's own omission is noted.
static void add_violation(hunt *h, tc_rule rule, const tc_launch *l, const tc_fault *f) {
    tc_obligation ob = tc_obligation_start(rule, f->loc, "found by running; no obligation was made for it");
    ob.object = object_of(h, f);
    if (ob.object != TC_NONE)
        ob.contract = h->cx->model->objects.data[ob.object].contract;
    tc_verdict_violated(&ob, example_of(h, l, f));
    tc_oblige(h->cx, &ob);
}

typedef enum told { TOLD, STOP } told;

// TC9002 in a run: an assertion fails, or the run left what the source assumes, and shows nothing any more.
static told take_broken_statement(hunt *h, const tc_launch *l, const tc_fault *f) {
    tc_obligations *obs = &h->cx->result->obligations;
    for (size_t i = 0; i < obs->len; i++) {
        tc_obligation *ob = &obs->data[i];
        if (ob->rule != TC_RULE_TC9002 || !ob->check || ob->check->kind != TC_CK_ASSERT || !same_line(f->loc, ob->loc))
            continue;
        if (ob->verdict == TC_UNKNOWN)
            tc_verdict_violated(ob, example_of(h, l, f));
        return TOLD;
    }
    return STOP;
}

// A guard's fault is seen at the branch, the obligation stands at the access behind it.
static bool take_uninit(hunt *h, const tc_launch *l, const tc_fault *f) {
    tc_obligations *obs = &h->cx->result->obligations;
    for (size_t i = 0; i < obs->len; i++) {
        tc_obligation *ob = &obs->data[i];
        if (ob->rule != TC_RULE_TC2005 || ob->verdict != TC_UNKNOWN)
            continue;
        tc_verdict_violated(ob, example_of(h, l, f));
        ob->loc = f->loc;
        return true;
    }
    return false;
}

// A run may see an overflow where its value is read, beside another operation that is proved: as long as one is not proved, that may be
// the one, and the proof is not contradicted.
static bool may_be_elsewhere(const hunt *h, tc_rule rule) {
    const tc_obligations *obs = &h->cx->result->obligations;
    for (size_t i = 0; rule == TC_RULE_TC2002 && i < obs->len; i++)
        if (obs->data[i].rule == rule && (obs->data[i].verdict == TC_UNKNOWN || obs->data[i].verdict == TC_VIOLATED))
            return true;
    return false;
}

static told take_fault(hunt *h, const tc_launch *l, const tc_fault *f) {
    tc_rule rule = tc_rule_of_code(f->code);
    if (rule == TC_RULE_TC9002)
        return take_broken_statement(h, l, f);
    if (rule == TC_RULE_COUNT || is_hidden(h->cx, rule))
        return TOLD;
    tc_obligations *obs = &h->cx->result->obligations;
    bool proved = false, violated = false;
    const fit best = best_fit(h, f);
    for (size_t i = 0; best != NO_FIT && i < obs->len; i++) {
        tc_obligation *ob = &obs->data[i];
        if (fit_of(h, f, ob) != best)
            continue;
        if (ob->verdict == TC_UNKNOWN && is_fault(rule))
            tc_verdict_violated(ob, example_of(h, l, f));
        violated |= ob->verdict == TC_VIOLATED;
        proved |= ob->verdict == TC_PROVED || ob->verdict == TC_PROVED_IF;
    }
    if (violated || (rule == TC_RULE_TC2005 && !proved && take_uninit(h, l, f)))
        return TOLD;
    if (proved && !may_be_elsewhere(h, rule)) {
        tc_note_unknown(h->cx, f->loc,
                        tc_fmt(h->cx->arena,
                               "internal error, please report it: %s is proved here, but a run shows it (%s)", f->code,
                               f->text ? f->text : ""));
        h->contradiction = true;
        return STOP;
    }
    if (is_fault(rule))
        add_violation(h, rule, l, f);
    return TOLD;
}

// ---- runs ----

static bool is_spent(const hunt *h) {
    return h->steps >= steps_in_all;
}

// Might a run that was cut off, or of a few threads only, still break an assumption? What is assumed of the launch alone
// the few threads have met.
static bool may_break_assumption(const hunt *h, const tc_launch *l) {
    for (size_t i = 0; i < h->cx->model->assumptions.len; i++) {
        const tc_assumption *s = &h->cx->model->assumptions.data[i];
        if (l->nonly == 0 || s->cond->variance > TC_VAR_LAUNCH || s->guard->variance > TC_VAR_LAUNCH)
            return true;
    }
    return false;
}

static uint64_t threads_of_block(const tc_launch *l) { return (uint64_t)l->block[0] * l->block[1] * l->block[2]; }
static uint64_t blocks_of(const tc_launch *l) { return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]; }

// True where what does not run may order accesses that conflict.
static bool run_as_given(hunt *h, tc_launch *l, uint64_t max_steps) {
    if (is_spent(h))
        return false;
    tc_faults faults = {0};
    tc_run_stats stats = {0};
    l->max_steps = max_steps;
    tc_interp_run(h->cx->arena, h->program, l, h->cx->options, 0, &faults, &stats);
    h->steps += stats.steps;
    if (stats.breaks_assume || stats.breaks_hint || (!stats.complete && may_break_assumption(h, l)))
        return stats.withheld;
    h->runs++;
    h->accesses += stats.accesses;
    if (!stats.complete && stats.stopped)
        h->stopped = stats.stopped;
    bool pending = false; // bytes were touched while a copy to them was: whose write comes last there is not known any more
    for (size_t i = 0; i < faults.len; i++) {
        const tc_fault *f = &faults.data[i];
        if (pending && f->code && strcmp(f->code, "TC3001") == 0)
            continue;
        if (!f->code || take_fault(h, l, f) == STOP)
            return false;
        pending |= strcmp(f->code, "TC3003") == 0;
    }
    return stats.withheld;
}

// Only the whole launch shows whether a conflict is a fault that what does not run might order.
static void run(hunt *h, tc_launch *l, uint64_t max_steps) {
    if (!run_as_given(h, l, max_steps) || threads_of_block(l) * blocks_of(l) > max_threads)
        return;
    l->nonly = 0;
    run_as_given(h, l, max_steps);
}

typedef struct sweep {
    hunt *h;
    uint64_t steps;
} sweep;

static bool is_one(tc_cx *cx, tc_t extent) {
    for (size_t i = 0; i < cx->ones.len; i++)
        if (cx->ones.data[i].term == tc_eq(cx->ts, tc_settle(cx, extent), tc_int(cx->ts, 1)))
            return true;
    return false;
}

// What is_allowed would refuse is not drawn.
static void leave_unread(hunt *h) {
    tc_contract *c = h->cx->contract;
    for (unsigned d = 0; d < 3; d++) {
        c->unread_block[d] = !c->has_block && !tc_program_reads_threads(h->program, d);
        c->unread_grid[d] = !c->has_grid && is_one(h->cx, c->syms.grid_dim[d]);
    }
}

// Launches are drawn with these.
static void note_callable(hunt *h) {
    tc_contract *c = h->cx->contract;
    size_t n = 0;
    const uint32_t *numbers = tc_program_callable(h->program, &n);
    for (size_t i = 0; i < n; i++)
        tc_push(h->cx->arena, &c->callable,
                ((tc_callable){numbers[i], tc_unit_function_name(h->cx->arena, h->cx->unit->module, numbers[i])}));
}

static bool sweep_one(void *ctx, tc_launch *l) {
    sweep *s = ctx;
    if (!s->h->cx->contract->has_smem && !tc_program_uses_dynamic_shared(s->h->program))
        l->smem = 0;
    if (is_allowed(s->h, l))
        run(s->h, l, s->steps);
    return s->h->contradiction || is_spent(s->h);
}

// ---- launches from models ----

static bool value_of(hunt *h, tc_model *m, tc_t t, tc_i128 *v) {
    return tc_model_value(m, tc_settle(h->cx, t), v);
}

static bool set_extents(hunt *h, tc_model *m, const tc_t *syms, tc_extents *out) {
    out->given = true;
    for (int d = 0; d < 3; d++)
        if (!value_of(h, m, syms[d], &out->dim[d]))
            return false;
    return true;
}

static bool options_of(hunt *h, tc_model *m, tc_options *o) {
    const tc_contract *c = h->cx->contract;
    *o = *h->cx->options;
    memset(&o->sets, 0, sizeof o->sets);
    if (!set_extents(h, m, c->syms.grid_dim, &o->grid) || !set_extents(h, m, c->syms.block_dim, &o->block))
        return false;
    for (size_t i = 0; i < c->scalars.len; i++) {
        tc_setting s = {.name = c->scalars.data[i].path};
        if (!value_of(h, m, c->scalars.data[i].term, &s.value))
            return false;
        tc_push(h->cx->arena, &o->sets, s);
    }
    if (c->syms.smem && !c->has_smem)
        value_of(h, m, c->syms.smem, &o->smem);
    return true;
}

typedef struct table {
    hunt *h;
    tc_buffer *buffer;
} table;

static void put_element(void *ctx, const tc_i128 *args, tc_i128 value) {
    table *t = ctx;
    if (args[0] < 0 || args[0] > INT64_MAX)
        return;
    tc_i128 *v = TC_NEW(t->h->cx->arena, tc_i128);
    *v = value;
    tc_map_put(t->h->cx->arena, &t->buffer->elements, (uint64_t)args[0], v);
}

static void set_contents(hunt *h, tc_model *m, tc_launch *l) {
    for (size_t i = 0; i < h->cx->model->objects.len; i++) {
        const tc_object *o = &h->cx->model->objects.data[i];
        if (!o->contents || o->contract < 0)
            continue;
        table t = {h, &l->buffers[o->contract]};
        tc_model_table(m, o->contents, put_element, &t);
    }
}

static bool is_callable(const tc_contract *c, tc_i128 number) {
    bool known = number == 0;
    for (size_t i = 0; i < c->callable.len; i++)
        known |= number == c->callable.data[i].number;
    return known;
}

static void set_functions(hunt *h, tc_model *m, tc_launch *l) {
    const tc_contract *c = h->cx->contract;
    for (size_t i = 0; i < c->functions.len; i++) {
        tc_i128 v;
        if (value_of(h, m, c->functions.data[i].which, &v) && is_callable(c, v))
            l->functions[i] = (uint32_t)v;
    }
}

// The block of an instance of the obligation; false when the model has no such instance.
static bool block_of(hunt *h, tc_model *m, uint32_t copy, uint32_t *block) {
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(h->cx, h->cx->contract->syms.block_idx[d]);
        tc_i128 v = 0;
        if (copy)
            i = tc_rename(h->cx->ts, i, TC_VAR_BLOCK, copy);
        if (!tc_model_value(m, i, &v) || v < 0 || v > UINT32_MAX)
            return false;
        block[d] = (uint32_t)v;
    }
    return true;
}

static tc_obligation *sought(hunt *h) {
    return &h->cx->result->obligations.data[h->sought];
}

// A launch too large to be run as a whole: the blocks of the obligation's instances, all their threads.
static bool run_blocks_only(hunt *h, tc_model *m, tc_launch *l) {
    const uint64_t block_threads = threads_of_block(l), blocks = blocks_of(l);
    if (block_threads * blocks <= max_threads || blocks <= 2)
        return true;
    bool two = sought(h)->other != NULL && sought(h)->rule != TC_RULE_TC3001; // of two threads, in one block
    uint32_t (*only)[6] = tc_alloc_array(h->cx->arena, (size_t)block_threads * 2, sizeof *only);
    size_t n = 0;
    for (uint32_t copy = two ? 1 : 0; copy <= (two ? 2u : 0u); copy++) {
        uint32_t block[3];
        if (!block_of(h, m, copy, block))
            return false;
        for (uint32_t z = 0; z < l->block[2]; z++)
            for (uint32_t y = 0; y < l->block[1]; y++)
                for (uint32_t x = 0; x < l->block[0]; x++) {
                    const uint32_t t[6] = {block[0], block[1], block[2], x, y, z};
                    memcpy(only[n++], t, sizeof t);
                }
    }
    l->only = (const uint32_t (*)[6])only;
    l->nonly = n;
    return true;
}

// Sizes that are stored in buffers are those of the model's contents, which have to be allowed.
static bool fits_contents(hunt *h, const tc_options *o, tc_launch *l) {
    tc_contract *c = h->cx->contract;
    const char *why = NULL;
    if (!tc_launch_by_contents(c))
        return tc_launch_singles(c, l);
    return tc_launch_size(h->cx->arena, c, o, l, &why) && tc_launch_singles(c, l) && tc_launch_size(h->cx->arena, c, o, l, &why) &&
           tc_launch_allowed(c, l, NULL);
}

static bool launch_of_model(hunt *h, tc_model *m, tc_launch *l) {
    tc_options o;
    const char *why = NULL;
    if (!options_of(h, m, &o) || !tc_launch_make(h->cx->arena, h->cx->contract, &o, l, &why))
        return false;
    set_contents(h, m, l);
    set_functions(h, m, l);
    return fits_contents(h, &o, l) && run_blocks_only(h, m, l);
}

// ---- faults of the contract alone ----

static bool model_breaks(hunt *h, tc_model *m, const tc_obligation *ob) {
    tc_i128 v;
    for (size_t i = 0; i < ob->hyps.len; i++)
        if (!tc_model_value(m, ob->hyps.data[i], &v) || v != 1)
            return false;
    (void)h;
    return tc_model_value(m, ob->goal, &v) && v == 0;
}

static const char *contract_fault_text(hunt *h, tc_model *m, const tc_obligation *ob, tc_fault *f) {
    const tc_object_contract *o = &h->cx->contract->objects.data[ob->contract];
    uint32_t b[2][3] = {{0}};
    if (o->region != TC_REGION_OWNER && block_of(h, m, 1, b[0]) && block_of(h, m, 2, b[1]) &&
        memcmp(b[0], b[1], sizeof b[0]) != 0) {
        f->two = true;
        memcpy(f->block, b[0], sizeof b[0]);
        memcpy(f->other_block, b[1], sizeof b[1]);
        f->other_loc = ob->loc;
        return tc_fmt(h->cx->arena, "blocks (%u,%u,%u) and (%u,%u,%u) have one region of '%s'", b[0][0], b[0][1],
                      b[0][2], b[1][0], b[1][1], b[1][2], o->path);
    }
    return tc_fmt(h->cx->arena, "it does not hold that %s", ob->claim);
}

static bool accept_contract(hunt *h, tc_model *m, tc_launch *l) {
    tc_obligation *ob = sought(h);
    if (!model_breaks(h, m, ob))
        return false;
    tc_fault f = {.code = tc_rule_code(ob->rule), .loc = ob->loc};
    f.object = h->cx->contract->objects.data[ob->contract].path;
    f.text = contract_fault_text(h, m, ob, &f);
    tc_counterexample *x = example_of(h, l, &f);
    x->contract_only = true;
    tc_verdict_violated(ob, x);
    return true;
}

// ---- the solver's search ----

static bool accept(void *ctx, tc_model *m) {
    hunt *h = ctx;
    tc_launch l = {0};
    if (!launch_of_model(h, m, &l) || !is_allowed(h, &l))
        return false;
    if (sought(h)->rule == TC_RULE_TC1005)
        return accept_contract(h, m, &l);
    run(h, &l, steps_of_model);
    return h->contradiction || is_spent(h) || sought(h)->verdict == TC_VIOLATED;
}

static void push_soft(hunt *h, tc_tvec *soft) {
    const tc_launch_syms *s = &h->cx->contract->syms;
    for (int d = 2; d >= 0; d--) {
        tc_push(h->cx->arena, soft, tc_eq(h->cx->ts, tc_settle(h->cx, s->grid_dim[d]), tc_int(h->cx->ts, 1)));
        tc_push(h->cx->arena, soft, tc_eq(h->cx->ts, tc_settle(h->cx, s->block_dim[d]), tc_int(h->cx->ts, 1)));
    }
}

static void seek(hunt *h, size_t i) {
    tc_cx *cx = h->cx;
    const tc_obligation ob = cx->result->obligations.data[i];
    tc_tvec hyps = {0}, soft = {0};
    for (size_t k = 0; k < ob.hyps.len; k++)
        tc_hyps_push(cx, &hyps, ob.hyps.data[k]);
    for (size_t k = 0; k < cx->ones.len; k++)
        tc_hyps_push(cx, &hyps, tc_settle(cx, cx->ones.data[k].term));
    tc_hyps_push(cx, &hyps, tc_not(cx->ts, ob.goal));
    push_soft(h, &soft);
    tc_search search = {.soft = soft.data,
                        .nsoft = soft.len,
                        .large = ob.rule == TC_RULE_TC2002,
                        .tries = models,
                        .accept = accept,
                        .ctx = h};
    h->sought = i;
    tc_find(cx->solver, hyps.data, hyps.len, &search);
}

static bool any_open(const tc_cx *cx) {
    for (size_t i = 0; i < cx->result->obligations.len; i++)
        if (is_open(&cx->result->obligations.data[i]))
            return true;
    return false;
}

static bool sweep_large(void *ctx, tc_launch *l) {
    sweep *s = ctx;
    return sweep_one(s, l) || !any_open(s->h->cx);
}

static bool same_question(const tc_obligation *a, const tc_obligation *b) {
    return a->rule == b->rule && a->loc.line == b->loc.line && a->loc.file == b->loc.file && a->object == b->object;
}

static bool answered(const tc_cx *cx, size_t i) {
    const tc_obligation *ob = &cx->result->obligations.data[i];
    for (size_t k = 0; k < cx->result->obligations.len; k++)
        if (k != i && cx->result->obligations.data[k].verdict == TC_VIOLATED &&
            same_question(&cx->result->obligations.data[k], ob))
            return true;
    return false;
}

static void seek_all(hunt *h) {
    unsigned asked = 0;
    size_t n = h->cx->result->obligations.len;
    for (size_t i = 0; i < n && asked < searches && !h->contradiction; i++) {
        const tc_obligation *ob = &h->cx->result->obligations.data[i];
        if (!is_open(ob) || !ob->goal || answered(h->cx, i))
            continue;
        asked++;
        seek(h, i);
    }
}

// ---- is anything proved of nothing? ----

static bool is_shown_access(const tc_cx *cx, const tc_obligation *ob) {
    return ob->event && ob->loc.line && !ob->hidden && ob->object != TC_NONE &&
           (ob->verdict == TC_PROVED || ob->verdict == TC_PROVED_IF) &&
           cx->model->objects.data[ob->object].space != TC_SPACE_LOCAL;
}

// Is this access met by no launch so far?
static bool is_missed(hunt *h, const tc_obligation *ob) {
    return is_shown_access(h->cx, ob) && !tc_program_reached(h->program, ob->loc);
}

static bool any_missed(hunt *h) {
    for (size_t i = 0; i < h->cx->result->obligations.len; i++)
        if (is_missed(h, &h->cx->result->obligations.data[i]))
            return true;
    return false;
}

// Buffers of whose address the kernel makes a number begin at the next address that their elements may have: paths that it takes for
// unaligned ones are met. Only where no condition on the launch forbids it.
static bool move_buffers(hunt *h, tc_launch *l) {
    tc_cx *cx = h->cx;
    bool some = false;
    for (size_t i = 0; i < cx->model->objects.len && cx->result->verdict == TC_PROVED; i++) {
        const tc_object *m = &cx->model->objects.data[i];
        const tc_object_contract *o = m->address && m->contract >= 0 ? &cx->contract->objects.data[m->contract] : NULL;
        if (!o || o->param < 0 || o->align || !o->elem)
            continue;
        l->buffers[m->contract].misalign = o->elem->align;
        some = true;
    }
    return some;
}

static bool sweep_until_met(void *ctx, tc_launch *l) {
    sweep *s = ctx;
    if (sweep_one(s, l) || s->h->steps > steps_to_reach || !any_missed(s->h))
        return true;
    return move_buffers(s->h, l) && (sweep_one(s, l) || !any_missed(s->h));
}

// A proof about an access that no launch comes to says nothing: each is to be met once.
static void meet_accesses(hunt *h) {
    tc_cx *cx = h->cx;
    if (h->contradiction || !any_missed(h))
        return;
    sweep s = {h, steps_to_reach};
    h->steps = 0;
    tc_launch_sweep(cx->arena, cx->contract, 2, sweep_to_reach, sweep_until_met, &s);
    for (size_t i = 0; i < cx->result->obligations.len && !h->contradiction; i++) {
        const tc_obligation *ob = &cx->result->obligations.data[i];
        bool known = false;
        for (size_t k = 0; k < cx->result->missed.len; k++)
            known |= same_place(cx->result->missed.data[k], ob->loc);
        if (!known && is_missed(h, ob))
            tc_push(cx->arena, &cx->result->missed, ob->loc);
    }
}

void tc_search_counterexamples(tc_cx *cx) {
    hunt h = {.cx = cx};
    const char *why = NULL;
    h.program = tc_program_new(cx->arena, cx->unit, cx->contract, &why);
    if (!h.program) {
        cx->result->note = tc_fmt(cx->arena, "not run in the interpreter: %s", why ? why : "unknown");
        return;
    }
    bool open = any_open(cx);
    if (open && cx->options->nosearch) {
        cx->result->note = "no counterexample was looked for";
        return;
    }
    leave_unread(&h);
    note_callable(&h);
    cx->contract->joins = !tc_program_sees_addresses(h.program);
    cx->contract->sets_variables = cx->options->host_variables && tc_program_has_settable(h.program);
    sweep s = {&h, open ? steps_when_open : steps_when_proved};
    tc_launch_sweep(cx->arena, cx->contract, 1, open ? sweep_when_open : sweep_when_proved, sweep_one, &s);
    if (!h.contradiction)
        seek_all(&h);
    if (!h.contradiction && any_open(cx)) {
        s.steps = steps_when_large;
        h.steps = 0; // large launches have a budget of their own
        tc_launch_large(cx->arena, cx->contract, 1, large_launches, sweep_large, &s);
    } else {
        meet_accesses(&h);
    }
    cx->result->note = h.accesses ? tc_fmt(cx->arena, "run in the interpreter: %u launches, %llu accesses", h.runs,
                                           (unsigned long long)h.accesses)
                                  : "no small launch was found in which the kernel touches memory";
}
