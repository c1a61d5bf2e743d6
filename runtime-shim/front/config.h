// The settings of the shim, read once from the environment (config.def).
#ifndef TC_FRONT_CONFIG_H
#define TC_FRONT_CONFIG_H

#include <stdbool.h>

typedef enum shim_variable {
#define X(id, name, value, what) SHIM_##id,
#include "runtime-shim/front/config.def"
#undef X
    SHIM_VARIABLE_COUNT
} shim_variable;

typedef enum shim_reaction { SHIM_PRINT, SHIM_ABORT, SHIM_EXIT } shim_reaction;
typedef enum shim_stacks { SHIM_STACKS_NONE, SHIM_STACKS_ALLOC, SHIM_STACKS_ALL } shim_stacks;

typedef enum shim_contents { SHIM_CONTENTS_NOT, SHIM_CONTENTS_HOST, SHIM_CONTENTS_DEVICE } shim_contents;

typedef struct shim_config {
    const char *text[SHIM_VARIABLE_COUNT]; // NULL: not set, or empty
    bool quiet, summary, pageable_async, free_is_async;
    shim_contents contents;
    shim_reaction on_finding;
    int exit_status;
    shim_stacks stacks;
} shim_config;

// Says on stderr what it does not understand, once; the default then holds.
void shim_config_read(shim_config *c);
bool shim_config_is_on(shim_variable v); // by the environment, before anything was read

#endif
