// What findings say: the sentence, the remedy, and of an operation before it the note.
#include <stdarg.h>
#include <stdio.h>

#include "runtime-shim/trackeri.h"

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

// "stream 'up'"; 0 is the default stream too.
static void put_stream_name(out *o, uint64_t stream, const char *name) {
    if (name)
        put(o, "stream '%s'", name);
    else if (stream == TC_RT_PER_THREAD)
        put(o, "the thread's default stream");
    else if (stream == TC_RT_LEGACY || !stream)
        put(o, "the default stream");
    else
        put(o, "stream 0x%llx", (unsigned long long)stream);
}

static bool being_made(const tc_rt_party *p) {
    return p->exec == TC_RT_CAPTURED || p->exec == TC_RT_BUILT;
}

static void put_stream(out *o, const tc_rt_party *p) {
    if (being_made(p)) {
        put(o, p->exec == TC_RT_CAPTURED ? " of the captured graph" : " of the graph");
        return;
    }
    if (p->stream || p->stream_name) {
        put(o, " on ");
        put_stream_name(o, p->stream, p->stream_name);
    }
    if (p->exec)
        put(o, " in a graph");
}

// Operations by what they do, and those that have a name of their own: a kernel's, a function's.
static const struct {
    const char *noun;
    bool named;
} operations[TC_RT_OP_COUNT] = {
    [TC_RT_LAUNCH] = {"kernel", true},       [TC_RT_LAUNCH_UNTRACKED] = {"kernel", true},
    [TC_RT_COPY] = {"copy", false},          [TC_RT_SET] = {"memset", false},
    [TC_RT_HOST_FUNC] = {"host function", true}, [TC_RT_GRAPH_NODE] = {"node", true},
    [TC_RT_LOAN] = {"loan", true},           [TC_RT_RELEASE] = {"release", false},
    [TC_RT_HOST_ACCESS] = {"host", false},   [TC_RT_FREE] = {"host", false},
    [TC_RT_ALLOC_ASYNC] = {"asynchronous allocation", false}, [TC_RT_FREE_ASYNC] = {"asynchronous free", false},
    [TC_RT_SUB_ALLOC] = {"allocator", false}, [TC_RT_SUB_FREE] = {"allocator", false},
    [TC_RT_GRAPH_INSTANTIATE] = {"instantiation", false}, [TC_RT_GRAPH_UPDATE] = {"update of an executable graph", false},
};

// "'scale'", "the copy".
static void put_operation(out *o, const tc_rt_party *p) {
    if (operations[p->op].named && p->name)
        put(o, "'%s'", p->name);
    else if (operations[p->op].noun)
        put(o, "the %s", operations[p->op].noun);
    else
        put(o, "%s", tc_rt_op_name(p->op));
}

// "event 'done'", "the graph".
static void put_thing(out *o, const char *kind, const char *name, uint64_t handle) {
    if (name)
        put(o, "%s '%s'", kind, name);
    else if (handle)
        put(o, "%s 0x%llx", kind, (unsigned long long)handle);
    else
        put(o, "the %s", kind);
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
    if (f->rule == TC_RT_RULE_HOST)
        put(o, ": the host has not waited for it");
    else
        put(o, f->overtakes ? ": it is launched programmatically, and may run beside it" : ": nothing orders the two");
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
    if (f->now.op == TC_RT_COPY) {
        put(o, " reads and writes ");
        put_buffer(o, &f->buffer, NULL);
        put(o, ": its source and its destination overlap");
        return;
    }
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
        put(o, "%s", f->text);
        break;
    }
}

void rt_text_of(const tc_rt_finding *f, char *to, size_t size) {
    out o = {to, 0, size};
    to[0] = '\0';
    text_of(&o, f);
}

