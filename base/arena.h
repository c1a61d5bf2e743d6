// Memory of the checker: arenas, and one exit for failed allocations.
//
// An arena hands out zeroed memory that lives until the arena is freed; nothing
// is freed one by one. An allocation never returns NULL. When memory runs out, or
// the test hook says so, control goes to the enclosing tc_trap_run with status
// TC_ENOMEM (the scheme of Lua's error handling). Whoever holds something that is
// not in an arena (a solver, a file) registers a cleanup with the trap first.
#ifndef TC_BASE_ARENA_H
#define TC_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef enum tc_status {
    TC_OK = 0,
    TC_ENOMEM,   // an allocation failed
    TC_EINPUT,   // the input is wrong; a finding says where
    TC_ELIMIT,   // a budget is exhausted
    TC_EINTERNAL // an internal inconsistency; reported as TC9002
} tc_status;

// Passes a status that is not TC_OK up to the caller.
#define TC_TRY(call)                                                                                                   \
    do {                                                                                                               \
        tc_status tc_try_ = (call);                                                                                    \
        if (tc_try_ != TC_OK)                                                                                          \
            return tc_try_;                                                                                            \
    } while (0)

typedef struct tc_trap tc_trap;
typedef struct tc_arena tc_arena;

// Runs fn(trap, arg). Returns TC_OK when fn returned, or the status given to
// tc_trap_raise. Cleanups registered and still pending run in both cases, last first.
// *why (may be NULL) receives a static or trap-owned message when the status is not TC_OK;
// it is valid until the next tc_trap_run on this thread.
tc_status tc_trap_run(void (*fn)(tc_trap *, void *), void *arg, const char **why);

// Leaves the current tc_trap_run. Never returns. why is copied (truncated to 255 bytes).
_Noreturn void tc_trap_raise(tc_trap *trap, tc_status status, const char *why);

// Registers fn(arg) to run when the trap ends; returns a handle for tc_trap_done. fn must not raise. When there is no
// memory for the registration, fn(arg) runs at once and the trap is left with TC_ENOMEM.
int tc_trap_cleanup(tc_trap *trap, void (*fn)(void *), void *arg);

// Runs the cleanup now and forgets it.
void tc_trap_done(tc_trap *trap, int handle);

// From now on arenas whose failures go to trap may hold so many bytes together (0: any number, as at the beginning); an allocation
// that needs more leaves the run with TC_ELIMIT. A trap inside of it has a limit of its own.
void tc_trap_limit(tc_trap *trap, size_t bytes);
// Bytes that arenas have taken from the system while their failures went to trap, without those that were freed.
size_t tc_trap_held(const tc_trap *trap);
size_t tc_trap_room(const tc_trap *trap); // how much more they may take; SIZE_MAX: no limit

// A new arena whose failures go to trap. Freed with the trap, or earlier by tc_arena_free.
tc_arena *tc_arena_new(tc_trap *trap);
void tc_arena_free(tc_arena *a);
tc_trap *tc_arena_trap(const tc_arena *a);
// From now on failures go to trap; returns where they went before. The arena still belongs to the trap that it was made
// with. For results that outlive the tc_trap_run in which they are made: set, and set back after the run.
tc_trap *tc_arena_retrap(tc_arena *a, tc_trap *trap);

// size bytes, zeroed, aligned for any type. Never NULL.
void *tc_alloc(tc_arena *a, size_t size);
#define TC_NEW(arena, T) ((T *)tc_alloc((arena), sizeof(T)))
#define TC_NEW_ARRAY(arena, T, n) ((T *)tc_alloc_array((arena), (size_t)(n), sizeof(T)))
void *tc_alloc_array(tc_arena *a, size_t n, size_t size); // checks n * size

char *tc_strdup(tc_arena *a, const char *s);
char *tc_strndup(tc_arena *a, const char *s, size_t n);
// printf into the arena.
char *tc_fmt(tc_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Bytes handed out so far.
size_t tc_arena_used(const tc_arena *a);

// Test hook: the n-th allocation from now (1 = the next) fails, on any arena of this
// thread; 0 switches it off. tc_alloc_count counts allocations since the last call.
void tc_alloc_fail_at(uint64_t n);
uint64_t tc_alloc_count(void);

#endif
