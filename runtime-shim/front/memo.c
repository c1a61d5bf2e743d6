#include "runtime-shim/front/memo.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 256, THREADS = 4 }; // bytes; threads that do not meet in one entry

typedef struct entry {
    bool set;
    uint32_t grid[3], block[3], cluster[3];
    uint64_t smem;
    uint8_t arguments[MAX_ARGUMENTS];
    tc_rt_use *uses;
    size_t n;
} entry;

struct memo {
    const tc_embedded *record;
    uint32_t params;
    entry of[THREADS];
    tc_rt_use uses[];
};

memo *memo_new(const tc_embedded *record, unsigned uses) {
    uint32_t params = record->tables[TC_REC_TABLE_PARAM].count;
    for (uint32_t i = 0; i < params; i++) {
        tc_embedded_param p = tc_embedded_param_at(record, i);
        if (p.size > MAX_ARGUMENTS || p.offset > MAX_ARGUMENTS - p.size)
            return NULL;
    }
    memo *m = calloc(1, sizeof *m + (size_t)THREADS * uses * sizeof *m->uses);
    if (!m)
        return NULL;
    m->record = record;
    m->params = params;
    for (unsigned i = 0; i < THREADS; i++)
        m->of[i].uses = m->uses + (size_t)i * uses;
    return m;
}

static bool same_arguments(const memo *m, const entry *e, const tc_embedded_launch *l) {
    for (uint32_t i = 0; i < m->params; i++) {
        tc_embedded_param p = tc_embedded_param_at(m->record, i);
        if (!l->params[i] || memcmp(e->arguments + p.offset, l->params[i], p.size) != 0)
            return false;
    }
    return true;
}

const tc_rt_use *memo_find(const memo *m, uint32_t thread, const tc_embedded_launch *l, size_t *n) {
    const entry *e = &m->of[thread % THREADS];
    bool same = e->set && l->params && e->smem == l->smem && !memcmp(e->grid, l->grid, sizeof e->grid) &&
                !memcmp(e->block, l->block, sizeof e->block) && !memcmp(e->cluster, l->cluster, sizeof e->cluster) && same_arguments(m, e, l);
    if (!same)
        return NULL;
    *n = e->n;
    return e->uses;
}

void memo_keep(memo *m, uint32_t thread, const tc_embedded_launch *l, const tc_rt_use *uses, size_t n) {
    entry *e = &m->of[thread % THREADS];
    e->set = l->params != NULL;
    for (uint32_t i = 0; e->set && i < m->params; i++) {
        tc_embedded_param p = tc_embedded_param_at(m->record, i);
        e->set = l->params[i] != NULL;
        if (e->set)
            memcpy(e->arguments + p.offset, l->params[i], p.size);
    }
    if (!e->set)
        return;
    memcpy(e->grid, l->grid, sizeof e->grid);
    memcpy(e->block, l->block, sizeof e->block);
    memcpy(e->cluster, l->cluster, sizeof e->cluster);
    e->smem = l->smem;
    memcpy(e->uses, uses, n * sizeof *uses);
    e->n = n;
}
