// Inside the interpreter: the code that it runs and its state. The door is interp.h.
//
// A kernel becomes one flat piece of register code: everything that it calls is placed inline, allocas whose addresses
// do not escape are registers. Each thread has its own registers; code, objects and constants are shared. A register
// holds bits and a shadow, which says what the bits stand for:
//
//   value = bits + hi * 2^width, hi in [hi, hi + spread]; a mark names the places where it overflowed or was never
//   written.
//
// Arithmetic without nsw keeps the mathematical value; whoever reads a value as signed or unsigned finds out whether
// its bits say the same. A shadow of zero is the common case: the bits, read as unsigned, are the value and nothing is
// wrong with it.
#ifndef TC_CHECKER_INTERP_VM_H
#define TC_CHECKER_INTERP_VM_H

#include "checker/effects.h"
#include "checker/interp.h"
#include "checker/model.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// ---- registers ----

typedef struct tc_reg {
    uint64_t bits;
    union {
        struct {
            int32_t hi;
            uint32_t mark; // low 24 bits: index into tc_vm.marks; high 8 bits: spread
        };
        uint64_t shadow;
    };
} tc_reg;

#define TC_MARK(r) ((r)->mark & 0xffffffu)
#define TC_SPREAD(r) ((r)->mark >> 24)

// The shadow of a value whose signed reading is right.
static inline uint64_t tc_sign_shadow(uint64_t bits, unsigned width) {
    return (bits >> (width - 1)) & 1 ? UINT64_C(0xffffffff) : 0;
}

// How a value came to differ from the mathematical one.
typedef enum tc_misread {
    TC_MR_ARITHMETIC, // the operation itself left its type
    TC_MR_RESULT,     // its result fits its unsigned type, and is read as signed
    TC_MR_NEGATIVE,   // a negative value is read as unsigned
    TC_MR_LARGE       // a large unsigned value is read as signed
} tc_misread;

typedef struct tc_mark {
    uint32_t overflow, uninit; // sites + 1, or 0
    uint64_t defined;          // with uninit: the bits that were written nevertheless, as far as masks and shifts tell
    tc_misread misread;        // of the overflow
    uint32_t origin;           // site + 1 of the arithmetic that left the range, if a reader finds that it did
    bool unknown;              // depends on what threads that do not run might have written
} tc_mark;
// The first marks of every run: none, an undefined value of the IR, a value of which nothing is known.
enum { TC_MARK_NONE, TC_MARK_UNDEFINED, TC_MARK_UNKNOWN };

// ---- addresses ----
//
// Objects stand 2^44 bytes apart, each in the middle of its own range, so that a pointer outside of its object is still
// known to belong to it. Object 0 is null. Shared addresses that become integers are 32-bit ones, 2^24 apart.

#define TC_ADDR_SHIFT 44
#define TC_ADDR_BIAS (UINT64_C(1) << (TC_ADDR_SHIFT - 1))
#define TC_WINDOW_SHIFT 24
// Where an open buffer begins, from its number's address: not where another one does, so that an index that leaves it, by a power of
// two for one, hits nothing.
#define TC_OPEN_PLACE(object) (((object) % 10 + 1) * UINT64_C(0xb5a317c900))
#define TC_FAR (UINT64_C(1) << 38) // from an object: an address that may have been meant for an open one
#define TC_LOCAL_IDS (1u << 17)           // object numbers from here on are the thread's locals
#define TC_FUNCTION_IDS (1u << 19)        // and from here on functions
#define TC_FLAT_LIMIT (UINT64_C(1) << 24) // bytes; larger objects are kept in pages

static inline uint64_t tc_addr_object(uint64_t addr) {
    return (addr + TC_ADDR_BIAS) >> TC_ADDR_SHIFT;
}

// Of the function with this number (tc_unit_function).
static inline uint64_t tc_function_address(uint32_t number) {
    return (uint64_t)(TC_FUNCTION_IDS + (number < TC_FUNCTION_IDS ? number : 0)) << TC_ADDR_SHIFT;
}

// ---- code ----

