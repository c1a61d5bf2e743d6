// Local memory: a persistent map from cells to values, and local variables as sets of cells.
//
// A cell is a piece (offset, width) of one local variable. NULL in the map: not written since the variable's life began.
// Writing a cell makes the cells that overlap it `covered`: their bytes were written, through another cell.
#include "checker/host.h"
#include "checker/lift.h"

enum { BITS = 4, FAN = 1 << BITS, LEVELS = 5, MAX_PIECES = 64, MAX_CELLS = 1 << 14 };

typedef struct tc_trie {
    uint64_t edit;
    const void *slot[FAN];
} tc_trie;

// What the map holds for a covered cell.
static const tc_val covered_value = {.kind = TC_V_ANY};

static bool is_covered(const tc_val *v) { return v == &covered_value; }

bool tc_val_is_covered(const tc_val *v) { return is_covered(v); }

// ---- the persistent map ----

static tc_trie *own(tc_lift *L, const tc_trie *n, uint64_t edit) {
    if (n != NULL && n->edit == edit)
        return (tc_trie *)(uintptr_t)n;
    tc_trie *c = TC_NEW(L->arena, tc_trie);
    if (n != NULL)
        *c = *n;
    c->edit = edit;
    return c;
}

void tc_state_set(tc_lift *L, tc_state *s, uint32_t cell, const tc_val *v) {
    tc_trie *n = own(L, s->root, s->edit);
    s->root = n;
    for (unsigned level = LEVELS; --level > 0;) {
        unsigned i = (cell >> (level * BITS)) & (FAN - 1);
        tc_trie *c = own(L, n->slot[i], s->edit);
        n->slot[i] = c;
        n = c;
    }
    n->slot[cell & (FAN - 1)] = v;
}

const tc_val *tc_state_get(const tc_state *s, uint32_t cell) {
    const tc_trie *n = s->root;
    for (unsigned level = LEVELS; n != NULL && --level > 0;)
        n = n->slot[(cell >> (level * BITS)) & (FAN - 1)];
    return n == NULL ? NULL : n->slot[cell & (FAN - 1)];
}

tc_state tc_state_fork(tc_lift *L, tc_state *s) {
    s->edit = ++L->edits;
    return (tc_state){s->root, ++L->edits};
}

tc_flow tc_flow_fork(tc_lift *L, tc_flow *f, tc_t cond) {
    return (tc_flow){tc_and(L->ts, f->guard, cond), tc_state_fork(L, &f->state)};
}

typedef void (*tc_diff_fn)(void *ctx, uint32_t cell, const tc_val *a, const tc_val *b);

static void diff(const tc_trie *a, const tc_trie *b, unsigned level, uint32_t base, tc_diff_fn fn, void *ctx) {
    if (a == b)
        return;
    for (uint32_t i = 0; i < FAN; i++) {
        const void *x = a == NULL ? NULL : a->slot[i], *y = b == NULL ? NULL : b->slot[i];
        if (x == y)
            continue;
        uint32_t at = (base << BITS) | i;
        if (level == 0)
            fn(ctx, at, x, y);
        else
            diff(x, y, level - 1, at, fn, ctx);
    }
}

void tc_state_diff(tc_state a, tc_state b, tc_diff_fn fn, void *ctx) {
    diff(a.root, b.root, LEVELS - 1, 0, fn, ctx);
}

// ---- merging ----

tc_t tc_flow_distinguish(tc_lift *L, tc_t a, tc_t b) {
    // SOUND: the two paths exclude each other, so what a has beyond the common conjuncts is false on b's path.
    tc_t x = tc_lift_strip(L, a, b), y = tc_lift_strip(L, b, a);
    if (tc_is_true(x) || (y->op != TC_T_AND && x->op == TC_T_AND))
        return tc_not(L->ts, y);
    return x;
}

typedef struct tc_merge {
    tc_lift *lift;
    tc_state a, b, out;
    tc_t cond; // a's path was taken
} tc_merge;

static LLVMTypeRef type_like(tc_lift *L, const tc_val *v, uint64_t width);

