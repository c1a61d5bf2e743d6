// Inline PTX. Grammar: PTX ISA, "Syntax", as far as asm statements use it.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/effects.h"

typedef struct ptx_row {
    const char *prefix;
    tc_effect effect;
} ptx_row;

static const ptx_row ptx_rows[] = {
#define TC_PTX(prefix, kind, arg, what) {prefix, {TC_FX_##kind, (uint32_t)(arg), 0, what}},
#include "checker/ptx.def"
};

static const struct {
    const char *text;
    unsigned bits;
} ptx_types[] = {
#define X(name, text, bits) {text, bits},
    TC_PTX_TYPES(X)
#undef X
};

unsigned tc_ptx_type_bits(tc_ptx_type t) {
    return ptx_types[t].bits;
}

static tc_effect effect_of_opcode(const char *opcode) {
    tc_effect best = {TC_FX_UNKNOWN, 0, 0, NULL};
    size_t best_len = 0;
    for (size_t i = 0; i < sizeof ptx_rows / sizeof *ptx_rows; i++) {
        size_t n = strlen(ptx_rows[i].prefix);
        bool at_stop = strncmp(ptx_rows[i].prefix, opcode, n) == 0 && (opcode[n] == '.' || opcode[n] == '\0');
        if (at_stop && n > best_len) {
            best_len = n;
            best = ptx_rows[i].effect;
        }
    }
    return best;
}

// Is `word` one of the opcode's parts between full stops?
static bool has_part(const char *opcode, const char *word) {
    size_t n = strlen(word);
    for (const char *p = opcode; (p = strchr(p, '.')); p++)
        if (strncmp(p + 1, word, n) == 0 && (p[n + 1] == '.' || p[n + 1] == '\0'))
            return true;
    return false;
}

typedef struct word_value {
    const char *word;
    unsigned value;
} word_value;

static unsigned part_value(const char *opcode, const word_value *table, size_t n, unsigned otherwise) {
    for (size_t i = 0; i < n; i++)
        if (has_part(opcode, table[i].word))
            return table[i].value;
    return otherwise;
}
#define PART_VALUE(opcode, table, otherwise) part_value(opcode, table, sizeof(table) / sizeof *(table), otherwise)

static const word_value spaces[] = {{"global", TC_PTX_GLOBAL},      {"shared", TC_PTX_SHARED},
                                    {"shared::cta", TC_PTX_SHARED}, {"local", TC_PTX_LOCAL},
                                    {"const", TC_PTX_CONST},        {"param", TC_PTX_PARAM}};
static const word_value numbers[] = {{"x1", 1}, {"x2", 2}, {"x4", 4}};
static const word_value vectors[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};
static const word_value orders[] = {{"relaxed", 1}, {"acquire", 2}, {"release", 3},
                                    {"acq_rel", 4}, {"sc", 5},      {"volatile", 1}};
static const word_value scopes[] = {
    {"cta", TC_FXS_CTA}, {"cluster", TC_FXS_CLUSTER}, {"gpu", TC_FXS_GPU}, {"sys", TC_FXS_SYS}};
static const word_value atomics[] = {{"add", TC_AT_ADD}, {"exch", TC_AT_EXCH}, {"cas", TC_AT_CAS}, {"min", TC_AT_MIN},
                                     {"max", TC_AT_MAX}, {"inc", TC_AT_INC},   {"dec", TC_AT_DEC}, {"and", TC_AT_AND},
                                     {"or", TC_AT_OR},   {"xor", TC_AT_XOR}};

static void read_types(const char *opcode, tc_ptx_inst *in) {
    for (const char *p = opcode; (p = strchr(p, '.')); p++) {
        size_t n = strcspn(p + 1, ".");
        for (unsigned t = 1; t < TC_PTXT_COUNT; t++)
            if (strlen(ptx_types[t].text) == n && strncmp(p + 1, ptx_types[t].text, n) == 0) {
                in->type2 = in->type;
                in->type = (tc_ptx_type)t;
            }
    }
}

static bool is_float_type(tc_ptx_type t) {
    return t >= TC_PTXT_F16 && t <= TC_PTXT_TF32;
}

static uint32_t atomic_op(const tc_ptx_inst *in) {
    unsigned op = PART_VALUE(in->opcode, atomics, TC_AT_ADD);
    if (is_float_type(in->type))
        return op == TC_AT_MIN ? TC_AT_FMIN : op == TC_AT_MAX ? TC_AT_FMAX : TC_AT_FADD;
    bool is_signed = in->type >= TC_PTXT_S8 && in->type <= TC_PTXT_S64;
    if (!is_signed && op == TC_AT_MIN)
        return TC_AT_UMIN;
    if (!is_signed && op == TC_AT_MAX)
        return TC_AT_UMAX;
    return op;
}

