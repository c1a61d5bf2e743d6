#include "base/internal.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY_SIZE = 256, INLINE_CLEANUPS = 8 };

typedef struct cleanup {
    void (*fn)(void *); // NULL once done
    void *arg;
} cleanup;

struct tc_trap {
    jmp_buf exit;
    tc_trap *outer;
    tc_arena *arenas;
    cleanup *cleanups;
    size_t len, cap;
    cleanup first[INLINE_CLEANUPS];
    tc_status status;
    size_t held, limit; // bytes; limit 0: none
};

// The hook for failing allocations and the text of the last failure belong to a thread, not to a trap: the first must
// reach every arena, the second must outlive its trap.
typedef struct thread_state {
    tc_trap *current;
    uint64_t fail_in, count;
    char why[WHY_SIZE];
} thread_state;

static thread_state *state(void) {
    static _Thread_local thread_state s;
    return &s;
}

bool tc_mem_allowed(void) {
    thread_state *s = state();
    s->count++;
    return s->fail_in == 0 || --s->fail_in != 0;
}

void tc_alloc_fail_at(uint64_t n) {
    state()->fail_in = n;
}

uint64_t tc_alloc_count(void) {
    uint64_t n = state()->count;
    state()->count = 0;
    return n;
}

tc_arena **tc_trap_arenas(tc_trap *trap) {
    return &trap->arenas;
}

void tc_trap_limit(tc_trap *trap, size_t bytes) {
    trap->limit = bytes;
}

size_t tc_trap_held(const tc_trap *trap) {
    return trap->held;
}

size_t tc_trap_room(const tc_trap *trap) {
    if (trap->limit == 0)
        return SIZE_MAX;
    return trap->held < trap->limit ? trap->limit - trap->held : 0;
}

void tc_trap_hold(tc_trap *trap, size_t bytes) {
    if (trap->limit != 0 && bytes > trap->limit - (trap->held < trap->limit ? trap->held : trap->limit)) {
        char text[64];
        snprintf(text, sizeof text, "it takes more than %zu MiB of memory", trap->limit >> 20);
        tc_trap_raise(trap, TC_ELIMIT, text);
    }
    trap->held += bytes;
}

void tc_trap_unhold(tc_trap *trap, size_t bytes) {
    trap->held -= bytes < trap->held ? bytes : trap->held;
}

static void run_cleanups(tc_trap *trap) {
    while (trap->len) {
        cleanup c = trap->cleanups[--trap->len];
        if (c.fn)
            c.fn(c.arg);
    }
}

// Cleanups may look at what is in the trap's arenas, so these go last.
static void trap_end(tc_trap *trap) {
    run_cleanups(trap);
    while (trap->arenas)
        tc_arena_free(trap->arenas);
    if (trap->cleanups != trap->first)
        free(trap->cleanups);
    state()->current = trap->outer;
    free(trap);
}

tc_status tc_trap_run(void (*fn)(tc_trap *, void *), void *arg, const char **why) {
    // On the heap: automatic objects that change between setjmp and longjmp have no defined value afterwards.
    tc_trap *trap = tc_mem_allowed() ? calloc(1, sizeof *trap) : NULL;
    state()->why[0] = '\0';
    if (why)
        *why = state()->why;
    if (!trap) {
        snprintf(state()->why, WHY_SIZE, "out of memory");
        return TC_ENOMEM;
    }
    trap->cleanups = trap->first;
    trap->cap = INLINE_CLEANUPS;
    trap->outer = state()->current;
    state()->current = trap;
    if (setjmp(trap->exit) == 0)
        fn(trap, arg);
    tc_status status = trap->status;
    trap_end(trap);
    return status;
}

void tc_trap_raise(tc_trap *trap, tc_status status, const char *why) {
    // The runs inside this one are left too.
    while (state()->current != trap && state()->current)
        trap_end(state()->current);
    if (trap->status == TC_OK) {
        trap->status = status == TC_OK ? TC_EINTERNAL : status;
        snprintf(state()->why, WHY_SIZE, "%s", why ? why : "");
    }
    longjmp(trap->exit, 1);
}

void tc_trap_out_of_memory(tc_trap *trap) {
    tc_trap_raise(trap, TC_ENOMEM, "out of memory");
}

static bool cleanups_grow(tc_trap *trap) {
    size_t cap = trap->cap * 2;
    cleanup *bigger = tc_mem_allowed() ? malloc(cap * sizeof *bigger) : NULL;
    if (!bigger)
        return false;
    memcpy(bigger, trap->cleanups, trap->len * sizeof *bigger);
    if (trap->cleanups != trap->first)
        free(trap->cleanups);
    trap->cleanups = bigger;
    trap->cap = cap;
    return true;
}

int tc_trap_cleanup(tc_trap *trap, void (*fn)(void *), void *arg) {
    if (trap->len == trap->cap && !cleanups_grow(trap)) {
        fn(arg);
        tc_trap_out_of_memory(trap);
    }
    trap->cleanups[trap->len] = (cleanup){fn, arg};
    return (int)trap->len++;
}

void tc_trap_done(tc_trap *trap, int handle) {
    if (handle < 0 || (size_t)handle >= trap->len || !trap->cleanups[handle].fn)
        return;
    cleanup c = trap->cleanups[handle];
    trap->cleanups[handle].fn = NULL;
    while (trap->len && !trap->cleanups[trap->len - 1].fn)
        trap->len--;
    c.fn(c.arg);
}
