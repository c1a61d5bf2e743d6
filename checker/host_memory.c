// Memory of a host function: what others see, and when it is forgotten.
//
// SOUND: a local variable is known as long as nobody else has its address. An address gets out of sight by a call that is not
// followed, by a store to memory that is not a variable of the function, as a number, or where the lifter drops it; from then on, in
// all runs, each such call and each store through an unknown pointer makes the variable unknown. The same holds of globals and of
// what parameters point to, from the beginning.
#include "checker/host.h"

#include <string.h>

enum { OUTSIDE_BYTES = 1 << 20 }; // more of what a pointer points to is not told apart

// ---- what others see ----

static tc_local *outside_local(tc_lift *L, size_t index) {
    tc_outside *o = &L->host->outside.data[index];
    tc_local *l = TC_NEW(L->arena, tc_local);
    l->type = LLVMInt8TypeInContext(LLVMGetModuleContext(L->module));
    l->size = OUTSIDE_BYTES;
    if (o->global != NULL && LLVMTypeIsSized(LLVMGlobalGetValueType(o->global)))
        l->size = LLVMABISizeOfType(L->layout, LLVMGlobalGetValueType(o->global));
    l->param = TC_HOST_OUTSIDE + (int)index;
    l->object = TC_NONE;
    l->node = L->root;
    l->place = (uint32_t)L->places.len;
    tc_push(L->arena, &L->places, ((tc_place){TC_PL_LOCAL, TC_NONE, l, NULL, NULL}));
    o->local = l;
    tc_map_put(L->arena, &L->host->by_object, o->object, (void *)(uintptr_t)(index + 1));
    return l;
}

void tc_host_begin(tc_lift *L) {
    tc_host *h = L->host;
    h->sites.len = h->allocations.len = h->pending.len = 0;
    h->sites.cap = h->allocations.cap = h->pending.cap = 0;
    h->made = 0;
    h->by_object = h->several = h->freed = h->gone = h->pinned = h->copied_to = (tc_map){0};
    for (size_t i = 0; i < h->outside.len; i++) {
        tc_outside *o = &h->outside.data[i];
        o->object = o->global != NULL ? tc_object_global(L, o->global) : tc_object_param(L, o->param, o->offset);
        outside_local(L, i);
    }
}

// The variable for an object that others see; NULL for what the function made itself, and for constants.
// One that is new is there from the beginning of the next run: what was forgotten before counts for it too.
static tc_local *outside(tc_lift *L, uint32_t object) {
    tc_host *h = L->host;
    size_t i = (size_t)(uintptr_t)tc_map_get(&h->by_object, object);
    if (i != 0)
        return h->outside.data[i - 1].local;
    const tc_object *o = &L->m->objects.data[object];
    bool global = o->value != NULL && LLVMIsAGlobalVariable(o->value);
    if ((o->value != NULL && !global) || (!global && o->param >= TC_HOST_MADE) || o->param == TC_NONE || h->outside.len >= 4096)
        return NULL;
    tc_outside x = {.global = global ? o->value : NULL, .param = o->param, .offset = o->param_offset, .object = object};
    tc_push(h->kept, &h->outside, x);
    L->choices->changed = true;
    return outside_local(L, h->outside.len - 1);
}

const char *tc_host_param_name(tc_lift *L, uint32_t param) {
    if (param < TC_HOST_OUTSIDE) {
        const tc_frame *f = L->frame;
        while (f != NULL && f->caller != NULL)
            f = f->caller;
        size_t n;
        LLVMValueRef fn = f == NULL ? NULL : f->cfg->function;
        uint32_t i = param - TC_HOST_UNNAMED;
        const char *name = fn != NULL && i < LLVMCountParams(fn) ? LLVMGetValueName2(LLVMGetParam(fn, i), &n) : "";
        return name[0] != 0 ? tc_strdup(L->arena, name) : "a parameter";
    }
    if (param >= TC_HOST_MADE || param - TC_HOST_OUTSIDE >= L->host->outside.len)
        return "a pointer";
    const tc_outside *o = &L->host->outside.data[param - TC_HOST_OUTSIDE];
    const char *name = L->m->objects.data[o->object].name;
    return o->global != NULL ? name : tc_fmt(L->arena, "what %s points to", name);
}

