// Calls of the host: the CUDA runtime by a table, functions of the file by walking in, all others as code that may do anything.
#include <string.h>

#include "base/demangle.h"
#include "checker/host.h"

typedef enum kind {
    PUSH, POP, LAUNCH, LAUNCH_EX, ALLOCATE, PITCH, PITCH_3D, RETURNS, PRODUCT, ANYTHING, RUNTIME, FREES, RESETS, PINS, UNPINS, NOTHING, ENDS
} kind;

typedef struct row {
    const char *name;
    kind what;
    unsigned out, size;
} row;

static const row rows[] = {
#define TC_HOST(name, kind, out, size) {name, kind, out, size},
#include "checker/host.def"
#undef TC_HOST
};

// A name that ends with * is a prefix; whole names come first.
static const row *row_of(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        bool prefix = rows[i].name[n - 1] == '*';
        if (prefix ? strncmp(name, rows[i].name, n - 1) == 0 : strcmp(name, rows[i].name) == 0)
            return &rows[i];
    }
    return NULL;
}

static LLVMTypeRef result_type(LLVMValueRef inst) {
    LLVMTypeRef t = LLVMTypeOf(inst);
    return LLVMGetTypeKind(t) == LLVMVoidTypeKind ? NULL : t;
}

static const tc_val *argument(tc_lift *L, LLVMValueRef inst, unsigned i) {
    if (i >= LLVMGetNumArgOperands(inst))
        return tc_val_any(L);
    LLVMValueRef v = LLVMGetOperand(inst, i);
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMMetadataTypeKind ? tc_val_any(L) : tc_val_as(L, tc_lift_operand(L, v), LLVMTypeOf(v), 0);
}

static void set_unknown_result(tc_lift *L, LLVMValueRef inst, const char *name) {
    if (result_type(inst) != NULL)
        tc_lift_set(L, inst, tc_val_unknown(L, result_type(inst), name, 1));
}

static const char *name_of(tc_lift *L, LLVMValueRef inst) {
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    size_t n;
    return LLVMIsAFunction(callee) ? tc_demangle(L->arena, LLVMGetValueName2(callee, &n)) : "a function";
}

void tc_host_unknown_call(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        const tc_val *v = argument(L, inst, i);
        tc_host_leak(L, v);
        tc_host_free(L, f, v, false);
        for (size_t k = 0; k < v->nalts; k++) { // what is given may be written now
            const tc_place *p = &L->places.data[v->alts[k].place];
            if (p->kind == TC_PL_LOCAL && p->local->param < TC_HOST_OUTSIDE) {
                tc_host_leak_cells(L, &f->state, p->local);
                if (!p->local->demoted)
                    tc_local_forget(L, f, p->local);
            }
        }
    }
    tc_host_clobber(L, f);
    set_unknown_result(L, inst, tc_fmt(L->arena, "result of %s", name_of(L, inst)));
}

// ---- the runtime ----

static tc_t bytes(tc_lift *L, tc_flow *f, const tc_val *v) {
    return v->kind == TC_V_INT ? tc_lift_unsigned(L, f, v, "size", false) : NULL;
}

// Variables of wrappers say nothing to who reads of it.
static void name_allocation(tc_lift *L, const tc_val *memory, const tc_val *into) {
    const tc_place *p = into->kind == TC_V_PTR && into->nalts == 1 ? &L->places.data[into->alts[0].place] : NULL;
    const tc_frame *frame = L->frame;
    for (tc_frame *g = L->frame; p != NULL && p->kind == TC_PL_LOCAL && g->caller != NULL; g = g->caller)
        frame = g->caller;
    tc_allocation *made = (tc_allocation *)(uintptr_t)tc_host_allocation_of(L, L->places.data[memory->alts[0].place].object);
    if (made != NULL && p != NULL && p->kind == TC_PL_LOCAL && p->local->value != NULL && LLVMIsAInstruction(p->local->value) &&
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(p->local->value)) == frame->cfg->function)
        made->into = tc_host_local_name(L, p->local);
}

