// The readable form of traces. A line is "[N.] words [(remarks)]"; the words of each kind of line stand in `lines` below.
#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "runtime-shim/trace.h"

typedef enum kind { KIND_STREAM = 1, KIND_EVENT, KIND_GRAPH, KIND_EXEC, KIND_BUFFER } kind;

static const char *const kind_names[] = {"", "stream", "event", "graph", "executable graph", "buffer"};

typedef struct symbol symbol;
struct symbol {
    kind kind;
    uint64_t handle;     // not of buffers
    uint64_t base, size; // of buffers
    bool host, freed;
    const symbol *within; // of a part: the buffer that it was taken from
    unsigned era; // how many devices had been reset when it was made
};

typedef struct reader {
    tc_arena *arena;
    tc_trace_take take;
    void *ctx;
    tc_trace_error *error;
    unsigned line;   // of the file
    uint64_t events; // so far
    tc_strmap symbols;
    uint64_t next_handle, next_address;
    uint32_t device;
    unsigned era;
    const char *at, *end; // what is left of the line
    tc_rt_event event;
    TC_VEC(tc_rt_use) uses;
    bool failed;
} reader;

static bool fail(reader *r, const char *text) {
    if (!r->failed)
        *r->error = (tc_trace_error){r->line, text};
    r->failed = true;
    return false;
}

// ---- words ----

static void skip(reader *r) {
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

static bool name_char(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '<' || c == '>' || c == '$';
}

// The next name without taking it; length 0: none. "->" is no part of one.
static size_t name_length(const reader *r) {
    const char *p = r->at;
    while (p < r->end && name_char(*p))
        p++;
    return (size_t)(p - r->at);
}

static bool next_is(reader *r, const char *word) {
    skip(r);
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return false;
    bool goes_on = name_char(word[n - 1]) && r->at + n < r->end && name_char(r->at[n]);
    return !goes_on;
}

static bool accept(reader *r, const char *word) {
    if (!next_is(r, word))
        return false;
    r->at += strlen(word);
    return true;
}

static bool expect(reader *r, const char *word) {
    return accept(r, word) || fail(r, tc_fmt(r->arena, "'%s' is expected before '%.*s'", word, (int)(r->end - r->at), r->at));
}

static const char *take_name(reader *r, const char *what) {
    skip(r);
    size_t n = name_length(r);
    if (!n) {
        fail(r, tc_fmt(r->arena, "a name is expected: %s", what));
        return "";
    }
    const char *name = tc_strndup(r->arena, r->at, n);
    r->at += n;
    return name;
}

static bool take_number(reader *r, uint64_t *out) {
    skip(r);
    const char *p = r->at;
    uint64_t n = 0;
    while (p < r->end && isdigit((unsigned char)*p))
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(*p++ - '0'), &n))
            return fail(r, "a number beyond 2^64");
    if (p == r->at)
        return fail(r, tc_fmt(r->arena, "a number is expected before '%.*s'", (int)(r->end - r->at), r->at));
    r->at = p;
    *out = n;
    return true;
}

// "4096 B"; the unit may be left out.
static bool take_bytes(reader *r, uint64_t *out) {
    if (!take_number(r, out))
        return false;
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"bytes", 0}, {"B", 0}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (accept(r, units[i].name)) {
            if (*out > (UINT64_MAX >> units[i].shift))
                return fail(r, "a size beyond 2^64");
            *out <<= units[i].shift;
            break;
        }
    return true;
}

// ---- symbols ----

// A buffer that nothing has freed: neither itself, nor what it is a part of, nor a reset.
static bool is_held(const reader *r, const symbol *s) {
    for (const symbol *b = s; b; b = b->within)
        if (b->freed)
            return false;
    return s->era == r->era;
}

static symbol *define(reader *r, kind k, const char *name) {
    symbol *s = tc_strmap_get(&r->symbols, name);
    if (s && s->kind != k) {
        fail(r, tc_fmt(r->arena, "'%s' is the name of a %s already", name, kind_names[s->kind]));
        return s;
    }
    if (s && k == KIND_BUFFER && is_held(r, s)) {
        fail(r, tc_fmt(r->arena, "'%s' is the name of a buffer that nothing has freed: another buffer needs another name", name));
        return s;
    }
    s = TC_NEW(r->arena, symbol);
    s->kind = k;
    s->era = r->era;
    s->handle = r->next_handle++;
    tc_strmap_put(r->arena, &r->symbols, name, s);
    return s;
}