static const tc_val *uninit_of(tc_lift *L, tc_cell *c, const tc_val *like) {
    tc_val *u = TC_NEW(L->arena, tc_val);
    *u = *like;
    u->undef = L->tt;
    if (like->kind == TC_V_INT && like->width > 1 && like->width == c->width * 8)
        u->term = tc_cell_uninit(L, c);
    else if (like->kind != TC_V_FLOAT && like->kind != TC_V_PTR)
        u->kind = TC_V_ANY;
    return u;
}

static bool overlaps(const tc_cell *c, uint64_t offset, uint64_t width) {
    return c->offset < offset + width && offset < c->offset + c->width;
}

static bool is_filled(const tc_state *s, const tc_local *l, uint64_t offset, uint64_t width) {
    uint64_t filled = 0;
    for (size_t i = 0; i < l->cells.len; i++) {
        const tc_cell *c = l->cells.data[i];
        const tc_val *v = tc_state_get(s, c->index);
        if (v == NULL || is_covered(v) || !tc_is_false(v->undef) || !overlaps(c, offset, width))
            continue;
        uint64_t from = c->offset > offset ? c->offset : offset;
        uint64_t to = c->offset + c->width < offset + width ? c->offset + c->width : offset + width;
        filled += to - from;
    }
    return filled >= width;
}

const tc_val *tc_local_other_bytes(tc_lift *L, const tc_state *s, const tc_cell *c) {
    // SOUND: some value.
    bool filled = c->local->param >= 0 || is_filled(s, c->local, c->offset, c->width);
    return filled ? tc_val_any(L) : tc_val_with_undef(L, tc_val_any(L), L->tt);
}

// What a cell's bytes are on the path of s, where they were not written through this cell.
static const tc_val *written_otherwise(tc_lift *L, const tc_state *s, tc_cell *c, const tc_val *v, const tc_val *like) {
    if (c->local == NULL)
        return uninit_of(L, c, like);
    if (v == NULL && !is_filled(s, c->local, c->offset, c->width)) {
        if (c->local->param < 0)
            return uninit_of(L, c, like);
        if (like->kind != TC_V_BYTES && like->kind != TC_V_ANY && like->kind != TC_V_AGG)
            return tc_lift_param(L, (uint32_t)c->local->param, c->offset, type_like(L, like, c->width));
    }
    return tc_local_other_bytes(L, s, c);
}

static void merge_cell(void *ctx, uint32_t cell, const tc_val *a, const tc_val *b) {
    tc_merge *m = ctx;
    tc_lift *L = m->lift;
    tc_cell *c = L->cells.data[cell];
    bool in_a = a != NULL && !is_covered(a), in_b = b != NULL && !is_covered(b);
    const tc_val *r = &covered_value; // written through other cells, if at all
    if (in_a || in_b) {
        if (!in_a)
            a = written_otherwise(L, &m->a, c, a, b);
        if (!in_b)
            b = written_otherwise(L, &m->b, c, b, a);
        r = tc_val_choose(L, m->cond, a, b, c->phi);
    }
    tc_state_set(L, &m->out, cell, r);
}

tc_flow tc_flow_merge(tc_lift *L, const tc_edge *edges, size_t n) {
    // From the last edge to the first: a chain of tests folds up the way it was taken apart.
    tc_flow acc = edges[n - 1].flow;
    for (size_t i = n - 1; i-- > 0;) {
        const tc_flow *f = &edges[i].flow;
        if (tc_is_false(f->guard))
            continue;
        if (tc_is_false(acc.guard)) {
            acc = *f;
            continue;
        }
        tc_merge m = {L, acc.state, f->state, {f->state.root, ++L->edits}, NULL};
        if (acc.state.root != f->state.root) {
            m.cond = tc_flow_distinguish(L, acc.guard, f->guard);
            tc_state_diff(acc.state, f->state, merge_cell, &m);
        }
        acc.state = m.out;
        acc.guard = tc_or(L->ts, acc.guard, f->guard);
    }
    acc.state.edit = ++L->edits;
    return acc;
}

// ---- cells ----

static tc_cell *new_cell(tc_lift *L) {
    tc_cell *c = TC_NEW(L->arena, tc_cell);
    c->index = (uint32_t)L->cells.len;
    tc_push(L->arena, &L->cells, c);
    return c;
}

