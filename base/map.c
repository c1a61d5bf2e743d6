#include "base/map.h"

#include <string.h>

#include "base/internal.h"

enum { FIRST_SLOTS = 16, FIRST_ENTRIES = 8 };

uint64_t tc_hash_mix(uint64_t a, uint64_t b) {
    // The finisher of splitmix64 (Steele, Lea, Flood, OOPSLA 2014) over a simple combination.
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t tc_hash_bytes(const void *p, size_t n, uint64_t seed) {
    const unsigned char *bytes = p;
    uint64_t h = tc_hash_mix(seed, n);
    for (; n >= 8; n -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        h = tc_hash_mix(h, word);
    }
    uint64_t tail = 0;
    if (n)
        memcpy(&tail, bytes, n);
    return tc_hash_mix(h, tail);
}

// Where an entry with this hash may stand: the first slot that is free or that `same` accepts.
typedef bool (*same_fn)(const void *map, size_t entry, const void *key);

static size_t slot_find(const uint32_t *slots, size_t nslots, uint64_t hash, same_fn same, const void *map,
                        const void *key) {
    size_t i = (size_t)hash & (nslots - 1);
    while (slots[i] && !same(map, slots[i] - 1, key))
        i = (i + 1) & (nslots - 1);
    return i;
}

// The table is at most half full.
static bool slots_full(size_t len, size_t nslots) {
    return (len + 1) * 2 > nslots;
}

static size_t slots_next(tc_arena *a, size_t nslots) {
    if (nslots > (size_t)UINT32_MAX)
        tc_trap_out_of_memory(tc_arena_trap(a));
    return nslots ? nslots * 2 : FIRST_SLOTS;
}

static uint64_t key_hash(uint64_t key) {
    return tc_hash_mix(key, 0);
}

static bool key_same(const void *map, size_t entry, const void *key) {
    return ((const tc_map *)map)->keys[entry] == *(const uint64_t *)key;
}

static size_t map_slot(const tc_map *m, uint64_t key) {
    return slot_find(m->slots, m->nslots, key_hash(key), key_same, m, &key);
}

bool tc_map_has(const tc_map *m, uint64_t key) {
    return m->nslots && m->slots[map_slot(m, key)];
}

void *tc_map_get(const tc_map *m, uint64_t key) {
    uint32_t entry = m->nslots ? m->slots[map_slot(m, key)] : 0;
    return entry ? m->values[entry - 1] : NULL;
}

static void map_rehash(tc_arena *a, tc_map *m) {
    m->nslots = slots_next(a, m->nslots);
    m->slots = TC_NEW_ARRAY(a, uint32_t, m->nslots);
    for (size_t i = 0; i < m->len; i++)
        m->slots[map_slot(m, m->keys[i])] = (uint32_t)i + 1;
}

// Room for one more key and value.
static void entries_grow(tc_arena *a, void **keys, size_t key_size, void ***values, size_t len, size_t *cap) {
    size_t bigger = *cap ? *cap * 2 : FIRST_ENTRIES;
    void *new_keys = tc_alloc_array(a, bigger, key_size);
    void **new_values = TC_NEW_ARRAY(a, void *, bigger);
    if (len) {
        memcpy(new_keys, *keys, len * key_size);
        memcpy(new_values, *values, len * sizeof **values);
    }
    *keys = new_keys;
    *values = new_values;
    *cap = bigger;
}

void tc_map_put(tc_arena *a, tc_map *m, uint64_t key, void *value) {
    if (!m->nslots || (slots_full(m->len, m->nslots) && !tc_map_has(m, key)))
        map_rehash(a, m);
    size_t slot = map_slot(m, key);
    if (m->slots[slot]) {
        m->values[m->slots[slot] - 1] = value;
        return;
    }
    if (m->len == m->cap) {
        void *keys = m->keys;
        entries_grow(a, &keys, sizeof *m->keys, &m->values, m->len, &m->cap);
        m->keys = keys;
    }
    m->keys[m->len] = key;
    m->values[m->len] = value;
    m->slots[slot] = (uint32_t)++m->len;
}

static uint64_t text_hash(const char *key) {
    return tc_hash_bytes(key, strlen(key), 0);
}

static bool text_same(const void *map, size_t entry, const void *key) {
    return strcmp(((const tc_strmap *)map)->keys[entry], key) == 0;
}

static size_t strmap_slot(const tc_strmap *m, const char *key) {
    return slot_find(m->slots, m->nslots, text_hash(key), text_same, m, key);
}

void *tc_strmap_get(const tc_strmap *m, const char *key) {
    uint32_t entry = m->nslots ? m->slots[strmap_slot(m, key)] : 0;
    return entry ? m->values[entry - 1] : NULL;
}

static void strmap_rehash(tc_arena *a, tc_strmap *m) {
    m->nslots = slots_next(a, m->nslots);
    m->slots = TC_NEW_ARRAY(a, uint32_t, m->nslots);
    for (size_t i = 0; i < m->len; i++)
        m->slots[strmap_slot(m, m->keys[i])] = (uint32_t)i + 1;
}

void tc_strmap_put(tc_arena *a, tc_strmap *m, const char *key, void *value) {
    if (slots_full(m->len, m->nslots))
        strmap_rehash(a, m);
    size_t slot = strmap_slot(m, key);
    if (m->slots[slot]) {
        m->values[m->slots[slot] - 1] = value;
        return;
    }
    if (m->len == m->cap) {
        void *keys = m->keys;
        entries_grow(a, &keys, sizeof *m->keys, &m->values, m->len, &m->cap);
        m->keys = keys;
    }
    m->keys[m->len] = tc_strdup(a, key);
    m->values[m->len] = value;
    m->slots[slot] = (uint32_t)++m->len;
}
