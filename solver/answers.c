// Answers to questions that another kernel of the same file asked before: instantiations of one template for types of one size ask the same.
//
// What Z3 makes of a question, and what it takes, hangs on what its context was asked before. So answers are kept in a tree: a way from its root is
// what one kernel asked, one question after the other, and who has asked the same so far has the same answer.
//
// SOUND: an answer is found by the whole question, byte for byte: its formulas, the ranges of what is in them, which hypotheses may be
// told to have been used, and the limits. Symbols go by their names and numbers, which are all that Z3 gets to see of them too.
#include <string.h>

#include "solver/solvei.h"

// What the questions of one file may take; what comes then is not kept.
enum { KEPT_MAX = 48 << 20, QUESTION_MAX = 1 << 18 };

struct tc_answer {
    tc_answer *next, *then; // another question in its place; the last one that was asked after it
    const uint8_t *question;
    size_t len;
    uint64_t hash;
    tc_known known;
};

struct tc_answers {
    tc_arena *arena;
    tc_answer root;
    size_t kept;
};

tc_answers *tc_answers_new(tc_arena *a) {
    tc_answers *all = TC_NEW(a, tc_answers);
    all->arena = a;
    return all;
}

tc_answer *tc_answers_root(tc_answers *all) {
    return &all->root;
}

// ---- a question as bytes ----

typedef TC_VEC(uint8_t) bytes;

typedef struct writer {
    tc_arena *arena;
    bytes out;
} writer;

static void put(writer *w, const void *p, size_t n) {
    const uint8_t *from = p;
    for (size_t i = 0; i < n; i++)
        tc_push(w->arena, &w->out, from[i]);
}

static void put_number(writer *w, uint64_t v) {
    while (v >= 0x80) {
        tc_push(w->arena, &w->out, (uint8_t)(v | 0x80));
        v >>= 7;
    }
    tc_push(w->arena, &w->out, (uint8_t)v);
}

static void put_value(writer *w, tc_i128 v) {
    put_number(w, (uint64_t)((tc_u128)v >> 64));
    put_number(w, (uint64_t)v);
}

static void put_name(writer *w, const char *name, uint32_t id) {
    put(w, name, strlen(name) + 1);
    put_number(w, id);
}

static void put_range(writer *w, tc_interval r) {
    put_number(w, (uint64_t)(r.has_lo | r.has_hi << 1));
    if (r.has_lo)
        put_value(w, r.lo);
    if (r.has_hi)
        put_value(w, r.hi);
}

static void put_term(writer *w, tc_t t) {
    put_number(w, (uint64_t)t->op << 1 | (t->sort == TC_BOOL));
    put_number(w, t->nargs);
    for (uint32_t k = 0; k < t->nargs; k++)
        put_number(w, tc_tnode_of(t->args[k])->pos);
    put_value(w, t->value);
    if (t->sym)
        put_name(w, t->sym->name, t->sym->id);
    if (t->fn)
        put_name(w, t->fn->name, t->fn->id);
    if (t->sym || t->fn)
        put_range(w, tc_range_get(t));
}

tc_question tc_answers_question(tc_terms *ts, tc_arena *scratch, const tc_ask *a) {
    writer w = {.arena = scratch};
    tc_t *roots = TC_NEW_ARRAY(scratch, tc_t, a->n + 1);
    for (size_t i = 0; i < a->n; i++)
        roots[i] = a->list[i].formula;
    size_t base = tc_order_take(ts, roots, a->n);
    put_number(&w, a->rlimit);
    put_number(&w, (uint64_t)a->width << 2 | (uint64_t)a->real << 1 | a->cuts);
    put_number(&w, ts->order.len - base);
    for (size_t i = base; i < ts->order.len && w.out.len < QUESTION_MAX; i++)
        put_term(&w, ts->order.data[i]);
    for (size_t i = 0; i < a->n; i++)
        put_number(&w, (uint64_t)tc_tnode_of(roots[i])->pos << 1 | a->list[i].tracked);
    tc_order_drop(ts, base);
    return (tc_question){.bytes = w.out.data, .len = w.out.len, .hash = tc_hash_bytes(w.out.data, w.out.len, 0)};
}

// ---- the answers ----

tc_answer *tc_answers_next(const tc_answer *after, const tc_question *q) {
    for (tc_answer *e = after->then; e; e = e->next)
        if (e->hash == q->hash && e->len == q->len && memcmp(e->question, q->bytes, q->len) == 0)
            return e;
    return NULL;
}

const tc_known *tc_answer_known(const tc_answer *answer) {
    return &answer->known;
}

tc_answer *tc_answers_put(tc_answers *all, tc_answer *after, const tc_question *q, tc_known known) {
    if (q->len >= QUESTION_MAX || all->kept + q->len > KEPT_MAX)
        return NULL;
    uint8_t *copy = TC_NEW_ARRAY(all->arena, uint8_t, q->len);
    memcpy(copy, q->bytes, q->len);
    bool *used = TC_NEW_ARRAY(all->arena, bool, known.nused + 1);
    memcpy(used, known.used, known.nused * sizeof *used);
    known.used = used;
    tc_answer *e = TC_NEW(all->arena, tc_answer);
    *e = (tc_answer){.next = after->then, .question = copy, .len = q->len, .hash = q->hash, .known = known};
    after->then = e;
    all->kept += q->len;
    return e;
}