tc_local *tc_local_new(tc_lift *L, LLVMValueRef value, LLVMTypeRef type, uint64_t size, int param) {
    uint64_t key = tc_hash_mix(TC_KEY(value), 0x10ca1);
    tc_local *l = tc_map_get(&L->node->things, key);
    if (l != NULL)
        return l;
    l = TC_NEW(L->arena, tc_local);
    l->value = value;
    l->type = type;
    l->size = size;
    l->param = param;
    l->object = TC_NONE;
    l->node = L->node;
    l->demoted = tc_map_has(&L->choices->demoted, TC_KEY(value));
    l->place = (uint32_t)L->places.len;
    tc_push(L->arena, &L->places, ((tc_place){TC_PL_LOCAL, TC_NONE, l, NULL, NULL}));
    tc_map_put(L->arena, &L->node->things, key, l);
    return l;
}

tc_cell *tc_cell_of(tc_lift *L, tc_local *l, uint64_t offset, uint64_t width) {
    for (size_t i = 0; i < l->cells.len; i++)
        if (l->cells.data[i]->offset == offset && l->cells.data[i]->width == width)
            return l->cells.data[i];
    tc_cell *c = new_cell(L);
    c->local = l;
    c->offset = offset;
    c->width = width;
    tc_push(L->arena, &l->cells, c);
    return c;
}

tc_cell *tc_cell_phi(tc_lift *L, LLVMValueRef phi) {
    uint64_t key = tc_hash_mix(TC_KEY(phi), 0xf1);
    tc_cell *c = tc_map_get(&L->node->things, key);
    if (c == NULL) {
        c = new_cell(L);
        c->phi = LLVMTypeOf(phi);
        c->width = tc_lift_type_size(L, c->phi);
        tc_map_put(L->arena, &L->node->things, key, c);
    }
    return c;
}

tc_t tc_cell_uninit(tc_lift *L, tc_cell *c) {
    if (c->uninit == NULL) {
        size_t n = 0;
        const char *name = c->local == NULL || c->local->value == NULL ? NULL : LLVMGetValueName2(c->local->value, &n);
        name = n == 0 ? "uninitialised" : tc_strndup(L->arena, name, n);
        tc_sym *s = tc_sym_new(L->ts, name, TC_SYM_UNINIT, TC_VAR_ACCESS, TC_INT);
        unsigned bits = (unsigned)c->width * 8;
        if (bits >= 1 && bits <= 64) {
            s->has_lo = s->has_hi = true;
            s->lo = -tc_pow2(bits - 1);
            s->hi = tc_pow2(bits - 1) - 1;
        }
        tc_map_put(L->arena, &L->born, TC_KEY(s), L->node);
        c->uninit = tc_of_sym(L->ts, s);
    }
    return c->uninit;
}

static bool inside(const tc_cell *c, uint64_t offset, uint64_t width) {
    return c->offset <= offset && offset + width <= c->offset + c->width;
}

// ---- reading ----

bool tc_local_is_written(const tc_flow *f, const tc_local *l, uint64_t offset, uint64_t width) {
    for (size_t i = 0; i < l->cells.len; i++)
        if (overlaps(l->cells.data[i], offset, width) && tc_state_get(&f->state, l->cells.data[i]->index) != NULL)
            return true;
    return false;
}

