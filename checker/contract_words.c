// The words of a contract: where each may stand, what excludes and what needs what.
#include "checker/contract_build.h"

#include <string.h>

enum { ANY_NUMBER = 99 };

// ---- the table ----

enum { WHERE_P = 0, WHERE_K = 1 };

static const tc_word_info infos[] = {
#define TC_WORD(id, name, where, min, max, help) {name, WHERE_##where != 0, min, max},
#include "checker/words.def"
#undef TC_WORD
};

const tc_word_info *tc_word_info_of(tc_word w) {
    return &infos[w];
}

static tc_word word_named(const char *name, size_t n) {
    for (int w = 0; w < TC_WORD_COUNT; w++)
        if (strlen(infos[w].name) == n && memcmp(infos[w].name, name, n) == 0)
            return (tc_word)w;
    return TC_WORD_COUNT;
}

static const char *nearest_word(tc_build *b, const char *name, bool on_kernel) {
    const char *names[TC_WORD_COUNT];
    size_t n = 0;
    for (int w = 0; w < TC_WORD_COUNT; w++)
        if (infos[w].on_kernel == on_kernel)
            names[n++] = infos[w].name;
    return tc_nearest_hint(b->arena, name, names, n);
}

// Does the word exist, and may it stand on a kernel or on a pointer?
static bool word_fits(tc_build *b, const tc_said *said, bool on_kernel) {
    if (said->word == TC_WORD_COUNT && strncmp(said->name, "__attribute", 11) == 0) { // the macro tc_mut, expanded
        tc_contract_fail(b, said->loc, "tc_param(p.out, mut, shape(n))", "in tc_param words stand without 'tc_'");
        return false;
    }
    if (said->word == TC_WORD_COUNT) {
        tc_contract_fail(b, said->loc, nearest_word(b, said->name, on_kernel),
                         "there is no word 'tc_%s' in the contract language", said->name);
        return false;
    }
    if (infos[said->word].on_kernel == on_kernel)
        return true;
    tc_contract_fail(b, said->loc, NULL,
                     on_kernel ? "tc_%s is said of a parameter, a field or a device variable, not of a kernel"
                               : "tc_%s is said of a kernel, not of a parameter, a field or a device variable",
                     said->name);
    return false;
}

