#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "runtime-shim/trace.h"

typedef struct reader {
    tc_arena *arena;
    tc_trace_error *error;
    unsigned line;
    bool failed;
} reader;

static void fail(reader *r, const char *text) {
    if (!r->failed)
        *r->error = (tc_trace_error){r->line, text};
    r->failed = true;
}

// Numbers up to 2^53 as such, larger ones and addresses as texts, "0x…" or decimal.
static uint64_t number(reader *r, const cJSON *o, const char *key) {
    const cJSON *v = key ? cJSON_GetObjectItemCaseSensitive(o, key) : o;
    if (!v)
        return 0;
    if (cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble <= 9007199254740992.0 && floor(v->valuedouble) == v->valuedouble)
        return (uint64_t)v->valuedouble;
    if (cJSON_IsBool(v))
        return cJSON_IsTrue(v) ? 1 : 0;
    char *end = NULL;
    uint64_t n = cJSON_IsString(v) && v->valuestring[0] >= '0' && v->valuestring[0] <= '9' ? strtoull(v->valuestring, &end, 0) : 0;
    if (!end || *end)
        fail(r, tc_fmt(r->arena, "'%s' is not a number from 0 to 2^64 - 1", key ? key : "an element"));
    return n;
}

static uint32_t number32(reader *r, const cJSON *o, const char *key) {
    uint64_t n = number(r, o, key);
    if (n > UINT32_MAX)
        fail(r, tc_fmt(r->arena, "'%s' is more than 2^32 - 1", key ? key : "an element"));
    return (uint32_t)n;
}

static const char *text(reader *r, const cJSON *o, const char *key) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    if (!v || cJSON_IsNull(v))
        return NULL;
    if (cJSON_IsString(v))
        return tc_strdup(r->arena, v->valuestring);
    fail(r, tc_fmt(r->arena, "'%s' is not a text", key));
    return NULL;
}

static const cJSON *list(reader *r, const cJSON *o, const char *key) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    if (v && !cJSON_IsArray(v))
        fail(r, tc_fmt(r->arena, "'%s' is not a list", key));
    return v && cJSON_IsArray(v) ? v : NULL;
}

static void take_dims(reader *r, const cJSON *o, tc_rt_use *use) {
    const cJSON *dims = list(r, o, "dims"), *d;
    cJSON_ArrayForEach(d, dims) {
        uint64_t stride = number(r, cJSON_GetArrayItem(d, 1), NULL);
        if (cJSON_GetArraySize(d) != 2 || stride > INT64_MAX ||
            !tc_rt_region_add(&use->region, number(r, cJSON_GetArrayItem(d, 0), NULL), (int64_t)stride))
            fail(r, "'dims' is a list of at most 8 [count, stride], within 2^64 bytes");
    }
}

static void take_borrow(reader *r, const cJSON *o, tc_rt_use *use) {
    const char *word = text(r, o, "borrow");
    for (tc_rt_borrow b = TC_RT_SHARED; word && b <= TC_RT_EXCLUSIVE; b++)
        if (!strcmp(word, tc_rt_borrow_name(b))) {
            use->borrow = b;
            return;
        }
    fail(r, "'borrow' is \"shared\", \"atomic\" or \"mut\"");
}

static void take_uses(reader *r, const cJSON *o, tc_rt_event *e) {
    const cJSON *all = list(r, o, "uses"), *u;
    TC_VEC(tc_rt_use) uses = {0};
    cJSON_ArrayForEach(u, all) {
        tc_rt_use use = {.region = tc_rt_region_dense(number(r, u, "base"), number(r, u, "run")),
                         .name = text(r, u, "name"),
                         .group = number32(r, u, "group"),
                         .unshaped = number(r, u, "unshaped") != 0,
                         .early = number(r, u, "early") != 0,
                         .host = number(r, u, "host") != 0};
        take_dims(r, u, &use);
        take_borrow(r, u, &use);
        tc_push(r->arena, &uses, use);
    }
    e->uses = uses.data;
    e->nuses = uses.len;
}

static void take_breaches(reader *r, const cJSON *o, tc_rt_event *e) {
    const cJSON *all = list(r, o, "breaches"), *b;
    TC_VEC(tc_rt_breach) breaches = {0};
    cJSON_ArrayForEach(b, all) {
        tc_rt_breach breach = {text(r, b, "text"), text(r, b, "where"), text(r, b, "values"), number(r, b, "null") != 0};
        if (!breach.text)
            fail(r, "a breach has no 'text'");
        else
            tc_push(r->arena, &breaches, breach);
    }
    e->breaches = breaches.data;
    e->nbreaches = breaches.len;
}

static void take_extents(reader *r, const cJSON *o, const char *key, uint32_t out[3]) {
    const cJSON *all = list(r, o, key);
    if (all && cJSON_GetArraySize(all) != 3)
        fail(r, tc_fmt(r->arena, "'%s' is a list of three", key));
    for (int d = 0; all && d < 3 && !r->failed; d++)
        out[d] = number32(r, cJSON_GetArrayItem(all, d), NULL);
}