// A piece of a kernel parameter at launch; bits 0: a pointer.
static const tc_val *param_piece(tc_lift *L, uint32_t param, uint64_t offset, unsigned bits) {
    if (bits == 0)
        return tc_val_ptr(L, tc_place_object(L, tc_object_param(L, param, offset)), tc_int(L->ts, 0));
    const tc_scalar *s = tc_contract_scalar(L->contract, param, offset);
    if (s != NULL && s->term->sort == TC_INT && s->type->size * 8 == (bits < 8 ? 8 : bits))
        return bits == 1 ? tc_val_bool(L, tc_ne(L->ts, s->term, tc_int(L->ts, 0))) : tc_val_int(L, bits, s->term);
    if (s != NULL && s->term->sort == TC_BOOL && bits <= 8)
        return bits == 1 ? tc_val_bool(L, s->term)
                         : tc_val_int(L, bits, tc_ite(L->ts, s->term, tc_int(L->ts, 1), tc_int(L->ts, 0)));
    // One value for the launch, though nobody named it.
    LLVMValueRef inst = L->inst;
    tc_node *node = L->node;
    L->inst = NULL;
    L->node = L->root;
    bool fresh;
    tc_sym *sym = tc_lift_sym(L, "parameter", TC_SYM_UNKNOWN, bits == 1 ? TC_BOOL : TC_INT,
                              tc_hash_mix(param + 1, offset * 128 + bits), &fresh);
    if (fresh) {
        sym->variance = TC_VAR_LAUNCH;
        if (bits > 1) {
            sym->has_lo = sym->has_hi = true;
            sym->lo = -tc_pow2(bits - 1);
            sym->hi = tc_pow2(bits - 1) - 1;
        }
    }
    L->inst = inst;
    L->node = node;
    return tc_val_int(L, bits, tc_of_sym(L->ts, sym));
}

// One value for the launch.
static const tc_val *float_param(tc_lift *L, uint32_t param, uint64_t offset) {
    uint64_t key = tc_hash_mix(tc_hash_mix(0xf10a7, param), offset);
    tc_t bits = tc_map_get(&L->root->things, key);
    if (bits == NULL) {
        bits = tc_of_sym(L->ts, tc_sym_new(L->ts, "parameter", TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_INT));
        tc_map_put(L->arena, &L->root->things, key, (void *)(uintptr_t)bits);
    }
    return tc_val_with_bits(L, tc_val_float(L, L->ff), bits);
}

const tc_val *tc_lift_param(tc_lift *L, uint32_t param, uint64_t offset, LLVMTypeRef type) {
    unsigned bits;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return param_piece(L, param, offset, 0);
    if (!tc_lift_type_bits(L, type, &bits))
        return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? tc_val_unknown(L, type, "parameter", offset)
                                                           : float_param(L, param, offset);
    return param_piece(L, param, offset, bits);
}

static const tc_val *uninit_value(tc_lift *L, tc_flow *f, tc_cell *c, LLVMTypeRef type) {
    unsigned bits;
    if (!tc_lift_type_bits(L, type, &bits)) {
        if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
            return tc_val_float(L, L->tt);
        tc_t u = tc_cell_uninit(L, c);
        tc_record_check(L, f, TC_CK_UNINIT, L->ff, u, "uninitialised pointer", L->inst);
        return tc_val_ptr(L, tc_place_unknown(L), u);
    }
    tc_t u = tc_cell_uninit(L, c);
    tc_record_check(L, f, TC_CK_UNINIT, L->ff, u, "uninitialised value", L->inst);
    return bits == 1 ? tc_val_bool(L, tc_ne(L->ts, tc_mod(L->ts, u, tc_int(L->ts, 2)), tc_int(L->ts, 0)))
                     : tc_val_int(L, bits, u);
}

// A pointer whose offsets are anything where it was not written.
static const tc_val *maybe_uninit_ptr(tc_lift *L, const tc_val *v, tc_t undef, tc_t uninit) {
    tc_alt *alts = TC_NEW_ARRAY(L->arena, tc_alt, v->nalts + 1);
    for (size_t i = 0; i < v->nalts; i++) {
        alts[i] = v->alts[i];
        alts[i].offset = tc_ite(L->ts, undef, uninit, alts[i].offset);
    }
    return tc_val_alts(L, alts, v->nalts);
}

