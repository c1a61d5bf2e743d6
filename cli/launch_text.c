#include "cli/cli.h"

#include <string.h>

enum { MOST_FILES = 64, DEEPEST = 6 };

typedef struct scan {
    tc_arena *arena;
    const tc_strings *flags; // the compiler's
    tc_strings seen;
} scan;

static bool was_seen(scan *s, const char *path) {
    for (size_t i = 0; i < s->seen.len; i++)
        if (strcmp(s->seen.data[i], path) == 0)
            return true;
    tc_push(s->arena, &s->seen, path);
    return false;
}

// "NAME" of an #include "NAME" that begins a line; NULL for any other line.
static const char *included(tc_arena *a, const char *line) {
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    size_t n = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    return n > 0 && line[n + 1] == '"' ? tc_strndup(a, line + 1, n) : NULL;
}

static bool launches(scan *s, const char *path, unsigned depth);

// In the folders of -I.
static bool elsewhere_launches(scan *s, const char *name, unsigned depth) {
    for (size_t i = 0; i < s->flags->len; i++) {
        const char *flag = s->flags->data[i], *folder = strncmp(flag, "-I", 2) == 0 ? flag + 2 : NULL;
        if (folder && *folder == '\0' && i + 1 < s->flags->len)
            folder = s->flags->data[i + 1];
        if (folder && launches(s, tc_fmt(s->arena, "%s/%s", folder, name), depth))
            return true;
    }
    return false;
}

static bool launches(scan *s, const char *path, unsigned depth) {
    if (was_seen(s, path) || s->seen.len > MOST_FILES || depth > DEEPEST)
        return false;
    const char *text = tc_file_read(s->arena, path);
    if (!text)
        return false;
    if (strstr(text, "<<<") || strstr(text, "cudaLaunch") || strstr(text, "tc_rt_launch"))
        return true;
    const char *slash = strrchr(path, '/');
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        const char *name = included(s->arena, line), *beside = name;
        if (name && *name != '/' && slash)
            beside = tc_fmt(s->arena, "%.*s/%s", (int)(slash - path), path, name);
        if (name && (launches(s, beside, depth + 1) || elsewhere_launches(s, name, depth + 1)))
            return true;
    }
    return false;
}

bool tc_file_launches(tc_arena *a, const char *path, const tc_strings *flags) {
    scan s = {.arena = a, .flags = flags};
    return launches(&s, path, 0);
}
