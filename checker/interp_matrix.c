// Matrices of a warp (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"): ldmatrix, stmatrix, movmatrix, mma.
//
// A matrix is spread over the registers of the lanes. Rows of A, columns of B and rows of C and D belong to groups of four lanes: group
// g holds row (or column) g, and of A, C and D with 16 rows also row g + 8. Along the other dimension each lane of a group has as many
// elements as a register holds, then the next lane; then it begins again with the next register.
#include <string.h>

#include "checker/interp_vm.h"

enum { LANES = 32, ROWS = 8, ROW_BYTES = 16 };

// ---- which operations are known ----

static unsigned number_at(const char *p, const char **end) {
    unsigned n = 0;
    for (; *p >= '0' && *p <= '9' && n < 1000; p++)
        n = n * 10 + (unsigned)(*p - '0');
    *end = p;
    return n;
}

// ".m16n8k16."
static bool read_shape(const char *opcode, tc_matrix *x) {
    for (const char *p = opcode; (p = strstr(p, ".m")) != NULL; p += 2) {
        unsigned m = number_at(p + 2, &p), n = *p == 'n' ? number_at(p + 1, &p) : 0, k = *p == 'k' ? number_at(p + 1, &p) : 0;
        if (m && n && k) {
            x->m = m;
            x->k = k;
            return n == ROWS;
        }
    }
    return false;
}

static tc_ptx_type type_named(const char *text, size_t n) {
    static const struct {
        const char *text;
        tc_ptx_type type;
    } known[] = {{"f16", TC_PTXT_F16}, {"bf16", TC_PTXT_BF16}, {"tf32", TC_PTXT_TF32}, {"f32", TC_PTXT_F32},
                 {"f64", TC_PTXT_F64}, {"s8", TC_PTXT_S8},     {"u8", TC_PTXT_U8},     {"s32", TC_PTXT_S32}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].text) == n && strncmp(known[i].text, text, n) == 0)
            return known[i].type;
    return TC_PTXT_NONE;
}

// "….row.col.f32.f16.f16.f32": of D, A, B and C, and nothing behind it.
static bool read_types(const char *opcode, tc_matrix *x) {
    const char *p = strstr(opcode, ".row.col.");
    p = p == NULL ? NULL : p + 8;
    for (int i = 0; i < 4; i++) {
        if (p == NULL || *p != '.')
            return false;
        size_t n = strcspn(p + 1, ".");
        x->type[i] = type_named(p + 1, n);
        if (x->type[i] == TC_PTXT_NONE)
            return false;
        p += 1 + n;
    }
    return *p == '\0';
}

static unsigned per_register(tc_ptx_type t) {
    unsigned bits = tc_ptx_type_bits(t);
    return bits >= 32 ? 1 : 32 / bits;
}

// C and D: two elements of a row in each lane.
static unsigned accumulators(const tc_matrix *x, tc_ptx_type t) { return x->m / ROWS * (per_register(t) == 1 ? 2 : 1); }

bool tc_matrix_read(const tc_ptx_inst *in, tc_matrix *x) {
    *x = (tc_matrix){.kind = in->effect.kind, .n = in->effect.arg, .transposed = in->effect.width == 1};
    if (strcmp(in->base, "movmatrix") == 0) {
        x->moves = x->transposed = true;
        x->n = 1;
        return strcmp(in->opcode, "movmatrix.sync.aligned.m8n8.trans.b16") == 0;
    }
    if (in->effect.kind != TC_FX_MATRIX_OP)
        return true;
    if (strstr(in->opcode, ".sp") || !read_shape(in->opcode, x) || !read_types(in->opcode, x) || (x->m != 8 && x->m != 16))
        return false;
    unsigned group = 4 * per_register(x->type[1]);
    if (x->type[1] == TC_PTXT_F16 && x->m == 8) // groups of eight lanes
        return false;
    if (tc_ptx_type_bits(x->type[1]) != tc_ptx_type_bits(x->type[2]) || x->k % group != 0 || x->k > TC_MATRIX_K)
        return false;
    x->regs[0] = accumulators(x, x->type[0]);
    x->regs[1] = x->m / ROWS * (x->k / group);
    x->regs[2] = x->k / group;
    x->regs[3] = accumulators(x, x->type[3]);
    return true;
}

// ---- registers ----

