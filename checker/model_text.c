// The kernel model as text, for dump=model and for tests.
#include "checker/model.h"

static const char *const space_names[] = {"global", "shared", "local", "constant", "parameter"};
static const char *const event_names[] = {"read",    "write", "atomic", "async-read", "async-write", "fence",
                                          "barrier", "arrive", "wait",  "warp",       "commit"};
static const char *const order_names[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const scope_names[] = {"thread", "warp", "cta", "cluster", "gpu", "sys"};
static const char *const check_names[] = {"wrap",          "division",     "division of the least", "shift",
                                          "uninitialised", "float-to-int", "call",                  "assert"};

typedef struct tc_print {
    tc_text *out;
    const tc_kmodel *m;
} tc_print;

static void put_term(const tc_print *p, tc_t t) {
    if (t == NULL)
        tc_put(p->out, "?");
    else
        tc_term_put(p->out, p->m->terms, t);
}

static void put_guard(const tc_print *p, tc_t guard) {
    if (guard != NULL && !tc_is_true(guard)) {
        tc_put(p->out, "\n    if ");
        put_term(p, guard);
    }
}

static void put_place(const tc_print *p, tc_loc loc, uint32_t loop, uint32_t point) {
    tc_putf(p->out, "  @%u:%u", loc.line, loc.column);
    if (loc.file != 0)
        tc_putf(p->out, " file %u", loc.file);
    if (loop != TC_NONE)
        tc_putf(p->out, " loop %u", loop);
    tc_putf(p->out, " point %u", point);
}

static void put_objects(const tc_print *p) {
    for (size_t i = 0; i < p->m->objects.len; i++) {
        const tc_object *o = &p->m->objects.data[i];
        tc_putf(p->out, "object %zu: %s %s, size ", i, space_names[o->space], o->name);
        put_term(p, o->size);
        tc_putf(p->out, ", element %llu, align %llu", (unsigned long long)o->elem, (unsigned long long)o->align);
        if (o->contract >= 0)
            tc_putf(p->out, ", contract %d", o->contract);
        if (o->dynamic_shared)
            tc_put(p->out, ", dynamic");
        if (!tc_is_true(o->nonnull)) {
            tc_put(p->out, ", not null if ");
            put_term(p, o->nonnull);
        }
        if (o->contents != NULL)
            tc_put(p->out, ", contents known");
        tc_put(p->out, o->written ? ", written\n" : "\n");
    }
}

static void put_invariant(const tc_print *p, const tc_invariant *v) {
    tc_put(p->out, v->declared ? "  tc_invariant " : "  candidate ");
    put_term(p, v->term);
    tc_put(p->out, "\n    entry: ");
    put_term(p, v->entry_cond);
    tc_put(p->out, "\n    step: ");
    put_term(p, v->step_cond);
    put_guard(p, v->step_guard);
    tc_putc(p->out, '\n');
}

static void put_loops(const tc_print *p) {
    for (size_t i = 0; i < p->m->loops.len; i++) {
        const tc_loop *l = &p->m->loops.data[i];
        tc_putf(p->out, "loop %u:", l->id);
        if (l->parent != TC_NONE)
            tc_putf(p->out, " in loop %u,", l->parent);
        tc_putf(p->out, " counter %s, trips ", l->counter != NULL && l->counter->name != NULL ? l->counter->name : "?");
        put_term(p, l->trips);
        tc_putf(p->out, "%s, points %u-%u  @%u:%u", l->affine ? ", affine" : "", l->first, l->last, l->loc.line,
                l->loc.column);
        put_guard(p, l->guard);
        tc_putc(p->out, '\n');
        for (size_t k = 0; k < l->invariants.len; k++)
            put_invariant(p, &l->invariants.data[k]);
    }
}

static bool touches_memory(tc_event_kind k) { return k <= TC_EV_ASYNC_WRITE; }

static void put_event(const tc_print *p, size_t i, const tc_event *e) {
    tc_putf(p->out, "event %zu: %s", i, event_names[e->kind]);
    if (touches_memory(e->kind)) {
        tc_putf(p->out, " %s[", e->object == TC_NONE ? "?" : p->m->objects.data[e->object].name);
        put_term(p, e->offset);
        tc_put(p->out, " : ");
        put_term(p, e->width);
        tc_putf(p->out, "] align %llu", (unsigned long long)e->align);
    }
    tc_putf(p->out, " %s", e->what == NULL ? "?" : e->what);
    if (e->order != TC_ORD_PLAIN)
        tc_putf(p->out, " %s", order_names[e->order]);
    if (e->scope != TC_SCOPE_THREAD)
        tc_putf(p->out, " %s", scope_names[e->scope]);
    if (e->is_volatile)
        tc_put(p->out, " volatile");
    if (e->together)
        tc_put(p->out, " by the warp");
    if (e->non_coherent)
        tc_put(p->out, " non-coherent");
    put_place(p, e->loc, e->loop, e->point);
    for (size_t k = 0; k < e->inlined.len; k++)
        tc_putf(p->out, " from %u:%u", e->inlined.data[k].loc.line, e->inlined.data[k].loc.column);
    put_guard(p, e->guard);
    for (int k = 0; k < 2; k++)
        if (e->operand[k] != NULL) {
            tc_put(p->out, "\n    operand ");
            put_term(p, e->operand[k]);
        }
    if (e->value != NULL) {
        tc_put(p->out, "\n    value ");
        put_term(p, e->value);
    }
    tc_putc(p->out, '\n');
}

static void put_abort(const tc_print *p, size_t i, const tc_abort *x) {
    tc_putf(p->out, "abort %zu:", i);
    if (x->loop != TC_NONE)
        tc_putf(p->out, " loop %u", x->loop);
    tc_putf(p->out, " point %u", x->point);
    put_guard(p, x->guard);
    tc_putc(p->out, '\n');
}

static void put_check(const tc_print *p, size_t i, const tc_check *c) {
    tc_putf(p->out, "check %zu: %s %s", i, check_names[c->kind], c->what == NULL ? "?" : c->what);
    put_place(p, c->loc, c->loop, c->point);
    tc_put(p->out, "\n    needs ");
    put_term(p, c->cond);
    tc_put(p->out, "\n    term ");
    put_term(p, c->term);
    put_guard(p, c->guard);
    tc_putc(p->out, '\n');
}

static void put_hole(const tc_print *p, size_t i, const tc_hole *h) {
    tc_putf(p->out, "hole %zu: %s:%s%s%s%s", i, h->what, h->effect & TC_HOLE_VALUE ? " value" : "",
            h->effect & TC_HOLE_MEMORY ? " memory" : "", h->effect & TC_HOLE_SYNC ? " sync" : "",
            h->effect & TC_HOLE_CONTROL ? " control" : "");
    for (size_t k = 0; k < h->nobjects; k++)
        tc_putf(p->out, " %s", p->m->objects.data[h->objects[k]].name);
    put_place(p, h->loc, h->loop, h->point);
    put_guard(p, h->guard);
    tc_putc(p->out, '\n');
}

static void put_wait(const tc_print *p, const tc_grid_wait *w) {
    tc_putf(p->out, "wait for the grids before%s", w->always ? ", by each thread" : "");
    put_place(p, w->loc, TC_NONE, w->point);
    tc_putc(p->out, '\n');
}

static void put_assumption(const tc_print *p, const tc_assumption *a) {
    tc_putf(p->out, "assumption %s (%s): ", a->text, a->why == NULL ? "" : a->why);
    put_term(p, a->cond);
    tc_putf(p->out, "  @%u:%u", a->loc.line, a->loc.column);
    put_guard(p, a->guard);
    tc_putc(p->out, '\n');
}

static void put_reads(const tc_print *p, const char *name, const bool *reads) {
    for (int i = 0; i < 3; i++)
        if (reads[i])
            tc_putf(p->out, " %s.%c", name, "xyz"[i]);
}

const char *tc_kmodel_text(tc_arena *a, const tc_kmodel *m) {
    tc_text out = {.arena = a};
    tc_print p = {&out, m};
    const tc_kernel *k = m->contract == NULL ? NULL : m->contract->kernel;
    tc_putf(&out, "kernel %s\nreads", k == NULL || k->name == NULL ? "?" : k->name);
    put_reads(&p, "blockIdx", m->reads_block_idx);
    put_reads(&p, "threadIdx", m->reads_thread_idx);
    put_reads(&p, "blockDim", m->reads_block_dim);
    put_reads(&p, "gridDim", m->reads_grid_dim);
    tc_putc(&out, '\n');
    put_objects(&p);
    put_loops(&p);
    for (size_t i = 0; i < m->events.len; i++)
        put_event(&p, i, &m->events.data[i]);
    for (size_t i = 0; i < m->aborts.len; i++)
        put_abort(&p, i, &m->aborts.data[i]);
    for (size_t i = 0; i < m->checks.len; i++)
        put_check(&p, i, &m->checks.data[i]);
    for (size_t i = 0; i < m->branches.len; i++) {
        tc_putf(&out, "branch %zu:", i);
        put_place(&p, m->branches.data[i].loc, m->branches.data[i].loop, m->branches.data[i].point);
        tc_put(&out, " on ");
        put_term(&p, m->branches.data[i].value);
        put_guard(&p, m->branches.data[i].guard);
        tc_putc(&out, '\n');
    }
    for (size_t i = 0; i < m->holes.len; i++)
        put_hole(&p, i, &m->holes.data[i]);
    for (size_t i = 0; i < m->waits.len; i++)
        put_wait(&p, &m->waits.data[i]);
    for (size_t i = 0; i < m->assumptions.len; i++)
        put_assumption(&p, &m->assumptions.data[i]);
    return tc_text_str(&out);
}
