// Constants and global variables of a program.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/interp_decode.h"

// ---- types as scalars ----

static void add_leaves(tc_arena *a, LLVMTargetDataRef td, LLVMTypeRef t, uint64_t offset, tc_leaf *out, uint32_t *n) {
    tc_leaf leaf = {.offset = (uint32_t)offset};
    switch (LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            add_leaves(a, td, LLVMStructGetTypeAtIndex(t, i), offset + LLVMOffsetOfElement(td, t, i), out, n);
        return;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: {
        LLVMTypeRef e = LLVMGetElementType(t);
        bool is_array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
        uint64_t count = is_array ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        // Vector elements are packed; those of less than a byte have no address and do not occur in device code.
        uint64_t step = is_array ? LLVMABISizeOfType(td, e) : LLVMSizeOfTypeInBits(td, e) / 8;
        for (uint64_t i = 0; i < count && *n <= TC_MAX_LEAVES; i++)
            add_leaves(a, td, e, offset + i * step, out, n);
        return;
    }
    case LLVMIntegerTypeKind:
        leaf.kind = TC_LEAF_INT;
        leaf.bits = (uint16_t)LLVMGetIntTypeWidth(t);
        break;
    case LLVMPointerTypeKind:
        leaf.kind = TC_LEAF_PTR;
        leaf.bits = 64;
        break;
    case LLVMHalfTypeKind:
        leaf = (tc_leaf){leaf.offset, 16, 2, TC_LEAF_FLOAT, TC_F16};
        break;
    case LLVMBFloatTypeKind:
        leaf = (tc_leaf){leaf.offset, 16, 2, TC_LEAF_FLOAT, TC_FB16};
        break;
    case LLVMFloatTypeKind:
        leaf = (tc_leaf){leaf.offset, 32, 4, TC_LEAF_FLOAT, TC_F32};
        break;
    case LLVMDoubleTypeKind:
        leaf = (tc_leaf){leaf.offset, 64, 8, TC_LEAF_FLOAT, TC_F64};
        break;
    default:
        leaf.bits = UINT16_MAX; // no register holds it
        break;
    }
    unsigned bytes = (leaf.bits + 7u) / 8u;
    leaf.bytes = (uint8_t)(bytes <= 1 ? 1 : bytes <= 2 ? 2 : bytes <= 4 ? 4 : 8);
    if (out && *n < TC_MAX_LEAVES)
        out[*n] = leaf;
    ++*n;
}

void tc_layout_of(tc_arena *a, LLVMTargetDataRef td, LLVMTypeRef type, tc_layout *out) {
    *out = (tc_layout){0};
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return;
    add_leaves(a, td, type, 0, NULL, &out->n);
    if (out->n > TC_MAX_LEAVES) {
        out->n = TC_MAX_LEAVES + 1;
        return;
    }
    out->leaves = TC_NEW_ARRAY(a, tc_leaf, out->n + 1);
    uint32_t n = 0;
    add_leaves(a, td, type, 0, out->leaves, &n);
    out->size = (uint32_t)LLVMStoreSizeOfType(td, type);
}

// ---- registers that hold constants ----

uint32_t tc_const_reg(tc_decoder *d, tc_reg r) {
    uint64_t key = tc_hash_bytes(&r, sizeof r, 7);
    for (;; key++) {
        uint32_t i = (uint32_t)(uintptr_t)tc_map_get(&d->const_index, key);
        if (i == 0)
            break;
        if (memcmp(&d->p->consts.data[i - 1], &r, sizeof r) == 0)
            return (i - 1) | TC_CONST_BIT;
    }
    tc_push(d->a, &d->p->consts, r);
    tc_map_put(d->a, &d->const_index, key, (void *)(uintptr_t)d->p->consts.len);
    return (uint32_t)(d->p->consts.len - 1) | TC_CONST_BIT;
}

static tc_reg int_reg(uint64_t bits, unsigned width) {
    tc_reg r = {.bits = width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits};
    // A constant with its top bit set may be meant as a large or as a negative number.
    if (width > 1 && (bits >> (width - 1)) & 1) {
        r.hi = -1;
        r.mark = 1u << 24;
    }
    return r;
}

