// The kernel model: what a kernel does to memory, as plain data that can be printed.
//
// Front ends (LLVM IR, inline PTX) only add to it, back ends (rules) only read it. Terms are over the contract's launch
// symbols, thread and block indices, loop counters, and unknowns. Guards hold all that is known when the event happens.
#ifndef TC_CHECKER_MODEL_H
#define TC_CHECKER_MODEL_H

#include <llvm-c/Types.h>

#include "checker/contract.h"

typedef enum tc_space { TC_SPACE_GLOBAL, TC_SPACE_SHARED, TC_SPACE_LOCAL, TC_SPACE_CONSTANT, TC_SPACE_PARAM } tc_space;

typedef struct tc_object {
    const char *name; // the source's
    tc_space space;
    tc_variance variance; // GLOBAL, CONSTANT, PARAM: LAUNCH; SHARED: BLOCK; LOCAL: THREAD
    tc_t size;            // bytes; NULL when unknown
    uint64_t elem;        // bytes of the declared element
    uint64_t align;       // bytes that the base is known to be aligned to
    int contract;         // index into contract->objects, or -1
    bool dynamic_shared;  // all extern __shared__ arrays are one object
    tc_t nonnull;         // condition under which the base is not null; true when it cannot be
    bool written;         // some event writes it (or a hole may)
    LLVMValueRef value;   // global variable, alloca; NULL for parameters
    uint32_t param;       // parameter objects: index and byte offset of the pointer
    uint64_t param_offset;
    tc_loc loc;
    tc_t address;          // bytes: what the kernel takes as the number of the base; NULL where it takes none
    const tc_fn *contents; // where nobody writes it during the launch: flat element index -> stored value, else NULL
} tc_object;

typedef enum tc_event_kind {
    TC_EV_READ,
    TC_EV_WRITE,
    TC_EV_ATOMIC,
    TC_EV_ASYNC_READ,  // global side of cp.async
    TC_EV_ASYNC_WRITE, // shared side of cp.async
    TC_EV_FENCE,
    TC_EV_BARRIER, // arrive and wait of the group; with the scope of the GPU: of the grid, and of each block
    TC_EV_ARRIVE,
    TC_EV_WAIT,
    TC_EV_WARP, // shuffle, vote, syncwarp: mask in operand[0]
    TC_EV_COMMIT // cp.async group
} tc_event_kind;

typedef enum tc_order { TC_ORD_PLAIN, TC_ORD_RELAXED, TC_ORD_ACQUIRE, TC_ORD_RELEASE, TC_ORD_ACQ_REL, TC_ORD_SEQ_CST } tc_order;
typedef enum tc_scope { TC_SCOPE_THREAD, TC_SCOPE_WARP, TC_SCOPE_CTA, TC_SCOPE_CLUSTER, TC_SCOPE_GPU, TC_SCOPE_SYS } tc_scope;

#define TC_NONE UINT32_MAX

typedef struct tc_event {
    tc_event_kind kind;
    uint32_t object;   // index into objects, TC_NONE when it touches no memory
    tc_t offset;       // bytes from the object's base
    tc_t width;        // bytes, usually a constant
    uint64_t align;    // bytes that the access needs (its width for vector accesses)
    tc_t guard;        // path condition at this point
    uint32_t loop;     // innermost loop, or TC_NONE
    uint32_t point;    // program order: smaller is earlier in the text of one iteration
    tc_order order;
    tc_scope scope;
    bool is_volatile, non_coherent; // ld.volatile; ld.global.nc
    bool together;     // by the lanes of the warp together: this thread says where, and any of them may be who touches it
    tc_t value;        // reads: the term of the value read; writes: of the value written (integers), else NULL
    tc_t bits;         // reads of a float: a symbol for its value, or NULL
    // Writes: byte b of what is written is byte b of `from`, an object that nobody writes during the launch, from from_offset on,
    // read in the same iteration; TC_NONE where it is something else.
    uint32_t from;
    tc_t from_offset;
    tc_t operand[2];   // barrier id and count, shuffle mask, groups that may be pending and whether uncommitted copies count, …
    tc_t lane[2];      // shuffles: the lane or distance, and the control word (PTX ISA, shfl.sync: b and c); NULL: not known
    uint32_t exchange; // shuffles: tc_shuffle_mode + 1; else 0
    tc_t added;        // integer atomic additions: the amount, congruent to the machine's modulo 2^(8 * width); else NULL
    tc_t put;          // integer exchange and compare-and-swap: what is stored (congruent); else NULL
    tc_t expected;     // compare-and-swap: `put` is stored where this is read (congruent); else NULL
    tc_t voted;        // barriers whose value is not 0 only where a thread has voted for that: whether this one does; else NULL
    tc_t limit;        // atomicInc: counts up to this (congruent modulo 2^32), then begins at 0 again; else NULL
    const char *what;  // "load", "atomicAdd", "cp.async", …
    tc_loc loc;
    tc_notes inlined;  // call sites, innermost first
    LLVMValueRef inst;
} tc_event;

