// Memory objects: their bytes, and the checks that every access has to pass.
#include <string.h>

#include "checker/interp_vm.h"
#include "checker/layout.h"

#define PAGE (UINT64_C(1) << vm->page_shift)

// ---- making objects ----

// Where only a few threads run, little of a large buffer is ever looked at.
static bool is_large(const tc_vm *vm, uint64_t size) {
    return size > (vm->partial ? UINT64_C(1) << 16 : TC_FLAT_LIMIT);
}

static uint8_t start_grain(uint32_t elem, uint64_t base) {
    uint32_t g = elem >= 4 ? 2 : elem == 2 ? 1 : 0;
    while (g > 0 && base & ((1u << g) - 1))
        g--;
    return (uint8_t)g;
}

static void make_cells(tc_vm *vm, tc_mobj *o) {
    if (o->kind == TC_MO_PAGED)
        return;
    o->cells = TC_NEW_ARRAY(vm->arena, tc_cell *, ((o->size >> o->grain) + 1) / TC_CHUNK + 1);
}

// Elements that exist, where strides leave gaps or go another way than row-major.
static void make_exists(tc_vm *vm, tc_mobj *o, const tc_object_contract *oc) {
    tc_i128 shape[TC_MAX_DIMS], stride[TC_MAX_DIMS], total = 1;
    for (unsigned d = 0; d < oc->ndims; d++) {
        if (!tc_launch_eval(vm->contract, vm->launch, NULL, NULL, oc->shape[d], &shape[d]) ||
            !tc_launch_eval(vm->contract, vm->launch, NULL, NULL, oc->stride[d], &stride[d]))
            return;
        total *= shape[d];
        if (total <= 0 || total > (1 << 24))
            return;
    }
    uint64_t n = o->size / o->elem;
    if (n > (1u << 28))
        return;
    o->exists = tc_alloc(vm->arena, n / 8 + 1);
    tc_i128 index[TC_MAX_DIMS] = {0};
    for (tc_i128 k = 0; k < total; k++) {
        tc_i128 at = 0;
        for (unsigned d = 0; d < oc->ndims; d++)
            at += index[d] * stride[d];
        if (at >= 0 && at < (tc_i128)n)
            o->exists[at / 8] |= (unsigned char)(1u << (at % 8));
        for (unsigned d = oc->ndims; d-- > 0;) {
            if (++index[d] < shape[d])
                break;
            index[d] = 0;
        }
    }
    o->gaps = true;
}

static void contract_object(tc_vm *vm, uint32_t i) {
    const tc_object_contract *oc = &vm->contract->objects.data[i];
    const tc_buffer *b = &vm->launch->buffers[i];
    tc_mobj *o = &vm->objects[1 + i];
    o->contract = (int)i;
    o->name = oc->path;
    o->borrow = (uint8_t)oc->borrow;
    o->elem = oc->elem && oc->elem->size ? (uint32_t)oc->elem->size : 1;
    o->base = tc_vm_base(b, i);
    vm->has_open |= b->open;
    if (b->null)
        return;
    o->size = b->bytes;
    uint64_t extent;
    if (oc->ndims > 0 && tc_launch_extent(vm->contract, vm->launch, i, &extent) && extent < o->size)
        o->size = extent;
    if (oc->elem && oc->elem->kind == TC_TY_INT && o->elem <= 8)
        o->sign = oc->elem->is_signed ? TC_SIGN_SIGNED : TC_SIGN_UNSIGNED;
    if (oc->elem && oc->elem->kind == TC_TY_STRUCT)
        o->fields = oc->elem;
    o->tracked = oc->borrow != TC_BORROW_SHARED && oc->borrow != TC_BORROW_UNCHECKED;
    o->is_const = oc->borrow == TC_BORROW_SHARED;
    o->owned = oc->region != TC_REGION_NONE && (oc->borrow == TC_BORROW_MUT || oc->borrow == TC_BORROW_OUT);
    o->uninit = oc->borrow == TC_BORROW_OUT;
    o->grain = start_grain(o->elem, o->base);
    if (is_large(vm, o->size)) {
        o->kind = TC_MO_PAGED;
        o->pages = TC_NEW(vm->arena, tc_map);
        o->chunks = TC_NEW(vm->arena, tc_map);
    } else {
        o->kind = o->tracked ? TC_MO_TRACKED : TC_MO_PLAIN;
        o->data = tc_alloc(vm->arena, o->size + 16);
        if (oc->borrow != TC_BORROW_OUT)
            tc_launch_fill(vm->contract, vm->launch, i, 0, o->size, o->data);
    }
    if (oc->ndims > 0 && oc->explicit_stride)
        make_exists(vm, o, oc);
    if ((o->gaps || vm->launch->watch) && o->kind == TC_MO_PLAIN)
        o->kind = TC_MO_TRACKED; // off the fast path; nothing is tracked
    if (o->tracked)
        make_cells(vm, o);
}

