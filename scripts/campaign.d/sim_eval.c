// Expressions, statements, contracts.
#include <stdlib.h>

#include "sim.h"

wide at[AT_COUNT];
uint32_t ids[12];
bool no_value;
const kernel *now;
int conds_seen;
long long guards_passed;

enum { NEXT, LEAVE, AGAIN, RETURN };
static value returned;

// ---- integers ----

static value integer(wide v, int f) {
    value r = {.w = v, .f = (uint8_t)f};
    return r;
}

static bool is_signed(type t) {
    return least_of(t) < 0;
}

// v as a t, which it became by an operation.
static value made(type t, wide v, int f) {
    wide w = fits(t, v);
    return integer(w, f | (w == v ? 0 : is_signed(t) ? OVERFLOWED : CHANGED));
}

static value converted(value v, type from, type to) {
    if (to == POINTER || from == POINTER || from == to)
        return v;
    if (to == REAL) {
        value r = {.r = (double)v.w};
        return r;
    }
    if (from == REAL)
        return integer(fits(to, v.r > -1e9 && v.r < 1e9 ? (long long)v.r : 0), 0);
    wide w = fits(to, v.w);
    return integer(w, v.f | (w == v.w ? 0 : CHANGED));
}

static value part(const node *e, int i, value *frame, type t) {
    return converted(eval(e->part[i], frame), e->part[i]->type, t);
}

static void believed(value v) {
    if (v.f & OVERFLOWED)
        fault("TC2002", true, "address", 0);
    if (v.f & UNWRITTEN)
        fault("TC2005", true, "address", 0);
    if (v.f & UNFILLED)
        fault("TC2005", false, "address by an element", 0);
    if (v.f & CHANGED)
        fault("TC2002", false, "changed address", 0);
}

static void believed_guard(value v) {
    if (v.f & (OVERFLOWED | CHANGED))
        doubtful_guard("TC2002", v.f & OVERFLOWED ? "guard" : "changed guard");
    if (v.f & UNWRITTEN)
        doubtful_guard("TC2005", "guard");
    else if (v.f & UNFILLED)
        doubtful_guard("TC2005", "guard by an element");
}

// Is this the guard whose other outcome is tried?
static bool turned(void) {
    return guards_passed++ == watched.guard && is_watched();
}

static value arithmetic(const node *e, value *frame) {
    value a = part(e, 0, frame, e->type), b = part(e, 1, frame, e->type);
    int f = a.f | b.f;
    if (e->type == REAL) {
        double r = e->op == OP_add ? a.r + b.r : e->op == OP_sub ? a.r - b.r : e->op == OP_mul ? a.r * b.r : b.r != 0 ? a.r / b.r : 0;
        value v = {.r = r};
        return v;
    }
    switch (e->op) {
    case OP_add:
        return made(e->type, a.w + b.w, f);
    case OP_sub:
        return made(e->type, a.w - b.w, f);
    case OP_mul:
        return made(e->type, a.w * b.w, f);
    case OP_bitand:
        return integer(a.w & b.w, f);
    case OP_bitor:
        return integer(a.w | b.w, f);
    case OP_bitxor:
        return integer(a.w ^ b.w, f);
    default:
        break;
    }
    if (b.w == 0) {
        fault("TC2004", true, "division by zero", 0);
        return integer(0, f);
    }
    if (b.w == -1 && a.w == least_of(e->type))
        return integer(0, f | OVERFLOWED);
    bool brief = (long long)a.w == a.w && (long long)b.w == b.w;
    if (e->op == OP_div)
        return integer(brief && b.w != -1 ? (long long)a.w / (long long)b.w : a.w / b.w, f);
    return integer(brief && b.w != -1 ? (long long)a.w % (long long)b.w : a.w % b.w, f);
}

static value shifted(const node *e, value *frame) {
    value a = part(e, 0, frame, e->type), b = eval(e->part[1], frame);
    int f = a.f | b.f;
    if (b.w < 0 || b.w >= (e->type < I64 ? 32 : 64)) {
        fault("TC2004", true, "shift out of range", 0);
        return integer(0, f);
    }
    if (e->op == OP_shr)
        return integer(a.w >> (int)b.w, f);
    value r = made(e->type, a.w * ((wide)1 << (int)b.w), 0);
    r.f = (uint8_t)(f | (r.f ? CHANGED : 0));
    return r;
}

