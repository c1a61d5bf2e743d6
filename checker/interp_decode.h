// Inside the interpreter's decoder: from LLVM IR to register code.
//
// Every function is decoded anew at each of its calls, into the code of the caller. A value is a run of registers, one
// for each scalar in it. Values of one basic block give their registers back after the last use.
#ifndef TC_CHECKER_INTERP_DECODE_H
#define TC_CHECKER_INTERP_DECODE_H

#include "checker/interp_vm.h"

#define TC_CONST_BIT UINT32_C(0x80000000)  // operands that are constants, until all registers are known
#define TC_MAX_CODE (1u << 22)             // instructions of a program
#define TC_MAX_PROGRAM ((size_t)128 << 20) // bytes, while it is made
#define TC_MAX_LEAVES 4096                 // scalars of one value

// ---- what is known of a function (interp_flow.c) ----

typedef struct tc_alloca_info {
    bool promoted; // lives in a register
    uint16_t bits;
    uint8_t kind, fkind; // tc_leaf_kind
    bool has_lifetime;
} tc_alloca_info;

typedef struct tc_fninfo {
    LLVMValueRef fn;
    uint32_t nblocks;
    LLVMBasicBlockRef *blocks; // reachable ones, as laid out
    tc_map index;              // block -> number + 1
    uint32_t *ipdom;           // immediate post-dominator; nblocks: the function's end
    bool *touches;             // the block accesses memory, waits, or leaves the kernel
    bool any_touches;
    tc_map allocas;  // alloca -> tc_alloca_info
    uint32_t *npred; // edges into each block
    uint32_t nreturns;
    bool busy;
    uint32_t *seen, *stack, stamp; // of the region's walk
} tc_fninfo;

tc_fninfo *tc_fninfo_of(tc_decoder *d, LLVMValueRef fn);
// Do accesses happen between the branch at the end of block b and the place where its ways meet?
bool tc_fninfo_guards(tc_fninfo *f, uint32_t b);
// Calls fn for each block of that region.
void tc_fninfo_region(tc_fninfo *f, uint32_t b, void (*fn)(void *ctx, uint32_t block), void *ctx);

// ---- values ----

typedef enum tc_dkind {
    TC_DV_FIXED, // not ours to free: constants, launch values, arguments
    TC_DV_TEMP,  // freed with the last use
    TC_DV_KEPT,  // lives as long as the instance
    TC_DV_ALIAS, // the register of a promoted alloca, until that is written
    TC_DV_SEXT   // sign extension to 64 bits, left to the user
} tc_dkind;

typedef struct tc_dval tc_dval;
typedef struct tc_aslot tc_aslot;
struct tc_dval {
    tc_dkind kind;
    uint32_t reg, n;
    uint32_t uses;  // left
    tc_aslot *slot; // ALIAS
    tc_dval *inner; // SEXT
};

// A promoted alloca of an instance.
struct tc_aslot {
    uint32_t reg;
    TC_VEC(tc_dval *) aliases;
};

typedef struct tc_instance tc_instance;
struct tc_instance {
    tc_instance *parent;
    tc_fninfo *f;
    LLVMValueRef call;
    tc_map vals;       // LLVM value -> tc_dval
    tc_map slots;      // promoted alloca -> tc_aslot
    tc_map locals;     // other alloca -> tc_dval of its address
    uint32_t *labels;  // of each block
    uint32_t *joins;   // of each block: index into joins + 1 of the pure region that ends there
    tc_dval *result;   // where returns put the value
    tc_dval *returned; // of a function of one block: the value itself
    uint32_t ret_label;
    bool ret_jumps;      // some return jumped to ret_label
    tc_u32s owned;       // register runs to free: reg, n, …
    const tc_loc *calls; // user's call sites, innermost first
    uint32_t ncalls;
    uint32_t depth, id;
};

struct tc_decoder {
    tc_arena *a;
    tc_program *p;
    const tc_unit *u;
    LLVMTargetDataRef td;
    tc_map fninfos;
    tc_map globals; // LLVM global -> index + 1
    tc_map places;
    tc_map const_index;        // value hash -> index + 1
    tc_map const_values;       // LLVM constant -> tc_dval
    tc_map functions;          // address-taken functions -> number
    TC_VEC(tc_u32s) free_runs; // by size
    uint32_t top;              // registers used so far
    tc_u32s dying;             // reg, n: freed after the IR instruction
    TC_VEC(uint32_t) labels;   // pc, or TC_NONE
    tc_instance *inst;
    uint32_t block;   // number in inst->f
    LLVMValueRef cur; // IR instruction
    uint32_t pending; // IR instructions since the last jump
    size_t before;    // bytes of the arena that are not the program's
    uint32_t instances;
    const char *why;
};

