#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/tilecheck_rt.h"
#include "runtime-shim/front/front.h"

enum { MAX_TEXTS = 16 };

struct shim_told {
    shim_told *next;
    uint64_t number;
    tc_rt_finding f;
    char *texts[MAX_TEXTS]; // copies
    unsigned ntexts;
    bool full;
};

static const char *keep(shim_told *t, const char *s) {
    if (!s || t->ntexts == MAX_TEXTS)
        return NULL;
    char *copy = strdup(s);
    if (copy)
        t->texts[t->ntexts++] = copy;
    return copy;
}

static void keep_party(shim_told *t, tc_rt_party *p) {
    p->name = keep(t, p->name);
    p->use = keep(t, p->use);
    p->stream_name = keep(t, p->stream_name);
    p->site = keep(t, p->site);
}

shim_told *told_copy(const tc_rt_finding *f, uint64_t *sequence) {
    shim_told *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->number = ++*sequence;
    t->f = *f;
    t->f.text = keep(t, f->text);
    t->f.remedy = keep(t, f->remedy);
    keep_party(t, &t->f.now);
    if (f->has_before)
        keep_party(t, &t->f.before);
    t->f.buffer.name = keep(t, f->buffer.name);
    t->f.buffer.site = keep(t, f->buffer.site);
    return t;
}

void told_free(shim_told *t) {
    for (unsigned i = 0; i < t->ntexts; i++)
        free(t->texts[i]);
    free(t);
}

shim_told **told_next(shim_told *t) {
    return &t->next;
}

const tc_rt_finding *told_finding(const shim_told *t) {
    return &t->f;
}

// ---- as text ----

typedef struct page {
    char text[16384];
    size_t len;
} page;

static void put(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(page *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(p->text + p->len, sizeof p->text - p->len, format, args);
    va_end(args);
    size_t more = n < 0 ? 0 : (size_t)n;
    p->len = p->len + more < sizeof p->text ? p->len + more : sizeof p->text - 1;
}

static void put_stack(page *p, uint64_t stack) {
    char frame[512];
    for (unsigned i = 0; i < 8 && stacks_frame(stack, i, frame, sizeof frame); i++)
        put(p, "    #%u %s\n", i, frame);
}

static void put_before(page *p, const tc_rt_party *b) {
    char note[1024];
    tc_rt_party_note(b, note, sizeof note);
    put(p, "tilecheck: note: event %llu: %s\n", (unsigned long long)b->line, note);
    put_stack(p, b->stack);
}

static void put_buffer(page *p, const tc_rt_buffer *b) {
    put(p, "tilecheck: note: event %llu: %s%s%s (%s memory, %llu bytes at 0x%llx) begins here%s%s\n", (unsigned long long)b->line,
        b->name ? "'" : "", b->name ? b->name : "the buffer", b->name ? "'" : "", tc_rt_memory_name(b->memory),
        (unsigned long long)b->size, (unsigned long long)b->base, b->site ? ", at " : "", b->site ? b->site : "");
    put_stack(p, b->stack);
}

void told_print(const shim_told *t) {
    const tc_rt_finding *f = &t->f;
    page *p = calloc(1, sizeof *p);
    if (!p) {
        fprintf(stderr, "tilecheck: error: %s\n", tc_rt_rule_code(f->rule));
        return;
    }
    put(p, "tilecheck: event %llu: error: %s [%s]\n", (unsigned long long)f->line, f->text ? f->text : tc_rt_rule_title(f->rule),
        tc_rt_rule_code(f->rule));
    put_stack(p, f->now.stack);
    if (f->has_before && f->before.line != f->line)
        put_before(p, &f->before);
    if (f->buffer.size)
        put_buffer(p, &f->buffer);
    if (f->remedy)
        put(p, "tilecheck: note: %s\n", f->remedy);
    fwrite(p->text, 1, p->len, stderr); // at once: findings of threads do not mix
    free(p);
}

// ---- as JSON ----

// Bytes as they are, but for what JSON escapes.
void put_json_text(char *to, size_t size, const char *s) {
    size_t n = 0;
    if (size < 16) {
        *to = '\0';
        return;
    }
    to[n++] = '"';
    for (; *s && n + 8 < size; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x20)
            n += (size_t)snprintf(to + n, size - n, "\\u%04x", c);
        else {
            if (c == '"' || c == '\\')
                to[n++] = '\\';
            to[n++] = (char)c;
        }
    }
    to[n++] = '"';
    to[n] = '\0';
}

