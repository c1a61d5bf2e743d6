// Inside the lifter: what its files share. The lifter's door is model.h.
//
// The lifter executes the kernel's unoptimised IR symbolically, each block once under the condition of reaching it. Calls
// are walked into; a loop's body runs a few times until its header's values are described (lift_loop.c), and only the last
// of these passes is recorded. Allocas whose addresses are constant live in a persistent map (lift_state.c).
#ifndef TC_CHECKER_LIFT_H
#define TC_CHECKER_LIFT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "checker/effects.h"
#include "checker/model.h"

// ---- control flow of one function (lift_cfg.c) ----

typedef struct tc_cfg_loop {
    uint32_t header;
    uint32_t parent; // index into loops, or TC_NONE
    uint32_t depth;  // 1 for an outermost loop
    TC_VEC(uint32_t) blocks; // in reverse post-order, header first, inner loops included
} tc_cfg_loop;

typedef struct tc_cfg {
    LLVMValueRef function;
    LLVMBasicBlockRef *blocks; // reachable ones, in reverse post-order
    uint32_t nblocks;
    uint32_t *idom;
    uint32_t *loop_of; // innermost loop of a block, or TC_NONE
    bool *dies;        // no path from the block returns
    bool *aborts;      // the block gives up the launch, and does nothing else that other threads notice
    TC_VEC(tc_cfg_loop) loops; // outer loops before inner ones
    tc_map index; // block -> its number + 1
    bool irreducible;
} tc_cfg;

tc_cfg *tc_cfg_new(tc_arena *a, LLVMValueRef function);
uint32_t tc_cfg_number(const tc_cfg *g, LLVMBasicBlockRef b); // TC_NONE when unreachable
bool tc_cfg_contains(const tc_cfg *g, uint32_t loop, uint32_t block);

// ---- values ----

typedef enum tc_val_kind {
    TC_V_INT,   // an integer of 1 to 64 bits
    TC_V_PTR,
    TC_V_FLOAT, // also vectors and anything whose value no address depends on
    TC_V_AGG,   // struct, array or vector
    TC_V_BYTES, // bytes copied from memory, not yet read as a type
    TC_V_ANY    // unknown, of any type
} tc_val_kind;

typedef struct tc_val tc_val;

// One of the things that a pointer may point to. place: index into tc_lift.places.
typedef struct tc_alt {
    tc_t cond;
    uint32_t place;
    tc_t offset; // bytes; congruent to the machine's offset modulo 2^64
} tc_alt;

struct tc_val {
    tc_val_kind kind;
    unsigned width; // INT: bits
    // INT: congruent to the machine value modulo 2^width; of sort TC_BOOL when width is 1.
    tc_t term;
    tc_t undef; // condition under which the value was never written
    const tc_alt *alts;
    size_t nalts;
    const tc_val *const *elems;
    size_t nelems;
    // FLOAT: a symbol or a constant that stands for the value, where it was written; NULL: any. It says which values are one, and no more.
    tc_t bits;
    // INT: the operation that may have left the machine's range, for the check's text and place.
    LLVMValueRef made;
    const char *what;
    // BYTES and ANY: a part of the value `serial`, from byte `slice` on; `zero`: all bytes are 0. BYTES: where they were read
    uint64_t slice;
    bool zero;
    uint32_t from; // place, or TC_NONE
    tc_t from_offset;
    uint32_t serial;
};

// ---- state (lift_state.c) ----

typedef struct tc_state {
    const struct tc_trie *root;
    uint64_t edit; // nodes with this number may be changed in place
} tc_state;

typedef struct tc_flow {
    tc_t guard; // false: not reached
    tc_state state;
} tc_flow;

typedef struct tc_node tc_node;
typedef struct tc_local tc_local;

// A piece of a local variable that is read and written as one; also a header phi.
typedef struct tc_cell {
    uint32_t index;
    tc_local *local; // NULL for a phi
    uint64_t offset, width; // bytes
    LLVMTypeRef phi;
    tc_t uninit; // its value before the first write, made on demand
} tc_cell;

struct tc_local {
    uint32_t place;
    LLVMValueRef value; // alloca or byval parameter
    LLVMTypeRef type;
    uint64_t size;
    TC_VEC(tc_cell *) cells;
    int param;       // a kernel's parameter passed by value, or -1
    bool demoted;    // accesses are events on `object`
    uint32_t object; // index into the model's objects, or TC_NONE
    uint32_t choices; // stores to one of several cells, so far
    const tc_node *node;
};

typedef enum tc_place_kind {
    TC_PL_OBJECT, // an object of the model
    TC_PL_LOCAL,
    TC_PL_NULL,
    TC_PL_UNKNOWN,
    TC_PL_FUNCTION
} tc_place_kind;