// ---- getting out of sight ----

static void leak_local(tc_lift *L, const tc_local *l) {
    tc_host *h = L->host;
    if (l->param >= TC_HOST_OUTSIDE || tc_map_has(&h->leaked, TC_KEY(l->value)))
        return;
    tc_map_put(h->kept, &h->leaked, TC_KEY(l->value), h);
    L->choices->changed = true;
}

void tc_host_leak(tc_lift *L, const tc_val *v) {
    for (size_t i = 0; i < v->nalts; i++)
        if (L->places.data[v->alts[i].place].kind == TC_PL_LOCAL)
            leak_local(L, L->places.data[v->alts[i].place].local);
    for (size_t i = 0; i < v->nelems; i++)
        tc_host_leak(L, v->elems[i]);
}

void tc_host_leak_cells(tc_lift *L, const tc_state *s, const tc_local *l) {
    for (size_t i = 0; i < l->cells.len; i++) {
        const tc_val *v = tc_state_get(s, l->cells.data[i]->index);
        if (v != NULL)
            tc_host_leak(L, v);
    }
}

bool tc_host_keeps(const tc_lift *L, const tc_val *ptr) {
    bool keeps = ptr->kind == TC_V_PTR && ptr->nalts > 0;
    for (size_t i = 0; keeps && i < ptr->nalts; i++) {
        const tc_place *p = &L->places.data[ptr->alts[i].place];
        keeps = p->kind == TC_PL_LOCAL && !p->local->demoted && tc_is_const(ptr->alts[i].offset);
    }
    return keeps;
}

static bool is_set(const tc_state *s, const tc_local *l) {
    for (size_t i = 0; i < l->cells.len; i++)
        if (tc_state_get(s, l->cells.data[i]->index) != NULL)
            return true;
    return false;
}

static void forget_local(tc_lift *L, tc_flow *f, tc_local *l) {
    if (!l->demoted) // what a demoted one holds is unknown anyway
        tc_local_forget(L, f, l);
}

static void forget_leaked(tc_lift *L, tc_flow *f, const tc_map *which) {
    for (size_t before = SIZE_MAX; which->len != before;) { // what leaked variables hold has leaked
        before = which->len;
        for (size_t i = 0; i < L->places.len; i++) {
            const tc_place *p = &L->places.data[i];
            if (p->kind == TC_PL_LOCAL && p->local->value != NULL && tc_map_has(which, TC_KEY(p->local->value)))
                tc_host_leak_cells(L, &f->state, p->local);
        }
    }
    for (size_t i = 0; i < L->places.len; i++) {
        const tc_place *p = &L->places.data[i];
        if (p->kind == TC_PL_LOCAL && p->local->value != NULL && tc_map_has(which, TC_KEY(p->local->value)) &&
            is_set(&f->state, p->local))
            forget_local(L, f, p->local);
    }
}

// But for one, which is known to be stored to itself; NULL: all.
static void clobber(tc_lift *L, tc_flow *f, const tc_local *but) {
    tc_host *h = L->host;
    for (size_t i = 0; i < h->outside.len; i++)
        if (h->outside.data[i].local != but)
            forget_local(L, f, h->outside.data[i].local);
    forget_leaked(L, f, &h->leaked);
}

void tc_host_clobber(tc_lift *L, tc_flow *f) { clobber(L, f, NULL); }

