// tilecheck contracts: what files hold.
#include <stdio.h>
#include <string.h>

#include "cli/elf.h"

typedef struct listing {
    tc_arena *arena;
    tc_text *out;
    bool json;
    const char *file;
    unsigned kernels, corrupt;
} listing;

// ---- for people ----

static const char *expr(tc_arena *a, const tc_embedded *e, uint32_t x) {
    char text[512];
    return tc_strdup(a, tc_embedded_expr_text(e, x, text, sizeof text));
}

static const uint32_t *counts(const tc_embedded *e, uint32_t *n) {
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++)
        n[i] = e->tables[i].count;
    return n;
}

static void put_params(tc_text *t, const tc_embedded *e, uint32_t n) {
    tc_putf(t, "  %u parameter%s, %u bytes\n", n, n == 1 ? "" : "s", e->arguments);
    for (uint32_t i = 0; i < n; i++) {
        tc_embedded_param p = tc_embedded_param_at(e, i);
        tc_putf(t, "    %u: %s '%s', %u byte%s at %u\n", i, p.type, p.name, p.size, p.size == 1 ? "" : "s", p.offset);
    }
}

static void put_borrow(tc_arena *a, tc_text *t, const tc_embedded *e, uint32_t i) {
    tc_embedded_borrow b = tc_embedded_borrow_at(e, i);
    tc_putf(t, "    '%s': %s", b.path, tc_embedded_borrow_name(b.kind));
    if (b.why)
        tc_putf(t, " (%s)", b.why);
    if (b.variable)
        tc_putf(t, ", variable %s", b.variable);
    else
        tc_putf(t, ", at %u of parameter %u", b.offset, b.param);
    tc_putf(t, ", elements of %u byte%s, aligned to %u", b.element, b.element == 1 ? "" : "s", b.align);
    for (unsigned d = 0; d < b.ndims; d++) // as in the source: shape(rows, cols)
        tc_putf(t, "%s%s%s", d ? ", " : ", shape(", expr(a, e, tc_embedded_dim_at(e, b.first_dim + d).extent), d + 1 == b.ndims ? ")" : "");
    for (unsigned d = 0; d < b.ndims && b.flags & TC_REC_BORROW_STRIDED; d++)
        tc_putf(t, "%s%s%s", d ? ", " : ", stride(", expr(a, e, tc_embedded_dim_at(e, b.first_dim + d).stride), d + 1 == b.ndims ? ")" : "");
    tc_put(t, b.flags & TC_REC_BORROW_OPTIONAL ? ", optional" : "");
    tc_put(t, b.flags & TC_REC_BORROW_RESTRICT ? ", restrict" : "");
    tc_put(t, b.flags & TC_REC_BORROW_EARLY ? ", touched before the wait" : "");
    tc_putc(t, '\n');
}

static void put_list(tc_text *t, const char *title, uint32_t n) {
    if (n)
        tc_putf(t, "  %s\n", title);
}

static void put_conditions(tc_text *t, const tc_embedded *e, uint32_t n) {
    put_list(t, "a launch has to meet", n);
    for (uint32_t i = 0; i < n; i++) {
        tc_embedded_condition c = tc_embedded_condition_at(e, i);
        tc_putf(t, "    %s (%s%s)\n", c.text, tc_embedded_condition_name(c.kind),
                c.flags & TC_REC_CONDITION_CANNOT ? ", cannot be checked at run time" : "");
    }
}

static void put_facts(tc_text *t, const tc_embedded *e, uint32_t n) {
    put_list(t, "memory has to hold", n);
    for (uint32_t i = 0; i < n; i++) {
        tc_embedded_fact f = tc_embedded_fact_at(e, i);
        tc_putf(t, "    %s (%s%s)\n", f.text, tc_embedded_fact_name(f.kind),
                f.flags & TC_REC_CONDITION_CANNOT ? ", cannot be checked at run time" : "");
    }
}

static void put_kernel(tc_arena *a, tc_text *t, const tc_embedded *e) {
    uint32_t n[TC_REC_TABLE_COUNT];
    counts(e, n);
    tc_putf(t, "%s at %s:%u: %s%s%s%s\n  %s\n", e->name, e->file, e->line, tc_embedded_verdict_name(e->verdict),
            e->flags & TC_REC_PARTIAL ? ", parts of the contract are left out" : "",
            e->flags & TC_REC_SOME_RULES ? ", checked for some rules only" : "",
            e->flags & TC_REC_ASSUMES ? ", under assumptions" : "", e->mangled);
    if (e->code_size)
        tc_putf(t, "  of the code with %llu bytes, hash %016llx\n", (unsigned long long)e->code_size, (unsigned long long)e->code_hash);
    put_params(t, e, n[TC_REC_TABLE_PARAM]);
    if (e->flags & TC_REC_WAITS)
        tc_put(t, "  waits for the kernels before it\n");
    put_list(t, "lends", n[TC_REC_TABLE_BORROW]);
    for (uint32_t i = 0; i < n[TC_REC_TABLE_BORROW]; i++)
        put_borrow(a, t, e, i);
    for (uint32_t i = 0; i < n[TC_REC_TABLE_PAIR]; i++) {
        tc_embedded_pair p = tc_embedded_pair_at(e, i);
        tc_putf(t, "    %s('%s', '%s')\n", tc_embedded_pair_name(p.kind), tc_embedded_borrow_at(e, p.a).path,
                tc_embedded_borrow_at(e, p.b).path);
    }
    put_conditions(t, e, n[TC_REC_TABLE_CONDITION]);
    put_facts(t, e, n[TC_REC_TABLE_FACT]);
}

