// A launch as the host function makes it, read from the memory that holds its configuration and its arguments.
#include <string.h>

#include "checker/host.h"

// ---- numbers ----

static LLVMTypeRef int_type(tc_lift *L, unsigned bits) { return LLVMIntTypeInContext(LLVMGetModuleContext(L->module), bits); }

static LLVMTypeRef ptr_type(tc_lift *L) { return LLVMPointerTypeInContext(LLVMGetModuleContext(L->module), 0); }

static tc_t as_number(tc_lift *L, tc_flow *f, const tc_val *v, unsigned bits, bool is_signed) {
    v = tc_val_as(L, v, int_type(L, bits), 0);
    if (v->kind != TC_V_INT)
        return NULL;
    if (bits == 1)
        return tc_ite(L->ts, v->term, tc_int(L->ts, 1), tc_int(L->ts, 0));
    return is_signed ? tc_lift_signed(L, f, v, "argument") : tc_lift_unsigned(L, f, v, "argument", false);
}

static tc_t some_number(tc_lift *L, const char *name, uint64_t key, tc_i128 lo, tc_i128 hi) {
    return tc_val_unknown_ranged(L, 64, name, key, lo, hi)->term;
}

// Two extents are passed in one register: the second in its upper half.
static void split(tc_lift *L, tc_flow *f, const char *name, const tc_val *xy, const tc_val *z, tc_t out[3]) {
    tc_i128 top = tc_pow2(32) - 1;
    xy = tc_val_as(L, xy, int_type(L, 64), 0);
    for (unsigned d = 0; d < 2; d++) {
        tc_t t = xy->kind != TC_V_INT ? some_number(L, name, 0x6d00 + d, 0, top)
                 : d == 0             ? tc_mod(L->ts, xy->term, tc_int(L->ts, tc_pow2(32)))
                                      : tc_mod(L->ts, tc_div(L->ts, xy->term, tc_int(L->ts, tc_pow2(32))), tc_int(L->ts, tc_pow2(32)));
        out[d] = t;
    }
    tc_t t = as_number(L, f, z, 32, false);
    out[2] = t != NULL ? t : some_number(L, name, 0x6d02, 0, top);
}

static tc_t bytes(tc_lift *L, tc_flow *f, const tc_val *smem) {
    tc_t t = as_number(L, f, smem, 64, false);
    return t != NULL ? t : some_number(L, "shared memory", 0x5e3, 0, tc_pow2(64) - 1);
}

// ---- arguments ----

static unsigned bits_of(const tc_type *t) { return t->kind == TC_TY_BOOL ? 8 : (unsigned)(t->size * 8); }

static tc_t scalar(tc_lift *L, tc_flow *f, const tc_scalar *s, const tc_val *at, bool direct, uint64_t key) {
    tc_i128 lo = -tc_pow2(63), hi = tc_pow2(64) - 1;
    bool whole = (s->type->kind == TC_TY_INT || s->type->kind == TC_TY_BOOL) && s->type->size > 0 && s->type->size <= 8;
    if (whole) {
        lo = s->type->is_signed ? -tc_pow2(bits_of(s->type) - 1) : 0;
        hi = lo + tc_pow2(bits_of(s->type)) - 1;
    }
    const tc_val *v = !whole || at == NULL ? NULL : direct ? at : tc_host_load(L, f, at, s->offset, int_type(L, bits_of(s->type)));
    tc_t t = v != NULL ? as_number(L, f, v, bits_of(s->type), s->type->is_signed) : NULL;
    return t != NULL ? t : some_number(L, s->path, key, lo, hi);
}

// Of a variable of the file, as the host has it.
static tc_memory_kind memory_of(const tc_lift *L, LLVMValueRef global) {
    size_t n;
    const char *mangled = LLVMGetValueName2(global, &n);
    for (size_t i = 0; i < L->unit->nvars; i++)
        if (L->unit->vars[i].mangled != NULL && strcmp(L->unit->vars[i].mangled, mangled) == 0)
            return L->unit->vars[i].managed ? TC_MEMORY_OPEN : TC_MEMORY_SHADOW;
    return TC_MEMORY_VARIABLE;
}

// malloc and new: for any type that asks for no more by itself (C11 7.22.3, of 64-bit hosts). What cudaMalloc and its kin give is aligned
// to at least 256 bytes (CUDA C++ Programming Guide, "Device Memory Accesses").
enum { HOST_ALIGN = 16, DEVICE_ALIGN = 256 };