typedef struct tc_place {
    tc_place_kind kind;
    uint32_t object;
    tc_local *local;
    LLVMValueRef function;
    tc_t address; // the symbol that ptrtoint gives, made on demand
} tc_place;

// ---- instances ----

// One activation of a function, or one loop of it, or one unrolled iteration: the same node in every pass, so that
// symbols and cells keep their identity.
struct tc_node {
    const tc_node *parent;
    uint64_t key;
    tc_map children; // key -> tc_node
    tc_map things;   // key -> symbols, locals, cells made here
    uint32_t depth;
    uint32_t id;
};

typedef struct tc_loop_ctx tc_loop_ctx;

typedef struct tc_edge {
    uint32_t from, to; // block numbers
    tc_flow flow;
} tc_edge;
typedef TC_VEC(tc_edge) tc_edges;

typedef struct tc_return {
    tc_flow flow;
    const tc_val *value;
} tc_return;

// An access while a function with a __restrict__ parameter runs.
typedef struct tc_reach {
    uint32_t root; // the parameter that the address comes from, or another number (lift_restrict.c)
    uint32_t place;
    tc_t offset, width, guard;
    bool writes;
} tc_reach;

typedef struct tc_frame tc_frame;
struct tc_frame {
    tc_cfg *cfg;
    tc_node *node;
    tc_frame *caller;
    LLVMValueRef call;
    tc_map values; // LLVM value -> tc_val
    tc_edges *in;  // by block
    TC_VEC(tc_return) returns;
    tc_loop_ctx *loop; // innermost, of this frame
    TC_VEC(tc_local *) locals;
    unsigned depth;
    bool restricts; // a parameter is __restrict__
    TC_VEC(tc_reach) reaches;
    const tc_val *const *args;
    size_t nargs;
};

// A tc_invariant statement met in a loop's body.
typedef struct tc_declared {
    tc_t cond, guard;
    tc_loc loc;
} tc_declared;

// A reading of an affine variable at the header that every iteration makes which goes on: node = WRAP(value).
typedef struct tc_reading {
    tc_t node, value;
    tc_t flat; // the same value without wraps inside
    tc_t in_range;
    tc_t before; // k >= 1 => it was in range at k - 1
} tc_reading;

// A write to a demoted local in the loop's body.
typedef struct tc_fill {
    tc_local *local;
    tc_t offset, guard;
    tc_i128 width; // bytes
} tc_fill;

// A loop being executed.
struct tc_loop_ctx {
    tc_loop_ctx *outer; // also of calling frames
    tc_frame *frame;
    tc_node *node;
    tc_node *iteration; // of an unrolled loop
    uint32_t cfg_loop;
    uint64_t header; // key of the header block
    uint32_t record; // index into the model's loops while recording
    const tc_sym *counter;
    tc_t k;
    tc_edges back, exits;
    // The condition of going on, as far as it is about the counter; what it says at the header about the iteration before.
    tc_t goes_on, header_fact;
    tc_t read; // goes_on with each wrap as it is read
    bool monotone; // goes_on of an iteration implies that of the one before
    bool unrolled;
    TC_VEC(tc_declared) declared;
    TC_VEC(tc_reading) readings; // of the affine variables at the header
    TC_VEC(tc_fill) fills;
};

// ---- the lifter ----

typedef struct tc_choices {
    tc_arena *arena; // of the maps
    tc_map demoted;  // allocas that are accessed at changing offsets
    tc_map unroll;   // loop headers to be unrolled
    tc_map keep;     // loop headers where that was tried in vain
    tc_map written;  // keys of objects that something writes
    tc_map tainted;  // keys of objects that an uninitialised value may be written to
    tc_map other_bytes; // keys of objects that may hold a bool where something else than 0 or 1 is stored
    tc_map filled;   // keys of shared objects that a value is stored in which was not read from one that is not filled
    tc_map unfilled; // keys of those that were read in this run and were not
    bool known_writes, all_written, refilled;
    bool changed;    // a choice was made in this run: run again
    bool remodelled; // one about locals or loops: what was seen of writes does not count
} tc_choices;

// A loop that was left: under the guard with which it was entered, fact holds of its symbols' last values.
typedef struct tc_left {
    const tc_sym *counter;
    tc_t guard, fact;
} tc_left;

// A pointer of a parameter that the code compares with a function, and the outcome.
typedef struct tc_compared {
    uint32_t object;
    LLVMValueRef function;
    tc_t equal;
} tc_compared;

typedef struct tc_host tc_host;

