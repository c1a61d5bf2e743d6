// A contract in the making: what the files contract_*.c share.
//
// Order of work: contract_places.c finds what the parameters have in them; contract_words.c collects the words and
// checks that they stand where they may and do not contradict each other; then everything is resolved twice. The first
// time, in a term manager of its own, is only for the bounds of single symbols that the facts say (n >= 1, 0 <= rows);
// the second time the symbols have these ranges, so that intervals decide most of what comes later.
#ifndef TC_CHECKER_CONTRACT_BUILD_H
#define TC_CHECKER_CONTRACT_BUILD_H

#include "checker/contract.h"
#include "checker/expr.h"

// One word as it is said of one object or of the kernel.
typedef struct tc_said {
    tc_word word;
    const char *name; // without the tc_ prefix
    const char *text; // the arguments; NULL without parentheses
    tc_loc loc;
    const char *whole; // the source's text that `text` is a part of, for carets, and where it begins in it
    size_t base;
    const char *prefix;     // "p.": how a field's expressions reach its siblings; "" elsewhere
    const char *index_name; // tc_param(p.ptr[i], …): the name that stands for `index`; NULL elsewhere
    tc_i128 index;
} tc_said;
typedef TC_VEC(const tc_said *) tc_saids;

// The words of one object, by word; the kernel's too.
typedef struct tc_words {
    const tc_said *of[TC_WORD_COUNT];
    enum { TC_SHAPE_OPEN, TC_SHAPE_BUSY, TC_SHAPE_DONE } shape; // progress within a pass
} tc_words;

// What a path such as "p.dims[2]" names.
typedef enum tc_place_kind {
    TC_PLACE_SCALAR, // index: of the contract's scalars
    TC_PLACE_OBJECT, // index: of the contract's objects
    TC_PLACE_STRUCT,
    TC_PLACE_ARRAY,
    TC_PLACE_OTHER // no integer: type says what
} tc_place_kind;

typedef struct tc_place {
    tc_place_kind kind;
    uint32_t index;
    const tc_type *type;
} tc_place;

// What a fact says of one symbol alone: a scalar, an extent of the block, an extent of the grid.
typedef struct tc_bound {
    tc_sym_kind kind; // TC_SYM_PARAM, TC_SYM_BLOCKDIM, TC_SYM_GRIDDIM
    uint32_t index;   // of the scalar, or the axis
    bool lower;
    tc_i128 value;    // inclusive
    const char *text; // the fact's
    tc_loc loc;
} tc_bound;

typedef struct tc_build {
    tc_arena *arena;
    const tc_unit *unit;
    const tc_kernel *kernel;
    const tc_options *options;
    tc_contract *c;
    tc_findings *out;
    bool failed, fresh; // fresh: the last finding of out is the last one reported
    bool first;         // the first pass: nothing is reported, no function is called
    unsigned calls;     // of functions so far

    tc_strmap places;       // path -> tc_place *
    TC_VEC(tc_words) words; // of the contract's objects
    tc_words kernel_words;
    tc_saids
        requires,
    foralls, distinct, may_alias;

    TC_VEC(tc_bound) bounds; // from the first pass
    // Where the declared extents and bytes have a value; NULL where they are not declared.
    tc_t block_defined[3], grid_defined[3], smem_defined;
} tc_build;

// ---- contract_error.c ----

// Reports TC9001 at the word, with the argument's text and a caret under [pos, end) (offsets in said->text), and hint,
// if any, as a second note. A finding that is there already is not repeated.
void tc_contract_fail_at(tc_build *b, const tc_said *said, size_t pos, size_t end, const char *hint, const char *format,
                         ...) __attribute__((format(printf, 6, 7)));
