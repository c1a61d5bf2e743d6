#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

// A sanitized plugin needs the sanitizer's runtime in the Clang that loads it, before what else is preloaded.
static char **child_environment(tc_arena *a) {
#ifdef TC_ASAN_RUNTIME
    size_t n = 0;
    while (environ[n])
        n++;
    char **with = TC_NEW_ARRAY(a, char *, n + 2);
    memcpy(with, environ, n * sizeof *with);
    const char *also = getenv("LD_PRELOAD");
    with[n] = tc_fmt(a, "LD_PRELOAD=%s:%s", TC_ASAN_RUNTIME, also ? also : "");
    return with;
#else
    (void)a;
    return environ;
#endif
}

int tc_spawn(tc_arena *a, const tc_strings *argv, const char *out, const char *err) {
    char **words = TC_NEW_ARRAY(a, char *, argv->len + 1);
    for (size_t i = 0; i < argv->len; i++)
        words[i] = tc_strdup(a, argv->data[i]);
    char **env = child_environment(a);

    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) {
        errno = failed;
        return -1;
    }
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed && out)
        failed = posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed && err)
        failed = posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t process = -1;
    if (!failed)
        failed = posix_spawnp(&process, words[0], &actions, NULL, words, env);
    posix_spawn_file_actions_destroy(&actions);
    if (!failed)
        return (int)process;
    errno = failed;
    return -1;
}

int tc_spawn_wait(tc_arena *a, const tc_strings *argv, const char *out, const char *err) {
    int process = tc_spawn(a, argv, out, err);
    int status = -1;
    if (process < 0)
        return -1;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

char *tc_file_read(tc_arena *a, const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        return NULL;
    size_t size = (size_t)st.st_size;
    char *text = tc_alloc(a, size + 1); // before the file is open: an allocation may not return
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    size_t got = fread(text, 1, size, f);
    fclose(f);
    return got == size ? text : NULL;
}