void tc_host_forget(tc_lift *L, tc_flow *f, const tc_val *ptr) {
    for (size_t i = 0; i < ptr->nalts; i++) {
        const tc_place *p = &L->places.data[ptr->alts[i].place];
        tc_local *l = p->kind == TC_PL_LOCAL ? p->local : p->kind == TC_PL_OBJECT ? outside(L, p->object) : NULL;
        if (l != NULL)
            forget_local(L, f, l);
        else if (p->kind == TC_PL_UNKNOWN || p->kind == TC_PL_OBJECT)
            clobber(L, f, NULL);
    }
    if (ptr->kind != TC_V_PTR && ptr->kind != TC_V_INT && ptr->kind != TC_V_FLOAT)
        clobber(L, f, NULL);
}

void tc_host_write_later(tc_lift *L, tc_flow *f, const tc_val *ptr) {
    tc_host *h = L->host;
    for (size_t i = 0; i < ptr->nalts; i++) {
        const tc_place *p = &L->places.data[ptr->alts[i].place];
        size_t k = p->kind == TC_PL_OBJECT ? (size_t)(uintptr_t)tc_map_get(&h->by_object, p->object) : 0;
        if (k != 0 && !h->outside.data[k - 1].later) {
            h->outside.data[k - 1].later = true;
            L->choices->changed = true;
        }
        if (k != 0)
            forget_local(L, f, h->outside.data[k - 1].local);
        if (p->kind != TC_PL_LOCAL || p->local->value == NULL)
            continue;
        if (!tc_map_has(&h->copied, TC_KEY(p->local->value))) {
            tc_map_put(h->kept, &h->copied, TC_KEY(p->local->value), h);
            L->choices->changed = true;
        }
        forget_local(L, f, p->local);
    }
}

void tc_host_forget_later(tc_lift *L, tc_flow *f) {
    tc_host *h = L->host;
    for (size_t i = 0; i < h->outside.len; i++)
        if (h->outside.data[i].later)
            forget_local(L, f, h->outside.data[i].local);
    for (size_t i = 0; i < L->places.len && h->copied.len > 0; i++) {
        const tc_place *p = &L->places.data[i];
        if (p->kind == TC_PL_LOCAL && p->local->value != NULL && tc_map_has(&h->copied, TC_KEY(p->local->value)))
            forget_local(L, f, p->local);
    }
}

// ---- accesses ----

static bool lies_in(const tc_local *l, tc_t offset, tc_t width) {
    return tc_is_const(offset) && tc_is_const(width) && offset->value >= 0 && width->value > 0 &&
           offset->value + width->value <= (tc_i128)l->size;
}

// A global is no other global; what pointers point to may be anything that others see.
static void clobber_others(tc_lift *L, tc_flow *f, const tc_local *l) {
    tc_host *h = L->host;
    bool global = h->outside.data[l->param - TC_HOST_OUTSIDE].global != NULL;
    if (!global) {
        clobber(L, f, l);
        return;
    }
    for (size_t i = 0; i < h->outside.len; i++)
        if (h->outside.data[i].local != l && h->outside.data[i].global == NULL)
            forget_local(L, f, h->outside.data[i].local);
}

static const tc_val *some_value(tc_lift *L, const tc_touch *a) {
    return a->type == NULL ? NULL : tc_val_unknown(L, a->type, "loaded", 0x4057);
}

static bool is_made(const tc_lift *L, uint32_t object) {
    const tc_object *o = &L->m->objects.data[object];
    return o->value == NULL && o->param >= TC_HOST_MADE && o->param != TC_NONE && o->size != NULL;
}