static void allocate(tc_lift *L, tc_flow *f, const row *r, LLVMValueRef inst) {
    const tc_val *memory = tc_host_allocate(L, r->name, bytes(L, f, argument(L, inst, r->size)));
    name_allocation(L, memory, argument(L, inst, r->out));
    tc_host_put(L, f, argument(L, inst, r->out), 0, 8, memory);
    set_unknown_result(L, inst, r->name);
}

// Rows of at least the width (CUDA Runtime API, cudaMallocPitch); nobody says how much longer.
static void allocate_rows(tc_lift *L, tc_flow *f, const row *r, LLVMValueRef inst) {
    tc_t width = bytes(L, f, argument(L, inst, 2)), height = bytes(L, f, argument(L, inst, 3));
    const tc_val *pitch = tc_val_unknown_ranged(L, 64, "pitch", 1, 0, tc_pow2(40));
    if (width != NULL)
        f->guard = tc_and(L->ts, f->guard, tc_le(L->ts, width, pitch->term));
    tc_t size = height == NULL ? NULL : tc_mul(L->ts, pitch->term, height);
    tc_host_put(L, f, argument(L, inst, 0), 0, 8, tc_host_allocate(L, r->name, size));
    tc_host_put(L, f, argument(L, inst, 1), 0, 8, pitch);
    set_unknown_result(L, inst, r->name);
}

// cudaPitchedPtr and cudaExtent (CUDA Runtime API, "Data Structures"), of 64-bit numbers.
static void allocate_planes(tc_lift *L, tc_flow *f, const row *r, LLVMValueRef inst) {
    enum { PTR = 0, PITCH_AT = 8, XSIZE = 16, YSIZE = 24 };
    const tc_val *out = argument(L, inst, r->out), *extent = argument(L, inst, r->size), *sizes[3];
    LLVMTypeRef word = LLVMIntTypeInContext(LLVMGetModuleContext(L->module), 64);
    tc_t n[3];
    for (unsigned d = 0; d < 3; d++) {
        sizes[d] = tc_host_load(L, f, extent, 8 * (uint64_t)d, word);
        n[d] = bytes(L, f, sizes[d]);
    }
    const tc_val *pitch = tc_val_unknown_ranged(L, 64, "pitch", 1, 0, tc_pow2(40));
    if (n[0] != NULL)
        f->guard = tc_and(L->ts, f->guard, tc_le(L->ts, n[0], pitch->term));
    tc_t size = n[1] == NULL || n[2] == NULL ? NULL : tc_mul(L->ts, pitch->term, tc_mul(L->ts, n[1], n[2]));
    tc_host_put(L, f, out, PTR, 8, tc_host_allocate(L, r->name, size));
    tc_host_put(L, f, out, PITCH_AT, 8, pitch);
    tc_host_put(L, f, out, XSIZE, 8, sizes[0]);
    tc_host_put(L, f, out, YSIZE, 8, sizes[1]);
    set_unknown_result(L, inst, r->name);
}

// SOUND: the product is the machine's, which may wrap; calloc gives nothing then, and a proof that it is large enough is about nothing.
static void returns_memory(tc_lift *L, tc_flow *f, const row *r, LLVMValueRef inst) {
    tc_t size = bytes(L, f, argument(L, inst, r->size));
    if (size != NULL && r->what == PRODUCT) {
        tc_t by = bytes(L, f, argument(L, inst, r->size + 1));
        size = by == NULL ? NULL : tc_mul(L->ts, size, by);
    }
    tc_lift_set(L, inst, tc_host_allocate(L, strncmp(r->name, "_Z", 2) == 0 ? "new" : r->name, size));
}

