#include "checker/unit.h"

#include <string.h>

// A path read component by component; empty ones and "." are skipped.
typedef struct path {
    const char *parts[2]; // a directory and a name in it, or one of them empty
    int part;
} path;

static path path_of(const char *directory, const char *name) {
    if (name[0] == '/')
        directory = "";
    return (path){{directory ? directory : "", name}, 0};
}

static const char *path_next(path *p, size_t *n) {
    for (; p->part < 2; p->part++) {
        const char *s = p->parts[p->part];
        while (*s) {
            size_t len = strcspn(s, "/");
            const char *component = s;
            s += len + (s[len] == '/');
            p->parts[p->part] = s;
            if (len && !(len == 1 && component[0] == '.')) {
                *n = len;
                return component;
            }
        }
    }
    return NULL;
}

static bool path_same(path a, path b) {
    for (;;) {
        size_t na, nb;
        const char *x = path_next(&a, &na), *y = path_next(&b, &nb);
        if (!x || !y)
            return !x && !y;
        if (na != nb || memcmp(x, y, na) != 0)
            return false;
    }
}

static const char *last_component(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

uint32_t tc_unit_file(const tc_unit *u, const char *directory, const char *name) {
    for (uint32_t i = 0; i < u->nfiles; i++) {
        const char *file = u->files[i];
        if (strcmp(last_component(file), last_component(name)) != 0)
            continue;
        if (path_same(path_of("", file), path_of("", name)) ||
            path_same(path_of(directory, file), path_of(directory, name)))
            return i;
    }
    return 0;
}
