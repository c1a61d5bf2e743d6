#include "q3_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// White_Space of Unicode, and all else, as members of a class.
#define SPACE "\\t-\\r\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
#define NO_SPACE                                                                                                     \
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" \
    "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}"

enum { MATCHES = 10000000, MATCHES_PER_BYTE = 32 }; // the limit on backtracking: what a pattern may cost, and what a long text takes

struct q3_pattern {
    pcre2_general_context *general;
    pcre2_code *code;
};

// ---- the syntax ----

typedef struct translator {
    const char *file, *at;
    bool in_class;
    q3_text out;
} translator;

static tk_status refused(const translator *t, int n)
{
    return tk_fail(TK_UNSUPPORTED, "%s: the pattern's \"%.*s\" is not supported", t->file, n, t->at);
}

static tk_status keep(translator *t, size_t n)
{
    TK_TRY(q3_text_put(&t->out, t->at, n));
    t->at += n;
    return TK_OK;
}

// \x{h…}, or \xhh of ASCII: above that Oniguruma means a byte.
static tk_status take_code(translator *t)
{
    const char *digits = t->at + (t->at[2] == '{' ? 3 : 2);
    const size_t n = strspn(digits, "0123456789abcdefABCDEF");
    if (t->at[2] == '{')
        return n >= 1 && n <= 6 && digits[n] == '}' ? keep(t, n + 4) : refused(t, 2);
    return n >= 2 && digits[0] < '8' ? keep(t, 4) : refused(t, 2);
}

static tk_status take_escape(translator *t)
{
    const char c = t->at[1];
    if (c == 's' || c == 'S') {
        const char *members = t->in_class ? (c == 's' ? SPACE : NO_SPACE) : c == 's' ? "[" SPACE "]" : "[^" SPACE "]";
        t->at += 2;
        return q3_text_put(&t->out, members, strlen(members));
    }
    if (c == 'x')
        return take_code(t);
    if (c == 'p' || c == 'P') {
        const char *end = t->at[2] == '{' ? strchr(t->at, '}') : NULL;
        return end ? keep(t, (size_t)(end - t->at) + 1) : refused(t, 2);
    }
    return c && (strchr("rntfdD", c) || ispunct((unsigned char)c)) ? keep(t, 2) : refused(t, c ? 2 : 1);
}

static tk_status take_in_class(translator *t)
{
    if (*t->at == '[' || strncmp(t->at, "&&", 2) == 0)
        return refused(t, 2);
    t->in_class = *t->at != ']';
    return keep(t, 1);
}

