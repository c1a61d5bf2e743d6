#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

// Under AddressSanitizer what was not handed out is poisoned, with a gap after each piece.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define POISON(p, n) __asan_poison_memory_region((p), (n))
#define UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#define GAP ALIGN
#endif
#endif
#ifndef POISON
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#define GAP 0
#endif

enum { ALIGN = alignof(max_align_t) < 16 ? 16 : alignof(max_align_t), FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

typedef struct chunk chunk;
struct chunk {
    chunk *next;
    size_t cap, used; // bytes after the header
    alignas(ALIGN) unsigned char data[];
};

struct tc_arena {
    tc_trap *trap;
    tc_arena *next, **link; // the trap's list
    chunk *chunks;          // the first is the one being filled
    size_t chunk_size, total;
    size_t held; // bytes that count for the trap
};

tc_arena *tc_arena_new(tc_trap *trap) {
    tc_arena *a = tc_mem_allowed() ? calloc(1, sizeof *a) : NULL;
    if (!a)
        tc_trap_out_of_memory(trap);
    tc_arena **head = tc_trap_arenas(trap);
    a->trap = trap;
    a->chunk_size = FIRST_CHUNK;
    a->next = *head;
    a->link = head;
    if (a->next)
        a->next->link = &a->next;
    *head = a;
    return a;
}

void tc_arena_free(tc_arena *a) {
    if (!a)
        return;
    *a->link = a->next;
    if (a->next)
        a->next->link = a->link;
    tc_trap_unhold(a->trap, a->held);
    for (chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        UNPOISON(c->data, c->cap);
        free(c);
    }
    free(a);
}

tc_trap *tc_arena_trap(const tc_arena *a) {
    return a->trap;
}

tc_trap *tc_arena_retrap(tc_arena *a, tc_trap *trap) {
    tc_trap *before = a->trap;
    a->trap = trap;
    a->held = 0; // what it has so far stays with the other one
    return before;
}

static chunk *chunk_new(tc_arena *a, size_t cap) {
    tc_trap_hold(a->trap, cap);
    chunk *c = cap <= SIZE_MAX - sizeof *c ? calloc(1, sizeof *c + cap) : NULL;
    if (!c)
        tc_trap_out_of_memory(a->trap);
    c->cap = cap;
    a->held += cap;
    POISON(c->data, cap);
    return c;
}

// A chunk with room for size bytes. Large pieces get one of their own, behind the one being filled.
static chunk *chunk_for(tc_arena *a, size_t size) {
    if (a->chunks && a->chunks->cap - a->chunks->used >= size)
        return a->chunks;
    if (a->chunks && size > a->chunk_size / 4) {
        chunk *own = chunk_new(a, size);
        own->next = a->chunks->next;
        a->chunks->next = own;
        return own;
    }
    chunk *c = chunk_new(a, size > a->chunk_size ? size : a->chunk_size);
    if (a->chunk_size < LARGEST_CHUNK)
        a->chunk_size *= 2;
    c->next = a->chunks;
    a->chunks = c;
    return c;
}

void *tc_alloc(tc_arena *a, size_t size) {
    if (!tc_mem_allowed() || size > SIZE_MAX / 2)
        tc_trap_out_of_memory(a->trap);
    size_t piece = ((size ? size : 1) + (size_t)ALIGN - 1) / ALIGN * ALIGN + (size_t)GAP;
    chunk *c = chunk_for(a, piece);
    void *p = c->data + c->used;
    c->used += piece;
    a->total += size;
    UNPOISON(p, size);
    return p;
}

void *tc_alloc_array(tc_arena *a, size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        tc_trap_out_of_memory(a->trap);
    return tc_alloc(a, bytes);
}

char *tc_strndup(tc_arena *a, const char *s, size_t n) {
    if (n == SIZE_MAX)
        tc_trap_out_of_memory(a->trap);
    char *copy = tc_alloc(a, n + 1);
    if (n)
        memcpy(copy, s, n);
    return copy;
}

char *tc_strdup(tc_arena *a, const char *s) {
    return tc_strndup(a, s, strlen(s));
}

char *tc_fmt(tc_arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        tc_trap_raise(a->trap, TC_EINTERNAL, "a text could not be formatted");
    char *text = tc_alloc(a, (size_t)n + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
    return text;
}

size_t tc_arena_used(const tc_arena *a) {
    return a->total;
}