// Of integers and floats, in arrays of them; what is more than that begins as the source says.
static void set_variable(tc_vm *vm, const tc_vm_global *g, unsigned char *data) {
    LLVMTypeRef t = LLVMGlobalGetValueType(g->value);
    while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
        t = LLVMGetElementType(t);
    const LLVMTypeKind k = LLVMGetTypeKind(t);
    const bool is_int = k == LLVMIntegerTypeKind, is_float = k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
    const uint64_t width = is_int || is_float ? LLVMABISizeOfType(vm->p->layout, t) : 0;
    for (uint64_t i = 0; width > 0 && width <= 8 && (i + 1) * width <= g->size; i++) {
        const unsigned v = tc_launch_variable(vm->launch, g->object, i);
        const uint64_t bits = is_int ? v : tc_float_put(v, width == 8 ? TC_F64 : TC_F32);
        memcpy(data + i * width, &bits, width);
    }
}

static void global_object(tc_vm *vm, const tc_vm_global *g) {
    tc_mobj *o = &vm->objects[g->object];
    o->name = g->name;
    o->size = g->size;
    o->elem = (uint32_t)(g->align ? g->align : 1);
    if (o->elem > 4)
        o->elem = 4;
    if (g->contract < 0)
        o->base = (uint64_t)g->object << TC_ADDR_SHIFT;
    o->is_const = g->is_const || (g->contract >= 0 && o->borrow == TC_BORROW_SHARED);
    o->tracked = !o->is_const && o->borrow != TC_BORROW_UNCHECKED;
    o->grain = start_grain(o->elem, 0);
    if (is_large(vm, o->size)) {
        o->kind = TC_MO_PAGED;
        o->pages = TC_NEW(vm->arena, tc_map);
        o->chunks = TC_NEW(vm->arena, tc_map);
    } else {
        o->kind = o->tracked ? TC_MO_TRACKED : TC_MO_PLAIN;
        bool filled = o->data != NULL;
        if (!filled)
            o->data = tc_alloc(vm->arena, o->size + 16);
        if (g->init)
            memcpy(o->data, g->init, o->size);
        if (vm->launch->variables && g->is_settable && !filled)
            set_variable(vm, g, o->data);
    }
    if (o->tracked)
        make_cells(vm, o);
}

static tc_mobj *object_of_path(tc_vm *vm, const char *path) {
    for (uint32_t i = 0; i < vm->contract->objects.len; i++)
        if (strcmp(vm->contract->objects.data[i].path, path) == 0)
            return &vm->objects[1 + i];
    return NULL;
}

static bool is_bytes(const tc_mobj *o) { return o->data && !o->gaps && o->borrow != TC_BORROW_UNCHECKED && o->borrow != TC_BORROW_ATOMIC; }

