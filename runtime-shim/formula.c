#include "runtime-shim/formula.h"

#include <stdlib.h>
#include <string.h>

typedef struct step {
    uint8_t op, width, size, sign; // size, sign: of a scalar
    uint32_t a, b, c;              // steps; of a leaf: axis
    uint32_t param, offset;        // of a scalar or an address: in the parameter, and of the parameter in the buffer
    uint32_t in_buffer;
    int64_t constant;
} step;

struct formula {
    const tc_embedded *record;
    uint32_t nsteps;
    step *steps;
    int64_t *values;
    bool *known;
    uint32_t *step_of; // of each node; NO_STEP
    // Launches of one kernel mostly differ in addresses alone. What does not stand on one is kept while all else is the same.
    uint32_t *varying, nvarying; // steps that stand on an address
    bool ran;
    uint32_t grid[3], block[3], cluster[3]; // of the last run; scalars are in values
    uint64_t smem;
};

enum { NO_STEP = 0x7fffffff };

static const char *const kinds[] = {
#define X(name, text, kinds) kinds,
    TC_REC_OPS(X)
#undef X
};

static char kind_of(uint8_t op, unsigned i) {
    return op < TC_REC_OP_COUNT ? kinds[op][i] : '-';
}

// Marks what an expression stands on; arguments are earlier nodes.
static void mark(const tc_embedded *e, const uint32_t *exprs, size_t n, bool *wanted, uint32_t nodes) {
    for (size_t i = 0; i < n; i++)
        if (exprs[i] < nodes)
            wanted[exprs[i]] = true;
    for (uint32_t i = nodes; i-- > 0;) {
        tc_embedded_node x = tc_embedded_node_at(e, i);
        const uint32_t arguments[3] = {x.a, x.b, x.c};
        for (unsigned k = 0; wanted[i] && k < 3; k++)
            if (kind_of(x.op, k) == 'n' && arguments[k] < i)
                wanted[arguments[k]] = true;
    }
}

static void of_parameter(const tc_embedded *e, step *s, uint32_t param, uint32_t offset) {
    s->param = param;
    s->offset = offset;
    s->in_buffer = param == TC_REC_NONE ? 0 : tc_embedded_param_at(e, param).offset;
}

static step step_for(const formula *f, uint32_t node) {
    const tc_embedded *e = f->record;
    tc_embedded_node x = tc_embedded_node_at(e, node);
    step s = {.op = x.op, .width = x.width, .a = x.a, .b = x.b, .c = x.c, .param = TC_REC_NONE};
    uint32_t *arguments[3] = {&s.a, &s.b, &s.c};
    for (unsigned k = 0; k < 3; k++)
        if (kind_of(x.op, k) == 'n')
            *arguments[k] = f->step_of[*arguments[k]];
    if (x.op == TC_REC_OP_CONST) {
        tc_i128 v = tc_embedded_constant(x);
        s.constant = (int64_t)v;
        s.op = v == (tc_i128)s.constant ? TC_REC_OP_CONST : TC_REC_OP_NEVER;
    } else if (x.op == TC_REC_OP_SCALAR) {
        tc_embedded_scalar a = tc_embedded_scalar_at(e, x.a);
        s.size = a.size;
        s.sign = a.sign;
        of_parameter(e, &s, a.param, a.offset);
    } else if (x.op == TC_REC_OP_ADDRESS || x.op == TC_REC_OP_NONNULL) {
        tc_embedded_borrow b = tc_embedded_borrow_at(e, x.a);
        s.size = 8;
        of_parameter(e, &s, b.param, b.offset);
    }
    return s;
}

static void find_varying(formula *f) {
    for (uint32_t i = 0; i < f->nsteps; i++) {
        const step *s = &f->steps[i];
        const uint32_t arguments[3] = {s->a, s->b, s->c};
        bool varies = s->op == TC_REC_OP_ADDRESS || s->op == TC_REC_OP_NONNULL;
        for (unsigned k = 0; k < 3; k++)
            for (uint32_t v = 0; kind_of(s->op, k) == 'n' && v < f->nvarying; v++)
                varies |= f->varying[v] == arguments[k];
        if (varies)
            f->varying[f->nvarying++] = i;
    }
}