typedef enum tc_check_kind {
    TC_CK_WRAP,   // `term` is TC_WRAP(t): it changes nothing when cond holds
    TC_CK_DIV,    // divisor not zero
    TC_CK_DIV_RANGE, // no INT_MIN / -1
    TC_CK_SHIFT,  // 0 <= amount < width
    TC_CK_UNINIT, // an uninitialised value; cond is false
    TC_CK_FLOAT_TO_INT,
    TC_CK_CALL,   // what is called through a pointer is a function
    TC_CK_ASSERT  // tc_assert
} tc_check_kind;

// A side condition of an operation, at its own program point.
typedef struct tc_check {
    tc_check_kind kind;
    tc_t guard; // path condition at the operation
    tc_t cond;  // what must hold there
    tc_t term;  // the value that the operation gave (TC_WRAP, division, uninitialised symbol)
    const char *what; // "signed addition", "unsigned product", "narrowing to int", "division", …
    bool undefined;   // WRAP: by C's signed types, which leave undefined what it is otherwise; or the argument of a contract's call
    uint32_t loop, point;
    tc_loc loc;
    LLVMValueRef inst;
} tc_check;

typedef struct tc_invariant {
    tc_t term;              // over the header's symbols
    tc_t entry_guard, entry_cond; // holds on entry
    tc_t step_guard, step_cond;   // is kept by an iteration (guard includes the term itself)
    bool declared;          // tc_invariant; otherwise guessed
    bool holds;             // set by the rules once both are proved (with the others that hold)
    tc_loc loc;
} tc_invariant;

// A variable without a closed form: its symbol at the header, and the values that it stands for, on entry and after an iteration.
typedef struct tc_carried {
    const tc_sym *sym;
    tc_t entry, step; // congruent modulo the variable's width; NULL when not integers
} tc_carried;

typedef struct tc_loop {
    uint32_t id, parent; // TC_NONE at the top
    const tc_sym *counter; // completed iterations; after the loop it stands for the last value
    tc_t trips;            // closed form of the counter's last value, where the loop's WRAP checks hold; or NULL
    tc_t guard;            // entry condition
    tc_t reached;          // what is known wherever the header is reached
    tc_t leaves;           // condition, in an iteration, of leaving the loop in it; NULL: not known
    tc_t again;            // condition, at the end of an iteration, of having come to a next one; NULL: there is none
    bool affine;           // all exits are decided by affine counters
    TC_VEC(tc_invariant) invariants;
    TC_VEC(tc_carried) carried;
    uint32_t first, last;  // program points
    tc_loc loc;
} tc_loop;

typedef enum tc_hole_effect {
    TC_HOLE_VALUE = 1,  // its value is unknown (already an UNKNOWN symbol in terms)
    TC_HOLE_MEMORY = 2, // it may touch memory: `objects`, or all when nobjects == 0
    TC_HOLE_SYNC = 4,   // it may order or block threads
    TC_HOLE_CONTROL = 8 // what comes after may be wrong altogether
} tc_hole_effect;