// X(NAME). w is a width in bits unless said otherwise; d, a, b, c are registers; x counts IR instructions in jumps.
#define TC_VM_OPS(X)                                                                                                   \
    X(STOP) /* x: text; what cannot be run */                                                                          \
    X(MOV)                                                                                                             \
    X(MOVN) /* c registers */ X(UNINIT) /* d..d+c */                                                                   \
        X(ADD32) X(SUB32) X(MUL32) X(ADDS32) X(SUBS32) X(MULS32) X(ADD64) X(SUB64) X(MUL64) X(ADDS64) X(SUBS64)        \
            X(MULS64) X(ADD) X(SUB) X(MUL) X(ADDS) X(SUBS) X(MULS) X(AND) X(OR) X(XOR) X(SHL) X(LSHR) X(ASHR) X(UDIV)  \
                X(SDIV) X(UREM) X(SREM) X(EQ) X(NE) X(ULT) X(ULE) X(SLT) X(SLE) X(PEQ) X(PNE) X(PLT)                   \
                    X(PLE) /* pointers */                                                                              \
        X(TRUNC) /* w to x bits */ X(ZEXT) /* w to x */ X(SEXT) X(ZEXT1) X(SEXT1) X(SEXT3264) X(ZEXT3264) X(TRUNC6432) \
            X(GEPC)                                             /* d = a + (int32)x */                                 \
        X(GEP)                                                  /* d = a + b * (int32)x, b of 64 bits */               \
        X(GEP32)                                                /* the same, b of 32 bits, sign extended */            \
        X(GEPW)                                                 /* d = a + b * c, c a 64-bit constant */               \
        X(P2I) X(P2IS) /* of a shared pointer */ X(I2P) X(I2PS) /* w: bits of the integer */                           \
        X(SELECT)                                               /* d = a ? b : c */                                    \
        X(FADD32) X(FSUB32) X(FMUL32) X(FDIV32) X(FADD64) X(FSUB64) X(FMUL64) X(FDIV64)                                \
            X(FOP) /* c: 0 add 1 sub 2 mul 3 div 4 rem 5 neg; w: tc_fkind */                                           \
        X(FCMP)    /* c: LLVM predicate, w: tc_fkind */                                                                \
        X(FCVT) /* w: from, c: to (tc_fkind) */ X(S2F) X(U2F) /* w: bits, c: to */                                     \
        X(F2S) X(F2U)                                         /* w: from, c: bits, x: 1 when saturating */             \
        X(MATH) /* a, b, c: arguments or TC_NONE; w: their tc_fkind; x: tc_math | result's tc_fkind << 16 (4: integer) \
                   | its bits << 20 */                                                                                 \
        X(INT)  /* a, b, c: arguments; w: bits; x: tc_int_op */                                                        \
        X(PACK) /* d.. from a..; x: index into packs */                                                                \
        X(EXTRACT)                                 /* d = regs[a + b], x elements; w: registers an element */          \
        X(INSERT)                                  /* regs[d + b] = c, x elements */                                   \
        X(LOAD8) X(LOAD16) X(LOAD32) X(LOAD64)     /* integers: d, a address, b align, x access flags */               \
        X(LOADR8) X(LOADR16) X(LOADR32) X(LOADR64) /* floats and pointers */                                           \
        X(STORE8) X(STORE16) X(STORE32) X(STORE64) /* d value, a address */                                            \
        X(LOADV) X(STOREV)                         /* c: index into layouts */                                         \
        X(MEMCPY) X(MEMSET) /* d dest, a source or byte, b length, c align of dest, x align of source */               \
        X(LIFETIME)         /* a: local */                                                                             \
        X(ATOMIC)           /* d result, a address, b value, c compare or 0; w bits; x: index into atomics */          \
        X(FENCE)            /* x: scope, c: order */                                                                   \
        X(BARRIER)          /* d result, a id, b predicate, c count or TC_NONE; x: tc_barrier_red */                   \
        X(GRID)             /* the barrier of the grid */                                                             \
        X(NAMED)            /* a id, b count or TC_NONE; x: 1 arrive only */                                           \
        X(SYNCWARP)         /* a mask */                                                                               \
        X(SHUFFLE)  /* d result, a mask, b value, c lane, x control; w: tc_shuffle_mode, and 16 when d + 1 is the      \
                       predicate */                                                                                    \
        X(VOTE)     /* d result, a mask, b value; w bits; x: tc_vote_mode */                                           \
        X(MATRIX)   /* a mask, x: index into matrices; d results, or registers to be stored; b address, or registers   \
                       of A, B and C */                                                                                \
        X(CP_ASYNC) /* d shared, a global, b bytes read or TC_NONE; x: width; c: flags */                              \
        X(CP_COMMIT) X(CP_WAIT) /* x: groups allowed, c: 1 wait for all */                                             \
        X(PTX)                  /* x: index into ptx */                                                                \
        X(ISSPACE) /* a pointer, x: tc_space */ X(CLOCK)                                                               \
            X(ASSERT) /* a condition, x: 0 assert, 1 invariant, 2 assume, 3 __builtin_assume */                        \
        X(BADCALL)    /* a pointer: a call of what is none of the functions that it may be of */                        \
        X(STEP)       /* before an access, where threads go in lock-step */                                             \
        X(TAINT)      /* x: index into joins: what a marked condition without accesses decided */                      \
        X(JMP)        /* d: target */                                                                                  \
        X(BR) /* a: condition; d, c: targets; w: TC_GUARDS when accesses depend on it, else the join's number */       \
        X(BR_EQ32) X(BR_NE32) X(BR_SLT32) X(BR_SLE32) X(BR_ULT32) X(BR_ULE32) /* a, b: operands; d, c, w as in BR */   \
        X(SWITCH)                                                             /* a; x: index into switches */          \
        X(EXIT) /* the kernel's end */ X(TRAP) X(UNREACHABLE)