// A copy to the device writes nothing that the host function reads.
static bool copies_to_device(tc_lift *L, const char *name, LLVMValueRef inst) {
    enum { TO_DEVICE = 1, DEVICE_TO_DEVICE = 3 }; // cudaMemcpyKind
    if (strncmp(name, "cudaMemset", 10) == 0)
        return true;
    unsigned n = LLVMGetNumArgOperands(inst);
    for (unsigned i = 3; i < n && strncmp(name, "cudaMemcpy", 10) == 0; i++) {
        LLVMValueRef v = LLVMGetOperand(inst, i);
        bool last = i + 1 == n || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, i + 1))) == LLVMPointerTypeKind;
        const tc_val *kind = argument(L, inst, i);
        if (last && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && kind->kind == TC_V_INT && tc_is_const(kind->term))
            return kind->term->value == TO_DEVICE || kind->term->value == DEVICE_TO_DEVICE;
    }
    return false;
}

// Is it memory of the function itself, or of a known place that others see?
static bool is_known_place(const tc_lift *L, const tc_val *v) {
    if (v->kind != TC_V_PTR || v->nalts != 1)
        return false;
    const tc_place *p = &L->places.data[v->alts[0].place];
    return p->kind == TC_PL_LOCAL || p->kind == TC_PL_NULL ||
           (p->kind == TC_PL_OBJECT && L->m->objects.data[p->object].value != NULL);
}

// Writes through its pointers before it returns; an asynchronous copy may do so until some later call returns.
static void runtime(tc_lift *L, tc_flow *f, const char *name, LLVMValueRef inst) {
    bool later = strstr(name, "Async") != NULL, copies = strncmp(name, "cudaMemcpy", 10) == 0;
    bool quiet = copies_to_device(L, name, inst);
    if (copies && LLVMGetNumArgOperands(inst) > 1)
        tc_host_note_copy(L, argument(L, inst, 0), argument(L, inst, 1));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst) && !quiet; i++) {
        const tc_val *v = argument(L, inst, i);
        bool local = v->nalts == 1 && L->places.data[v->alts[0].place].kind == TC_PL_LOCAL;
        if (later)
            tc_host_write_later(L, f, v);
        // Buffers of the device are passed as they are, and hold nothing that is read here.
        if (local || (v->kind == TC_V_PTR && v->nalts > 1))
            tc_host_forget(L, f, v);
        else if (is_known_place(L, v) && v->nalts == 1 && L->places.data[v->alts[0].place].kind == TC_PL_OBJECT)
            tc_host_forget(L, f, v);
        if (i == 0 && copies && !is_known_place(L, v)) // it may be anything that others see
            tc_host_clobber(L, f);
    }
    tc_host_forget_later(L, f);
    set_unknown_result(L, inst, name);
}

// ---- launches ----

static void push(tc_lift *L, LLVMValueRef inst) {
    tc_config c = {argument(L, inst, 0), argument(L, inst, 1), argument(L, inst, 2),
                   argument(L, inst, 3), argument(L, inst, 4), argument(L, inst, 5)};
    tc_push(L->arena, &L->host->pending, c);
    // SOUND: where it fails, nothing is launched, and the memory is what it was.
    tc_lift_set(L, inst, tc_val_int(L, 32, tc_int(L->ts, 0)));
}

static void pop(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    tc_config none = {tc_val_any(L), tc_val_any(L), tc_val_any(L), tc_val_any(L), tc_val_any(L), tc_val_any(L)};
    tc_config c = L->host->pending.len > 0 ? tc_pop(&L->host->pending) : none;
    tc_host_put(L, f, argument(L, inst, 0), 0, 8, c.grid_xy);
    tc_host_put(L, f, argument(L, inst, 0), 8, 4, c.grid_z);
    tc_host_put(L, f, argument(L, inst, 1), 0, 8, c.block_xy);
    tc_host_put(L, f, argument(L, inst, 1), 8, 4, c.block_z);
    tc_host_put(L, f, argument(L, inst, 2), 0, 8, c.smem);
    tc_host_put(L, f, argument(L, inst, 3), 0, 8, c.stream);
    set_unknown_result(L, inst, "configuration");
}