static void put_field(page *p, const char *key, const char *s) {
    char text[4096];
    if (!s)
        return;
    put_json_text(text, sizeof text, s);
    put(p, "%s\"%s\":%s", p->text[p->len - 1] == '{' ? "" : ",", key, text);
}

static void put_frames(page *p, uint64_t stack) {
    char frame[512], text[1024];
    if (!stacks_frame(stack, 0, frame, sizeof frame))
        return;
    put(p, ",\"stack\":[");
    for (unsigned i = 0; i < 8 && stacks_frame(stack, i, frame, sizeof frame); i++) {
        put_json_text(text, sizeof text, frame);
        put(p, "%s%s", i ? "," : "", text);
    }
    put(p, "]");
}

static void put_party(page *p, const char *key, const tc_rt_party *x) {
    put(p, ",\"%s\":{\"op\":\"%s\",\"event\":%llu", key, tc_rt_op_name(x->op), (unsigned long long)x->line);
    put_field(p, "name", x->name);
    put_field(p, "parameter", x->use);
    put(p, ",\"borrow\":\"%s\"", tc_rt_borrow_name(x->borrow));
    if (x->stream)
        put(p, ",\"stream\":\"0x%llx\"", (unsigned long long)x->stream);
    put_field(p, "site", x->site);
    put_frames(p, x->stack);
    put(p, "}");
}

void told_json(const shim_told *t, int fd) {
    const tc_rt_finding *f = &t->f;
    page *p = calloc(1, sizeof *p);
    if (!p)
        return;
    put(p, "{");
    put_field(p, "rule", tc_rt_rule_code(f->rule));
    put(p, ",\"event\":%llu", (unsigned long long)f->line);
    put_field(p, "text", f->text);
    put_field(p, "remedy", f->remedy);
    put_party(p, "now", &f->now);
    if (f->has_before)
        put_party(p, "before", &f->before);
    if (f->buffer.size) {
        put(p, ",\"buffer\":{\"event\":%llu", (unsigned long long)f->buffer.line);
        put_field(p, "name", f->buffer.name);
        put_field(p, "memory", tc_rt_memory_name(f->buffer.memory));
        put(p, ",\"base\":\"0x%llx\",\"size\":%llu", (unsigned long long)f->buffer.base, (unsigned long long)f->buffer.size);
        put_frames(p, f->buffer.stack);
        put(p, "}");
    }
    put(p, "}\n");
    // A text that was cut would not be JSON.
    bool whole = p->len < sizeof p->text - 1;
    if (whole && write(fd, p->text, p->len) != (ssize_t)p->len)
        shim_say("a finding cannot be written to the report");
    free(p);
}

void told_report(const shim_told *t, void (*fn)(void *ctx, const tc_rt_report *r), void *ctx) {
    const tc_rt_finding *f = &t->f;
    const tc_rt_party *b = &f->before;
    const tc_rt_report r = {.size = sizeof r,
                            .code = tc_rt_rule_code(f->rule),
                            .text = f->text ? f->text : tc_rt_rule_title(f->rule),
                            .remedy = f->remedy,
                            .kernel = f->now.name ? f->now.name : f->has_before ? b->name : NULL,
                            .parameter = f->now.use ? f->now.use : f->has_before ? b->use : NULL,
                            .buffer = f->buffer.name,
                            .address = (const void *)(uintptr_t)f->at};
    fn(ctx, &r);
}