// One buffer under both names: the bytes and what is known of who touched them. What each may be used for stays its own.
static void join(tc_vm *vm, tc_mobj *o, tc_mobj *with) {
    if (!with || with == o || with->size != o->size || !is_bytes(with) || !is_bytes(o))
        return;
    tc_mobj *pair[] = {with, o};
    for (int i = 0; i < 2; i++) {
        pair[i]->kind = TC_MO_TRACKED;
        pair[i]->tracked = true;
        pair[i]->uninit = with->uninit;
        pair[i]->grain = o->grain < with->grain ? o->grain : with->grain;
    }
    o->data = with->data;
    make_cells(vm, with); // nothing was touched yet, and cells may be smaller now
    o->twin = with->twin ? with->twin : with;
    with->twin = o;
    for (tc_mobj *t = with->twin; t != with; t = t->twin) {
        t->grain = with->grain;
        t->cells = with->cells;
    }
}

static void join_in_place(tc_vm *vm) {
    for (uint32_t i = 0; i < vm->contract->objects.len; i++)
        if (vm->contract->objects.data[i].inplace)
            join(vm, &vm->objects[1 + i], object_of_path(vm, vm->contract->objects.data[i].inplace));
}

void tc_mem_init(tc_vm *vm) {
    const tc_program *p = vm->p;
    vm->page_shift = vm->partial ? 8 : 10;
    vm->nobjects = p->nobjects + 1;
    vm->objects = TC_NEW_ARRAY(vm->arena, tc_mobj, vm->nobjects + 1);
    for (uint32_t i = 0; i < vm->nobjects; i++)
        vm->objects[i].contract = -1;
    for (uint32_t i = 0; i < vm->contract->objects.len; i++)
        contract_object(vm, i);
    if (vm->launch->in_place && !vm->partial)
        join_in_place(vm);
    for (size_t i = 0; i < p->globals.len; i++)
        if (p->globals.data[i].kind <= TC_GLOBAL_CONSTANT)
            global_object(vm, &p->globals.data[i]);
}

// ---- shared memory of a block ----

// Is this the global that stands for its object? All dynamic arrays are one.
static bool stands_for_object(const tc_vm *vm, size_t i) {
    const tc_vm_global *g = &vm->p->globals.data[i];
    if (g->kind != TC_GLOBAL_DYN_SHARED)
        return g->kind == TC_GLOBAL_SHARED;
    for (size_t k = 0; k < i; k++)
        if (vm->p->globals.data[k].kind == TC_GLOBAL_DYN_SHARED)
            return false;
    return true;
}

// Several declarations of the one dynamic array have no name in common.
static const char *dynamic_name(const tc_vm *vm) {
    const char *name = NULL;
    for (size_t i = 0; i < vm->p->globals.len; i++) {
        const tc_vm_global *g = &vm->p->globals.data[i];
        if (g->kind != TC_GLOBAL_DYN_SHARED)
            continue;
        if (name && strcmp(name, g->name) != 0)
            return tc_dynamic_shared_name;
        name = g->name;
    }
    return name;
}

static void shared_object(tc_vm *vm, tc_mobj *o, const tc_vm_global *g, bool fresh) {
    bool dynamic = g->kind == TC_GLOBAL_DYN_SHARED;
    if (fresh) {
        *o = (tc_mobj){.contract = -1, .is_shared = true, .tracked = true, .uninit = true, .kind = TC_MO_TRACKED};
        o->name = dynamic ? dynamic_name(vm) : g->name;
        o->size = dynamic ? vm->launch->smem : g->size;
        o->elem = dynamic || g->align > 4 ? 4 : (uint32_t)(g->align ? g->align : 1);
        o->base = (uint64_t)g->object << TC_ADDR_SHIFT;
        o->grain = start_grain(o->elem, 0);
        o->data = tc_alloc(vm->arena, o->size + 16);
        make_cells(vm, o);
        return;
    }
    memset(o->data, 0, o->size);
    for (uint64_t c = 0; c < ((o->size >> o->grain) + 1) / TC_CHUNK + 1; c++)
        if (o->cells[c])
            memset(o->cells[c], 0, TC_CHUNK * sizeof **o->cells);
}

