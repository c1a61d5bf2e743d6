#include "checker/options.h"

#include <string.h>

typedef enum option_id {
#define TC_OPTION(id, key, argument, help) OPT_##id,
#include "checker/options.def"
#undef TC_OPTION
    OPT_COUNT
} option_id;

static const struct {
    const char *key, *argument;
} table[] = {
#define TC_OPTION(id, key, argument, help) {key, argument},
#include "checker/options.def"
#undef TC_OPTION
};

static const char *const rule_codes[] = {
#define TC_RULE(code, title, run) #code,
#include "checker/rules.def"
#undef TC_RULE
};

void tc_options_init(tc_options *o) {
    *o = (tc_options){.effort = 100, .smem = -1};
}

static tc_status fail(tc_arena *a, const char **error, option_id id, const char *value) {
    *error = tc_fmt(a, "option %s wants %s, not '%s'", table[id].key, table[id].argument, value);
    return TC_EINPUT;
}

// ---- values ----

static bool parse_number(const char *s, tc_i128 lo, tc_i128 hi, tc_i128 *r) {
    return tc_i128_parse(s, strlen(s), r) && *r >= lo && *r <= hi;
}

// X, X,Y or X,Y,Z; * leaves a dimension free; those left out are 1.
static bool parse_extents(const char *s, tc_extents *x) {
    *x = (tc_extents){.given = true, .dim = {1, 1, 1}};
    for (int d = 0; d < 3; d++) {
        size_t n = strcspn(s, ",");
        if (n == 1 && *s == '*')
            x->dim[d] = -1;
        else if (!tc_i128_parse(s, n, &x->dim[d]) || x->dim[d] < 1 || x->dim[d] > INT32_MAX)
            return false;
        if (!s[n])
            return true;
        s += n + 1;
    }
    return false;
}

// NAME=…; the part after '=' is in *value.
static bool parse_setting(tc_arena *a, const char *s, tc_setting *out, const char **value) {
    const char *eq = strchr(s, '=');
    if (!eq || eq == s || !eq[1])
        return false;
    *out = (tc_setting){.name = tc_strndup(a, s, (size_t)(eq - s))};
    *value = eq + 1;
    return true;
}

static bool parse_number_setting(tc_arena *a, const char *s, tc_setting *out) {
    const char *value;
    return parse_setting(a, s, out, &value) && tc_i128_parse(value, strlen(value), &out->value);
}

// The position of value among names, or -1.
static int choice(const char *value, const char *const *names, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], value) == 0)
            return i;
    return -1;
}

// ---- rules ----

// Does the item [s, s + n) of a list name this rule, by its code or a prefix of it?
static bool item_names(const char *s, size_t n, const char *code) {
    return n > 0 && n <= strlen(code) && memcmp(s, code, n) == 0;
}

static bool item_names_any(const char *s, size_t n) {
    for (size_t i = 0; i < sizeof rule_codes / sizeof *rule_codes; i++)
        if (item_names(s, n, rule_codes[i]))
            return true;
    return false;
}

static tc_status check_rules(tc_arena *a, const char *list, const char **error) {
    for (const char *s = list;; s++) {
        size_t n = strcspn(s, ",");
        if (!item_names_any(s, n)) {
            *error = tc_fmt(a, "option rules: there is no rule '%.*s'", (int)n, s);
            return TC_EINPUT;
        }
        s += n;
        if (!*s)
            return TC_OK;
    }
}

bool tc_options_rule(const tc_options *o, const char *code) {
    if (!o->rules)
        return true;
    for (const char *s = o->rules;; s++) {
        size_t n = strcspn(s, ",");
        if (item_names(s, n, code))
            return true;
        s += n;
        if (!*s)
            return false;
    }
}

// ---- one option ----

static bool parse_sets(tc_options *o, tc_arena *a, option_id id, const char *value) {
    tc_setting s;
    const char *text;
    if (id == OPT_FILL) {
        if (!parse_setting(a, value, &s, &text))
            return false;
        s.text = tc_strdup(a, text);
        tc_push(a, &o->fills, s);
        return true;
    }
    if (!parse_number_setting(a, value, &s) || (id == OPT_EXTENT && s.value < 0))
        return false;
    if (id == OPT_DEFINE)
        tc_push(a, &o->defines, s);
    else if (id == OPT_SET)
        tc_push(a, &o->sets, s);
    else
        tc_push(a, &o->extents, s);
    return true;
}

