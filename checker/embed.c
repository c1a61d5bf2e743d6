// One kernel's contract as a record: rows and texts, and the note around them.
#include "checker/embed_terms.h"
#include "checker/waits.h"

#include <string.h>

// ---- rows ----

void tc_embed_put(tc_embed *e, tc_bytes *to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        tc_push(e->arena, to, (uint8_t)(value >> (8 * i)));
}

void tc_embed_put32(tc_embed *e, unsigned table, uint32_t value) {
    tc_embed_put(e, &e->tables[table], value, 4);
}

void tc_embed_put8(tc_embed *e, unsigned table, unsigned value) {
    tc_embed_put(e, &e->tables[table], value, 1);
}

bool tc_embed_row(tc_embed *e, unsigned table) {
    bool room = e->counts[table] < TC_REC_MAX_ROWS;
    e->partial |= !room;
    e->counts[table] += room;
    return room;
}

uint32_t tc_embed_text(tc_embed *e, const char *s) {
    if (!s)
        return TC_REC_NONE;
    uint32_t known = (uint32_t)(uintptr_t)tc_strmap_get(&e->texts, s);
    if (known)
        return known - 1;
    tc_bytes *to = &e->tables[TC_REC_TABLE_TEXT];
    size_t n = strlen(s);
    if (to->len + n + 1 > TC_REC_MAX_SIZE / 2) {
        e->partial = true;
        return 0;
    }
    uint32_t at = (uint32_t)to->len;
    for (size_t i = 0; i <= n; i++)
        tc_push(e->arena, to, (uint8_t)s[i]);
    e->counts[TC_REC_TABLE_TEXT] = (uint32_t)to->len;
    tc_strmap_put(e->arena, &e->texts, s, (void *)(uintptr_t)(at + 1));
    return at;
}

// ---- parameters ----

static unsigned param_kind(const tc_type *t) {
    switch (t->kind) {
    case TC_TY_BOOL:
        return TC_REC_PARAM_BOOL;
    case TC_TY_INT:
        return TC_REC_PARAM_INTEGER;
    case TC_TY_FLOAT:
        return TC_REC_PARAM_FLOAT;
    case TC_TY_POINTER:
        return TC_REC_PARAM_POINTER;
    case TC_TY_STRUCT:
        return TC_REC_PARAM_STRUCT;
    case TC_TY_ARRAY:
        return TC_REC_PARAM_ARRAY;
    case TC_TY_FUNCTION:
        return TC_REC_PARAM_FUNCTION;
    case TC_TY_VOID:
    case TC_TY_OTHER:
        break;
    }
    return TC_REC_PARAM_OTHER;
}

// Where each parameter lies in the argument buffer: at its alignment (CUDA Driver API, cuLaunchKernel). Gives the buffer's bytes.
static uint64_t put_params(tc_embed *e, const tc_kernel *k) {
    uint64_t at = 0;
    for (size_t i = 0; i < k->nparams && tc_embed_row(e, TC_REC_TABLE_PARAM); i++) {
        const tc_param *p = &k->params[i];
        uint64_t align = p->type->align ? p->type->align : 1;
        at = (at + align - 1) / align * align;
        tc_embed_put32(e, TC_REC_TABLE_PARAM, tc_embed_text(e, p->name ? p->name : ""));
        tc_embed_put32(e, TC_REC_TABLE_PARAM, tc_embed_text(e, p->type->name ? p->type->name : ""));
        tc_embed_put32(e, TC_REC_TABLE_PARAM, (uint32_t)at);
        tc_embed_put32(e, TC_REC_TABLE_PARAM, (uint32_t)p->type->size);
        tc_embed_put32(e, TC_REC_TABLE_PARAM, (uint32_t)align);
        tc_embed_put32(e, TC_REC_TABLE_PARAM, param_kind(p->type));
        at += p->type->size;
    }
    return at;
}

