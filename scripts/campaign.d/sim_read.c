// Reads kernels and functions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

kernel *kernels;
function functions[32];
int nkernels;

static const char *const op_names[] = {
#define X(name) #name,
    SIM_OPS(X)
#undef X
};
static const char *const type_names[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "real", "ptr", "none"};

static const char *word(void) {
    static char text[256];
    if (scanf("%255s", text) != 1) {
        fprintf(stderr, "the kernels end too early\n");
        exit(1);
    }
    return text;
}

static long long number(void) {
    return strtoll(word(), NULL, 10);
}

static wide wide_number(void) {
    const char *s = word();
    bool negative = *s == '-';
    wide v = (wide)strtoull(s + negative, NULL, 10);
    return negative ? -v : v;
}

static int one_of(const char *const *names, int count, const char *what) {
    const char *s = word();
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], s) == 0)
            return i;
    fprintf(stderr, "%s: no %s\n", s, what);
    exit(1);
}

static type a_type(void) {
    return (type)one_of(type_names, 11, "type");
}

static int *conds; // of the kernel that is read

static node *a_node(void) {
    node *e = calloc(1, sizeof *e);
    e->op = (op)one_of(op_names, OP_COUNT, "operation");
    e->type = a_type();
    e->value = wide_number();
    e->n = (int)number();
    e->part = e->n ? calloc((size_t)e->n, sizeof(node *)) : NULL;
    for (int i = 0; i < e->n; i++)
        e->part[i] = a_node();
    if (e->op == OP_guard && conds)
        ++*conds, e->value = 1;
    return e;
}

static void a_param(param *p) {
    static const char *const kinds[] = {"read-only", "mut", "atomic"};
    strcpy(p->name, word());
    p->kind = (kind)one_of(kinds, 3, "kind");
    p->type = a_type();
    p->inplace = (int)number();
    p->injective = number(), p->monotone = number(), p->optional = number();
    p->dims = (int)number();
    p->strided = number();
    bool ranged = number(), init = number(), owns = number();
    for (int d = 0; d < p->dims; d++)
        p->extent[d] = a_node();
    for (int d = 0; p->strided && d < p->dims; d++)
        p->stride[d] = a_node();
    p->lo = ranged ? a_node() : NULL;
    p->hi = ranged ? a_node() : NULL;
    p->init = init ? a_node() : NULL;
    p->owns = owns ? a_node() : NULL;
}

static void a_kernel(kernel *k) {
    strcpy(k->name, word());
    k->slots = (int)number();
    k->grid_free = number(), k->block_free = number(), k->barriers = number();
    for (int i = 0; i < 6; i++)
        k->most[i] = wide_number();
    k->nscalars = (int)number();
    for (int i = 0; i < k->nscalars; i++) {
        strcpy(k->scalars[i].name, word());
        k->scalars[i].type = a_type();
        k->scalars[i].lo = wide_number(), k->scalars[i].hi = wide_number();
    }
    k->nparams = (int)number();
    for (int i = 0; i < k->nparams; i++)
        a_param(&k->params[i]);
    k->nallowed = (int)number();
    for (int i = 0; i < k->nallowed; i++)
        k->allowed[i] = a_node();
    k->ndims = (int)number();
    for (int i = 0; i < k->ndims; i++) {
        k->dim_of[i] = (int)number();
        k->dims[i] = a_node();
    }
    k->nfacts = (int)number();
    for (int i = 0; i < k->nfacts; i++) {
        k->facts[i].param = (int)number();
        k->facts[i].holds = a_node();
    }
    k->nhints = (int)number();
    for (int i = 0; i < k->nhints; i++)
        k->hints[i] = number();
    conds = &k->nconds;
    k->body = a_node();
    conds = NULL;
}

void read_kernels(void) {
    for (const char *s = word(); strcmp(s, "commands") != 0; s = word()) {
        if (strcmp(s, "function") == 0) {
            function *f = &functions[number()];
            strcpy(f->name, word());
            f->slots = (int)number();
            f->body = a_node();
        } else {
            kernels = realloc(kernels, sizeof *kernels * (size_t)(nkernels + 1));
            memset(&kernels[nkernels], 0, sizeof *kernels);
            a_kernel(&kernels[nkernels++]);
        }
    }
}