// Two kernels of one stream, of which the second need not wait. A wait is for the kernel before alone, so that those between have to wait too.
static void remedy_of_overtaking(out *o, const tc_rt_finding *f) {
    put(o, "wait before the access (cudaGridDependencySynchronize)");
    if (f->others_between)
        put(o, ", here and in the kernels launched since event %llu", (unsigned long long)f->before.line);
    put(o, ", or launch without the attribute cudaLaunchAttributeProgrammaticStreamSerialization");
}

static void remedy_of_unordered(out *o, const tc_rt_finding *f) {
    unsigned long long before = f->before.line;
    if (f->overtakes) {
        remedy_of_overtaking(o, f);
    } else if (f->before.exec == TC_RT_BUILT) {
        put(o, "let this node depend on that of event %llu (cudaGraphAddDependencies)", before);
    } else if (f->before.exec == TC_RT_CAPTURED) {
        put(o, "record an event after the first inside the capture and let the other stream wait for it");
    } else {
        put(o, "record an event");
        put_stream(o, &f->before);
        put(o, " after event %llu and let the other stream wait for it (cudaEventRecord, cudaStreamWaitEvent)", before);
    }
}

static void remedy_of_freed(out *o, const tc_rt_finding *f) {
    unsigned long long before = f->before.line;
    bool async = f->buffer.memory == TC_RT_MEM_DEVICE || f->buffer.memory == TC_RT_MEM_POOL;
    if (!f->has_before)
        return;
    if (f->now.op == TC_RT_FREE_ASYNC || f->now.op == TC_RT_SUB_ALLOC)
        put(o, "let the stream wait for an event recorded after event %llu", before);
    else
        put(o, "synchronise with event %llu first%s", before, async ? ", or free on its stream (cudaFreeAsync)" : "");
}

// What would order the two.
static void remedy_of(out *o, const tc_rt_finding *f) {
    switch (f->rule) {
    case TC_RT_RULE_UNORDERED:
        remedy_of_unordered(o, f);
        break;
    case TC_RT_RULE_HOST:
        put(o, "synchronise the stream, or an event recorded after event %llu, before the access", (unsigned long long)f->before.line);
        break;
    case TC_RT_RULE_FREED:
        remedy_of_freed(o, f);
        break;
    case TC_RT_RULE_GRAPH:
        put(o, "free the memory after the executable graph was destroyed (cudaGraphExecDestroy)");
        break;
    case TC_RT_RULE_ALIAS:
        put(o, f->now.op == TC_RT_COPY ? "copy by way of other memory, or between parts that have no byte in common"
                                       : "pass different memory, or say tc_may_alias or tc_inplace in the contract where overlap is meant");
        break;
    default:
        break;
    }
}

void rt_remedy_of(const tc_rt_finding *f, char *to, size_t size) {
    out o = {to, 0, size};
    to[0] = '\0';
    remedy_of(&o, f);
}

// ---- notes ----

// "the launch of 'fill' was given", "the node of 'join' was added".
static void put_given(out *o, const tc_rt_party *p) {
    bool launch = p->op == TC_RT_LAUNCH || p->op == TC_RT_LAUNCH_UNTRACKED, named = operations[p->op].named && p->name;
    put(o, "the %s", launch ? "launch" : operations[p->op].noun ? operations[p->op].noun : tc_rt_op_name(p->op));
    if (named)
        put(o, p->op == TC_RT_HOST_FUNC ? " '%s'" : " of '%s'", p->name);
    put(o, p->op == TC_RT_GRAPH_NODE ? " was added" : " was given");
}