static void memory_alt(tc_lift *L, uint32_t object, tc_passed_alt *out) {
    const tc_object *o = &L->m->objects.data[object];
    if (out->made != NULL) {
        bool device = tc_host_is_of_device(out->made);
        out->align = device ? DEVICE_ALIGN : HOST_ALIGN;
        out->memory = device ? TC_MEMORY_OPEN : TC_MEMORY_HOST;
    } else if (o->value != NULL && LLVMIsAGlobalVariable(o->value)) {
        out->align = o->align;
        out->memory = memory_of(L, o->value);
    }
    out->pinned = tc_map_get(&L->host->pinned, object + 1);
    out->pinned_cond = out->pinned != NULL ? out->pinned->cond : NULL;
    out->pinned_turns = out->pinned != NULL && tc_host_loop(L) != NULL && tc_host_loop(L) != out->pinned->loop;
}

static void object_alt(tc_lift *L, uint32_t object, tc_passed_alt *out) {
    const tc_object *o = &L->m->objects.data[object];
    out->kind = TC_PASSED_OBJECT;
    out->id = object;
    out->name = o->name;
    out->made = tc_host_allocation_of(L, object);
    if (out->made != NULL && out->made->into != NULL)
        out->name = out->made->into;
    out->several = tc_host_is_several(L, tc_place_object(L, object));
    out->distinct = out->made != NULL || o->value != NULL;
    out->fresh = out->made != NULL;
    out->old = o->value == NULL && o->param < TC_HOST_MADE;
    out->freed = tc_map_get(&L->host->freed, object + 1);
    out->gone = tc_map_get(&L->host->gone, object + 1);
    out->turns = out->made != NULL && tc_host_loop(L) != NULL && tc_host_loop(L) != out->made->loop;
    if (out->made != NULL)
        out->size = out->made->size;
    else if (o->value != NULL && LLVMIsAGlobalVariable(o->value) && !LLVMIsDeclaration(o->value))
        out->size = o->size;
    memory_alt(L, object, out);
}

static tc_passed_alt passed_alt(tc_lift *L, tc_flow *f, const tc_alt *a) {
    const tc_place *p = &L->places.data[a->place];
    tc_passed_alt out = {.cond = a->cond, .kind = TC_PASSED_UNKNOWN, .id = a->place, .name = "a pointer of unknown origin"};
    out.offset = tc_lift_signed(L, f, tc_val_int(L, 64, a->offset), "offset of a pointer");
    if (p->kind == TC_PL_OBJECT) {
        object_alt(L, p->object, &out);
        out.address = tc_lift_address(L, a->place);
    } else if (p->kind == TC_PL_NULL && tc_is_const(a->offset) && a->offset->value == 0) {
        out.kind = TC_PASSED_NULL;
        out.name = "nullptr";
    } else if (p->kind == TC_PL_LOCAL && p->local->value != NULL) {
        out.kind = TC_PASSED_LOCAL;
        out.name = tc_host_local_name(L, p->local);
        out.memory = TC_MEMORY_STACK;
        out.align = tc_local_align(L, p->local);
        out.size = tc_int(L->ts, (tc_i128)p->local->size);
        out.distinct = out.fresh = true;
    }
    out.copy = out.memory == TC_MEMORY_OPEN ? NULL : tc_map_get(&L->host->copied_to, a->place + 1);
    return out;
}

static tc_passed pointer(tc_lift *L, tc_flow *f, const tc_object_contract *o, const tc_val *at, bool direct) {
    tc_passed out = {.nonnull = NULL};
    const tc_val *v = at == NULL ? NULL : direct ? at : tc_host_load(L, f, at, o->offset, ptr_type(L));
    v = v == NULL ? NULL : tc_val_as(L, v, ptr_type(L), 0);
    if (v == NULL || v->kind != TC_V_PTR) {
        out.nonnull = tc_lift_bool_sym(L, "pointer != nullptr", 0x90 + o->offset);
        return out;
    }
    for (size_t i = 0; i < v->nalts; i++)
        tc_push(L->arena, &out.alts, passed_alt(L, f, &v->alts[i]));
    out.nonnull = tc_lift_nonnull(L, v);
    return out;
}