static const symbol *lookup(reader *r, kind k, const char *name) {
    static const symbol nothing;
    const symbol *s = tc_strmap_get(&r->symbols, name);
    if (s && s->kind == k)
        return s;
    fail(r, s ? tc_fmt(r->arena, "'%s' names a kind of thing that is not expected here: %s, not %s", name, kind_names[s->kind], kind_names[k])
              : tc_fmt(r->arena, "there is no %s '%s' before this line", kind_names[k], name));
    return &nothing;
}

static void take_stream(reader *r) {
    skip(r);
    accept(r, "stream");
    if (accept(r, "0") || accept(r, "legacy") || accept(r, "default")) {
        r->event.stream = TC_RT_LEGACY;
    } else if (accept(r, "per_thread")) {
        r->event.stream = TC_RT_PER_THREAD;
    } else {
        r->event.stream = lookup(r, KIND_STREAM, take_name(r, "of a stream"))->handle;
    }
}

static void take_on_stream(reader *r) {
    if (expect(r, "on"))
        take_stream(r);
}

// ---- memory ----

#define ADDRESS_BITS 56 // no machine with CUDA has more

// from bytes behind base. false: that is no address.
static bool take_address(reader *r, uint64_t base, uint64_t from, uint64_t *out) {
    if (!__builtin_add_overflow(base, from, out) && *out >> ADDRESS_BITS == 0)
        return true;
    *out = 0;
    return fail(r, tc_fmt(r->arena, "more than an address space of %d bits holds", ADDRESS_BITS));
}

// name[a..b) RUN times…
static bool take_region(reader *r, tc_rt_use *use, bool *ranged) {
    const symbol *s = lookup(r, KIND_BUFFER, take_name(r, "of a buffer"));
    uint64_t from = 0, to = s->size;
    *ranged = accept(r, "[");
    if (*ranged && !(take_number(r, &from) && expect(r, "..") && take_number(r, &to) && expect(r, ")")))
        return false;
    if (to < from)
        return fail(r, "a range that ends before it begins");
    uint64_t base, end;
    if (!take_address(r, s->base, from, &base) || !take_address(r, s->base, to, &end))
        return false;
    use->region = tc_rt_region_dense(base, to - from);
    use->host = s->host;
    skip(r);
    while (r->at < r->end && isdigit((unsigned char)*r->at)) {
        const char *before = r->at;
        uint64_t count, stride;
        if (!take_number(r, &count))
            return false;
        if (!accept(r, "times")) { // a length: not part of the region
            r->at = before;
            break;
        }
        if (!expect(r, "by") || !take_number(r, &stride))
            return false;
        if (stride > INT64_MAX || !tc_rt_region_add(&use->region, count, (int64_t)stride))
            return fail(r, "too many dimensions, or an address beyond 2^64");
        if (!take_address(r, tc_rt_region_end(&use->region), 0, &end))
            return false;
        skip(r);
    }
    return !r->failed;
}