typedef struct tc_lift {
    tc_arena *arena;
    tc_terms *ts;
    const tc_unit *unit;
    tc_contract *contract;
    tc_kmodel *m;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    tc_choices *choices;
    tc_node *root;
    TC_VEC(tc_place) places;
    TC_VEC(tc_cell *) cells;
    tc_map cfgs;      // function -> tc_cfg
    tc_map objects;   // key -> object index + 1
    tc_map born;      // symbol -> tc_node
    tc_map ranges;    // term -> tc_interval known of it
    tc_map checked;   // term -> tc_check_list
    tc_map signs;     // local variable -> what is done with its values says of their sign (lift_vars.c)
    tc_map addresses; // symbol of an object's address -> place + 1
    tc_map readings;  // node read at the header of a loop that was left -> tc_left *, its fact being the reading's `before`
    tc_map left;      // symbol of a loop that was left (its counter, a variable without a closed form) -> tc_left *
    tc_frame *frame;
    const tc_fn *elected; // by elect.sync; NULL: none so far
    const tc_fn *made_of[4]; // operations on that many operands and one more (tc_val_computed)
    tc_node *node;     // the activation, loop or unrolled iteration being executed
    tc_loop_ctx *loop; // innermost, over all frames
    tc_t under_guard;  // what under_map was made for
    tc_map under_map;
    LLVMValueRef inst; // being executed
    tc_tvec readings_made; // WRAP nodes that it has made so far (tc_lift_traced)
    uint64_t edits;
    uint32_t nodes, serial;
    TC_VEC(tc_compared) compared;
    uint32_t point;
    uint64_t steps;
    unsigned dry;      // > 0: nothing is recorded
    bool stopped;      // a limit was reached
    bool synced;       // another thread may have come first
    tc_host *host;     // a host function is lifted (host.h); NULL: a kernel
    bool pure;         // a call in a contract expression
    const char *pure_why;
    tc_t tt, ff;
} tc_lift;

// lift.c
const tc_val *tc_lift_operand(tc_lift *L, LLVMValueRef v);
void tc_lift_set(tc_lift *L, LLVMValueRef v, const tc_val *val);
void tc_lift_push(tc_lift *L, uint32_t from, uint32_t to, tc_flow flow);
// Runs the blocks whose innermost loop is `loop` (its header excepted) and the loops in it, in order.
void tc_lift_region(tc_lift *L, uint32_t loop);
// Runs one block; its phis have their values.
void tc_lift_block(tc_lift *L, uint32_t block, tc_flow flow);
void tc_lift_phis(tc_lift *L, uint32_t block, const tc_edge *edges, size_t n);
const tc_val *tc_lift_phi(tc_lift *L, const tc_cfg *g, LLVMValueRef phi, const tc_edge *edges, size_t n);
// Runs function with args in the flow; *flow is the state after it. NULL: it returns nothing.
const tc_val *tc_lift_function(tc_lift *L, LLVMValueRef function, LLVMValueRef call, const tc_val *const *args,
                               size_t nargs, tc_flow *flow);
tc_node *tc_lift_node(tc_lift *L, tc_node *parent, uint64_t key);
bool tc_lift_spend(tc_lift *L, uint64_t steps); // false: the limit is reached
bool tc_lift_recording(const tc_lift *L);

// lift_value.c
const tc_val *tc_val_int(tc_lift *L, unsigned width, tc_t term);
const tc_val *tc_val_made(tc_lift *L, unsigned width, tc_t term, LLVMValueRef made, const char *what);
const tc_val *tc_val_bool(tc_lift *L, tc_t term);
const tc_val *tc_val_float(tc_lift *L, tc_t undef);
const tc_val *tc_val_any(tc_lift *L);
const tc_val *tc_val_with_undef(tc_lift *L, const tc_val *v, tc_t undef);
const tc_val *tc_val_ptr(tc_lift *L, uint32_t place, tc_t offset);
const tc_val *tc_val_alts(tc_lift *L, const tc_alt *alts, size_t n);
const tc_val *tc_val_bytes(tc_lift *L, uint32_t from, tc_t offset); // from: place or TC_NONE
const tc_val *tc_val_zero_bytes(tc_lift *L);
const tc_val *tc_val_slice(tc_lift *L, const tc_val *v, uint64_t by);
const tc_val *tc_val_agg(tc_lift *L, const tc_val *const *elems, size_t n);
// A value of type that nothing is known about; `key` tells several of one instruction apart. variance ACCESS.
const tc_val *tc_val_unknown(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key);
// v, an unknown integer that is neither signed nor unsigned: bits as they are in memory, read through a pointer of another type or of a
// float. Each reading of them is right: none is a change of sign (TC2002).
const tc_val *tc_val_signless(const tc_val *v);
bool tc_val_is_signless(const tc_val *v);
const tc_val *tc_val_signless_all(const tc_val *v); // the elements too; v may be NULL
const tc_val *tc_val_unknown_ranged(tc_lift *L, unsigned width, const char *name, uint64_t key, tc_i128 lo, tc_i128 hi);
// The same for the result of an operation on args: uninitialised if one of them may be.
const tc_val *tc_val_derived(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key, const tc_val *const *args,
                             size_t nargs);