// The address of each argument; NULL where the list of them is not known.
static const tc_val *argument_at(tc_lift *L, tc_flow *f, const tc_val *args, uint32_t param) {
    if (args->kind != TC_V_PTR)
        return NULL;
    const tc_val *p = tc_val_as(L, tc_host_load(L, f, args, 8 * (uint64_t)param, ptr_type(L)), ptr_type(L), 0);
    return p->kind == TC_V_PTR ? p : NULL;
}

// Where a launch finds its arguments: their addresses, or the values themselves.
typedef struct arguments {
    const tc_val **at;
    bool direct;
} arguments;

static arguments arguments_of(tc_lift *L, tc_flow *f, uint32_t kernel, const tc_val *list) {
    size_t n = L->unit->kernels[kernel].nparams;
    arguments a = {TC_NEW_ARRAY(L->arena, const tc_val *, n + 1), false};
    for (size_t i = 0; i < n; i++)
        a.at[i] = argument_at(L, f, list, (uint32_t)i);
    return a;
}

static void read_arguments(tc_lift *L, tc_flow *f, const arguments *a, tc_launch_site *s) {
    const tc_contract *c = s->contract;
    s->scalars = TC_NEW_ARRAY(L->arena, tc_t, c->scalars.len + 1);
    for (size_t i = 0; i < c->scalars.len; i++)
        s->scalars[i] = scalar(L, f, &c->scalars.data[i], a->at[c->scalars.data[i].param], a->direct, 0x5ca1a + i);
    s->pointers = TC_NEW_ARRAY(L->arena, tc_passed, c->objects.len + 1);
    for (size_t i = 0; i < c->objects.len; i++)
        if (c->objects.data[i].param >= 0)
            s->pointers[i] = pointer(L, f, &c->objects.data[i], a->at[c->objects.data[i].param], a->direct);
}

// ---- what a launch does to memory ----

// UNSOUND: a kernel is taken to write what it is given pointers to, and nothing else that the host function reads: see the limits in
// docs/model.md.
static void written_by(tc_lift *L, tc_flow *f, const tc_type *t, const tc_val *at, uint64_t offset, bool direct, unsigned depth) {
    enum { MOST = 32, DEEPEST = 4 };
    if (at == NULL || depth > DEEPEST)
        return;
    if (t->kind == TC_TY_POINTER)
        tc_host_write_later(L, f, tc_val_as(L, direct ? at : tc_host_load(L, f, at, offset, ptr_type(L)), ptr_type(L), 0));
    for (size_t i = 0; t->kind == TC_TY_STRUCT && i < t->nfields; i++)
        written_by(L, f, t->fields[i].type, at, offset + t->fields[i].offset, direct, depth + 1);
    for (uint64_t i = 0; t->kind == TC_TY_ARRAY && i < t->count && i < MOST; i++)
        written_by(L, f, t->elem, at, offset + i * t->elem->size, direct, depth + 1);
}

static void launched(tc_lift *L, tc_flow *f, uint32_t kernel, const arguments *a) {
    const tc_kernel *k = &L->unit->kernels[kernel];
    for (size_t i = 0; i < k->nparams; i++)
        written_by(L, f, k->params[i].type, a->at[i], 0, a->direct, 0);
    tc_host_forget_later(L, f);
}

// ---- the site ----

static uint32_t current_loop(const tc_lift *L) {
    for (const tc_loop_ctx *c = L->loop; c != NULL; c = c->outer)
        if (!c->unrolled)
            return c->record;
    return TC_NONE;
}

// Where the source launches: for k<<<>>>() the call of the kernel's launch function, which itself is nobody's source.
static void locate(tc_lift *L, tc_launch_site *s) {
    tc_frame *frame = L->frame;
    LLVMValueRef inst = L->inst;
    const tc_host_node *n = tc_host_node_of(L->host->graph, frame->cfg->function);
    if (n != NULL && n->stub && frame->caller != NULL) {
        inst = frame->call;
        L->frame = frame->caller;
    }
    s->loc = tc_lift_loc(L, inst, &s->calls);
    L->frame = frame;
}