static bool same_text(const char *a, const char *b) {
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

// The same word with the same argument again says nothing new; with another one it is an error.
static void say_once(tc_build *b, const tc_said **slot, const tc_said *said) {
    if (!*slot)
        *slot = said;
    else if (!same_text((*slot)->text, said->text)) {
        tc_contract_fail(b, said->loc, NULL, "tc_%s is said twice, with different arguments", said->name);
        tc_contract_note(b, (*slot)->loc, "the other tc_%s is here", said->name);
    }
}

// ---- words on objects ----

static void say_of_object(tc_build *b, uint32_t object, const tc_said *said) {
    say_once(b, &b->words.data[object].of[said->word], said);
}

// All pointers of an array, one by one; false when it has none.
static bool say_of_elements(tc_build *b, const char *path, const tc_said *said) {
    bool any = false;
    const tc_place *array = tc_place_find(b, path);
    for (uint64_t i = 0; i < array->type->count; i++) {
        const char *element = tc_fmt(b->arena, "%s[%llu]", path, (unsigned long long)i);
        const tc_place *p = tc_place_find(b, element);
        if (!p)
            break;
        tc_said *copy = TC_NEW(b->arena, tc_said);
        *copy = *said;
        copy->index = (tc_i128)i;
        if (p->kind == TC_PLACE_OBJECT) {
            say_of_object(b, p->index, copy);
            any = true;
        } else if (p->kind == TC_PLACE_ARRAY)
            any |= say_of_elements(b, element, copy);
    }
    return any;
}

static void not_a_pointer(tc_build *b, const char *path, const tc_place *p, const tc_said *said) {
    const char *hint = p->kind == TC_PLACE_STRUCT
                           ? tc_fmt(b->arena, "say it of its fields, or on the kernel: tc_param(%s.field, …)", path)
                           : NULL;
    tc_contract_fail(b, said->loc, hint, "tc_%s: '%s' is %s, not a pointer", said->name, path,
                     p->type->name ? p->type->name : "something else");
}

static void say(tc_build *b, const char *path, const tc_said *said) {
    b->c->annotated = true;
    if (!word_fits(b, said, false))
        return;
    const tc_place *p = tc_place_find(b, path);
    if (!p)
        tc_contract_fail(b, said->loc, NULL, "'%s' is beyond the number of parts of parameters that a contract covers",
                         path);
    else if (p->kind == TC_PLACE_OBJECT)
        say_of_object(b, p->index, said);
    else if (p->kind != TC_PLACE_ARRAY || !say_of_elements(b, path, said))
        not_a_pointer(b, path, p, said);
}

static const tc_said *said_of(tc_build *b, const tc_attr *attr, const char *prefix) {
    tc_said *s = TC_NEW(b->arena, tc_said);
    *s = (tc_said){.word = attr->word,
                   .name = attr->name ? attr->name : "",
                   .text = attr->text,
                   .loc = attr->loc,
                   .whole = attr->text ? attr->text : "",
                   .prefix = prefix};
    return s;
}

void tc_words_say(tc_build *b, const char *path, const char *prefix, const tc_attr *attr) {
    say(b, path, said_of(b, attr, prefix));
}

// ---- tc_param ----

// The parsed first piece of a tc_param; NULL after an error.
static const tc_expr *param_target(tc_build *b, const tc_said *param, const tc_piece *piece) {
    tc_exprs target = {0};
    tc_expr_error err;
    const char *text = tc_strndup(b->arena, param->text + piece->pos, piece->end - piece->pos);
    if (tc_expr_parse(b->arena, text, &target, NULL, &err) == TC_OK && target.len == 1)
        return target.data[0];
    tc_contract_fail_at(b, param, piece->pos, piece->end, NULL,
                        "tc_param wants a parameter or a field first, as in tc_param(p.x, shared, shape(n))");
    return NULL;
}

static const tc_said *param_word(tc_build *b, const tc_said *param, const tc_piece *piece) {
    const char *text = param->text;
    tc_said *s = TC_NEW(b->arena, tc_said);
    *s = *param;
    size_t name_pos = piece->pos;
    if (piece->word_end - name_pos > 3 && memcmp(text + name_pos, "tc_", 3) == 0)
        name_pos += 3;
    s->name = tc_strndup(b->arena, text + name_pos, piece->word_end - name_pos);
    s->word = word_named(s->name, strlen(s->name));
    s->text = piece->has_args ? tc_strndup(b->arena, text + piece->args_pos, piece->args_end - piece->args_pos) : NULL;
    s->base = piece->has_args ? piece->args_pos : piece->pos;
    if (piece->word_end == piece->pos || (!piece->has_args && piece->word_end != piece->end)) {
        tc_contract_fail_at(b, param, piece->pos, piece->end, NULL, "expected a word such as shared or shape(n)");
        return NULL;
    }
    return s;
}

// tc_param(p.ptr[i], …): "p.ptr" with i standing for each index. Otherwise the path itself.
static const char *param_path(tc_build *b, const tc_said *param, const tc_piece *piece, const char **index_name) {
    const tc_expr *e = param_target(b, param, piece);
    if (!e)
        return NULL;
    const char *path = tc_expr_path(b->arena, e, index_name);
    if (!path)
        tc_contract_fail_at(b, param, piece->pos, piece->end, NULL, "this is not a parameter or a field of one");
    else if (!tc_place_find(b, path)) {
        tc_contract_fail_at(b, param, piece->pos, piece->end,
                            tc_nearest_hint(b->arena, path, b->places.keys, b->places.len),
                            "the kernel has no parameter '%s'", path);
        path = NULL;
    }
    return path;
}

static void say_param(tc_build *b, const tc_said *param) {
    tc_pieces pieces = {0};
    tc_expr_error err;
    if (tc_expr_split(b->arena, param->text ? param->text : "", &pieces, &err) != TC_OK) {
        tc_contract_fail_at(b, param, err.pos, err.end, err.hint, "tc_param: %s", err.message);
        return;
    }
    if (pieces.len < 2) {
        tc_contract_fail(b, param->loc, NULL,
                         "tc_param wants a parameter and what is said of it, as in tc_param(p.x, shared, shape(n))");
        return;
    }
    const char *index_name = NULL, *path = param_path(b, param, &pieces.data[0], &index_name);
    for (size_t i = 1; path && i < pieces.len; i++) {
        const tc_said *word = param_word(b, param, &pieces.data[i]);
        if (!word)
            continue;
        tc_said *s = TC_NEW(b->arena, tc_said);
        *s = *word;
        s->index_name = index_name;
        say(b, path, s);
    }
}

// ---- words on the kernel ----

void tc_words_of_kernel(tc_build *b) {
    for (size_t i = 0; i < b->kernel->attrs.len; i++) {
        const tc_said *said = said_of(b, &b->kernel->attrs.data[i], "");
        b->c->annotated = true;
        if (!word_fits(b, said, true))
            continue;
        switch (said->word) {
        case TC_WORD_PARAM:
            say_param(b, said);
            break;
        case TC_WORD_REQUIRES:
            tc_push(b->arena, &b->requires, said);
            break;
        case TC_WORD_FORALL:
            tc_push(b->arena, &b->foralls, said);
            break;
        case TC_WORD_DISTINCT:
            tc_push(b->arena, &b->distinct, said);
            break;
        case TC_WORD_MAY_ALIAS:
            tc_push(b->arena, &b->may_alias, said);
            break;
        default:
            say_once(b, &b->kernel_words.of[said->word], said);
        }
    }
}

// ---- arguments ----

static void wrong_count(tc_build *b, const tc_said *said, size_t n) {
    const tc_word_info *w = &infos[said->word];
    bool dims = said->word == TC_WORD_SHAPE || said->word == TC_WORD_STRIDE || said->word == TC_WORD_TILE ||
                said->word == TC_WORD_AT;
    if (dims && n > TC_MAX_DIMS)
        tc_contract_fail(b, said->loc, NULL, "tc_%s has %zu dimensions; at most %d are possible", said->name, n,
                         TC_MAX_DIMS);
    else if (w->max_args == 0)
        tc_contract_fail(b, said->loc, NULL, "tc_%s has no arguments", said->name);
    else if (w->min_args == w->max_args)
        tc_contract_fail(b, said->loc, NULL, "tc_%s wants %zu argument%s, not %zu", said->name, w->min_args,
                         w->min_args == 1 ? "" : "s", n);
    else if (w->max_args == ANY_NUMBER)
        tc_contract_fail(b, said->loc, NULL, "tc_%s wants at least %zu argument%s, not %zu", said->name, w->min_args,
                         w->min_args == 1 ? "" : "s", n);
    else
        tc_contract_fail(b, said->loc, NULL, "tc_%s wants %zu to %zu arguments, not %zu", said->name, w->min_args,
                         w->max_args, n);
}

bool tc_words_args(tc_build *b, const tc_said *said, tc_exprs *args, tc_exprs *binders) {
    const tc_word_info *w = &infos[said->word];
    tc_expr_error err;
    if (tc_expr_parse(b->arena, said->text ? said->text : "", args, binders, &err) != TC_OK) {
        tc_contract_fail_at(b, said, err.pos, err.end, err.hint, "tc_%s: %s", said->name, err.message);
        return false;
    }
    bool dims = said->word == TC_WORD_SHAPE || said->word == TC_WORD_STRIDE || said->word == TC_WORD_TILE ||
                said->word == TC_WORD_AT;
    if (args->len < w->min_args || (w->max_args != ANY_NUMBER && args->len > w->max_args) ||
        (dims && args->len > TC_MAX_DIMS)) {
        wrong_count(b, said, args->len);
        return false;
    }
    if (binders && args->len != 1) {
        tc_contract_fail(b, said->loc, NULL, "tc_%s wants one expression after the semicolon, not %zu", said->name,
                         args->len);
        return false;
    }
    return true;
}

// ---- what excludes and what needs what ----

static const struct {
    tc_word word;
    tc_borrow borrow;
} borrows[] = {{TC_WORD_SHARED, TC_BORROW_SHARED},
               {TC_WORD_MUT, TC_BORROW_MUT},
               {TC_WORD_OUT, TC_BORROW_OUT},
               {TC_WORD_ATOMIC, TC_BORROW_ATOMIC},
               {TC_WORD_UNCHECKED, TC_BORROW_UNCHECKED}};

bool tc_words_exclusive(tc_borrow borrow) {
    return borrow == TC_BORROW_MUT || borrow == TC_BORROW_OUT;
}

static void check_borrow(tc_build *b, tc_object_contract *o, const tc_words *w) {
    const tc_said *first = NULL;
    for (size_t i = 0; i < sizeof borrows / sizeof *borrows; i++) {
        const tc_said *said = w->of[borrows[i].word];
        if (!said)
            continue;
        if (first) {
            tc_contract_fail(b, said->loc, "a parameter is borrowed in one way", "'%s' is said to be tc_%s and tc_%s",
                             o->path, first->name, said->name);
            continue;
        }
        first = said;
        o->borrow = borrows[i].borrow;
        o->borrow_loc = said->loc;
    }
}

static void excludes(tc_build *b, const tc_object_contract *o, const tc_words *w, tc_word a, tc_word c) {
    if (w->of[a] && w->of[c])
        tc_contract_fail(b, w->of[c]->loc, NULL,
                         "tc_%s and tc_%s of '%s' are two ways to say one thing: which is meant?", w->of[a]->name,
                         w->of[c]->name, o->path);
}

static void needs(tc_build *b, const tc_object_contract *o, const tc_words *w, tc_word a, tc_word need,
                  const char *why) {
    if (w->of[a] && !w->of[need])
        tc_contract_fail(b, w->of[a]->loc, NULL, "tc_%s of '%s' needs tc_%s: %s", w->of[a]->name, o->path,
                         infos[need].name, why);
}

// Words that mean something under some borrows only.
static void check_fit(tc_build *b, const tc_object_contract *o, const tc_words *w, tc_word word, bool fits,
                      const char *why) {
    if (w->of[word] && !fits)
        tc_contract_fail(b, w->of[word]->loc, NULL, "tc_%s of '%s': %s", w->of[word]->name, o->path, why);
}

static void check_words(tc_build *b, tc_object_contract *o, const tc_words *w) {
    static const tc_word regions[] = {TC_WORD_TILE, TC_WORD_AT, TC_WORD_OWNER, TC_WORD_ROWS};
    static const tc_word stored[] = {TC_WORD_RANGE, TC_WORD_INJECTIVE, TC_WORD_MONOTONE};
    bool region_fits = tc_words_exclusive(o->borrow) || o->borrow == TC_BORROW_NONE;
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++)
        check_fit(b, o, w, regions[i], region_fits, "only what is tc_mut or tc_out has a region for each block");
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        check_fit(b, o, w, stored[i], o->borrow == TC_BORROW_SHARED,
                  "stored values are known of tc_shared arrays only");
        check_fit(b, o, w, stored[i], o->elem && tc_type_is_integer(o->elem), "the elements are not integers");
    }
    check_fit(b, o, w, TC_WORD_INIT, o->borrow == TC_BORROW_ATOMIC, "only a tc_atomic has a value at launch");
    check_fit(b, o, w, TC_WORD_INPLACE, tc_words_exclusive(o->borrow),
              "only what is tc_mut or tc_out can be in place of another");
    check_fit(b, o, w, TC_WORD_INPLACE, !o->is_restrict, "__restrict__ says that no other pointer reaches this memory");
    excludes(b, o, w, TC_WORD_AT, TC_WORD_OWNER);
    excludes(b, o, w, TC_WORD_TILE, TC_WORD_ROWS);
    excludes(b, o, w, TC_WORD_AT, TC_WORD_ROWS);
    excludes(b, o, w, TC_WORD_OWNER, TC_WORD_ROWS);
    needs(b, o, w, TC_WORD_TILE, TC_WORD_SHAPE, "a tile is a part of a shape");
    needs(b, o, w, TC_WORD_ROWS, TC_WORD_SHAPE, "rows are a part of a shape");
    needs(b, o, w, TC_WORD_STRIDE, TC_WORD_SHAPE, "without extents, strides bound nothing");
    needs(b, o, w, TC_WORD_AT, TC_WORD_TILE, "it says which tile is a block's");
    needs(b, o, w, TC_WORD_OWNER, TC_WORD_TILE, "it says whose a tile is");
    o->optional = w->of[TC_WORD_OPTIONAL] != NULL;
    o->injective = w->of[TC_WORD_INJECTIVE] != NULL;
    o->monotone = w->of[TC_WORD_MONOTONE] != NULL;
}