static void put_scalars(tc_embed *e) {
    for (size_t i = 0; i < e->c->scalars.len && tc_embed_row(e, TC_REC_TABLE_SCALAR); i++) {
        const tc_scalar *s = &e->c->scalars.data[i];
        unsigned sign = s->type->kind == TC_TY_BOOL ? TC_REC_SCALAR_BOOL
                        : s->type->is_signed        ? TC_REC_SCALAR_SIGNED
                                                    : TC_REC_SCALAR_UNSIGNED;
        tc_embed_put32(e, TC_REC_TABLE_SCALAR, tc_embed_text(e, s->path));
        tc_embed_put32(e, TC_REC_TABLE_SCALAR, s->param);
        tc_embed_put32(e, TC_REC_TABLE_SCALAR, (uint32_t)s->offset);
        tc_embed_put32(e, TC_REC_TABLE_SCALAR, (uint32_t)s->type->size | sign << 8);
    }
}

// ---- borrows ----

// Variables are in the contract of every kernel of the file; a launch lends those that its kernel may touch.
static bool touches(const tc_kmodel *m, uint32_t object) {
    for (size_t i = 0; i < m->objects.len; i++)
        if (m->objects.data[i].contract == (int)object)
            return true;
    for (size_t i = 0; i < m->holes.len; i++)
        if (m->holes.data[i].effect & TC_HOLE_MEMORY && m->holes.data[i].nobjects == 0) // any of them
            return true;
    return false;
}

static bool is_borrowed(tc_embed *e, uint32_t object, const tc_kernel_result *r) {
    const tc_object_contract *o = &e->c->objects.data[object];
    if (o->param >= 0)
        return true;
    if (o->borrow == TC_BORROW_NONE)
        return false;
    if (tc_map_has(&e->c->contents, (uint64_t)object + 1)) // expressions speak of its elements
        return true;
    e->partial |= !r || !r->model; // nobody has looked at the code
    return r && r->model && touches(r->model, object);
}

static unsigned borrow_kind(tc_borrow b) {
    static const unsigned kinds[] = {
        [TC_BORROW_NONE] = TC_REC_BORROW_NONE, [TC_BORROW_SHARED] = TC_REC_BORROW_SHARED,
        [TC_BORROW_MUT] = TC_REC_BORROW_MUT,   [TC_BORROW_OUT] = TC_REC_BORROW_OUT,
        [TC_BORROW_ATOMIC] = TC_REC_BORROW_ATOMIC, [TC_BORROW_UNCHECKED] = TC_REC_BORROW_UNCHECKED};
    return kinds[b];
}

static unsigned element_kind(const tc_type *t) {
    if (!t)
        return TC_REC_ELEMENT_OTHER;
    return t->kind == TC_TY_BOOL    ? TC_REC_ELEMENT_BOOL
           : t->kind == TC_TY_FLOAT ? TC_REC_ELEMENT_FLOAT
           : t->kind != TC_TY_INT   ? TC_REC_ELEMENT_OTHER
           : t->is_signed           ? TC_REC_ELEMENT_SIGNED
                                    : TC_REC_ELEMENT_UNSIGNED;
}

uint32_t tc_embed_alignment(const tc_object_contract *o) {
    tc_i128 align = o->elem && o->elem->align ? (tc_i128)o->elem->align : 1;
    if (o->align && tc_is_const(o->align) && o->align->value > align)
        align = o->align->value;
    return align < TC_REC_NONE ? (uint32_t)align : 1u << 31;
}

static bool holds_pointer(const tc_unit *u, const tc_object_contract *o) {
    for (size_t i = 0; o->param < 0 && i < u->nvars; i++)
        if (strcmp(u->vars[i].mangled, o->var_mangled) == 0)
            return u->vars[i].type->kind == TC_TY_POINTER;
    return false;
}

// Which row an object has, before any expression speaks of it.
static void number_borrows(tc_embed *e, const tc_kernel_result *r) {
    uint32_t n = 0;
    e->borrows = TC_NEW_ARRAY(e->arena, uint32_t, e->c->objects.len);
    for (uint32_t i = 0; i < e->c->objects.len; i++)
        e->borrows[i] = is_borrowed(e, i, r) && n < TC_REC_MAX_ROWS ? n++ : TC_REC_NONE;
}

