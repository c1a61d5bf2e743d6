// Precedence climbing (as in clang's ParseRHSOfBinaryExpression) over tokens made on the fly.
#include "checker/expr.h"

#include <string.h>

#include "base/text.h"
#include "checker/expr_lex.h"

typedef struct parser {
    tc_arena *arena;
    tc_lexer lexer;
    tc_token tok; // the one to be looked at
    size_t end;   // of the token before it
    tc_expr_error *err;
    bool failed;
    unsigned depth;
} parser;

// ---- errors: the first one counts, and every function returns NULL after it ----

static tc_expr *fail_at(parser *p, size_t pos, size_t end, const char *message, const char *hint) {
    if (!p->failed) {
        *p->err = (tc_expr_error){.pos = pos, .end = end, .message = message, .hint = hint};
        p->failed = true;
    }
    return NULL;
}

static tc_expr *unexpected(parser *p, const char *wanted) {
    if (p->tok.kind == TC_TK_ERROR)
        return fail_at(p, p->lexer.err.pos, p->lexer.err.end, p->lexer.err.message, p->lexer.err.hint);
    const char *hint = p->tok.kind == TC_TK_ASSIGN ? "a contract assigns nothing: to compare, write =="
                       : p->tok.kind == TC_TK_SEMICOLON
                           ? "only tc_owner and tc_forall have names and a semicolon before the expression"
                           : NULL;
    const char *found = tc_token_text(&p->lexer, p->tok);
    return fail_at(p, p->tok.pos, p->tok.end, tc_fmt(p->arena, "expected %s, found %s", wanted, found), hint);
}

static void advance(parser *p) {
    p->end = p->tok.end;
    p->tok = tc_lexer_next(&p->lexer);
}

static bool accept(parser *p, tc_tok kind) {
    if (p->tok.kind != kind)
        return false;
    advance(p);
    return true;
}

static bool expect(parser *p, tc_tok kind, const char *wanted) {
    if (accept(p, kind))
        return true;
    unexpected(p, wanted);
    return false;
}

// ---- nodes ----

static tc_expr *node(parser *p, tc_expr_op op, size_t pos, size_t nargs, tc_expr **args) {
    tc_expr *e = TC_NEW(p->arena, tc_expr);
    *e = (tc_expr){.op = op, .nargs = nargs, .pos = pos, .end = p->end};
    if (nargs)
        e->args = TC_NEW_ARRAY(p->arena, tc_expr *, nargs);
    for (size_t i = 0; i < nargs; i++) {
        e->args[i] = args[i];
        if (args[i]->height >= e->height)
            e->height = args[i]->height + 1;
    }
    if (e->height > TC_EXPR_MAX_DEPTH)
        return fail_at(p, pos, p->end, "the expression is nested too deeply", NULL);
    return e;
}

static tc_expr *leaf(parser *p, tc_expr_op op, size_t pos, const char *text, tc_i128 num) {
    tc_expr *e = node(p, op, pos, 0, NULL);
    e->text = text;
    e->num = num;
    return e;
}

static tc_expr *one(parser *p, tc_expr_op op, size_t pos, tc_expr *arg) {
    return node(p, op, pos, 1, &arg);
}

static tc_expr *two(parser *p, tc_expr_op op, tc_expr *a, tc_expr *b) {
    return node(p, op, a->pos, 2, (tc_expr *[]){a, b});
}

static bool is_chain(tc_expr_op op) {
    return op == TC_X_ADD || op == TC_X_MUL || op == TC_X_AND || op == TC_X_OR || op == TC_X_BITAND ||
           op == TC_X_BITOR || op == TC_X_BITXOR;
}

// The capacity of a chain's operands is the next power of two.
static tc_expr *chain(parser *p, tc_expr_op op, tc_expr *a, tc_expr *b) {
    if (a->op != op || b->height + 1 > TC_EXPR_MAX_DEPTH)
        return two(p, op, a, b);
    if ((a->nargs & (a->nargs - 1)) == 0) {
        tc_expr **more = TC_NEW_ARRAY(p->arena, tc_expr *, a->nargs * 2);
        memcpy(more, a->args, a->nargs * sizeof *more);
        a->args = more;
    }
    a->args[a->nargs++] = b;
    a->end = p->end;
    if (b->height >= a->height)
        a->height = b->height + 1;
    return a;
}