void tc_mem_block(tc_vm *vm, tc_block *b) {
    bool fresh = b->shared == NULL;
    if (fresh)
        b->shared = TC_NEW_ARRAY(vm->arena, tc_mobj, vm->p->globals.len + 1);
    for (size_t i = 0; i < vm->p->globals.len; i++)
        if (stands_for_object(vm, i))
            shared_object(vm, &b->shared[i], &vm->p->globals.data[i], fresh);
}

// The objects of the running block stand in the common table; those of others wait in their blocks.
void tc_mem_switch(tc_vm *vm, tc_block *b) {
    if (vm->block == b)
        return;
    for (size_t i = 0; i < vm->p->globals.len; i++) {
        const tc_vm_global *g = &vm->p->globals.data[i];
        if (!stands_for_object(vm, i))
            continue;
        if (vm->block && vm->block->shared)
            vm->block->shared[i] = vm->objects[g->object];
        if (b)
            vm->objects[g->object] = b->shared[i];
    }
    vm->block = b;
}

// ---- bytes and cells ----

// A run that touches too much ends alone, not with the kernel's check.
static void check_room(tc_vm *vm) {
    if (tc_trap_room(tc_arena_trap(vm->arena)) < vm->room)
        tc_vm_stop(vm, "the memory for what its accesses leave");
}

static unsigned char *page_of(tc_vm *vm, tc_mobj *o, uint64_t number) {
    unsigned char *page = tc_map_get(o->pages, number);
    if (page)
        return page;
    check_room(vm);
    page = tc_alloc(vm->arena, PAGE + 16);
    if (o->contract >= 0 && o->borrow != TC_BORROW_OUT) {
        uint64_t from = number << vm->page_shift, n = o->size - from < PAGE ? o->size - from : PAGE;
        tc_launch_fill(vm->contract, vm->launch, (uint32_t)o->contract, from, n, page);
        vm->steps += n / 16; // making contents takes its time too
    }
    tc_map_put(vm->arena, o->pages, number, page);
    return page;
}

static void flush_bounce(tc_vm *vm) {
    tc_bounce *b = &vm->bounce;
    if (!b->object)
        return;
    uint64_t first = PAGE - (b->offset & (PAGE - 1));
    memcpy(page_of(vm, b->object, b->offset >> vm->page_shift) + (b->offset & (PAGE - 1)), b->bytes, first);
    memcpy(page_of(vm, b->object, (b->offset >> vm->page_shift) + 1), b->bytes + first, b->width - first);
    b->object = NULL;
}

unsigned char *tc_mem_bytes(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width) {
    if (o->kind != TC_MO_PAGED)
        return o->data + offset;
    flush_bounce(vm);
    uint64_t in_page = offset & (PAGE - 1), number = offset >> vm->page_shift;
    if (in_page + width <= PAGE)
        return page_of(vm, o, number) + in_page;
    tc_bounce *b = &vm->bounce;
    if (width > sizeof b->bytes) {
        tc_vm_stop(vm, "an access of more than 64 bytes");
        return NULL;
    }
    memcpy(b->bytes, page_of(vm, o, number) + in_page, PAGE - in_page);
    memcpy(b->bytes + (PAGE - in_page), page_of(vm, o, number + 1), width - (PAGE - in_page));
    b->object = o;
    b->offset = offset;
    b->width = width;
    return b->bytes;
}

tc_cell *tc_mem_cell(tc_vm *vm, tc_mobj *o, uint64_t index) {
    uint64_t number = index / TC_CHUNK;
    tc_cell *chunk = o->kind == TC_MO_PAGED ? tc_map_get(o->chunks, number) : o->cells[number];
    if (!chunk) {
        check_room(vm);
        chunk = TC_NEW_ARRAY(vm->arena, tc_cell, TC_CHUNK);
        if (o->kind == TC_MO_PAGED)
            tc_map_put(vm->arena, o->chunks, number, chunk);
        else
            o->cells[number] = chunk;
    }
    return &chunk[index % TC_CHUNK];
}