// The value found in a cell, read as type from the point of the guard: delta bytes into the cell.
static const tc_val *seen_as(tc_lift *L, tc_flow *f, tc_cell *c, const tc_val *v, LLVMTypeRef type, uint64_t delta) {
    tc_t undef = tc_lift_under(L, f->guard, v->undef);
    tc_val *r = TC_NEW(L->arena, tc_val);
    *r = *v;
    r->undef = L->ff;
    if (v->kind == TC_V_INT)
        r->term = tc_lift_under(L, f->guard, v->term);
    const tc_val *out = tc_val_as(L, r, type, delta);
    if (tc_is_false(undef))
        return out;
    if (out->kind != TC_V_INT && out->kind != TC_V_PTR)
        return tc_val_with_undef(L, out, undef);
    tc_flow g = {tc_and(L->ts, f->guard, undef), f->state};
    tc_t uninit = tc_cell_uninit(L, c);
    bool pointer = out->kind == TC_V_PTR;
    tc_record_check(L, &g, TC_CK_UNINIT, L->ff, uninit, pointer ? "uninitialised pointer" : "uninitialised value",
                    L->inst);
    if (pointer)
        return maybe_uninit_ptr(L, out, undef, uninit);
    // An integer's term has the symbol already.
    if (v->kind == TC_V_INT || out->width == 1)
        return out;
    return tc_val_int(L, out->width, tc_ite(L->ts, undef, uninit, out->term));
}

static bool leaf_type(LLVMTypeRef type) {
    LLVMTypeKind k = LLVMGetTypeKind(type);
    return k != LLVMStructTypeKind && k != LLVMArrayTypeKind && k != LLVMVectorTypeKind;
}

// Part of an integer that was written wider.
static const tc_val *part_of(tc_lift *L, const tc_val *v, uint64_t at, unsigned bits) {
    tc_t t = tc_div(L->ts, v->term, tc_int(L->ts, tc_pow2((unsigned)at * 8)));
    return bits == 1 ? tc_val_bool(L, tc_ne(L->ts, tc_mod(L->ts, t, tc_int(L->ts, 2)), tc_int(L->ts, 0)))
                     : tc_val_int(L, bits, t);
}

// Several integers read as one; NULL when the pieces do not tile it.
static const tc_val *joined(tc_lift *L, const tc_state *s, tc_local *l, uint64_t offset, uint64_t width,
                            unsigned bits) {
    tc_t sum = tc_int(L->ts, 0);
    for (uint64_t at = 0; at < width;) {
        tc_cell *found = NULL;
        const tc_val *v = NULL;
        for (size_t i = 0; i < l->cells.len && found == NULL; i++) {
            tc_cell *c = l->cells.data[i];
            v = tc_state_get(s, c->index);
            if (c->offset == offset + at && v != NULL && !is_covered(v))
                found = c;
        }
        if (found == NULL || v->kind != TC_V_INT || v->width < 8 || !tc_is_false(v->undef) ||
            at + found->width > width)
            return NULL;
        tc_t low = tc_mod(L->ts, v->term, tc_int(L->ts, tc_pow2(v->width)));
        sum = tc_add(L->ts, sum, tc_mulc(L->ts, low, tc_pow2((unsigned)at * 8)));
        at += found->width;
    }
    return tc_val_int(L, bits, sum);
}

static const tc_val *load_pieces(tc_lift *L, tc_flow *f, tc_local *l, uint64_t offset, uint64_t width,
                                 LLVMTypeRef type) {
    unsigned bits;
    size_t found = 0;
    tc_cell *only = NULL;
    bool some_covered = false;
    for (size_t i = 0; i < l->cells.len; i++) {
        tc_cell *c = l->cells.data[i];
        const tc_val *v = tc_state_get(&f->state, c->index);
        if (v == NULL || !overlaps(c, offset, width))
            continue;
        if (is_covered(v)) {
            some_covered = true;
            continue;
        }
        found++;
        only = c;
    }
    if (found == 0 && !some_covered) {
        if (l->param >= 0)
            return tc_lift_param(L, (uint32_t)l->param, offset, type);
        return uninit_value(L, f, tc_cell_of(L, l, offset, width), type);
    }
    if (found == 1 && inside(only, offset, width)) {
        const tc_val *v = tc_state_get(&f->state, only->index);
        if (v->kind == TC_V_BYTES || v->kind == TC_V_ANY)
            return seen_as(L, f, only, v, type, offset - only->offset);
        if (v->kind == TC_V_INT && v->width >= 8 && tc_lift_type_bits(L, type, &bits) && bits < v->width) {
            LLVMTypeRef whole = LLVMIntTypeInContext(LLVMGetModuleContext(L->module), v->width);
            return part_of(L, seen_as(L, f, only, v, whole, 0), offset - only->offset, bits);
        }
    }
    if (tc_lift_type_bits(L, type, &bits)) {
        const tc_val *v = joined(L, &f->state, l, offset, width, bits);
        if (v != NULL)
            return v;
    }
    // SOUND: an unknown value, and one that may be uninitialised when the pieces may not cover it.
    uint64_t sum = 0;
    for (size_t i = 0; i < l->cells.len; i++) {
        tc_cell *c = l->cells.data[i];
        const tc_val *v = tc_state_get(&f->state, c->index);
        if (v != NULL && !is_covered(v) && tc_is_false(v->undef) && c->offset >= offset &&
            c->offset + c->width <= offset + width)
            sum += c->width;
    }
    bool part = found == 1 && inside(only, offset, width) && tc_is_false(tc_state_get(&f->state, only->index)->undef);
    if (sum >= width || l->param >= 0 || part)
        return tc_val_unknown(L, type, "local", offset);
    return uninit_value(L, f, tc_cell_of(L, l, offset, width), type);
}