typedef enum tc_vm_op {
#define X(name) TC_OP_##name,
    TC_VM_OPS(X)
#undef X
        TC_OP_COUNT
} tc_vm_op;

#define TC_GUARDS UINT16_MAX

typedef struct tc_insn {
    uint16_t op, w;
    uint32_t d, a, b, c, x;
} tc_insn;

typedef enum tc_fkind { TC_F16, TC_FB16, TC_F32, TC_F64 } tc_fkind;

// One scalar of a type in memory and in registers.
typedef enum tc_leaf_kind { TC_LEAF_INT, TC_LEAF_PTR, TC_LEAF_FLOAT } tc_leaf_kind;
typedef struct tc_leaf {
    uint32_t offset; // bytes
    uint16_t bits;   // 1 to 64
    uint8_t bytes;   // in memory: 1, 2, 4, 8
    uint8_t kind;    // tc_leaf_kind
    uint8_t fkind;   // floats: tc_fkind
} tc_leaf;
typedef struct tc_layout {
    tc_leaf *leaves;
    uint32_t n;
    uint32_t size; // bytes as stored
} tc_layout;

typedef struct tc_pack {
    uint32_t from, to; // indices into layouts
} tc_pack;

// Flags of an access.
enum {
    TC_ACC_VOLATILE = 1,
    TC_ACC_NC = 2,     // read-only cache
    TC_ACC_ATOMIC = 4, // an atomic load or store; with order and scope
    TC_ACC_ACQUIRE = 8,
    TC_ACC_RELEASE = 16,
    TC_ACC_LOAD = 32, // an atomic one that only reads
    TC_ACC_RMW = 64,
    TC_ACC_SCOPE_SHIFT = 8
};

typedef struct tc_atomic_desc {
    tc_atomic_op op;
    unsigned bits;
    bool is_float, bfloat;
    bool reduction;   // red: nothing is read by the thread
    unsigned flags;   // ACQUIRE, RELEASE
    unsigned scope;   // tc_scope
    uint32_t success; // cmpxchg: register of the i1 result, or TC_NONE
    const char *what;
} tc_atomic_desc;

typedef struct tc_switch {
    uint64_t *values;
    uint32_t *targets, n, otherwise;
    uint32_t width, count;
    uint16_t guards; // as w of BR
} tc_switch;

// Registers that were written between a marked branch and the place where its ways meet.
typedef struct tc_join {
    uint32_t *regs, n;
    uint32_t id;
} tc_join;

// One operand of a PTX instruction.
typedef enum tc_px_kind { TC_PX_NONE, TC_PX_REG, TC_PX_IMM, TC_PX_VEC, TC_PX_PAIR } tc_px_kind;
typedef struct tc_px_operand tc_px_operand;
struct tc_px_operand {
    tc_px_kind kind;
    uint32_t reg;       // REG
    uint64_t imm;       // IMM; REG in an address: bytes added
    tc_px_operand *sub; // VEC, PAIR
    uint32_t n;
};
typedef struct tc_px_inst {
    tc_ptx_inst in;
    tc_px_operand op[8];
    uint32_t predicate; // register or TC_NONE
} tc_px_inst;

// Code in [head, end] that jumps back to its head.
typedef struct tc_code_loop {
    uint32_t head, end;
} tc_code_loop;
// An operation of a warp on matrices (interp_matrix.c).
#define TC_MATRIX_K 64
typedef struct tc_matrix {
    tc_effect_kind kind; // TC_FX_MATRIX_*
    unsigned n;          // ldmatrix, stmatrix: matrices, one register of each lane for each
    bool transposed, moves; // moves: movmatrix
    unsigned m, k;          // mma: A is m by k, B k by 8
    tc_ptx_type type[4];    // mma: of D, A, B, C
    unsigned regs[4];       // mma: how many registers each lane has of them
} tc_matrix;

// Where an instruction stands.
typedef struct tc_place_info {
    tc_loc loc;          // the innermost line of the user's
    const char *what;    // "signed addition", "variable 'slot'"
    const tc_loc *calls; // call sites of the user's around it, innermost first
    uint32_t ncalls;
} tc_place_info;

typedef enum tc_global_kind {
    TC_GLOBAL_DEVICE,
    TC_GLOBAL_CONSTANT,
    TC_GLOBAL_SHARED,
    TC_GLOBAL_DYN_SHARED
} tc_global_kind;

