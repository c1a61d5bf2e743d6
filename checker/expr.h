// The contract expression language: parser and resolver. See docs/language.md.
#ifndef TC_CHECKER_EXPR_H
#define TC_CHECKER_EXPR_H

#include "solver/term.h"

typedef enum tc_expr_op {
    TC_X_NUM, TC_X_NAME,   // text: possibly qualified "A::b", with fields "p.x", "p->x"
    TC_X_CALL,             // text(args); also sizeof(type): text "sizeof", args[0] a NAME holding the type's text
    TC_X_INDEX,            // args[0][args[1]]
    TC_X_CAST,             // (type)args[0]; text is the type's
    TC_X_NEG, TC_X_NOT, TC_X_BITNOT,
    TC_X_ADD, TC_X_SUB, TC_X_MUL, TC_X_DIV, TC_X_MOD, TC_X_SHL, TC_X_SHR,
    TC_X_LT, TC_X_LE, TC_X_GT, TC_X_GE, TC_X_EQ, TC_X_NE,
    TC_X_AND, TC_X_OR, TC_X_BITAND, TC_X_BITOR, TC_X_BITXOR, TC_X_COND
} tc_expr_op;

typedef struct tc_expr tc_expr;
struct tc_expr {
    tc_expr_op op;
    tc_i128 num;
    const char *text;
    tc_expr **args;
    size_t nargs;
    size_t pos, end; // byte offsets in the attribute's text
};

typedef struct tc_expr_error {
    size_t pos, end;     // byte offsets
    const char *message; // "expected ')'" …
    const char *hint;    // what to do, or NULL
} tc_expr_error;

typedef TC_VEC(tc_expr *) tc_exprs;

// Parses "e, e, …" (commas) and, where binders is not NULL, the form "i, j; e": the names before the semicolon go there.
// Depth, size and token limits give errors, never a crash (a 1-MB text is answered in well under a second).
tc_status tc_expr_parse(tc_arena *a, const char *text, tc_exprs *out, tc_exprs *binders, tc_expr_error *err);

#endif