static tk_status take_group(translator *t)
{
    static const char *const kinds[] = {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!", "(?i:", "(?i)"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strncmp(t->at, kinds[i], strlen(kinds[i])) == 0)
            return keep(t, strlen(kinds[i]));
    return t->at[1] == '?' || t->at[1] == '*' ? refused(t, 3) : keep(t, 1);
}

static tk_status take_outside(translator *t)
{
    switch (*t->at) {
    case '(':
        return take_group(t);
    case '[':
        t->in_class = true;
        TK_TRY(keep(t, t->at[1] == '^' ? 2 : 1));
        return *t->at == ']' ? refused(t, 1) : TK_OK;
    case '^':
    case '$':
        return refused(t, 1);
    case '{':
        return isdigit((unsigned char)t->at[1]) ? keep(t, 1) : refused(t, 2);
    case '}':
        return t->at[1] == '+' ? refused(t, 2) : keep(t, 1);
    default:
        return keep(t, 1);
    }
}

static tk_status translate(translator *t)
{
    while (*t->at)
        TK_TRY(*t->at == '\\' ? take_escape(t) : t->in_class ? take_in_class(t) : take_outside(t));
    return TK_OK;
}

// ---- compiling ----

static void *take(size_t n, void *ctx)
{
    (void)ctx;
    return q3_alloc(n, 1);
}

static void give(void *p, void *ctx)
{
    (void)ctx;
    q3_free(p);
}

static tk_status compile(q3_pattern *p, const char *file, const q3_text *regex)
{
    int error;
    size_t at;
    uint32_t empty = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(p->general);
    if (!context)
        return q3_no_memory(file);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    p->code = pcre2_compile((PCRE2_SPTR)regex->at, regex->n, PCRE2_UTF | PCRE2_UCP, &error, &at, context);
    pcre2_compile_context_free(context);
    if (!p->code) {
        unsigned char text[128];
        if (error == PCRE2_ERROR_HEAP_FAILED || error == PCRE2_ERROR_NOMEMORY)
            return q3_no_memory(file);
        pcre2_get_error_message(error, text, sizeof text);
        return tk_fail(TK_FILE, "%s: the pattern: %s", file, (char *)text);
    }
    pcre2_pattern_info(p->code, PCRE2_INFO_MATCHEMPTY, &empty);
    if (empty)
        return tk_fail(TK_UNSUPPORTED, "%s: the pattern matches the empty text", file);
    pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); // where it cannot, matching is slower
    return TK_OK;
}

static tk_status start(q3_pattern *p, const char *file, const char *regex)
{
    translator t = {.file = file, .at = regex};
    tk_status status = q3_text_put(&t.out, "", 0);
    if (status == TK_OK)
        status = translate(&t);
    if (status == TK_OK && !(p->general = pcre2_general_context_create(take, give, NULL)))
        status = q3_no_memory(file);
    if (status == TK_OK)
        status = compile(p, file, &t.out);
    q3_text_free(&t.out);
    return status;
}

tk_status q3_pattern_new(const char *file, const char *regex, q3_pattern **out)
{
    *out = NULL;
    q3_pattern *p = q3_alloc(1, sizeof *p);
    if (!p)
        return q3_no_memory(file);
    const tk_status status = start(p, file, regex);
    if (status == TK_OK)
        *out = p;
    else
        q3_pattern_free(p);
    return status;
}

void q3_pattern_free(q3_pattern *p)
{
    if (!p)
        return;
    pcre2_code_free(p->code);
    pcre2_general_context_free(p->general);
    q3_free(p);
}

// ---- matching ----

static tk_status match_failed(int error)
{
    unsigned char text[128];
    if (error == PCRE2_ERROR_NOMEMORY)
        return q3_no_memory("splitting a text");
    pcre2_get_error_message(error, text, sizeof text);
    return tk_fail(TK_UNSUPPORTED, "splitting a text: %s", (char *)text);
}

static tk_status split(const q3_pattern *p, const char *text, size_t n, q3_piece_fn *piece, void *ctx, pcre2_match_data *data,
                       pcre2_match_context *context)
{
    const size_t *span = pcre2_get_ovector_pointer(data);
    for (size_t at = 0; at < n;) {
        int found = pcre2_match(p->code, (PCRE2_SPTR)text, n, at, PCRE2_NO_UTF_CHECK, data, context);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT)
            found = pcre2_match(p->code, (PCRE2_SPTR)text, n, at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data, context);
        if (found < 0 && found != PCRE2_ERROR_NOMATCH)
            return match_failed(found);
        const size_t begin = found < 0 ? n : span[0], end = found < 0 ? n : span[1];
        if (begin > at)
            TK_TRY(piece(ctx, text + at, begin - at));
        if (end > begin)
            TK_TRY(piece(ctx, text + begin, end - begin));
        at = end;
    }
    return TK_OK;
}

tk_status q3_pattern_split(const q3_pattern *p, const char *text, size_t n, q3_piece_fn *piece, void *ctx)
{
    pcre2_match_data *data = pcre2_match_data_create(1, p->general);
    pcre2_match_context *context = pcre2_match_context_create(p->general);
    tk_status status = TK_MEMORY;
    if (data && context) {
        const uint64_t limit = MATCHES + (uint64_t)n * MATCHES_PER_BYTE;
        pcre2_set_match_limit(context, limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX);
        status = split(p, text, n, piece, ctx, data, context);
    } else {
        status = q3_no_memory("splitting a text");
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
    return status;
}
