// Terms: hash-consed expressions over mathematical integers and booleans.
//
// Two terms of one manager are the same exactly when their pointers are. Building a
// term simplifies it (constants folded, sums and products flattened and sorted, like
// monomials collected), so that polynomial equality is pointer equality. Integers are
// mathematical; a machine operation that may wrap is an explicit TC_WRAP.
#ifndef TC_SOLVER_TERM_H
#define TC_SOLVER_TERM_H

#include <stdbool.h>

#include "base/int128.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

typedef enum tc_sort { TC_BOOL, TC_INT } tc_sort;

// X(NAME, text): every operator. Argument order and meaning:
#define TC_TERM_OPS(X)                                                                                                 \
    X(CONST, "const")   /* value (0/1 for TC_BOOL) */                                                                  \
    X(SYM, "sym")       /* sym */                                                                                      \
    X(ADD, "+")         /* n-ary sum */                                                                                \
    X(MUL, "*")         /* n-ary product; at most one constant, first */                                               \
    X(DIV, "div")       /* floor division a, b; unconstrained when b == 0 */                                           \
    X(MOD, "mod")       /* a - b * div(a, b): sign of b */                                                             \
    X(TDIV, "tdiv")     /* C's division, truncates towards zero */                                                     \
    X(TREM, "trem")     /* C's remainder, sign of a */                                                                 \
    X(MIN, "min")                                                                                                      \
    X(MAX, "max")                                                                                                      \
    X(POW2, "pow2")     /* 2^a for a >= 0; unconstrained otherwise */                                                  \
    X(BITAND, "&")      /* a, b: two's complement of unbounded width */                                                \
    X(BITOR, "|")                                                                                                      \
    X(BITXOR, "^")                                                                                                     \
    X(WRAP, "wrap")     /* a reduced to width bits, signed or unsigned, kept or not (value) */                   \
    X(ITE, "ite")       /* bool, a, b: a and b of one sort */                                                          \
    X(APP, "app")       /* fn applied to integer arguments: an unknown but fixed function */                           \
    X(EQ, "==")         /* integers */                                                                                 \
    X(LE, "<=")         /* integers; a < b is built as a + 1 <= b */                                                   \
    X(NOT, "!")                                                                                                        \
    X(AND, "&&")        /* n-ary */                                                                                    \
    X(OR, "||")         /* n-ary */

typedef enum tc_op {
#define X(name, text) TC_T_##name,
    TC_TERM_OPS(X)
#undef X
        TC_T_COUNT
} tc_op;

// How far a symbol's value is shared. Two blocks differ in everything from BLOCK on,
// two threads of a block in everything from WARP on, two iterations of one thread in
// ITERATION and ACCESS.
typedef enum tc_variance {
    TC_VAR_LAUNCH,    // sizes, grid and block extents, scalar parameters
    TC_VAR_BLOCK,     // blockIdx
    TC_VAR_WARP,
    TC_VAR_THREAD,    // threadIdx
    TC_VAR_ITERATION, // a loop's counter
    TC_VAR_ACCESS     // an unknown value: one for each execution of its instruction
} tc_variance;

typedef enum tc_sym_kind {
    TC_SYM_PARAM,    // scalar parameter or field of a struct parameter
    TC_SYM_BLOCKIDX, // axis in `axis`
    TC_SYM_THREADIDX,
    TC_SYM_BLOCKDIM,
    TC_SYM_GRIDDIM,
    TC_SYM_COUNTER,  // completed iterations of a loop, >= 0; `owner` is the loop's id
    TC_SYM_TRIPS,    // the counter's value on leaving the loop; `owner` is the loop's id
    TC_SYM_UNKNOWN,  // a value that the model does not describe
    TC_SYM_UNINIT,   // the value of something never written (TC2005)
    TC_SYM_BOUND     // bound variable of a contract expression (tc_owner, tc_forall), or the solver's own
} tc_sym_kind;