// A pointer in an initialiser.
typedef struct tc_reloc {
    uint64_t offset, value;
} tc_reloc;

typedef struct tc_vm_global {
    LLVMValueRef value;
    const char *name;
    tc_global_kind kind;
    uint32_t object; // object number
    uint64_t size, align;
    unsigned char *init; // NULL: not initialised (shared) or zero
    TC_VEC(tc_reloc) relocs;
    bool is_const; // never written
    bool is_settable; // by the host, before the launch
    int contract;
} tc_vm_global;

typedef struct tc_vm_local {
    const char *name;
    uint32_t offset, size; // bytes in the thread's local memory
    uint32_t align;
    uint32_t param; // the byval parameter that it holds at the start, or TC_NONE
    uint32_t place; // index into places
} tc_vm_local;

typedef TC_VEC(uint32_t) tc_u32s;

// Registers that are the same in every program.
enum {
    TC_SLOT_TID = 0,
    TC_SLOT_CTAID = 3,
    TC_SLOT_NTID = 6,
    TC_SLOT_NCTAID = 9,
    TC_SLOT_LANE = 12,
    TC_SLOT_WARP = 13,
    TC_SLOT_MASKS = 14, // lt, le, eq, ge, gt
    TC_SLOT_SMEM = 19,
    TC_SLOT_FIRST = 20
};

struct tc_program {
    tc_arena *arena;
    const tc_unit *unit;
    tc_contract *contract;
    const tc_kernel *kernel;
    LLVMValueRef function;
    LLVMTargetDataRef layout;
    TC_VEC(tc_insn) code;
    tc_u32s place; // for each instruction: index into places
    TC_VEC(tc_place_info) places;
    uint32_t nregs;      // of a thread, constants included
    uint32_t const_base; // constants are the registers from here on
    TC_VEC(tc_reg) consts;
    // For each scalar or pointer of the parameters: where it goes at the start.
    TC_VEC(uint32_t) param_reg; // one for each parameter: first register, or TC_NONE when byval
    TC_VEC(tc_vm_global) globals;
    TC_VEC(tc_vm_local) locals;
    uint32_t local_bytes;
    uint32_t nobjects; // global and shared ones; object number 1 + i is contract object i
    TC_VEC(tc_atomic_desc) atomics;
    TC_VEC(tc_switch) switches;
    TC_VEC(tc_join) joins;
    TC_VEC(tc_layout) layouts;
    TC_VEC(tc_pack) packs;
    TC_VEC(tc_px_inst) ptx;
    TC_VEC(tc_matrix) matrices;
    TC_VEC(const char *) texts;
    tc_u32s callable;    // numbers of the functions that calls through pointers may be of
    TC_VEC(tc_code_loop) loops; // where threads go in lock-step; by head, and those in others behind them
    bool sees_addresses; // compares pointers, or makes numbers of generic ones
    bool hands_on;       // fences, or accesses that acquire or release: what blocks are ordered by, beside barriers of the grid
    bool fine_sync;      // something beside whole-block barriers orders threads
    bool mixed_atomics;  // atomics of two widths: they race where they meet
    bool grid_sync;      // there are barriers of the grid
    uint32_t dyn_shared; // object number of the dynamic shared memory, 0: none
    uint64_t max_width;
    bool *met; // for each place: an access there was executed in some run
};

// ---- memory ----

// One access in a race cell.
typedef struct tc_acc {
    uint32_t block; // number in the run + 1; 0: none
    uint16_t thread, flags;
    uint32_t clock, place;
} tc_acc;

enum {
    TC_ACCF_ASYNC = 1,
    TC_ACCF_NC = 2,
    TC_ACCF_UNINIT = 4,
    TC_ACCF_VOLATILE = 8,
    TC_ACCF_RMW = 16,     // a read-modify-write, and so were all atomics before it
    TC_ACCF_AGAIN = 32,   // later another thread wrote the same there, with no order between the two
    TC_ACCF_UNKNOWN = 64, // nothing is known of the value
    // Of an atomic one: it only reads; its scope, and log2 of its width.
    TC_ACCF_LOAD = 128,
    TC_ACCF_SCOPE_SHIFT = 8,
    TC_ACCF_WIDTH_SHIFT = 11
};

typedef struct tc_cell {
    tc_acc write, read[2], atomic[2];
    tc_acc far_read;  // by another block than read[0]
    uint32_t readers; // list of further readers, index + 1
    uint32_t pending; // list of asynchronous copies that are still to read it, index + 1
    uint32_t nc;      // place + 1 of a load through the read-only cache
} tc_cell;

typedef enum tc_mobj_kind { TC_MO_NONE, TC_MO_PLAIN, TC_MO_TRACKED, TC_MO_LOCAL, TC_MO_PAGED } tc_mobj_kind;