// SOUND: what has no row can carry no flag.
static bool has_rows(const tc_embed *e, const tc_waits *w) {
    for (size_t i = 0; i < e->c->objects.len; i++)
        if (w->early[i] && e->borrows[i] == TC_REC_NONE)
            return false;
    return true;
}

static uint32_t put_dims(tc_embed *e, const tc_object_contract *o) {
    uint32_t first = e->counts[TC_REC_TABLE_DIM];
    for (unsigned d = 0; d < o->ndims; d++) {
        uint32_t extent = tc_embed_term(e, o->shape[d]), stride = tc_embed_term(e, o->stride[d]);
        tc_embed_put32(e, TC_REC_TABLE_DIM, extent);
        tc_embed_put32(e, TC_REC_TABLE_DIM, stride);
        e->counts[TC_REC_TABLE_DIM]++;
    }
    return first;
}

static void put_borrow(tc_embed *e, const tc_unit *u, const tc_object_contract *o, bool early) {
    enum { T = TC_REC_TABLE_BORROW };
    bool room = e->counts[TC_REC_TABLE_DIM] + o->ndims <= TC_REC_MAX_ROWS;
    unsigned ndims = room ? o->ndims : 0;
    unsigned flags = (o->optional ? TC_REC_BORROW_OPTIONAL : 0u) | (o->is_restrict ? TC_REC_BORROW_RESTRICT : 0u) |
                     (o->explicit_stride ? TC_REC_BORROW_STRIDED : 0u) | (holds_pointer(u, o) ? TC_REC_BORROW_HOLDS_POINTER : 0u) |
                     (early ? TC_REC_BORROW_EARLY : 0u);
    tc_t lo, hi;
    bool has_span = room && tc_embed_span(e, o, &lo, &hi);
    e->partial |= !room;
    uint32_t dims = room ? put_dims(e, o) : 0, lo_expr = has_span ? tc_embed_term(e, lo) : TC_REC_NONE;
    uint32_t hi_expr = has_span ? tc_embed_term(e, hi) : TC_REC_NONE;
    tc_embed_put32(e, T, tc_embed_text(e, o->path));
    tc_embed_put32(e, T, o->param < 0 ? TC_REC_NONE : (uint32_t)o->param);
    tc_embed_put32(e, T, (uint32_t)o->offset);
    tc_embed_put32(e, T, o->param < 0 ? tc_embed_text(e, o->var_mangled) : TC_REC_NONE);
    tc_embed_put32(e, T, o->elem ? (uint32_t)o->elem->size : 0);
    tc_embed_put32(e, T, tc_embed_alignment(o));
    tc_embed_put32(e, T, dims);
    tc_embed_put8(e, T, ndims);
    tc_embed_put8(e, T, borrow_kind(o->borrow));
    tc_embed_put8(e, T, flags);
    tc_embed_put8(e, T, element_kind(o->elem));
    tc_embed_put32(e, T, tc_embed_text(e, o->unchecked_why));
    tc_embed_put32(e, T, o->loc.line);
    tc_embed_put32(e, T, lo_expr);
    tc_embed_put32(e, T, hi_expr);
    e->counts[T]++;
}

static void put_pair(tc_embed *e, uint32_t a, uint32_t b, unsigned kind) {
    if (e->borrows[a] == TC_REC_NONE || e->borrows[b] == TC_REC_NONE || !tc_embed_row(e, TC_REC_TABLE_PAIR))
        return;
    tc_embed_put32(e, TC_REC_TABLE_PAIR, e->borrows[a]);
    tc_embed_put32(e, TC_REC_TABLE_PAIR, e->borrows[b]);
    tc_embed_put32(e, TC_REC_TABLE_PAIR, kind);
}

