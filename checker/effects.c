#include "checker/effects.h"

#include <string.h>

typedef struct row {
    const char *name;
    tc_effect effect;
} row;

#define TC_FX(name, kind, arg, width, what) {name, {TC_FX_##kind, (uint32_t)(arg), width, what}},
#define TC_FX_MATH(name, op)                                                                                           \
    TC_FX("__nv_" name, OPAQUE, TC_MATH_##op, 0, name) TC_FX("__nv_" name "f", OPAQUE, TC_MATH_##op, 0, name "f")
#define TC_FX_ROUND(name, op)                                                                                          \
    TC_FX("__nv_" name "_rn", OPAQUE, TC_MATH_##op, 0, "__" name "_rn")                                                \
    TC_FX("__nv_" name "_rz", OPAQUE, TC_MATH_##op, 0, "__" name "_rz")                                                \
    TC_FX("__nv_" name "_rd", OPAQUE, TC_MATH_##op, 0, "__" name "_rd")                                                \
    TC_FX("__nv_" name "_ru", OPAQUE, TC_MATH_##op, 0, "__" name "_ru")
#define TC_FX_TOINT(name, op)                                                                                          \
    TC_FX("__nv_" name "_rn", OPAQUE, TC_MATH_##op##_RN, 0, "__" name "_rn")                                           \
    TC_FX("__nv_" name "_rz", OPAQUE, TC_MATH_##op##_RZ, 0, "__" name "_rz")                                           \
    TC_FX("__nv_" name "_rd", OPAQUE, TC_MATH_##op##_RD, 0, "__" name "_rd")                                           \
    TC_FX("__nv_" name "_ru", OPAQUE, TC_MATH_##op##_RU, 0, "__" name "_ru")

static const row rows[] = {
#include "checker/effects.def"
};

// How well a row's name matches: 0 not at all, else longer is better, exact is best.
static size_t match(const char *pattern, const char *name) {
    size_t n = strlen(pattern);
    if (n && pattern[n - 1] == '*')
        return strncmp(pattern, name, n - 1) == 0 ? n : 0;
    return strcmp(pattern, name) == 0 ? SIZE_MAX : 0;
}

tc_effect tc_effect_of_call(const char *name) {
    tc_effect best = {TC_FX_UNKNOWN, 0, 0, NULL};
    // All rows but a few begin so; a user's function is answered at once.
    if (strncmp(name, "llvm.", 5) != 0 && strncmp(name, "__", 2) != 0 && strncmp(name, "tc_", 3) != 0 &&
        strcmp(name, "vprintf") != 0 && strcmp(name, "printf") != 0 && strncmp(name, "_ZNK18cooperative_groups", 24) != 0 &&
        strncmp(name, "_ZN18cooperative_groups", 23) != 0)
        return best;
    size_t best_len = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = match(rows[i].name, name);
        if (len > best_len) {
            best_len = len;
            best = rows[i].effect;
        }
    }
    return best;
}

static const struct {
    tc_sreg reg;
    const char *ptx, *source;
} sregs[] = {
    {TC_SREG_TID_X, "tid.x", "threadIdx.x"},
    {TC_SREG_TID_Y, "tid.y", "threadIdx.y"},
    {TC_SREG_TID_Z, "tid.z", "threadIdx.z"},
    {TC_SREG_CTAID_X, "ctaid.x", "blockIdx.x"},
    {TC_SREG_CTAID_Y, "ctaid.y", "blockIdx.y"},
    {TC_SREG_CTAID_Z, "ctaid.z", "blockIdx.z"},
    {TC_SREG_NTID_X, "ntid.x", "blockDim.x"},
    {TC_SREG_NTID_Y, "ntid.y", "blockDim.y"},
    {TC_SREG_NTID_Z, "ntid.z", "blockDim.z"},
    {TC_SREG_NCTAID_X, "nctaid.x", "gridDim.x"},
    {TC_SREG_NCTAID_Y, "nctaid.y", "gridDim.y"},
    {TC_SREG_NCTAID_Z, "nctaid.z", "gridDim.z"},
    {TC_SREG_LANEID, "laneid", "laneid"},
    {TC_SREG_WARPID, "warpid", "warpid"},
    {TC_SREG_WARPSIZE, "WARP_SZ", "warpSize"},
    {TC_SREG_LANEMASK_LT, "lanemask_lt", "lanemask_lt"},
    {TC_SREG_LANEMASK_LE, "lanemask_le", "lanemask_le"},
    {TC_SREG_LANEMASK_EQ, "lanemask_eq", "lanemask_eq"},
    {TC_SREG_LANEMASK_GE, "lanemask_ge", "lanemask_ge"},
    {TC_SREG_LANEMASK_GT, "lanemask_gt", "lanemask_gt"},
    {TC_SREG_CLOCK, "clock", "clock"},
    {TC_SREG_CLOCK, "clock_hi", "clock"},
    {TC_SREG_CLOCK, "clock64", "clock64"},
    {TC_SREG_CLOCK, "globaltimer", "globaltimer"},
    {TC_SREG_CLOCK, "globaltimer_lo", "globaltimer"},
    {TC_SREG_CLOCK, "globaltimer_hi", "globaltimer"},
    {TC_SREG_DYN_SMEM, "dynamic_smem_size", "dynamic_smem_size"},
    {TC_SREG_ENVREG, "envreg", "envreg"},
};

const char *tc_sreg_name(tc_sreg s) {
    for (size_t i = 0; i < sizeof sregs / sizeof *sregs; i++)
        if (sregs[i].reg == s)
            return sregs[i].source;
    return "special register";
}

tc_sreg tc_sreg_of_ptx(const char *name) {
    if (*name == '%')
        name++;
    if (strncmp(name, "envreg", 6) == 0)
        return TC_SREG_ENVREG;
    for (size_t i = 0; i < sizeof sregs / sizeof *sregs; i++)
        if (strcmp(sregs[i].ptx, name) == 0)
            return sregs[i].reg;
    return TC_SREG_OTHER;
}
