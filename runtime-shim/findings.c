#include <stdarg.h>
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

// ---- texts ----

typedef struct out {
    char *data;
    size_t len, cap;
} out;

static void put(out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(out *o, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(o->data + o->len, o->cap - o->len, format, args);
    va_end(args);
    size_t more = n < 0 ? 0 : (size_t)n;
    o->len = o->len + more < o->cap ? o->len + more : o->cap - 1;
}

static const char *verb(tc_rt_borrow b) {
    return b == TC_RT_SHARED ? "reads" : b == TC_RT_ATOMIC ? "updates atomically" : "writes";
}

static const char *infinitive(tc_rt_borrow b) {
    return b == TC_RT_SHARED ? "read" : b == TC_RT_ATOMIC ? "update" : "write";
}

static void put_stream(out *o, const tc_rt_party *p) {
    if (p->exec == UINT64_MAX)
        put(o, " of the captured graph");
    else if (p->stream_name)
        put(o, " on stream '%s'", p->stream_name);
    else if (p->stream == TC_RT_LEGACY)
        put(o, " on the default stream");
    else if (p->stream == TC_RT_PER_THREAD)
        put(o, " on the thread's default stream");
    else if (p->stream)
        put(o, " on stream 0x%llx", (unsigned long long)p->stream);
    if (p->exec && p->exec != UINT64_MAX)
        put(o, " in a graph");
}

// "'scale'", "the copy", "cudaFreeAsync".
static void put_operation(out *o, const tc_rt_party *p) {
    static const char *const names[TC_RT_OP_COUNT] = {
        [TC_RT_COPY] = "the copy",           [TC_RT_SET] = "the memset",
        [TC_RT_LOAN] = "the loan",           [TC_RT_HOST_ACCESS] = "the host",
        [TC_RT_FREE] = "the host",           [TC_RT_FREE_ASYNC] = "the asynchronous free",
        [TC_RT_ALLOC_ASYNC] = "the asynchronous allocation", [TC_RT_SUB_ALLOC] = "the allocator",
        [TC_RT_SUB_FREE] = "the allocator",
    };
    bool named = p->op == TC_RT_LAUNCH || p->op == TC_RT_HOST_FUNC || p->op == TC_RT_GRAPH_NODE || p->op == TC_RT_LOAN;
    if (named && p->name)
        put(o, "'%s'", p->name);
    else
        put(o, "%s", names[p->op] ? names[p->op] : tc_rt_op_name(p->op));
}

static void put_buffer(out *o, const tc_rt_buffer *b, const char *use) {
    if (b->name)
        put(o, "'%s'", b->name);
    else if (use)
        put(o, "the memory of '%s'", use);
    else
        put(o, "memory");
    if (b->size)
        put(o, " (%llu bytes at 0x%llx)", (unsigned long long)b->size, (unsigned long long)b->base);
}

static const char *use_of(const tc_rt_finding *f) {
    return f->now.use ? f->now.use : f->has_before ? f->before.use : NULL;
}

static void put_before(out *o, const tc_rt_finding *f) {
    put(o, "which ");
    put_operation(o, &f->before);
    put_stream(o, &f->before);
    put(o, " (event %llu) may still %s", (unsigned long long)f->before.line, infinitive(f->before.borrow));
}

static void text_freed(out *o, const tc_rt_finding *f) {
    if (!f->has_before) {
        put_operation(o, &f->now);
        put_stream(o, &f->now);
        put(o, f->now.op == TC_RT_FREE || f->now.op == TC_RT_FREE_ASYNC || f->now.op == TC_RT_SUB_FREE ? " frees " : " uses ");
        put_buffer(o, &f->buffer, use_of(f));
        put(o, ", which was freed before");
        return;
    }
    put_operation(o, &f->now);
    put_stream(o, &f->now);
    put(o, f->now.op == TC_RT_SUB_ALLOC ? " hands out again " : " frees ");
    put_buffer(o, &f->buffer, use_of(f));
    put(o, ", ");
    put_before(o, f);
}

static void text_conflict(out *o, const tc_rt_finding *f) {
    put_operation(o, &f->now);
    put_stream(o, &f->now);
    put(o, " %s ", verb(f->now.borrow));
    put_buffer(o, &f->buffer, use_of(f));
    put(o, ", ");
    put_before(o, f);
    put(o, f->rule == TC_RT_RULE_HOST ? ": the host has not waited for it" : ": nothing orders the two");
}

static void text_small(out *o, const tc_rt_finding *f) {
    put_operation(o, &f->now);
    put(o, " uses %llu bytes from 0x%llx on as '%s', and ", (unsigned long long)f->needed, (unsigned long long)f->at,
        f->now.use ? f->now.use : "its operand");
    put_buffer(o, &f->buffer, NULL);
    put(o, " ends after %llu", (unsigned long long)(f->buffer.base + f->buffer.size - f->at));
}

static void text_alias(out *o, const tc_rt_finding *f) {
    put_operation(o, &f->now);
    put(o, " is given ");
    put_buffer(o, &f->buffer, NULL);
    put(o, " both as '%s' (%s) and as '%s' (%s)", f->now.use ? f->now.use : "an operand", tc_rt_borrow_name(f->now.borrow),
        f->before.use ? f->before.use : "another", tc_rt_borrow_name(f->before.borrow));
}

static void text_graph(out *o, const tc_rt_finding *f) {
    bool made = f->now.op == TC_RT_GRAPH_INSTANTIATE || f->now.op == TC_RT_GRAPH_UPDATE;
    put_operation(o, &f->now);
    put(o, made ? " makes a graph run on " : " frees ");
    put_buffer(o, &f->buffer, use_of(f));
    put(o, ", which ");
    put_operation(o, &f->before);
    put(o, made ? " (event %llu) uses, and which was freed since" : " (event %llu) uses in a graph that can still run",
        (unsigned long long)f->before.line);
}

static void text_of(out *o, const tc_rt_finding *f) {
    switch (f->rule) {
    case TC_RT_RULE_PRECONDITION:
        put_operation(o, &f->now);
        put(o, " is launched though %s", f->text);
        break;
    case TC_RT_RULE_ALIAS:
        text_alias(o, f);
        break;
    case TC_RT_RULE_SMALL:
        text_small(o, f);
        break;
    case TC_RT_RULE_FREED:
        text_freed(o, f);
        break;
    case TC_RT_RULE_UNORDERED:
    case TC_RT_RULE_HOST:
        text_conflict(o, f);
        break;
    case TC_RT_RULE_GRAPH:
        text_graph(o, f);
        break;
    default:
        put(o, "%s: %s", tc_rt_op_name(f->now.op), f->text);
        break;
    }
}

// What would order the two.
static void remedy_of(out *o, const tc_rt_finding *f) {
    bool same_graph = f->before.exec == UINT64_MAX;
    switch (f->rule) {
    case TC_RT_RULE_UNORDERED:
        if (same_graph) {
            put(o, "record an event after the first inside the capture and let the other stream wait for it");
            break;
        }
        put(o, "record an event");
        put_stream(o, &f->before);
        put(o, " after event %llu and let the other stream wait for it (cudaEventRecord, cudaStreamWaitEvent)", (unsigned long long)f->before.line);
        break;
    case TC_RT_RULE_HOST:
        put(o, "synchronise the stream, or an event recorded after event %llu, before the access", (unsigned long long)f->before.line);
        break;
    case TC_RT_RULE_FREED:
        if (!f->has_before)
            break;
        if (f->now.op == TC_RT_FREE_ASYNC || f->now.op == TC_RT_SUB_ALLOC)
            put(o, "let the stream wait for an event recorded after event %llu", (unsigned long long)f->before.line);
        else
            put(o, "synchronise with event %llu first, or free on its stream (cudaFreeAsync)", (unsigned long long)f->before.line);
        break;
    case TC_RT_RULE_GRAPH:
        put(o, "free the memory after the executable graph was destroyed (cudaGraphExecDestroy)");
        break;
    case TC_RT_RULE_ALIAS:
        put(o, "pass different memory, or say tc_may_alias or tc_inplace in the contract where overlap is meant");
        break;
    default:
        break;
    }
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
    out o = {text, 0, sizeof text}, r = {remedy, 0, sizeof remedy};
    text[0] = remedy[0] = '\0';
    text_of(&o, f);
    remedy_of(&r, f);
    f->text = text;
    f->remedy = r.len ? remedy : NULL;
    if (t->sink)
        t->sink(t->ctx, f);
}

void rt_find_call(tc_rt_tracker *t, const tc_rt_event *e, const char *format, ...) {
    // TC_RT_ACCEPTED: the driver took the call. After a failed allocation the tracker may not know the state that it has.
    if ((e->flags & TC_RT_ACCEPTED) || t->lost || t->counts.failed_allocations)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tc_rt_finding f = {.rule = TC_RT_RULE_CALL, .line = e->line, .now = rt_party_now(e, NULL, NULL, TC_RT_SHARED), .text = text};
    f.now.stream = e->stream;
    f.at = e->stream ^ (e->event << 1) ^ (e->exec << 2) ^ (e->graph << 3);
    rt_find(t, &f, 0);
}