bool tc_mem_is_unknown(tc_vm *vm, const tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width) {
    if (!vm->partial || !o->tracked)
        return false;
    // Somebody who does not run might have written it; what this thread wrote itself is known if it was then.
    // SOUND: as long as it came to no barrier and released nothing since, nobody can have written behind it without a race.
    const bool others = !(o->is_shared && vm->block->whole);
    for (uint64_t i = offset >> o->grain; i <= (offset + width - 1) >> o->grain; i++) {
        const tc_cell *c = tc_mem_cell(vm, o, i);
        const bool own = c->write.block == vm->block->number + 1 && c->write.thread == t->linear && c->write.clock == t->clock;
        if ((others && !own) || (c->write.flags & TC_ACCF_UNKNOWN))
            return true;
    }
    return false;
}

uint32_t tc_mem_loaded(tc_vm *vm, const tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, bool uninit, uint32_t place) {
    if (tc_mem_is_unknown(vm, t, o, offset, width))
        return tc_mark_make(vm, (tc_mark){.unknown = true});
    return uninit ? tc_mark_make(vm, (tc_mark){.uninit = place + 1}) : 0;
}

void tc_mem_stored(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t mark) {
    if (!vm->partial || !o->tracked || !mark || !vm->marks.data[mark].unknown)
        return;
    for (uint64_t i = offset >> o->grain; i <= (offset + width - 1) >> o->grain; i++)
        tc_mem_cell(vm, o, i)->write.flags |= TC_ACCF_UNKNOWN;
}

// ---- the checks ----

static const char *verb(int kind) {
    return kind == TC_READ ? "read" : kind == TC_WRITE ? "write" : "atomic operation";
}

// SOUND: an address that is far from the object may have come from an open buffer, in which all indices exist.
static bool may_be_open(const tc_vm *vm, const tc_mobj *o, uint64_t addr) {
    if (!vm->has_open)
        return false;
    const tc_buffer *b = o && o->contract >= 0 ? &vm->launch->buffers[o->contract] : NULL;
    uint64_t base = o ? o->base : 0, size = o ? o->size : 0;
    return (b && b->open && !b->null) || addr - base + TC_FAR >= size + 2 * TC_FAR;
}

static void out_of_bounds(tc_vm *vm, tc_thread *t, const tc_mobj *o, uint64_t addr, uint64_t width, int kind,
                          uint32_t place) {
    if (!o && tc_addr_object(addr) == tc_addr_object(TC_FOREIGN_POINTER)) {
        tc_vm_stop(vm, "a pointer read from memory, of which the contract says nothing");
        return;
    }
    if (may_be_open(vm, o, addr)) {
        tc_vm_stop(vm, "an access to no object, or far from it, beside a buffer of whose extent nothing is said");
        return;
    }
    if (!o) {
        tc_fault f = {.width = width, .offset = (tc_i128)(int64_t)addr};
        if (tc_addr_object(addr) == 0 || tc_addr_object(addr) == UINT64_C(1) << (64 - TC_ADDR_SHIFT))
            tc_vm_fault(vm, t, "TC2001", place, &f, "%s of %llu byte%s through a null pointer", verb(kind),
                        (unsigned long long)width, width == 1 ? "" : "s");
        else
            tc_vm_fault(vm, t, "TC2001", place, &f, "%s of %llu byte%s at an address that belongs to no object",
                        verb(kind), (unsigned long long)width, width == 1 ? "" : "s");
        return;
    }
    int64_t offset = (int64_t)(addr - o->base);
    const char *name = tc_vm_object_name(vm, o);
    tc_fault f = {.object = name, .offset = offset, .width = width, .size = o->size};
    const tc_buffer *b = o->contract >= 0 ? &vm->launch->buffers[o->contract] : NULL;
    if (b && b->null)
        tc_vm_fault(vm, t, "TC2001", place, &f, "%s of %llu byte%s through '%s', which is null", verb(kind),
                    (unsigned long long)width, width == 1 ? "" : "s", name);
    else if (offset >= 0 && (uint64_t)offset < o->size && o->size - (uint64_t)offset >= width)
        tc_vm_fault(vm, t, "TC2001", place, &f,
                    "%s of %llu byte%s at byte %lld of '%s', between two elements of its shape", verb(kind),
                    (unsigned long long)width, width == 1 ? "" : "s", (long long)offset, name);
    else
        tc_vm_fault(vm, t, "TC2001", place, &f, "%s of %llu byte%s at byte %lld of '%s', which has %llu", verb(kind),
                    (unsigned long long)width, width == 1 ? "" : "s", (long long)offset, name,
                    (unsigned long long)o->size);
}

