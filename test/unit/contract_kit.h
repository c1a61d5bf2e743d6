// Kernels made by hand, for tests of contracts: types, parameters with words, a file's names.
#ifndef TC_TEST_CONTRACT_KIT_H
#define TC_TEST_CONTRACT_KIT_H

#include <string.h>

#include "checker/contract.h"

#define KIT_INT(bytes, sign, text)                                                                                     \
    {.kind = TC_TY_INT, .name = (text), .size = (bytes), .align = (bytes), .is_signed = (sign)}
#define KIT_POINTER(to, text) {.kind = TC_TY_POINTER, .name = (text), .size = 8, .align = 8, .elem = (to)}

static const tc_type kit_int = KIT_INT(4, true, "int");
static const tc_type kit_unsigned = KIT_INT(4, false, "unsigned int");
static const tc_type kit_long = KIT_INT(8, true, "long long");
static const tc_type kit_ulong = KIT_INT(8, false, "unsigned long long");
static const tc_type kit_char = KIT_INT(1, true, "char");
static const tc_type kit_bool = {.kind = TC_TY_BOOL, .name = "bool", .size = 1, .align = 1};
static const tc_type kit_float = {.kind = TC_TY_FLOAT, .name = "float", .size = 4, .align = 4};
static const tc_type kit_void = {.kind = TC_TY_VOID, .name = "void"};
static const tc_type kit_floats = KIT_POINTER(&kit_float, "float *");
static const tc_type kit_ints = KIT_POINTER(&kit_int, "int *");
static const tc_type kit_voids = KIT_POINTER(&kit_void, "void *");
static const tc_type kit_restrict = {
    .kind = TC_TY_POINTER, .name = "float *", .size = 8, .align = 8, .is_restrict = true, .elem = &kit_float};

enum { KIT_MAX = 16 };

typedef struct kit {
    tc_arena *a;
    tc_terms *ts;
    tc_options options;
    tc_unit unit;
    tc_kernel kernel;
    tc_param params[KIT_MAX];
    tc_targ targs[KIT_MAX];
    tc_device_var vars[KIT_MAX];
    uint32_t line; // of the next word
    tc_contract c;
    tc_findings out;
} kit;

static inline tc_word kit_word(const char *name, size_t n) {
    static const char *const names[] = {
#define TC_WORD(id, text, where, min, max, help) text,
#include "checker/words.def"
#undef TC_WORD
    };
    for (int w = 0; w < TC_WORD_COUNT; w++)
        if (strlen(names[w]) == n && memcmp(names[w], name, n) == 0)
            return (tc_word)w;
    return TC_WORD_COUNT;
}

// "mut shape(n, f(m)) tile(16)": words outside of parentheses are separated by blanks. Each has a line of its own.
static inline tc_attrs kit_attrs(kit *k, const char *words) {
    tc_attrs out = {0};
    for (const char *s = words; *s;) {
        s += strspn(s, " ");
        size_t n = strcspn(s, " (");
        if (!n)
            break;
        tc_attr attr = {.word = kit_word(s, n), .name = tc_strndup(k->a, s, n)};
        attr.loc = (tc_loc){.line = k->line++, .column = 5};
        s += n;
        if (*s == '(') {
            const char *from = ++s;
            for (int open = 1; *s && (open += (*s == '(') - (*s == ')')) > 0; s++)
                ;
            attr.text = tc_strndup(k->a, from, (size_t)(s - from));
            s += *s != '\0';
        }
        tc_push(k->a, &out, attr);
    }
    return out;
}

static inline void kit_param(kit *k, const char *name, const tc_type *type, const char *words) {
    k->params[k->kernel.nparams++] =
        (tc_param){.name = name, .type = type, .attrs = kit_attrs(k, words), .loc = {.line = k->line, .column = 9}};
}

static inline void kit_targ(kit *k, const char *name, tc_i128 value) {
    k->targs[k->kernel.ntargs++] = (tc_targ){.name = name, .value = value};
}

static inline void kit_type_arg(kit *k, const char *name, const tc_type *type) {
    k->targs[k->kernel.ntargs++] = (tc_targ){.name = name, .is_type = true, .type = type};
}

static inline void kit_var(kit *k, const char *name, const tc_type *type, const char *words) {
    k->vars[k->unit.nvars++] =
        (tc_device_var){.name = name, .mangled = name, .type = type, .attrs = kit_attrs(k, words)};
}

// The file has: BM = 64, NEG = -3, A::B<3>::c = 9, the type item_t (int), the functions half and A::f<3>.
static inline bool kit_resolve(void *ctx, const tc_kernel *kernel, const char *name, tc_name *out) {
    (void)ctx;
    (void)kernel;
    static const struct {
        const char *name;
        tc_name is;
    } names[] = {{"BM", {.kind = TC_NAME_VALUE, .value = 64}},
                 {"NEG", {.kind = TC_NAME_VALUE, .value = -3}},
                 {"A::B<3>::c", {.kind = TC_NAME_VALUE, .value = 9}},
                 {"item_t", {.kind = TC_NAME_TYPE, .type = &kit_int}},
                 {"half", {.kind = TC_NAME_FUNCTION, .mangled = "_Z4halfi"}},
                 {"A::f<3>", {.kind = TC_NAME_FUNCTION, .mangled = "_ZN1A1fILi3EEEii"}}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0) {
            *out = names[i].is;
            return true;
        }
    return false;
}

// half(x) is x / 2; every other function cannot be lifted.
static inline tc_t kit_call(void *ctx, tc_contract *c, const char *mangled, const tc_t *args, size_t nargs,
                            bool is_signed, tc_t *defined, const char **why) {
    (void)ctx;
    (void)is_signed;
    *defined = tc_bool(c->terms, true);
    if (strcmp(mangled, "_Z4halfi") == 0 && nargs == 1)
        return tc_tdiv(c->terms, args[0], tc_int(c->terms, 2));
    *why = "it has a loop";
    return NULL;
}

static inline void kit_init(kit *k, tc_arena *a) {
    memset(k, 0, sizeof *k);
    k->a = a;
    k->ts = tc_terms_new(a);
    tc_options_init(&k->options);
    k->line = 100;
    k->kernel.name = "k";
    k->kernel.mangled = "_Z1kv";
    k->kernel.loc = (tc_loc){.line = 99, .column = 1};
    k->kernel.has_body = true;
    k->unit.nkernels = 1;
    k->unit.resolve = kit_resolve;
}

static inline tc_status kit_make(kit *k, const char *kernel_words) {
    k->kernel.attrs = kit_attrs(k, kernel_words);
    k->kernel.params = k->params;
    k->kernel.targs = k->targs;
    k->unit.kernels = &k->kernel;
    k->unit.vars = k->vars;
    tc_contract_set_call_hook(&k->c, kit_call, NULL);
    return tc_contract_make(k->a, k->ts, &k->unit, &k->kernel, &k->options, &k->c, &k->out);
}

// "line: text" of each finding, one a line.
static inline const char *kit_findings(kit *k) {
    tc_text t = {.arena = k->a};
    for (size_t i = 0; i < k->out.len; i++)
        tc_putf(&t, "%u: %s\n", k->out.data[i].loc.line, k->out.data[i].text);
    return tc_text_str(&t);
}

#endif
