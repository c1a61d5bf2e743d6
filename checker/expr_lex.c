#include "checker/expr_lex.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

void tc_lexer_init(tc_lexer *lx, tc_arena *a, const char *text) {
    *lx = (tc_lexer){.arena = a, .text = text, .len = strlen(text)};
}

// The character i places on; NUL past the end.
static unsigned char ahead(const tc_lexer *lx, size_t i) {
    return lx->pos + i < lx->len ? (unsigned char)lx->text[lx->pos + i] : 0;
}

static bool starts_name(unsigned char c) {
    return isalpha(c) || c == '_' || c == '$';
}

static bool in_name(unsigned char c) {
    return starts_name(c) || isdigit(c);
}

static tc_token fail(tc_lexer *lx, size_t pos, size_t end, const char *message, const char *hint) {
    lx->err = (tc_expr_error){.pos = pos, .end = end, .message = message, .hint = hint};
    lx->pos = lx->len;
    return (tc_token){.kind = TC_TK_ERROR, .pos = pos, .end = end};
}

static void skip_blanks(tc_lexer *lx) {
    while (lx->pos < lx->len && isspace(ahead(lx, 0)))
        lx->pos++;
}

// ---- numbers ----

static int digit_in(unsigned char c, int base) {
    int d = isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99;
    return d < base ? d : -1;
}

static bool is_suffix(const char *s, size_t n) {
    static const char *const known[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz", "zu"};
    char lower[4];
    if (n > 3)
        return false;
    for (size_t i = 0; i < n; i++)
        lower[i] = (char)tolower((unsigned char)s[i]);
    lower[n] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(lower, known[i]) == 0)
            return true;
    return false;
}

static bool is_fraction(const char *s, size_t n, int base) {
    for (size_t i = 0; i < n; i++)
        if (s[i] == '.' || (base == 10 && strchr("eEfF", s[i])) || (base == 16 && strchr("pP", s[i])))
            return true;
    return false;
}

// What looks like one number to the preprocessor: 0x1f, 1'000u, 1.5e+3f.
static size_t number_end(const tc_lexer *lx) {
    size_t i = lx->pos;
    while (i < lx->len) {
        unsigned char c = (unsigned char)lx->text[i], next = i + 1 < lx->len ? (unsigned char)lx->text[i + 1] : 0;
        bool exponent = strchr("eEpP", c) && (next == '+' || next == '-') &&
                        !(lx->text[lx->pos] == '0' && tolower(lx->text[lx->pos + 1]) == 'x' && tolower(c) == 'e');
        if (exponent || (c == '\'' && in_name(next)))
            i += 2;
        else if (in_name(c) || c == '.')
            i++;
        else
            break;
    }
    return i;
}

static tc_token number(tc_lexer *lx) {
    size_t pos = lx->pos, end = number_end(lx);
    const char *s = lx->text + pos;
    size_t n = end - pos, i = 0;
    int base = 10;
    if (n > 1 && s[0] == '0') {
        char mark = (char)tolower((unsigned char)s[1]);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        i = base == 8 ? 1 : 2;
    }
    if (is_fraction(s, n, base == 8 ? 10 : base))
        return fail(lx, pos, end, "a contract has integers only, not fractions", NULL);
    size_t first = i;
    tc_i128 value = 0;
    for (; i < n && (digit_in((unsigned char)s[i], base) >= 0 || s[i] == '\''); i++) {
        if (s[i] == '\'')
            continue;
        value = value * base + digit_in((unsigned char)s[i], base);
        if (value > (tc_i128)UINT64_MAX)
            return fail(lx, pos, end, "this number does not fit in 64 bits", NULL);
    }
    if (base == 8 && i < n && isdigit((unsigned char)s[i]))
        return fail(lx, pos, end, "a number that begins with 0 is octal: 8 and 9 are no digits of it", NULL);
    if ((i == first && base != 8) || !is_suffix(s + i, n - i))
        return fail(lx, pos, end, "this is not a number", NULL);
    lx->pos = end;
    return (tc_token){.kind = TC_TK_NUM, .num = value, .pos = pos, .end = end};
}

// ---- characters and strings ----

