// Concrete launches: values for a contract's symbols, sizes and alignments of buffers.
#include "checker/launch.h"

#include <stdio.h>
#include <string.h>

#define MAX_BYTES (UINT64_C(1) << 42) // of a buffer: what an address can tell from its neighbour's
#define OPEN_BYTES (UINT64_C(1) << 38) // of a buffer that nothing is said of: what any index of 32 bits reaches

// ---- evaluation ----

typedef struct env_ctx {
    tc_contract *c;
    const tc_launch *l;
    const uint32_t *block, *thread;
} env_ctx;

static bool axis_value(const tc_t *syms, const tc_sym *s, const uint32_t *values, tc_i128 *r) {
    for (int d = 0; d < 3; d++)
        if (syms[d] && syms[d]->sym == s) {
            if (values)
                *r = values[d];
            return values != NULL;
        }
    return false;
}

static bool sym_value(void *ctx, const tc_sym *s, tc_i128 *r) {
    const env_ctx *e = ctx;
    const tc_launch_syms *y = &e->c->syms;
    for (size_t i = 0; i < e->c->scalars.len; i++)
        if (e->c->scalars.data[i].term->sym == s) {
            *r = e->l->scalars[i];
            return true;
        }
    for (size_t i = 0; s->sort == TC_BOOL && i < e->c->objects.len; i++) {
        const tc_t nonnull = e->c->objects.data[i].nonnull;
        if (nonnull && nonnull->sym == s) {
            *r = !e->l->buffers[i].null;
            return true;
        }
    }
    for (size_t i = 0; i < e->c->functions.len; i++)
        if (e->c->functions.data[i].which->sym == s) {
            *r = e->l->functions[i];
            return e->l->functions[i] != TC_FUNCTION_UNSAID;
        }
    if (y->smem && y->smem->sym == s) {
        *r = (tc_i128)e->l->smem;
        return true;
    }
    return axis_value(y->block_dim, s, e->l->block, r) || axis_value(y->grid_dim, s, e->l->grid, r) ||
           axis_value(y->block_idx, s, e->block, r) || axis_value(y->thread_idx, s, e->thread, r);
}

static bool is_index_object(const tc_object_contract *o) {
    return o->elem && (o->elem->kind == TC_TY_INT || o->elem->kind == TC_TY_BOOL) && o->elem->size <= 8;
}

// The value of an application: what is stored in an index array.
static bool app_value(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    const env_ctx *e = ctx;
    for (uint32_t i = 0; i < e->c->objects.len; i++) {
        const tc_object_contract *o = &e->c->objects.data[i];
        if (!is_index_object(o) || tc_contract_contents(e->c, i) != f)
            continue;
        uint64_t size = o->elem->size, n = e->l->buffers[i].bytes / size;
        if (f->arity != 1 || args[0] < 0 || args[0] >= (tc_i128)n)
            return false;
        unsigned char bytes[8] = {0};
        tc_launch_fill(e->c, e->l, i, (uint64_t)args[0] * size, size, bytes);
        uint64_t v = 0;
        memcpy(&v, bytes, size);
        *r = tc_wrap128((tc_i128)v, (unsigned)size * 8, o->elem->is_signed);
        return true;
    }
    return false;
}

void tc_launch_env(tc_arena *a, tc_contract *c, const tc_launch *l, const uint32_t *block_idx,
                   const uint32_t *thread_idx, tc_env *env) {
    env_ctx *e = TC_NEW(a, env_ctx);
    *e = (env_ctx){c, l, block_idx, thread_idx};
    *env = (tc_env){.app = app_value, .sym = sym_value, .ctx = e};
}

bool tc_launch_eval(tc_contract *c, const tc_launch *l, const uint32_t *block_idx, const uint32_t *thread_idx, tc_t t,
                    tc_i128 *r) {
    env_ctx e = {c, l, block_idx, thread_idx};
    tc_env env = {.app = app_value, .sym = sym_value, .ctx = &e};
    return t && tc_eval(c->terms, t, &env, r);
}

static bool is_content(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_APP;
}

bool tc_launch_by_contents(tc_contract *c) {
    for (size_t i = 0; i < c->objects.len; i++)
        for (unsigned d = 0; d < c->objects.data[i].ndims; d++)
            if (tc_any(c->terms, c->objects.data[i].shape[d], is_content, NULL))
                return true;
    for (size_t i = 0; i < c->facts.len; i++)
        if (tc_any(c->terms, c->facts.data[i].term, is_content, NULL))
            return true;
    return false;
}