// ---- looking ahead ----

// A second parser at the same place, whose errors are its own.
typedef struct probe {
    tc_lexer lexer;
    tc_token tok;
} probe;

static probe probe_here(const parser *p) {
    return (probe){.lexer = p->lexer, .tok = p->tok};
}

static void probe_next(probe *pr) {
    pr->tok = tc_lexer_next(&pr->lexer);
}

static void probe_commit(parser *p, const probe *pr, size_t end) {
    p->lexer = pr->lexer;
    p->tok = pr->tok;
    p->end = end;
}

// Names of types that may stand before a parenthesis without being a call of a function, and that make a cast sure.
static bool is_type_word(const tc_lexer *lx, tc_token t) {
    static const char *const words[] = {"int",     "unsigned",  "signed",   "long",     "short",    "char",
                                        "bool",    "_Bool",     "float",    "double",   "void",     "size_t",
                                        "ssize_t", "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",  "int64_t",
                                        "uint8_t", "uint16_t",  "uint32_t", "uint64_t", "intptr_t", "uintptr_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tc_token_is(lx, t, words[i]))
            return true;
    return false;
}

static bool is_type_prefix(const tc_lexer *lx, tc_token t) {
    return tc_token_is(lx, t, "const") || tc_token_is(lx, t, "volatile") || tc_token_is(lx, t, "struct") ||
           tc_token_is(lx, t, "enum") || tc_token_is(lx, t, "class") || tc_token_is(lx, t, "typename");
}

// Puts the token behind what is there, with a space between two words.
static void put_token(tc_text *out, const tc_lexer *lx, tc_token t) {
    bool word = t.kind == TC_TK_NAME || t.kind == TC_TK_NUM;
    char last = out->len ? out->data[out->len - 1] : ' ';
    bool after_word =
        last == '_' || (last >= '0' && last <= '9') || (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
    if (word && after_word)
        tc_putc(out, ' ');
    tc_putn(out, lx->text + t.pos, t.end - t.pos);
}

// Is what may stand in a template argument list: constants, names and types.
static bool in_template_list(tc_tok kind) {
    switch (kind) {
    case TC_TK_NAME:
    case TC_TK_NUM:
    case TC_TK_SCOPE:
    case TC_TK_COMMA:
    case TC_TK_PLUS:
    case TC_TK_MINUS:
    case TC_TK_STAR:
    case TC_TK_SLASH:
    case TC_TK_PERCENT:
        return true;
    default:
        return false;
    }
}

// From '<' to the closing '>', put into out. `a < b > (c)` compares nothing that anybody means: it is read as a
// template.
static bool probe_template_list(probe *pr, tc_text *out) {
    enum { LONGEST = 64 };
    unsigned open = 0, tokens = 0;
    do {
        if (++tokens > LONGEST)
            return false;
        if (pr->tok.kind == TC_TK_LT)
            open++;
        else if (pr->tok.kind == TC_TK_GT && open)
            open--;
        else if (pr->tok.kind == TC_TK_SHR && open >= 2)
            open -= 2;
        else if (!in_template_list(pr->tok.kind))
            return false;
        put_token(out, &pr->lexer, pr->tok);
        probe_next(pr);
    } while (open);
    return true;
}

// A qualified name with template arguments: A::B<3>::c. *list_last tells that it ends with '>'.
static bool probe_name(probe *pr, tc_text *out, size_t *end, bool *list_last) {
    if (pr->tok.kind == TC_TK_SCOPE) {
        tc_put(out, "::");
        probe_next(pr);
    }
    for (;;) {
        if (pr->tok.kind != TC_TK_NAME)
            return false;
        put_token(out, &pr->lexer, pr->tok);
        *end = pr->tok.end;
        *list_last = false;
        probe_next(pr);
        if (pr->tok.kind == TC_TK_LT) {
            probe ahead = *pr;
            tc_text list = {.arena = pr->lexer.arena};
            if (probe_template_list(&ahead, &list) &&
                (ahead.tok.kind == TC_TK_OPEN || ahead.tok.kind == TC_TK_SCOPE || ahead.tok.kind == TC_TK_CLOSE)) {
                tc_put(out, tc_text_str(&list));
                *pr = ahead;
                *list_last = true;
            }
        }
        if (pr->tok.kind != TC_TK_SCOPE)
            return true;
        tc_put(out, "::");
        probe_next(pr);
    }
}

// A type: words, or a name, then any number of '*' and '&'. *sure: it cannot be a value.
static bool probe_type(probe *pr, tc_text *out, bool *sure) {
    *sure = false;
    bool named = false;
    for (;;) {
        bool word = is_type_word(&pr->lexer, pr->tok);
        if (word || is_type_prefix(&pr->lexer, pr->tok)) {
            put_token(out, &pr->lexer, pr->tok);
            *sure = true;
            named |= word;
            probe_next(pr);
        } else if (!named && (pr->tok.kind == TC_TK_NAME || pr->tok.kind == TC_TK_SCOPE)) {
            size_t end;
            bool list_last;
            if (*sure)
                tc_putc(out, ' ');
            if (!probe_name(pr, out, &end, &list_last))
                return false;
            named = true;
        } else
            break;
    }
    while (named &&
           (pr->tok.kind == TC_TK_STAR || pr->tok.kind == TC_TK_AMP || tc_token_is(&pr->lexer, pr->tok, "const"))) {
        put_token(out, &pr->lexer, pr->tok);
        *sure |= pr->tok.kind != TC_TK_NAME;
        probe_next(pr);
    }
    return named;
}

// What can only begin an operand. '-', '+', '&' and '*' may be binary: (n) - 1 is a difference.
static bool begins_operand(const probe *pr) {
    switch (pr->tok.kind) {
    case TC_TK_NAME:
    case TC_TK_NUM:
    case TC_TK_OPEN:
    case TC_TK_BANG:
    case TC_TK_TILDE:
    case TC_TK_SCOPE:
        return true;
    default:
        return false;
    }
}

// At '(': the type of a cast, consumed with its ')'; NULL when it is no cast.
static const char *cast_type(parser *p) {
    probe pr = probe_here(p);
    tc_text type = {.arena = p->arena};
    bool sure;
    probe_next(&pr);
    if (!probe_type(&pr, &type, &sure) || pr.tok.kind != TC_TK_CLOSE)
        return NULL;
    size_t end = pr.tok.end;
    probe_next(&pr);
    if (!sure && !begins_operand(&pr))
        return NULL;
    probe_commit(p, &pr, end);
    return tc_text_str(&type);
}

// ---- grammar ----

static tc_expr *parse_choice(parser *p);
static tc_expr *parse_unary(parser *p);

static bool enter(parser *p) {
    if (++p->depth > TC_EXPR_MAX_DEPTH) {
        fail_at(p, p->tok.pos, p->tok.end, "the expression is nested too deeply",
                "write it with fewer parentheses, or name parts of it with macros or constants");
        return false;
    }
    return true;
}

// Expressions up to `close`; at least one.
static bool parse_list(parser *p, tc_exprs *out) {
    do {
        tc_expr *e = parse_choice(p);
        if (!e)
            return false;
        tc_push(p->arena, out, e);
    } while (accept(p, TC_TK_COMMA));
    return true;
}

static tc_expr *parse_call(parser *p, size_t pos, const char *name) {
    tc_exprs args = {0};
    advance(p);
    if (p->tok.kind != TC_TK_CLOSE && !parse_list(p, &args))
        return NULL;
    if (!expect(p, TC_TK_CLOSE, "',' or ')'"))
        return NULL;
    tc_expr *e = node(p, TC_X_CALL, pos, args.len, args.data);
    if (e)
        e->text = name;
    return e;
}

// sizeof(type), alignof(type)
static tc_expr *parse_size_of(parser *p, const char *what) {
    size_t pos = p->tok.pos;
    advance(p);
    size_t type_pos = p->tok.pos;
    tc_text type = {.arena = p->arena};
    probe pr = probe_here(p);
    bool sure;
    if (pr.tok.kind == TC_TK_OPEN) {
        probe_next(&pr);
        type_pos = pr.tok.pos;
        if (probe_type(&pr, &type, &sure) && pr.tok.kind == TC_TK_CLOSE) {
            size_t end = pr.tok.pos;
            probe_commit(p, &pr, end);
            tc_expr *name = leaf(p, TC_X_NAME, type_pos, tc_text_str(&type), 0);
            advance(p);
            tc_expr *e = one(p, TC_X_CALL, pos, name);
            e->text = what;
            return e;
        }
    }
    return fail_at(p, type_pos, type_pos + 1, tc_fmt(p->arena, "%s wants a type or a parameter in parentheses", what),
                   NULL);
}

// static_cast<type>(e)
static tc_expr *parse_static_cast(parser *p) {
    size_t pos = p->tok.pos;
    advance(p);
    probe pr = probe_here(p);
    tc_text type = {.arena = p->arena};
    bool sure;
    if (pr.tok.kind == TC_TK_LT) {
        probe_next(&pr);
        if (probe_type(&pr, &type, &sure) && pr.tok.kind == TC_TK_GT) {
            size_t end = pr.tok.end;
            probe_next(&pr);
            probe_commit(p, &pr, end);
            if (!expect(p, TC_TK_OPEN, "'('"))
                return NULL;
            tc_expr *arg = parse_choice(p);
            if (!arg || !expect(p, TC_TK_CLOSE, "')'"))
                return NULL;
            tc_expr *e = one(p, TC_X_CAST, pos, arg);
            if (e)
                e->text = tc_text_str(&type);
            return e;
        }
    }
    return unexpected(p, "'<', a type and '>'");
}

static tc_expr *parse_name(parser *p) {
    static const struct {
        const char *word;
        tc_i128 value;
    } constants[] = {{"true", 1}, {"false", 0}, {"nullptr", 0}, {"__null", 0}, {"NULL", 0}};
    size_t pos = p->tok.pos;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (tc_token_is(&p->lexer, p->tok, constants[i].word)) {
            advance(p);
            return leaf(p, TC_X_NUM, pos, NULL, constants[i].value);
        }
    if (tc_token_is(&p->lexer, p->tok, "sizeof"))
        return parse_size_of(p, "sizeof");
    if (tc_token_is(&p->lexer, p->tok, "alignof") || tc_token_is(&p->lexer, p->tok, "_Alignof"))
        return parse_size_of(p, "alignof");
    if (tc_token_is(&p->lexer, p->tok, "static_cast"))
        return parse_static_cast(p);
    probe pr = probe_here(p);
    tc_text name = {.arena = p->arena};
    size_t end;
    bool list_last;
    if (!probe_name(&pr, &name, &end, &list_last)) {
        p->tok = pr.tok;
        p->lexer = pr.lexer;
        return unexpected(p, "a name");
    }
    // Where the name ends with template arguments, the token before the present one ends it.
    probe_commit(p, &pr, list_last ? pr.tok.pos : end);
    if (p->tok.kind == TC_TK_OPEN)
        return parse_call(p, pos, tc_text_str(&name));
    return leaf(p, TC_X_NAME, pos, tc_text_str(&name), 0);
}

static tc_expr *parse_parentheses(parser *p) {
    size_t pos = p->tok.pos;
    const char *type = cast_type(p);
    if (type) {
        tc_expr *arg = parse_unary(p);
        tc_expr *e = arg ? one(p, TC_X_CAST, pos, arg) : NULL;
        if (e)
            e->text = type;
        return e;
    }
    advance(p);
    tc_expr *e = parse_choice(p);
    if (!e || !expect(p, TC_TK_CLOSE, "')'"))
        return NULL;
    e->pos = pos;
    e->end = p->end;
    return e;
}

static tc_expr *parse_primary(parser *p) {
    tc_token t = p->tok;
    switch (t.kind) {
    case TC_TK_NUM:
        advance(p);
        return leaf(p, TC_X_NUM, t.pos, NULL, t.num);
    case TC_TK_STRING:
        advance(p);
        return leaf(p, TC_X_STRING, t.pos, tc_token_string(&p->lexer, t), 0);
    case TC_TK_OPEN:
        return parse_parentheses(p);
    case TC_TK_NAME:
    case TC_TK_SCOPE:
        return parse_name(p);
    case TC_TK_STAR:
    case TC_TK_AMP:
        return fail_at(p, t.pos, t.end, "a contract has no pointers to follow or to make",
                       "an element of an index array is written name[i]");
    default:
        return unexpected(p, "an expression");
    }
}

static tc_expr *parse_index(parser *p, tc_expr *base) {
    advance(p);
    tc_expr *index = parse_choice(p);
    if (!index || !expect(p, TC_TK_CLOSE_SQUARE, "']'"))
        return NULL;
    return two(p, TC_X_INDEX, base, index);
}

static tc_expr *parse_field(parser *p, tc_expr *base) {
    tc_i128 arrow = p->tok.kind == TC_TK_ARROW;
    advance(p);
    tc_token t = p->tok;
    if (!expect(p, TC_TK_NAME, "the name of a field"))
        return NULL;
    tc_expr *e = one(p, TC_X_FIELD, base->pos, base);
    if (e) {
        e->text = tc_strndup(p->arena, p->lexer.text + t.pos, t.end - t.pos);
        e->num = arrow;
    }
    return e;
}

static tc_expr *parse_postfix(parser *p) {
    tc_expr *e = parse_primary(p);
    while (e) {
        if (p->tok.kind == TC_TK_OPEN_SQUARE)
            e = parse_index(p, e);
        else if (p->tok.kind == TC_TK_DOT || p->tok.kind == TC_TK_ARROW)
            e = parse_field(p, e);
        else
            break;
    }
    return e;
}

static tc_expr *parse_unary(parser *p) {
    static const struct {
        tc_tok kind;
        tc_expr_op op;
    } prefixes[] = {{TC_TK_MINUS, TC_X_NEG}, {TC_TK_BANG, TC_X_NOT}, {TC_TK_TILDE, TC_X_BITNOT}};
    if (!enter(p))
        return NULL;
    tc_expr *e = NULL;
    size_t pos = p->tok.pos, i = 0, n = sizeof prefixes / sizeof *prefixes;
    while (i < n && prefixes[i].kind != p->tok.kind)
        i++;
    if (i < n) {
        advance(p);
        tc_expr *arg = parse_unary(p);
        e = arg ? one(p, prefixes[i].op, pos, arg) : NULL;
    } else if (accept(p, TC_TK_PLUS))
        e = parse_unary(p);
    else
        e = parse_postfix(p);
    p->depth--;
    return e;
}

static unsigned precedence(tc_tok kind) {
    switch (kind) {
#define X(name, text, precedence, node)                                                                                \
    case TC_TK_##name:                                                                                                 \
        return precedence;
        TC_PUNCTUATION(X)
#undef X
    default:
        return 0;
    }
}

static tc_expr_op node_of(tc_tok kind) {
    switch (kind) {
#define X(name, text, precedence, node)                                                                                \
    case TC_TK_##name:                                                                                                 \
        return TC_X_##node;
        TC_PUNCTUATION(X)
#undef X
    default:
        return TC_X_NUM;
    }
}

static tc_expr *parse_binary(parser *p, unsigned least) {
    tc_expr *left = parse_unary(p);
    while (left && precedence(p->tok.kind) >= least) {
        tc_token t = p->tok;
        advance(p);
        tc_expr *right = parse_binary(p, precedence(t.kind) + 1);
        if (right && t.kind == TC_TK_MINUS)
            right = one(p, TC_X_NEG, right->pos, right);
        if (!right)
            return NULL;
        tc_expr_op op = node_of(t.kind);
        left = is_chain(op) ? chain(p, op, left, right) : two(p, op, left, right);
    }
    return left;
}

static tc_expr *parse_choice(parser *p) {
    if (!enter(p))
        return NULL;
    tc_expr *e = parse_binary(p, 1);
    if (e && accept(p, TC_TK_QUESTION)) {
        tc_expr *yes = parse_choice(p);
        tc_expr *no = yes && expect(p, TC_TK_COLON, "':'") ? parse_choice(p) : NULL;
        e = no ? node(p, TC_X_COND, e->pos, 3, (tc_expr *[]){e, yes, no}) : NULL;
    }
    p->depth--;
    return e;
}

static bool parse_binders(parser *p, tc_exprs *binders) {
    do {
        tc_token t = p->tok;
        if (!accept(p, TC_TK_NAME)) {
            unexpected(p, "the names of the indices and a semicolon, as in 'i, j; expression'");
            return false;
        }
        tc_push(p->arena, binders,
                leaf(p, TC_X_NAME, t.pos, tc_strndup(p->arena, p->lexer.text + t.pos, t.end - t.pos), 0));
    } while (accept(p, TC_TK_COMMA));
    return expect(p, TC_TK_SEMICOLON, "',' or ';' after the names of the indices, as in 'i, j; expression'");
}

// False when the text is too long for the limits of positions and time.
static bool start(parser *p, tc_arena *a, const char *text, tc_expr_error *err) {
    *p = (parser){.arena = a, .err = err};
    tc_lexer_init(&p->lexer, a, text);
    if (p->lexer.len > TC_EXPR_MAX_TEXT) {
        fail_at(p, 0, 1, "the text is too long", NULL);
        return false;
    }
    advance(p);
    return true;
}

tc_status tc_expr_parse(tc_arena *a, const char *text, tc_exprs *out, tc_exprs *binders, tc_expr_error *err) {
    parser p;
    if (!start(&p, a, text, err))
        return TC_EINPUT;
    if (binders && !parse_binders(&p, binders))
        return TC_EINPUT;
    if (p.tok.kind == TC_TK_END && !binders)
        return TC_OK;
    if (!parse_list(&p, out))
        return TC_EINPUT;
    if (p.tok.kind != TC_TK_END)
        unexpected(&p, "an operator, ',' or the end");
    return p.failed ? TC_EINPUT : TC_OK;
}

// ---- lists of pieces ----

static bool opens(tc_tok kind) {
    return kind == TC_TK_OPEN || kind == TC_TK_OPEN_SQUARE || kind == TC_TK_OPEN_BRACE;
}

static bool closes(tc_tok kind) {
    return kind == TC_TK_CLOSE || kind == TC_TK_CLOSE_SQUARE || kind == TC_TK_CLOSE_BRACE;
}

// Up to the comma or the end.
static bool parse_piece(parser *p, tc_piece *piece) {
    *piece = (tc_piece){.pos = p->tok.pos, .end = p->tok.pos, .word_end = p->tok.pos};
    unsigned open = 0, groups = 0, others = 0;
    if (p->tok.kind == TC_TK_NAME) {
        piece->word_end = p->tok.end;
        advance(p);
    } else
        others = 1;
    while (p->tok.kind != TC_TK_END && (open || p->tok.kind != TC_TK_COMMA)) {
        if (p->tok.kind == TC_TK_ERROR || (closes(p->tok.kind) && !open)) {
            unexpected(p, "',' or the end");
            return false;
        }
        if (p->tok.kind == TC_TK_OPEN && !open && !groups++)
            piece->args_pos = p->tok.end;
        else if (!open)
            others++;
        open += opens(p->tok.kind);
        open -= closes(p->tok.kind);
        if (!open && p->tok.kind == TC_TK_CLOSE)
            piece->args_end = p->tok.pos;
        advance(p);
    }
    if (open) {
        unexpected(p, "')'");
        return false;
    }
    piece->end = p->end > piece->pos ? p->end : piece->pos;
    piece->has_args = groups == 1 && !others && piece->args_end; // '(' may have met ']'
    return true;
}

tc_status tc_expr_split(tc_arena *a, const char *text, tc_pieces *out, tc_expr_error *err) {
    parser p;
    if (!start(&p, a, text, err))
        return TC_EINPUT;
    if (p.tok.kind == TC_TK_END)
        return TC_OK;
    do {
        tc_piece piece;
        if (!parse_piece(&p, &piece))
            return TC_EINPUT;
        if (piece.end == piece.pos) {
            unexpected(&p, "a word");
            return TC_EINPUT;
        }
        tc_push(a, out, piece);
    } while (accept(&p, TC_TK_COMMA));
    return TC_OK;
}
