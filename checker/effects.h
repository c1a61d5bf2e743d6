// What intrinsics, runtime functions and inline PTX do: one table for the lifter and the interpreter.
#ifndef TC_CHECKER_EFFECTS_H
#define TC_CHECKER_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef enum tc_effect_kind {
    TC_FX_UNKNOWN,     // not in the table
    TC_FX_NOTHING,     // llvm.dbg.*, lifetime, annotations
    TC_FX_SREG,        // special register: which in `arg` (tc_sreg)
    TC_FX_OPAQUE,      // pure, value unknown to the prover (libdevice math): the interpreter computes it by `arg` (tc_math)
    TC_FX_INT,         // pure integer operation: `arg` is tc_int_op
    TC_FX_BARRIER,     // block barrier (arrive and wait); arg: 0 plain, or reduction and/or/popc
    TC_FX_NAMED_SYNC,  // bar.sync id[, count]
    TC_FX_NAMED_ARRIVE,
    TC_FX_SYNCWARP,
    TC_FX_SHUFFLE,     // arg: mode (idx, up, down, bfly)
    TC_FX_VOTE,        // arg: any, all, ballot, uni, activemask, match
    TC_FX_FENCE,       // arg: tc_scope
    TC_FX_ATOMIC,      // a call (not atomicrmw): arg: tc_atomic_op
    TC_FX_LOAD_NC,     // ld.global.nc, __ldg
    TC_FX_LOAD, TC_FX_STORE, // cache-hint forms, asm loads and stores
    TC_FX_CP_ASYNC,    // width in `width`
    TC_FX_CP_COMMIT,
    TC_FX_CP_WAIT,     // arg: groups allowed to be pending
    TC_FX_MEMCPY, TC_FX_MEMMOVE, TC_FX_MEMSET,
    TC_FX_ASSUME,      // llvm.assume
    TC_FX_TRAP,        // does not return
    TC_FX_PRINTF,
    TC_FX_CVTA,        // generic <-> space conversion of a pointer
    TC_FX_STMT_INVARIANT, TC_FX_STMT_ASSERT, TC_FX_STMT_ASSUME // calls made by tc_invariant, tc_assert, tc_assume
} tc_effect_kind;

typedef struct tc_effect {
    tc_effect_kind kind;
    uint32_t arg;
    uint32_t width; // bytes, where it matters
    const char *what;
} tc_effect;

typedef enum tc_sreg {
    TC_SREG_TID_X, TC_SREG_TID_Y, TC_SREG_TID_Z, TC_SREG_CTAID_X, TC_SREG_CTAID_Y, TC_SREG_CTAID_Z,
    TC_SREG_NTID_X, TC_SREG_NTID_Y, TC_SREG_NTID_Z, TC_SREG_NCTAID_X, TC_SREG_NCTAID_Y, TC_SREG_NCTAID_Z,
    TC_SREG_LANEID, TC_SREG_WARPID, TC_SREG_WARPSIZE, TC_SREG_LANEMASK_LT, TC_SREG_LANEMASK_LE, TC_SREG_LANEMASK_EQ,
    TC_SREG_LANEMASK_GE, TC_SREG_LANEMASK_GT, TC_SREG_CLOCK, TC_SREG_DYN_SMEM, TC_SREG_OTHER
} tc_sreg;

// The effect of calling a function of this (LLVM or mangled C++) name.
tc_effect tc_effect_of_call(const char *name);

// One instruction of inline PTX. Operands are %0… by number, registers by name, or immediates, as text.
typedef struct tc_ptx_inst {
    tc_effect effect;
    const char *opcode;      // "cp.async.cg.shared.global"
    const char *operands[8]; // "%0", "16", "[%1]" without brackets: see is_mem
    bool is_mem[8];
    size_t noperands;
    const char *predicate;   // "@p" operand or NULL
} tc_ptx_inst;

// Parses an inline asm string. Returns the number of instructions, at most max; -1 when it does not parse.
int tc_ptx_parse(tc_arena *a, const char *text, tc_ptx_inst *out, size_t max);

#endif
