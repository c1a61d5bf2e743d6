// Tokens of the contract expression language.
#ifndef TC_CHECKER_EXPR_LEX_H
#define TC_CHECKER_EXPR_LEX_H

#include "checker/expr.h"

// Binary operators: X(NAME, "text", precedence, node). Precedence as in C, 1 binds least; 0: not a binary operator.
#define TC_PUNCTUATION(X)                                                                                              \
    X(ARROW, "->", 0, NUM)                                                                                             \
    X(SCOPE, "::", 0, NUM)                                                                                             \
    X(SHL, "<<", 8, SHL)                                                                                               \
    X(SHR, ">>", 8, SHR)                                                                                               \
    X(LE, "<=", 7, LE)                                                                                                 \
    X(GE, ">=", 7, GE)                                                                                                 \
    X(EQ, "==", 6, EQ)                                                                                                 \
    X(NE, "!=", 6, NE)                                                                                                 \
    X(ANDAND, "&&", 2, AND)                                                                                            \
    X(OROR, "||", 1, OR)                                                                                               \
    X(PLUS, "+", 9, ADD)                                                                                               \
    X(MINUS, "-", 9, ADD)                                                                                              \
    X(STAR, "*", 10, MUL)                                                                                              \
    X(SLASH, "/", 10, DIV)                                                                                             \
    X(PERCENT, "%", 10, MOD)                                                                                           \
    X(LT, "<", 7, LT)                                                                                                  \
    X(GT, ">", 7, GT)                                                                                                  \
    X(AMP, "&", 5, BITAND)                                                                                             \
    X(CARET, "^", 4, BITXOR)                                                                                           \
    X(BAR, "|", 3, BITOR)                                                                                              \
    X(BANG, "!", 0, NUM)                                                                                               \
    X(TILDE, "~", 0, NUM)                                                                                              \
    X(QUESTION, "?", 0, NUM)                                                                                           \
    X(COLON, ":", 0, NUM)                                                                                              \
    X(COMMA, ",", 0, NUM)                                                                                              \
    X(SEMICOLON, ";", 0, NUM)                                                                                          \
    X(DOT, ".", 0, NUM)                                                                                                \
    X(OPEN, "(", 0, NUM)                                                                                               \
    X(CLOSE, ")", 0, NUM)                                                                                              \
    X(OPEN_SQUARE, "[", 0, NUM)                                                                                        \
    X(CLOSE_SQUARE, "]", 0, NUM)                                                                                       \
    X(OPEN_BRACE, "{", 0, NUM)                                                                                         \
    X(CLOSE_BRACE, "}", 0, NUM)                                                                                        \
    X(ASSIGN, "=", 0, NUM)

typedef enum tc_tok {
    TC_TK_END,
    TC_TK_NUM,
    TC_TK_NAME,
    TC_TK_STRING,
    TC_TK_ERROR, // the lexer's err says what
#define X(name, text, precedence, node) TC_TK_##name,
    TC_PUNCTUATION(X)
#undef X
} tc_tok;

typedef struct tc_token {
    tc_tok kind;
    tc_i128 num;
    size_t pos, end;
} tc_token;

// Plain data: a copy is a place to come back to.
typedef struct tc_lexer {
    tc_arena *arena;
    const char *text;
    size_t len, pos;
    unsigned count; // tokens so far
    tc_expr_error err;
} tc_lexer;

void tc_lexer_init(tc_lexer *lx, tc_arena *a, const char *text);
tc_token tc_lexer_next(tc_lexer *lx);

// Is this token the word?
bool tc_token_is(const tc_lexer *lx, tc_token t, const char *word);
// The token's text for a message, shortened, with nothing unprintable in it: "'foo'", "the end".
const char *tc_token_text(const tc_lexer *lx, tc_token t);
// A STRING token's characters, escapes replaced.
const char *tc_token_string(const tc_lexer *lx, tc_token t);

#endif