// Special registers that have no entry in the table: their value is not known, and they are no registers of the asm's
// own.
static bool is_other_special(const char *name) {
    static const char *const prefixes[] = {"%envreg",  "%smid",     "%nsmid",         "%gridid",     "%nwarpid",
                                           "%pm",      "%cluster",  "%reserved_smem", "%total_smem", "%aggr_smem",
                                           "%current", "%ncluster", "%is_explicit"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

// What the parts after the first ones add to the effect.
static void refine(tc_ptx_inst *in) {
    const char *op = in->opcode;
    in->vector = PART_VALUE(op, vectors, 1);
    in->space = (tc_ptx_space)PART_VALUE(op, spaces, TC_PTX_GENERIC);
    in->is_volatile = has_part(op, "volatile");
    in->order = PART_VALUE(op, orders, 0);
    in->scope = PART_VALUE(op, scopes, in->is_volatile ? TC_FXS_SYS : TC_FXS_GPU);
    read_types(op, in);
    uint32_t bytes = tc_ptx_type_bits(in->type) / 8 * in->vector;
    switch (in->effect.kind) {
    case TC_FX_LOAD:
        if (has_part(op, "nc"))
            in->effect.kind = TC_FX_LOAD_NC;
        in->effect.width = bytes;
        break;
    case TC_FX_LOAD_NC:
    case TC_FX_STORE:
        in->effect.width = bytes;
        break;
    case TC_FX_ATOMIC:
        if (in->order == 0)
            in->order = 1;
        in->effect.arg = atomic_op(in);
        in->effect.width = in->scope;
        if (in->vector != 1 || has_part(op, "f16x2") || has_part(op, "bf16x2") || has_part(op, "b128"))
            in->effect.kind = TC_FX_UNKNOWN;
        break;
    case TC_FX_FENCE:
        if (has_part(op, "sys") || has_part(op, "cta") || has_part(op, "cluster"))
            in->effect.arg = in->scope;
        if (in->order == 0)
            in->order = strncmp(op, "fence", 5) == 0 ? 4 : 5;
        break;
    case TC_FX_CP_ASYNC:
        in->effect.width = in->noperands > 2 ? (uint32_t)strtoul(in->operands[2], NULL, 0) : 0;
        break;
    case TC_FX_CP_WAIT:
        in->effect.width = has_part(op, "wait_all");
        if (in->noperands > 0 && isdigit((unsigned char)in->operands[0][0]))
            in->effect.arg = (uint32_t)strtoul(in->operands[0], NULL, 0);
        break;
    case TC_FX_MATRIX_LOAD:
    case TC_FX_MATRIX_STORE:
        in->effect.arg = PART_VALUE(op, numbers, 0);
        in->effect.width = has_part(op, "trans");
        if (in->effect.arg == 0 || !has_part(op, "m8n8") || !has_part(op, "b16") || !has_part(op, "sync") || !has_part(op, "aligned"))
            in->effect.kind = TC_FX_UNKNOWN;
        break;
    case TC_FX_MATRIX_OP:
        if (!has_part(op, "sync") || !has_part(op, "aligned") || in->noperands < 2)
            in->effect.kind = TC_FX_UNKNOWN;
        break;
    case TC_FX_VOTE:
        if (in->type == TC_PTXT_U32 && in->effect.arg == TC_VOTE_REDUX_MIN)
            in->effect.arg = TC_VOTE_REDUX_UMIN;
        if (in->type == TC_PTXT_U32 && in->effect.arg == TC_VOTE_REDUX_MAX)
            in->effect.arg = TC_VOTE_REDUX_UMAX;
        break;
    default:
        break;
    }
    // Another block's memory.
    if (has_part(op, "shared::cluster"))
        in->effect.kind = TC_FX_UNKNOWN;
    for (size_t i = 0; i < in->noperands; i++)
        if (is_other_special(in->operands[i]))
            in->effect.kind = TC_FX_UNKNOWN;
    // mov from a special register.
    if (strcmp(in->base, "mov") == 0 && in->noperands == 2 && in->operands[1][0] == '%' &&
        isalpha((unsigned char)in->operands[1][1]) && tc_sreg_of_ptx(in->operands[1]) != TC_SREG_OTHER) {
        in->effect.kind = TC_FX_SREG;
        in->effect.arg = tc_sreg_of_ptx(in->operands[1]);
        in->effect.what = tc_sreg_name(tc_sreg_of_ptx(in->operands[1]));
    }
}

typedef struct parser {
    tc_arena *a;
    const char *p;
    tc_ptx_inst *out;
    size_t n, max;
    int depth;
} parser;

static void skip_space(parser *ps) {
    for (;;) {
        while (isspace((unsigned char)*ps->p))
            ps->p++;
        if (ps->p[0] == '/' && ps->p[1] == '/')
            ps->p += strcspn(ps->p, "\n");
        else if (ps->p[0] == '/' && ps->p[1] == '*') {
            const char *end = strstr(ps->p + 2, "*/");
            ps->p = end ? end + 2 : ps->p + strlen(ps->p);
        } else
            return;
    }
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%' || c == ':';
}

// Copies [from, to) with spaces trimmed, $0 as %0, ${0:x} as %0 and $$ as $.
static const char *operand_text(tc_arena *a, const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    char *r = tc_alloc(a, (size_t)(to - from) + 1), *w = r;
    for (const char *p = from; p < to;) {
        if (p[0] == '$' && p + 1 < to && p[1] == '$') {
            *w++ = '$';
            p += 2;
        } else if (p[0] == '$' && p + 1 < to && isdigit((unsigned char)p[1])) {
            *w++ = '%';
            p++;
        } else if (p[0] == '$' && p + 1 < to && p[1] == '{') {
            *w++ = '%';
            p += 2;
            while (p < to && isdigit((unsigned char)*p))
                *w++ = *p++;
            while (p < to && *p != '}')
                p++;
            p += p < to;
        } else if (isspace((unsigned char)*p)) {
            p++;
        } else {
            *w++ = *p++;
        }
    }
    return r;
}

static bool add_operand(tc_arena *a, tc_ptx_inst *in, const char *from, const char *to) {
    if (in->noperands == 8)
        return false;
    const char *text = operand_text(a, from, to);
    size_t n = strlen(text);
    if (n == 0)
        return false;
    if (text[0] == '[') {
        if (text[n - 1] != ']')
            return false;
        in->is_mem[in->noperands] = true;
        text = tc_strndup(a, text + 1, n - 2);
    }
    in->operands[in->noperands++] = text;
    return true;
}

// Reads up to the semicolon. Operands are separated by commas outside of braces and brackets; `p|q` stays one operand.
static bool parse_operands(parser *ps, tc_ptx_inst *in) {
    const char *from = ps->p;
    int nest = 0;
    skip_space(ps);
    if (*ps->p == ';' || *ps->p == '\0') {
        ps->p += *ps->p == ';';
        return true;
    }
    for (;; ps->p++) {
        char c = *ps->p;
        // LLVM's ${0:x} is no vector.
        if (c == '{' || c == '[' || c == '(')
            nest++;
        else if (c == '}' || c == ']' || c == ')') {
            if (nest == 0 && c == '}')
                break; // the last instruction of a scope, without its semicolon
            if (--nest < 0)
                return false;
        } else if ((c == ',' && nest == 0) || c == ';' || c == '\0') {
            if (nest != 0 || !add_operand(ps->a, in, from, ps->p))
                return false;
            from = ps->p + 1;
            if (c == ';')
                ps->p++;
            if (c != ',')
                return true;
        }
    }
    return add_operand(ps->a, in, from, ps->p);
}

static bool parse_predicate(parser *ps, tc_ptx_inst *in) {
    if (*ps->p != '@')
        return true;
    ps->p++;
    skip_space(ps);
    if (*ps->p == '!') {
        in->negated = true;
        ps->p++;
        skip_space(ps);
    }
    const char *from = ps->p;
    while (is_word(*ps->p))
        ps->p++;
    in->predicate = operand_text(ps->a, from, ps->p);
    skip_space(ps);
    return *in->predicate != '\0';
}

static bool skip_declaration(parser *ps) {
    ps->p += strcspn(ps->p, ";");
    if (*ps->p != ';')
        return false;
    ps->p++;
    return true;
}

static bool push(parser *ps, const tc_ptx_inst *in) {
    if (ps->n == ps->max)
        return false;
    ps->out[ps->n++] = *in;
    return true;
}

static bool parse_statement(parser *ps) {
    tc_ptx_inst in = {0};
    if (!parse_predicate(ps, &in))
        return false;
    const char *from = ps->p;
    while (is_word(*ps->p) && !(ps->p[0] == ':' && ps->p[1] != ':' && (ps->p == from || ps->p[-1] != ':')))
        ps->p++;
    if (ps->p == from || from[0] == '%' || isdigit((unsigned char)from[0]))
        return false;
    in.opcode = operand_text(ps->a, from, ps->p);
    in.base = tc_strndup(ps->a, in.opcode, strcspn(in.opcode, "."));
    if (*ps->p == ':') { // a label
        ps->p++;
        in.effect.what = "label";
        return push(ps, &in);
    }
    if (!parse_operands(ps, &in))
        return false;
    in.effect = effect_of_opcode(in.opcode);
    refine(&in);
    return push(ps, &in);
}

int tc_ptx_parse(tc_arena *a, const char *text, tc_ptx_inst *out, size_t max) {
    parser ps = {a, text, out, 0, max, 0};
    for (skip_space(&ps); *ps.p; skip_space(&ps)) {
        bool ok = true;
        if (*ps.p == '{') {
            ps.depth++;
            ps.p++;
        } else if (*ps.p == '}') {
            ok = --ps.depth >= 0;
            ps.p++;
        } else if (*ps.p == ';') {
            ps.p++;
        } else if (*ps.p == '.') {
            ok = skip_declaration(&ps);
        } else {
            ok = parse_statement(&ps);
        }
        if (!ok)
            return -1;
    }
    return ps.depth == 0 ? (int)ps.n : -1;
}
