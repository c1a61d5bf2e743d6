// Hash maps in an arena, insertion-ordered so that iteration is the same in every run.
#ifndef TC_BASE_MAP_H
#define TC_BASE_MAP_H

#include <stdbool.h>

#include "base/arena.h"

// From 64-bit keys (also pointers, cast through uintptr_t) to pointers.
typedef struct tc_map {
    uint64_t *keys; // in insertion order
    void **values;
    size_t len, cap;
    uint32_t *slots; // open addressing; index + 1 into keys
    size_t nslots;
} tc_map;

void *tc_map_get(const tc_map *m, uint64_t key); // NULL when absent
bool tc_map_has(const tc_map *m, uint64_t key);
void tc_map_put(tc_arena *a, tc_map *m, uint64_t key, void *value); // replaces

#define TC_KEY(p) ((uint64_t)(uintptr_t)(p))

// From strings to pointers; keys are copied.
typedef struct tc_strmap {
    const char **keys;
    void **values;
    size_t len, cap;
    uint32_t *slots;
    size_t nslots;
} tc_strmap;

void *tc_strmap_get(const tc_strmap *m, const char *key);
void tc_strmap_put(tc_arena *a, tc_strmap *m, const char *key, void *value);

uint64_t tc_hash_bytes(const void *p, size_t n, uint64_t seed);
uint64_t tc_hash_mix(uint64_t a, uint64_t b);

#endif
