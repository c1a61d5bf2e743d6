// Types by their spelling.
#include <string.h>

#include "checker/contract_build.h"

// The sizes of the device's data model (LP64).
// X(text, kind, bytes, signed)
#define NAMED_TYPES(X)                                                                                                 \
    X("bool", BOOL, 1, false)                                                                                          \
    X("_Bool", BOOL, 1, false)                                                                                         \
    X("char", INT, 1, true)                                                                                            \
    X("short", INT, 2, true)                                                                                           \
    X("int", INT, 4, true)                                                                                             \
    X("long", INT, 8, true)                                                                                            \
    X("unsigned char", INT, 1, false)                                                                                  \
    X("unsigned short", INT, 2, false)                                                                                 \
    X("unsigned int", INT, 4, false)                                                                                   \
    X("unsigned long", INT, 8, false)                                                                                  \
    X("int8_t", INT, 1, true)                                                                                          \
    X("int16_t", INT, 2, true)                                                                                         \
    X("int32_t", INT, 4, true)                                                                                         \
    X("int64_t", INT, 8, true)                                                                                         \
    X("uint8_t", INT, 1, false)                                                                                        \
    X("uint16_t", INT, 2, false)                                                                                       \
    X("uint32_t", INT, 4, false)                                                                                       \
    X("uint64_t", INT, 8, false)                                                                                       \
    X("size_t", INT, 8, false)                                                                                         \
    X("ssize_t", INT, 8, true)                                                                                         \
    X("ptrdiff_t", INT, 8, true)                                                                                       \
    X("intptr_t", INT, 8, true)                                                                                        \
    X("uintptr_t", INT, 8, false)                                                                                      \
    X("float", FLOAT, 4, true)                                                                                         \
    X("double", FLOAT, 8, true)                                                                                        \
    X("void", VOID, 0, false)                                                                                          \
    X("*", POINTER, 8, false)

static const tc_type named[] = {
#define X(text, kind, bytes, is_signed)                                                                                \
    {TC_TY_##kind, text, bytes, bytes, is_signed, false, false, false, NULL, 0, NULL, 0},
    NAMED_TYPES(X)
#undef X
};

static const tc_type *type_in_table(const char *name) {
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].name, name) == 0)
            return &named[i];
    return NULL;
}

// The words of a type: how often each of C's arithmetic specifiers stands there, and what else does.
typedef struct spelling {
    unsigned longs, shorts, signs, unsigneds, ints, chars;
    const char *other; // a single other word
    size_t other_len;
    bool strange; // more than that
} spelling;

static bool word_is(const char *s, size_t n, const char *word) {
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

static void spell_word(spelling *sp, const char *s, size_t n) {
    static const char *const ignored[] = {"const", "volatile", "struct", "enum", "class", "typename"};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (word_is(s, n, ignored[i]))
            return;
    if (word_is(s, n, "long"))
        sp->longs++;
    else if (word_is(s, n, "short"))
        sp->shorts++;
    else if (word_is(s, n, "signed"))
        sp->signs++;
    else if (word_is(s, n, "unsigned"))
        sp->unsigneds++;
    else if (word_is(s, n, "int"))
        sp->ints++;
    else if (word_is(s, n, "char"))
        sp->chars++;
    else {
        sp->strange |= sp->other != NULL;
        sp->other = s;
        sp->other_len = n;
    }
}

static spelling spell(const char *text) {
    spelling sp = {0};
    while (*text) {
        size_t n = strcspn(text, " ");
        if (n)
            spell_word(&sp, text, n);
        text += n + (text[n] == ' ');
    }
    return sp;
}

static const tc_type *arithmetic(const spelling *sp) {
    const char *base = sp->chars ? "char" : sp->shorts ? "short" : sp->longs ? "long" : "int";
    bool sound = sp->longs <= 2 && sp->shorts <= 1 && sp->chars <= 1 && sp->ints <= 1 &&
                 sp->signs + sp->unsigneds <= 1 && (sp->longs > 0) + sp->shorts + sp->chars <= 1 &&
                 !(sp->chars && sp->ints);
    if (!sound)
        return NULL;
    char name[24] = "unsigned ";
    if (!sp->unsigneds)
        return type_in_table(base);
    strcat(name, base);
    return type_in_table(name);
}

const tc_type *tc_type_named(const tc_scope *s, const char *text) {
    if (strpbrk(text, "*&"))
        return type_in_table("*");
    spelling sp = spell(text);
    if (!sp.other)
        return arithmetic(&sp);
    bool plain = !sp.longs && !sp.shorts && !sp.signs && !sp.unsigneds && !sp.ints && !sp.chars && !sp.strange;
    if (!plain)
        return NULL;
    const tc_build *b = s->b;
    const char *name = tc_strndup(b->arena, sp.other, sp.other_len);
    for (size_t i = 0; i < b->kernel->ntargs; i++)
        if (b->kernel->targs[i].is_type && strcmp(b->kernel->targs[i].name, name) == 0)
            return b->kernel->targs[i].type;
    const tc_type *known = type_in_table(name);
    tc_name found = {0};
    if (!known && b->unit->resolve && b->unit->resolve(b->unit->ctx, b->kernel, name, &found) &&
        found.kind == TC_NAME_TYPE)
        known = found.type;
    return known;
}