static bool all_exist(const tc_mobj *o, uint64_t offset, uint64_t width) {
    if (!o->gaps)
        return true;
    for (uint64_t e = offset / o->elem; e <= (offset + width - 1) / o->elem; e++)
        if (!(o->exists[e / 8] >> (e % 8) & 1))
            return false;
    return true;
}

// Atomics are tracked where there may be more to tell than that an access is a plain one.
static bool tracks_atomics(const tc_vm *vm) { return vm->p->fine_sync || vm->p->mixed_atomics; }

// A plain access after all atomics, as of the last block that sets a counter back. Where some threads do not run, that is not known.
static bool is_left_alone(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width) {
    return vm->p->fine_sync && o->tracked && (!vm->block->whole || tc_race_after_atomics(vm, t, o, offset, width));
}

static bool check_borrow(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, int kind, uint32_t flags,
                         uint32_t place) {
    tc_fault f = {.object = tc_vm_object_name(vm, o), .offset = (tc_i128)offset, .width = width, .size = o->size};
    if (o->is_const && kind != TC_READ) {
        tc_vm_fault(vm, t, "TC1003", place, &f, "%s of '%s', which is %s", verb(kind), f.object,
                    o->contract >= 0 ? "borrowed shared" : "constant");
        return false;
    }
    if (o->borrow == TC_BORROW_ATOMIC) {
        unsigned scope = flags >> TC_ACC_SCOPE_SHIFT;
        if (!(flags & TC_ACC_ATOMIC) && !is_left_alone(vm, t, o, offset, width))
            tc_vm_fault(vm, t, "TC1006", place, &f, "plain %s of '%s', which is for atomic operations only", verb(kind),
                        f.object);
        else if (flags & TC_ACC_ATOMIC && scope < TC_SCOPE_GPU && vm->launch->grid[0] * (uint64_t)vm->launch->grid[1] * vm->launch->grid[2] > 1)
            tc_vm_fault(vm, t, "TC1006", place, &f, "atomic operation of block scope on '%s', which all blocks share",
                        f.object);
    }
    if (o->owned && kind != TC_READ) {
        for (uint64_t e = offset / o->elem; e <= (offset + width - 1) / o->elem; e++)
            if (!tc_own_has(vm, o, e * o->elem)) {
                f.offset = (tc_i128)(e * o->elem);
                tc_vm_fault(vm, t, "TC1004", place, &f, "%s of '%s' at element %llu leaves the block's region",
                            verb(kind), f.object, (unsigned long long)e);
                break;
            }
    }
    return true;
}