static bool parse_value(tc_options *o, tc_arena *a, option_id id, const char *value) {
    static const char *const modes[] = {"warning", "error", "ignore"};
    static const char *const dumps[] = {"model", "contract", "smt"};
    tc_i128 n = 0;
    int k;
    switch (id) {
    case OPT_REPORT:
        o->report = tc_strdup(a, value);
        return *value != '\0';
    case OPT_ALL:
        o->all = true;
        return true;
    case OPT_BLOCK:
        return parse_extents(value, &o->block);
    case OPT_GRID:
        return parse_extents(value, &o->grid);
    case OPT_DEFINE:
    case OPT_SET:
    case OPT_EXTENT:
    case OPT_FILL:
        return parse_sets(o, a, id, value);
    case OPT_UNKNOWN:
        k = choice(value, modes, 3);
        o->unknown = k < 0 ? o->unknown : (tc_unknown_mode)k;
        return k >= 0;
    case OPT_RULES:
        o->rules = tc_strdup(a, value);
        return true;
    case OPT_BUDGET:
        if (!parse_number(value, 1, 1000000, &n))
            return false;
        o->effort = (unsigned)n;
        return true;
    case OPT_SAMEVALUE:
        o->same_value = true;
        return true;
    case OPT_INBOUNDS:
        o->in_bounds = true;
        return true;
    case OPT_LOCKSTEP:
        if (!parse_number(value, 1, 1024, &n))
            return false;
        o->lockstep = (unsigned)n;
        return true;
    case OPT_PUREEXTERN:
        o->pure_extern = true;
        return true;
    case OPT_NULLFUNCTIONS:
        o->null_functions = true;
        return true;
    case OPT_HOSTVARIABLES:
        o->host_variables = true;
        return true;
    case OPT_NOSEARCH:
        o->nosearch = true;
        return true;
    case OPT_LEFT:
        o->left = true;
        return true;
    case OPT_STEPS:
        if (!parse_number(value, 1, (tc_i128)INT64_MAX, &n))
            return false;
        o->steps = (uint64_t)n;
        return true;
    case OPT_UNUSED:
        o->unused = true;
        return true;
    case OPT_LAUNCHES: // the plugin's own
        return true;
    case OPT_EXPLAIN:
        o->explain = tc_strdup(a, value);
        return *value != '\0';
    case OPT_DUMP:
        k = choice(value, dumps, 3);
        o->dump = k < 0 ? o->dump : (tc_dump)(k + 1);
        return k >= 0;
    case OPT_RUN:
        o->run = tc_strdup(a, value);
        return *value != '\0';
    case OPT_SMEM:
        return parse_number(value, 0, INT32_MAX, &o->smem);
    case OPT_SEED:
        if (!parse_number(value, 0, (tc_i128)UINT64_MAX, &n))
            return false;
        o->seed = (uint64_t)n;
        return true;
    case OPT_INFERRED:
        o->inferred = tc_strdup(a, value);
        return *value != '\0';
    case OPT_CONTRACTS:
        o->contracts = tc_strdup(a, value);
        return *value != '\0';
    case OPT_CODE:
        o->code = tc_strdup(a, value);
        return *value != '\0';
    case OPT_NOEMBED:
        o->noembed = true;
        return true;
    case OPT_PARALLEL:
        if (!parse_number(value, 1, 64, &n))
            return false;
        o->parallel = (unsigned)n;
        return true;
    case OPT_FAILALLOC:
        if (!parse_number(value, 0, (tc_i128)UINT64_MAX, &n))
            return false;
        o->failalloc = (uint64_t)n;
        return true;
    case OPT_COUNT:
        break;
    }
    return false;
}

tc_status tc_options_parse(tc_options *o, tc_arena *a, const char *arg, const char **error) {
    size_t n = strcspn(arg, "=");
    bool has_value = arg[n] == '=';
    const char *value = has_value ? arg + n + 1 : "";
    int id = 0;
    while (id < OPT_COUNT && (strlen(table[id].key) != n || memcmp(table[id].key, arg, n) != 0))
        id++;
    if (id == OPT_COUNT) {
        *error = tc_fmt(a, "there is no option '%.*s'", (int)n, arg);
        return TC_EINPUT;
    }
    bool wants_value = *table[id].argument != '\0';
    if (has_value != wants_value) {
        *error = tc_fmt(a, wants_value ? "option %s wants a value: %s=%s" : "option %s has no value", table[id].key,
                        table[id].key, table[id].argument);
        return TC_EINPUT;
    }
    if (id == OPT_RULES && check_rules(a, value, error) != TC_OK)
        return TC_EINPUT;
    return parse_value(o, a, (option_id)id, value) ? TC_OK : fail(a, error, (option_id)id, value);
}
