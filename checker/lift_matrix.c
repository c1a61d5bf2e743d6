// Matrices of a warp in inline PTX (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"): ldmatrix, stmatrix, mma, movmatrix.
//
// All lanes execute each of these together. Every lane puts something in, and takes values that others have put in; no memory is
// ordered by it. ldmatrix reads, and stmatrix writes, matrices of eight rows of 16 bytes in shared memory: the address of row r of matrix
// m is that of lane 8 m + r; what further lanes give for an address is not used.
#include "checker/lift.h"

enum { ROW_BYTES = 16, ROWS = 8, LANES = 32 };

static void together(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_event e = tc_event_make(L, f, TC_EV_WARP, a->effect.what);
    e.scope = TC_SCOPE_WARP;
    e.operand[0] = tc_int(L->ts, UINT32_MAX);
    e.exchange = TC_SHFL_MATRIX + 1;
    tc_record_event(L, e);
}

static bool is_shared(const tc_lift *L, const tc_val *p) {
    for (size_t i = 0; i < p->nalts; i++) {
        const tc_place *pl = &L->places.data[p->alts[i].place];
        if (pl->kind == TC_PL_LOCAL || (pl->kind == TC_PL_OBJECT && L->m->objects.data[pl->object].space != TC_SPACE_SHARED))
            return false;
    }
    return true;
}

// What each lane gives to others may never have been written, where its own may not: in which of them is not followed.
static tc_t undef_of(tc_lift *L, const tc_val *const *regs, size_t n, uint64_t key) {
    tc_t r = L->ff;
    for (size_t i = 0; i < n; i++)
        r = tc_or(L->ts, r, tc_val_undef(L, regs[i]));
    return tc_is_const(r) ? r : tc_lift_bool_sym(L, "not written", key);
}

// The rows, by the lanes that name them. Of ldmatrix: some element of them.
static const tc_val *rows(tc_lift *L, tc_flow *f, const tc_act *a, tc_touch *t) {
    const tc_val *p = a->args[0];
    t->what = a->effect.what;
    t->width = tc_int(L->ts, ROW_BYTES);
    t->align = ROW_BYTES;
    t->together = true;
    if (!is_shared(L, p)) {
        tc_record_hole(L, f, TC_HOLE_MEMORY | TC_HOLE_VALUE, tc_fmt(L->arena, "%s outside of shared memory", a->effect.what), &p, 1);
        return tc_val_any(L);
    }
    tc_flow g = *f;
    tc_i128 lanes = (tc_i128)a->effect.arg * ROWS;
    if (lanes < LANES)
        g.guard = tc_and(L->ts, f->guard, tc_lt(L->ts, tc_lift_lane(L), tc_int(L->ts, lanes)));
    const tc_val *v = tc_lift_touch(L, &g, p, t, NULL);
    f->state = g.state;
    return v;
}

const tc_val *tc_lift_matrix(tc_lift *L, tc_flow *f, const tc_act *a) {
    tc_touch t = {.kind = TC_EV_WRITE};
    const tc_val *from = NULL;
    together(L, f, a);
    switch (a->effect.kind) {
    case TC_FX_MATRIX_LOAD:
        t = (tc_touch){.kind = TC_EV_READ, .changing = true, .type = LLVMInt32TypeInContext(LLVMGetModuleContext(L->module))};
        from = rows(L, f, a, &t);
        return tc_val_signless_all(tc_val_derived(L, a->result, a->effect.what, a->key + 1, &from, from == NULL ? 0 : 1));
    case TC_FX_MATRIX_STORE:
        t.undef = undef_of(L, a->args + 1, a->nargs - 1, a->key + 1);
        rows(L, f, a, &t);
        return NULL;
    default:
        return tc_val_signless_all(tc_val_derived(L, a->result, a->effect.what, a->key + 1, a->args, a->nargs));
    }
}
