#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime-shim/trace.h"

typedef struct out {
    char *data;
    size_t len, cap;
} out;

static void put(out *o, const char *s, size_t n) {
    if (o->len < o->cap)
        memcpy(o->data + o->len, s, n < o->cap - o->len ? n : o->cap - o->len);
    o->len += n;
}

static void putf(out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void putf(out *o, const char *format, ...) {
    char text[128];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put(o, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void put_text(out *o, const char *s) {
    put(o, "\"", 1);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            put(o, "\\", 1);
        if ((unsigned char)*s < 0x20)
            putf(o, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            put(o, s, 1);
    }
    put(o, "\"", 1);
}

static void field_text(out *o, const char *key, const char *s) {
    if (!s)
        return;
    putf(o, ",\"%s\":", key);
    put_text(o, s);
}

static void field_number(out *o, const char *key, uint64_t n) {
    if (n >= UINT64_C(1) << 53)
        putf(o, ",\"%s\":\"%llu\"", key, (unsigned long long)n);
    else if (n)
        putf(o, ",\"%s\":%llu", key, (unsigned long long)n);
}

static void field_hex(out *o, const char *key, uint64_t n) {
    if (n)
        putf(o, ",\"%s\":\"0x%llx\"", key, (unsigned long long)n);
}

static void put_use(out *o, const tc_rt_use *u) {
    putf(o, "{\"borrow\":\"%s\"", tc_rt_borrow_name(u->borrow));
    field_text(o, "name", u->name);
    field_hex(o, "base", u->region.base);
    field_number(o, "run", u->region.run);
    if (u->region.ndims) {
        putf(o, ",\"dims\":[");
        for (unsigned d = 0; d < u->region.ndims; d++)
            putf(o, "%s[\"%llu\",\"%llu\"]", d ? "," : "", (unsigned long long)u->region.dims[d].count,
                 (unsigned long long)u->region.dims[d].stride);
        putf(o, "]");
    }
    field_number(o, "group", u->group);
    if (u->unshaped)
        putf(o, ",\"unshaped\":true");
    if (u->early)
        putf(o, ",\"early\":true");
    if (u->host)
        putf(o, ",\"host\":true");
    putf(o, "}");
}

static void put_uses(out *o, const tc_rt_event *e) {
    if (!e->nuses)
        return;
    putf(o, ",\"uses\":[");
    for (size_t i = 0; i < e->nuses; i++) {
        if (i)
            putf(o, ",");
        put_use(o, &e->uses[i]);
    }
    putf(o, "]");
}

static void put_flags(out *o, const tc_rt_event *e) {
    static const struct {
        uint32_t flag;
        const char *name;
    } flags[] = {{TC_RT_NON_BLOCKING, "non_blocking"}, {TC_RT_SYNC, "sync"}, {TC_RT_PROGRAMMATIC, "programmatic"}, {TC_RT_WAITS, "waits"},
               {TC_RT_ALL_DEVICES, "all_devices"}, {TC_RT_ACCEPTED, "accepted"}};
    const char *before = ",\"flags\":[";
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (e->flags & flags[i].flag) {
            putf(o, "%s\"%s\"", before, flags[i].name);
            before = ",";
        }
    if (before[1] == '\0')
        putf(o, "]");
}

static void put_breaches(out *o, const tc_rt_event *e) {
    if (!e->nbreaches)
        return;
    putf(o, ",\"breaches\":[");
    for (size_t i = 0; i < e->nbreaches; i++) {
        putf(o, "%s{\"text\":", i ? "," : "");
        put_text(o, e->breaches[i].text);
        field_text(o, "where", e->breaches[i].where);
        field_text(o, "values", e->breaches[i].values);
        if (e->breaches[i].null)
            putf(o, ",\"null\":true");
        putf(o, "}");
    }
    putf(o, "]");
}

static void put_extents(out *o, const char *key, const uint32_t d[3]) {
    if (d[0] | d[1] | d[2])
        putf(o, ",\"%s\":[%u,%u,%u]", key, d[0], d[1], d[2]);
}

static void put_after(out *o, const tc_rt_event *e) {
    if (!e->nafter)
        return;
    putf(o, ",\"after\":[");
    for (size_t i = 0; i < e->nafter; i++)
        putf(o, "%s%u", i ? "," : "", e->after[i]);
    putf(o, "]");
}

static bool allocates(tc_rt_op op) {
    return op == TC_RT_ALLOC || op == TC_RT_ALLOC_ASYNC || op == TC_RT_SUB_ALLOC;
}

size_t tc_trace_write(char *buffer, size_t size, const tc_rt_event *e) {
    out o = {buffer, 0, size ? size - 1 : 0};
    putf(&o, "{\"op\":\"%s\",\"n\":%llu", tc_rt_op_name(e->op), (unsigned long long)e->line);
    field_number(&o, "thread", e->thread);
    field_number(&o, "device", e->device);
    field_number(&o, "peer", e->peer);
    field_hex(&o, "stream", e->stream);
    field_hex(&o, "event", e->event);
    field_hex(&o, "graph", e->graph);
    field_hex(&o, "exec", e->exec);
    field_hex(&o, "pool", e->pool);
    field_hex(&o, "base", e->base);
    field_number(&o, "size", e->size);
    if (allocates(e->op))
        field_text(&o, "memory", tc_rt_memory_name(e->memory));
    put_flags(&o, e);
    field_text(&o, "name", e->name);
    field_text(&o, "site", e->site);
    put_extents(&o, "grid", e->grid);
    put_extents(&o, "block", e->block);
    field_number(&o, "smem", e->smem);
    field_number(&o, "stack", e->stack);
    put_uses(&o, e);
    put_breaches(&o, e);
    put_after(&o, e);
    putf(&o, "}");
    if (size)
        buffer[o.len < size - 1 ? o.len : size - 1] = '\0';
    return o.len;
}
