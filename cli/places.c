#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool readable(const char *path) {
    return access(path, R_OK) == 0;
}

// The folder that holds this executable.
static const char *own_folder(tc_arena *a) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return ".";
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
    return tc_strdup(a, path);
}

static const char *in_path(tc_arena *a, const char *program) {
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        const char *full = tc_fmt(a, "%.*s/%s", (int)n, path, program);
        if (access(full, X_OK) == 0)
            return full;
        path += n + (path[n] == ':');
    }
    return NULL;
}

// Does this Clang say that it is version 22?
static bool is_clang_22(tc_arena *a, const char *clang) {
    char name[] = "/tmp/tilecheck-version-XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0)
        return false;
    close(fd);
    tc_strings argv = {0};
    tc_push(a, &argv, clang);
    tc_push(a, &argv, "--version");
    int status = tc_spawn_wait(a, &argv, name, "/dev/null");
    const char *text = status == 0 ? tc_file_read(a, name) : NULL;
    unlink(name);
    return text && strstr(text, "clang version 22.");
}

static const char *find_clang(tc_arena *a, const tc_cli_options *o, const char **error) {
    const char *asked = o->clang ? o->clang : getenv("TILECHECK_CLANG");
    if (asked) {
        if (is_clang_22(a, asked))
            return asked;
        *error = tc_fmt(a, "'%s' is not a clang++ of version 22", asked);
        return NULL;
    }
    const char *found = in_path(a, "clang++-22");
    if (found)
        return found;
    if (access("/usr/lib/llvm-22/bin/clang++", X_OK) == 0)
        return "/usr/lib/llvm-22/bin/clang++";
    found = in_path(a, "clang++");
    if (found && is_clang_22(a, found))
        return found;
    *error = "no clang++ of version 22 found: install the package clang-22, or name one by --clang=PATH";
    return NULL;
}

// Beside the executable in a build folder; under the prefix once installed.
static const char *find_plugin(tc_arena *a, const char *own) {
    const char *beside = tc_fmt(a, "%s/tilecheck.so", own);
    if (readable(beside))
        return beside;
    const char *installed = tc_fmt(a, "%s/../%s/tilecheck/tilecheck.so", own, TC_LIBDIR);
    return readable(installed) ? installed : NULL;
}

static const char *first_with(tc_arena *a, const char *file, const char *const *folders, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (readable(tc_fmt(a, "%s/%s", folders[i], file)))
            return folders[i];
    return NULL;
}

static const char *find_toolkit(tc_arena *a) {
    const char *named = getenv("CUDA_PATH");
    const char *const folders[] = {named ? named : "", "/usr/local/cuda"};
    return first_with(a, "include/cuda_runtime.h", folders, 2);
}

bool tc_places_find(tc_arena *a, const tc_cli_options *o, tc_places *p, const char **error) {
    const char *own = own_folder(a);
    p->clang = find_clang(a, o, error);
    if (!p->clang)
        return false;
    p->plugin = find_plugin(a, own);
    if (!p->plugin) {
        *error = tc_fmt(a, "no tilecheck.so beside %s/tilecheck: build it with cmake --build", own);
        return false;
    }
    const char *const includes[] = {tc_fmt(a, "%s/../include", own), TC_SOURCE_DIR "/include"};
    p->include = first_with(a, "tilecheck.h", includes, 2);
    const char *const resources[] = {tc_fmt(a, "%s/../resources", own),
                                     tc_fmt(a, "%s/../%s/tilecheck", own, TC_DATADIR), TC_SOURCE_DIR "/resources"};
    p->resources = first_with(a, "standin/tilecheck_cuda.h", resources, 3);
    if (!p->include || !p->resources) {
        *error = tc_fmt(a, "%s not found from %s: the installation is not complete",
                        p->include ? "resources/standin" : "include/tilecheck.h", own);
        return false;
    }
    p->toolkit = o->toolkit ? o->toolkit : o->standin ? NULL : find_toolkit(a);
    if (o->toolkit && !readable(tc_fmt(a, "%s/include/cuda_runtime.h", o->toolkit))) {
        *error = tc_fmt(a, "no CUDA toolkit in '%s': %s/include/cuda_runtime.h is missing", o->toolkit, o->toolkit);
        return false;
    }
    return true;
}
