// The contract expression language: parser. What the names mean is contract_resolve.c's. See docs/language.md.
#ifndef TC_CHECKER_EXPR_H
#define TC_CHECKER_EXPR_H

#include "base/int128.h"
#include "base/vec.h"

// Chains of + and -, *, &, |, ^, && and || are one node with any number of operands: a - b + c is ADD(a, NEG(b), c).
typedef enum tc_expr_op {
    TC_X_NUM,    // num; also characters, true, false and nullptr
    TC_X_NAME,   // text: possibly qualified, with template arguments: "A::B<3>::c"
    TC_X_CALL,   // text(args); sizeof and alignof of a type: args[0] a NAME holding the type's text
    TC_X_INDEX,  // args[0][args[1]]
    TC_X_FIELD,  // args[0].text; num is 1 for ->
    TC_X_CAST,   // (text)args[0]
    TC_X_STRING, // text, without quotes and escapes; only where a word wants a reason
    TC_X_NEG,
    TC_X_NOT,
    TC_X_BITNOT,
    TC_X_ADD,
    TC_X_MUL,
    TC_X_DIV,
    TC_X_MOD,
    TC_X_SHL,
    TC_X_SHR,
    TC_X_LT,
    TC_X_LE,
    TC_X_GT,
    TC_X_GE,
    TC_X_EQ,
    TC_X_NE,
    TC_X_AND,
    TC_X_OR,
    TC_X_BITAND,
    TC_X_BITOR,
    TC_X_BITXOR,
    TC_X_COND
} tc_expr_op;

typedef struct tc_expr tc_expr;
struct tc_expr {
    tc_expr_op op;
    tc_i128 num;
    const char *text;
    tc_expr **args;
    size_t nargs;
    size_t pos, end; // byte offsets in the parsed text, parentheses included
    uint32_t height; // 0 for a leaf; at most TC_EXPR_MAX_DEPTH, so that recursion over the tree is safe
};

enum {
    TC_EXPR_MAX_DEPTH = 200,
    TC_EXPR_MAX_TOKENS = 10000,
    TC_EXPR_MAX_TEXT = 1 << 24 // bytes
};

typedef struct tc_expr_error {
    size_t pos, end;     // byte offsets
    const char *message; // "expected ')'" …
    const char *hint;    // what to do, or NULL
} tc_expr_error;

typedef TC_VEC(tc_expr *) tc_exprs;

// Parses "e, e, …" (commas; nothing but blanks gives none) and, where binders is not NULL, the form "i, j; e, e": the
// names before the semicolon go there. TC_EINPUT with *err set when the text is not of that form, or too deep, or too
// long. A text of any size is answered in time linear in it.
tc_status tc_expr_parse(tc_arena *a, const char *text, tc_exprs *out, tc_exprs *binders, tc_expr_error *err);

// One piece of a list whose elements are not all expressions, such as tc_param's: "shape(M, N)".
typedef struct tc_piece {
    size_t pos, end;           // the whole piece, without blanks around it
    size_t word_end;           // of the identifier that it begins with; pos where it begins with none
    bool has_args;             // it is an identifier and a list in parentheses, and nothing else
    size_t args_pos, args_end; // inside the parentheses
} tc_piece;
typedef TC_VEC(tc_piece) tc_pieces;

// Splits text at the commas that are outside of all brackets.
tc_status tc_expr_split(tc_arena *a, const char *text, tc_pieces *out, tc_expr_error *err);

#endif