static tc_thread *lane_of(const tc_vm *vm, const tc_block *b, uint32_t warp, uint32_t lane) {
    uint32_t i = warp * LANES + lane;
    return i < vm->nthreads ? &b->threads[i] : NULL;
}

typedef struct warp {
    tc_vm *vm;
    tc_block *b;
    const tc_insn *in;
    uint32_t number, lanes; // those who are here
    uint32_t unknown;       // the mark of what comes from the others
} warp;

static bool is_here(const warp *w, uint32_t lane) { return w->lanes >> lane & 1; }

static uint64_t reg_of(const warp *w, uint32_t lane, uint32_t reg, uint32_t *mark) {
    if (!is_here(w, lane)) {
        *mark = tc_mark_union(w->vm, *mark, w->unknown);
        return 0;
    }
    const tc_reg *r = &lane_of(w->vm, w->b, w->number, lane)->regs[reg];
    *mark = tc_mark_union(w->vm, *mark, TC_MARK(r));
    return r->bits;
}

// Bits of which nobody says what sign they have.
static void put(const warp *w, uint32_t lane, uint32_t reg, uint64_t v, bool is_float, uint32_t mark) {
    tc_reg *r = &lane_of(w->vm, w->b, w->number, lane)->regs[reg];
    *r = (tc_reg){.bits = v, .mark = mark};
    if (!is_float && v >> 31 & 1) {
        r->hi = -1;
        r->mark |= 1u << 24;
    }
}

// ---- ldmatrix, stmatrix, movmatrix ----

typedef struct rows {
    unsigned char bytes[LANES][ROW_BYTES];
    uint32_t mark[LANES];
} rows;

static unsigned element(const rows *r, unsigned row, unsigned column) {
    return r->bytes[row][2 * column] | (unsigned)r->bytes[row][2 * column + 1] << 8;
}

// The two elements of the matrix whose rows begin at `first` that the lane has in one register.
static uint64_t pair_of(const warp *w, const rows *r, unsigned first, uint32_t lane, bool transposed, uint32_t *mark) {
    uint64_t v = 0;
    for (unsigned e = 0; e < 2; e++) {
        unsigned outer = lane / 4, inner = lane % 4 * 2 + e;
        unsigned row = first + (transposed ? inner : outer), column = transposed ? outer : inner;
        v |= (uint64_t)element(r, row, column) << (16 * e);
        *mark = tc_mark_union(w->vm, *mark, r->mark[row]);
    }
    return v;
}

// The same the other way round.
static void put_pair(const warp *w, rows *r, unsigned first, uint32_t lane, bool transposed, uint64_t v, uint32_t mark) {
    for (unsigned e = 0; e < 2; e++) {
        unsigned outer = lane / 4, inner = lane % 4 * 2 + e;
        unsigned row = first + (transposed ? inner : outer), column = transposed ? outer : inner;
        r->bytes[row][2 * column] = (unsigned char)(v >> (16 * e));
        r->bytes[row][2 * column + 1] = (unsigned char)(v >> (16 * e + 8));
        r->mark[row] = tc_mark_union(w->vm, r->mark[row], mark);
    }
}

static bool is_outside(const warp *w, uint64_t address) {
    uint64_t id = tc_addr_object(address);
    return id > 0 && (id >= w->vm->nobjects || !w->vm->objects[id].is_shared);
}

static void read_row(const warp *w, rows *r, uint32_t lane, uint32_t place) {
    tc_thread *t = lane_of(w->vm, w->b, w->number, lane);
    tc_mobj *o;
    uint64_t offset = 0;
    bool uninit = false;
    const unsigned char *at = tc_mem_access(w->vm, t, &t->regs[w->in->b], ROW_BYTES, ROW_BYTES, TC_READ, 0, place, &o, &offset, &uninit);
    if (at)
        memcpy(r->bytes[lane], at, ROW_BYTES);
    r->mark[lane] = at && o ? tc_mem_loaded(w->vm, t, o, offset, ROW_BYTES, uninit, place) : w->unknown;
}