static void launch(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    tc_config c = {argument(L, inst, 1), argument(L, inst, 2), argument(L, inst, 3), argument(L, inst, 4), argument(L, inst, 6), NULL};
    tc_host_launch(L, f, argument(L, inst, 0), &c, argument(L, inst, 5));
    set_unknown_result(L, inst, "launch");
}

// ---- all calls ----

static void known_call(tc_lift *L, tc_flow *f, const row *r, const char *name, LLVMValueRef inst) {
    switch (r->what) {
    case PUSH:
        push(L, inst);
        return;
    case POP:
        pop(L, f, inst);
        return;
    case LAUNCH:
        launch(L, f, inst);
        return;
    case LAUNCH_EX:
        tc_host_launch_ex(L, f, argument(L, inst, 1), argument(L, inst, 0), argument(L, inst, 2));
        set_unknown_result(L, inst, "launch");
        return;
    case ALLOCATE:
        allocate(L, f, r, inst);
        return;
    case PITCH:
        allocate_rows(L, f, r, inst);
        return;
    case PITCH_3D:
        allocate_planes(L, f, r, inst);
        return;
    case RETURNS:
    case PRODUCT:
        returns_memory(L, f, r, inst);
        return;
    case ANYTHING:
        tc_host_unknown_call(L, f, inst);
        return;
    case RUNTIME:
        runtime(L, f, name, inst);
        return;
    case FREES:
        tc_host_free(L, f, argument(L, inst, 0), true);
        set_unknown_result(L, inst, name);
        return;
    case RESETS:
        tc_host_free_all(L, f);
        runtime(L, f, name, inst);
        return;
    case PINS:
        tc_host_pin(L, f, argument(L, inst, r->out), bytes(L, f, argument(L, inst, r->size)));
        set_unknown_result(L, inst, name);
        return;
    case UNPINS:
        tc_host_unpin(L, f, argument(L, inst, r->out));
        set_unknown_result(L, inst, name);
        return;
    case NOTHING:
        set_unknown_result(L, inst, name);
        return;
    case ENDS:
        f->guard = L->ff;
        set_unknown_result(L, inst, name);
        return;
    }
}

void tc_host_enter(tc_lift *L, LLVMValueRef function) {
    tc_host *h = L->host;
    const tc_host_node *n = tc_host_node_of(h->graph, function);
    if (L->dry == 0)
        tc_map_put(h->kept, &h->entered, TC_KEY(function), h);
    if (n != NULL && n->catches && h->lost == NULL)
        h->lost = tc_fmt(h->kept, "a handler of exceptions in '%s'", tc_demangle(L->arena, LLVMGetValueName2(function, &(size_t){0})));
}

bool tc_host_call(tc_lift *L, tc_flow *f, LLVMValueRef callee, const char *name, LLVMValueRef inst) {
    if (LLVMIsDeclaration(callee) && tc_map_has(&L->host->graph->stubs, TC_KEY(callee))) {
        size_t n = LLVMGetNumArgOperands(inst);
        const tc_val **args = TC_NEW_ARRAY(L->arena, const tc_val *, n + 1);
        for (unsigned i = 0; i < n; i++)
            args[i] = argument(L, inst, i);
        tc_host_launch_declared(L, f, callee, args, n);
        return true;
    }
    const row *r = LLVMIsDeclaration(callee) ? row_of(name) : NULL;
    if (r != NULL) {
        known_call(L, f, r, name, inst);
        return true;
    }
    if (strncmp(name, "llvm.", 5) == 0 || tc_effect_of_call(name).kind != TC_FX_UNKNOWN || tc_host_walks(L->host->graph, callee))
        return false;
    tc_host_unknown_call(L, f, inst);
    return true;
}