bool tc_launch_extent(tc_contract *c, const tc_launch *l, uint32_t object, uint64_t *bytes) {
    const tc_object_contract *o = &c->objects.data[object];
    tc_i128 last = 0;
    if (o->ndims == 0)
        return false;
    bool empty = false;
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_i128 n, s, step;
        if (!tc_launch_eval(c, l, NULL, NULL, o->shape[d], &n) || !tc_launch_eval(c, l, NULL, NULL, o->stride[d], &s))
            return false;
        if (n < 0)
            return false;
        empty |= n == 0;
        if (!empty && (!tc_mul128(n - 1, s < 0 ? 0 : s, &step) || !tc_add128(last, step, &last)))
            return false;
    }
    uint64_t elem = o->elem && o->elem->size ? o->elem->size : 1;
    if (empty) {
        *bytes = 0;
        return true;
    }
    if (last < 0 || last >= (tc_i128)(MAX_BYTES / elem))
        return false;
    *bytes = ((uint64_t)last + 1) * elem;
    return true;
}

// ---- facts ----

bool tc_launch_allowed(tc_contract *c, const tc_launch *l, const tc_fact **which) {
    for (size_t i = 0; i < c->facts.len; i++) {
        const tc_fact *f = &c->facts.data[i];
        tc_i128 v;
        if (f->term->variance > TC_VAR_LAUNCH)
            continue; // about one block or thread: its index is within its extent
        if (!tc_launch_eval(c, l, NULL, NULL, f->term, &v) || v == 0) {
            if (which)
                *which = f;
            return false;
        }
    }
    return true;
}

// ---- buffers ----

static bool shape_is_negative(tc_contract *c, const tc_launch *l, const tc_object_contract *o) {
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_i128 n;
        if (!tc_launch_eval(c, l, NULL, NULL, o->shape[d], &n) || n < 0)
            return true;
    }
    return false;
}

// Sizes and alignments by the contract; extents of buffers without a shape are looked up in o (may be NULL).
static bool size_buffers(tc_arena *a, tc_contract *c, const tc_options *opt, tc_launch *l, const char **why) {
    for (uint32_t i = 0; i < c->objects.len; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        tc_buffer *b = &l->buffers[i];
        uint64_t elem = o->elem && o->elem->size ? o->elem->size : 1;
        bool known = b->null;
        if (o->ndims > 0 && !known) {
            known = tc_launch_extent(c, l, i, &b->bytes);
            if (!known) {
                *why = tc_fmt(a,
                              shape_is_negative(c, l, o) ? "the shape of '%s' is negative or cannot be computed"
                                                         : "'%s' is too large to be run",
                              o->path);
                return false;
            }
        }
        for (size_t k = 0; opt && k < opt->extents.len; k++)
            if (strcmp(opt->extents.data[k].name, o->path) == 0) {
                tc_i128 n = opt->extents.data[k].value;
                if (n < 0 || n > (tc_i128)(MAX_BYTES / elem)) {
                    *why = tc_fmt(a, "the extent of '%s' is negative or too large", o->path);
                    return false;
                }
                b->bytes = (uint64_t)n * elem;
                known = true;
            }
        if (!known && o->param >= 0 && o->borrow != TC_BORROW_UNCHECKED && opt && opt->run) {
            *why = tc_fmt(a, "'%s' has no shape: say how many elements it has (extent %s=N)", o->path, o->path);
            return false;
        }
        if (!known && o->param >= 0) {
            b->open = o->borrow != TC_BORROW_UNCHECKED;
            b->bytes = b->open ? OPEN_BYTES : UINT64_C(1) << 20;
        }
        tc_i128 align;
        if (o->align && tc_launch_eval(c, l, NULL, NULL, o->align, &align) && align > 0 && align < 256)
            b->misalign = (uint64_t)align; // the least that the contract promises
    }
    return true;
}