static void write_row(const warp *w, const rows *r, uint32_t lane, uint32_t place) {
    tc_thread *t = lane_of(w->vm, w->b, w->number, lane);
    tc_mobj *o;
    uint64_t offset = 0;
    bool uninit = r->mark[lane] && w->vm->marks.data[r->mark[lane]].uninit;
    w->vm->stored = r->bytes[lane];
    unsigned char *at = tc_mem_access(w->vm, t, &t->regs[w->in->b], ROW_BYTES, ROW_BYTES, TC_WRITE, 0, place, &o, &offset, &uninit);
    w->vm->stored = NULL;
    if (!at || !o)
        return;
    memcpy(at, r->bytes[lane], ROW_BYTES);
    tc_mem_stored(w->vm, o, offset, ROW_BYTES, r->mark[lane]);
}

// False, and the run ends, where a row does not lie in shared memory.
static bool all_shared(const warp *w, const tc_matrix *x) {
    for (uint32_t l = 0; l < x->n * ROWS; l++)
        if (is_here(w, l) && is_outside(w, lane_of(w->vm, w->b, w->number, l)->regs[w->in->b].bits)) {
            tc_vm_stop(w->vm, "a matrix outside of shared memory");
            return false;
        }
    return true;
}

static void load(const warp *w, const tc_matrix *x) {
    rows r = {0};
    for (uint32_t l = 0; l < x->n * ROWS; l++) {
        r.mark[l] = w->unknown;
        if (is_here(w, l))
            read_row(w, &r, l, tc_place_of(w->vm, w->in));
    }
    for (uint32_t l = 0; l < LANES; l++)
        for (unsigned i = 0; i < x->n && is_here(w, l); i++) {
            uint32_t mark = 0;
            uint64_t v = pair_of(w, &r, i * ROWS, l, x->transposed, &mark);
            put(w, l, w->in->d + i, v, false, mark);
        }
}

static void store(const warp *w, const tc_matrix *x) {
    rows r = {0};
    for (uint32_t l = 0; l < LANES; l++)
        for (unsigned i = 0; i < x->n; i++) {
            uint32_t mark = 0;
            uint64_t v = reg_of(w, l, w->in->d + i, &mark);
            put_pair(w, &r, i * ROWS, l, x->transposed, v, mark);
        }
    for (uint32_t l = 0; l < x->n * ROWS; l++)
        if (is_here(w, l))
            write_row(w, &r, l, tc_place_of(w->vm, w->in));
}

static void transpose(const warp *w) {
    rows r = {0};
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t mark = 0;
        uint64_t v = reg_of(w, l, w->in->b, &mark);
        put_pair(w, &r, 0, l, false, v, mark);
    }
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t mark = 0;
        uint64_t v = pair_of(w, &r, 0, l, true, &mark);
        if (is_here(w, l))
            put(w, l, w->in->d, v, false, mark);
    }
}

// ---- mma ----

typedef struct number {
    double f;
    int64_t i;
    uint32_t mark;
} number;

static bool is_float(tc_ptx_type t) { return t >= TC_PTXT_F16; }

static tc_fkind kind_of(tc_ptx_type t) {
    return t == TC_PTXT_F16 ? TC_F16 : t == TC_PTXT_BF16 ? TC_FB16 : t == TC_PTXT_F64 ? TC_F64 : TC_F32;
}

// Part `part` of the lane's register.
static number get(const warp *w, tc_ptx_type t, uint32_t lane, uint32_t reg, unsigned part) {
    number r = {0};
    unsigned bits = tc_ptx_type_bits(t);
    uint64_t v = reg_of(w, lane, reg, &r.mark);
    if (t == TC_PTXT_TF32) { // the low bits are not looked at
        bits = 32;
        v &= ~UINT64_C(0x1fff);
    }
    if (bits < 64)
        v = v >> (bits * part) & ((UINT64_C(1) << bits) - 1);
    if (is_float(t)) {
        r.f = tc_float_get(v, kind_of(t));
        r.mark = tc_mark_data(w->vm, r.mark);
    } else {
        r.i = t == TC_PTXT_U8 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
    }
    return r;
}

static number of_a(const warp *w, const tc_matrix *x, unsigned row, unsigned k) {
    unsigned per = per_register(x->type[1]), group = 4 * per;
    return get(w, x->type[1], row % ROWS * 4 + k % group / per, w->in->b + row / ROWS + x->m / ROWS * (k / group), k % per);
}

static number of_b(const warp *w, const tc_matrix *x, unsigned k, unsigned column) {
    unsigned per = per_register(x->type[2]), group = 4 * per;
    return get(w, x->type[2], column * 4 + k % group / per, w->in->b + x->regs[1] + k / group, k % per);
}

