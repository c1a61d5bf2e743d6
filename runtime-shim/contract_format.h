// The embedded contract: what one kernel's launch must meet and what it lends, as bytes.
//
// This is the whole of the format, shared by who writes it (checker/embed.c) and who reads it (contract.h); the same byte
// for byte is docs/contract-format.md. Numbers are little-endian and not aligned. A record is
//
//     header, TC_REC_HEADER_SIZE bytes     see TC_REC_AT_…
//     tables of rows of fixed size         in any order and place; the header's directory says where
//
// and is carried in an ELF note of its own: name "tilecheck", type TC_REC_NOTE_TYPE, in the section TC_REC_SECTION. Its size
// is a multiple of 8, so that notes padded to 4 and to 8 bytes lie alike.
//
// Compatibility: a reader refuses another major version. A larger minor version may have longer headers and rows (the sizes are in the
// record), more tables, kinds and operators: what a reader does not know it skips, and an operator that it does not know has no value.
#ifndef TC_RUNTIME_CONTRACT_FORMAT_H
#define TC_RUNTIME_CONTRACT_FORMAT_H

#define TC_REC_MAGIC "TCKERNEL"
#define TC_REC_NOTE_NAME "tilecheck"
#define TC_REC_SECTION ".note.tilecheck"
#define TC_REC_NONE 0xffffffffu // no text, no expression, no parameter

enum {
    TC_REC_NOTE_TYPE = 0x7463, // "ct"
    TC_REC_MAJOR = 1,
    TC_REC_MINOR = 1,
    // Limits of a record: a reader refuses more, a writer says less and sets TC_REC_PARTIAL.
    TC_REC_MAX_SIZE = 1 << 24, // bytes
    TC_REC_MAX_NODES = 1 << 14,
    TC_REC_MAX_ROWS = 1 << 13, // of any other table
    TC_REC_MAX_ROW_SIZE = 256,
    TC_REC_MAX_BOUND = 4, // names of one tc_forall
    TC_REC_MAX_DIMS = 8
};

// The header. X(NAME, offset): u16 for the versions, u8 for the verdict and the flags, u32 elsewhere.
#define TC_REC_HEADER(X)                                                                                                                   \
    X(MAGIC, 0)        /* 8 characters */                                                                                                  \
    X(MAJOR, 8)        /* u16 */                                                                                                           \
    X(MINOR, 10)       /* u16 */                                                                                                           \
    X(SIZE, 12)        /* of the record, bytes */                                                                                          \
    X(HEADER, 16)      /* size of the header with its directory, bytes */                                                                  \
    X(TABLES, 20)      /* entries of the directory */                                                                                      \
    X(MANGLED, 24)     /* text: the kernel as the device code names it */                                                                  \
    X(NAME, 28)        /* text: as the source names it, "scale<float, 4>" */                                                               \
    X(FILE, 32)        /* text */                                                                                                          \
    X(LINE, 36)                                                                                                                            \
    X(VERDICT, 40)     /* u8: TC_REC_VERDICTS */                                                                                           \
    X(FLAGS, 41)       /* u8: TC_REC_PARTIAL, … */                                                                                         \
    X(ARGUMENTS, 44)   /* bytes of the argument buffer */                                                                                  \
    X(MAX_THREADS, 48) /* of a block, by __launch_bounds__; 0 without */                                                                   \
    X(CLUSTER, 52)     /* 3 * u32: __cluster_dims__; 0 without */                                                                          \
    X(DIRECTORY, 64)   /* for each table: offset in the record, number of rows, bytes of a row (3 * u32) */                                    \
    X(CODE_SIZE, 184)  /* u64, from minor version 1 on: the image with the kernel, bytes; 0: not said */                            \
    X(CODE_HASH, 192)  /* u64: of these bytes (contract_code.c) */

enum {
#define X(name, offset) TC_REC_AT_##name = (offset),
    TC_REC_HEADER(X)
#undef X
};

