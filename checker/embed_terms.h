// The tables of a record in the making: what embed.c and embed_terms.c share.
#ifndef TC_CHECKER_EMBED_TERMS_H
#define TC_CHECKER_EMBED_TERMS_H

#include "checker/contract.h"
#include "checker/embed.h"
#include "checker/verdict.h"
#include "runtime-shim/contract_format.h"

typedef struct tc_embed_condition {
    unsigned kind;
    uint32_t text, expr, line;
} tc_embed_condition;

typedef struct tc_embed {
    tc_arena *arena;
    const tc_contract *c;
    tc_bytes tables[TC_REC_TABLE_COUNT];
    uint32_t counts[TC_REC_TABLE_COUNT];
    tc_strmap texts;   // text -> its offset + 1
    tc_map nodes;      // term -> its node + 1
    tc_map leaves;     // hash of a node's row -> node + 1
    uint32_t *borrows; // object of the contract -> its row, or TC_REC_NONE
    const tc_sym *const *bound; // of the fact that is written
    unsigned nbound;
    TC_VEC(tc_embed_condition) conditions;
    bool partial;      // something was left out
    TC_VEC(bool) never; // by node: a NEVER is part of it
} tc_embed;

// ---- embed.c ----

void tc_embed_put(tc_embed *e, tc_bytes *to, uint64_t value, unsigned bytes); // little-endian
void tc_embed_put32(tc_embed *e, unsigned table, uint32_t value);
void tc_embed_put8(tc_embed *e, unsigned table, unsigned value);
bool tc_embed_row(tc_embed *e, unsigned table); // a new row; false, and partial, when the table is full
uint32_t tc_embed_text(tc_embed *e, const char *s);                           // TC_REC_NONE for NULL

// What a proof takes for granted of the object's address, bytes: the element type's alignment, or more by tc_align.
uint32_t tc_embed_alignment(const tc_object_contract *o);

// ---- embed_conditions.c, embed_facts.c ----

void tc_embed_conditions(tc_embed *e, const tc_options *o, const tc_kernel_result *r);
void tc_embed_facts(tc_embed *e);

// ---- embed_terms.c ----

// The expression of a term. What cannot be said at run time is a node NEVER in it (tc_embed_cannot).
uint32_t tc_embed_term(tc_embed *e, tc_t t);
uint32_t tc_embed_node(tc_embed *e, tc_rec_op op, unsigned width, uint32_t a, uint32_t b, uint32_t c);
bool tc_embed_cannot(const tc_embed *e, uint32_t expr);
uint32_t tc_embed_constant(tc_embed *e, tc_i128 v);
// The elements that the object's shape covers: lo … hi - 1, flat; false without a shape.
bool tc_embed_span(tc_embed *e, const tc_object_contract *o, tc_t *lo, tc_t *hi);

// The symbol of "the address of this object is a multiple of align", made by tc_rule_align.
tc_t tc_aligned_symbol(tc_terms *ts, const char *text, uint32_t object, uint64_t align);

#endif