typedef struct tc_mobj tc_mobj;
struct tc_mobj {
    uint64_t base, size; // address of byte 0; bytes that may be touched
    unsigned char *data; // flat contents; LOCAL: NULL
    tc_mobj_kind kind;
    uint8_t grain;  // log2 of the bytes of a race cell
    uint8_t sign;   // tc_sign, of stored integers of `elem` bytes
    uint8_t borrow; // tc_borrow
    bool is_shared, is_const, tracked, gaps, owned;
    bool uninit;   // bytes that nobody wrote are uninitialised
    uint32_t elem; // bytes of an element
    int contract;  // index into the contract's objects, or -1
    const char *name;
    const tc_type *fields; // of an element that is a struct, else NULL
    tc_cell **cells;       // cells in chunks of TC_CHUNK, made on demand
    tc_map *pages;         // PAGED: page number -> bytes
    tc_map *chunks;        // PAGED: chunk number -> cells
    unsigned char *exists; // gaps: a bit for each element up to size / elem
    struct tc_own *own;    // ownership of the current block
    tc_mobj *twin;         // the next name of the same bytes, in a ring; NULL: there is none
};
#define TC_CHUNK 32

typedef struct tc_lshadow {
    uint64_t shadow; // as of a register
    uint8_t tag;     // bytes of the value that begins here: 4, 8; 9: its second half; 0: smaller pieces
    uint8_t init;    // a bit for each byte
} tc_lshadow;

// ---- happens-before ----

// What is known of the threads of one block: for each the clock up to which all that it did happened before.
typedef struct tc_vclock {
    struct tc_vclock *next; // of the free ones
    uint32_t refs;
    uint32_t clock[]; // of each thread of the block
} tc_vclock;

// Knowledge of other blocks, sorted by block.
typedef struct tc_far {
    uint32_t block; // number in the run + 1
    uint32_t base;
    tc_vclock *vc; // or NULL
} tc_far;
typedef struct tc_know {
    uint32_t refs, n;
    tc_far far[];
} tc_know;

// Release and acquire reach the threads of the block, or all; by the scopes of both sides.
typedef enum tc_reach { TC_REACH_BLOCK, TC_REACH_GRID, TC_REACHES } tc_reach;

// What a thread hands over by its next atomic write, and what its next fence takes over. `sc`: by fence.sc on both sides; it passes
// barriers, as the order of these fences is part of causality order.
typedef struct tc_handing {
    tc_know *released, *sc_released; // what a fence made ready
    tc_know *acquired, *sc_acquired; // what atomic reads gave
} tc_handing;

// What the value at an address carries: by release patterns, and by fences.sc before the write.
typedef struct tc_carried_by {
    tc_know *pattern, *sc;
    // The last atomic write that releases by itself; later writes to the address by its thread release the same.
    tc_know *own;
    uint32_t block, thread;
} tc_carried_by;

// ---- threads and blocks ----

typedef enum tc_thread_state {
    TC_TS_READY,
    TC_TS_BARRIER, // waits at barrier `wait_id`: of the block, or TC_GRID_BARRIER
    TC_TS_WARP,    // waits for lanes
    TC_TS_EXITED
} tc_thread_state;

typedef struct tc_copy { // cp.async
    uint32_t object, width;
    uint64_t offset;
    uint32_t from, from_width; // what it reads; TC_NONE: nothing that is tracked
    uint64_t from_offset;
    uint32_t group, place;
} tc_copy;

typedef struct tc_thread {
    tc_reg *regs;
    const tc_insn *pc;
    unsigned char *local;
    tc_lshadow *lshadow;
    tc_thread_state state;
    bool absent; // is not run, or no further; counts neither as waiting nor as missing
    uint16_t linear, lane;
    uint32_t idx[3];
    uint32_t base, clock; // time of the last block barrier; of now
    uint32_t step;        // lock-step: time at which its present step began
    uint32_t *laps;       // lock-step: jumps back since it came to each of the code's loops
    tc_vclock *vc;        // beyond base, or NULL
    tc_know *far;
    tc_handing hand[TC_REACHES];
    uint32_t wait_id, wait_count;
    uint32_t mask; // lanes of the warp operation
    uint32_t taint, taint_join;
    uint32_t last_place; // of the last barrier passed, or of the exit
    uint32_t barriers;   // passed
    TC_VEC(tc_copy) copies;
    uint32_t group; // number of the open cp.async group
} tc_thread;

#define TC_GRID_BARRIER 16 // a wait_id

typedef struct tc_barrier {
    uint32_t arrived, expected;
    tc_vclock *vc;
    tc_know *far;
    tc_handing hand[TC_REACHES]; // of those that arrived: sc alone
    uint32_t place;
} tc_barrier;