uint32_t tc_const_int(tc_decoder *d, uint64_t bits, unsigned width) {
    return tc_const_reg(d, int_reg(bits, width));
}

// ---- global variables ----

// The source's name in a mangled one: "As" in _ZZ6kernelPfE2As.
static const char *plain_name(tc_arena *a, const char *mangled) {
    size_t n = strlen(mangled);
    if (strncmp(mangled, "_Z", 2) != 0)
        return mangled;
    for (size_t end = n; end > 2; end--) {
        // The last <length><name> that ends at `end`, where only a discriminator may follow.
        for (size_t i = end; i-- > 2;) {
            if (!isdigit((unsigned char)mangled[i]) || isdigit((unsigned char)mangled[i - 1]))
                continue;
            char *name;
            unsigned long len = strtoul(mangled + i, &name, 10);
            if (name + len == mangled + end && len > 0)
                return tc_strndup(a, name, len);
        }
        if (!isdigit((unsigned char)mangled[end - 1]) && mangled[end - 1] != '_')
            break;
    }
    return mangled;
}

static void put_bytes(unsigned char *at, uint64_t v, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        at[i] = (unsigned char)(v >> (8 * i));
}

static uint64_t float_bits(LLVMValueRef v) {
    LLVMBool lossy;
    double x = LLVMConstRealGetDouble(v, &lossy);
    switch (LLVMGetTypeKind(LLVMTypeOf(v))) {
    case LLVMHalfTypeKind:
        return tc_float_put(x, TC_F16);
    case LLVMBFloatTypeKind:
        return tc_float_put(x, TC_FB16);
    case LLVMFloatTypeKind:
        return tc_float_put(x, TC_F32);
    default:
        return tc_float_put(x, TC_F64);
    }
}

static void init_bytes(tc_decoder *d, tc_vm_global *g, LLVMValueRef v, uint64_t offset) {
    LLVMTypeRef t = LLVMTypeOf(v);
    uint64_t addr;
    switch (LLVMGetValueKind(v)) {
    case LLVMConstantIntValueKind:
        if (LLVMGetIntTypeWidth(t) > 64)
            return;
        put_bytes(g->init + offset, LLVMConstIntGetZExtValue(v), (unsigned)LLVMStoreSizeOfType(d->td, t));
        return;
    case LLVMConstantFPValueKind:
        put_bytes(g->init + offset, float_bits(v), (unsigned)LLVMStoreSizeOfType(d->td, t));
        return;
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantArrayValueKind:
    case LLVMConstantVectorValueKind:
    case LLVMConstantDataVectorValueKind: {
        bool is_array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
        uint64_t n = is_array ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        uint64_t step = LLVMABISizeOfType(d->td, LLVMGetElementType(t));
        for (uint64_t i = 0; i < n; i++)
            init_bytes(d, g, LLVMGetAggregateElement(v, (unsigned)i), offset + i * step);
        return;
    }
    case LLVMConstantStructValueKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            init_bytes(d, g, LLVMGetAggregateElement(v, i), offset + LLVMOffsetOfElement(d->td, t, i));
        return;
    default:
        if (tc_const_address(d, v, &addr) && addr != 0) {
            put_bytes(g->init + offset, addr, 8);
            tc_push(d->a, &g->relocs, ((tc_reloc){offset, addr}));
        }
        return; // zeros and undefined parts
    }
}

static tc_global_kind kind_of(LLVMValueRef g, uint64_t size) {
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(g))) {
    case 3:
        return size == 0 ? TC_GLOBAL_DYN_SHARED : TC_GLOBAL_SHARED;
    case 4:
        return TC_GLOBAL_CONSTANT;
    default:
        return LLVMIsGlobalConstant(g) ? TC_GLOBAL_CONSTANT : TC_GLOBAL_DEVICE;
    }
}

static int contract_of(const tc_decoder *d, const char *mangled) {
    const tc_contract *c = d->p->contract;
    for (size_t i = 0; i < c->objects.len; i++)
        if (c->objects.data[i].param < 0 && c->objects.data[i].var_mangled &&
            strcmp(c->objects.data[i].var_mangled, mangled) == 0)
            return (int)i;
    return -1;
}