// A negative number that is compared as unsigned is no change.
static value compared(const node *e, value *frame) {
    type t = (type)e->value;
    value a = eval(e->part[0], frame), b = eval(e->part[1], frame);
    if (t == POINTER) {
        bool same = a.o == b.o && (!a.o || a.w == b.w);
        return integer(e->op == OP_eq ? same : !same, 0);
    }
    int f = a.f | b.f;
    int order;
    if (t == REAL) {
        double x = converted(a, e->part[0]->type, REAL).r, y = converted(b, e->part[1]->type, REAL).r;
        order = x < y ? -1 : x > y, f = 0;
    } else {
        wide x = fits(t, a.w), y = fits(t, b.w);
        order = x < y ? -1 : x > y;
    }
    bool r = e->op == OP_lt   ? order < 0
             : e->op == OP_le ? order <= 0
             : e->op == OP_gt ? order > 0
             : e->op == OP_ge ? order >= 0
             : e->op == OP_eq ? order == 0
                              : order != 0;
    return integer(r, f);
}

static value extreme(const node *e, value *frame) {
    value a = part(e, 0, frame, e->type), b = part(e, 1, frame, e->type);
    bool first = e->type == REAL ? a.r < b.r : a.w < b.w;
    value r = first == (e->op == OP_min) ? a : b;
    r.f = a.f | b.f;
    return r;
}

// ---- memory ----

static cell *reached(value p, value i, wide *index) {
    fuel();
    value whole = {.f = p.f | i.f};
    if (whole.f)
        believed(whole);
    *index = p.w + i.w;
    if (is_watched())
        watched.trace = mixed(watched.trace ^ (uint64_t)*index ^ (p.o ? (uint64_t)p.o->param << 56 : 0));
    wide coord[DIMS];
    if (p.o && !p.o->null && place_of(p.o, *index, coord))
        return cell_of(p.o, *index);
    fault("TC2001", true, p.o ? p.o->name : "no object", *index);
    return NULL;
}

static value loaded(const cell *c, type t) {
    if (t == REAL) {
        value r = {.r = c->r};
        return r;
    }
    return integer(fits(t, c->v), c->f);
}

// What other threads can read is data: an overflow is not followed through it (docs/model.md, Limits).
static void stored(const object *o, cell *c, type t, value v) {
    if (t == REAL) {
        c->r = v.r, c->f = 0;
        return;
    }
    c->v = (long long)v.w;
    c->f = o->local ? v.f : v.f & (UNWRITTEN | UNFILLED);
}

static value seven(type t) {
    if (t == REAL) {
        value r = {.r = 7};
        return r;
    }
    return integer(7, 0);
}

static value load(const node *e, value *frame) {
    value p = eval(e->part[0], frame), i = eval(e->part[1], frame);
    wide index;
    cell *c = reached(p, i, &index);
    if (!c)
        return seven(e->type);
    touch(p.o, c, index, false, false);
    return loaded(c, e->type);
}

static void store(const node *e, value *frame) {
    value p = eval(e->part[0], frame), i = eval(e->part[1], frame), v;
    wide index;
    if (e->op == OP_modify) { // the place is read first
        cell *c = reached(p, i, &index);
        if (c)
            touch(p.o, c, index, false, false);
        frame[e->value] = c ? loaded(c, e->type) : seven(e->type);
    }
    v = part(e, 2, frame, e->type);
    cell *c = reached(p, i, &index);
    if (!c)
        return;
    touch(p.o, c, index, true, false);
    stored(p.o, c, e->type, v);
}

static value atomic(const node *e, value *frame) {
    value p = eval(e->part[0], frame), i = eval(e->part[1], frame), v = part(e, 2, frame, e->type);
    wide index;
    cell *c = reached(p, i, &index);
    if (!c)
        return seven(e->type);
    touch(p.o, c, index, true, true);
    value old = loaded(c, e->type);
    if (e->type == REAL) {
        c->r = e->op == OP_atomicAdd ? old.r + v.r : e->op == OP_atomicMax && old.r > v.r ? old.r : v.r;
        return old;
    }
    wide w = e->op == OP_atomicAdd ? old.w + v.w : e->op == OP_atomicMax && old.w > v.w ? old.w : v.w;
    c->v = (long long)fits(e->type, w);
    c->f = 0;
    old.f = 0;
    return old;
}

// ---- control ----

static value called(const node *e, value *frame) {
    const function *f = &functions[e->value];
    value inner[f->slots + 1];
    for (int i = 0; i < f->slots; i++)
        inner[i] = integer(0x55, UNWRITTEN);
    for (int i = 0; i < e->n; i++)
        inner[i] = eval(e->part[i], frame);
    returned = integer(0x55, UNWRITTEN);
    eval(f->body, inner);
    return returned;
}