// ---- interp_decode.c ----
uint32_t tc_emit(tc_decoder *d, tc_vm_op op, unsigned w, uint32_t rd, uint32_t a, uint32_t b, uint32_t c, uint32_t x);
uint32_t tc_emit_at(tc_decoder *d, uint32_t place, tc_vm_op op, unsigned w, uint32_t rd, uint32_t a, uint32_t b,
                    uint32_t c, uint32_t x);
void tc_emit_stop(tc_decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t tc_label_new(tc_decoder *d);
void tc_label_here(tc_decoder *d, uint32_t label);
uint32_t tc_regs_new(tc_decoder *d, uint32_t n);
void tc_regs_free(tc_decoder *d, uint32_t reg, uint32_t n); // after the current IR instruction
tc_dval *tc_value(tc_decoder *d, LLVMValueRef v);           // takes one use
tc_dval *tc_settled(tc_decoder *d, LLVMValueRef v);         // the same, never TC_DV_SEXT
uint32_t tc_use(tc_decoder *d, LLVMValueRef v);             // the same: its first register
void tc_use_inner(tc_decoder *d, tc_dval *sext);            // what stands for a TC_DV_SEXT was read
uint32_t tc_def(tc_decoder *d, LLVMValueRef v);             // registers for the result of v
void tc_bind(tc_decoder *d, LLVMValueRef v, tc_dval *dv);
tc_dval *tc_dval_new(tc_decoder *d, tc_dkind kind, uint32_t reg, uint32_t n);
uint32_t tc_text_index(tc_decoder *d, const char *text);
uint32_t tc_layout_index(tc_decoder *d, LLVMTypeRef type);
uint32_t tc_leaf_count(tc_decoder *d, LLVMTypeRef type);
uint64_t tc_value_uses(LLVMValueRef v);
void tc_decode_call_body(tc_decoder *d, LLVMValueRef call, LLVMValueRef fn);
void tc_slot_written(tc_decoder *d, tc_aslot *s);                           // saves what still reads the old value
void tc_slot_reset(tc_decoder *d, LLVMValueRef alloca, LLVMValueRef after); // uninitialised again
void tc_decode_terminator(tc_decoder *d, LLVMValueRef i);
bool tc_is_local_value(LLVMValueRef v);      // used in its own block only, and by no phi
bool tc_is_fused_compare(LLVMValueRef icmp); // done by the branch after it
uint32_t tc_atomic_index(tc_decoder *d, const tc_atomic_desc *desc);

// ---- interp_place.c ----
// The place of an instruction; false when it has none or is in a header that is not the user's.
bool tc_vm_loc(tc_arena *a, const tc_unit *u, LLVMValueRef inst, tc_loc *loc);
uint32_t tc_place_here(tc_decoder *d, const char *what); // of the current instruction

// ---- interp_const.c ----
uint32_t tc_const_reg(tc_decoder *d, tc_reg r);
uint32_t tc_const_int(tc_decoder *d, uint64_t bits, unsigned width);
tc_dval *tc_const_value(tc_decoder *d, LLVMValueRef v);
bool tc_const_address(tc_decoder *d, LLVMValueRef v, uint64_t *addr); // global, function, or constant expression on one
uint32_t tc_global_index(tc_decoder *d, LLVMValueRef g);
// The parts of an address computation: constant bytes, and index times scale.
typedef struct tc_gep_term {
    LLVMValueRef index;
    uint64_t scale;
} tc_gep_term;
typedef struct tc_gep {
    int64_t offset;
    tc_gep_term terms[16];
    unsigned n;
    bool ok;
} tc_gep;
tc_gep tc_gep_walk(tc_decoder *d, LLVMValueRef gep);

// ---- interp_indirect.c ----
void tc_decode_indirect(tc_decoder *d, LLVMValueRef call);
void tc_retain(tc_decoder *d, LLVMValueRef v); // one more use of it to come

// ---- interp_insn.c, interp_call.c: one IR instruction each ----
void tc_decode_callee(tc_decoder *d, LLVMValueRef call, LLVMValueRef callee);
void tc_decode_insn(tc_decoder *d, LLVMValueRef i);
void tc_decode_call(tc_decoder *d, LLVMValueRef i);
void tc_decode_asm(tc_decoder *d, LLVMValueRef i);

#endif
