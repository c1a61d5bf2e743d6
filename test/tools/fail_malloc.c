// Preloaded: allocations that libtilecheck-rt.so makes fail from the FAIL_AT-th on, FAIL_COUNT of them (1).
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static atomic_ulong seen;

static int fails(const void *caller) {
    static _Thread_local int asking;
    const char *at = getenv("FAIL_AT"), *count = getenv("FAIL_COUNT");
    Dl_info where;
    if (!at || asking)
        return 0;
    asking = 1;
    int ours = dladdr(caller, &where) && where.dli_fname && strstr(where.dli_fname, "libtilecheck-rt") != NULL;
    asking = 0;
    if (!ours)
        return 0;
    unsigned long n = atomic_fetch_add(&seen, 1) + 1, first = strtoul(at, NULL, 10);
    return n >= first && n < first + (count ? strtoul(count, NULL, 10) : 1);
}

__attribute__((visibility("default"))) void *malloc(size_t n) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t n) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