const tc_val *tc_host_access(tc_lift *L, tc_flow *f, const tc_alt *alt, const tc_touch *a, const tc_val *stored) {
    const tc_place *p = &L->places.data[alt->place];
    uint32_t object = p->kind == TC_PL_OBJECT ? p->object : TC_NONE;
    bool writes = a->kind != TC_EV_READ;
    if (object != TC_NONE && !writes && a->type != NULL && !a->is_volatile) {
        const tc_val *v = tc_object_contents(L, object, alt->offset, a->type);
        if (v != NULL)
            return v;
    }
    if (p->kind == TC_PL_NULL || (object != TC_NONE && is_made(L, object)))
        return some_value(L, a); // new memory is nobody else's
    tc_local *l = object == TC_NONE ? NULL : outside(L, object);
    bool plain = l != NULL && lies_in(l, alt->offset, a->width) && !a->is_volatile && a->order == TC_ORD_PLAIN && a->kind != TC_EV_ATOMIC;
    if (!plain) {
        if (writes || a->order != TC_ORD_PLAIN) // an atomic access may let others come first
            clobber(L, f, NULL);
        return some_value(L, a);
    }
    uint64_t at = (uint64_t)alt->offset->value;
    if (!writes)
        return a->type == NULL ? NULL : tc_local_load(L, f, l, at, a->type);
    clobber_others(L, f, l);
    tc_local_store(L, f, alt->cond, l, at, (uint64_t)a->width->value, stored != NULL ? stored : tc_val_any(L));
    return NULL;
}

tc_local *tc_host_outside_at(tc_lift *L, const tc_val *ptr, tc_t width, uint64_t *at) {
    if (ptr->kind != TC_V_PTR || ptr->nalts != 1 || L->places.data[ptr->alts[0].place].kind != TC_PL_OBJECT)
        return NULL;
    uint32_t object = L->places.data[ptr->alts[0].place].object;
    tc_local *l = tc_object_init(L, object) != NULL || is_made(L, object) ? NULL : outside(L, object);
    if (l == NULL || !lies_in(l, ptr->alts[0].offset, width))
        return NULL;
    *at = (uint64_t)ptr->alts[0].offset->value;
    return l;
}

static const tc_val *moved(tc_lift *L, const tc_val *ptr, uint64_t by) {
    tc_alt *alts = TC_NEW_ARRAY(L->arena, tc_alt, ptr->nalts + 1);
    for (size_t i = 0; i < ptr->nalts; i++) {
        alts[i] = ptr->alts[i];
        alts[i].offset = tc_addc(L->ts, alts[i].offset, (tc_i128)by);
    }
    return tc_val_alts(L, alts, ptr->nalts);
}

const tc_val *tc_host_load(tc_lift *L, tc_flow *f, const tc_val *ptr, uint64_t offset, LLVMTypeRef type) {
    tc_touch a = {.kind = TC_EV_READ, .what = "load", .type = type, .align = 1};
    a.width = tc_int(L->ts, (tc_i128)tc_lift_type_size(L, type));
    return tc_lift_touch(L, f, ptr->kind == TC_V_PTR ? moved(L, ptr, offset) : ptr, &a, NULL);
}

void tc_host_put(tc_lift *L, tc_flow *f, const tc_val *ptr, uint64_t offset, uint64_t width, const tc_val *v) {
    tc_touch a = {.kind = TC_EV_WRITE, .what = "store", .align = 1, .width = tc_int(L->ts, (tc_i128)width)};
    if (!tc_host_keeps(L, ptr))
        tc_host_leak(L, v);
    tc_lift_touch(L, f, ptr->kind == TC_V_PTR ? moved(L, ptr, offset) : ptr, &a, v);
}

// ---- new memory, unknown pointers ----

static uint32_t made_object(tc_lift *L, const char *name, uint64_t key, tc_t size) {
    tc_object o = {.space = TC_SPACE_GLOBAL, .variance = TC_VAR_LAUNCH, .contract = -1, .nonnull = L->tt, .elem = 1, .align = 1,
                   .name = name, .size = size};
    o.param = TC_HOST_MADE + L->host->made++;
    return tc_object_new(L, key, o);
}

// In a loop that is described once, an instruction's value of one iteration may meet that of another one.
static bool in_described_loop(const tc_lift *L) {
    for (const tc_loop_ctx *c = L->loop; c != NULL; c = c->outer)
        if (!c->unrolled)
            return true;
    return false;
}

const tc_val *tc_host_pointer(tc_lift *L, const char *name, uint64_t key) {
    if (in_described_loop(L))
        return NULL;
    key = tc_hash_mix(tc_hash_mix(TC_KEY(L->node), TC_KEY(L->inst)), key + 0x90147e4);
    return tc_val_ptr(L, tc_place_object(L, made_object(L, name, key, NULL)), tc_int(L->ts, 0));
}

