// What the files of the term manager share and nobody else needs.
#ifndef TC_SOLVER_TERMI_H
#define TC_SOLVER_TERMI_H

#include "solver/term.h"

enum {
    TC_POLY_MAX = 256,    // monomials of one sum; a larger one nests
    TC_PRODUCT_MAX = 64,  // monomials of a product of two sums that is still multiplied out
    TC_DEGREE_MAX = 16,   // factors of one monomial
    TC_MEMBERS_MAX = 256  // members of one conjunction or disjunction
};

typedef struct tc_tnode {
    tc_term t; // first: a tc_t is a pointer to a tc_tnode
    tc_interval range;
    uint32_t size; // see tc_term_size
    tc_t core;     // MUL with a constant: what it multiplies
    tc_t negation; // booleans, once asked for
    uint64_t walk; // the walk that saw it last, and its position there
    size_t pos;
} tc_tnode;

static inline tc_tnode *tc_tnode_of(tc_t t) {
    return (tc_tnode *)(uintptr_t)t;
}

// Renamed terms of one (from, copy).
typedef struct tc_renaming {
    tc_variance from;
    uint32_t copy;
    tc_map memo;
} tc_renaming;

// A subterm's value during an evaluation.
typedef struct tc_cell_value {
    tc_i128 v;
    bool ok;
} tc_cell_value;

// A term on the way down, and its next argument.
typedef struct tc_visit {
    tc_t t;
    uint32_t next;
} tc_visit;

struct tc_terms {
    tc_arena *arena;
    tc_tnode **slots;
    size_t nslots;
    uint32_t count, nsyms, nfns;
    uint64_t walks;
    uint64_t visited; // terms met by all walks
    TC_VEC(tc_visit) stack; // of the walk that is being taken
    TC_VEC(tc_t) order; // walks in progress, one above the other
    TC_VEC(tc_cell_value) cells; // of evaluations in progress
    TC_VEC(tc_renaming *) renamings;
    TC_VEC(tc_map *) copies; // by copy: symbol or function -> its copy
};

// The term with these parts, made if need be, not simplified. args are copied.
tc_t tc_term_intern(tc_terms *ts, const tc_term *parts, const tc_t *args, uint32_t nargs);
tc_t tc_term_op(tc_terms *ts, tc_op op, tc_sort sort, const tc_t *args, uint32_t nargs);
tc_t tc_term_op2(tc_terms *ts, tc_op op, tc_sort sort, tc_t a, tc_t b);
// The same, arguments in the order of their ids.
tc_t tc_term_sorted2(tc_terms *ts, tc_op op, tc_sort sort, tc_t a, tc_t b);

// ---- polynomials (term_poly.c) ----

// coef * core; core is no constant.
typedef struct tc_mono {
    tc_t core;
    tc_i128 coef;
} tc_mono;

// The sum of m and c. Sorted by the cores' ids, no coefficient is 0.
typedef struct tc_poly {
    uint32_t n;
    tc_i128 c;
    tc_mono m[TC_POLY_MAX];
} tc_poly;

// Every integer term is a polynomial over its atoms; what does not fit is an atom as a whole.
void tc_poly_of(tc_t t, tc_poly *p);
tc_t tc_poly_term(tc_terms *ts, const tc_poly *p);
tc_t tc_mono_term(tc_terms *ts, tc_t core, tc_i128 coef);
// The factors of a monomial's core.
const tc_t *tc_core_factors(const tc_t *core, uint32_t *n);
// Greatest common divisor of the coefficients without the constant; 0 when there are none.
tc_i128 tc_poly_content(const tc_poly *p);
// a / b as monomials: every factor of b as often as it is there, and an exact coefficient.
bool tc_mono_divide(tc_terms *ts, tc_mono a, tc_mono b, tc_t *quotient);

// ---- intervals (term_range.c) ----

tc_interval tc_range_make(tc_terms *ts, const tc_term *t);
// The interval of t's operator over the intervals of its arguments; conditions are 0 or 1.
tc_interval tc_range_apply(const tc_term *t, const tc_interval *args);
tc_interval tc_range_any(void);
tc_interval tc_range_between(tc_i128 lo, tc_i128 hi);
tc_interval tc_range_add(tc_interval a, tc_interval b);
tc_interval tc_range_mul(tc_interval a, tc_interval b);
tc_interval tc_range_join(tc_interval a, tc_interval b);
tc_interval tc_range_meet(tc_interval a, tc_interval b);
static inline bool tc_range_nonneg(tc_interval r) { return r.has_lo && r.lo >= 0; }
static inline bool tc_range_positive(tc_interval r) { return r.has_lo && r.lo >= 1; }
static inline bool tc_range_in(tc_interval r, tc_i128 lo, tc_i128 hi) {
    return r.has_lo && r.has_hi && r.lo >= lo && r.hi <= hi;
}
static inline tc_interval tc_range_get(tc_t t) { return tc_tnode_of(t)->range; }

// ---- walks (term_walk.c) ----

// Puts the distinct subterms of roots on ts->order, arguments first, and stamps them with their positions, counted from
// the returned base. Release with tc_order_drop.
size_t tc_order_take(tc_terms *ts, const tc_t *roots, size_t nroots);
// n more terms were met. Leaves the trap's run with TC_ELIMIT when they are too many.
void tc_terms_meet(tc_terms *ts, uint64_t n);
void tc_order_stamp(tc_terms *ts, size_t base, size_t n);
void tc_order_drop(tc_terms *ts, size_t base);

// Builds t again from new arguments, simplifying.
tc_t tc_term_rebuild(tc_terms *ts, tc_t t, const tc_t *args);

#endif