// ---- as JSON ----

// The length of a UTF-8 sequence of more than one byte, or 0: names in the source may be of any bytes.
static size_t sequence(const unsigned char *s) {
    size_t n = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] >= 0xf5)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || outside ? 0 : n;
}

static void put_escaped(tc_text *t, const char *s) {
    tc_putc(t, '"');
    for (const unsigned char *c = (const unsigned char *)s; *c; c++) {
        size_t n = *c >= 0x80 ? sequence(c) : 0;
        if (*c == '"' || *c == '\\')
            tc_putf(t, "\\%c", *c);
        else if (n) {
            tc_putn(t, (const char *)c, n);
            c += n - 1;
        } else if (*c < 0x20 || *c == 0x7f)
            tc_putf(t, "\\u%04x", *c);
        else if (*c >= 0x80)
            tc_put(t, "\\ufffd");
        else
            tc_putc(t, (char)*c);
    }
    tc_putc(t, '"');
}

static void put_string(tc_text *t, const char *key, const char *value) {
    tc_putf(t, "\"%s\": ", key);
    if (value)
        put_escaped(t, value);
    else
        tc_put(t, "null");
}

static void put_strings(tc_arena *a, tc_text *t, const char *key, const tc_embedded *e, const tc_embedded_borrow *b, bool strides) {
    tc_putf(t, ", \"%s\": [", key);
    for (unsigned d = 0; d < b->ndims; d++) {
        tc_embedded_dim dim = tc_embedded_dim_at(e, b->first_dim + d);
        tc_put(t, d ? ", " : "");
        put_escaped(t, expr(a, e, strides ? dim.stride : dim.extent));
    }
    tc_putc(t, ']');
}

static const char *truth(bool b) {
    return b ? "true" : "false";
}

static void json_borrow(tc_arena *a, tc_text *t, const tc_embedded *e, uint32_t i) {
    tc_embedded_borrow b = tc_embedded_borrow_at(e, i);
    tc_put(t, i ? ", {" : "{");
    put_string(t, "path", b.path);
    tc_put(t, ", ");
    put_string(t, "borrow", tc_embedded_borrow_name(b.kind));
    tc_put(t, ", ");
    put_string(t, "variable", b.variable);
    if (b.param != TC_REC_NONE)
        tc_putf(t, ", \"parameter\": %u", b.param);
    tc_putf(t, ", \"offset\": %u, \"element\": %u, \"align\": %u, \"optional\": %s, \"restrict\": %s, \"early\": %s", b.offset, b.element,
            b.align, truth(b.flags & TC_REC_BORROW_OPTIONAL), truth(b.flags & TC_REC_BORROW_RESTRICT), truth(b.flags & TC_REC_BORROW_EARLY));
    put_strings(a, t, "shape", e, &b, false);
    put_strings(a, t, "stride", e, &b, true);
    tc_put(t, "}");
}

static void json_condition(tc_arena *a, tc_text *t, const tc_embedded *e, uint32_t i) {
    tc_embedded_condition c = tc_embedded_condition_at(e, i);
    tc_put(t, i ? ", {" : "{");
    put_string(t, "kind", tc_embedded_condition_name(c.kind));
    tc_put(t, ", ");
    put_string(t, "text", c.text);
    tc_put(t, ", ");
    put_string(t, "expression", expr(a, e, c.expr));
    tc_putf(t, ", \"line\": %u, \"checkable\": %s}", c.line, truth(!(c.flags & TC_REC_CONDITION_CANNOT)));
}

static void json_fact(tc_text *t, const tc_embedded *e, uint32_t i) {
    tc_embedded_fact f = tc_embedded_fact_at(e, i);
    tc_put(t, i ? ", {" : "{");
    put_string(t, "kind", tc_embedded_fact_name(f.kind));
    tc_put(t, ", ");
    put_string(t, "text", f.text);
    tc_put(t, ", ");
    put_string(t, "of", f.borrow == TC_REC_NONE ? NULL : tc_embedded_borrow_at(e, f.borrow).path);
    tc_putf(t, ", \"line\": %u, \"checkable\": %s}", f.line, truth(!(f.flags & TC_REC_CONDITION_CANNOT)));
}

static const char *waits_text(unsigned flags) {
    return flags & TC_REC_WAITS_KNOWN ? truth(flags & TC_REC_WAITS) : "null";
}