enum { // flags of the header
    TC_REC_PARTIAL = 1, // something of the contract is not here: it did not resolve, or was too large
    TC_REC_SOME_RULES = 2, // the check was for some rules only: the verdict is about these
    TC_REC_CLUSTER_KNOWN = 4, // CLUSTER is given
    TC_REC_ASSUMES = 8,       // the verdict rests on assumptions, which the report lists, or on options that relax rules
    TC_REC_WAITS_KNOWN = 16, // the code was looked at for griddepcontrol.wait: the next flag, and those of the borrows, say what it does
    TC_REC_WAITS = 32        // each thread waits for the grids before it ends; before that the kernel touches only what is TC_REC_BORROW_EARLY
};

// X(NAME, text)
#define TC_REC_VERDICTS(X)                                                                                                                 \
    X(PROVED, "proved")                                                                                                                    \
    X(PROVED_IF, "proved-if")                                                                                                              \
    X(UNKNOWN, "unknown")                                                                                                                  \
    X(VIOLATED, "violated")                                                                                                                \
    X(NOT_CHECKED, "not checked")

// X(NAME, bytes of a row): the tables, in the order of the directory. The columns are in docs/contract-format.md, and below.
#define TC_REC_TABLES(X)                                                                                                                   \
    X(TEXT, 1)                                                                                                                             \
    X(NODE, 16)                                                                                                                            \
    X(PARAM, 24)                                                                                                                           \
    X(SCALAR, 16)                                                                                                                          \
    X(BORROW, 48)                                                                                                                          \
    X(DIM, 8)                                                                                                                              \
    X(CONDITION, 16)                                                                                                                       \
    X(FACT, 32)                                                                                                                            \
    X(BOUND, 12)                                                                                                                           \
    X(PAIR, 12)

enum {
#define X(name, bytes) TC_REC_TABLE_##name,
    TC_REC_TABLES(X)
#undef X
        TC_REC_TABLE_COUNT,
    TC_REC_HEADER_FIRST = TC_REC_AT_DIRECTORY + 12 * TC_REC_TABLE_COUNT, // of minor version 0
    TC_REC_HEADER_SIZE = TC_REC_AT_CODE_HASH + 8
};

// TEXT: strings, each ended by 0; a text is the offset of its first byte in the table. The last byte of the table is 0.
//
// NODE: expressions, as a graph: a node's arguments are earlier nodes, an expression is the number of its last node.
//   0 u8 operator, 1 u8 width, 2 u16 zero, 4 u32 a, 8 u32 b, 12 u32 c
// Values are mathematical integers; a condition is 0 or 1. A value beyond 128 bits, and what the table says, is "no value"; an operator
// has none where an argument has none, but && || ?: decide by what is known.
//
// X(NAME, text, kinds of a, b, c): n a node, s a scalar, b a borrow, x an axis 0 … 2, k a slot, t a text, g a node or TC_REC_NONE, - zero,
// i part of an integer
#define TC_REC_OPS(X)                                                                                                                      \
    X(NEVER, "?", "t--")      /* cannot be said here: no value; the text says what */                                                      \
    X(CONST, "const", "iii")  /* a + 2^32 b + 2^64 c, c signed */                                                                          \
    X(SCALAR, "scalar", "s--") /* the value of a scalar argument */                                                                        \
    X(GRID, "gridDim", "x--")                                                                                                              \
    X(BLOCK, "blockDim", "x--")                                                                                                            \
    X(CLUSTER, "cluster", "x--")                                                                                                           \
    X(SMEM, "dynamic shared memory", "---") /* bytes */                                                                                    \
    X(ADDRESS, "address", "b--") /* of a borrow */                                                                                         \
    X(NONNULL, "!= nullptr", "b--")                                                                                                        \
    X(BOUND, "bound", "k--")  /* the bound variable of a fact */                                                                           \
    X(ELEMENT, "element", "bng") /* what the borrow's element b (flat) holds at the launch, where c holds: else no value */                \
    X(ADD, "+", "nn-")                                                                                                                     \
    X(MUL, "*", "nn-")                                                                                                                     \
    X(DIV, "div", "nn-")      /* rounds down; no value by 0 */                                                                             \
    X(MOD, "mod", "nn-")      /* a - b * div(a, b) */                                                                                      \
    X(TDIV, "/", "nn-")       /* C's: rounds to 0; no value by 0 */                                                                        \
    X(TREM, "%", "nn-")                                                                                                                    \
    X(MIN, "min", "nn-")                                                                                                                   \
    X(MAX, "max", "nn-")                                                                                                                   \
    X(POW2, "pow2", "n--")    /* no value of a negative number, or above 126 */                                                            \
    X(BITAND, "&", "nn-")     /* two's complement without end */                                                                           \
    X(BITOR, "|", "nn-")                                                                                                                   \
    X(BITXOR, "^", "nn-")                                                                                                                  \
    X(WRAP_SIGNED, "wrap", "n--") /* to `width` bits, 1 … 64 */                                                                            \
    X(WRAP_UNSIGNED, "wrap", "n--")                                                                                                        \
    X(ITE, "?:", "nnn")                                                                                                                    \
    X(EQ, "==", "nn-")                                                                                                                     \
    X(LE, "<=", "nn-")                                                                                                                     \
    X(NOT, "!", "n--")                                                                                                                     \
    X(AND, "&&", "nn-")       /* 0 where one is 0, whatever the other is */                                                                \
    X(OR, "||", "nn-")