static number of_c(const warp *w, const tc_matrix *x, unsigned row, unsigned column) {
    bool one = per_register(x->type[3]) == 1;
    uint32_t first = w->in->b + x->regs[1] + x->regs[2], lane = row % ROWS * 4 + column / 2;
    return get(w, x->type[3], lane, first + row / ROWS * (one ? 2 : 1) + (one ? column % 2 : 0), one ? 0 : column % 2);
}

static void put_d(const warp *w, const tc_matrix *x, unsigned row, unsigned column, const number *v) {
    tc_ptx_type t = x->type[0];
    bool one = per_register(t) == 1;
    uint32_t lane = row % ROWS * 4 + column / 2, reg = w->in->d + row / ROWS * (one ? 2 : 1) + (one ? column % 2 : 0);
    if (!is_here(w, lane))
        return;
    uint64_t bits = is_float(t) ? tc_float_put(v->f, kind_of(t)) : (uint64_t)v->i & UINT32_MAX;
    if (one) {
        put(w, lane, reg, bits, is_float(t), v->mark);
        return;
    }
    // Elements come by columns: the first half is new, the second joins it.
    uint32_t mark = v->mark;
    uint64_t old = column % 2 ? reg_of(w, lane, reg, &mark) & 0xffffu : 0;
    put(w, lane, reg, old | bits << (column % 2 * 16), false, mark);
}

static void multiply(const warp *w, const tc_matrix *x) {
    number a[16][TC_MATRIX_K], b[TC_MATRIX_K][ROWS], c[16][ROWS];
    for (unsigned k = 0; k < x->k; k++) {
        for (unsigned i = 0; i < x->m; i++)
            a[i][k] = of_a(w, x, i, k);
        for (unsigned j = 0; j < ROWS; j++)
            b[k][j] = of_b(w, x, k, j);
    }
    // All is read before the first result: D may be C's registers.
    for (unsigned i = 0; i < x->m; i++)
        for (unsigned j = 0; j < ROWS; j++) {
            c[i][j] = of_c(w, x, i, j);
            for (unsigned k = 0; k < x->k; k++) {
                c[i][j].f += a[i][k].f * b[k][j].f;
                c[i][j].i += a[i][k].i * b[k][j].i;
                c[i][j].mark = tc_mark_union(w->vm, c[i][j].mark, tc_mark_union(w->vm, a[i][k].mark, b[k][j].mark));
            }
        }
    for (unsigned i = 0; i < x->m; i++)
        for (unsigned j = 0; j < ROWS; j++)
            put_d(w, x, i, j, &c[i][j]);
}

// ---- the door ----

// PTX leaves undefined what happens when a lane has exited, or is not there.
static void report_gone(const warp *w) {
    for (uint32_t l = 0; l < LANES && w->b->whole; l++) {
        const tc_thread *o = lane_of(w->vm, w->b, w->number, l);
        if (is_here(w, l) || (o && o->state != TC_TS_EXITED))
            continue;
        tc_thread *t = lane_of(w->vm, w->b, w->number, (uint32_t)__builtin_ctz(w->lanes));
        tc_fault f = {.two = o != NULL};
        if (o) {
            memcpy(f.other_block, w->b->idx, sizeof f.other_block);
            memcpy(f.other_thread, o->idx, sizeof f.other_thread);
            tc_vm_other(w->vm, &f, o->last_place);
        }
        tc_vm_fault(w->vm, t, o ? "TC3002" : "TC3004", tc_place_of(w->vm, w->in), &f, "lane %u of the warp %s", l,
                    o ? "does not come: it has returned" : "does not exist, and all 32 take part");
        return;
    }
}

void tc_matrix_run(tc_vm *vm, tc_block *b, const tc_insn *in, uint32_t number, uint32_t lanes) {
    const tc_matrix *x = &vm->p->matrices.data[in->x];
    warp w = {vm, b, in, number, lanes, tc_mark_make(vm, (tc_mark){.unknown = true})};
    if (lanes != UINT32_MAX)
        report_gone(&w);
    if (x->moves)
        transpose(&w);
    else if (x->kind == TC_FX_MATRIX_OP)
        multiply(&w, x);
    else if (all_shared(&w, x) && x->kind == TC_FX_MATRIX_LOAD)
        load(&w, x);
    else if (!vm->halted)
        store(&w, x);
}
