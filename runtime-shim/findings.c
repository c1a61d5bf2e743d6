#include <stdio.h>

#include "runtime-shim/trackeri.h"

#define MAX_TOLD 65536 // findings that are remembered, so that each is given once

static const struct {
    const char *code, *title;
} rules[] = {
#define X(id, code, title) {code, title},
#include "runtime-shim/rules.def"
#undef X
};

const char *tc_rt_rule_code(tc_rt_rule r) {
    return rules[r].code;
}

const char *tc_rt_rule_title(tc_rt_rule r) {
    return rules[r].title;
}

const char *tc_rt_borrow_name(tc_rt_borrow b) {
    return b == TC_RT_SHARED ? "shared" : b == TC_RT_ATOMIC ? "atomic" : "mut";
}

// ---- parties ----

tc_rt_party rt_party_now(const tc_rt_event *e, const rt_slot *s, const char *use, tc_rt_borrow b) {
    return (tc_rt_party){.op = e->op,
                         .line = e->line,
                         .name = e->name,
                         .use = use,
                         .borrow = b,
                         .stream = s ? s->handle : 0,
                         .stream_name = s ? s->name : NULL,
                         .site = e->site,
                         .stack = e->stack};
}

tc_rt_party rt_party_loan(const rt_loan *l) {
    return (tc_rt_party){.op = l->op,
                         .line = rt_loan_turn(l)->line,
                         .name = l->name,
                         .use = l->use,
                         .borrow = l->borrow,
                         .stream = l->stream,
                         .stream_name = l->stream_name,
                         .exec = l->exec,
                         .site = l->site,
                         .stack = rt_loan_turn(l)->stack};
}

rt_moment rt_moment_of(tc_rt_tracker *t, const tc_rt_event *e) {
    return (rt_moment){.op = e->op, .line = e->line, .stack = e->stack, .site = rt_keep(t, e->site, e->flags)};
}

tc_rt_party rt_party_then(const rt_moment *m, const char *name, uint64_t stream, const char *stream_name) {
    return (tc_rt_party){.op = m->op,
                         .line = m->line,
                         .name = name,
                         .stream = stream,
                         .stream_name = stream_name,
                         .site = m->site,
                         .stack = m->stack};
}

// ---- each once ----

static uint64_t mix(uint64_t h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(1099511628211); // FNV-1a
    return h;
}

static uint64_t mix_text(uint64_t h, const char *s) {
    return s ? mix(h, s, strlen(s) + 1) : mix(h, "", 1);
}

static uint64_t key_of(const tc_rt_finding *f, uint64_t place) {
    uint64_t h = UINT64_C(14695981039346656037);
    h = mix(h, &f->rule, sizeof f->rule);
    if (f->rule == TC_RT_RULE_GRAPH) // a buffer once for each graph, whatever its nodes
        return mix(mix(h, &place, sizeof place), &f->before.exec, sizeof f->before.exec);
    h = mix(h, &f->now.op, sizeof f->now.op);
    h = mix_text(h, f->now.name);
    h = mix_text(h, f->now.use);
    h = mix(h, &place, sizeof place);
    h = mix_text(h, f->rule == TC_RT_RULE_CALL || f->rule == TC_RT_RULE_PRECONDITION ? f->text : NULL);
    if (f->rule == TC_RT_RULE_CALL)
        h = mix(h, &f->at, sizeof f->at);
    if (!f->has_before)
        return h;
    h = mix(h, &f->before.op, sizeof f->before.op);
    h = mix_text(h, f->before.name);
    return mix_text(h, f->before.use);
}

static bool told_before(tc_rt_tracker *t, uint64_t key) {
    rt_told *told = NULL;
    HASH_FIND(hh, t->told, &key, sizeof key, told);
    if (told)
        return true;
    if (t->ntold >= MAX_TOLD || !(told = tc_rt_new(t, sizeof *told)))
        return false;
    told->key = key;
    HASH_ADD(hh, t->told, key, sizeof told->key, told);
    t->ntold += rt_added(t, told);
    return false;
}

void rt_told_free(tc_rt_tracker *t) {
    rt_told *told, *next;
    HASH_ITER(hh, t->told, told, next) {
        HASH_DEL(t->told, told);
        tc_rt_release(told);
    }
}

void rt_find(tc_rt_tracker *t, tc_rt_finding *f, uint64_t place_id) {
    if (t->lost || t->capture_lost)
        return;
    if ((!t->settings.every || f->rule == TC_RT_RULE_GRAPH) && told_before(t, key_of(f, place_id))) {
        t->counts.repeated++;
        return;
    }
    t->counts.findings++;
    char text[1024], remedy[512];
    rt_text_of(f, text, sizeof text);
    rt_remedy_of(f, remedy, sizeof remedy);
    f->text = text;
    f->remedy = *remedy ? remedy : NULL;
    if (t->sink)
        t->sink(t->ctx, f);
}

void rt_find_call(tc_rt_tracker *t, const tc_rt_event *e, const tc_rt_party *why, const char *text) {
    // TC_RT_ACCEPTED: the driver took the call. After a failed allocation the tracker may not know the state that it has.
    if ((e->flags & TC_RT_ACCEPTED) || t->lost || t->counts.failed_allocations)
        return;
    char call[256], whole[512];
    tc_rt_finding f = {.rule = TC_RT_RULE_CALL, .line = e->line, .now = rt_party_now(e, NULL, NULL, TC_RT_SHARED), .text = whole};
    f.now.stream = e->stream;
    f.now.stream_name = rt_stream_name(t, e);
    rt_call_text(t, e, &f.now, call, sizeof call);
    snprintf(whole, sizeof whole, "%s: %s", call, text);
    f.at = e->stream ^ (e->event << 1) ^ (e->exec << 2) ^ (e->graph << 3);
    f.has_before = why != NULL;
    if (why)
        f.before = *why;
    rt_find(t, &f, 0);
}