typedef enum tc_rec_op {
#define X(name, text, kinds) TC_REC_OP_##name,
    TC_REC_OPS(X)
#undef X
        TC_REC_OP_COUNT
} tc_rec_op;

// PARAM: one row a parameter, in order.
//   0 text name, 4 text type, 8 u32 offset in the argument buffer, 12 u32 size, 16 u32 alignment (bytes), 20 u8 kind, 21 … 23 zero
#define TC_REC_PARAM_KINDS(X)                                                                                                              \
    X(INTEGER, "integer")                                                                                                                  \
    X(BOOL, "bool")                                                                                                                        \
    X(FLOAT, "float")                                                                                                                      \
    X(POINTER, "pointer")                                                                                                                  \
    X(STRUCT, "struct")                                                                                                                    \
    X(ARRAY, "array")                                                                                                                      \
    X(FUNCTION, "function")                                                                                                                \
    X(OTHER, "other")

// SCALAR: integers that expressions speak of.
//   0 text path ("n", "p.dims[2]"), 4 u32 parameter, 8 u32 offset in it, 12 u8 size (1 … 8), 13 u8 TC_REC_SCALAR_…, 14 u16 zero
enum { TC_REC_SCALAR_UNSIGNED, TC_REC_SCALAR_SIGNED, TC_REC_SCALAR_BOOL };

// BORROW: pointer parameters, pointer fields, device variables.
//   0 text path, 4 u32 parameter or TC_REC_NONE, 8 u32 offset of the pointer in it, 12 text mangled name of the variable or TC_REC_NONE,
//   16 u32 element size (0: not known), 20 u32 alignment that the address has to have (bytes, 1 without), 24 u32 first row of DIM,
//   28 u8 number of dimensions (0: no shape), 29 u8 kind, 30 u8 flags, 31 u8 element (TC_REC_ELEMENT_…), 32 text why unchecked or
//   TC_REC_NONE, 36 u32 line, 40 expression: lowest element, 44 expression: one past the highest (both TC_REC_NONE without a shape)
#define TC_REC_BORROWS(X)                                                                                                                  \
    X(NONE, "no word")                                                                                                                     \
    X(SHARED, "shared")                                                                                                                    \
    X(MUT, "mut")                                                                                                                          \
    X(OUT, "out")                                                                                                                          \
    X(ATOMIC, "atomic")                                                                                                                    \
    X(UNCHECKED, "unchecked")