// r, made by one of these by an operation whose result is decided by its operands: threads with the same ones get the same.
const tc_val *tc_val_computed(tc_lift *L, const tc_val *r, uint64_t key, const tc_val *const *args, size_t nargs);
const tc_val *tc_val_with_bits(tc_lift *L, const tc_val *v, tc_t bits); // of a float
const tc_val *tc_val_derived_ranged(tc_lift *L, unsigned width, const char *name, uint64_t key, tc_i128 lo, tc_i128 hi,
                                    const tc_val *const *args, size_t nargs);
// May the value depend on something never written? As a condition; false where it cannot.
tc_t tc_val_undef(tc_lift *L, const tc_val *v);
const tc_val *tc_val_zero(tc_lift *L, LLVMTypeRef type);
// cond ? a : b, both of one type.
const tc_val *tc_val_choose(tc_lift *L, tc_t cond, const tc_val *a, const tc_val *b, LLVMTypeRef type);
// v as a value of type: ANY and BYTES become what the type says.
const tc_val *tc_val_as(tc_lift *L, const tc_val *v, LLVMTypeRef type, uint64_t offset);
const tc_val *tc_val_const(tc_lift *L, LLVMValueRef v);
// A new symbol that belongs to the current node; the same one when asked again with the same key.
tc_sym *tc_lift_sym(tc_lift *L, const char *name, tc_sym_kind kind, tc_sort sort, uint64_t key, bool *fresh);
tc_t tc_lift_bool_sym(tc_lift *L, const char *name, uint64_t key);
bool tc_lift_type_bits(tc_lift *L, LLVMTypeRef type, unsigned *bits); // integers of at most 64 bits
uint64_t tc_lift_type_size(tc_lift *L, LLVMTypeRef type);             // bytes as stored; 0 when unsized
// Was the symbol made in this node or below?
bool tc_lift_born_in(tc_lift *L, const tc_sym *s, const tc_node *node);
bool tc_lift_varies_in(tc_lift *L, tc_t t, const tc_node *node);
// t with what the guard says about the conditions in it.
tc_t tc_lift_under(tc_lift *L, tc_t guard, tc_t t);
// a without the conjuncts that b has too; true when nothing is left.
tc_t tc_lift_strip(tc_lift *L, tc_t a, tc_t b);
bool tc_lift_implied(tc_lift *L, tc_t guard, tc_t conjunct_set); // every conjunct of the second is one of the first

// lift_int.c
// `what` of an argument of a call in a contract that has to fit its parameter: an integer of any size.
#define tc_argument "argument"
tc_interval tc_lift_range(tc_lift *L, tc_t t);
bool tc_range_within(tc_interval r, tc_i128 lo, tc_i128 hi);
// The signed and the unsigned reading; register the check where it may differ from the term.
tc_t tc_lift_signed(tc_lift *L, tc_flow *f, const tc_val *v, const char *what);
tc_t tc_lift_unsigned(tc_lift *L, tc_flow *f, const tc_val *v, const char *what, bool compare);
tc_t tc_lift_truth(tc_lift *L, const tc_val *v); // i1 as a condition; integers: != 0
const tc_val *tc_lift_binary(tc_lift *L, tc_flow *f, LLVMValueRef inst);
const tc_val *tc_lift_icmp(tc_lift *L, tc_flow *f, LLVMIntPredicate p, const tc_val *a, const tc_val *b);
const tc_val *tc_lift_cast(tc_lift *L, tc_flow *f, LLVMValueRef inst);
const tc_val *tc_lift_minmax(tc_lift *L, tc_flow *f, const tc_val *a, const tc_val *b, bool is_signed, bool is_max);

// lift_trace.c
// r, what the current instruction gives for args: what was made of arguments and readings stays in sight for TC2002, also where the
// terms of r do not show it.
const tc_val *tc_lift_traced(tc_lift *L, const tc_val *r, const tc_val *const *args, size_t n);
void tc_trace_reading(tc_lift *L, tc_t node); // a WRAP node with a check

// lift_ptr.c
uint32_t tc_place_null(tc_lift *L);
uint32_t tc_place_unknown(tc_lift *L);
uint32_t tc_place_object(tc_lift *L, uint32_t object);
const tc_val *tc_lift_gep(tc_lift *L, tc_flow *f, LLVMValueRef inst);
const tc_val *tc_lift_const_ptr(tc_lift *L, LLVMValueRef v); // globals, functions, null, constant expressions
const tc_val *tc_lift_ptr_compare(tc_lift *L, tc_flow *f, LLVMIntPredicate p, const tc_val *a, const tc_val *b);
tc_t tc_lift_address(tc_lift *L, uint32_t place); // of an object, or null; NULL where it is not one place
const tc_val *tc_lift_ptr_to_int(tc_lift *L, const tc_val *v, unsigned width);
const tc_val *tc_lift_int_to_ptr(tc_lift *L, const tc_val *v);     // also of 32 bits, which are an address of shared memory
const tc_val *tc_lift_int_to_generic(tc_lift *L, const tc_val *v); // of 64 bits alone
tc_t tc_lift_nonnull(tc_lift *L, const tc_val *v);
bool tc_lift_is_address(tc_lift *L, tc_t t); // does it speak of an object's address?