// Words without arguments must have none.
static void check_plain(tc_build *b, const tc_words *w) {
    for (int i = 0; i < TC_WORD_COUNT; i++) {
        tc_exprs args = {0};
        if (w->of[i] && infos[i].max_args == 0 && w->of[i]->text)
            tc_words_args(b, w->of[i], &args, NULL);
    }
}

static void check_reason(tc_build *b, tc_object_contract *o, const tc_words *w) {
    const tc_said *said = w->of[TC_WORD_UNCHECKED];
    tc_exprs args = {0};
    if (!said || !tc_words_args(b, said, &args, NULL))
        return;
    if (args.data[0]->op == TC_X_STRING && *args.data[0]->text)
        o->unchecked_why = args.data[0]->text;
    else
        tc_contract_fail(b, said->loc, NULL, "tc_unchecked of '%s' wants a reason: tc_unchecked(\"why\")", o->path);
}

// A device array has the extents of its type unless a tc_shape says otherwise.
static bool has_own_extents(const tc_build *b, const tc_object_contract *o) {
    const tc_place *p = tc_place_find(b, o->path);
    return o->param < 0 && p && p->type->kind != TC_TY_POINTER;
}

void tc_words_check(tc_build *b) {
    for (size_t i = 0; i < b->c->objects.len; i++) {
        tc_object_contract *o = &b->c->objects.data[i];
        tc_words w = b->words.data[i];
        check_plain(b, &w);
        check_borrow(b, o, &w);
        check_reason(b, o, &w);
        if (has_own_extents(b, o) && !w.of[TC_WORD_SHAPE])
            w.of[TC_WORD_SHAPE] = w.of[TC_WORD_TILE]; // only to satisfy what needs a shape
        check_words(b, o, &w);
    }
}