uint32_t tc_global_index(tc_decoder *d, LLVMValueRef v) {
    uint32_t known = (uint32_t)(uintptr_t)tc_map_get(&d->globals, TC_KEY(v));
    if (known)
        return known - 1;
    size_t len;
    const char *mangled = LLVMGetValueName2(v, &len);
    LLVMTypeRef t = LLVMGlobalGetValueType(v);
    tc_vm_global g = {.value = v, .name = plain_name(d->a, tc_strndup(d->a, mangled, len)), .contract = -1};
    g.size = LLVMTypeIsSized(t) ? LLVMABISizeOfType(d->td, t) : 0;
    g.align = LLVMGetAlignment(v);
    g.kind = kind_of(v, g.size);
    g.is_const = g.kind == TC_GLOBAL_CONSTANT;
    g.is_settable = g.kind <= TC_GLOBAL_CONSTANT && LLVMIsExternallyInitialized(v);
    g.contract = contract_of(d, mangled);
    if (g.kind == TC_GLOBAL_DYN_SHARED) {
        if (d->p->dyn_shared == 0)
            d->p->dyn_shared = ++d->p->nobjects;
        g.object = d->p->dyn_shared;
    } else if (g.contract >= 0) {
        g.object = 1 + (uint32_t)g.contract;
    } else {
        g.object = ++d->p->nobjects;
    }
    uint32_t index = (uint32_t)d->p->globals.len;
    tc_push(d->a, &d->p->globals, g);
    tc_map_put(d->a, &d->globals, TC_KEY(v), (void *)(uintptr_t)(index + 1));
    LLVMValueRef init = LLVMGetInitializer(v);
    if (init && g.size > 0 && g.size < TC_FLAT_LIMIT && g.kind != TC_GLOBAL_SHARED) {
        g.init = tc_alloc(d->a, g.size);
        init_bytes(d, &g, init, 0); // may add further globals
        d->p->globals.data[index] = g;
    }
    return index;
}

// ---- addresses ----

tc_gep tc_gep_walk(tc_decoder *d, LLVMValueRef gep) {
    tc_gep r = {.ok = true};
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    unsigned n = LLVMGetNumIndices(gep);
    for (unsigned i = 0; i < n && r.ok; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i + 1);
        if (i > 0 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            r.offset += (int64_t)LLVMOffsetOfElement(d->td, t, field);
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (i > 0)
            t = LLVMGetElementType(t);
        uint64_t scale = LLVMABISizeOfType(d->td, t);
        if (LLVMIsAConstantInt(index))
            r.offset += LLVMConstIntGetSExtValue(index) * (int64_t)scale;
        else if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind || r.n == 16)
            r.ok = false;
        else
            r.terms[r.n++] = (tc_gep_term){index, scale};
    }
    return r;
}

static uint64_t function_address(tc_decoder *d, LLVMValueRef f) {
    uint32_t n = (uint32_t)(uintptr_t)tc_map_get(&d->functions, TC_KEY(f));
    if (n == 0) {
        n = tc_unit_function_number(d->u->module, f);
        tc_map_put(d->a, &d->functions, TC_KEY(f), (void *)(uintptr_t)n);
    }
    return tc_function_address(n);
}

static bool const_bits(tc_decoder *d, LLVMValueRef v, uint64_t *bits);

bool tc_const_address(tc_decoder *d, LLVMValueRef v, uint64_t *addr) {
    uint32_t index;
    switch (LLVMGetValueKind(v)) {
    case LLVMGlobalVariableValueKind:
        index = tc_global_index(d, v); // may move the table
        *addr = (uint64_t)d->p->globals.data[index].object << TC_ADDR_SHIFT;
        return true;
    case LLVMFunctionValueKind:
        *addr = function_address(d, v);
        return true;
    case LLVMConstantPointerNullValueKind:
        *addr = 0;
        return true;
    case LLVMConstantExprValueKind:
        break;
    default:
        return false;
    }
    switch (LLVMGetConstOpcode(v)) {
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
        return tc_const_address(d, LLVMGetOperand(v, 0), addr);
    case LLVMIntToPtr:
        return const_bits(d, LLVMGetOperand(v, 0), addr);
    case LLVMGetElementPtr: {
        tc_gep g = tc_gep_walk(d, v);
        if (!g.ok || g.n || !tc_const_address(d, LLVMGetOperand(v, 0), addr))
            return false;
        *addr += (uint64_t)g.offset;
        return true;
    }
    default:
        return false;
    }
}