// lift_object.c
uint32_t tc_object_param(tc_lift *L, uint32_t param, uint64_t offset);
uint32_t tc_object_global(tc_lift *L, LLVMValueRef global);
uint32_t tc_object_local(tc_lift *L, tc_local *l);
uint64_t tc_local_align(tc_lift *L, const tc_local *l); // as declared; of a parameter by value its type's
uint32_t tc_object_null(tc_lift *L);
// The object with this key, made as o where there is none yet.
uint32_t tc_object_new(tc_lift *L, uint64_t key, tc_object o);
// Can the base of the object be null in a comparison? The condition under which it is not.
tc_t tc_object_nonnull(tc_lift *L, uint32_t object);
// The leaf of a constant initialiser that has `width` bytes at offset; NULL when there is none.
LLVMValueRef tc_const_at(tc_lift *L, LLVMValueRef init, uint64_t offset, uint64_t width);
// The initialiser that nobody changes during the launch, or NULL.
LLVMValueRef tc_object_init(tc_lift *L, uint32_t object);
void tc_object_write(tc_lift *L, uint32_t object);
// Notes that a value which may be uninitialised is written.
void tc_object_taint(tc_lift *L, uint32_t object);
bool tc_object_tainted(tc_lift *L, uint32_t object);
// Shared memory that no code of the kernel writes, but for what is read from such memory.
bool tc_object_never_written(tc_lift *L, uint32_t object);
uint64_t tc_object_key(const tc_lift *L, uint32_t object); // of the choices' maps; of all locals of one variable
uint64_t tc_object_param_key(uint32_t param, uint64_t offset);          // the same, of what a parameter points to
// What the pointer at the offset in a parameter of type t is declared as; NULL when there is none. *name is continued: "p.dst".
const tc_type *tc_object_declared(tc_lift *L, const tc_type *t, uint64_t offset, const char **name);
bool tc_object_is_steady(tc_lift *L, uint32_t object); // nobody writes it during the launch, or TC1003 tells
void tc_object_fill(tc_lift *L, uint32_t object);
// How the source declares the integer of so many bytes that lies there.
tc_sign tc_object_sign(tc_lift *L, uint32_t object, tc_t offset, uint64_t bytes);
// The value in a read-only object; NULL when it is not known.
const tc_val *tc_object_contents(tc_lift *L, uint32_t object, tc_t offset, LLVMTypeRef type);

// lift_state.c
void tc_state_set(tc_lift *L, tc_state *s, uint32_t cell, const tc_val *v);
// Were the cell's bytes written through another cell?
bool tc_val_is_covered(const tc_val *v);
// What the bytes of a local variable's cell are that were written through other cells, if at all.
const tc_val *tc_local_other_bytes(tc_lift *L, const tc_state *s, const tc_cell *c);
const tc_val *tc_state_get(const tc_state *s, uint32_t cell);
tc_state tc_state_fork(tc_lift *L, tc_state *s);
tc_flow tc_flow_fork(tc_lift *L, tc_flow *f, tc_t cond); // guard && cond
tc_flow tc_flow_merge(tc_lift *L, const tc_edge *edges, size_t n);
tc_t tc_flow_distinguish(tc_lift *L, tc_t a, tc_t b); // true when a path of guard a was taken and not one of b
void tc_state_diff(tc_state a, tc_state b, void (*fn)(void *ctx, uint32_t cell, const tc_val *a, const tc_val *b),
                   void *ctx);
tc_local *tc_local_new(tc_lift *L, LLVMValueRef value, LLVMTypeRef type, uint64_t size, int param);
tc_cell *tc_cell_of(tc_lift *L, tc_local *l, uint64_t offset, uint64_t width);
tc_cell *tc_cell_phi(tc_lift *L, LLVMValueRef phi);
tc_t tc_cell_uninit(tc_lift *L, tc_cell *c);
const tc_val *tc_local_load(tc_lift *L, tc_flow *f, tc_local *l, uint64_t offset, LLVMTypeRef type);
void tc_local_store(tc_lift *L, tc_flow *f, tc_t cond, tc_local *l, uint64_t offset, uint64_t width, const tc_val *v);
void tc_local_copy(tc_lift *L, tc_flow *f, tc_local *to, uint64_t to_offset, tc_local *from, uint64_t from_offset,
                   uint64_t width);