formula *formula_new(const tc_embedded *e, const uint32_t *exprs, size_t n) {
    uint32_t nodes = tc_embedded_nodes(e), count = 0;
    formula *f = calloc(1, sizeof *f);
    bool *wanted = calloc(nodes + 1, sizeof *wanted);
    if (f && wanted) {
        mark(e, exprs, n, wanted, nodes);
        for (uint32_t i = 0; i < nodes; i++)
            count += wanted[i];
        f->record = e;
        f->steps = calloc(count + 1, sizeof *f->steps);
        f->values = calloc(count + 1, sizeof *f->values);
        f->known = calloc(count + 1, sizeof *f->known);
        f->step_of = calloc(nodes + 1, sizeof *f->step_of);
    }
    if (f)
        f->varying = calloc(count + 1, sizeof *f->varying);
    if (!f || !wanted || !f->steps || !f->values || !f->known || !f->step_of || !f->varying) {
        free(wanted);
        formula_free(f);
        return NULL;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        f->step_of[i] = wanted[i] ? f->nsteps : NO_STEP;
        if (wanted[i]) {
            f->steps[f->nsteps] = step_for(f, i);
            f->nsteps++;
        }
    }
    free(wanted);
    find_varying(f);
    return f;
}

void formula_free(formula *f) {
    if (!f)
        return;
    free(f->steps);
    free(f->values);
    free(f->known);
    free(f->step_of);
    free(f->varying);
    free(f);
}

// ---- leaves ----

static bool read_argument(const tc_embedded_launch *l, const step *s, uint64_t *v) {
    const uint8_t *from = NULL;
    if (s->param == TC_REC_NONE)
        return false;
    if (l->params) {
        from = l->params[s->param];
        from = from ? from + s->offset : NULL;
    } else {
        size_t at = (size_t)s->in_buffer + s->offset;
        from = l->buffer && at <= l->buffer_size && s->size <= l->buffer_size - at ? (const uint8_t *)l->buffer + at : NULL;
    }
    *v = 0;
    if (from)
        memcpy(v, from, s->size); // little-endian, as the devices' hosts are
    return from != NULL;
}

static bool scalar(const tc_embedded_launch *l, const step *s, int64_t *r) {
    uint64_t v;
    if (!read_argument(l, s, &v))
        return false;
    unsigned unused = 64 - 8u * s->size;
    if (s->sign == TC_REC_SCALAR_BOOL)
        *r = v != 0;
    else if (s->sign == TC_REC_SCALAR_SIGNED)
        *r = (int64_t)(v << unused) >> unused;
    else
        *r = (int64_t)v;
    return s->sign != TC_REC_SCALAR_UNSIGNED || *r >= 0;
}

static bool leaf(const formula *f, const tc_embedded_launch *l, const step *s, int64_t *r) {
    uint64_t v;
    switch (s->op) {
    case TC_REC_OP_CONST:
        *r = s->constant;
        return true;
    case TC_REC_OP_SCALAR:
        return scalar(l, s, r);
    case TC_REC_OP_GRID:
        *r = l->grid[s->a];
        return true;
    case TC_REC_OP_BLOCK:
        *r = l->block[s->a];
        return true;
    case TC_REC_OP_CLUSTER:
        *r = f->record->flags & TC_REC_CLUSTER_KNOWN ? f->record->cluster[s->a] : l->cluster[s->a];
        return *r > 0;
    case TC_REC_OP_SMEM:
        *r = (int64_t)l->smem;
        return *r >= 0;
    case TC_REC_OP_ADDRESS:
    case TC_REC_OP_NONNULL:
        if (!read_argument(l, s, &v) || v > INT64_MAX)
            return false;
        *r = s->op == TC_REC_OP_ADDRESS ? (int64_t)v : v != 0;
        return true;
    default:
        return false;
    }
}

// ---- operators ----

static bool divide(uint8_t op, int64_t a, int64_t b, int64_t *r) {
    if (b == 0 || (b == -1 && a == INT64_MIN))
        return false;
    int64_t q = a / b, m = a % b;
    bool lower = m != 0 && (m < 0) != (b < 0);
    *r = op == TC_REC_OP_TDIV ? q : op == TC_REC_OP_TREM ? m : op == TC_REC_OP_DIV ? q - lower : lower ? m + b : m;
    return true;
}

static bool wrap(const step *s, int64_t a, int64_t *r) {
    if (s->width < 1 || s->width > 64)
        return false;
    unsigned unused = 64u - s->width;
    uint64_t v = (uint64_t)a << unused;
    *r = s->op == TC_REC_OP_WRAP_SIGNED ? (int64_t)v >> unused : (int64_t)(v >> unused);
    return s->op == TC_REC_OP_WRAP_SIGNED || *r >= 0;
}