static void put_pairs(tc_embed *e) {
    const tc_contract *c = e->c;
    for (uint32_t i = 0; i < c->objects.len; i++)
        for (uint32_t k = 0; c->objects.data[i].inplace && k < c->objects.len; k++)
            if (strcmp(c->objects.data[k].path, c->objects.data[i].inplace) == 0)
                put_pair(e, i, k, TC_REC_PAIR_INPLACE);
    for (size_t i = 0; i + 1 < c->may_alias.len; i += 2)
        put_pair(e, c->may_alias.data[i], c->may_alias.data[i + 1], TC_REC_PAIR_MAY_ALIAS);
    for (size_t i = 0; i + 1 < c->distinct.len; i += 2)
        put_pair(e, c->distinct.data[i], c->distinct.data[i + 1], TC_REC_PAIR_DISTINCT);
}

static void put_contract(tc_embed *e, const tc_unit *u, const tc_options *o, const tc_kernel_result *r, tc_waits *w) {
    const tc_contract *c = e->c;
    number_borrows(e, r);
    w->first = w->first && has_rows(e, w);
    put_scalars(e);
    for (size_t i = 0; i < c->objects.len; i++)
        if (e->borrows[i] != TC_REC_NONE)
            put_borrow(e, u, &c->objects.data[i], w->first && w->early[i]);
    put_pairs(e);
    tc_embed_conditions(e, o, r);
    tc_embed_facts(e);
}

// ---- the record ----

static unsigned verdict_of(const tc_kernel_result *r) {
    static const unsigned verdicts[] = {[TC_PROVED] = TC_REC_VERDICT_PROVED,
                                        [TC_PROVED_IF] = TC_REC_VERDICT_PROVED_IF,
                                        [TC_UNKNOWN] = TC_REC_VERDICT_UNKNOWN,
                                        [TC_VIOLATED] = TC_REC_VERDICT_VIOLATED};
    return r ? verdicts[r->verdict] : TC_REC_VERDICT_NOT_CHECKED;
}

static const uint32_t row_sizes[] = {
#define X(name, bytes) bytes,
    TC_REC_TABLES(X)
#undef X
};

static void put_header(tc_embed *e, tc_bytes *to, const tc_unit *u, const tc_kernel *k, unsigned verdict, unsigned flags, uint64_t arguments) {
    uint32_t mangled = tc_embed_text(e, k->mangled), name = tc_embed_text(e, k->name);
    uint32_t file = tc_embed_text(e, k->loc.file < u->nfiles ? u->files[k->loc.file] : "");
    tc_bytes *text = &e->tables[TC_REC_TABLE_TEXT];
    size_t size = TC_REC_HEADER_SIZE;
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++)
        size += e->tables[i].len;
    for (; size % 8 != 0; size++)
        tc_push(e->arena, text, 0);
    e->counts[TC_REC_TABLE_TEXT] = (uint32_t)text->len;

    for (size_t i = 0; i < 8; i++)
        tc_embed_put(e, to, (uint8_t)TC_REC_MAGIC[i], 1);
    tc_embed_put(e, to, TC_REC_MAJOR, 2);
    tc_embed_put(e, to, TC_REC_MINOR, 2);
    const uint32_t words[] = {(uint32_t)size, TC_REC_HEADER_SIZE, TC_REC_TABLE_COUNT, mangled, name, file, k->loc.line,
                              verdict | flags << 8, (uint32_t)arguments, (uint32_t)k->max_threads};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        tc_embed_put(e, to, words[i], 4);
    bool known = k->cluster[0] || k->cluster[1] || k->cluster[2];
    for (int d = 0; d < 3; d++)
        tc_embed_put(e, to, known && k->cluster[d] == 0 ? 1 : k->cluster[d], 4);
    uint64_t at = TC_REC_HEADER_SIZE;
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++) {
        // TEXT comes last, so that it can be padded.
        uint64_t where = i == TC_REC_TABLE_TEXT ? size - text->len : at;
        tc_embed_put(e, to, where, 4);
        tc_embed_put(e, to, e->counts[i], 4);
        tc_embed_put(e, to, row_sizes[i], 4);
        at += i == TC_REC_TABLE_TEXT ? 0 : e->tables[i].len;
    }
    for (int i = 0; i < 4; i++) // the code: made after the check, tc_embedded_bind_code
        tc_embed_put(e, to, 0, 4);
}