static void guard_terms(tc_lift *L, tc_launch_site *s) {
    tc_tvec terms = {0};
    for (unsigned d = 0; d < 3; d++) {
        tc_push(L->arena, &terms, s->grid[d]);
        tc_push(L->arena, &terms, s->block[d]);
        tc_push(L->arena, &terms, s->cluster[d]);
    }
    tc_push(L->arena, &terms, s->smem);
    for (size_t i = 0; i < s->contract->scalars.len; i++)
        tc_push(L->arena, &terms, s->scalars[i]);
    for (size_t i = 0; i < s->contract->objects.len; i++)
        for (size_t k = 0; k < s->pointers[i].alts.len; k++) {
            tc_push(L->arena, &terms, s->pointers[i].alts.data[k].offset);
            tc_push(L->arena, &terms, s->pointers[i].alts.data[k].size);
            tc_push(L->arena, &terms, s->pointers[i].alts.data[k].address);
            const tc_pinned *pinned = s->pointers[i].alts.data[k].pinned;
            tc_push(L->arena, &terms, pinned == NULL ? NULL : pinned->from);
            tc_push(L->arena, &terms, pinned == NULL ? NULL : pinned->size);
        }
    s->guard = tc_record_guard(L, s->guard, terms.data, terms.len);
}

static void record(tc_lift *L, tc_flow *f, uint32_t kernel, const tc_config *config, const arguments *args, tc_launch_site s) {
    s.kernel = kernel;
    s.contract = L->host->contracts[kernel];
    if (s.contract == NULL || tc_is_false(f->guard) || L->dry > 0)
        return;
    s.guard = f->guard;
    s.loop = current_loop(L);
    split(L, f, "gridDim", config->grid_xy, config->grid_z, s.grid);
    split(L, f, "blockDim", config->block_xy, config->block_z, s.block);
    s.smem = bytes(L, f, config->smem);
    read_arguments(L, f, args, &s);
    s.point = L->point++;
    locate(L, &s);
    guard_terms(L, &s);
    tc_push(L->arena, &L->host->sites, s);
}

// How many of n addresses an array of the host function's has no room for; 0 where that is not known.
static size_t missing_of(const tc_lift *L, const tc_val *list, size_t n) {
    if (list->kind != TC_V_PTR || list->nalts != 1 || !tc_is_const(list->alts[0].offset))
        return 0;
    const tc_place *p = &L->places.data[list->alts[0].place];
    tc_i128 from = list->alts[0].offset->value;
    if (p->kind != TC_PL_LOCAL || p->local->value == NULL || from < 0 || from > (tc_i128)p->local->size)
        return 0;
    size_t there = (size_t)((p->local->size - (uint64_t)from) / 8);
    return there < n ? n - there : 0;
}

// A kernel of which nothing is known may write what it likes.
static void each_kernel(tc_lift *L, tc_flow *f, const tc_val *function, const tc_config *config, const tc_val *list,
                        const tc_launch_site *like) {
    bool known = function->kind == TC_V_PTR && function->nalts > 0;
    for (size_t i = 0; known && i < function->nalts; i++) {
        const tc_place *p = &L->places.data[function->alts[i].place];
        uint64_t k = p->kind == TC_PL_FUNCTION ? (uint64_t)(uintptr_t)tc_map_get(&L->host->kernels, TC_KEY(p->function)) : 0;
        known = k != 0;
        if (!known)
            break;
        tc_flow g = {tc_and(L->ts, f->guard, function->alts[i].cond), f->state};
        arguments args = arguments_of(L, &g, (uint32_t)(k - 1), list);
        tc_launch_site site = *like;
        site.missing = missing_of(L, list, L->unit->kernels[k - 1].nparams);
        record(L, &g, (uint32_t)(k - 1), config, &args, site);
        launched(L, f, (uint32_t)(k - 1), &args);
    }
    if (!known)
        tc_host_clobber(L, f);
}

void tc_host_launch(tc_lift *L, tc_flow *f, const tc_val *function, const tc_config *config, const tc_val *args) {
    tc_launch_site like = {0};
    each_kernel(L, f, function, config, args, &like);
}

// Parameters that are passed as they are: one for each, and of its size.
static bool is_plain(const tc_kernel *k, size_t nargs) {
    bool plain = k->nparams == nargs;
    for (size_t i = 0; plain && i < k->nparams; i++) {
        tc_type_kind t = k->params[i].type->kind;
        plain = t == TC_TY_INT || t == TC_TY_BOOL || t == TC_TY_FLOAT || t == TC_TY_POINTER || t == TC_TY_FUNCTION;
    }
    return plain;
}