typedef struct tc_block {
    uint32_t number; // in the run
    uint64_t linear;
    uint32_t idx[3];
    tc_thread *threads;
    uint32_t live, time;
    uint32_t expected;   // threads that run in this block
    bool whole; // all of its threads run
    tc_mobj *shared;     // shared objects of this block, by global
    struct tc_own **own; // regions, by object of the contract
    tc_barrier barriers[TC_GRID_BARRIER + 1];
    tc_map sync; // TC_REACH_BLOCK: address -> tc_carried_by
    bool done;
    bool at_grid; // its threads, those that come, wait for other blocks
    bool drew;  // an atomic operation gave it a value that other blocks may have changed
    uint64_t spins;
} tc_block;

typedef enum tc_stop { TC_STOP_EXIT, TC_STOP_WAIT, TC_STOP_SLICE, TC_STOP_STEP, TC_STOP_HALT } tc_stop;

// Bytes of a paged object that lie on two pages, while they are used; they go back at the next access.
typedef struct tc_bounce {
    tc_mobj *object;
    uint64_t offset, width;
    unsigned char bytes[64];
} tc_bounce;

typedef struct tc_vm {
    tc_arena *arena; // of this run
    tc_arena *out_arena;
    const tc_program *p;
    const tc_launch *launch;
    const tc_options *options;
    // What the store or copy in hand writes. NULL: nothing, or it is not told.
    const unsigned char *stored;
    bool stored_unknown; // it hangs on what threads that do not run might have written
    bool stored_never;   // it is a variable's, of which no byte was ever written
    tc_contract *contract;
    tc_mobj *objects; // by number
    uint32_t nobjects;
    uint32_t nthreads; // of a block
    tc_block *block;   // running
    tc_thread *thread;
    TC_VEC(tc_mark) marks;
    tc_map mark_index;
    TC_VEC(tc_acc) readers;
    tc_u32s reader_next;
    TC_VEC(tc_acc) pending; // copies that are still to read, each in the list of one cell, or of the free ones
    tc_u32s pending_next;
    uint32_t pending_free;
    tc_map sync;        // TC_REACH_GRID: address -> tc_carried_by
    tc_map fault_index; // (rule, line) -> seen
    tc_faults *faults;
    size_t max_faults, given; // given: before the run
    tc_run_stats *stats;
    uint64_t steps, limit, slice_end, accesses;
    size_t room; // bytes that have to be left for the rest of the kernel's check
    uint32_t left_early;     // how often a slice ended behind an atomic operation
    tc_reg *template;        // a thread's registers at the start
    TC_VEC(uint64_t) chosen; // PARTIAL: linear numbers of the blocks that run
    tc_vclock *free_vc;
    uint32_t *epochs; // by block + 1: its time when the last barrier of the grid was over; NULL: none was
    tc_bounce bounce;
    unsigned page_shift; // log2 of the bytes of a page
    tc_map **owners;           // by object of the contract: owners of tiles
    TC_VEC(tc_block *) blocks; // started and not finished
    unsigned lockstep;         // threads of a group; 0: none go in lock-step
    bool step_copies;          // the present step copies memory: each thread more than once
    bool keep_readers;         // all of a cell: more than barriers of the whole block orders threads
    bool partial;              // only some threads run
    bool has_open;             // some buffer is open
    bool over;                 // a thread called what is no function: nothing is a fault any more
    bool halted;
    bool in_doubt; // a branch hung on a value of which nothing is known: no more faults are told
} tc_vm;

// ---- decoding (interp_decode*.c) ----
typedef struct tc_decoder tc_decoder;
void tc_layout_of(tc_arena *a, LLVMTargetDataRef td, LLVMTypeRef type, tc_layout *out);

// ---- running ----
tc_stop tc_vm_run_thread(tc_vm *vm, tc_thread *t);

// interp_arith.c: the cases that the fast paths leave.
uint32_t tc_mark_make(tc_vm *vm, tc_mark m);
uint32_t tc_mark_union(tc_vm *vm, uint32_t a, uint32_t b); // without origins
uint32_t tc_mark_real(tc_vm *vm, uint32_t m);              // without its origin
// Without what tells of an overflow: a number as a float is data (docs/model.md, Limits).
uint32_t tc_mark_data(tc_vm *vm, uint32_t m);
bool tc_mark_is_real(const tc_vm *vm, uint32_t m);
void tc_slow_binary(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op,
                    unsigned width); // op: tc_vm_op of the generic form
