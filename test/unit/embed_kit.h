// Records for tests: a kernel made by hand (contract_kit.h), encoded and opened; its launch, whose arguments lie in one buffer;
// and a use of all that a record offers.
#ifndef TC_TEST_EMBED_KIT_H
#define TC_TEST_EMBED_KIT_H

#include <stdlib.h>

#include "checker/embed.h"
#include "checker/verdict.h"
#include "contract_kit.h"
#include "runtime-shim/contract.h"

enum { EK_NOTE = 24, EK_ARGUMENTS = 256, EK_MEMORY = 4096 };

// Where the test's device memory lies: addresses from here on.
static const uint64_t ek_base = 0x700000000000;

typedef struct ek_launch {
    tc_embedded_launch launch;
    uint8_t arguments[EK_ARGUMENTS];
    uint8_t memory[EK_MEMORY];
    unsigned reads, outside; // of memory
} ek_launch;

static inline bool ek_read(void *ctx, uint64_t address, size_t size, void *to) {
    ek_launch *l = ctx;
    l->reads++;
    if (address < ek_base || address - ek_base > EK_MEMORY || size > EK_MEMORY - (address - ek_base)) {
        l->outside++;
        return false;
    }
    memcpy(to, l->memory + (address - ek_base), size);
    return true;
}

static inline bool ek_variable(void *ctx, const char *mangled, uint64_t *address) {
    (void)ctx;
    *address = ek_base + 1024;
    return strcmp(mangled, "counter") == 0;
}

static inline void ek_launch_init(ek_launch *l, uint32_t grid, uint32_t block) {
    memset(l, 0, sizeof *l);
    l->launch = (tc_embedded_launch){.buffer = l->arguments, .buffer_size = sizeof l->arguments, .grid = {grid, 1, 1},
                                     .block = {block, 1, 1}, .cluster = {1, 1, 1}, .read = ek_read, .variable = ek_variable, .ctx = l};
}

// The argument of that name.
static inline void ek_set(ek_launch *l, const tc_embedded *e, const char *name, uint64_t value) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_PARAM].count; i++) {
        tc_embedded_param p = tc_embedded_param_at(e, i);
        if (strcmp(p.name, name) == 0)
            memcpy(l->arguments + p.offset, &value, p.size);
    }
}

static inline tc_embedded_cell *ek_cells(const tc_embedded *e) {
    return calloc(tc_embedded_nodes(e) + 1u, sizeof(tc_embedded_cell));
}

// The record of the kit's kernel, without its note, in memory of exactly its size.
static inline uint8_t *ek_record(kit *k, bool complete, const tc_kernel_result *r, size_t *size) {
    tc_bytes note = {0};
    tc_embed_kernel(k->a, &k->unit, &k->options, &k->kernel, &k->c, complete, r, &note);
    *size = note.len - EK_NOTE;
    uint8_t *record = malloc(*size);
    memcpy(record, note.data + EK_NOTE, *size);
    return record;
}

// Everything that a record offers, whatever is in it. Gives a number that depends on all answers.
static inline uint64_t ek_use(const tc_embedded *e, ek_launch *l) {
    tc_embedded_frame f;
    tc_embedded_cell *cells = ek_cells(e);
    char text[200];
    uint64_t sum = strlen(e->mangled) + strlen(e->name) + strlen(e->file);
    tc_embedded_begin(&f, e, &l->launch, cells);
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_PARAM].count; i++)
        sum += strlen(tc_embedded_param_at(e, i).name) + strlen(tc_embedded_param_name(tc_embedded_param_at(e, i).kind));
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_SCALAR].count; i++)
        sum += strlen(tc_embedded_scalar_at(e, i).path);
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_BORROW].count; i++) {
        tc_embedded_extent x;
        tc_embedded_borrow b = tc_embedded_borrow_at(e, i);
        sum += strlen(b.path) + strlen(tc_embedded_borrow_name(b.kind)) + (unsigned)tc_embedded_extent_of(&f, i, &x);
        for (unsigned d = 0; d < b.ndims; d++)
            sum += strlen(tc_embedded_expr_text(e, tc_embedded_dim_at(e, b.first_dim + d).extent, text, sizeof text));
    }
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_CONDITION].count && i < 64; i++) {
        tc_embedded_condition c = tc_embedded_condition_at(e, i);
        tc_embedded_state why;
        sum += strlen(c.text) + strlen(tc_embedded_condition_name(c.kind)) + (unsigned)tc_embedded_meets(&f, i, &why);
        sum += strlen(tc_embedded_state_text(why)) + strlen(tc_embedded_expr_text(e, c.expr, text, sizeof text));
        sum += strlen(tc_embedded_values_text(&f, c.expr, text, sizeof text));
    }
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_FACT].count && i < 64; i++) {
        tc_i128 scratch[16];
        tc_embedded_budget budget = {.steps = 10000, .scratch = scratch, .nscratch = 16};
        tc_embedded_witness at;
        tc_embedded_state why;
        tc_embedded_fact fact = tc_embedded_fact_at(e, i);
        sum += strlen(fact.text) + strlen(tc_embedded_fact_name(fact.kind)) + (unsigned)tc_embedded_fact_holds(&f, i, &budget, &at, &why);
        for (unsigned k = 0; k < fact.nbound; k++)
            sum += strlen(tc_embedded_bound_at(e, fact.first_bound + k).name);
    }
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_PAIR].count; i++)
        sum += strlen(tc_embedded_borrow_at(e, tc_embedded_pair_at(e, i).a).path) + tc_embedded_pair_at(e, i).b;
    free(cells);
    return sum;
}

#endif