bool tc_host_is_several(const tc_lift *L, uint32_t place) {
    const tc_place *p = &L->places.data[place];
    return L->host != NULL && p->kind == TC_PL_OBJECT && tc_map_has(&L->host->several, p->object + 1);
}

static tc_allocation *allocation_of(const tc_lift *L, uint32_t object) {
    for (size_t i = 0; i < L->host->allocations.len; i++)
        if (L->host->allocations.data[i]->object == object)
            return L->host->allocations.data[i];
    return NULL;
}

const tc_allocation *tc_host_allocation_of(const tc_lift *L, uint32_t object) { return allocation_of(L, object); }

bool tc_host_is_of_device(const tc_allocation *made) { return strncmp(made->by, "cuda", 4) == 0; }

const char *tc_host_local_name(tc_lift *L, const tc_local *l) {
    size_t n = 0;
    const char *name = l->value == NULL ? "" : LLVMGetValueName2(l->value, &n);
    const char *dot = strstr(name, ".addr");
    return *name == 0 ? "a local variable" : tc_strndup(L->arena, name, dot != NULL ? (size_t)(dot - name) : n);
}

const void *tc_host_loop(const tc_lift *L) {
    for (const tc_loop_ctx *c = L->loop; c != NULL; c = c->outer)
        if (!c->unrolled)
            return c->node;
    return NULL;
}

// ---- memory of the host that a device reaches ----

// SOUND: what a pass that only looks around a loop comes to has not been registered yet where the loop begins.
void tc_host_pin(tc_lift *L, const tc_flow *f, const tc_val *v, tc_t size) {
    const tc_place *p = v->kind == TC_V_PTR && v->nalts == 1 ? &L->places.data[v->alts[0].place] : NULL;
    if (p == NULL || p->kind != TC_PL_OBJECT || tc_host_is_several(L, v->alts[0].place) || size == NULL || L->dry > 0)
        return;
    tc_pinned *x = TC_NEW(L->arena, tc_pinned);
    *x = (tc_pinned){.cond = f->guard, .from = v->alts[0].offset, .size = size, .loop = tc_host_loop(L)};
    tc_map_put(L->arena, &L->host->pinned, p->object + 1, x);
}

static void unpin(tc_lift *L, const tc_flow *f, tc_pinned *x, tc_t cond) {
    x->cond = tc_and(L->ts, x->cond, tc_not(L->ts, tc_and(L->ts, f->guard, cond)));
    x->undone = true;
}

// SOUND: a pointer that is not known may be any.
void tc_host_unpin(tc_lift *L, const tc_flow *f, const tc_val *v) {
    bool unknown = v->kind != TC_V_PTR;
    for (size_t i = 0; i < v->nalts; i++) {
        const tc_place *p = &L->places.data[v->alts[i].place];
        tc_pinned *x = p->kind == TC_PL_OBJECT ? tc_map_get(&L->host->pinned, p->object + 1) : NULL;
        if (x != NULL)
            unpin(L, f, x, v->alts[i].cond);
        unknown |= p->kind == TC_PL_UNKNOWN || (p->kind == TC_PL_OBJECT && x == NULL);
    }
    for (size_t i = 0; unknown && i < L->host->pinned.len; i++)
        unpin(L, f, L->host->pinned.values[i], L->tt);
}

void tc_host_note_copy(tc_lift *L, const tc_val *to, const tc_val *from) {
    if (to->kind != TC_V_PTR || from->kind != TC_V_PTR || to->nalts != 1 || from->nalts != 1)
        return;
    const tc_place *p = &L->places.data[to->alts[0].place];
    const tc_allocation *made = p->kind == TC_PL_OBJECT ? allocation_of(L, p->object) : NULL;
    if (made != NULL && tc_host_is_of_device(made))
        tc_map_put(L->arena, &L->host->copied_to, from->alts[0].place + 1, (void *)(uintptr_t)made);
}