bool tc_slow_compare(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned width, uint32_t *mark);
void tc_slow_cast(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned from, unsigned to);
// The signed reading of r as 64 bits; *mark gets its marks, with an overflow when the reading is wrong.
int64_t tc_read_signed(tc_vm *vm, const tc_reg *r, unsigned width, uint32_t place, uint32_t *mark);
uint64_t tc_read_unsigned(tc_vm *vm, const tc_reg *r, unsigned width, uint32_t place, uint32_t *mark);
// The marks of a value that is compared for equality or as unsigned: a negative one may pass for a large one.
uint32_t tc_read_any(tc_vm *vm, const tc_reg *r, unsigned width, uint32_t place);
void tc_exec_int(tc_vm *vm, tc_thread *t, const tc_insn *in);

// interp_math.c
double tc_half_to_double(uint16_t bits);
double tc_bfloat_to_double(uint16_t bits);
uint16_t tc_double_to_half(double x);
uint16_t tc_float_to_bfloat(float x);
double tc_float_get(uint64_t bits, tc_fkind k);
uint64_t tc_float_put(double x, tc_fkind k);
void tc_exec_math(tc_vm *vm, tc_thread *t, const tc_insn *in);
void tc_exec_fop(tc_vm *vm, tc_thread *t, const tc_insn *in);
void tc_exec_fcvt(tc_vm *vm, tc_thread *t, const tc_insn *in);
bool tc_exec_fcmp(unsigned predicate, double a, double b);
// Rounds as the mode says (0 nearest, 1 zero, 2 down, 3 up) and fits to bits; *fits is false when it had to saturate.
uint64_t tc_float_to_int(double x, unsigned mode, unsigned bits, bool is_signed, bool *fits);

// interp_ptx.c: pure PTX; false when the instruction is not known.
bool tc_ptx_known(const tc_ptx_inst *in);
bool tc_exec_ptx(tc_vm *vm, tc_thread *t, const tc_px_inst *in, uint32_t place);

// interp_mem.c
void tc_mem_init(tc_vm *vm);
void tc_mem_block(tc_vm *vm, tc_block *b);  // makes the block's shared objects
void tc_mem_switch(tc_vm *vm, tc_block *b); // they become the current ones
enum { TC_READ = 0, TC_WRITE = 1, TC_RMW = 2 };
// Checks the access and gives its bytes; NULL when it must not be done (a fault was noted or the address is unknown).
// *uninit is set when a byte read was never written. Bytes of a paged object are contiguous within an access.
unsigned char *tc_mem_access(tc_vm *vm, tc_thread *t, const tc_reg *addr, uint64_t width, uint32_t align, int kind,
                             uint32_t flags, uint32_t place, tc_mobj **obj, uint64_t *offset, bool *uninit);
// Does what stands in these bytes hang on what threads that do not run might have written?
bool tc_mem_is_unknown(tc_vm *vm, const tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width);
// After a write: where the mark says that the value hangs on threads that do not run, so do the bytes.
void tc_mem_stored(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t mark);
// The mark of what is read at an address of an object.
uint32_t tc_mem_loaded(tc_vm *vm, const tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, bool uninit, uint32_t place);
void tc_mem_copy(tc_vm *vm, tc_thread *t, const tc_insn *in);
void tc_mem_fill(tc_vm *vm, tc_thread *t, const tc_insn *in);
// The marks of bytes of the thread's local memory, those never written included.
uint32_t tc_local_mark(tc_vm *vm, const tc_thread *t, uint64_t offset, uint64_t width, uint32_t place);
void tc_mem_finish(tc_vm *vm);                                                       // TC1007 at the end
unsigned char *tc_mem_bytes(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width); // unchecked
tc_cell *tc_mem_cell(tc_vm *vm, tc_mobj *o, uint64_t index);
void tc_exec_atomic(tc_vm *vm, tc_thread *t, const tc_insn *in);

// interp_race.c
// Notes the access of [offset, offset + width) and reports what it conflicts with. *uninit as above.
void tc_race_read(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags, uint32_t place,
                  bool *uninit);
void tc_race_write(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags, uint32_t place,
                   uint16_t accf); // TC_ACCF_*
void tc_race_atomic(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags,
                    uint32_t place);
// All atomics so far on these bytes, of which there is one on each, happened before.
// What an asynchronous copy reads is read at any time from its beginning to its end.
void tc_race_copy_begins(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t place);
void tc_race_copy_ends(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t place);
bool tc_race_after_atomics(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width);
void tc_race_grain(tc_vm *vm, tc_mobj *o, unsigned grain);
bool tc_happened(const tc_vm *vm, const tc_thread *t, const tc_acc *a);

// interp_run.c: is this a run in which threads are interrupted behind exchanges? Of launches of one sweep every other one is.
bool tc_vm_takes_turns(const tc_vm *vm);

