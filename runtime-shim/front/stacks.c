#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/front.h"

// Stacks by number, from 1 on, each once: an open hash table of numbers over a list in pieces, which do not move: it is read without the
// lock. Bounded, so that a program that allocates from ever new places does not fill its memory with them.
enum { PIECE = 1 << 8, MAX_STACKS = 1 << 16, TABLE = 1 << 17 };
static shim_frames *pieces[MAX_STACKS / PIECE];
static _Atomic uint32_t count;
static uint32_t *table;

static shim_frames *at(uint32_t i) {
    return &pieces[i / PIECE][i % PIECE];
}

void stacks_start(void) {
    void *frames[2];
    (void)backtrace(frames, 2);
}

void stacks_take(shim_frames *f) {
    f->n = backtrace(f->at, SHIM_FRAMES);
}

static uint32_t hash(const shim_frames *f) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (int i = 0; i < f->n; i++)
        h = (h ^ (uint64_t)(uintptr_t)f->at[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 40);
}

static bool grow(uint32_t n) {
    if (!table && !(table = calloc(TABLE, sizeof *table)))
        return false;
    if (n >= MAX_STACKS)
        return false;
    if (!pieces[n / PIECE])
        pieces[n / PIECE] = malloc(PIECE * sizeof(shim_frames));
    return pieces[n / PIECE] != NULL;
}

static uint32_t number_of(const shim_frames *f) {
    uint32_t n = count;
    if (!grow(n))
        return 0;
    uint32_t i = hash(f) & (TABLE - 1);
    for (; table[i]; i = (i + 1) & (TABLE - 1)) {
        const shim_frames *old = at(table[i] - 1);
        if (old->n == f->n && !memcmp(old->at, f->at, (size_t)f->n * sizeof *f->at))
            return table[i];
    }
    *at(n) = *f;
    table[i] = n + 1;
    count = n + 1; // last: from here on it may be read
    return n + 1;
}

uint32_t stacks_number(const shim_frames *f) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    uint32_t n = f->n > 0 ? number_of(f) : 0;
    pthread_mutex_unlock(&lock);
    return n;
}

// ---- as text ----

static bool is_cudas(const char *path) {
    static const char *const names[] = {"libcuda.so", "libcudart", "libcupti", "libtilecheck-rt"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

typedef char *(*demangler)(const char *name, char *buffer, size_t *n, int *status);

static void put_frame(char *to, size_t size, const Dl_info *info, const void *address) {
    static demangler demangle;
    if (!demangle) // of the program's own C++ library, where it has one
        *(void **)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    int status = -1;
    char *plain = info->dli_sname && demangle ? demangle(info->dli_sname, NULL, NULL, &status) : NULL;
    const char *name = plain ? plain : info->dli_sname;
    unsigned long long offset = (unsigned long long)((uintptr_t)address - (uintptr_t)info->dli_fbase);
    // One byte before the return address is in the call: what addr2line(1) wants.
    snprintf(to, size, "%s%s%s+0x%llx%s", name ? name : "", name ? " (" : "", info->dli_fname ? info->dli_fname : "?", offset ? offset - 1 : 0,
             name ? ")" : "");
    free(plain);
}

bool stacks_frame(uint64_t stack, unsigned i, char *to, size_t size) {
    if (!stack || stack > count)
        return false;
    const shim_frames *f = at((uint32_t)stack - 1);
    for (int k = 0; k < f->n; k++) {
        Dl_info info;
        if (!dladdr(f->at[k], &info) || !info.dli_fname || is_cudas(info.dli_fname) || i-- > 0)
            continue;
        put_frame(to, size, &info, f->at[k]);
        return true;
    }
    return false;
}