// Stands for the value that a term has in another thread of the launch.
typedef struct tc_another {
    const tc_sym *sym;
    tc_t term;
} tc_another;

// Something that could not be lifted.
typedef struct tc_hole {
    unsigned effect;
    tc_t guard;
    const uint32_t *objects;
    size_t nobjects;
    const char *what; // "inline asm 'foo.bar'", "call of unknown function 'f'"
    tc_loc loc;
    uint32_t loop, point;
} tc_hole;

// griddepcontrol.wait (PTX ISA): the thread waits until the grids that the runtime has put before this one are complete, and what they
// have written is visible.
typedef struct tc_grid_wait {
    bool always; // no thread comes to its end without it, and each access whose point is larger comes behind it
    uint32_t point;
    tc_loc loc;
} tc_grid_wait;

typedef struct tc_assumption {
    const char *text, *why;
    tc_loc loc;
    tc_t guard, cond;
} tc_assumption;

// Inline assembly that orders or moves memory and has no "memory" clobber: the compiler may move accesses to its other side.
typedef struct tc_loose {
    const char *what; // "bar.sync"
    tc_loc loc;
} tc_loose;

// The launch is given up here (a trap, an assertion that fails): nothing is promised of what comes after, in any thread.
typedef struct tc_abort {
    tc_t guard;
    uint32_t loop, point; // before all events of this point and of later ones
} tc_abort;

typedef struct tc_kmodel {
    tc_terms *terms;
    tc_contract *contract;
    TC_VEC(tc_object) objects;
    TC_VEC(tc_event) events;
    TC_VEC(tc_check) checks;
    TC_VEC(tc_loop) loops;
    TC_VEC(tc_hole) holes;
    TC_VEC(tc_grid_wait) waits;
    TC_VEC(tc_another) others;
    TC_VEC(tc_assumption) assumptions; // tc_assume, __builtin_assume, unreachable, assume_aligned
    TC_VEC(tc_loose) loose;
    TC_VEC(tc_abort) aborts; // one that is left a loop for is told in the loop's iteration, and behind the loop again
    bool ends_threads; // some code ends its thread other than by a return of the kernel
    // Values whose formulas were too large to be carried on: the symbol that stands for each, and the formula (as `entry`). A value may be
    // here more than once.
    TC_VEC(tc_carried) folded;
    // What values that terms do not describe were made of (shuffles, votes, reductions over the block, inline PTX): the symbol, and one
    // of the values that it came from, of this thread or another one (as `entry`). A symbol may be here more than once.
    TC_VEC(tc_carried) derived;
    // Results of floating-point operations: the symbol, and a term of what decides it (as `entry`), which is not its value. A symbol may be
    // here more than once.
    TC_VEC(tc_carried) computed;
    // What terms do not show any more: a symbol that is 0, or true, and the sum of what it stands for (as `entry`), which TC2002 asks
    // about. A symbol may be here more than once.
    TC_VEC(tc_carried) lost;
    // Which launch dimensions the kernel reads (threadIdx/blockIdx/blockDim/gridDim by axis).
    bool reads_block_idx[3], reads_thread_idx[3], reads_block_dim[3], reads_grid_dim[3];
    // Branch conditions: what TC2005 and TC2002 look at beside addresses (a guard is reached by every condition in it).
    TC_VEC(tc_event) branches; // kind unused; guard: at the branch; value: the condition
} tc_kmodel;

// Lifts the kernel's IR. Never fails: what is not understood becomes a hole. The module is not changed.
void tc_lift_kernel(tc_arena *a, const tc_unit *u, tc_contract *c, tc_kmodel *m);

// The hook for pure device functions in contract expressions (see tc_contract_set_call_hook); ctx is the tc_unit.
tc_t tc_lift_pure_call(void *ctx, tc_contract *c, const char *mangled, const tc_t *args, size_t nargs, bool is_signed, tc_t *defined,
                       const char **why);

// Text for dump=model and for tests: stable from run to run.
const char *tc_kmodel_text(tc_arena *a, const tc_kmodel *m);

#endif
