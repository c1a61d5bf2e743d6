// A model's weights in device memory.
#ifndef Q3_WEIGHTS_H
#define Q3_WEIGHTS_H

#include "q3_config.h"

typedef struct q3_layer {
    void *input_norm, *qkv, *q_norm, *k_norm, *o, *post_norm, *gate, *up, *down;
} q3_layer;

struct q3_model {
    q3_config config;
    void *memory; // all of it
    size_t bytes; // that one token reads
    void *embedding, *final_norm, *head; // head is the embedding where they are tied
    int64_t room;                        // positions that there are angles for
    void *cosines, *sines;               // room x head_dim / 2, for RoPE
    q3_layer *layers;
};

// Rows of the fused projection of q, k and v.
static inline int64_t q3_qkv_rows(const q3_config *c) { return (c->heads + 2 * c->kv_heads) * c->head_dim; }

#endif
