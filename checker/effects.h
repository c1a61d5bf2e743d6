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
    TC_FX_GRID_BARRIER, // of all blocks of the launch, and of each of them
    TC_FX_GRID_WAIT,   // griddepcontrol.wait: until the grids before are complete
    TC_FX_SYNCWARP,
    TC_FX_SHUFFLE,     // arg: mode (idx, up, down, bfly)
    TC_FX_VOTE,        // arg: any, all, ballot, uni, activemask, match, elect
    TC_FX_MATRIX_LOAD, TC_FX_MATRIX_STORE, // ldmatrix, stmatrix; arg: matrices of 8 x 8 elements of 16 bits; width: 1 when transposed
    TC_FX_MATRIX_OP,   // mma, movmatrix: from registers of the warp's lanes to registers
    TC_FX_FENCE,       // arg: tc_scope
    TC_FX_ATOMIC,      // a call (not atomicrmw): arg: tc_atomic_op, width: tc_scope
    TC_FX_LOAD_NC,     // ld.global.nc, __ldg
    TC_FX_LOAD, TC_FX_STORE, // cache-hint forms, asm loads and stores
    TC_FX_CP_ASYNC,    // width in `width`
    TC_FX_CP_COMMIT,
    TC_FX_CP_WAIT,     // arg: groups allowed to be pending, TC_FX_OPERAND: the first operand; width 1: also what is not committed
    TC_FX_MEMCPY, TC_FX_MEMMOVE, TC_FX_MEMSET,
    TC_FX_ASSUME,      // llvm.assume
    TC_FX_TRAP,        // does not return; arg 1: exit, an ordinary end of the thread
    TC_FX_PRINTF,
    TC_FX_CVTA,        // generic <-> space conversion of a pointer
    TC_FX_STMT_INVARIANT, TC_FX_STMT_ASSERT, TC_FX_STMT_ASSUME, // calls made by tc_invariant, tc_assert, tc_assume
    TC_FX_ANOTHER,     // the operand's value in another thread
    TC_FX_NOT_READ     // the thread has read nothing so far of what the operand points to
} tc_effect_kind;

#define TC_FX_OPERAND UINT32_MAX

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
    TC_SREG_LANEMASK_GE, TC_SREG_LANEMASK_GT, TC_SREG_CLOCK, TC_SREG_DYN_SMEM,
    TC_SREG_ENVREG, // what the driver says of the launch: any value
    TC_SREG_OTHER
} tc_sreg;

// What a pure operation computes (TC_FX_OPAQUE), by the C name of the function. X(NAME, arguments). Types are the call's.
#define TC_MATH_OPS(X)                                                                                                 \
    X(SQRT, 1) X(RSQRT, 1) X(RCP, 1) X(EXP, 1) X(EXP2, 1) X(EXP10, 1) X(EXPM1, 1) X(LOG, 1) X(LOG2, 1) X(LOG10, 1)     \
    X(LOG1P, 1) X(SIN, 1) X(COS, 1) X(TAN, 1) X(SINPI, 1) X(COSPI, 1) X(ASIN, 1) X(ACOS, 1) X(ATAN, 1) X(SINH, 1)      \
    X(COSH, 1) X(TANH, 1) X(ASINH, 1) X(ACOSH, 1) X(ATANH, 1) X(ERF, 1) X(ERFC, 1) X(ERFCX, 1) X(ERFINV, 1)            \
    X(ERFCINV, 1) X(NORMCDF, 1) X(NORMCDFINV, 1) X(TGAMMA, 1) X(LGAMMA, 1) X(CBRT, 1) X(RCBRT, 1) X(FABS, 1)           \
    X(FLOOR, 1) X(CEIL, 1) X(TRUNC, 1) X(ROUND, 1) X(RINT, 1) X(SATURATE, 1) X(J0, 1) X(J1, 1) X(Y0, 1) X(Y1, 1)       \
    X(LOGB, 1) X(CANONICALIZE, 1) X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) X(POW, 2) X(FMIN, 2) X(FMAX, 2) X(FMOD, 2)   \
    X(REMAINDER, 2) X(ATAN2, 2) X(HYPOT, 2) X(RHYPOT, 2) X(COPYSIGN, 2) X(FDIM, 2) X(NEXTAFTER, 2) X(FMA, 3)           \
    X(NORM3D, 3) X(RNORM3D, 3) X(LDEXP, 2) X(POWI, 2) X(JN, 2) X(YN, 2) X(ISNAN, 1) X(ISINF, 1) X(FINITE, 1)           \
    X(SIGNBIT, 1) X(ILOGB, 1) X(LRINT, 1) X(LROUND, 1) X(F2S_RN, 1) X(F2S_RZ, 1) X(F2S_RD, 1) X(F2S_RU, 1)             \
    X(F2U_RN, 1) X(F2U_RZ, 1) X(F2U_RD, 1) X(F2U_RU, 1) X(S2F, 1) X(U2F, 1) X(F2F, 1) X(BITCAST, 1) X(HILO2D, 2)       \
    X(LOHI2D, 2) X(D2HI, 1) X(D2LO, 1) X(H2F, 1) X(F2H, 1) X(SINCOS, 3) X(SINCOSPI, 3) X(FREXP, 2) X(MODF, 2)          \
    X(PTX, 0) /* inline PTX: see the opcode */