// All arguments are known.
static bool apply(const step *s, int64_t a, int64_t b, int64_t *r) {
    switch (s->op) {
    case TC_REC_OP_ADD:
        return !__builtin_add_overflow(a, b, r);
    case TC_REC_OP_MUL:
        return !__builtin_mul_overflow(a, b, r);
    case TC_REC_OP_DIV:
    case TC_REC_OP_MOD:
    case TC_REC_OP_TDIV:
    case TC_REC_OP_TREM:
        return divide(s->op, a, b, r);
    case TC_REC_OP_MIN:
        *r = a < b ? a : b;
        return true;
    case TC_REC_OP_MAX:
        *r = a > b ? a : b;
        return true;
    case TC_REC_OP_POW2:
        *r = a >= 0 && a < 63 ? INT64_C(1) << a : 0;
        return *r != 0;
    case TC_REC_OP_BITAND:
        *r = a & b;
        return true;
    case TC_REC_OP_BITOR:
        *r = a | b;
        return true;
    case TC_REC_OP_BITXOR:
        *r = a ^ b;
        return true;
    case TC_REC_OP_WRAP_SIGNED:
    case TC_REC_OP_WRAP_UNSIGNED:
        return wrap(s, a, r);
    case TC_REC_OP_EQ:
        *r = a == b;
        return true;
    case TC_REC_OP_LE:
        *r = a <= b;
        return true;
    case TC_REC_OP_NOT:
        *r = a == 0;
        return true;
    case TC_REC_OP_AND:
        *r = a != 0 && b != 0;
        return true;
    case TC_REC_OP_OR:
        *r = a != 0 || b != 0;
        return true;
    default:
        return false;
    }
}

// One of the two decides though the other is not known.
static bool decides(const step *s, bool known, int64_t v, int64_t *r) {
    bool is_and = s->op == TC_REC_OP_AND;
    *r = !is_and;
    return known && (is_and || s->op == TC_REC_OP_OR) && (v != 0) != is_and;
}

static bool evaluate(const formula *f, const tc_embedded_launch *l, const step *s, int64_t *r) {
    if (kind_of(s->op, 0) != 'n')
        return leaf(f, l, s, r);
    bool known = f->known[s->a];
    int64_t a = f->values[s->a];
    if (s->op == TC_REC_OP_ITE) {
        uint32_t taken = a != 0 ? s->b : s->c;
        *r = f->values[taken];
        return known && f->known[taken];
    }
    if (kind_of(s->op, 1) != 'n')
        return known && apply(s, a, 0, r);
    int64_t b = f->values[s->b];
    if (known && f->known[s->b])
        return apply(s, a, b, r);
    return decides(s, known, a, r) || decides(s, f->known[s->b], b, r);
}

static void run(formula *f, const tc_embedded_launch *l, uint32_t i) {
    int64_t r = 0;
    f->known[i] = evaluate(f, l, &f->steps[i], &r);
    f->values[i] = r;
}

// Does the launch differ from the last one in addresses alone? Scalars get their values.
static bool is_alike(formula *f, const tc_embedded_launch *l) {
    bool alike = f->ran && !memcmp(f->grid, l->grid, sizeof f->grid) && !memcmp(f->block, l->block, sizeof f->block) &&
                 !memcmp(f->cluster, l->cluster, sizeof f->cluster) && f->smem == l->smem;
    for (uint32_t i = 0; alike && i < f->nsteps; i++) {
        if (f->steps[i].op != TC_REC_OP_SCALAR)
            continue;
        int64_t r = 0;
        alike = scalar(l, &f->steps[i], &r) == f->known[i] && r == f->values[i];
    }
    return alike;
}

void formula_run(formula *f, const tc_embedded_launch *l) {
    if (is_alike(f, l)) {
        for (uint32_t v = 0; v < f->nvarying; v++)
            run(f, l, f->varying[v]);
        return;
    }
    for (uint32_t i = 0; i < f->nsteps; i++)
        run(f, l, i);
    memcpy(f->grid, l->grid, sizeof f->grid);
    memcpy(f->block, l->block, sizeof f->block);
    memcpy(f->cluster, l->cluster, sizeof f->cluster);
    f->smem = l->smem;
    f->ran = true;
}

bool formula_value(const formula *f, uint32_t expr, int64_t *value) {
    uint32_t i = expr < tc_embedded_nodes(f->record) ? f->step_of[expr] : NO_STEP;
    if (i == NO_STEP || !f->known[i])
        return false;
    *value = f->values[i];
    return true;
}
