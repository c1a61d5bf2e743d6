// What may be assumed of a launch: tc_requires, tc_forall, tc_distinct, tc_may_alias.
#include <ctype.h>
#include <string.h>

#include "checker/contract_build.h"

const char *tc_said_slice(tc_arena *a, const tc_said *said, const tc_expr *e) {
    enum { LONGEST = 240 };
    tc_text out = {.arena = a};
    bool blank = false;
    for (size_t i = e->pos; i < e->end && said->text[i]; i++) {
        unsigned char c = (unsigned char)said->text[i];
        if (isspace(c)) {
            blank = true;
            continue;
        }
        if (blank)
            tc_putc(&out, ' ');
        blank = false;
        tc_putc(&out, isprint(c) ? (char)c : '?');
        if (out.len > LONGEST) {
            tc_put(&out, "...");
            break;
        }
    }
    return tc_text_str(&out);
}

// ---- facts ----

static bool same_loc(tc_loc a, tc_loc b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static void push(tc_build *b, tc_t term, const char *text, tc_loc loc) {
    for (size_t i = 0; i < b->c->facts.len; i++)
        if (b->c->facts.data[i].term == term)
            return; // said before
    tc_fact f = {term, text, loc};
    tc_push(b->arena, &b->c->facts, f);
}

static tc_t bounded_symbol(const tc_build *b, const tc_bound *x) {
    const tc_contract *c = b->c;
    return x->kind == TC_SYM_PARAM      ? c->scalars.data[x->index].term
           : x->kind == TC_SYM_BLOCKDIM ? c->syms.block_dim[x->index]
                                        : c->syms.grid_dim[x->index];
}

void tc_fact_bound(tc_build *b, tc_t t, bool lower, tc_i128 bound, const char *text, tc_loc loc) {
    if (!tc_is_const(t))
        push(b, tc_bound_term(b->c->terms, t, lower, bound), text, loc);
}

void tc_fact_push(tc_build *b, tc_t term, const char *text, tc_loc loc) {
    if (tc_is_false(term)) {
        tc_contract_fail(b, loc, NULL, "no launch meets this contract: %s never holds", text);
        return;
    }
    if (!tc_is_true(term))
        push(b, term, text, loc);
    for (size_t i = 0; i < b->bounds.len; i++) {
        const tc_bound *x = &b->bounds.data[i];
        if (same_loc(x->loc, loc) && strcmp(x->text, text) == 0)
            tc_fact_bound(b, bounded_symbol(b, x), x->lower, x->value, text, loc);
    }
}

// a && b && c: a fact each. Together they say the same, also of where they have a value: each that is reached must
// hold.
static void require(tc_build *b, const tc_scope *s, const tc_expr *e) {
    if (e->op == TC_X_AND) {
        for (size_t i = 0; i < e->nargs; i++)
            require(b, s, e->args[i]);
        return;
    }
    tc_clause clause = {tc_said_slice(b->arena, s->said, e), s->said->loc};
    tc_push(b->arena, &b->c->clauses, clause);
    tc_value v = tc_resolve_cond(s, e);
    if (v.kind == TC_MEANS_BOOL && b->c->clauses.len != b->c->without)
        tc_fact_push(b, tc_and(b->c->terms, v.defined, v.term), clause.text, clause.loc);
}

void tc_facts_required(tc_build *b) {
    b->c->clauses.len = 0;
    for (size_t i = 0; i < b->requires.len; i++) {
        const tc_said *said = b->requires.data[i];
        tc_scope s = {.b = b, .said = said, .sees = TC_SEES_LAUNCH};
        tc_exprs args = {0};
        if (tc_words_args(b, said, &args, NULL))
            require(b, &s, args.data[0]);
    }
}

// ---- tc_forall ----

static bool forall_bound(tc_build *b, const tc_said *said, const tc_exprs *names, tc_forall_fact *f) {
    enum { MOST = 4 };
    if (names->len > MOST) {
        tc_contract_fail(b, said->loc, NULL, "tc_forall has %zu names; at most %d are possible", names->len, MOST);
        return false;
    }
    for (size_t i = 0; i < names->len; i++) {
        const char *name = names->data[i]->text;
        f->bound[f->nbound++] = tc_sym_new(b->c->terms, name, TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
    }
    return true;
}

static void forall(tc_build *b, const tc_said *said) {
    tc_exprs args = {0}, names = {0};
    tc_forall_fact f = {.loc = said->loc};
    if (!tc_words_args(b, said, &args, &names) || !forall_bound(b, said, &names, &f))
        return;
    tc_scope s = {.b = b, .said = said, .sees = TC_SEES_LAUNCH, .bound = f.bound, .nbound = f.nbound};
    tc_value v = tc_resolve_cond(&s, args.data[0]);
    if (v.kind != TC_MEANS_BOOL)
        return;
    // SOUND: it is said of the indices for which the expression has a value, and of no others.
    f.term = tc_implies(b->c->terms, v.defined, v.term);
    f.text = tc_said_slice(b->arena, said, args.data[0]);
    tc_push(b->arena, &b->c->foralls, f);
}

void tc_facts_forall(tc_build *b) {
    for (size_t i = 0; i < b->foralls.len; i++)
        forall(b, b->foralls.data[i]);
}

// ---- aliasing ----

typedef TC_VEC(uint32_t) index_vec;

static bool named_objects(tc_build *b, const tc_said *said, index_vec *out) {
    tc_exprs args = {0};
    if (!tc_words_args(b, said, &args, NULL))
        return false;
    for (size_t i = 0; i < args.len; i++) {
        const tc_place *p = tc_resolve_object(b, said, args.data[i]);
        if (!p)
            return false;
        for (size_t k = 0; k < out->len; k++)
            if (out->data[k] == p->index) {
                tc_contract_fail_at(b, said, args.data[i]->pos, args.data[i]->end, NULL, "tc_%s names '%s' twice",
                                    said->name, b->c->objects.data[p->index].path);
                return false;
            }
        tc_push(b->arena, out, p->index);
    }
    return true;
}

static bool has_pair(const uint32_t *pairs, size_t n, uint32_t x, uint32_t y) {
    for (size_t i = 0; i + 1 < n; i += 2)
        if ((pairs[i] == x && pairs[i + 1] == y) || (pairs[i] == y && pairs[i + 1] == x))
            return true;
    return false;
}

void tc_facts_alias(tc_build *b) {
    tc_contract *c = b->c;
    for (size_t i = 0; i < b->distinct.len + b->may_alias.len; i++) {
        bool is_distinct = i < b->distinct.len;
        const tc_said *said = is_distinct ? b->distinct.data[i] : b->may_alias.data[i - b->distinct.len];
        index_vec objects = {0};
        if (!named_objects(b, said, &objects))
            continue;
        for (size_t x = 0; x < objects.len; x++)
            for (size_t y = x + 1; y < objects.len; y++) {
                uint32_t ox = objects.data[x], oy = objects.data[y];
                if (is_distinct) {
                    tc_push(b->arena, &c->distinct, ox);
                    tc_push(b->arena, &c->distinct, oy);
                } else if (has_pair(c->distinct.data, c->distinct.len, ox, oy))
                    tc_contract_fail(b, said->loc, NULL, "'%s' and '%s' are said to be tc_distinct and tc_may_alias",
                                     c->objects.data[ox].path, c->objects.data[oy].path);
                else {
                    tc_push(b->arena, &c->may_alias, ox);
                    tc_push(b->arena, &c->may_alias, oy);
                }
            }
    }
}