static bool is_true(const node *e, value *frame) {
    return eval(e->part[0], frame).w != 0;
}

static value guarded(node *e, value *frame) {
    value v = eval(e->part[0], frame);
    type t = e->part[0]->type;
    bool yes = t == REAL ? v.r != 0 : t == POINTER ? v.o && !v.o->null : v.w != 0;
    if (t != REAL && v.f)
        believed_guard(v);
    yes = yes != turned();
    int bit = yes ? 2 : 1;
    if (!(e->seen & bit)) {
        e->seen |= bit;
        conds_seen += e->value != 0;
    }
    return integer(yes, 0);
}

static int run(node *e, value *frame);

static int looped(const node *e, value *frame) {
    if (e->part[0]->op != OP_seq || e->part[0]->n)
        run(e->part[0], frame);
    for (bool first = e->value != 0;; first = false) {
        if (!first && !eval(e->part[1], frame).w)
            return NEXT;
        fuel();
        int how = run(e->part[3], frame);
        if (how == LEAVE)
            return NEXT;
        if (how == RETURN)
            return RETURN;
        run(e->part[2], frame);
    }
}

static int chosen(const node *e, value *frame) {
    value v = eval(e->part[0], frame);
    believed_guard(v);
    bool other = turned();
    int from = 0;
    for (int pass = 0; pass < 2 && !from; pass++)
        for (int i = 1; i < e->n && !from; i++)
            if (pass ? e->part[i]->type == NOTHING : e->part[i]->type != NOTHING && e->part[i]->value == v.w)
                from = i;
    if (other)
        from = from == 1 ? 0 : 1;
    for (int i = from; from && i < e->n; i++) {
        int how = run(e->part[i]->part[0], frame);
        if (how == LEAVE)
            return NEXT;
        if (how != NEXT)
            return how;
    }
    return NEXT;
}

static int run(node *e, value *frame) {
    switch (e->op) {
    case OP_seq:
        for (int i = 0; i < e->n; i++) {
            int how = run(e->part[i], frame);
            if (how != NEXT)
                return how;
        }
        return NEXT;
    case OP_cond:
        return run(is_true(e, frame) ? e->part[1] : e->part[2], frame);
    case OP_loop:
        return looped(e, frame);
    case OP_choose:
        return chosen(e, frame);
    case OP_leave:
        return LEAVE;
    case OP_again:
        return AGAIN;
    case OP_ret:
        if (e->n)
            returned = part(e, 0, frame, e->type);
        return RETURN;
    case OP_sync:
        barrier();
        return NEXT;
    case OP_set:
        frame[e->value] = part(e, 0, frame, e->type);
        return NEXT;
    case OP_unset:
        frame[e->value] = integer(0x55, UNWRITTEN);
        return NEXT;
    case OP_array:
    case OP_shared: {
        value p = {.o = e->op == OP_array ? local_object(e->part[0]->value, e->type)
                                          : shared_object((int)e->part[1]->value, e->part[0]->value, e->type)};
        frame[e->value] = p;
        return NEXT;
    }
    case OP_store:
    case OP_modify:
        store(e, frame);
        return NEXT;
    case OP_expr:
        eval(e->part[0], frame);
        return NEXT;
    default:
        eval(e, frame);
        return NEXT;
    }
}