static const tc_val *load_leaf(tc_lift *L, tc_flow *f, tc_local *l, uint64_t offset, LLVMTypeRef type) {
    uint64_t width = tc_lift_type_size(L, type);
    if (width == 0 || offset + width > l->size || l->cells.len > MAX_CELLS)
        return tc_val_unknown(L, type, "local", offset);
    for (size_t i = 0; i < l->cells.len; i++) {
        tc_cell *c = l->cells.data[i];
        if (c->offset != offset || c->width != width)
            continue;
        const tc_val *v = tc_state_get(&f->state, c->index);
        if (v == NULL || is_covered(v))
            break;
        return seen_as(L, f, c, v, type, 0);
    }
    return load_pieces(L, f, l, offset, width, type);
}

// UNSOUND: bytes that were stored through another type are read as they are, which C++ leaves undefined (strict aliasing): see the limits
// in docs/model.md.
const tc_val *tc_local_load(tc_lift *L, tc_flow *f, tc_local *l, uint64_t offset, LLVMTypeRef type) {
    if (leaf_type(type))
        return load_leaf(L, f, l, offset, type);
    LLVMTypeKind k = LLVMGetTypeKind(type);
    size_t n = k == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
               : k == LLVMArrayTypeKind ? (size_t)LLVMGetArrayLength2(type)
                                        : LLVMGetVectorSize(type);
    if (n > MAX_PIECES)
        return tc_val_any(L);
    const tc_val *elems[MAX_PIECES];
    for (size_t i = 0; i < n; i++) {
        LLVMTypeRef t = k == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, (unsigned)i) : LLVMGetElementType(type);
        uint64_t at = k == LLVMStructTypeKind ? LLVMOffsetOfElement(L->layout, type, (unsigned)i)
                                              : i * tc_lift_type_size(L, t);
        elems[i] = tc_local_load(L, f, l, offset + at, t);
    }
    return tc_val_agg(L, elems, n);
}

// ---- writing ----

static LLVMTypeRef type_like(tc_lift *L, const tc_val *v, uint64_t width) {
    LLVMContextRef c = LLVMGetModuleContext(L->module);
    if (v->kind == TC_V_INT)
        return LLVMIntTypeInContext(c, v->width);
    if (v->kind == TC_V_PTR)
        return LLVMPointerTypeInContext(c, 0);
    return width == 8 ? LLVMDoubleTypeInContext(c) : width == 4 ? LLVMFloatTypeInContext(c) : LLVMHalfTypeInContext(c);
}

// The bytes of old outside [offset, offset + width) stay what they are.
static void keep_rest(tc_lift *L, tc_flow *f, tc_cell *old, const tc_val *v, uint64_t offset, uint64_t width) {
    bool bytes = v->kind == TC_V_BYTES || v->kind == TC_V_ANY;
    if (old->offset < offset) {
        tc_cell *c = tc_cell_of(L, old->local, old->offset, offset - old->offset);
        tc_state_set(L, &f->state, c->index, bytes ? v : tc_val_with_undef(L, tc_val_any(L), v->undef));
    }
    uint64_t end = offset + width, old_end = old->offset + old->width;
    if (old_end > end) {
        tc_cell *c = tc_cell_of(L, old->local, end, old_end - end);
        tc_state_set(L, &f->state, c->index,
                     bytes ? tc_val_slice(L, v, end - old->offset) : tc_val_with_undef(L, tc_val_any(L), v->undef));
    }
}

