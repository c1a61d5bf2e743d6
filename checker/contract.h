// Contracts: what a kernel's attributes say, resolved for one instantiation into terms.
//
// Where an expression has no value in C (a divisor of zero, a shift by a negative amount, an element of an index array
// that does not exist), its term has any value. So:
// - what is a condition on the launch (tc_requires, tc_block, tc_grid, tc_smem) is the fact "it has a value, and holds":
//   a launch for which it has none is not allowed, and the shim refuses it. && || ?: guard their operands as in C.
// - what describes memory (tc_shape, tc_tile, tc_at, tc_owner, …) adds no such fact: what is proved holds for any value.
//   "Extents are not negative" and tc_forall are assumed only where the expression has a value.
// A division by a constant zero, or a constant shift by a negative amount or by more than 126, is an error.
#ifndef TC_CHECKER_CONTRACT_H
#define TC_CHECKER_CONTRACT_H

#include "checker/options.h"
#include "checker/unit.h"
#include "solver/term.h"

// The symbols of a launch, shared by contract, model and interpreter: one value each, ranges by the
// hardware limits (CUDA C Programming Guide, "Technical Specifications": gridDim.x < 2^31, .y .z <= 65535,
// blockDim.x .y <= 1024, .z <= 64, product <= 1024), by the parameter's C type, and narrowed by what the facts say of the
// symbol alone (n >= 1, 0 <= rows, gridDim.x <= 65535). An extent that the contract fixes is the constant itself, and
// so is an index into an extent of 1; it then has no symbol, and has_block, block and so on say what a launch must meet.
typedef struct tc_launch_syms {
    tc_t block_idx[3], thread_idx[3], block_dim[3], grid_dim[3];
    tc_t smem; // bytes of dynamic shared memory
} tc_launch_syms;

// A scalar reachable from the parameters: the parameter itself or a field ("at.rows", "p.dims[2]").
typedef struct tc_scalar {
    const char *path;
    uint32_t param;
    uint64_t offset; // bytes in the parameter
    const tc_type *type;
    tc_t term;       // TC_SYM_PARAM with the range of its type or a narrower one; a constant under define=
} tc_scalar;

// A pointer to a function, or a field that is one. Its value in a launch: 0 for null, else the number of a function of the module
// (tc_unit_function), or a larger one for a function of elsewhere.
typedef struct tc_function_param {
    const char *path;
    uint32_t param;
    uint64_t offset;
    const tc_type *type;
    tc_t which; // a symbol of the launch
} tc_function_param;

typedef struct tc_callable {
    uint32_t number;
    const char *name;
} tc_callable;

typedef enum tc_borrow {
    TC_BORROW_NONE, // no word: inferred under `all`, otherwise unchecked by ownership rules but bounds still unknown
    TC_BORROW_SHARED,
    TC_BORROW_MUT,
    TC_BORROW_OUT,
    TC_BORROW_ATOMIC,
    TC_BORROW_UNCHECKED
} tc_borrow;

// How the region of a block is written.
typedef enum tc_region {
    TC_REGION_NONE,  // regions are what the code writes
    TC_REGION_AT,    // tile + at (explicit or default)
    TC_REGION_OWNER, // tile + owner
    TC_REGION_ROWS
} tc_region;

#define TC_MAX_DIMS 8

// A pointer parameter, pointer field, or device variable under contract.
typedef struct tc_object_contract {
    const char *path;        // "C", "p.dst", "counter"
    int param;               // index, or -1 for a device variable
    uint64_t offset;         // of the pointer in the parameter, bytes
    const char *var_mangled; // device variables
    const tc_type *elem;
    tc_loc loc;              // of the declarator
    tc_borrow borrow;
    tc_loc borrow_loc;
    bool optional, is_restrict;
    tc_t nonnull;                  // true; where optional, a boolean TC_SYM_PARAM whose owner is the index of this object
    const char *unchecked_why;
    unsigned ndims;                // 0: no tc_shape
    tc_t shape[TC_MAX_DIMS];       // elements
    tc_t stride[TC_MAX_DIMS];      // elements; row-major ones filled in
    bool explicit_stride;
    tc_loc shape_loc, stride_loc;
    tc_region region;
    tc_t tile[TC_MAX_DIMS];
    tc_t at[TC_MAX_DIMS];          // over block symbols
    tc_loc tile_loc, at_loc;
    const tc_sym *owner_index[TC_MAX_DIMS]; // TC_SYM_BOUND: tile coordinates
    tc_t owner;                    // linear block index
    tc_t rows_lo, rows_hi;
    const char *inplace;           // path of the other, or NULL
    uint32_t one_buffer;           // objects with the same number, not 0, may be one buffer: by tc_inplace, also over third ones
    bool has_init;
    tc_t init;
    tc_t align;                    // bytes; NULL: the element type's
    bool has_range, injective, monotone;
    tc_t range_lo, range_hi;       // lo <= v < hi
} tc_object_contract;

typedef struct tc_fact {
    tc_t term;
    const char *text;
    tc_loc loc;
} tc_fact;