static bool take_borrow(reader *r, tc_rt_borrow *b) {
    static const struct {
        const char *word;
        tc_rt_borrow borrow;
    } words[] = {{"shared", TC_RT_SHARED}, {"mut", TC_RT_EXCLUSIVE}, {"out", TC_RT_EXCLUSIVE}, {"atomic", TC_RT_ATOMIC}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (accept(r, words[i].word)) {
            *b = words[i].borrow;
            return true;
        }
    return fail(r, "shared, mut, out or atomic is expected after a buffer");
}

static bool take_use(reader *r) {
    tc_rt_use use = {0};
    bool ranged;
    skip(r);
    use.name = tc_strndup(r->arena, r->at, name_length(r));
    if (!take_region(r, &use, &ranged) || !take_borrow(r, &use.borrow))
        return false;
    use.early = accept(r, "early");
    tc_push(r->arena, &r->uses, use);
    return true;
}

// "k(a mut, b shared)"; "k(?)" is a kernel without a contract.
static void take_call(reader *r) {
    r->event.name = take_name(r, "of a kernel or function");
    if (!expect(r, "("))
        return;
    if (accept(r, "?")) {
        if (r->event.op == TC_RT_LAUNCH)
            r->event.op = TC_RT_LAUNCH_UNTRACKED;
        expect(r, ")");
        return;
    }
    if (accept(r, ")"))
        return;
    while (take_use(r) && accept(r, ","))
        ;
    if (!r->failed)
        expect(r, ")");
}

static void take_dims(reader *r, uint32_t dims[3]) {
    uint64_t n;
    dims[0] = dims[1] = dims[2] = 1;
    for (unsigned d = 0; d < 3; d++) {
        if (!take_number(r, &n))
            return;
        if (n > UINT32_MAX) {
            fail(r, "an extent beyond 2^32");
            return;
        }
        dims[d] = (uint32_t)n;
        if (!accept(r, ","))
            return;
    }
}

static void take_launch(reader *r) {
    bool block = false, grid = false;
    take_call(r);
    take_on_stream(r);
    while (!r->failed) {
        if (accept(r, "grid")) {
            take_dims(r, r->event.grid);
            grid = true;
        } else if (accept(r, "block")) {
            take_dims(r, r->event.block);
            block = true;
        } else if (accept(r, "smem")) {
            take_bytes(r, &r->event.smem);
        } else {
            break;
        }
    }
    for (unsigned d = 0; d < 3 && grid != block; d++)
        (grid ? r->event.block : r->event.grid)[d] = 1;
}

// ---- lines ----

// The memory of an allocation: "NAME SIZE B".
static void take_buffer(reader *r, tc_rt_memory memory) {
    uint64_t size = 0, end;
    const char *name = take_name(r, "of a buffer");
    if (r->failed || !take_bytes(r, &size) || !take_address(r, r->next_address, size, &end))
        return;
    symbol *s = define(r, KIND_BUFFER, name);
    s->base = r->next_address;
    s->size = size;
    s->host = memory == TC_RT_MEM_PINNED || memory == TC_RT_MEM_PAGEABLE || memory == TC_RT_MEM_REGISTERED;
    r->next_address = (end + 511) / 512 * 512 + 512;
    r->event.name = name;
    r->event.base = s->base;
    r->event.size = size;
    r->event.memory = memory;
}

// "malloc x 64 B on s" is the asynchronous one, as "free x on s" and copies and sets with a stream are.
static void line_malloc(reader *r) {
    take_buffer(r, TC_RT_MEM_DEVICE);
    if (!r->failed && next_is(r, "on")) {
        r->event.op = TC_RT_ALLOC_ASYNC;
        r->event.memory = TC_RT_MEM_POOL;
        take_on_stream(r);
    }
}
static void line_pinned(reader *r) {
    take_buffer(r, TC_RT_MEM_PINNED);
}
static void line_managed(reader *r) {
    take_buffer(r, TC_RT_MEM_MANAGED);
}
static void line_system(reader *r) {
    take_buffer(r, TC_RT_MEM_SYSTEM);
}
static void line_host(reader *r) {
    take_buffer(r, TC_RT_MEM_PAGEABLE);
}
static void line_ipc(reader *r) {
    take_buffer(r, TC_RT_MEM_IPC);
}
static void line_malloc_async(reader *r) {
    take_buffer(r, TC_RT_MEM_POOL);
    if (accept(r, "from")) // a pool, by name
        take_name(r, "of a pool");
    take_on_stream(r);
}

static void take_base(reader *r) {
    r->event.name = take_name(r, "of a buffer");
    r->event.base = lookup(r, KIND_BUFFER, r->event.name)->base;
}
static void give_back(reader *r) {
    symbol *s = tc_strmap_get(&r->symbols, r->event.name);
    if (!r->failed)
        s->freed = true;
}
static void line_free(reader *r) {
    take_base(r);
    give_back(r);
    if (!r->failed && r->event.op == TC_RT_FREE && next_is(r, "on")) {
        r->event.op = TC_RT_FREE_ASYNC;
        take_on_stream(r);
    }
}
static void line_free_async(reader *r) {
    take_base(r);
    give_back(r);
    take_on_stream(r);
}
static void line_release(reader *r) {
    take_base(r);
    take_on_stream(r);
}

static void line_suballoc(reader *r) {
    take_buffer(r, TC_RT_MEM_SUB);
    tc_rt_use use = {0};
    bool ranged;
    const char *name = r->event.name;
    if (r->failed || !expect(r, "in"))
        return;
    skip(r);
    const symbol *whole = tc_strmap_get(&r->symbols, tc_strndup(r->arena, r->at, name_length(r)));
    if (!take_region(r, &use, &ranged))
        return;
    if (use.region.run < r->event.size)
        fail(r, "the part is larger than the range that it is put into");
    symbol *s = tc_strmap_get(&r->symbols, name);
    s->base = r->event.base = use.region.base;
    s->within = whole;
    if (next_is(r, "on"))
        take_on_stream(r);
}

// The verb may stand first: "stream create s". A stream may have a verb's name all the same.
static bool verb_first(reader *r, const char *verb) {
    const char *before = r->at;
    if (accept(r, verb)) {
        skip(r);
        if (name_length(r) && !next_is(r, "create") && !next_is(r, "destroy"))
            return true;
    }
    r->at = before;
    return false;
}

static void line_stream(reader *r) {
    if (verb_first(r, "create")) {
        r->event.op = TC_RT_STREAM_CREATE;
        r->event.name = take_name(r, "of a stream");
        r->event.stream = define(r, KIND_STREAM, r->event.name)->handle;
        return;
    }
    if (verb_first(r, "destroy")) {
        r->event.op = TC_RT_STREAM_DESTROY;
        r->event.stream = lookup(r, KIND_STREAM, take_name(r, "of a stream"))->handle;
        return;
    }
    bool wait = accept(r, "wait");
    const char *name = "";
    if (wait) {
        take_stream(r);
    } else {
        name = take_name(r, "of a stream");
        if (accept(r, "create")) {
            r->event.op = TC_RT_STREAM_CREATE;
            r->event.name = name;
            r->event.stream = define(r, KIND_STREAM, name)->handle;
            return;
        }
        r->event.stream = lookup(r, KIND_STREAM, name)->handle;
        wait = accept(r, "wait");
    }
    if (wait) {
        r->event.op = TC_RT_STREAM_WAIT;
        if (!accept(r, "on"))
            expect(r, "for");
        accept(r, "event");
        r->event.event = lookup(r, KIND_EVENT, take_name(r, "of an event"))->handle;
    } else if (expect(r, "destroy")) {
        r->event.op = TC_RT_STREAM_DESTROY;
    }
}

static void line_event(reader *r) {
    if (verb_first(r, "create")) {
        r->event.name = take_name(r, "of an event");
        r->event.event = define(r, KIND_EVENT, r->event.name)->handle;
        return;
    }
    if (verb_first(r, "destroy")) {
        r->event.op = TC_RT_EVENT_DESTROY;
        r->event.event = lookup(r, KIND_EVENT, take_name(r, "of an event"))->handle;
        return;
    }
    if (accept(r, "record")) {
        r->event.op = TC_RT_EVENT_RECORD;
        r->event.event = lookup(r, KIND_EVENT, take_name(r, "of an event"))->handle;
        take_on_stream(r);
        return;
    }
    const char *name = take_name(r, "of an event");
    if (accept(r, "create")) {
        r->event.op = TC_RT_EVENT_CREATE;
        r->event.name = name;
        r->event.event = define(r, KIND_EVENT, name)->handle;
    } else {
        r->event.event = lookup(r, KIND_EVENT, name)->handle;
        if (accept(r, "record")) {
            r->event.op = TC_RT_EVENT_RECORD;
            take_on_stream(r);
        } else if (expect(r, "destroy")) {
            r->event.op = TC_RT_EVENT_DESTROY;
        }
    }
}

static void take_device(reader *r, uint32_t *device) {
    uint64_t n = 0;
    if (take_number(r, &n) && n > UINT32_MAX)
        fail(r, "a device beyond 2^32");
    *device = (uint32_t)n;
}

static void wait_or_query(reader *r, tc_rt_op of_stream, tc_rt_op of_event) {
    if (accept(r, "event")) {
        r->event.op = of_event;
        r->event.event = lookup(r, KIND_EVENT, take_name(r, "of an event"))->handle;
    } else if (accept(r, "device") && of_stream == TC_RT_STREAM_SYNC) {
        r->event.op = TC_RT_DEVICE_SYNC;
        skip(r);
        if (r->at < r->end && isdigit((unsigned char)*r->at))
            take_device(r, &r->event.device);
    } else {
        r->event.op = of_stream;
        take_stream(r);
    }
}
static void line_sync(reader *r) {
    wait_or_query(r, TC_RT_STREAM_SYNC, TC_RT_EVENT_SYNC);
}
static void line_query(reader *r) {
    wait_or_query(r, TC_RT_STREAM_QUERY, TC_RT_EVENT_QUERY);
}

static void line_device(reader *r) {
    take_device(r, &r->device);
    r->event.device = r->device;
}

static void line_reset(reader *r) {
    r->era++;
    skip(r);
    if (r->at < r->end && isdigit((unsigned char)*r->at))
        take_device(r, &r->event.device);
}

static void line_launch(reader *r) {
    take_launch(r);
}

static void line_call_on_stream(reader *r) {
    take_call(r);
    take_on_stream(r);
}

static void take_run(reader *r, tc_rt_use *use, uint64_t bytes) {
    uint64_t end;
    if (take_address(r, use->region.base, bytes, &end))
        use->region.run = bytes;
}

// "a[0..4) -> b 4 B": what has no range has that many bytes.
static void take_copy(reader *r) {
    tc_rt_use uses[2] = {{.name = "source", .borrow = TC_RT_SHARED}, {.name = "destination", .borrow = TC_RT_EXCLUSIVE}};
    bool ranged[2] = {false, false};
    if (!take_region(r, &uses[0], &ranged[0]) || !expect(r, "->") || !take_region(r, &uses[1], &ranged[1]))
        return;
    uint64_t bytes = 0;
    skip(r);
    bool given = r->at < r->end && isdigit((unsigned char)*r->at) && take_bytes(r, &bytes);
    for (unsigned i = 0; i < 2; i++) {
        if (given && !ranged[i])
            take_run(r, &uses[i], bytes);
        tc_push(r->arena, &r->uses, uses[i]);
    }
    if (!given && ranged[0] != ranged[1])
        r->uses.data[ranged[0]].region.run = r->uses.data[ranged[1]].region.run;
}

// Without a stream it is the call that is given none.
static void sync_or_on_stream(reader *r) {
    if (next_is(r, "on")) {
        take_on_stream(r);
        return;
    }
    r->event.flags |= TC_RT_SYNC;
    r->event.stream = TC_RT_LEGACY;
}

static void line_copy(reader *r) {
    take_copy(r);
    sync_or_on_stream(r);
}
static void line_copy_async(reader *r) {
    take_copy(r);
    take_on_stream(r);
}
static void line_copy_peer(reader *r) {
    r->event.flags |= TC_RT_ALL_DEVICES;
    r->event.stream = TC_RT_LEGACY;
    take_copy(r);
}

static void take_touched(reader *r, tc_rt_borrow borrow, const char *name) {
    tc_rt_use use = {.name = name, .borrow = borrow};
    bool ranged;
    uint64_t bytes;
    if (!take_region(r, &use, &ranged))
        return;
    skip(r);
    if (r->at < r->end && isdigit((unsigned char)*r->at) && take_bytes(r, &bytes) && !ranged)
        take_run(r, &use, bytes);
    tc_push(r->arena, &r->uses, use);
}
static void line_set(reader *r) {
    take_touched(r, TC_RT_EXCLUSIVE, "destination");
    sync_or_on_stream(r);
}
static void line_set_async(reader *r) {
    take_touched(r, TC_RT_EXCLUSIVE, "destination");
    take_on_stream(r);
}
static void line_host_read(reader *r) {
    take_touched(r, TC_RT_SHARED, NULL);
}
static void line_host_write(reader *r) {
    take_touched(r, TC_RT_EXCLUSIVE, NULL);
}

static void line_capture(reader *r) {
    if (accept(r, "begin")) {
        r->event.op = TC_RT_CAPTURE_BEGIN;
        take_stream(r);
    } else if (expect(r, "end")) {
        r->event.op = TC_RT_CAPTURE_END;
        take_stream(r);
        if (expect(r, "->"))
            r->event.graph = define(r, KIND_GRAPH, r->event.name = take_name(r, "of a graph"))->handle;
    }
}

static void take_graph(reader *r) {
    r->event.graph = lookup(r, KIND_GRAPH, take_name(r, "of a graph"))->handle;
}
static void take_exec(reader *r) {
    r->event.exec = lookup(r, KIND_EXEC, take_name(r, "of an executable graph"))->handle;
}

static void take_after(reader *r) {
    TC_VEC(uint32_t) after = {0};
    uint64_t n;
    while (take_number(r, &n) && n < UINT32_MAX) {
        tc_push(r->arena, &after, (uint32_t)n);
        if (!accept(r, ","))
            break;
    }
    r->event.after = after.data;
    r->event.nafter = after.len;
}

static void line_graph_destroy(reader *r) {
    const char *name = take_name(r, "of a graph");
    const symbol *s = tc_strmap_get(&r->symbols, name);
    bool exec = s && s->kind == KIND_EXEC;
    r->event.op = exec ? TC_RT_EXEC_DESTROY : TC_RT_GRAPH_DESTROY;
    s = lookup(r, exec ? KIND_EXEC : KIND_GRAPH, name);
    *(exec ? &r->event.exec : &r->event.graph) = s->handle;
}

static void line_graph(reader *r) {
    if (accept(r, "create")) {
        r->event.op = TC_RT_GRAPH_CREATE;
        r->event.graph = define(r, KIND_GRAPH, r->event.name = take_name(r, "of a graph"))->handle;
    } else if (accept(r, "node")) {
        r->event.op = TC_RT_GRAPH_NODE;
        take_graph(r);
        take_call(r);
        if (accept(r, "after"))
            take_after(r);
    } else if (accept(r, "instantiate")) {
        r->event.op = TC_RT_GRAPH_INSTANTIATE;
        take_graph(r);
        if (expect(r, "->"))
            r->event.exec = define(r, KIND_EXEC, r->event.name = take_name(r, "of an executable graph"))->handle;
    } else if (accept(r, "launch")) {
        r->event.op = TC_RT_GRAPH_LAUNCH;
        take_exec(r);
        take_on_stream(r);
    } else if (accept(r, "update")) {
        r->event.op = TC_RT_GRAPH_UPDATE;
        take_exec(r);
        if (expect(r, "from"))
            take_graph(r);
    } else if (expect(r, "destroy")) {
        line_graph_destroy(r);
    }
}

typedef struct line {
    const char *words[2];
    tc_rt_op op;
    void (*parse)(reader *r);
} line;

static const line lines[] = {
    {{"host", "read"}, TC_RT_HOST_ACCESS, line_host_read},
    {{"host", "write"}, TC_RT_HOST_ACCESS, line_host_write},
    {{"host", "free"}, TC_RT_FREE, line_free},
    {{"host", "destroy"}, TC_RT_FREE, line_free},
    {{"host", NULL}, TC_RT_ALLOC, line_host},
    {{"ipc", "open"}, TC_RT_ALLOC, line_ipc},
    {{"ipc", "close"}, TC_RT_FREE, line_free},
    {{"device", "reset"}, TC_RT_DEVICE_RESET, line_reset},
    {{"device", NULL}, TC_RT_DEVICE, line_device},
    {{"malloc", NULL}, TC_RT_ALLOC, line_malloc},
    {{"malloc_managed", NULL}, TC_RT_ALLOC, line_managed},
    {{"malloc_system", NULL}, TC_RT_ALLOC, line_system},
    {{"malloc_host", NULL}, TC_RT_ALLOC, line_pinned},
    {{"managed", NULL}, TC_RT_ALLOC, line_managed},
    {{"malloc_async", NULL}, TC_RT_ALLOC_ASYNC, line_malloc_async},
    {{"free", NULL}, TC_RT_FREE, line_free},
    {{"free_system", NULL}, TC_RT_FREE, line_free},
    {{"free_host", NULL}, TC_RT_FREE, line_free},
    {{"unregister", NULL}, TC_RT_FREE, line_free},
    {{"free_async", NULL}, TC_RT_FREE_ASYNC, line_free_async},
    {{"suballoc", NULL}, TC_RT_SUB_ALLOC, line_suballoc},
    {{"subfree", NULL}, TC_RT_SUB_FREE, line_free},
    {{"stream", NULL}, TC_RT_STREAM_CREATE, line_stream},
    {{"event", NULL}, TC_RT_EVENT_CREATE, line_event},
    {{"sync", NULL}, TC_RT_STREAM_SYNC, line_sync},
    {{"query", NULL}, TC_RT_STREAM_QUERY, line_query},
    {{"launch", NULL}, TC_RT_LAUNCH, line_launch},
    {{"host_func", NULL}, TC_RT_HOST_FUNC, line_call_on_stream},
    {{"callback", NULL}, TC_RT_HOST_FUNC, line_call_on_stream},
    {{"loan", NULL}, TC_RT_LOAN, line_call_on_stream},
    {{"release", NULL}, TC_RT_RELEASE, line_release},
    {{"memcpy", NULL}, TC_RT_COPY, line_copy},
    {{"memcpy_async", NULL}, TC_RT_COPY, line_copy_async},
    {{"memcpy_peer_async", NULL}, TC_RT_COPY, line_copy_async},
    {{"memcpy_peer", NULL}, TC_RT_COPY, line_copy_peer},
    {{"memset", NULL}, TC_RT_SET, line_set},
    {{"memset_async", NULL}, TC_RT_SET, line_set_async},
    {{"capture", NULL}, TC_RT_CAPTURE_BEGIN, line_capture},
    {{"graph", NULL}, TC_RT_GRAPH_CREATE, line_graph},
};

// ---- remarks: "(non-blocking)", "(device 1)", "(at x)"; what is not known is a comment ----

static void at_buffer(reader *r) {
    const symbol *other = lookup(r, KIND_BUFFER, take_name(r, "of a buffer"));
    symbol *s = r->event.name ? tc_strmap_get(&r->symbols, r->event.name) : NULL;
    if (!r->failed && s)
        s->base = r->event.base = other->base;
}

static void all_may_alias(reader *r) {
    for (size_t i = 0; i < r->uses.len; i++)
        r->uses.data[i].group = 1;
}

static void breaks(reader *r) {
    skip(r);
    tc_rt_breach *b = TC_NEW(r->arena, tc_rt_breach);
    b->text = tc_strndup(r->arena, r->at, (size_t)(r->end - r->at));
    r->at = r->end;
    r->event.breaches = b;
    r->event.nbreaches = 1;
}

static void set_memory(reader *r, tc_rt_memory m) {
    if (r->event.op == TC_RT_ALLOC)
        r->event.memory = m;
}

static bool is_device_number(reader *r) {
    skip(r);
    return r->at < r->end && isdigit((unsigned char)*r->at);
}

static void remark(reader *r) {
    if (accept(r, "non-blocking") || accept(r, "nonblocking"))
        r->event.flags |= TC_RT_NON_BLOCKING;
    else if (accept(r, "programmatic"))
        r->event.flags |= TC_RT_PROGRAMMATIC;
    else if (accept(r, "waits"))
        r->event.flags |= TC_RT_WAITS;
    else if (accept(r, "pinned"))
        set_memory(r, TC_RT_MEM_PINNED);
    else if (accept(r, "registered"))
        set_memory(r, TC_RT_MEM_REGISTERED);
    else if (accept(r, "pageable"))
        set_memory(r, TC_RT_MEM_PAGEABLE);
    else if (accept(r, "managed"))
        set_memory(r, TC_RT_MEM_MANAGED);
    else if (accept(r, "may alias"))
        all_may_alias(r);
    else if (accept(r, "breaks"))
        breaks(r);
    else if (accept(r, "at") || accept(r, "reuses") || accept(r, "same memory as"))
        at_buffer(r);
    else if (accept(r, "device") && is_device_number(r))
        take_device(r, r->event.op == TC_RT_COPY && (r->event.flags & TC_RT_ALL_DEVICES) ? &r->event.peer : &r->event.device);
    else if (accept(r, "thread") && is_device_number(r))
        take_device(r, &r->event.thread);
}

static void take_remarks(reader *r) {
    const char *line_end = r->end;
    while (!r->failed && accept(r, "(")) {
        const char *close = memchr(r->at, ')', (size_t)(line_end - r->at));
        if (!close) {
            fail(r, "a ')' is missing");
            return;
        }
        while (r->at < close && !r->failed) { // remarks of one pair of brackets, with commas between them
            const char *comma = memchr(r->at, ',', (size_t)(close - r->at));
            r->end = comma ? comma : close;
            remark(r);
            r->at = r->end + (comma != NULL);
        }
        r->end = line_end;
        r->at = close + 1;
    }
    skip(r);
    if (!r->failed && r->at < r->end)
        fail(r, tc_fmt(r->arena, "'%.*s' is not understood", (int)(r->end - r->at), r->at));
}

// ---- the file ----

static void take_number_of_event(reader *r) {
    skip(r);
    const char *before = r->at;
    uint64_t n;
    if (r->at < r->end && isdigit((unsigned char)*r->at) && take_number(r, &n) && r->at < r->end && *r->at == '.') {
        r->at++;
        r->event.line = n;
    } else {
        r->at = before;
    }
}

#define MAX_WORD 24

// How many letters are to be put in, taken out or replaced to make one word of the other (Wagner and Fischer 1974); of words that are not too long.
static size_t letters_apart(const char *a, const char *b) {
    size_t row[MAX_WORD + 1], n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t across = row[0]; // of the row before
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t other = across + (a[i - 1] != b[j - 1]), shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            across = row[j];
            row[j] = other < shorter ? other : shorter;
        }
    }
    return row[n];
}