typedef enum tc_math {
#define X(name, n) TC_MATH_##name,
    TC_MATH_OPS(X)
#undef X
        TC_MATH_COUNT
} tc_math;

// Pure integer operations (TC_FX_INT). X(NAME, arguments). SADD_OV and its kind return {value, overflowed}.
#define TC_INT_OPS(X)                                                                                                  \
    X(ABS, 1) X(SMIN, 2) X(SMAX, 2) X(UMIN, 2) X(UMAX, 2) X(POPC, 1) X(CLZ, 1) X(CTZ, 1) X(FFS, 1) X(BREV, 1)          \
    X(BSWAP, 1) X(SMULHI, 2) X(UMULHI, 2) X(SMUL24, 2) X(UMUL24, 2) X(SSAD, 3) X(USAD, 3) X(SHADD, 2) X(UHADD, 2)      \
    X(SRHADD, 2) X(URHADD, 2) X(PRMT, 3) X(FSHL, 3) X(FSHR, 3) X(SADD_SAT, 2) X(UADD_SAT, 2) X(SSUB_SAT, 2)            \
    X(USUB_SAT, 2) X(SADD_OV, 2) X(UADD_OV, 2) X(SSUB_OV, 2) X(USUB_OV, 2) X(SMUL_OV, 2) X(UMUL_OV, 2)                 \
    X(IDENTITY, 1) /* the first argument */ X(ZERO, 0)

typedef enum tc_int_op {
#define X(name, n) TC_INT_##name,
    TC_INT_OPS(X)
#undef X
        TC_INT_COUNT
} tc_int_op;

typedef enum tc_barrier_red { TC_RED_NONE, TC_RED_AND, TC_RED_OR, TC_RED_POPC } tc_barrier_red;
// MATRIX: each lane gives values to others and takes some from them (ldmatrix, stmatrix, mma).
typedef enum tc_shuffle_mode { TC_SHFL_IDX, TC_SHFL_UP, TC_SHFL_DOWN, TC_SHFL_BFLY, TC_SHFL_MATRIX } tc_shuffle_mode;
// What the lanes of a mask do together, beside shuffles.
typedef enum tc_vote_mode {
    TC_VOTE_ANY, TC_VOTE_ALL, TC_VOTE_UNI, TC_VOTE_BALLOT, TC_VOTE_ACTIVEMASK, TC_VOTE_MATCH_ANY, TC_VOTE_MATCH_ALL,
    TC_VOTE_REDUX_ADD, TC_VOTE_REDUX_MIN, TC_VOTE_REDUX_MAX, TC_VOTE_REDUX_UMIN, TC_VOTE_REDUX_UMAX, TC_VOTE_REDUX_AND,
    TC_VOTE_REDUX_OR, TC_VOTE_REDUX_XOR, TC_VOTE_ELECT
} tc_vote_mode;
typedef enum tc_atomic_op {
    TC_AT_ADD, TC_AT_SUB, TC_AT_EXCH, TC_AT_MIN, TC_AT_MAX, TC_AT_UMIN, TC_AT_UMAX, TC_AT_INC, TC_AT_DEC, TC_AT_AND,
    TC_AT_OR, TC_AT_XOR, TC_AT_CAS, TC_AT_FADD, TC_AT_FMIN, TC_AT_FMAX, TC_AT_FSUB, TC_AT_NAND
} tc_atomic_op;
// Scope of an atomic call (TC_FX_ATOMIC: `width`) or of a fence (`arg`): the values of tc_scope in model.h.
typedef enum tc_fx_scope { TC_FXS_CTA = 2, TC_FXS_CLUSTER = 3, TC_FXS_GPU = 4, TC_FXS_SYS = 5 } tc_fx_scope;
// CVTA: arg.
typedef enum tc_cvta { TC_CVTA_TO_GENERIC, TC_CVTA_TO_SHARED, TC_CVTA_TO_GLOBAL, TC_CVTA_TO_LOCAL, TC_CVTA_TO_CONST } tc_cvta;