typedef struct tc_forall_fact {
    const tc_sym *bound[4];
    unsigned nbound;
    tc_t term; // over APP of the objects' contents (see tc_contract_contents) and the bound symbols
    const char *text;
    tc_loc loc;
} tc_forall_fact;

// A part of a tc_requires.
typedef struct tc_clause {
    const char *text;
    tc_loc loc;
} tc_clause;

typedef struct tc_contract tc_contract;

// Pure device functions named in expressions are lifted by this hook (set by lift); NULL result: TC9001 at the call. The
// result is what C computes, is_signed: of a signed type, where C defines it: *defined is the condition under which no operation
// overflows, divides by zero or shifts too far.
typedef tc_t (*tc_lift_call)(void *ctx, tc_contract *c, const char *mangled, const tc_t *args, size_t nargs, bool is_signed,
                             tc_t *defined, const char **why);

// What describes memory by calls of functions is said in C only where they have the value that the contract gives them.
typedef struct tc_need {
    tc_t cond; // over launch, block and tile symbols
    const char *text;
    tc_loc loc;
} tc_need;

struct tc_contract {
    const tc_kernel *kernel;
    tc_terms *terms;
    tc_launch_syms syms;
    TC_VEC(tc_scalar) scalars;
    TC_VEC(tc_object_contract) objects;
    TC_VEC(tc_function_param) functions;
    bool has_block, has_grid, has_smem, has_cluster;
    bool pure_extern; // the option
    unsigned lockstep; // the option
    tc_t block[3], grid[3], smem, cluster[3];
    tc_loc block_loc, grid_loc;
    // Everything that may be assumed of a launch: hardware limits, the declared launch (blockDim.x == …, gridDim.x == …),
    // tc_requires, shapes >= 0, thread and block indices within their extents, defines.
    TC_VEC(tc_fact) facts;
    TC_VEC(tc_forall_fact) foralls;
    // Preconditions under which the kernel was proved, over the launch's symbols, where who makes the contract knows them: a launch has to
    // meet them too (rule_launch.c). Nothing is proved from them.
    TC_VEC(tc_fact) inferred;
    bool knows_inferred; // what the kernel's check infers is known, and all of it is in `inferred`
    TC_VEC(tc_need) needs;
    TC_VEC(tc_clause) clauses; // of tc_requires, in order: what && joins is several
    size_t without;            // the clause that is left out, from 1 on; 0: none. Set before tc_contract_make
    // Extents that the kernel never reads, so that an inferred precondition makes them 1: sweeps of launches leave them there. Set by who
    // has seen the code.
    bool unread_block[3], unread_grid[3];
    bool joins;          // launches may give what tc_inplace names one buffer with it; set in the same way
    bool sets_variables; // launches may begin with other values of variables than the source's; set in the same way
    TC_VEC(tc_callable) callable; // functions that the kernel may call through pointers; set in the same way
    // Pairs from tc_distinct / tc_may_alias, as indices into objects.
    TC_VEC(uint32_t) distinct, may_alias;
    bool annotated; // any attribute at all
    tc_map contents;    // object index + 1 -> tc_fn *
    tc_lift_call call;  // NULL: functions cannot be called
    void *call_ctx;
};

// Makes the contract of k. Errors become TC9001 findings with the place inside the attribute's text (line, column and a
// caret line in a note); returns TC_EINPUT then, and *c holds what could be resolved.
tc_status tc_contract_make(tc_arena *a, tc_terms *ts, const tc_unit *u, const tc_kernel *k, const tc_options *o,
                           tc_contract *c, tc_findings *out);

// May objects i and j, of which neither is the other, have memory in common in some launch? tc_inplace, tc_may_alias.
bool tc_contract_may_meet(const tc_contract *c, uint32_t i, uint32_t j);

// The function that gives the value stored in element `i` (flat, in elements) of a read-only integer object at launch.
// One per object; created on demand. Its range is the element type's; facts are added at each use by the rules.
const tc_fn *tc_contract_contents(tc_contract *c, uint32_t object);

const tc_object_contract *tc_contract_object(const tc_contract *c, uint32_t param, uint64_t offset);
const tc_scalar *tc_contract_scalar(const tc_contract *c, uint32_t param, uint64_t offset);

const tc_function_param *tc_contract_function(const tc_contract *c, uint32_t param, uint64_t offset);
// What a launch passes for such a parameter, as text: "nullptr", the function's name.
const char *tc_contract_callable(const tc_contract *c, uint32_t number);

// Flat element index of the multi-index (row-major or by strides).
tc_t tc_contract_flat(const tc_contract *c, const tc_object_contract *o, const tc_t *index);

// Own(block, element): is the element with multi-index `index` in the region of the current block? NULL for TC_REGION_NONE.
tc_t tc_contract_owned(const tc_contract *c, const tc_object_contract *o, const tc_t *index);

// Sets the hook for calls in expressions. Before tc_contract_make, on a contract that is otherwise zero.
void tc_contract_set_call_hook(tc_contract *c, tc_lift_call fn, void *ctx);

// Text for dump=contract.
const char *tc_contract_text(tc_arena *a, const tc_contract *c);

#endif