// The value of one possibly escaped character at *i; -1 when the escape is unknown.
static int escaped(const char *s, size_t end, size_t *i) {
    static const char from[] = "ntrabfv\\'\"?", to[] = "\n\t\r\a\b\f\v\\'\"?";
    unsigned char c = (unsigned char)s[(*i)++];
    if (c != '\\' || *i >= end)
        return c;
    c = (unsigned char)s[(*i)++];
    const char *known = c ? strchr(from, c) : NULL;
    if (known)
        return (unsigned char)to[known - from];
    int base = c == 'x' ? 16 : 8, value = 0, digits = 0;
    if (base == 8)
        (*i)--;
    for (; *i < end && digits < (base == 16 ? 2 : 3); digits++, (*i)++) {
        int d = digit_in((unsigned char)s[*i], base);
        if (d < 0)
            break;
        value = (value * base + d) & 255;
    }
    return digits ? value : -1;
}

// Past the closing quote; 0 when there is none.
static size_t quoted_end(const tc_lexer *lx) {
    char quote = lx->text[lx->pos];
    for (size_t i = lx->pos + 1; i < lx->len; i++) {
        if (lx->text[i] == '\\')
            i++;
        else if (lx->text[i] == quote)
            return i + 1;
    }
    return 0;
}

static tc_token quoted(tc_lexer *lx) {
    size_t pos = lx->pos, end = quoted_end(lx);
    if (!end)
        return fail(lx, pos, lx->len, "the closing quote is missing", NULL);
    lx->pos = end;
    if (lx->text[pos] == '"')
        return (tc_token){.kind = TC_TK_STRING, .pos = pos, .end = end};
    size_t i = pos + 1;
    int value = i < end - 1 ? escaped(lx->text, end - 1, &i) : -1;
    if (value < 0 || i != end - 1)
        return fail(lx, pos, end, "this is not one character", NULL);
    return (tc_token){.kind = TC_TK_NUM, .num = (signed char)value, .pos = pos, .end = end};
}

const char *tc_token_string(const tc_lexer *lx, tc_token t) {
    tc_text out = {.arena = lx->arena};
    for (size_t i = t.pos + 1; i < t.end - 1;) {
        int c = escaped(lx->text, t.end - 1, &i);
        if (c > 0)
            tc_putc(&out, (char)c);
    }
    return tc_text_str(&out);
}

// ---- tokens ----

static tc_token punctuation(tc_lexer *lx) {
    static const struct {
        const char *text;
        tc_tok kind;
    } table[] = {
#define X(name, text, precedence, node) {text, TC_TK_##name},
        TC_PUNCTUATION(X)
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t n = strlen(table[i].text);
        if (lx->len - lx->pos >= n && memcmp(lx->text + lx->pos, table[i].text, n) == 0) {
            lx->pos += n;
            return (tc_token){.kind = table[i].kind, .pos = lx->pos - n, .end = lx->pos};
        }
    }
    return fail(lx, lx->pos, lx->pos + 1, "this character has no meaning in a contract", NULL);
}

tc_token tc_lexer_next(tc_lexer *lx) {
    skip_blanks(lx);
    if (lx->pos >= lx->len)
        return (tc_token){.kind = TC_TK_END, .pos = lx->len, .end = lx->len};
    if (++lx->count > TC_EXPR_MAX_TOKENS)
        return fail(lx, lx->pos, lx->pos + 1, "the expression is too long",
                    "a contract's expression has at most 10000 names, numbers and operators");
    unsigned char c = ahead(lx, 0);
    if (isdigit(c) || (c == '.' && isdigit(ahead(lx, 1))))
        return number(lx);
    if (c == '\'' || c == '"')
        return quoted(lx);
    if (!starts_name(c))
        return punctuation(lx);
    size_t pos = lx->pos;
    while (in_name(ahead(lx, 0)))
        lx->pos++;
    return (tc_token){.kind = TC_TK_NAME, .pos = pos, .end = lx->pos};
}

bool tc_token_is(const tc_lexer *lx, tc_token t, const char *word) {
    size_t n = strlen(word);
    return t.kind == TC_TK_NAME && t.end - t.pos == n && memcmp(lx->text + t.pos, word, n) == 0;
}

const char *tc_token_text(const tc_lexer *lx, tc_token t) {
    enum { LONGEST = 32 };
    if (t.kind == TC_TK_END)
        return "the end";
    tc_text out = {.arena = lx->arena};
    tc_putc(&out, '\'');
    for (size_t i = t.pos; i < t.end && i < t.pos + LONGEST; i++)
        tc_putc(&out, isprint((unsigned char)lx->text[i]) ? lx->text[i] : '?');
    tc_put(&out, t.end - t.pos > LONGEST ? "…'" : "'");
    return tc_text_str(&out);
}