static void cover_others(tc_lift *L, tc_flow *f, tc_cell *keep) {
    tc_local *l = keep->local;
    size_t n = l->cells.len;
    for (size_t i = 0; i < n; i++) {
        tc_cell *c = l->cells.data[i];
        if (c == keep || !overlaps(c, keep->offset, keep->width))
            continue;
        const tc_val *old = tc_state_get(&f->state, c->index);
        if (old == NULL || is_covered(old))
            continue;
        tc_state_set(L, &f->state, c->index, &covered_value);
        keep_rest(L, f, c, old, keep->offset, keep->width);
    }
}

static void store_leaf(tc_lift *L, tc_flow *f, tc_t cond, tc_local *l, uint64_t offset, uint64_t width,
                       const tc_val *v) {
    if (width == 0 || offset + width > l->size || l->cells.len > MAX_CELLS) {
        tc_local_forget(L, f, l);
        return;
    }
    tc_cell *c = tc_cell_of(L, l, offset, width);
    if (!tc_is_true(cond)) {
        const tc_val *old = tc_state_get(&f->state, c->index);
        if (old == NULL && l->param < 0 && !tc_local_is_written(f, l, offset, width))
            old = uninit_of(L, c, v);
        else if ((old == NULL || is_covered(old)) && (v->kind == TC_V_BYTES || v->kind == TC_V_ANY))
            old = tc_val_any(L); // SOUND: some bytes
        else if (old == NULL || is_covered(old)) {
            L->dry++; // the old value is kept, not used
            old = load_leaf(L, f, l, offset, type_like(L, v, width));
            L->dry--;
        }
        v = tc_val_choose(L, cond, v, old, NULL);
    }
    cover_others(L, f, c);
    tc_state_set(L, &f->state, c->index, v);
}

static uint64_t value_bytes(const tc_val *v, uint64_t width, size_t n) {
    return v->kind == TC_V_INT ? (v->width + 7) / 8 : width / n;
}

void tc_local_store(tc_lift *L, tc_flow *f, tc_t cond, tc_local *l, uint64_t offset, uint64_t width, const tc_val *v) {
    if (v->kind != TC_V_AGG) {
        store_leaf(L, f, cond, l, offset, width, v);
        return;
    }
    // Elements of one size only (arrays and vectors); a struct's fields are stored one by one by the caller.
    if (v->nelems == 0 || width % v->nelems != 0) {
        store_leaf(L, f, cond, l, offset, width, tc_val_any(L));
        return;
    }
    for (size_t i = 0; i < v->nelems; i++)
        tc_local_store(L, f, cond, l, offset + i * (width / v->nelems), value_bytes(v->elems[i], width, v->nelems),
                       v->elems[i]);
}

void tc_local_reset(tc_lift *L, tc_flow *f, tc_local *l) {
    for (size_t i = 0; i < l->cells.len; i++)
        if (tc_state_get(&f->state, l->cells.data[i]->index) != NULL)
            tc_state_set(L, &f->state, l->cells.data[i]->index, NULL);
}

void tc_local_forget(tc_lift *L, tc_flow *f, tc_local *l) {
    if (L->host != NULL)
        tc_host_leak_cells(L, &f->state, l);
    tc_cell *whole = tc_cell_of(L, l, 0, l->size);
    for (size_t i = 0; i < l->cells.len; i++)
        if (tc_state_get(&f->state, l->cells.data[i]->index) != NULL)
            tc_state_set(L, &f->state, l->cells.data[i]->index, &covered_value);
    tc_state_set(L, &f->state, whole->index, tc_val_any(L));
}

