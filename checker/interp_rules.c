// Faults: how they are told, and which region of an object a block owns.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checker/interp_vm.h"

bool tc_vm_rule(const tc_vm *vm, const char *code) {
    return !vm->options || tc_options_rule(vm->options, code);
}

void tc_vm_stop(tc_vm *vm, const char *format, ...) {
    if (vm->halted)
        return;
    char text[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    vm->halted = true;
    vm->stats->stopped = tc_strdup(vm->out_arena, text);
}

const char *tc_vm_object_name(tc_vm *vm, const tc_mobj *o) {
    if (o->name)
        return o->name;
    const uint64_t id = tc_addr_object(o->base);
    return vm->p->dyn_shared && id == vm->p->dyn_shared ? tc_dynamic_shared_name : "an object without a name";
}

bool tc_fault_same_calls(const tc_fault *f) {
    if (f->ncalls != f->nother_calls)
        return false;
    for (uint32_t i = 0; i < f->ncalls; i++)
        if (f->calls[i].file != f->other_calls[i].file || f->calls[i].line != f->other_calls[i].line ||
            f->calls[i].column != f->other_calls[i].column)
            return false;
    return true;
}

void tc_vm_other(const tc_vm *vm, tc_fault *f, uint32_t place) {
    const tc_place_info *p = &vm->p->places.data[place];
    f->other_loc = p->loc;
    f->other_calls = p->calls;
    f->nother_calls = p->ncalls;
}

void tc_vm_fault(tc_vm *vm, tc_thread *t, const char *code, uint32_t place, const tc_fault *from, const char *format,
                 ...) {
    tc_loc loc = place == TC_NONE ? from->loc : vm->p->places.data[place].loc;
    tc_watch *watch = vm->launch->watch;
    if (watch && strcmp(watch->code, code) == 0 && watch->loc.file == loc.file && watch->loc.line == loc.line &&
        watch->loc.column == loc.column)
        watch->seen = true;
    uint64_t key = tc_hash_mix(tc_hash_bytes(code, strlen(code), 3), (uint64_t)loc.file << 32 | loc.line);
    key = tc_hash_mix(key, loc.column);
    if (from && from->object)
        key = tc_hash_mix(key, tc_hash_bytes(from->object, strlen(from->object), 5));
    if (vm->over || tc_map_has(&vm->fault_index, key))
        return;
    tc_map_put(vm->arena, &vm->fault_index, key, vm);
    if (vm->halted || vm->in_doubt || !tc_vm_rule(vm, code) || vm->faults->len >= vm->max_faults)
        return;
    tc_fault f = from ? *from : (tc_fault){0};
    f.code = code;
    f.loc = loc;
    if (t) {
        memcpy(f.block, vm->block->idx, sizeof f.block);
        memcpy(f.thread, t->idx, sizeof f.thread);
    }
    f.step = vm->steps;
    char text[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    f.text = tc_strdup(vm->out_arena, text);
    if (f.object)
        f.object = tc_strdup(vm->out_arena, f.object);
    if (place != TC_NONE) {
        f.calls = vm->p->places.data[place].calls;
        f.ncalls = vm->p->places.data[place].ncalls;
    }
    tc_push(vm->out_arena, vm->faults, f);
}

// "unsigned addition overflows", before and behind the operation's name.
static const char *before_name(const tc_place_info *site, tc_misread how) {
    if (how == TC_MR_NEGATIVE)
        return "a negative value is read as unsigned";
    if (how == TC_MR_LARGE)
        return "a value too large for a signed type is read as signed";
    if (!site->what)
        return "a conversion changes the value";
    return how == TC_MR_RESULT ? "the result of the " : "";
}

static const char *behind_name(tc_misread how) {
    return how == TC_MR_RESULT ? " is too large for the signed type that it is converted to" : " overflows";
}

void tc_vm_marked(tc_vm *vm, tc_thread *t, uint32_t mark, uint32_t place, const char *use) {
    const tc_mark m = vm->marks.data[mark];
    const tc_place_info *here = &vm->p->places.data[place];
    if (m.overflow) {
        const tc_place_info *site = &vm->p->places.data[m.overflow - 1];
        const bool named = site->what && (m.misread == TC_MR_ARITHMETIC || m.misread == TC_MR_RESULT);
        tc_fault f = {.overflowing = named ? site->what : NULL};
        tc_vm_fault(vm, t, "TC2002", m.overflow - 1, &f, "%s%s%s, and the %s at line %u depends on it",
                    before_name(site, m.misread), named ? site->what : "", named ? behind_name(m.misread) : "", use,
                    here->loc.line);
    }
    if (m.uninit && vm->block->whole) {
        const tc_place_info *site = &vm->p->places.data[m.uninit - 1];
        tc_fault f = {0};
        if (m.uninit > 1 && site->what && strncmp(site->what, "variable", 8) == 0)
            tc_vm_fault(vm, t, "TC2005", place, &f, "the %s depends on %s of line %u, which has no value here", use,
                        site->what, site->loc.line);
        else
            tc_vm_fault(vm, t, "TC2005", place, &f, "the %s depends on a value that was never written", use);
    }
}

void tc_vm_trap(tc_vm *vm, tc_thread *t, uint32_t place) {
    const tc_place_info *p = &vm->p->places.data[place];
    tc_vm_stop(vm, "%s at line %u, thread (%u,%u,%u) of block (%u,%u,%u)", p->what ? p->what : "trap", p->loc.line,
               t->idx[0], t->idx[1], t->idx[2], vm->block->idx[0], vm->block->idx[1], vm->block->idx[2]);
}

// A call of something of which nothing is known ends the run. Any other call would end the kernel: the other threads only go on
// to show whether they break an assumption.
void tc_vm_bad_call(tc_vm *vm, tc_thread *t, const tc_reg *pointer, uint32_t place) {
    enum { SMALL = 4096 }; // numbers that are no addresses
    const uint64_t id = tc_addr_object(pointer->bits), from = pointer->bits - (id << TC_ADDR_SHIFT);
    const bool moved = id >= TC_FUNCTION_IDS && from != 0;
    const bool data = (id > 0 && id < vm->nobjects) || (id >= TC_LOCAL_IDS && id - TC_LOCAL_IDS < vm->p->locals.len);
    tc_fault f = {0};
    if (tc_mark_real(vm, TC_MARK(pointer)) || !(moved || data || pointer->bits < SMALL))
        tc_vm_stop(vm, "a call of a function of which nothing is known");
    else if (pointer->bits == 0)
        tc_vm_fault(vm, t, "TC2001", place, &f, "a call through a null pointer");
    else
        tc_vm_fault(vm, t, "TC2001", place, &f, "a call through a pointer to no function: %s",
                    moved ? "it was moved away from one" : data ? "it points to data" : "it is a number");
    vm->over = true;
}

void tc_vm_unreachable(tc_vm *vm, tc_thread *t, uint32_t place) {
    tc_fault f = {0};
    tc_vm_fault(vm, t, "TC9002", place, &f, "a point is reached of which the source says that it is not");
}

// ---- regions ----

typedef struct tc_own {
    const tc_object_contract *oc;
    unsigned ndims;
    tc_i128 shape[TC_MAX_DIMS], stride[TC_MAX_DIMS], tile[TC_MAX_DIMS];
    unsigned order[TC_MAX_DIMS]; // dimensions by falling stride
    tc_i128 lo[TC_MAX_DIMS];     // AT: first index of the tile
    tc_i128 rows_lo, rows_hi;
    tc_map *owners; // OWNER: number of the tile -> linear block + 1
    bool known;
} tc_own;

static bool eval(tc_vm *vm, const uint32_t *block, tc_t t, tc_i128 *r) {
    return t && tc_launch_eval(vm->contract, vm->launch, block, NULL, t, r);
}

static bool own_shape(tc_vm *vm, const tc_object_contract *oc, tc_own *w) {
    w->oc = oc;
    w->ndims = oc->ndims;
    for (unsigned d = 0; d < oc->ndims; d++) {
        if (!eval(vm, NULL, oc->shape[d], &w->shape[d]) || !eval(vm, NULL, oc->stride[d], &w->stride[d]))
            return false;
        w->tile[d] = 1;
        if (oc->region != TC_REGION_ROWS && (!eval(vm, NULL, oc->tile[d], &w->tile[d]) || w->tile[d] <= 0))
            return false;
        w->order[d] = d;
    }
    for (unsigned i = 0; i < oc->ndims; i++)
        for (unsigned j = i + 1; j < oc->ndims; j++)
            if (w->stride[w->order[j]] > w->stride[w->order[i]]) {
                unsigned k = w->order[i];
                w->order[i] = w->order[j];
                w->order[j] = k;
            }
    return oc->ndims > 0;
}

// The subscripts of a flat element index; false when the strides do not tell.
static bool own_index(const tc_own *w, tc_i128 flat, tc_i128 *index) {
    for (unsigned k = 0; k < w->ndims; k++) {
        unsigned d = w->order[k];
        index[d] = w->stride[d] > 0 ? flat / w->stride[d] : 0;
        if (index[d] >= w->shape[d])
            index[d] = w->shape[d] - 1;
        flat -= index[d] * w->stride[d];
    }
    return flat == 0;
}

static tc_i128 block_count(const tc_launch *l) {
    return (tc_i128)l->grid[0] * l->grid[1] * l->grid[2];
}

static bool owner_of(tc_vm *vm, const tc_own *w, const tc_i128 *tile, tc_i128 *owner) {
    tc_env env;
    tc_launch_env(vm->arena, vm->contract, vm->launch, NULL, NULL, &env);
    tc_i128 *values = TC_NEW_ARRAY(vm->arena, tc_i128, w->ndims);
    for (unsigned d = 0; d < w->ndims; d++) {
        values[d] = tile[d];
        if (w->oc->owner_index[d])
            tc_map_put(vm->arena, &env.syms, TC_KEY(w->oc->owner_index[d]), &values[d]);
    }
    return tc_eval(vm->contract->terms, w->oc->owner, &env, owner);
}

bool tc_own_has(tc_vm *vm, tc_mobj *o, uint64_t offset) {
    tc_own *w = o->own;
    tc_i128 index[TC_MAX_DIMS];
    if (!w || !w->known || !own_index(w, (tc_i128)(offset / o->elem), index))
        return true;
    switch (w->oc->region) {
    case TC_REGION_AT:
        for (unsigned d = 0; d < w->ndims; d++)
            if (index[d] < w->lo[d] || index[d] >= w->lo[d] + w->tile[d])
                return false;
        return true;
    case TC_REGION_ROWS:
        return index[0] >= w->rows_lo && index[0] < w->rows_hi;
    case TC_REGION_OWNER: {
        uint64_t key = 0;
        for (unsigned d = 0; d < w->ndims; d++) {
            index[d] /= w->tile[d];
            key = tc_hash_mix(key, (uint64_t)index[d]);
        }
        uintptr_t cached = (uintptr_t)tc_map_get(w->owners, key);
        if (cached == 0) {
            tc_i128 owner;
            cached = owner_of(vm, w, index, &owner) && owner >= 0 && owner < block_count(vm->launch)
                         ? (uintptr_t)owner + 2
                         : 1;
            tc_map_put(vm->arena, w->owners, key, (void *)cached);
        }
        return cached >= 2 && cached - 2 == vm->block->linear;
    }
    default:
        return true;
    }
}

void tc_own_block(tc_vm *vm, tc_block *b) {
    size_t n = vm->contract->objects.len;
    if (!b->own)
        b->own = TC_NEW_ARRAY(vm->arena, tc_own *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const tc_object_contract *oc = &vm->contract->objects.data[i];
        tc_mobj *o = &vm->objects[1 + i];
        if (!o->owned)
            continue;
        tc_own *w = b->own[i];
        if (!w) {
            w = b->own[i] = TC_NEW(vm->arena, tc_own);
            w->known = own_shape(vm, oc, w);
            w->owners = vm->owners[i];
        }
        if (!w->known)
            continue;
        if (oc->region == TC_REGION_ROWS)
            w->known = eval(vm, b->idx, oc->rows_lo, &w->rows_lo) && eval(vm, b->idx, oc->rows_hi, &w->rows_hi);
        for (unsigned d = 0; oc->region == TC_REGION_AT && d < w->ndims; d++) {
            w->known = w->known && eval(vm, b->idx, oc->at[d], &w->lo[d]);
            w->lo[d] *= w->tile[d];
        }
    }
}

void tc_own_switch(tc_vm *vm, tc_block *b) {
    for (size_t i = 0; b && b->own && i < vm->contract->objects.len; i++)
        vm->objects[1 + i].own = b->own[i];
}

// ---- TC1005: faults of the contract itself, for this launch ----

static void block_at(const tc_launch *l, uint64_t k, uint32_t *idx) {
    idx[0] = (uint32_t)(k % l->grid[0]);
    idx[1] = (uint32_t)(k / l->grid[0] % l->grid[1]);
    idx[2] = (uint32_t)(k / l->grid[0] / l->grid[1]);
}

static void check_at(tc_vm *vm, const tc_object_contract *oc, const tc_own *w) {
    tc_map seen = {0};
    tc_i128 n = block_count(vm->launch);
    for (tc_i128 k = 0; k < n && k < 4096; k++) {
        uint32_t idx[3];
        block_at(vm->launch, (uint64_t)k, idx);
        uint64_t key = 0;
        bool empty = false;
        for (unsigned d = 0; d < w->ndims; d++) {
            tc_i128 at;
            if (!eval(vm, idx, oc->at[d], &at))
                return;
            empty |= at < 0 || at * w->tile[d] >= w->shape[d];
            key = tc_hash_mix(key, (uint64_t)at);
        }
        uintptr_t other = (uintptr_t)tc_map_get(&seen, key);
        if (!empty && other) {
            tc_fault f = {.loc = oc->at_loc.line ? oc->at_loc : oc->tile_loc, .two = true, .object = oc->path};
            memcpy(f.block, idx, sizeof idx);
            block_at(vm->launch, other - 1, f.other_block);
            f.other_loc = f.loc;
            tc_vm_fault(vm, NULL, "TC1005", TC_NONE, &f, "blocks (%u,%u,%u) and (%u,%u,%u) have the same tile of '%s'",
                        idx[0], idx[1], idx[2], f.other_block[0], f.other_block[1], f.other_block[2], oc->path);
            return;
        }
        if (!empty)
            tc_map_put(vm->arena, &seen, key, (void *)(uintptr_t)(k + 1));
    }
}

static void check_owner(tc_vm *vm, const tc_object_contract *oc, const tc_own *w) {
    tc_i128 tiles[TC_MAX_DIMS], total = 1, at[TC_MAX_DIMS] = {0};
    for (unsigned d = 0; d < w->ndims; d++) {
        tiles[d] = (w->shape[d] + w->tile[d] - 1) / w->tile[d];
        total *= tiles[d];
        if (total <= 0 || total > 4096)
            return;
    }
    for (tc_i128 k = 0; k < total; k++) {
        tc_i128 owner;
        if (!owner_of(vm, w, at, &owner) || owner < 0 || owner >= block_count(vm->launch)) {
            tc_fault f = {.loc = oc->at_loc.line ? oc->at_loc : oc->tile_loc, .object = oc->path};
            tc_vm_fault(vm, NULL, "TC1005", TC_NONE, &f, "the owner of a tile of '%s' is no block of the grid",
                        oc->path);
            return;
        }
        for (unsigned d = w->ndims; d-- > 0;) {
            if (++at[d] < tiles[d])
                break;
            at[d] = 0;
        }
    }
}

static void check_strides(tc_vm *vm, const tc_object_contract *oc, const tc_own *w) {
    tc_i128 total = 1, span = 1, at[TC_MAX_DIMS] = {0};
    for (unsigned d = 0; d < w->ndims; d++) {
        total *= w->shape[d];
        if (total <= 0 || total > (1 << 20) || w->stride[d] < 0)
            return;
        span += (w->shape[d] - 1) * w->stride[d];
    }
    if (span > (1 << 26))
        return;
    unsigned char *seen = tc_alloc(vm->arena, (size_t)span / 8 + 1);
    for (tc_i128 k = 0; k < total; k++) {
        tc_i128 flat = 0;
        for (unsigned d = 0; d < w->ndims; d++)
            flat += at[d] * w->stride[d];
        if (seen[flat / 8] >> (flat % 8) & 1) {
            tc_fault f = {.loc = oc->stride_loc.line ? oc->stride_loc : oc->shape_loc, .object = oc->path};
            tc_vm_fault(vm, NULL, "TC1005", TC_NONE, &f,
                        "two elements of '%s' are at place %lld by its strides", oc->path,
                        (long long)flat);
            return;
        }
        seen[flat / 8] |= (unsigned char)(1u << (flat % 8));
        for (unsigned d = w->ndims; d-- > 0;) {
            if (++at[d] < w->shape[d])
                break;
            at[d] = 0;
        }
    }
}

void tc_own_init(tc_vm *vm) {
    size_t n = vm->contract->objects.len;
    vm->owners = TC_NEW_ARRAY(vm->arena, tc_map *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const tc_object_contract *oc = &vm->contract->objects.data[i];
        vm->owners[i] = TC_NEW(vm->arena, tc_map);
        tc_own w = {0};
        if (oc->ndims == 0 || vm->partial)
            continue;
        bool region = oc->region == TC_REGION_AT || oc->region == TC_REGION_OWNER;
        tc_object_contract shape_only = *oc;
        if (!region)
            shape_only.region = TC_REGION_ROWS;
        if (!own_shape(vm, &shape_only, &w))
            continue;
        w.oc = oc;
        if (oc->explicit_stride)
            check_strides(vm, oc, &w);
        if (oc->region == TC_REGION_AT)
            check_at(vm, oc, &w);
        if (oc->region == TC_REGION_OWNER)
            check_owner(vm, oc, &w);
    }
}