static void json_kernel(tc_arena *a, tc_text *t, const char *member, const tc_embedded *e) {
    uint32_t n[TC_REC_TABLE_COUNT];
    counts(e, n);
    tc_putc(t, '{');
    put_string(t, "name", e->name);
    tc_put(t, ", ");
    put_string(t, "mangled", e->mangled);
    tc_put(t, ", ");
    put_string(t, "file", e->file);
    tc_putf(t, ", \"line\": %u, ", e->line);
    put_string(t, "member", member);
    tc_put(t, ", ");
    put_string(t, "verdict", tc_embedded_verdict_name(e->verdict));
    if (e->code_size)
        tc_putf(t, ", \"code\": \"%llu:%016llx\"", (unsigned long long)e->code_size, (unsigned long long)e->code_hash);
    tc_putf(t, ", \"partial\": %s, \"some_rules\": %s, \"assumes\": %s, \"waits\": %s, \"arguments\": %u, \"parameters\": [",
            truth(e->flags & TC_REC_PARTIAL), truth(e->flags & TC_REC_SOME_RULES), truth(e->flags & TC_REC_ASSUMES), waits_text(e->flags), e->arguments);
    for (uint32_t i = 0; i < n[TC_REC_TABLE_PARAM]; i++) {
        tc_embedded_param p = tc_embedded_param_at(e, i);
        tc_put(t, i ? ", {" : "{");
        put_string(t, "name", p.name);
        tc_put(t, ", ");
        put_string(t, "type", p.type);
        tc_putf(t, ", \"kind\": \"%s\", \"offset\": %u, \"size\": %u}", tc_embedded_param_name(p.kind), p.offset, p.size);
    }
    tc_put(t, "], \"borrows\": [");
    for (uint32_t i = 0; i < n[TC_REC_TABLE_BORROW]; i++)
        json_borrow(a, t, e, i);
    tc_put(t, "], \"pairs\": [");
    for (uint32_t i = 0; i < n[TC_REC_TABLE_PAIR]; i++) {
        tc_embedded_pair p = tc_embedded_pair_at(e, i);
        tc_putf(t, "%s{\"kind\": \"%s\", ", i ? ", " : "", tc_embedded_pair_name(p.kind));
        put_string(t, "a", tc_embedded_borrow_at(e, p.a).path);
        tc_put(t, ", ");
        put_string(t, "b", tc_embedded_borrow_at(e, p.b).path);
        tc_putc(t, '}');
    }
    tc_put(t, "], \"conditions\": [");
    for (uint32_t i = 0; i < n[TC_REC_TABLE_CONDITION]; i++)
        json_condition(a, t, e, i);
    tc_put(t, "], \"facts\": [");
    for (uint32_t i = 0; i < n[TC_REC_TABLE_FACT]; i++)
        json_fact(t, e, i);
    tc_put(t, "]}");
}

// ---- files ----

static bool list_one(void *ctx, const char *member, const tc_embedded *e, tc_embedded_error error) {
    listing *l = ctx;
    if (!e) {
        l->corrupt++;
        fprintf(stderr, "tilecheck: error: %s%s%s%s: %s\n", l->file, member ? "(" : "", member ? member : "", member ? ")" : "",
                tc_embedded_error_text(error));
        return true;
    }
    if (l->json) {
        tc_put(l->out, l->kernels ? ",\n    " : "\n    ");
        json_kernel(l->arena, l->out, member, e);
    } else {
        put_kernel(l->arena, l->out, e);
    }
    l->kernels++;
    return true;
}

static tc_exit list_file(listing *l) {
    tc_image image;
    const char *error = tc_image_open(l->arena, l->file, &image);
    if (!error)
        error = tc_image_contracts(l->arena, &image, list_one, l);
    if (!error && l->kernels == 0 && l->corrupt == 0)
        error = "there is no contract in it";
    tc_image_close(&image);
    if (error)
        fprintf(stderr, "tilecheck: error: %s: %s\n", l->file, error);
    return error || l->corrupt ? TC_EXIT_TOOL : TC_EXIT_CLEAN;
}

tc_exit tc_contracts_list(tc_arena *a, const tc_cli_options *o) {
    tc_text out = {.arena = a};
    tc_exit status = TC_EXIT_CLEAN;
    tc_put(&out, o->json ? "{\"version\": 1, \"files\": [" : "");
    for (size_t i = 0; i < o->files.len; i++) {
        listing l = {.arena = a, .out = &out, .json = o->json, .file = o->files.data[i]};
        if (o->json) {
            tc_put(&out, i ? ",\n  {" : "\n  {");
            put_string(&out, "file", l.file);
            tc_put(&out, ", \"kernels\": [");
        } else if (o->files.len > 1) {
            tc_putf(&out, "%s%s:\n", i ? "\n" : "", l.file);
        }
        status = tc_exit_worse(status, list_file(&l));
        tc_put(&out, o->json ? "]}" : "");
    }
    tc_put(&out, o->json ? "\n]}\n" : "");
    fputs(tc_text_str(&out), stdout);
    return status;
}