static unsigned char *local_access(tc_vm *vm, tc_thread *t, const tc_reg *addr, uint64_t id, uint64_t width,
                                   uint32_t align, int kind, uint32_t place, uint64_t *offset) {
    uint32_t index = (uint32_t)(id - TC_LOCAL_IDS);
    if (index >= vm->p->locals.len) {
        out_of_bounds(vm, t, NULL, addr->bits, width, kind, place);
        return NULL;
    }
    const tc_vm_local *l = &vm->p->locals.data[index];
    uint64_t off = addr->bits - (id << TC_ADDR_SHIFT);
    if (off >= l->size || l->size - off < width) {
        tc_mobj o = {
            .base = id << TC_ADDR_SHIFT, .size = l->size, .name = l->name ? l->name : "local variable", .contract = -1};
        out_of_bounds(vm, t, &o, addr->bits, width, kind, place);
        return NULL;
    }
    if (align > 1 && addr->bits & (align - 1)) {
        tc_fault f = {
            .object = l->name ? l->name : "local variable", .offset = (tc_i128)off, .width = width, .size = l->size};
        tc_vm_fault(vm, t, "TC2003", place, &f, "%s of %llu bytes at byte %llu of '%s' needs an alignment of %u bytes",
                    verb(kind), (unsigned long long)width, (unsigned long long)off, f.object, align);
    }
    *offset = l->offset + off;
    return t->local + l->offset + off;
}

// A member read through a pointer to an aligned type has the type's alignment in the IR, and needs that of its width.
static uint32_t needed_align(uint64_t width, uint32_t align) {
    while (align > width)
        align >>= 1;
    return align;
}

// Bytes of which some were never written: are some of those more than padding?
static bool reads_unwritten(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width) {
    const tc_type *t = vm->contract->objects.data[o->contract].elem;
    if (!t || t->size != o->elem)
        return true;
    for (uint64_t i = offset >> o->grain; i <= (offset + width - 1) >> o->grain; i++) {
        const tc_cell *c = tc_mem_cell(vm, o, i);
        const bool unwritten = c->write.block ? c->write.flags & TC_ACCF_UNINIT : !c->atomic[0].block;
        const uint64_t from = i << o->grain, to = (i + 1) << o->grain;
        if (unwritten && tc_type_array_has_value(t, from > offset ? from : offset, to < offset + width ? to : offset + width, true))
            return true;
    }
    return false;
}

unsigned char *tc_mem_access(tc_vm *vm, tc_thread *t, const tc_reg *addr, uint64_t width, uint32_t align, int kind,
                             uint32_t flags, uint32_t place, tc_mobj **obj, uint64_t *offset, bool *uninit) {
    vm->accesses++;
    vm->p->met[place] = true;
    *obj = NULL;
    if (TC_MARK(addr)) {
        const tc_mark m = vm->marks.data[TC_MARK(addr)];
        tc_vm_marked(vm, t, TC_MARK(addr), place, "address");
        if (m.uninit || m.unknown)
            return NULL;
    }
    if (width == 0)
        return NULL;
    align = needed_align(width, align);
    uint64_t id = tc_addr_object(addr->bits);
    if (id >= TC_LOCAL_IDS)
        return local_access(vm, t, addr, id, width, align, kind, place, offset);
    tc_mobj *o = id > 0 && id < vm->nobjects ? &vm->objects[id] : NULL;
    uint64_t off = o ? addr->bits - o->base : 0;
    if (o && o->borrow == TC_BORROW_UNCHECKED) {
        if (off >= o->size || o->size - off < width)
            return NULL; // nothing is known of what is there
        align = 1;
    }
    if (!o || off >= o->size || o->size - off < width || !all_exist(o, off, width)) {
        out_of_bounds(vm, t, o, addr->bits, width, kind, place);
        return NULL;
    }
    if (align > 1 && addr->bits & (align - 1)) {
        tc_fault f = {.object = tc_vm_object_name(vm, o), .offset = (tc_i128)off, .width = width, .size = o->size};
        tc_vm_fault(vm, t, "TC2003", place, &f, "%s of %llu bytes at byte %llu of '%s' needs an alignment of %u bytes",
                    verb(kind), (unsigned long long)width, (unsigned long long)off, f.object, align);
    }
    if (!check_borrow(vm, t, o, off, width, kind, flags, place))
        return NULL;
    if (o->tracked && (o->borrow != TC_BORROW_ATOMIC || tracks_atomics(vm))) {
        if (flags & TC_ACC_ATOMIC)
            tc_race_atomic(vm, t, o, off, width, flags | (kind == TC_READ ? TC_ACC_LOAD : 0), place);
        else if (kind == TC_WRITE)
            tc_race_write(vm, t, o, off, width, flags, place,
                          (uint16_t)((*uninit ? TC_ACCF_UNINIT : 0) | (vm->stored_unknown ? TC_ACCF_UNKNOWN : 0)));
        else
            tc_race_read(vm, t, o, off, width, flags, place, uninit);
    }
    if (kind != TC_WRITE && *uninit && o->borrow == TC_BORROW_OUT)
        *uninit = reads_unwritten(vm, o, off, width);
    if (kind != TC_WRITE && *uninit && o->borrow == TC_BORROW_OUT && !vm->partial) { // threads that do not run may have written it
        tc_fault f = {.object = tc_vm_object_name(vm, o), .offset = (tc_i128)off, .width = width, .size = o->size};
        tc_vm_fault(vm, t, "TC1007", place, &f, "'%s' is read at byte %llu, which was not written before", f.object,
                    (unsigned long long)off);
        *uninit = false;
    }
    *obj = o;
    *offset = off;
    return tc_mem_bytes(vm, o, off, width);
}