static void append(tc_arena *a, tc_bytes *to, const tc_bytes *from) {
    for (size_t i = 0; i < from->len; i++)
        tc_push(a, to, from->data[i]);
}

// gABI, "Note Section". The name with its 0 has 10 bytes, so that the record begins at 24 under either padding.
static void put_note(tc_embed *e, tc_bytes *to, const tc_bytes *record) {
    static const char name[12] = TC_REC_NOTE_NAME;
    tc_embed_put(e, to, sizeof TC_REC_NOTE_NAME, 4);
    tc_embed_put(e, to, record->len, 4);
    tc_embed_put(e, to, TC_REC_NOTE_TYPE, 4);
    for (size_t i = 0; i < sizeof name; i++)
        tc_embed_put(e, to, (uint8_t)name[i], 1);
    append(e->arena, to, record);
}

void tc_embed_kernel(tc_arena *a, const tc_unit *u, const tc_options *o, const tc_kernel *k, const tc_contract *c, bool complete,
                     const tc_kernel_result *r, tc_bytes *out) {
    tc_embed e = {.arena = a, .c = c};
    tc_bytes record = {0};
    tc_embed_text(&e, ""); // at 0: what is left out for its length is the empty text
    uint64_t arguments = put_params(&e, k);
    bool looked = r && c && complete && r->model && r->model->contract == c;
    tc_waits waits = looked ? tc_waits_of(a, r->model) : (tc_waits){0};
    if (c)
        put_contract(&e, u, o, r, &waits);
    bool known = k->cluster[0] || k->cluster[1] || k->cluster[2];
    bool assumes = r && (r->assumptions.len > 0 || o->lockstep > 1 || o->same_value);
    unsigned flags = (!complete || !c || e.partial ? TC_REC_PARTIAL : 0u) | (o->rules ? TC_REC_SOME_RULES : 0u) |
                     (known ? TC_REC_CLUSTER_KNOWN : 0u) | (assumes ? TC_REC_ASSUMES : 0u) |
                     (looked ? TC_REC_WAITS_KNOWN : 0u) | (waits.first ? TC_REC_WAITS : 0u);
    put_header(&e, &record, u, k, verdict_of(r), flags, arguments);
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++)
        if (i != TC_REC_TABLE_TEXT)
            append(a, &record, &e.tables[i]);
    append(a, &record, &e.tables[TC_REC_TABLE_TEXT]);
    put_note(&e, out, &record);
}

void tc_embed_unit(tc_arena *a, const tc_unit *u, const tc_options *o, tc_bytes *out) {
    for (size_t i = 0; i < u->nkernels; i++) {
        tc_contract contract = {0};
        tc_findings findings = {0}; // the device's pass tells them
        const tc_kernel *k = &u->kernels[i];
        tc_status status = tc_contract_make(a, tc_terms_new(a), u, k, o, &contract, &findings);
        if (contract.annotated && k->has_body)
            tc_embed_kernel(a, u, o, k, &contract, status == TC_OK, NULL, out);
    }
}

// ---- as C ----

const char *tc_embed_c_text(tc_arena *a, const tc_bytes *notes, const char *file) {
    tc_text t = {.arena = a};
    tc_put(&t, "/* Contracts of the kernels of ");
    for (const char *s = file; *s; s++)
        tc_putc(&t, *s == '*' || *s == '\\' || *s == '\n' ? '?' : *s); // nothing ends the comment
    tc_put(&t, ", written by tilecheck: compile and link with the program. */\n");
    if (notes->len == 0)
        return tc_text_str(&t);
    tc_putf(&t,
            "__attribute__((section(\"" TC_REC_SECTION "\"), used, aligned(4)))\n"
            "static const unsigned char tilecheck_contracts[%zu] = {",
            notes->len);
    for (size_t i = 0; i < notes->len; i++)
        tc_putf(&t, "%s%u,", i % 24 ? "" : "\n    ", notes->data[i]);
    tc_put(&t, "\n};\n");
    return tc_text_str(&t);
}
