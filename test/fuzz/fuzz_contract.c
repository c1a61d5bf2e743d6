// Fuzz target: contract words of any text, through the parser, the resolver, the regions and the printer.
//
// Line 1 holds the kernel's words, lines 2 to 5 those of the parameters x, y, idx and of the variable counter, line 6
// options. A run that leaves its trap with anything but success is an error.
#include <stdint.h>
#include <stdlib.h>

#include "test/unit/contract_kit.h"

enum { LINES = 6 };

static const tc_type dims_type = {
    .kind = TC_TY_ARRAY, .name = "int[2]", .size = 8, .align = 4, .elem = &kit_int, .count = 2};
static const tc_type ptrs_type = {
    .kind = TC_TY_ARRAY, .name = "float *[2]", .size = 16, .align = 8, .elem = &kit_floats, .count = 2};
static const tc_field fields[] = {{.name = "rows", .type = &kit_int},
                                  {.name = "dims", .type = &dims_type, .offset = 4},
                                  {.name = "ptr", .type = &ptrs_type, .offset = 16},
                                  {.name = "scale", .type = &kit_float, .offset = 32},
                                  {.name = "big", .type = &kit_ulong, .offset = 40}};
static const tc_type struct_type = {
    .kind = TC_TY_STRUCT, .name = "mat", .size = 48, .align = 8, .fields = fields, .nfields = 5};

typedef struct input {
    const char *data;
    size_t size;
} input;

static void split(tc_arena *a, const input *in, const char *lines[LINES]) {
    const char *s = tc_strndup(a, in->data, in->size);
    for (int i = 0; i < LINES; i++) {
        size_t n = strcspn(s, "\n");
        lines[i] = tc_strndup(a, s, n);
        s += n + (s[n] == '\n');
    }
}

static void parse_options(kit *k, const char *words) {
    while (*words) {
        size_t n = strcspn(words, " ");
        const char *error;
        tc_options_parse(&k->options, k->a, tc_strndup(k->a, words, n), &error);
        words += n + (words[n] == ' ');
    }
}

static void use(kit *k) {
    tc_contract *c = &k->c;
    tc_t index[TC_MAX_DIMS];
    for (unsigned d = 0; d < TC_MAX_DIMS; d++)
        index[d] = tc_of_sym(k->ts, tc_sym_new(k->ts, "i", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT));
    for (uint32_t i = 0; i < c->objects.len; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        if (o->ndims)
            tc_contract_flat(c, o, index);
        if (o->region != TC_REGION_NONE)
            tc_contract_owned(c, o, index);
        tc_contract_contents(c, i);
    }
    tc_contract_text(k->a, c);
}

static void check(tc_trap *trap, void *arg) {
    tc_arena *a = tc_arena_new(trap);
    const char *lines[LINES];
    split(a, arg, lines);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    parse_options(k, lines[5]);
    kit_targ(k, "T", 32);
    kit_type_arg(k, "E", &kit_float);
    kit_param(k, "x", &kit_floats, lines[1]);
    kit_param(k, "y", &kit_restrict, lines[2]);
    kit_param(k, "idx", &kit_ints, lines[3]);
    kit_param(k, "p", &struct_type, "");
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "u", &kit_unsigned, "");
    kit_param(k, "l", &kit_long, "");
    kit_param(k, "b", &kit_bool, "");
    kit_var(k, "counter", &kit_int, lines[4]);
    bool ok = kit_make(k, lines[0]) == TC_OK;
    if (ok != (k->out.len == 0))
        abort();
    if (ok)
        use(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {(const char *)data, size};
    if (tc_trap_run(check, &in, NULL) != TC_OK)
        abort();
    return 0;
}