size_t tc_rt_party_note(const tc_rt_party *p, char *to, size_t size) {
    out o = {to, 0, size};
    switch (p->op) {
    case TC_RT_STREAM_DESTROY:
        put_stream_name(&o, p->stream, p->stream_name);
        put(&o, " was destroyed");
        break;
    case TC_RT_EVENT_DESTROY:
    case TC_RT_GRAPH_DESTROY:
    case TC_RT_EXEC_DESTROY:
        put_thing(&o, p->op == TC_RT_EVENT_DESTROY ? "event" : p->op == TC_RT_GRAPH_DESTROY ? "graph" : "executable graph", p->name, 0);
        put(&o, " was destroyed");
        break;
    case TC_RT_DEVICE_RESET:
        put(&o, "the device was reset");
        break;
    case TC_RT_CAPTURE_BEGIN:
        put(&o, "the capture of ");
        put_stream_name(&o, p->stream, p->stream_name);
        put(&o, " began");
        break;
    default:
        put_given(&o, p);
        break;
    }
    put(&o, " here%s%s", p->site ? ", at " : "", p->site ? p->site : "");
    return o.len;
}

// ---- calls: TC5005 ----

// What is called, and on what: of one stream, one event, one graph.
static const struct {
    const char *before, *between, *after;
    const char *things; // s: stream, e: event, g: graph, x: executable graph
} calls[TC_RT_OP_COUNT] = {
    [TC_RT_STREAM_DESTROY] = {"", NULL, " is destroyed", "s"},
    [TC_RT_STREAM_SYNC] = {"the host waits for ", NULL, "", "s"},
    [TC_RT_STREAM_QUERY] = {"the host queries ", NULL, "", "s"},
    [TC_RT_STREAM_WAIT] = {"", " waits for ", "", "se"},
    [TC_RT_EVENT_DESTROY] = {"", NULL, " is destroyed", "e"},
    [TC_RT_EVENT_RECORD] = {"", " is recorded on ", "", "es"},
    [TC_RT_EVENT_SYNC] = {"the host waits for ", NULL, "", "e"},
    [TC_RT_EVENT_QUERY] = {"the host queries ", NULL, "", "e"},
    [TC_RT_CAPTURE_BEGIN] = {"a capture of ", NULL, " begins", "s"},
    [TC_RT_CAPTURE_END] = {"the capture of ", NULL, " ends", "s"},
    [TC_RT_GRAPH_NODE] = {"a node is added to ", NULL, "", "g"},
    [TC_RT_GRAPH_INSTANTIATE] = {"", NULL, " is instantiated", "g"},
    [TC_RT_GRAPH_UPDATE] = {"", " is updated from ", "", "xg"},
    [TC_RT_GRAPH_LAUNCH] = {"", " is launched on ", "", "xs"},
    [TC_RT_GRAPH_DESTROY] = {"", NULL, " is destroyed", "g"},
    [TC_RT_EXEC_DESTROY] = {"", NULL, " is destroyed", "x"},
};

static void put_called(out *o, tc_rt_tracker *t, const tc_rt_event *e, const tc_rt_party *now, char thing) {
    if (thing == 's')
        put_stream_name(o, now->stream, now->stream_name);
    else if (thing == 'e')
        put_thing(o, "event", rt_mark_name(t, e->event), e->event);
    else if (thing == 'g')
        put_thing(o, "graph", rt_graph_name(t, e->graph, false), e->graph);
    else
        put_thing(o, "executable graph", rt_graph_name(t, e->exec, true), e->exec);
}

void rt_call_text(tc_rt_tracker *t, const tc_rt_event *e, const tc_rt_party *now, char *to, size_t size) {
    out o = {to, 0, size};
    to[0] = '\0';
    if (e->op == TC_RT_DEVICE_SYNC) {
        put(&o, "the host waits for device %u", e->device);
    } else if (!calls[e->op].before) { // an operation on a stream
        put_operation(&o, now);
        put(&o, " on ");
        put_stream_name(&o, now->stream, now->stream_name);
    } else {
        put(&o, "%s", calls[e->op].before);
        put_called(&o, t, e, now, calls[e->op].things[0]);
        if (calls[e->op].between) {
            put(&o, "%s", calls[e->op].between);
            put_called(&o, t, e, now, calls[e->op].things[1]);
        }
        put(&o, "%s", calls[e->op].after);
    }
}
