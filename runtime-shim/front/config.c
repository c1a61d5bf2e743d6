#include "runtime-shim/front/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *value, *what;
} variables[] = {
#define X(id, name, value, what) {name, value, what},
#include "runtime-shim/front/config.def"
#undef X
};

static bool is_on(const char *s) {
    return s && strcmp(s, "0") != 0;
}

static void not_understood(shim_variable v, const char *value) {
    fprintf(stderr, "tilecheck: %s=%s is not understood: %s\n", variables[v].name, value, variables[v].value);
}

static void read_on_finding(shim_config *c) {
    const char *s = c->text[SHIM_ON_FINDING];
    c->exit_status = 2;
    if (!s || !strcmp(s, "print"))
        return;
    if (!strcmp(s, "abort")) {
        c->on_finding = SHIM_ABORT;
    } else if (!strcmp(s, "exit")) {
        c->on_finding = SHIM_EXIT;
    } else if (!strncmp(s, "exit=", 5) && atoi(s + 5) > 0 && atoi(s + 5) < 256) {
        c->on_finding = SHIM_EXIT;
        c->exit_status = atoi(s + 5);
    } else {
        not_understood(SHIM_ON_FINDING, s);
    }
}

static void read_stacks(shim_config *c) {
    const char *s = c->text[SHIM_STACKS];
    c->stacks = SHIM_STACKS_ALLOC;
    if (!s || !strcmp(s, "alloc"))
        return;
    if (!strcmp(s, "0"))
        c->stacks = SHIM_STACKS_NONE;
    else if (!strcmp(s, "all"))
        c->stacks = SHIM_STACKS_ALL;
    else
        not_understood(SHIM_STACKS, s);
}

static void read_contents(shim_config *c) {
    const char *s = c->text[SHIM_CONTENTS];
    c->contents = !s                     ? SHIM_CONTENTS_NOT
                  : !strcmp(s, "host")   ? SHIM_CONTENTS_HOST
                  : !strcmp(s, "device") ? SHIM_CONTENTS_DEVICE
                                         : SHIM_CONTENTS_NOT;
    if (s && !c->contents)
        not_understood(SHIM_CONTENTS, s);
}

void shim_config_read(shim_config *c) {
    memset(c, 0, sizeof *c);
    for (int v = 0; v < SHIM_VARIABLE_COUNT; v++) {
        const char *s = getenv(variables[v].name);
        c->text[v] = s && *s ? s : NULL;
    }
    c->quiet = is_on(c->text[SHIM_QUIET]);
    c->summary = is_on(c->text[SHIM_SUMMARY]);
    c->pageable_async = is_on(c->text[SHIM_PAGEABLE_ASYNC]);
    c->free_is_async = is_on(c->text[SHIM_FREE_IS_ASYNC]);
    read_contents(c);
    read_on_finding(c);
    read_stacks(c);
}

bool shim_config_is_on(shim_variable v) {
    const char *s = getenv(variables[v].name);
    return s && *s && is_on(s);
}

// When the library is loaded, so that the settings can be read where no driver starts the shim.
__attribute__((constructor)) static void help(void) {
    if (!shim_config_is_on(SHIM_HELP))
        return;
    fprintf(stderr, "tilecheck: the shim of a program's launches. CUDA_INJECTION64_PATH=libtilecheck-rt.so loads it; it is set by\n");
    for (int v = 0; v < SHIM_VARIABLE_COUNT; v++)
        fprintf(stderr, "  %s=%s\n      %s\n", variables[v].name, variables[v].value, variables[v].what);
}