// The effect of calling a function of this (LLVM or mangled C++) name. Functions of the table are not walked into,
// also where the module has a body for them.
tc_effect tc_effect_of_call(const char *name);
const char *tc_sreg_name(tc_sreg s); // "threadIdx.x"
// The special register of a PTX name ("%tid.x", with or without the percent sign); TC_SREG_OTHER when it is not one we know.
tc_sreg tc_sreg_of_ptx(const char *name);

typedef enum tc_ptx_space {
    TC_PTX_GENERIC, TC_PTX_GLOBAL, TC_PTX_SHARED, TC_PTX_LOCAL, TC_PTX_CONST, TC_PTX_PARAM
} tc_ptx_space;

// X(NAME, ".suffix", bits)
#define TC_PTX_TYPES(X)                                                                                                \
    X(NONE, "", 0) X(PRED, "pred", 1) X(B8, "b8", 8) X(B16, "b16", 16) X(B32, "b32", 32) X(B64, "b64", 64)             \
    X(B128, "b128", 128) X(U8, "u8", 8) X(U16, "u16", 16) X(U32, "u32", 32) X(U64, "u64", 64) X(S8, "s8", 8)           \
    X(S16, "s16", 16) X(S32, "s32", 32) X(S64, "s64", 64) X(F16, "f16", 16) X(F16X2, "f16x2", 32) X(BF16, "bf16", 16)  \
    X(BF16X2, "bf16x2", 32) X(F32, "f32", 32) X(F64, "f64", 64) X(TF32, "tf32", 32)

typedef enum tc_ptx_type {
#define X(name, text, bits) TC_PTXT_##name,
    TC_PTX_TYPES(X)
#undef X
        TC_PTXT_COUNT
} tc_ptx_type;
unsigned tc_ptx_type_bits(tc_ptx_type t);

// One instruction of inline PTX (PTX ISA, "Instruction Set"). Operands are %0… by number, registers by name, or immediates,
// as text; LLVM's spelling $0 is read as %0. A vector is one operand, "{%0, %1}"; an address is written without brackets.
typedef struct tc_ptx_inst {
    tc_effect effect;
    const char *opcode;      // "cp.async.cg.shared.global"
    const char *operands[8]; // "%0", "16", "%1+16" where is_mem
    bool is_mem[8];
    size_t noperands;
    const char *predicate;   // "p" of "@p" or "@!p", or NULL
    bool negated;            // "@!p"
    const char *base;        // the opcode up to its first full stop, "cp"
    tc_ptx_space space;      // of loads, stores and atomics
    tc_ptx_type type, type2; // the last type, and the one before it (cvt.F16.F32: type F32, type2 F16)
    unsigned vector;         // 1, 2, 4 (8): loads and stores
    unsigned order;          // tc_order of model.h: plain 0, relaxed 1, acquire 2, release 3, acq_rel 4, seq_cst 5
    unsigned scope;          // tc_scope of model.h; 4 (GPU) where atomics name none
    bool is_volatile;
} tc_ptx_inst;

// Parses an inline asm string. Returns the number of instructions, at most max; -1 when it does not parse or has more.
// .reg declarations and scopes leave no instruction; labels and branches come as TC_FX_UNKNOWN.
int tc_ptx_parse(tc_arena *a, const char *text, tc_ptx_inst *out, size_t max);

#endif