void tc_host_launch_declared(tc_lift *L, tc_flow *f, LLVMValueRef stub, const tc_val *const *args, size_t nargs) {
    tc_host *h = L->host;
    tc_config none = {tc_val_any(L), tc_val_any(L), tc_val_any(L), tc_val_any(L), tc_val_any(L), tc_val_any(L)};
    tc_config config = h->pending.len > 0 ? tc_pop(&h->pending) : none;
    uint32_t kernel = (uint32_t)(uintptr_t)tc_map_get(&h->kernels, TC_KEY(stub)) - 1;
    const tc_kernel *k = &L->unit->kernels[kernel];
    arguments a = {TC_NEW_ARRAY(L->arena, const tc_val *, k->nparams + 1), true};
    bool plain = is_plain(k, nargs);
    for (size_t i = 0; plain && i < nargs; i++)
        a.at[i] = args[i];
    record(L, f, kernel, &config, &a, (tc_launch_site){0});
    if (!plain)
        tc_host_clobber(L, f);
    launched(L, f, kernel, &a);
}

// ---- cudaLaunchConfig_t (CUDA Runtime API, "Data Structures") ----

enum {
    CONFIG_GRID = 0, CONFIG_BLOCK = 12, CONFIG_SMEM = 24, CONFIG_ATTRS = 40, CONFIG_COUNT = 48,
    ATTR_SIZE = 72, ATTR_VALUE = 8, ATTR_MOST = 8,
    ATTR_CLUSTER = 4, ATTR_PROGRAMMATIC = 6
};

static void read_attribute(tc_lift *L, tc_flow *f, const tc_val *attrs, uint64_t at, tc_launch_site *s) {
    const tc_val *id = tc_host_load(L, f, attrs, at, int_type(L, 32));
    if (id->kind != TC_V_INT || !tc_is_const(id->term)) {
        s->any_cluster = s->begins_early = true;
        return;
    }
    if (id->term->value == ATTR_PROGRAMMATIC) {
        tc_t allowed = as_number(L, f, tc_host_load(L, f, attrs, at + ATTR_VALUE, int_type(L, 32)), 32, false);
        s->begins_early |= allowed == NULL || !tc_is_const(allowed) || allowed->value != 0;
    }
    for (unsigned d = 0; d < 3 && id->term->value == ATTR_CLUSTER; d++) {
        s->cluster[d] = as_number(L, f, tc_host_load(L, f, attrs, at + ATTR_VALUE + 4 * d, int_type(L, 32)), 32, false);
        s->any_cluster |= s->cluster[d] == NULL;
    }
}

static void read_attributes(tc_lift *L, tc_flow *f, const tc_val *config, tc_launch_site *s) {
    const tc_val *count = tc_host_load(L, f, config, CONFIG_COUNT, int_type(L, 32));
    const tc_val *attrs = tc_host_load(L, f, config, CONFIG_ATTRS, ptr_type(L));
    if (count->kind != TC_V_INT || !tc_is_const(count->term) || count->term->value < 0 || count->term->value > ATTR_MOST ||
        (count->term->value > 0 && attrs->kind != TC_V_PTR)) {
        s->any_cluster = s->begins_early = true;
        return;
    }
    for (tc_i128 i = 0; i < count->term->value; i++)
        read_attribute(L, f, attrs, (uint64_t)i * ATTR_SIZE, s);
    if (s->any_cluster)
        memset(s->cluster, 0, sizeof s->cluster);
}

void tc_host_launch_ex(tc_lift *L, tc_flow *f, const tc_val *function, const tc_val *config, const tc_val *args) {
    tc_launch_site like = {0};
    if (config->kind != TC_V_PTR)
        config = tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    tc_config c = {.grid_xy = tc_host_load(L, f, config, CONFIG_GRID, int_type(L, 64)),
                   .grid_z = tc_host_load(L, f, config, CONFIG_GRID + 8, int_type(L, 32)),
                   .block_xy = tc_host_load(L, f, config, CONFIG_BLOCK, int_type(L, 64)),
                   .block_z = tc_host_load(L, f, config, CONFIG_BLOCK + 8, int_type(L, 32)),
                   .smem = tc_host_load(L, f, config, CONFIG_SMEM, int_type(L, 64))};
    read_attributes(L, f, config, &like);
    each_kernel(L, f, function, &c, args, &like);
}
