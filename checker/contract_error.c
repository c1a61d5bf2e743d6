// TC9001: how errors in a contract are told.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checker/contract_build.h"

enum { WINDOW = 96 }; // bytes of the argument's text that are shown

// ---- the text with a caret ----

// Bytes of the valid UTF-8 sequence at s, or 0.
static size_t utf8_length(const char *s, size_t n) {
    unsigned char c = (unsigned char)s[0];
    size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    return len;
}

// Copies text[from, to) on one line, what cannot be printed replaced; returns the number of columns.
static size_t put_line(tc_text *out, const char *text, size_t from, size_t to) {
    size_t columns = 0;
    while (from < to) {
        size_t n = utf8_length(text + from, to - from);
        unsigned char c = (unsigned char)text[from];
        if (n == 0)
            tc_putc(out, '?');
        else if (n == 1)
            tc_putc(out, isspace(c) ? ' ' : isprint(c) ? (char)c : '?');
        else
            tc_putn(out, text + from, n);
        from += n ? n : 1;
        columns++;
    }
    return columns;
}

static void put_times(tc_text *out, char c, size_t n) {
    while (n-- > 0)
        tc_putc(out, c);
}

static const char *caret_text(tc_arena *a, const tc_said *said, size_t pos, size_t end) {
    const char *text = said->whole;
    size_t len = strlen(text);
    pos = said->base + pos < len ? said->base + pos : len;
    end = said->base + end < len ? said->base + end : len;
    size_t from = pos > WINDOW / 2 ? pos - WINDOW / 2 : 0, to = len - from > WINDOW ? from + WINDOW : len;
    tc_text out = {.arena = a}, shown = {.arena = a};
    tc_putf(&out, "in the argument of tc_%s:\n  ", said->name);
    size_t before = 0;
    if (from) {
        tc_put(&shown, "...");
        before = 3;
    }
    before += put_line(&shown, text, from, pos);
    size_t marked = put_line(&shown, text, pos, end < to ? end : to);
    put_line(&shown, text, end < to ? end : to, to);
    tc_put(&out, tc_text_str(&shown));
    tc_put(&out, to < len ? "...\n  " : "\n  ");
    put_times(&out, ' ', before);
    tc_putc(&out, '^');
    put_times(&out, '~', marked ? marked - 1 : 0);
    return tc_text_str(&out);
}

// ---- findings ----

static bool same_place(tc_loc a, tc_loc b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool is_known(const tc_build *b, tc_loc loc, const char *text) {
    for (size_t i = 0; i < b->out->len; i++)
        if (same_place(b->out->data[i].loc, loc) && strcmp(b->out->data[i].text, text) == 0)
            return true;
    return false;
}

static void report(tc_build *b, tc_loc loc, const char *text) {
    b->failed = true;
    b->fresh = !is_known(b, loc, text);
    if (!b->fresh)
        return;
    tc_finding f = {.code = "TC9001", .severity = TC_SEV_ERROR, .loc = loc, .text = text, .kernel = b->kernel->name};
    tc_push(b->arena, b->out, f);
}

static void note(tc_build *b, tc_loc loc, const char *text) {
    if (b->fresh && text) {
        tc_note n = {.loc = loc, .text = text};
        tc_push(b->arena, &tc_last(b->out).notes, n);
    }
}

enum { LONGEST_TEXT = 512 };

static const char *on_one_line(tc_arena *a, const char *text) {
    tc_text out = {.arena = a};
    put_line(&out, text, 0, strlen(text));
    return tc_text_str(&out);
}

void tc_contract_fail_at(tc_build *b, const tc_said *said, size_t pos, size_t end, const char *hint, const char *format,
                         ...) {
    char text[LONGEST_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    b->fresh = false;
    if (b->first)
        return;
    report(b, said->loc, on_one_line(b->arena, text));
    note(b, said->loc, caret_text(b->arena, said, pos, end));
    note(b, said->loc, hint);
}

void tc_contract_fail(tc_build *b, tc_loc loc, const char *hint, const char *format, ...) {
    char text[LONGEST_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    b->fresh = false;
    if (b->first)
        return;
    report(b, loc, on_one_line(b->arena, text));
    note(b, loc, hint);
}

void tc_contract_note(tc_build *b, tc_loc loc, const char *format, ...) {
    char text[LONGEST_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    note(b, loc, on_one_line(b->arena, text));
}

// ---- did you mean ----

enum { LONGEST_NAME = 48 };

// The number of insertions, deletions and changes from a to b (Wagner and Fischer, JACM 1974); both at most
// LONGEST_NAME.
static size_t edit_distance(const char *a, const char *b) {
    size_t row[LONGEST_NAME + 1], na = strlen(a), nb = strlen(b);
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            diagonal = row[j];
            size_t least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            row[j] = least < change ? least : change;
        }
    }
    return row[nb];
}

const char *tc_nearest_hint(tc_arena *a, const char *name, const char *const *candidates, size_t n) {
    size_t len = strlen(name);
    size_t limit = len < 2 ? 0 : len < 6 ? 1 : len / 3; // of differences between names that may be confused
    const char *nearest = NULL;
    for (size_t i = 0; i < n && len <= LONGEST_NAME && limit; i++) {
        if (strlen(candidates[i]) > LONGEST_NAME)
            continue;
        size_t d = edit_distance(name, candidates[i]);
        if (d <= limit) {
            nearest = candidates[i];
            limit = d ? d - 1 : 0;
        }
    }
    return nearest ? tc_fmt(a, "did you mean '%s'?", nearest) : NULL;
}