typedef struct tc_sym {
    const char *name; // the source's name: "n", "blockIdx.x"; unique names are the printer's work
    tc_sym_kind kind;
    tc_variance variance;
    tc_sort sort;
    bool has_lo, has_hi;
    tc_i128 lo, hi;   // inclusive; facts that hold of every value of the symbol
    uint32_t axis;    // 0, 1, 2 for x, y, z
    uint32_t owner;   // see kind
    uint32_t id;      // unique in the manager
    uint32_t copy;    // 0, or which instance of a two-instance obligation this is (tc_rename)
    const struct tc_sym *origin; // the symbol that this is a copy of, or NULL
    bool traced;      // its maker wants to know what it becomes a part of; set before its first use
    void *tag;        // the maker's
} tc_sym;

// An unknown but fixed function: the contents of a read-only object, an opaque pure operation.
typedef struct tc_fn {
    const char *name;
    uint32_t arity, id;
    bool has_lo, has_hi;
    tc_i128 lo, hi;        // inclusive range of every value
    tc_variance variance;  // TC_VAR_LAUNCH: one function for the whole launch
    void *tag;             // the maker's
} tc_fn;

typedef struct tc_term tc_term;
struct tc_term {
    tc_op op;
    tc_sort sort;
    uint32_t id;      // creation order: the order in which everything is sorted
    uint32_t nargs;
    tc_i128 value;    // TC_T_CONST; TC_T_WRAP: width, negative when signed
    const tc_sym *sym;
    const tc_fn *fn;
    const tc_term *const *args;
    uint64_t hash;
    tc_variance variance; // the largest of its symbols and functions
    bool uninit;          // a symbol for a value that was never written is part of it
    bool traced;          // a traced symbol is part of it, or a WRAP node that is kept
};

typedef const tc_term *tc_t;
typedef TC_VEC(tc_t) tc_tvec;

typedef struct tc_terms tc_terms;

tc_terms *tc_terms_new(tc_arena *a);
// How many terms all walks over terms have met so far: a measure of work that is the same every run.
uint64_t tc_terms_visited(const tc_terms *ts);
tc_arena *tc_terms_arena(const tc_terms *ts);

// Makes a symbol; the returned struct may be completed (range, axis, owner, tag) before its first use.
tc_sym *tc_sym_new(tc_terms *ts, const char *name, tc_sym_kind kind, tc_variance var, tc_sort sort);
tc_fn *tc_fn_new(tc_terms *ts, const char *name, uint32_t arity);

tc_t tc_int(tc_terms *ts, tc_i128 v);
tc_t tc_bool(tc_terms *ts, bool v);
tc_t tc_of_sym(tc_terms *ts, const tc_sym *s);
tc_t tc_app(tc_terms *ts, const tc_fn *f, const tc_t *args); // f->arity arguments