// A demoted variable's cells have no values, they say what was written.
tc_t tc_local_unfilled(tc_lift *L, const tc_flow *f, tc_local *l, uint64_t offset, uint64_t width) {
    uint64_t written = 0;
    tc_t undef = L->ff;
    if (l->param >= 0)
        return L->ff;
    for (size_t i = 0; i < l->cells.len; i++) {
        const tc_cell *c = l->cells.data[i];
        const tc_val *v = tc_state_get(&f->state, c->index);
        if (v == NULL || is_covered(v) || !overlaps(c, offset, width))
            continue;
        uint64_t from = c->offset > offset ? c->offset : offset;
        uint64_t to = c->offset + c->width < offset + width ? c->offset + c->width : offset + width;
        written += to - from;
        undef = tc_or(L->ts, undef, v->undef);
    }
    return written < width ? L->tt : tc_lift_under(L, f->guard, undef);
}

void tc_local_set_filled(tc_lift *L, tc_flow *f, tc_local *l, uint64_t offset, uint64_t width) {
    if (!tc_is_false(tc_local_unfilled(L, f, l, offset, width)))
        store_leaf(L, f, L->tt, l, offset, width, tc_val_any(L));
}

// ---- copying ----

typedef struct tc_piece {
    uint64_t at, width;
    const tc_val *value;
} tc_piece;
typedef TC_VEC(tc_piece) tc_pieces;

// The integers and pointers of a parameter that nobody wrote since the launch; they become cells when they are first
// used, so a copy has to name them all.
static void param_pieces(tc_lift *L, const tc_flow *f, const tc_local *l, const tc_type *t, uint64_t offset,
                         uint64_t from, uint64_t width, tc_pieces *out) {
    if (offset + t->size <= from || offset >= from + width || out->len >= MAX_PIECES)
        return;
    if (t->kind == TC_TY_STRUCT) {
        for (size_t i = 0; i < t->nfields; i++)
            param_pieces(L, f, l, t->fields[i].type, offset + t->fields[i].offset, from, width, out);
    } else if (t->kind == TC_TY_ARRAY) {
        for (uint64_t i = 0; i < t->count && i < MAX_PIECES; i++)
            param_pieces(L, f, l, t->elem, offset + i * t->elem->size, from, width, out);
    } else if (t->kind == TC_TY_POINTER || ((t->kind == TC_TY_INT || t->kind == TC_TY_BOOL) && t->size <= 8)) {
        if (offset < from || offset + t->size > from + width || tc_local_is_written(f, l, offset, t->size))
            return;
        unsigned bits = t->kind == TC_TY_POINTER ? 0 : (unsigned)t->size * 8;
        tc_push(L->arena, out, ((tc_piece){offset - from, t->size, param_piece(L, (uint32_t)l->param, offset, bits)}));
    }
}

void tc_local_copy(tc_lift *L, tc_flow *f, tc_local *to, uint64_t to_offset, tc_local *from, uint64_t from_offset,
                   uint64_t width) {
    tc_pieces pieces = {0};
    bool whole = true;
    for (size_t i = 0; i < from->cells.len; i++) {
        tc_cell *c = from->cells.data[i];
        const tc_val *v = tc_state_get(&f->state, c->index);
        if (v == NULL || is_covered(v) || !overlaps(c, from_offset, width))
            continue;
        if (c->offset < from_offset || c->offset + c->width > from_offset + width)
            whole = false;
        else
            tc_push(L->arena, &pieces, ((tc_piece){c->offset - from_offset, c->width, v}));
    }
    if (L->host != NULL && !whole)
        tc_host_leak_cells(L, &f->state, from);
    const tc_kernel *k = L->contract->kernel;
    if (from->param >= 0 && k != NULL && (size_t)from->param < k->nparams)
        param_pieces(L, f, from, k->params[from->param].type, 0, from_offset, width, &pieces);
    if (from->param >= 0 || !whole) {
        store_leaf(L, f, L->tt, to, to_offset, width, tc_val_any(L));
    } else {
        for (size_t i = 0; i < to->cells.len; i++)
            if (overlaps(to->cells.data[i], to_offset, width))
                tc_state_set(L, &f->state, to->cells.data[i]->index, NULL);
    }
    if (to == from && to_offset == from_offset)
        return;
    for (size_t i = 0; i < pieces.len; i++)
        store_leaf(L, f, L->tt, to, to_offset + pieces.data[i].at, pieces.data[i].width, pieces.data[i].value);
}