value eval(node *e, value *frame) {
    switch (e->op) {
    case OP_num:
        return integer(e->value, 0);
    case OP_real: {
        value r = {.r = (double)e->value / 1000};
        return r;
    }
    case OP_var:
        return frame[e->value];
    case OP_builtin:
        return integer(ids[e->value], 0);
    case OP_load:
        return load(e, frame);
    case OP_atomicAdd:
    case OP_atomicMax:
    case OP_atomicExch:
        return atomic(e, frame);
    case OP_cast:
        return part(e, 0, frame, e->type);
    case OP_neg: {
        value v = part(e, 0, frame, e->type);
        if (e->type != REAL)
            return made(e->type, -v.w, v.f);
        v.r = -v.r;
        return v;
    }
    case OP_inv: {
        value v = part(e, 0, frame, e->type);
        return integer(fits(e->type, ~v.w), v.f);
    }
    case OP_shl:
    case OP_shr:
        return shifted(e, frame);
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
    case OP_eq:
    case OP_ne:
        return compared(e, frame);
    case OP_min:
    case OP_max:
        return extreme(e, frame);
    case OP_guard:
        return guarded(e, frame);
    case OP_both:
        return integer(is_true(e, frame) && eval(e->part[1], frame).w, 0);
    case OP_either:
        return integer(is_true(e, frame) || eval(e->part[1], frame).w, 0);
    case OP_not:
        return integer(!is_true(e, frame), 0);
    case OP_sel:
        return part(e, is_true(e, frame) ? 1 : 2, frame, e->type);
    case OP_padd:
    case OP_psub: {
        value p = eval(e->part[0], frame), i = eval(e->part[1], frame);
        p.w += e->op == OP_padd ? i.w : -i.w;
        p.f |= i.f;
        return p;
    }
    case OP_flat: {
        value a = eval(e->part[0], frame), b = eval(e->part[1], frame);
        believed(a), believed(b);
        return integer(a.w * e->value + b.w, 0);
    }
    case OP_call:
        return called(e, frame);
    case OP_invariant: // one that does not hold has no rule of its own
        if (!is_true(e, frame))
            fault("TC0000", true, "invariant", 0);
        return integer(0, 0);
    case OP_seq:
    case OP_cond:
    case OP_loop:
    case OP_choose:
        run(e, frame);
        return integer(0, 0);
    default:
        return arithmetic(e, frame);
    }
}

// ---- contracts ----

static wide without_value(void) {
    no_value = true;
    return 1;
}

static wide content(int p, wide i) {
    object *o = objects[p];
    wide coord[DIMS];
    if (!o || o->null || !place_of(o, i, coord))
        return without_value();
    return cell_of(o, i)->v;
}

wide wide_of(const node *e) {
    if (e->op == OP_num)
        return e->value;
    if (e->op == OP_known)
        return at[e->value];
    wide a = wide_of(e->part[0]);
    switch (e->op) {
    case OP_content:
        return content((int)e->value, a);
    case OP_let:
        at[e->value] = a;
        return wide_of(e->part[1]);
    case OP_both:
        return a != 0 && wide_of(e->part[1]) != 0;
    case OP_either:
        return a != 0 || wide_of(e->part[1]) != 0;
    case OP_not:
        return a == 0;
    case OP_sel:
        return wide_of(e->part[a != 0 ? 1 : 2]);
    case OP_cast:
        return fits(e->type, a);
    case OP_neg:
        return -a;
    case OP_inv:
        return ~a;
    default:
        break;
    }
    wide b = wide_of(e->part[1]);
    switch (e->op) {
    case OP_add:
        return a + b;
    case OP_sub:
        return a - b;
    case OP_mul:
        return a * b;
    case OP_div:
        return b == 0 ? without_value() : a / b;
    case OP_rem:
        return b == 0 ? without_value() : a % b;
    case OP_cdiv:
        return b < 1 ? without_value() : a / b + (a % b > 0 ? 1 : 0); // a contract has a value for no other divisor
    case OP_bitand:
        return a & b;
    case OP_bitor:
        return a | b;
    case OP_bitxor:
        return a ^ b;
    case OP_shl:
        return b < 0 || b > 62 ? without_value() : a * ((wide)1 << (int)b);
    case OP_shr:
        return b < 0 || b > 62 ? without_value() : a >> (int)b;
    case OP_lt:
        return a < b;
    case OP_le:
        return a <= b;
    case OP_gt:
        return a > b;
    case OP_ge:
        return a >= b;
    case OP_eq:
        return a == b;
    case OP_ne:
        return a != b;
    case OP_min:
        return a < b ? a : b;
    case OP_max:
        return a < b ? b : a;
    default:
        return without_value();
    }
}

bool owned(const object *o, const wide *coord) {
    for (int d = 0; d < o->dims; d++)
        at[AT_COORD + d] = coord[d];
    for (int d = 0; d < 3; d++)
        at[AT_BLOCK + d] = ids[3 + d];
    no_value = false;
    bool yes = wide_of(now->params[o->param].owns) != 0;
    return yes || no_value;
}

void run_body(void) {
    value frame[now->slots + 1];
    for (int i = 0; i < now->slots; i++)
        frame[i] = integer(0x55, UNWRITTEN);
    for (int p = 0; p < now->nparams; p++) {
        value v = {.o = objects[p]};
        frame[p] = v;
    }
    for (int s = 0; s < now->nscalars; s++)
        frame[now->nparams + s] = integer(at[AT_SCALAR + s], 0);
    run(now->body, frame);
}