tc_t tc_add(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_sub(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_neg(tc_terms *ts, tc_t a);
tc_t tc_mul(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_mulc(tc_terms *ts, tc_t a, tc_i128 c);
tc_t tc_addc(tc_terms *ts, tc_t a, tc_i128 c);
tc_t tc_sum(tc_terms *ts, const tc_t *xs, size_t n);
tc_t tc_div(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_mod(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_tdiv(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_trem(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_min(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_max(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_pow2_term(tc_terms *ts, tc_t a);
tc_t tc_bitop(tc_terms *ts, tc_op op, tc_t a, tc_t b); // BITAND, BITOR, BITXOR
tc_t tc_wrap(tc_terms *ts, tc_t a, unsigned width, bool is_signed);
// The same value, as a node that keeps its argument: a itself, not a congruent term, and not taken away inside of another wrap
// or remainder. For operations that are shown not to wrap: the node may be replaced by its argument then. a where its range
// is within the type's; a constant out of range stays a node.
tc_t tc_wrap_kept(tc_terms *ts, tc_t a, unsigned width, bool is_signed);
tc_t tc_ite(tc_terms *ts, tc_t c, tc_t a, tc_t b);

tc_t tc_eq(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_ne(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_le(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_lt(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_not(tc_terms *ts, tc_t a);
tc_t tc_and(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_or(tc_terms *ts, tc_t a, tc_t b);
tc_t tc_and_n(tc_terms *ts, const tc_t *xs, size_t n);
tc_t tc_or_n(tc_terms *ts, const tc_t *xs, size_t n);
tc_t tc_implies(tc_terms *ts, tc_t a, tc_t b);
// bound <= t (lower) or t <= bound, for a symbol t: the comparison itself, also where the symbol's range decides it. For the
// facts that such a range stands for; it becomes true when it is built again.
tc_t tc_bound_term(tc_terms *ts, tc_t t, bool lower, tc_i128 bound);
// lo <= a && a <= hi
tc_t tc_in_range(tc_terms *ts, tc_t a, tc_i128 lo, tc_i128 hi);

static inline bool tc_is_const(tc_t t) { return t->op == TC_T_CONST; }
static inline bool tc_is_true(tc_t t) { return t->op == TC_T_CONST && t->sort == TC_BOOL && t->value == 1; }
static inline bool tc_is_false(tc_t t) { return t->op == TC_T_CONST && t->sort == TC_BOOL && t->value == 0; }
static inline unsigned tc_wrap_width(tc_t t) { return (unsigned)((t->value < 0 ? -t->value : t->value) % 1024); }
static inline bool tc_wrap_signed(tc_t t) { return t->value < 0; }
static inline bool tc_wrap_is_kept(tc_t t) { return t->value < -1024 || t->value > 1024; }

// Nodes of t as a tree, common parts counted each time; at most UINT32_MAX.
uint32_t tc_term_size(tc_t t);

// The interval of t from the ranges of its symbols alone; a missing side is reported as such.
typedef struct tc_interval {
    bool has_lo, has_hi;
    tc_i128 lo, hi;
} tc_interval;
tc_interval tc_range_of(tc_terms *ts, tc_t t);

// Simultaneous substitution of terms by terms (pointer identity on any subterm), simplifying
// again on the way up. map: TC_KEY(from) -> to.
tc_t tc_subst(tc_terms *ts, tc_t t, const tc_map *map);

// The instance `copy` (1, 2, …) of t: every symbol (and function) whose variance is `from` or above is
// replaced by its copy. One manager gives the same copy for the same symbol each time.
tc_t tc_rename(tc_terms *ts, tc_t t, tc_variance from, uint32_t copy);

// Calls fn on each distinct subterm once, arguments first.
void tc_walk(tc_terms *ts, tc_t t, void (*fn)(void *ctx, tc_t sub), void *ctx);
// Does any subterm satisfy p?
bool tc_any(tc_terms *ts, tc_t t, bool (*p)(void *ctx, tc_t sub), void *ctx);

// Values for symbols and functions; anything not listed is asked of `otherwise` (may be NULL: 0).
typedef struct tc_env {
    tc_map syms; // TC_KEY(sym) -> tc_i128 *
    // f applied to args; false when unknown (evaluation then fails)
    bool (*app)(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r);
    bool (*sym)(void *ctx, const tc_sym *s, tc_i128 *r);
    void *ctx;
} tc_env;

// Exact evaluation. false when something has no value: a symbol unknown, a division by zero,
// POW2 of a negative or above 126, a result beyond 128 bits.
bool tc_eval(tc_terms *ts, tc_t t, const tc_env *env, tc_i128 *r);

// Readable text with the source's operators: "blockIdx.x * 16 + threadIdx.x < n".
const char *tc_term_text(tc_terms *ts, tc_t t);
void tc_term_put(tc_text *out, tc_terms *ts, tc_t t);

#endif