void tc_local_reset(tc_lift *L, tc_flow *f, tc_local *l); // uninitialised again
void tc_local_forget(tc_lift *L, tc_flow *f, tc_local *l); // contents unknown
// Was any of these bytes written?
bool tc_local_is_written(const tc_flow *f, const tc_local *l, uint64_t offset, uint64_t width);
// A demoted local: the condition under which some of these bytes were not.
tc_t tc_local_unfilled(tc_lift *L, const tc_flow *f, tc_local *l, uint64_t offset, uint64_t width);
void tc_local_set_filled(tc_lift *L, tc_flow *f, tc_local *l, uint64_t offset, uint64_t width);

// A piece of a kernel's parameter at launch.
const tc_val *tc_lift_param(tc_lift *L, uint32_t param, uint64_t offset, LLVMTypeRef type);

// lift_mem.c
const tc_val *tc_lift_load(tc_lift *L, tc_flow *f, LLVMValueRef inst);
void tc_lift_store(tc_lift *L, tc_flow *f, LLVMValueRef inst);
const tc_val *tc_lift_atomic(tc_lift *L, tc_flow *f, LLVMValueRef inst);
void tc_lift_memcpy(tc_lift *L, tc_flow *f, LLVMValueRef call, const char *what);
void tc_lift_memset(tc_lift *L, tc_flow *f, LLVMValueRef call);
// Fills a local with the bytes at ptr.
void tc_lift_copy_in(tc_lift *L, tc_flow *f, tc_local *to, const tc_val *ptr);
typedef struct tc_touch {
    tc_event_kind kind;
    tc_t width;      // bytes
    uint64_t align;
    tc_order order;
    tc_scope scope;
    bool is_volatile, non_coherent, together;
    const char *what;
    tc_t value;      // written, or NULL
    const tc_val *stored;    // written, of this type in the code; or NULL
    LLVMTypeRef stored_type;
    LLVMTypeRef type; // of the value read, or NULL
    bool prefer_unsigned, other_type; // other_type: the memory holds something else than an integer of this width
    bool truth;      // the byte read is 0 or 1
    bool changing;   // the value read is nobody's contents
    bool replaces;   // an atomic that stores its operand, whatever was there
    tc_t operand;    // of an atomic
    tc_t added;      // by an integer atomic addition, else NULL
    tc_t limit;      // of atomicInc, else NULL
    tc_t put, expected; // of exchange and compare-and-swap: what is stored, and where this is read; else NULL
    tc_t undef;      // written: the condition under which it is uninitialised; NULL: false
    const tc_val *from; // written: the pointer through which just these bytes were read, or NULL
} tc_touch;
// Touches memory through ptr; the value read (of a->type), or NULL. stored: what is written, or NULL.
const tc_val *tc_lift_touch(tc_lift *L, tc_flow *f, const tc_val *ptr, const tc_touch *a, const tc_val *stored);

// lift_bool.c: bytes that are read as bool
// Notes that these bytes are written. v: the value, of this type; NULL: some bytes. from: they are read at this pointer; or NULL.
void tc_bool_store(tc_lift *L, uint32_t object, tc_t offset, tc_t width, const tc_val *v, LLVMTypeRef type, const tc_val *from);
void tc_bool_store_local(tc_lift *L, const tc_local *l, tc_t offset, tc_t width, const tc_val *v, LLVMTypeRef type);
// Is each byte there 0 or 1, whenever it is read?
bool tc_bool_holds(tc_lift *L, uint32_t object, tc_t offset, uint64_t width);
// Lists what the load, through p, promises of its value, where that is not shown.
void tc_bool_load(tc_lift *L, tc_flow *f, LLVMValueRef inst, const tc_val *p, const tc_val *v);

// lift_promise.c: what attributes of functions promise, and bundles of llvm.assume. Each lists what is not shown.
void tc_promise_access(tc_lift *L, tc_flow *f, const tc_place *p, bool reads, bool writes);
void tc_promise_effect(tc_lift *L, tc_flow *f); // something else than an access that no pure function does
// Of a function that is called from the present instruction.
void tc_promise_arguments(tc_lift *L, tc_flow *f, LLVMValueRef function, const tc_val *const *args, size_t nargs);
const char *tc_promise_name(tc_lift *L, LLVMValueRef function); // the source's
void tc_promise_result(tc_lift *L, tc_flow *f, LLVMValueRef function, const tc_val *r);
void tc_promise_bundles(tc_lift *L, tc_flow *f, LLVMValueRef call);

// lift_restrict.c
bool tc_restrict_any(LLVMValueRef function); // has it a __restrict__ parameter?
void tc_restrict_access(tc_lift *L, tc_t guard, const tc_alt *alt, tc_t width, bool writes); // by the present instruction
// The function, called from the present instruction, has run: lists what is not shown to be apart.
void tc_restrict_end(tc_lift *L, tc_flow *flow, const tc_frame *f, const char *name);