// The first word of a line that may have been meant; NULL: none is near.
static const char *nearest(const char *word) {
    const char *best = NULL;
    size_t n = strlen(word), least = n < 4 ? 2 : 3; // a miss is less than that
    for (size_t i = 0; n <= MAX_WORD && i < sizeof lines / sizeof *lines; i++) {
        size_t apart = letters_apart(word, lines[i].words[0]);
        if (apart < least) {
            least = apart;
            best = lines[i].words[0];
        }
    }
    return best;
}

static const line *line_kind(reader *r) {
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *before = r->at;
        if (accept(r, lines[i].words[0]) && (!lines[i].words[1] || accept(r, lines[i].words[1])))
            return &lines[i];
        r->at = before;
    }
    const char *word = tc_strndup(r->arena, r->at, name_length(r)), *near = nearest(word);
    fail(r, near ? tc_fmt(r->arena, "'%s' is no event: '%s' is meant? docs/traces.md lists them", word, near)
                 : tc_fmt(r->arena, "'%s' is no event: docs/traces.md lists them", word));
    return NULL;
}

static void take_line(reader *r) {
    skip(r);
    if (r->at == r->end || *r->at == '#')
        return;
    r->event = (tc_rt_event){.line = ++r->events, .device = r->device};
    r->uses.data = NULL;
    r->uses.len = r->uses.cap = 0;
    take_number_of_event(r);
    const line *l = line_kind(r);
    if (!l)
        return;
    r->event.op = l->op;
    l->parse(r);
    if (!r->failed)
        take_remarks(r);
    if (r->failed)
        return;
    r->event.uses = r->uses.data;
    r->event.nuses = r->uses.len;
    r->take(r->ctx, &r->event);
}

tc_status tc_trace_read_text(tc_arena *a, const char *data, size_t n, tc_trace_take take, void *ctx, tc_trace_error *error) {
    reader r = {.arena = a, .take = take, .ctx = ctx, .error = error, .next_handle = 0x1000, .next_address = 0x10000};
    for (const char *p = data, *end = data + n; p < end && !r.failed; p = r.end + 1) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        r.line++;
        r.at = p;
        r.end = newline ? newline : end;
        const char *stop = r.end;
        take_line(&r);
        r.end = stop;
    }
    return r.failed ? TC_EINPUT : TC_OK;
}

tc_status tc_trace_read(tc_arena *a, const char *data, size_t n, tc_trace_take take, void *ctx, tc_trace_error *error) {
    size_t i = 0;
    while (i < n && isspace((unsigned char)data[i]))
        i++;
    bool json = i < n && data[i] == '{';
    return (json ? tc_trace_read_json : tc_trace_read_text)(a, data, n, take, ctx, error);
}
