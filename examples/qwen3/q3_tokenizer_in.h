// What a tokenizer is inside: for the file that reads it and the file that uses it.
#ifndef Q3_TOKENIZER_IN_H
#define Q3_TOKENIZER_IN_H

#include "q3_pattern.h"
#include "q3_tokenizer.h"

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(bytes) q3_alloc(bytes, 1)
#define uthash_free(p, bytes) q3_free(p)
#define uthash_nonfatal_oom(element) (no_memory = true) // a variable of the function that adds
#include <uthash.h>

typedef struct q3_token {
    const char *spelled; // in the file; null: the id has no token
    const unsigned char *bytes;
    uint32_t nspelled, nbytes;
    bool added, special;
    UT_hash_handle hh; // by spelled
} q3_token;

typedef struct q3_merge {
    int32_t pair[2], rank, id; // the pair's token
    UT_hash_handle hh;         // by pair
} q3_merge;

struct q3_tokenizer {
    q3_token *tokens; // by id
    int32_t size;
    q3_token *by_spelling;
    q3_merge *merges; // an array
    q3_merge *by_pair;
    int32_t byte[256]; // the tokens of single bytes
    int32_t *added;    // ids of added tokens, by first byte, the longer ones first
    int32_t nadded;
    int32_t added_from[257]; // by first byte
    bool composes;           // NFC
    q3_pattern *pattern;
    char *pool; // the tokens' texts
};

const q3_merge *q3_merge_of(const q3_tokenizer *t, int32_t left, int32_t right); // null: the two do not merge

#endif