// interp_clock.c
void tc_clock_barrier(tc_vm *vm, tc_block *b);                 // the whole block
void tc_clock_join(tc_vm *vm, tc_thread *const *ts, size_t n); // all of these with each other
void tc_clock_epoch(tc_vm *vm, const tc_block *b);             // what b did so far happened before what any block does next
void tc_clock_arrive(tc_vm *vm, tc_thread *t, tc_barrier *b);
void tc_clock_leave(tc_vm *vm, tc_thread *t, tc_barrier *b);
void tc_clock_reset(tc_vm *vm, tc_barrier *b);
void tc_clock_fence(tc_vm *vm, tc_thread *t, unsigned order, unsigned scope); // of model.h
void tc_clock_sync(tc_vm *vm, tc_thread *t, uint64_t address, bool read, bool write, unsigned flags);
void tc_clock_drop(tc_vm *vm, tc_thread *t);

// interp_lockstep.c
void tc_lockstep_loops(tc_program *p); // once the code is complete
// The threads of the group from `first` on that go next, with the clock of a new step; out has room for a group.
size_t tc_lockstep_pick(tc_vm *vm, tc_block *b, uint32_t first, tc_thread **out);
void tc_lockstep_jumped(const tc_vm *vm, tc_thread *t, const tc_insn *from); // from: where it went on before the jump
bool tc_lockstep_same_group(const tc_vm *vm, const tc_thread *t, uint32_t thread);

// interp_sync.c: what a thread waits at, and when it may go on.
tc_stop tc_exec_barrier(tc_vm *vm, tc_thread *t, const tc_insn *in);
tc_stop tc_exec_warp(tc_vm *vm, tc_thread *t, const tc_insn *in);
tc_stop tc_exec_named(tc_vm *vm, tc_thread *t, const tc_insn *in);
tc_stop tc_exec_grid(tc_vm *vm, tc_thread *t, const tc_insn *in);
void tc_exec_cp_async(tc_vm *vm, tc_thread *t, const tc_insn *in);
void tc_exec_cp_wait(tc_vm *vm, tc_thread *t, const tc_insn *in);
// Nobody in the block can go on: reports why and lets those who wait go. false: there is nobody.
bool tc_sync_stuck(tc_vm *vm, tc_block *b);
// All threads of the block that run wait at the barrier of the grid.
bool tc_sync_at_grid(const tc_vm *vm, const tc_block *b);
// No block can go on but by the barrier of the grid, at which some are: reports who is missing, and lets those who wait go.
void tc_sync_grid(tc_vm *vm);
void tc_sync_exited(tc_vm *vm, tc_thread *t);

// interp_warp.c
bool tc_warp_stuck(tc_vm *vm, tc_block *b); // lets some waiting lanes go; false: none waits
void tc_warp_run(tc_vm *vm, tc_block *b, const tc_insn *in, uint32_t warp, uint32_t lanes);

// interp_matrix.c
// False where the operation cannot be run.
bool tc_matrix_read(const tc_ptx_inst *in, tc_matrix *x);
void tc_matrix_run(tc_vm *vm, tc_block *b, const tc_insn *in, uint32_t warp, uint32_t lanes);

// interp_run.c
tc_block *tc_vm_block(tc_vm *vm, uint32_t number); // NULL when it has finished
void tc_vm_block_index(const tc_vm *vm, uint32_t number, uint32_t *idx);

// interp_rules.c
// A fault at place, once for each rule and line. Fields of *f beside code, place and text are the maker's.
void tc_vm_other(const tc_vm *vm, tc_fault *f, uint32_t place); // the place of the second party
void tc_vm_fault(tc_vm *vm, tc_thread *t, const char *code, uint32_t place, const tc_fault *f, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void tc_vm_marked(tc_vm *vm, tc_thread *t, uint32_t mark, uint32_t place, const char *use); // TC2002, TC2005
bool tc_vm_rule(const tc_vm *vm, const char *code);
// The address of byte 0 of a buffer that is not null.
uint64_t tc_vm_base(const tc_buffer *b, uint32_t object);
void tc_vm_stop(tc_vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tc_vm_trap(tc_vm *vm, tc_thread *t, uint32_t place); // ends the run
void tc_vm_bad_call(tc_vm *vm, tc_thread *t, const tc_reg *pointer, uint32_t place);
void tc_vm_unreachable(tc_vm *vm, tc_thread *t, uint32_t place);
const char *tc_vm_object_name(tc_vm *vm, const tc_mobj *o);
void tc_own_init(tc_vm *vm); // also TC1005 for the launch
void tc_own_block(tc_vm *vm, tc_block *b);
void tc_own_switch(tc_vm *vm, tc_block *b);
bool tc_own_has(tc_vm *vm, tc_mobj *o, uint64_t offset); // the running block may write this byte

static inline uint32_t tc_place_of(const tc_vm *vm, const tc_insn *in) {
    return vm->p->place.data[in - vm->p->code.data];
}

#endif