// Without a caret.
void tc_contract_fail(tc_build *b, tc_loc loc, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Adds a note to what was just reported.
void tc_contract_note(tc_build *b, tc_loc loc, const char *format, ...) __attribute__((format(printf, 3, 4)));
// A hint "did you mean 'x'?" for the candidate nearest to name, or NULL.
const char *tc_nearest_hint(tc_arena *a, const char *name, const char *const *candidates, size_t n);

// ---- contract_places.c ----

// Fills scalars, objects and places from the parameters and the device variables, and gives the words on them to
// tc_words_say.
void tc_places_make(tc_build *b);
const tc_place *tc_place_find(const tc_build *b, const char *path);
void tc_type_range(const tc_type *t, tc_i128 *lo, tc_i128 *hi); // BOOL and INT of at most 8 bytes
bool tc_type_is_integer(const tc_type *t);

// ---- contract_words.c ----

typedef struct tc_word_info {
    const char *name;
    bool on_kernel;
    size_t min_args, max_args;
} tc_word_info;
const tc_word_info *tc_word_info_of(tc_word w);

// The word is said of what path names: a pointer, or all pointers of an array. prefix as in tc_said.
void tc_words_say(tc_build *b, const char *path, const char *prefix, const tc_attr *attr);
void tc_words_of_kernel(tc_build *b);
// After all words are said: what excludes or needs what.
void tc_words_check(tc_build *b);
// The arguments, parsed and counted; false when that was reported.
bool tc_words_args(tc_build *b, const tc_said *said, tc_exprs *args, tc_exprs *binders);
bool tc_words_exclusive(tc_borrow borrow);

// ---- contract_resolve.c, contract_names.c ----

// What an expression may speak of, besides parameters, constants and the launch's extents.
enum {
    TC_SEES_BLOCK_IDX = 1,
    TC_SEES_BLOCK_DIM = 2,
    TC_SEES_GRID_DIM = 4,
    TC_SEES_LAUNCH = TC_SEES_BLOCK_DIM | TC_SEES_GRID_DIM
};

typedef struct tc_scope {
    tc_build *b;
    const tc_said *said;
    unsigned sees;
    const tc_sym *const *bound; // the names before the semicolon
    size_t nbound;
} tc_scope;

typedef enum tc_meaning { TC_MEANS_NOTHING, TC_MEANS_INT, TC_MEANS_BOOL, TC_MEANS_POINTER } tc_meaning;

// defined: the condition under which C gives the expression a value. A divisor of zero, a negative shift and an element
// that does not exist have none; && || ?: guard their operands as in C.
typedef struct tc_value {
    tc_meaning kind; // TC_MEANS_NOTHING after an error, which was reported
    tc_t term, defined;
    uint32_t object; // TC_MEANS_POINTER
} tc_value;

tc_value tc_resolve(const tc_scope *s, const tc_expr *e);
tc_value tc_resolve_int(const tc_scope *s, const tc_expr *e);  // a condition counts as 0 or 1
tc_value tc_resolve_cond(const tc_scope *s, const tc_expr *e); // a number counts as "is not 0"
tc_value tc_resolve_name(const tc_scope *s, const tc_expr *e); // NAME, FIELD, INDEX
tc_value tc_resolve_call(const tc_scope *s, const tc_expr *e);
tc_value tc_resolve_cast(const tc_scope *s, const tc_expr *e);
tc_value tc_value_nothing(void);
// An error at e; the value to return.
tc_value tc_resolve_fail(const tc_scope *s, const tc_expr *e, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
tc_value tc_value_cdiv(const tc_scope *s, const tc_expr *e, tc_value a, tc_value b);
// The text of the path that e writes ("p.ptr[2]"), or NULL; an index that is no constant is *wildcard (if that is not
// NULL).
const char *tc_expr_path(tc_arena *a, const tc_expr *e, const char **wildcard);
// The object that e names; reports and gives NULL when there is none.
const tc_place *tc_resolve_object(tc_build *b, const tc_said *said, const tc_expr *e);
// A type by its spelling; NULL when there is none. Reports nothing.
const tc_type *tc_type_named(const tc_scope *s, const char *text);

// ---- contract_launch.c ----

void tc_launch_symbols(tc_build *b); // scalars, then block and grid as declared; fills c->syms
void tc_launch_facts(tc_build *b);   // hardware limits, the declared launch

// ---- contract_bounds.c ----

void tc_bounds_harvest(tc_build *b); // after the first pass
// The range of a symbol within [lo, hi] under the bounds. Where they contradict each other that is reported, and the
// range is [lo, hi]. SOUND: the bounds are facts of every launch that the contract allows.
void tc_bounds_apply(tc_build *b, tc_sym *s, tc_sym_kind kind, uint32_t index, tc_i128 lo, tc_i128 hi);

// ---- contract_facts.c ----

// Adds a fact, and the bounds that the first pass found in it: the ranges that these give to symbols may have made
// the term true, but a launch still has to meet it. A fact that no launch meets is an error.
void tc_fact_push(tc_build *b, tc_t term, const char *text, tc_loc loc);
// bound <= t or t <= bound, kept although the range of t says it.
void tc_fact_bound(tc_build *b, tc_t t, bool lower, tc_i128 bound, const char *text, tc_loc loc);
void tc_facts_required(tc_build *b); // tc_requires
void tc_facts_forall(tc_build *b);
void tc_facts_alias(tc_build *b);                                              // tc_distinct, tc_may_alias
const char *tc_said_slice(tc_arena *a, const tc_said *said, const tc_expr *e); // e's source text, on one line

// ---- contract_regions.c ----

// The shape and strides of object i, once a pass; false when it has none or they were reported.
bool tc_object_shape(tc_build *b, uint32_t i);
void tc_objects_resolve(tc_build *b); // shape, tile, at, owner, rows, range, init, align, in place

#endif