static bool const_bits(tc_decoder *d, LLVMValueRef v, uint64_t *bits) {
    if (LLVMIsAConstantInt(v)) {
        *bits = LLVMConstIntGetZExtValue(v);
        return true;
    }
    if (LLVMGetValueKind(v) != LLVMConstantExprValueKind)
        return false;
    uint64_t a, b;
    LLVMValueRef x = LLVMGetOperand(v, 0);
    switch (LLVMGetConstOpcode(v)) {
    case LLVMPtrToInt:
        // The 32-bit form of a shared address is made where it is used as a number.
        return LLVMGetPointerAddressSpace(LLVMTypeOf(x)) != 3 && tc_const_address(d, x, bits);
    case LLVMTrunc:
        return const_bits(d, x, bits);
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        if (!const_bits(d, x, &a) || !const_bits(d, LLVMGetOperand(v, 1), &b))
            return false;
        *bits = LLVMGetConstOpcode(v) == LLVMAdd ? a + b : LLVMGetConstOpcode(v) == LLVMSub ? a - b : a ^ b;
        return true;
    default:
        return false;
    }
}

// ---- constants as values ----

static bool const_leaves(tc_decoder *d, LLVMValueRef v, tc_reg *out, uint32_t *n) {
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMStructTypeKind || k == LLVMArrayTypeKind || k == LLVMVectorTypeKind) {
        uint64_t count = k == LLVMStructTypeKind  ? LLVMCountStructElementTypes(t)
                         : k == LLVMArrayTypeKind ? LLVMGetArrayLength2(t)
                                                  : LLVMGetVectorSize(t);
        for (uint64_t i = 0; i < count; i++) {
            LLVMValueRef e = LLVMGetAggregateElement(v, (unsigned)i);
            if (!e || !const_leaves(d, e, out, n))
                return false;
        }
        return true;
    }
    tc_reg r = {0};
    switch (LLVMGetValueKind(v)) {
    case LLVMConstantIntValueKind:
        if (LLVMGetIntTypeWidth(t) > 64)
            return false;
        r = int_reg(LLVMConstIntGetZExtValue(v), LLVMGetIntTypeWidth(t));
        break;
    case LLVMConstantFPValueKind:
        r.bits = float_bits(v);
        break;
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind:
        r.mark = 1; // the mark of undefined values, made at the start of each run
        break;
    case LLVMConstantPointerNullValueKind:
        break;
    default:
        if (LLVMIsNull(v))
            break;
        if (k == LLVMPointerTypeKind ? !tc_const_address(d, v, &r.bits) : !const_bits(d, v, &r.bits))
            return false;
        break;
    }
    out[(*n)++] = r;
    return true;
}

tc_dval *tc_const_value(tc_decoder *d, LLVMValueRef v) {
    tc_dval *dv = tc_map_get(&d->const_values, TC_KEY(v));
    if (dv)
        return dv;
    uint32_t n = tc_leaf_count(d, LLVMTypeOf(v)), got = 0;
    if (n == 0 || n > TC_MAX_LEAVES)
        return NULL;
    tc_reg *regs = TC_NEW_ARRAY(d->a, tc_reg, n);
    if (!const_leaves(d, v, regs, &got) || got != n)
        return NULL;
    uint32_t first;
    if (n == 1) {
        first = tc_const_reg(d, regs[0]);
    } else {
        // Scalars of one value stand side by side.
        first = (uint32_t)d->p->consts.len | TC_CONST_BIT;
        for (uint32_t i = 0; i < n; i++)
            tc_push(d->a, &d->p->consts, regs[i]);
    }
    dv = tc_dval_new(d, TC_DV_FIXED, first, n);
    tc_map_put(d->a, &d->const_values, TC_KEY(v), dv);
    return dv;
}