// lift_vars.c: what an iteration changes
typedef enum tc_form {
    TC_F_UNKNOWN, // anything of its type
    TC_F_AFFINE,  // x0 + k * step
    TC_F_SQUARE,  // x0 + k * step + k * (k - 1) / 2 * period
    TC_F_CYCLE,   // (x0 + k * step) mod period
    TC_F_DOUBLED, // x0 * 2^(k * step)
    TC_F_HALVED,  // x0 / 2^(k * step)
    TC_F_FLIP,    // a truth value, negated each time
    TC_F_SET,     // a pointer to one of a few places
    TC_F_TURNS,   // a pointer that takes its turn: after an iteration it is what another variable was before it
    TC_F_LATE     // what the iteration before computed from its counter
} tc_form;

typedef struct tc_var {
    tc_cell *cell;
    const tc_val *entry, *header, *back; // entry: NULL when not written yet
    tc_form form;
    tc_t step, period;
    tc_t late;       // at iteration k, for k + 1
    tc_t moved;      // unknown pointers: by how much
    const tc_sym *sym; // unknown integers
    bool exact;      // sym is the term's value, not a reading of it, and lies in [lo, hi]
    bool is_unsigned; // sym is the unsigned reading; else the signed one
    tc_i128 lo, hi;
    tc_t entry_read, back_read; // unknown integers: the values as sym reads them, with a check of their own; NULL: none
    bool wide;       // a pointer that may point to anything
    TC_VEC(tc_alt) set;
    TC_VEC(tc_alt) turns; // what it is in iterations 0, 1, …, and then again
} tc_var;
typedef TC_VEC(tc_var) tc_vars;

// Finds what changes: runs the body with unknown header values until no new change appears. The flow is the entry's.
void tc_vars_discover(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars);
// Congruent to t modulo 2^width, without the wraps that this allows to drop.
tc_t tc_lift_unwrapped(tc_lift *L, tc_t t, unsigned width);
// Sets forms from the last pass; false: none got better.
bool tc_vars_classify(tc_lift *L, tc_loop_ctx *c, tc_vars *vars);
// Gives variables that start at constants and are doubled or halved closed forms; how many there are. tc_vars_not_geometric takes them
// back where they are of no use.
unsigned tc_vars_find_geometric(tc_lift *L, tc_vars *vars);
// Are they only doubled, to no more than a power of two that is worth being written, in so many iterations?
bool tc_vars_stay_small(const tc_vars *vars, tc_i128 trips);
void tc_vars_not_geometric(tc_vars *vars);
// After a pass with closed forms: variables that the counter of the iteration before decides. True when there are new ones.
bool tc_vars_find_late(tc_lift *L, tc_loop_ctx *c, tc_vars *vars);
// The header's state with the forms' values.
tc_flow tc_vars_header(tc_lift *L, tc_loop_ctx *c, tc_flow *entry, tc_vars *vars);
// Reads the values at the back edges.
void tc_vars_back(tc_lift *L, const tc_flow *back, tc_vars *vars);
tc_t tc_var_entry_term(tc_lift *L, const tc_var *v); // as the header's symbol reads it; NULL when there is none
tc_t tc_var_back_term(tc_lift *L, const tc_var *v);
// A loop is entered, or its body starts again: what goes into symbols is in their range. Records the checks.
void tc_vars_check(tc_lift *L, const tc_flow *f, tc_vars *vars, bool back);
// One pass over the body. false: no back edge is taken. *back: the state there.
bool tc_loop_pass(tc_lift *L, tc_loop_ctx *c, tc_flow header, tc_flow *back);

// lift_unroll.c
// Runs a loop iteration by iteration; false when it does not end after a few.
bool tc_lift_unroll(tc_lift *L, tc_loop_ctx *c, tc_edges entry);

// lift_bound.c: what the condition of going on says
tc_t tc_loop_at(tc_lift *L, tc_loop_ctx *c, tc_t t, tc_t k); // t with k for the counter
// The part of a guard that is about the counter and what the loop does not change. *all: nothing was left out.
tc_t tc_loop_about_counter(tc_lift *L, tc_loop_ctx *c, tc_t guard, bool *all);
void tc_loop_set_facts(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars);
typedef struct tc_bound {
    bool has_hi;
    tc_i128 hi;     // the counter never exceeds it
    tc_t trips;     // the counter's last value, if the only way out is that goes_on fails; NULL when there is no closed form
    bool exact;     // trips needs no check to hold: no reading of a variable may differ from its value
} tc_bound;
tc_bound tc_loop_bound(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars);
// Notes, for the new counter k, the ranges that the bounds of affine variables give.
void tc_loop_note_ranges(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars, tc_t k);