// ---- the end ----

static bool is_written(tc_vm *vm, tc_mobj *o, uint64_t cell) {
    const tc_cell *c = tc_mem_cell(vm, o, cell);
    return c->write.block || c->atomic[0].block;
}

// Some of the bytes, or all of them.
static bool bytes_written(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width, bool some) {
    for (uint64_t i = offset >> o->grain; i <= (offset + width - 1) >> o->grain; i++)
        if (is_written(vm, o, i) == some)
            return some;
    return !some;
}

// Padding is no value. Of what no list of members describes (a union, say) some byte is written.
static bool value_written(tc_vm *vm, tc_mobj *o, uint64_t offset, const tc_type *t) {
    if (t->kind == TC_TY_STRUCT) {
        for (size_t i = 0; i < t->nfields; i++)
            if (!value_written(vm, o, offset + t->fields[i].offset, t->fields[i].type))
                return false;
        return true;
    }
    if (t->kind == TC_TY_ARRAY && t->elem->size > 0 && t->count <= t->size / t->elem->size) {
        for (uint64_t i = 0; i < t->count; i++)
            if (!value_written(vm, o, offset + i * t->elem->size, t->elem))
                return false;
        return true;
    }
    return t->size == 0 || bytes_written(vm, o, offset, t->size, t->kind == TC_TY_OTHER);
}

static bool element_written(tc_vm *vm, tc_mobj *o, uint64_t offset) {
    const tc_type *t = vm->contract->objects.data[o->contract].elem;
    return t && t->size == o->elem ? value_written(vm, o, offset, t) : bytes_written(vm, o, offset, o->elem, false);
}

// Every element of a tc_out was written by somebody.
void tc_mem_finish(tc_vm *vm) {
    for (uint32_t i = 0; i < vm->contract->objects.len; i++) {
        tc_mobj *o = &vm->objects[1 + i];
        if (o->borrow != TC_BORROW_OUT || o->size == 0 || o->kind == TC_MO_PAGED)
            continue;
        for (uint64_t at = 0; at + o->elem <= o->size; at += o->elem) {
            if (!all_exist(o, at, o->elem) || element_written(vm, o, at))
                continue;
            tc_fault f = {.object = o->name, .offset = (tc_i128)at, .width = o->elem, .size = o->size};
            f.loc = vm->contract->objects.data[i].loc;
            tc_vm_fault(vm, NULL, "TC1007", TC_NONE, &f, "element %llu of '%s' is never written",
                        (unsigned long long)(at / o->elem), o->name);
            break;
        }
    }
}
