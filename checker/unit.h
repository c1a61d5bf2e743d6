// A translation unit as the front end hands it over: plain C, nothing of Clang.
//
// Everything is owned by the front end's arena and lives as long as the check.
#ifndef TC_CHECKER_UNIT_H
#define TC_CHECKER_UNIT_H

#include <llvm-c/Types.h>
#include <stdbool.h>

#include "base/finding.h"
#include "base/int128.h"

typedef enum tc_word {
#define TC_WORD(id, name, where, min, max, help) TC_WORD_##id,
#include "checker/words.def"
#undef TC_WORD
    TC_WORD_COUNT
} tc_word;

// One annotation. text: the arguments after macro expansion, NULL without parentheses.
// loc: where the word stands in the source. A word that is in no table arrives too, as TC_WORD_COUNT.
typedef struct tc_attr {
    tc_word word;
    const char *name; // as written, without the tc_ prefix
    const char *text;
    tc_loc loc;
} tc_attr;
typedef TC_VEC(tc_attr) tc_attrs;

typedef enum tc_type_kind {
    TC_TY_VOID,
    TC_TY_BOOL,
    TC_TY_INT,     // also char and enumerations
    TC_TY_FLOAT,
    TC_TY_POINTER, // elem: the pointee; also references
    TC_TY_STRUCT,  // fields; also vector types such as float4 when they are structs
    TC_TY_ARRAY,   // count times elem
    TC_TY_FUNCTION, // a pointer or reference to a function
    TC_TY_OTHER
} tc_type_kind;

typedef struct tc_type tc_type;

typedef struct tc_field {
    const char *name;
    const tc_type *type;
    uint64_t offset; // bytes
    tc_attrs attrs;
    tc_loc loc;
} tc_field;

struct tc_type {
    tc_type_kind kind;
    const char *name;     // as the source spells it
    uint64_t size, align; // bytes; 0 for incomplete types
    bool is_signed;       // TC_TY_INT
    bool is_const, is_restrict; // of the pointee / of the pointer, for TC_TY_POINTER
    bool is_reference;
    const tc_type *elem;
    uint64_t count;
    const tc_field *fields;
    size_t nfields;
};

typedef enum tc_sign { TC_SIGN_UNKNOWN, TC_SIGN_SIGNED, TC_SIGN_UNSIGNED } tc_sign;

// How the integers of so many bytes that lie in a t are read, as the source declares them; TC_SIGN_UNKNOWN where there are none, or of
// both kinds.
tc_sign tc_type_sign(const tc_type *t, uint64_t bytes);
// The same of the one at that offset.
tc_sign tc_type_sign_at(const tc_type *t, uint64_t offset, uint64_t bytes);

typedef struct tc_param {
    const char *name;
    const tc_type *type;
    tc_attrs attrs;
    tc_loc loc;
} tc_param;

// A template argument with an integer value or a type.
typedef struct tc_targ {
    const char *name;
    bool is_type;
    tc_i128 value;
    const tc_type *type;
} tc_targ;

typedef struct tc_kernel {
    const char *name;    // as the source names it: "transpose_tiled<float, 32, 8>"
    const char *mangled; // the LLVM function's name
    tc_loc loc;
    tc_attrs attrs;
    const tc_param *params;
    size_t nparams;
    const tc_targ *targs;
    size_t ntargs;
    bool has_body;
    uint64_t max_threads; // __launch_bounds__, 0 when absent
    uint64_t cluster[3];  // __cluster_dims__, 0 when absent
    const void *decl;     // the front end's handle, given back to resolve
} tc_kernel;

// A __device__ or __constant__ variable.
typedef struct tc_device_var {
    const char *name, *mangled;
    const tc_type *type;
    tc_attrs attrs;
    tc_loc loc;
    bool managed; // __managed__: its address is the same for host and device
} tc_device_var;

typedef enum tc_name_kind { TC_NAME_NONE, TC_NAME_VALUE, TC_NAME_TYPE, TC_NAME_FUNCTION } tc_name_kind;

typedef struct tc_name {
    tc_name_kind kind;
    tc_i128 value;       // TC_NAME_VALUE: a constant expression's value (constexpr, enumerator, static member)
    const tc_type *type; // TC_NAME_TYPE; TC_NAME_FUNCTION: what it returns, or NULL
    const char *mangled; // TC_NAME_FUNCTION: the device function in module
} tc_name;

// A function of the host.
typedef struct tc_host_function {
    const char *name; // as the source names it
    tc_loc loc;
    const tc_param *params;
    size_t nparams;
} tc_host_function;

typedef struct tc_unit {
    const char *const *files; // files[0] is the main file
    size_t nfiles;
    const tc_kernel *kernels; // in source order; each instantiation of a template is one
    size_t nkernels;
    const tc_device_var *vars;
    size_t nvars;
    LLVMModuleRef module; // unoptimised, O1-style (no optnone), with debug info
    // Resolves a (qualified) name seen from the kernel: a constant, a type, a device function.
    bool (*resolve)(void *ctx, const tc_kernel *k, const char *name, tc_name *out);
    // In the compilation for the host: the source's function of this name in module. NULL in that for the device.
    bool (*describe)(void *ctx, const char *mangled, tc_host_function *out);
    // There: the notes that the device's compilation has made of its contracts (checker/embed.h), or NULL.
    const void *records;
    size_t nrecords; // bytes
    void *ctx;
} tc_unit;

// Index of a file by its path as debug info gives it (directory, name); adds nothing; 0 when unknown.
uint32_t tc_unit_file(const tc_unit *u, const char *directory, const char *name);

// Functions of the module by number, in its order, from 1 on.
uint32_t tc_unit_function_number(LLVMModuleRef module, LLVMValueRef function); // 0: it is none of them
LLVMValueRef tc_unit_function(LLVMModuleRef module, uint32_t number);          // NULL: there are fewer
const char *tc_unit_function_name(tc_arena *a, LLVMModuleRef module, uint32_t number); // the source's
// A function of the file with which each of its kernels begins: tc_everywhere_…, without parameters and result.
bool tc_unit_is_everywhere(LLVMValueRef function);

#endif
