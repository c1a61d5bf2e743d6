#include "base/demangle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Of the C++ runtime (Itanium C++ ABI, section 3.4): the text is the caller's, to be freed.
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

const char *tc_demangle(tc_arena *a, const char *name) {
    int status = -1;
    char *text = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    if (!text || status != 0) {
        free(text);
        return name;
    }
    // Taken into the arena only where that cannot leave the text behind: the allocation may end the run.
    char copy[1024];
    size_t n = strlen(text);
    bool fits = n < sizeof copy;
    if (fits)
        memcpy(copy, text, n + 1);
    free(text);
    return fits ? tc_strdup(a, copy) : name;
}
