// Memory of the model: sets of bytes, allocations.
#include <stdlib.h>
#include <string.h>

#include "streams/modeli.h"

bits model_bits(model *m) {
    bits at = m->pool.n;
    for (size_t i = 0; i < m->words; i++)
        *PUSH(m->pool) = 0;
    return at;
}

uint64_t *model_words(const model *m, bits b) {
    return m->pool.v + b;
}

static void set_bytes(model *m, bits b, const tc_rt_region *r, unsigned d, uint64_t from) {
    if (d < r->ndims) {
        for (uint64_t i = 0; i < r->dims[d].count; i++)
            set_bytes(m, b, r, d + 1, from + i * r->dims[d].stride);
        return;
    }
    for (uint64_t i = from - m->base; i < from - m->base + r->run; i++) {
        if (i / 64 >= m->words)
            abort(); // outside of the universe
        model_words(m, b)[i / 64] |= UINT64_C(1) << (i % 64);
    }
}

bits model_bits_of(model *m, const tc_rt_region *r) {
    bits b = model_bits(m);
    set_bytes(m, b, r, 0, r->base);
    return b;
}

bool model_common(const model *m, bits a, bits b) {
    const uint64_t *x = model_words(m, a), *y = model_words(m, b);
    for (size_t i = 0; i < m->words; i++)
        if (x[i] & y[i])
            return true;
    return false;
}

void model_take(const model *m, bits a, bits b) {
    uint64_t *x = model_words(m, a), *y = model_words(m, b);
    for (size_t i = 0; i < m->words; i++)
        x[i] &= ~y[i];
}

void model_join_bits(const model *m, bits a, bits b) {
    uint64_t *x = model_words(m, a), *y = model_words(m, b);
    for (size_t i = 0; i < m->words; i++)
        x[i] |= y[i];
}

static int innermost(const model *m, uint64_t address, bool parts) {
    int found = NONE;
    for (int i = 0; i < (int)m->allocations.n; i++) {
        const allocation *a = &m->allocations.v[i];
        if (address < a->base || address - a->base >= a->size || (a->memory == TC_RT_MEM_SUB && !parts))
            continue;
        found = i; // what is inside comes later, and so does what takes the place of another
    }
    return found;
}

int model_allocation_at(const model *m, uint64_t address) {
    return innermost(m, address, true);
}

int model_whole_at(const model *m, uint64_t address) {
    return innermost(m, address, false);
}

bits model_lent(model *m, uint64_t base, bits bytes, bool *freed) {
    int a = model_allocation_at(m, base);
    bits lent = model_bits(m);
    *freed = a != NONE && !m->allocations.v[a].live;
    if (!*freed)
        model_join_bits(m, lent, bytes);
    return lent;
}

bool model_within(const model *m, bits a, bits b) {
    const uint64_t *x = model_words(m, a), *y = model_words(m, b);
    for (size_t i = 0; i < m->words; i++)
        if (x[i] & ~y[i])
            return false;
    return true;
}

bool model_conflict(tc_rt_borrow a, tc_rt_borrow b) {
    return a != b || a == TC_RT_EXCLUSIVE;
}
