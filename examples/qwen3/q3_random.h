// Random weights: a model of any sizes from one seed, as a folder that transformers loads too.
//
// An element's value depends on the seed, its tensor's name and its index alone: neither on threads nor on shards. Values are drawn from
// 65536 quantiles of a normal distribution, so each is a table's entry chosen by 16 bits of splitmix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014), and rounded to bf16.
#ifndef Q3_RANDOM_H
#define Q3_RANDOM_H

#include "q3_config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct q3_random {
    uint64_t seed;
    double sigma;         // of matrices; 0: 1 / sqrt(columns), which keeps a product's size
    double norm_sigma;    // of the norms' weights around 1; 0: all are 1
    uint64_t shard_bytes; // 0: one file
    int threads;          // 0: one for each processor
} q3_random;

q3_random q3_random_default(uint64_t seed); // by columns, 0.1, shards of 5 GB, all processors

// config.json, generation_config.json and the weights in bf16. The folder is made where it is missing; one that holds a model is refused.
tk_status q3_random_write(const char *folder, const q3_config *config, const q3_random *how);

// bf16 bits of elements first … first + n - 1 of a weight, as q3_random_write writes them.
tk_status q3_random_fill(const q3_weight *w, const q3_random *how, uint64_t first, size_t n, uint16_t *out);

#ifdef __cplusplus
}
#endif
#endif