enum { // flags of a borrow
    TC_REC_BORROW_OPTIONAL = 1, // may be null
    TC_REC_BORROW_RESTRICT = 2,
    TC_REC_BORROW_STRIDED = 4, // strides of its own: there may be gaps
    TC_REC_BORROW_HOLDS_POINTER = 8, // a variable that is a pointer: what it points to is meant
    TC_REC_BORROW_EARLY = 16 // may be touched before the kernel has waited for the grids before it
};
enum { TC_REC_ELEMENT_OTHER, TC_REC_ELEMENT_SIGNED, TC_REC_ELEMENT_UNSIGNED, TC_REC_ELEMENT_BOOL, TC_REC_ELEMENT_FLOAT };

// DIM: 0 expression extent, 4 expression stride (elements), outermost first.

// CONDITION: what every launch has to meet.
//   0 text, 4 expression, 8 u32 line (0: none), 12 u8 kind, 13 u8 flags, 14 u16 zero
#define TC_REC_CONDITIONS(X)                                                                                                               \
    X(REQUIRES, "requires")  /* tc_requires */                                                                                             \
    X(BLOCK, "block")        /* tc_block, block= */                                                                                        \
    X(GRID, "grid")                                                                                                                        \
    X(SMEM, "smem")                                                                                                                        \
    X(CLUSTER, "cluster")                                                                                                                  \
    X(EXTENT, "extent")      /* of a shape: not negative, the object possible */                                                           \
    X(LIMIT, "limit")        /* the hardware's, __launch_bounds__ */                                                                       \
    X(ALIGN, "align")        /* of an address, by tc_align */                                                                              \
    X(DEFINE, "define")      /* the value with which it was checked */                                                                     \
    X(INFERRED, "inferred") /* under which it is proved-if */                                                                             \
    X(NOT_NULL, "null")     /* a pointer that is not optional, where it has elements */

enum { TC_REC_CONDITION_CANNOT = 1 }; // a part of it has no value at run time (a node NEVER)

// FACT: about what arrays hold at the launch.
//   0 text, 4 u32 borrow or TC_REC_NONE, 8 expression lo, 12 expression hi, 16 u32 first row of BOUND, 20 u32 number of bound names,
//   24 u32 line, 28 u8 kind, 29 u8 flags (TC_REC_CONDITION_CANNOT), 30 u16 zero
// BOUND: the names of a FORALL. 0 text name, 4 expression lo, 8 expression hi: lo <= name < hi, over earlier names; TC_REC_NONE: no
// bound is known.
#define TC_REC_FACTS(X)                                                                                                                    \
    X(RANGE, "range")         /* lo <= v < hi */                                                                                           \
    X(INJECTIVE, "injective") /* all different */                                                                                          \
    X(MONOTONE, "monotone")   /* never falling */                                                                                          \
    X(INIT, "init")           /* lo is the value of each element */                                                                        \
    X(FORALL, "forall")       /* lo holds for all values of the bound names */

// PAIR: 0 u32 borrow, 4 u32 borrow, 8 u8 kind, 9 … 11 zero
#define TC_REC_PAIRS(X)                                                                                                                    \
    X(INPLACE, "inplace")     /* the first may be the very buffer of the second */                                                         \
    X(MAY_ALIAS, "may_alias")                                                                                                              \
    X(DISTINCT, "distinct")

#define X(name, text) TC_REC_VERDICT_##name,
enum { TC_REC_VERDICTS(X) TC_REC_VERDICT_COUNT };
#undef X
#define X(name, text) TC_REC_PARAM_##name,
enum { TC_REC_PARAM_KINDS(X) TC_REC_PARAM_COUNT };
#undef X
#define X(name, text) TC_REC_BORROW_##name,
enum { TC_REC_BORROWS(X) TC_REC_BORROW_COUNT };
#undef X
#define X(name, text) TC_REC_CONDITION_##name,
enum { TC_REC_CONDITIONS(X) TC_REC_CONDITION_COUNT };
#undef X
#define X(name, text) TC_REC_FACT_##name,
enum { TC_REC_FACTS(X) TC_REC_FACT_COUNT };
#undef X
#define X(name, text) TC_REC_PAIR_##name,
enum { TC_REC_PAIRS(X) TC_REC_PAIR_COUNT };
#undef X

#endif