// ---- memory that is freed ----

static void free_object(tc_lift *L, const tc_flow *f, uint32_t object, tc_t cond) {
    tc_t before = tc_map_get(&L->host->freed, object + 1);
    if (before == NULL)
        return; // none that was made here
    tc_t now = tc_or(L->ts, before, tc_and(L->ts, f->guard, cond));
    tc_map_put(L->arena, &L->host->freed, object + 1, (void *)(uintptr_t)now);
    tc_allocation *made = allocation_of(L, object);
    if (made != NULL && !tc_is_false(now))
        made->given_back = true;
}

// A call that frees this and nothing else. In a described loop it may be that of another turn.
static void surely_free_object(tc_lift *L, const tc_flow *f, uint32_t object, tc_t cond) {
    tc_allocation *made = allocation_of(L, object);
    if (made == NULL || in_described_loop(L))
        return;
    tc_t before = tc_map_get(&L->host->gone, object + 1), now = tc_and(L->ts, f->guard, cond);
    tc_map_put(L->arena, &L->host->gone, object + 1, (void *)(uintptr_t)(before != NULL ? tc_or(L->ts, before, now) : now));
    made->freed = tc_lift_loc(L, L->inst, NULL);
}

// SOUND: under the guard of the call, whether or not it comes to free; of a pointer of unknown origin it may be any.
void tc_host_free(tc_lift *L, const tc_flow *f, const tc_val *v, bool any) {
    for (size_t i = 0; i < v->nelems; i++)
        tc_host_free(L, f, v->elems[i], any);
    bool unknown = v->kind == TC_V_ANY || v->kind == TC_V_BYTES;
    for (size_t i = 0; i < v->nalts; i++) {
        const tc_place *p = &L->places.data[v->alts[i].place];
        if (p->kind == TC_PL_OBJECT)
            free_object(L, f, p->object, v->alts[i].cond);
        if (p->kind == TC_PL_OBJECT && any)
            surely_free_object(L, f, p->object, v->alts[i].cond);
        unknown |= p->kind == TC_PL_UNKNOWN;
    }
    for (size_t i = 0; any && unknown && i < L->host->freed.len; i++)
        free_object(L, f, (uint32_t)(L->host->freed.keys[i] - 1), L->tt);
}

// cudaDeviceReset.
void tc_host_free_all(tc_lift *L, const tc_flow *f) {
    for (size_t i = 0; i < L->host->freed.len; i++) {
        const tc_allocation *made = allocation_of(L, (uint32_t)(L->host->freed.keys[i] - 1));
        if (made == NULL || tc_host_is_of_device(made))
            free_object(L, f, (uint32_t)(L->host->freed.keys[i] - 1), L->tt);
    }
    for (size_t i = 0; i < L->host->pinned.len; i++)
        unpin(L, f, L->host->pinned.values[i], L->tt);
}

const tc_val *tc_host_allocate(tc_lift *L, const char *by, tc_t size) {
    uint64_t key = tc_hash_mix(tc_hash_mix(TC_KEY(L->node), TC_KEY(L->inst)), 0xa110c);
    uint32_t object = made_object(L, by, key, size != NULL ? size : tc_int(L->ts, 0));
    bool many = in_described_loop(L);
    tc_map_put(L->arena, &L->host->freed, object + 1, (void *)(uintptr_t)L->ff);
    if (many)
        tc_map_put(L->arena, &L->host->several, object + 1, L);
    if (L->dry == 0 && allocation_of(L, object) == NULL) {
        tc_allocation *x = TC_NEW(L->arena, tc_allocation);
        *x = (tc_allocation){.object = object, .size = size, .by = by, .loc = tc_lift_loc(L, L->inst, NULL), .many = many, .loop = tc_host_loop(L)};
        tc_push(L->arena, &L->host->allocations, x);
    }
    return tc_val_ptr(L, tc_place_object(L, object), tc_int(L->ts, 0));
}