// An extent that is stored in another buffer is known when that one has its size, wherever the parameters stand.
bool tc_launch_size(tc_arena *a, tc_contract *c, const tc_options *opt, tc_launch *l, const char **why) {
    for (uint32_t i = 0; i < c->objects.len; i++)
        l->buffers[i].bytes = 0;
    for (size_t unknown = SIZE_MAX, before = 0; tc_launch_by_contents(c) && unknown != before && unknown > 0;) {
        before = unknown;
        unknown = 0;
        for (uint32_t i = 0; i < c->objects.len; i++)
            unknown += c->objects.data[i].ndims > 0 && !l->buffers[i].null && !tc_launch_extent(c, l, i, &l->buffers[i].bytes);
    }
    return size_buffers(a, c, opt, l, why);
}

// ---- a launch as the options say ----

static const tc_setting *find_setting(const tc_setting *s, size_t n, const char *name) {
    for (size_t i = n; i-- > 0;)
        if (strcmp(s[i].name, name) == 0)
            return &s[i];
    return NULL;
}

static bool make_scalars(tc_arena *a, tc_contract *c, const tc_options *o, tc_launch *l, const char **why) {
    const char *missing = NULL;
    for (size_t i = 0; i < c->scalars.len; i++) {
        const tc_scalar *s = &c->scalars.data[i];
        const tc_setting *v = find_setting(o->sets.data, o->sets.len, s->path);
        if (!v)
            v = find_setting(o->defines.data, o->defines.len, s->path);
        if (v)
            l->scalars[i] = v->value;
        else if (tc_is_const(s->term))
            l->scalars[i] = s->term->value;
        else if (s->type->kind == TC_TY_INT || s->type->kind == TC_TY_BOOL)
            missing = missing ? tc_fmt(a, "%s, %s", missing, s->path) : s->path;
        const tc_sym *y = s->term->sym;
        if (v && y && ((y->has_lo && v->value < y->lo) || (y->has_hi && v->value > y->hi))) {
            *why = tc_fmt(a, "%s = %s is not what its type and the contract allow, %s to %s", s->path, tc_i128_text(a, v->value),
                          y->has_lo ? tc_i128_text(a, y->lo) : "any", y->has_hi ? tc_i128_text(a, y->hi) : "any");
            return false;
        }
    }
    for (size_t i = 0; i < o->sets.len; i++) {
        bool known = false;
        for (size_t k = 0; k < c->scalars.len; k++)
            known |= strcmp(c->scalars.data[k].path, o->sets.data[i].name) == 0;
        if (!known) {
            *why = tc_fmt(a, "the kernel has no scalar parameter '%s'", o->sets.data[i].name);
            return false;
        }
    }
    if (missing) {
        *why = tc_fmt(a, "no value for %s: give it with set NAME=VALUE", missing);
        return false;
    }
    return true;
}

static bool eval_extents(tc_contract *c, const tc_launch *l, const tc_t *terms, uint32_t *out) {
    for (int d = 0; d < 3; d++) {
        tc_i128 v = 1;
        if (terms[d] && !tc_launch_eval(c, l, NULL, NULL, terms[d], &v))
            return false;
        if (v < 0 || v > UINT32_MAX)
            return false;
        out[d] = (uint32_t)v;
    }
    return true;
}

static bool make_extents(tc_arena *a, tc_contract *c, const tc_launch *l, const tc_extents *given, bool has,
                         const tc_t *terms, const char *what, uint32_t *out, const char **why) {
    if (has && !eval_extents(c, l, terms, out)) {
        *why = tc_fmt(a, "the %s extents of the contract cannot be computed for this launch", what);
        return false;
    }
    if (!has && !given->given) {
        *why = tc_fmt(a, "no %s extents: the contract has none, give them with %s=X,Y,Z", what, what);
        return false;
    }
    for (int d = 0; given->given && d < 3; d++) {
        if (given->dim[d] < 0 && !has)
            out[d] = 1;
        if (has && given->dim[d] >= 0 && terms == c->block && given->dim[d] != (tc_i128)out[d]) {
            *why = tc_fmt(a, "the launch breaks '%sDim.%c == %u'", what, "xyz"[d], out[d]);
            return false;
        }
        if (given->dim[d] >= 0)
            out[d] = given->dim[d] > UINT32_MAX ? UINT32_MAX : (uint32_t)given->dim[d];
    }
    return true;
}