// lift_fill.c: arrays that a loop initialises element by element
void tc_fill_note(tc_lift *L, tc_local *l, tc_t offset, tc_i128 width, tc_t guard);
// After a loop of `trips` iterations (NULL: unknown): marks what it has filled, in each of the exits.
void tc_fill_leave(tc_lift *L, tc_loop_ctx *c, const tc_flow *entry, const tc_flow *header, tc_t trips);

// lift_guess.c
// Records what may hold at the loop's header, each iteration: what tc_invariant says there, and guesses; to be proved.
void tc_lift_invariants(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars, const tc_flow *entry, const tc_flow *header,
                        const tc_flow *back);

// lift_loop.c
void tc_lift_loop(tc_lift *L, uint32_t loop);
void tc_lift_declared(tc_lift *L, const tc_flow *f, tc_t cond); // tc_invariant
// The guard without what it says about earlier iterations where it implies that anyway.
tc_t tc_lift_forget_header(tc_lift *L, tc_t guard);

// lift_call.c
void tc_lift_call_inst(tc_lift *L, tc_flow *f, LLVMValueRef inst);
// The call, of this function; the result becomes the instruction's.
void tc_lift_call_function(tc_lift *L, tc_flow *f, LLVMValueRef callee, LLVMValueRef inst);
void tc_lift_unknown_call(tc_lift *L, tc_flow *f, const char *what, LLVMValueRef inst); // a hole

// lift_indirect.c
void tc_lift_indirect(tc_lift *L, tc_flow *f, LLVMValueRef call); // through a pointer
// Where one of them is a pointer of a parameter and the other a function: are they equal? NULL for others.
tc_t tc_lift_is_function(tc_lift *L, const tc_val *a, const tc_val *b);

// One effect of the table, for calls and inline PTX alike.
typedef struct tc_act {
    tc_effect effect;
    const tc_val *const *args;
    size_t nargs;
    LLVMTypeRef result; // NULL: none
    tc_order order;     // of loads, stores and atomics in inline PTX
    tc_scope scope;     // of loads and stores with an order
    bool is_volatile;
    uint64_t key;       // tells several of one instruction apart
    bool fixed;         // executed wherever control comes to it, and no compiler moves accesses to its other side
} tc_act;
const tc_val *tc_lift_act(tc_lift *L, tc_flow *f, const tc_act *a);
const tc_val *tc_lift_sreg(tc_lift *L, tc_sreg r, unsigned width);
tc_t tc_lift_lane(tc_lift *L); // the thread's place in its warp
// The lane that elect.sync elects of those that the mask names: one for the warp (PTX ISA, elect.sync: the same for the same mask).
tc_t tc_lift_elected(tc_lift *L, tc_t mask);

// lift_matrix.c: ldmatrix (args: the address), stmatrix (the address, then the registers), mma (all registers)
const tc_val *tc_lift_matrix(tc_lift *L, tc_flow *f, const tc_act *a);

// lift_wait.c: griddepcontrol.wait
void tc_lift_grid_wait(tc_lift *L, tc_flow *f, const tc_act *a);

// lift_asm.c
const tc_val *tc_lift_asm(tc_lift *L, tc_flow *f, LLVMValueRef call);

// lift_op.c
// A pure integer operation (TC_FX_INT) of the call's arguments.
const tc_val *tc_lift_int_op(tc_lift *L, tc_flow *f, LLVMTypeRef type, tc_int_op op, const tc_val *const *args,
                             size_t nargs);

// lift_loc.c
tc_loc tc_lift_loc(tc_lift *L, LLVMValueRef inst, tc_notes *inlined);

// lift_record.c: nothing happens while L->dry.
tc_event tc_event_make(tc_lift *L, const tc_flow *f, tc_event_kind kind, const char *what);
void tc_record_event(tc_lift *L, tc_event e);
void tc_record_abort(tc_lift *L, tc_t guard); // the launch is given up here, under the guard
// Under f's guard, cond must hold for term (see tc_check). made: the operation that the check is about.
// NULL: nothing was recorded, also because an earlier check says as much.
tc_check *tc_record_check(tc_lift *L, const tc_flow *f, tc_check_kind kind, tc_t cond, tc_t term,
                          const char *what, LLVMValueRef made);
void tc_record_hole(tc_lift *L, tc_flow *f, unsigned effect, const char *what, const tc_val *const *touched, size_t n);
// Lists the assumption; afterwards it may be used.
void tc_record_assumption(tc_lift *L, tc_flow *f, tc_t cond, const char *text, const char *why);
void tc_record_branch(tc_lift *L, const tc_flow *f, tc_t cond);
// The guard with what is known of the last iterations that it or the terms speak about.
tc_t tc_record_guard(tc_lift *L, tc_t guard, const tc_t *terms, size_t n);

#endif