static const struct {
    const char *name;
    uint32_t flag;
} flags[] = {{"non_blocking", TC_RT_NON_BLOCKING}, {"sync", TC_RT_SYNC}, {"programmatic", TC_RT_PROGRAMMATIC}, {"waits", TC_RT_WAITS},
           {"all_devices", TC_RT_ALL_DEVICES}, {"accepted", TC_RT_ACCEPTED}};

static void take_flags(reader *r, const cJSON *o, tc_rt_event *e) {
    const cJSON *all = list(r, o, "flags"), *f;
    cJSON_ArrayForEach(f, all) {
        bool known = false;
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            if (cJSON_IsString(f) && !strcmp(f->valuestring, flags[i].name)) {
                e->flags |= flags[i].flag;
                known = true;
            }
        if (!known)
            fail(r, "a flag that is not known");
    }
}

static void take_after(reader *r, const cJSON *o, tc_rt_event *e) {
    const cJSON *all = list(r, o, "after"), *n;
    TC_VEC(uint32_t) after = {0};
    cJSON_ArrayForEach(n, all) {
        tc_push(r->arena, &after, number32(r, n, NULL));
    }
    e->after = after.data;
    e->nafter = after.len;
}

static void take_op(reader *r, const cJSON *o, tc_rt_event *e) {
    const char *op = text(r, o, "op"), *memory = text(r, o, "memory");
    e->op = TC_RT_OP_COUNT;
    for (tc_rt_op i = 0; op && i < TC_RT_OP_COUNT; i++)
        if (!strcmp(op, tc_rt_op_name(i)))
            e->op = i;
    if (e->op == TC_RT_OP_COUNT)
        fail(r, op ? tc_fmt(r->arena, "the event '%s' is not known: it is of another version", op) : "an event without 'op'");
    if (!memory)
        return;
    e->memory = TC_RT_MEM_COUNT;
    for (tc_rt_memory m = 0; m < TC_RT_MEM_COUNT; m++)
        if (!strcmp(memory, tc_rt_memory_name(m)))
            e->memory = m;
    if (e->memory == TC_RT_MEM_COUNT) {
        e->memory = TC_RT_MEM_DEVICE;
        fail(r, tc_fmt(r->arena, "there is no kind of memory '%s'", memory));
    }
}

static void take_event(reader *r, const cJSON *o, tc_rt_event *e) {
    take_op(r, o, e);
    if (cJSON_GetObjectItemCaseSensitive(o, "n"))
        e->line = number(r, o, "n");
    e->thread = number32(r, o, "thread");
    e->device = number32(r, o, "device");
    e->peer = number32(r, o, "peer");
    e->stream = number(r, o, "stream");
    e->event = number(r, o, "event");
    e->graph = number(r, o, "graph");
    e->exec = number(r, o, "exec");
    e->pool = number(r, o, "pool");
    e->base = number(r, o, "base");
    e->size = number(r, o, "size");
    if (e->size > UINT64_MAX - e->base)
        fail(r, "'base' and 'size' go beyond 2^64 bytes");
    e->smem = number(r, o, "smem");
    e->stack = number(r, o, "stack");
    e->name = text(r, o, "name");
    e->site = text(r, o, "site");
    take_extents(r, o, "grid", e->grid);
    take_extents(r, o, "block", e->block);
    take_flags(r, o, e);
    take_uses(r, o, e);
    take_breaches(r, o, e);
    take_after(r, o, e);
}

static void release_json(void *arg) {
    cJSON_Delete(arg);
}

// "{"tilecheck_trace": 1, …}" may stand first.
static bool is_head(reader *r, const cJSON *o) {
    if (!cJSON_GetObjectItemCaseSensitive(o, "tilecheck_trace"))
        return false;
    uint64_t version = number(r, o, "tilecheck_trace");
    if (version != 1)
        fail(r, tc_fmt(r->arena, "a trace of version %llu: this tilecheck reads version 1", (unsigned long long)version));
    return true;
}

tc_status tc_trace_read_json(tc_arena *a, const char *data, size_t n, tc_trace_take take, void *ctx, tc_trace_error *error) {
    reader r = {.arena = a, .error = error};
    uint64_t events = 0;
    const char *next, *end = data + n;
    for (const char *p = data; p < end && !r.failed; p = next) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end;
        next = newline ? newline + 1 : end;
        r.line++;
        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p == stop)
            continue;
        cJSON *o = cJSON_ParseWithLength(p, (size_t)(stop - p));
        if (!o) {
            fail(&r, newline ? "this line is not JSON" : "the trace ends in the middle of an event");
            break;
        }
        int cleanup = tc_trap_cleanup(tc_arena_trap(a), release_json, o);
        tc_rt_event e = {.line = events + 1};
        if (!cJSON_IsObject(o))
            fail(&r, "this line is not a JSON object");
        else if (!is_head(&r, o)) {
            take_event(&r, o, &e);
            events++;
            if (!r.failed)
                take(ctx, &e);
        }
        tc_trap_done(tc_arena_trap(a), cleanup);
    }
    return r.failed ? TC_EINPUT : TC_OK;
}