static bool make_fill(tc_arena *a, const tc_setting *s, tc_buffer *b, const char **why) {
    if (strcmp(s->text, "zero") == 0)
        b->fill = TC_FILL_ZERO;
    else if (strcmp(s->text, "iota") == 0)
        b->fill = TC_FILL_IOTA;
    else if (strcmp(s->text, "random") == 0)
        b->fill = TC_FILL_RANDOM;
    else {
        FILE *f = fopen(s->text, "rb");
        if (!f) {
            *why = tc_fmt(a, "cannot read '%s' to fill '%s'", s->text, s->name);
            return false;
        }
        // The allocation must not be left with the file open.
        fseek(f, 0, SEEK_END);
        long n = ftell(f);
        fclose(f);
        unsigned char *data = tc_alloc(a, b->bytes + 1);
        f = fopen(s->text, "rb");
        size_t got = f ? fread(data, 1, b->bytes, f) : 0;
        if (f)
            fclose(f);
        if (n < 0 || got < b->bytes) {
            *why = tc_fmt(a, "'%s' has %ld bytes, '%s' needs %llu", s->text, n, s->name, (unsigned long long)b->bytes);
            return false;
        }
        b->fill = TC_FILL_BYTES;
        b->data = data;
    }
    return true;
}

bool tc_launch_make(tc_arena *a, tc_contract *c, const tc_options *o, tc_launch *l, const char **why) {
    memset(l, 0, sizeof *l);
    l->seed = o->seed;
    l->scalars = TC_NEW_ARRAY(a, tc_i128, c->scalars.len + 1);
    l->buffers = TC_NEW_ARRAY(a, tc_buffer, c->objects.len + 1);
    l->functions = TC_NEW_ARRAY(a, uint32_t, c->functions.len + 1);
    for (size_t i = 0; i < c->functions.len; i++)
        l->functions[i] = TC_FUNCTION_UNSAID;
    for (int d = 0; d < 3; d++)
        l->grid[d] = l->block[d] = 1;
    if (!make_scalars(a, c, o, l, why) ||
        !make_extents(a, c, l, &o->block, c->has_block, c->block, "block", l->block, why) ||
        !make_extents(a, c, l, &o->grid, c->has_grid, c->grid, "grid", l->grid, why))
        return false;
    tc_i128 smem;
    if (o->smem >= 0)
        l->smem = (uint64_t)o->smem;
    else if (c->has_smem && tc_launch_eval(c, l, NULL, NULL, c->smem, &smem) && smem >= 0)
        l->smem = (uint64_t)smem;
    for (int d = 0; d < 3; d++)
        if (l->grid[d] == 0 || l->block[d] == 0) {
            *why = tc_fmt(a, "the launch has no threads: grid (%u,%u,%u), block (%u,%u,%u)", l->grid[0], l->grid[1],
                          l->grid[2], l->block[0], l->block[1], l->block[2]);
            return false;
        }
    enum { SPAN = 1000 };
    bool by_contents = tc_launch_by_contents(c);
    for (size_t i = 0; by_contents && i < c->objects.len; i++)
        l->buffers[i].span = SPAN;
    if (!tc_launch_size(a, c, o, l, why) && !by_contents)
        return false;
    for (size_t i = 0; i < o->fills.len; i++) {
        bool known = false;
        for (size_t k = 0; k < c->objects.len; k++)
            if (strcmp(c->objects.data[k].path, o->fills.data[i].name) == 0) {
                known = true;
                if (!make_fill(a, &o->fills.data[i], &l->buffers[k], why))
                    return false;
            }
        if (!known) {
            *why = tc_fmt(a, "the kernel has no pointer parameter '%s'", o->fills.data[i].name);
            return false;
        }
    }
    const char *broken = o->fills.len > 0 ? tc_launch_broken_fact(a, c, l) : NULL;
    if (broken) {
        *why = tc_fmt(a, "its contents break %s", broken);
        return false;
    }
    if (by_contents && !tc_launch_size(a, c, o, l, why))
        return false;
    if (!tc_launch_contents(c, l)) {
        *why = "the facts about index arrays cannot be met at these sizes";
        return false;
    }
    const tc_fact *f = NULL;
    if (!tc_launch_allowed(c, l, &f)) {
        *why = tc_fmt(a, "the launch breaks '%s'", f->text ? f->text : "a fact of the contract");
        return false;
    }
    return true;
}
