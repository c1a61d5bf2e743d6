// What a Qwen3 model is: its sizes, as a table by name and as a folder's config.json tells them; and the weights that follow from them.
#ifndef Q3_CONFIG_H
#define Q3_CONFIG_H

#include "../tk/tk_host.h"

#ifdef __cplusplus
extern "C" {
#endif

// Field, its name in config.json, the largest value. Products of any three stay within 64 bits.
#define Q3_SIZES(X)                                       \
    X(hidden, "hidden_size", 1 << 16)                     \
    X(intermediate, "intermediate_size", 1 << 18)         \
    X(layers, "num_hidden_layers", 1 << 10)               \
    X(heads, "num_attention_heads", 1 << 10)              \
    X(kv_heads, "num_key_value_heads", 1 << 10)           \
    X(head_dim, "head_dim", 1 << 10)                      \
    X(vocab, "vocab_size", 1 << 20)                       \
    X(positions, "max_position_embeddings", 1 << 26)

enum { Q3_EOS = 8 };

typedef struct q3_config {
#define Q3_ONE(name, field, high) int64_t name;
    Q3_SIZES(Q3_ONE)
#undef Q3_ONE
    double eps;   // of RMSNorm
    double theta; // of RoPE
    bool tied;    // the embedding is the output projection too
    int eos_count;
    int32_t eos[Q3_EOS]; // tokens that end a text
} q3_config;

// The sizes by name ("0.6B" … "32B"); the name of entry i, null past the last.
tk_status q3_config_named(const char *name, q3_config *out);
const char *q3_config_name(int i);

// folder/config.json, and the tokens that end a text from folder/generation_config.json where that is there.
tk_status q3_config_read(const char *folder, q3_config *out);

tk_status q3_config_parse(const char *file, const char *text, size_t n, q3_config *out); // a config.json alone, with a NUL behind it

// Writes both files, as transformers reads them. The folder is there.
tk_status q3_config_write(const char *folder, const q3_config *config);

// That the values fit each other; of is for the message.
tk_status q3_config_check(const char *of, const q3_config *config);

// ---- weights ----

typedef enum q3_role { Q3_EMBEDDING, Q3_NORM, Q3_PROJECTION } q3_role;

// Name in the file, role, rows (1: a vector), columns. Those of a layer stand under model.layers.N.
#define Q3_LAYER_WEIGHTS(X)                                                                          \
    X(Q3_INPUT_NORM, "input_layernorm.weight", Q3_NORM, 1, c->hidden)                                \
    X(Q3_Q, "self_attn.q_proj.weight", Q3_PROJECTION, c->heads * c->head_dim, c->hidden)              \
    X(Q3_K, "self_attn.k_proj.weight", Q3_PROJECTION, c->kv_heads * c->head_dim, c->hidden)           \
    X(Q3_V, "self_attn.v_proj.weight", Q3_PROJECTION, c->kv_heads * c->head_dim, c->hidden)           \
    X(Q3_O, "self_attn.o_proj.weight", Q3_PROJECTION, c->hidden, c->heads * c->head_dim)              \
    X(Q3_Q_NORM, "self_attn.q_norm.weight", Q3_NORM, 1, c->head_dim)                                 \
    X(Q3_K_NORM, "self_attn.k_norm.weight", Q3_NORM, 1, c->head_dim)                                 \
    X(Q3_POST_NORM, "post_attention_layernorm.weight", Q3_NORM, 1, c->hidden)                        \
    X(Q3_GATE, "mlp.gate_proj.weight", Q3_PROJECTION, c->intermediate, c->hidden)                    \
    X(Q3_UP, "mlp.up_proj.weight", Q3_PROJECTION, c->intermediate, c->hidden)                        \
    X(Q3_DOWN, "mlp.down_proj.weight", Q3_PROJECTION, c->hidden, c->intermediate)

#define Q3_MODEL_WEIGHTS(X)                                                       \
    X(Q3_EMBED, "model.embed_tokens.weight", Q3_EMBEDDING, c->vocab, c->hidden)   \
    X(Q3_FINAL_NORM, "model.norm.weight", Q3_NORM, 1, c->hidden)                  \
    X(Q3_HEAD, "lm_head.weight", Q3_PROJECTION, c->vocab, c->hidden) /* absent where tied */

typedef enum q3_weight_id {
#define Q3_ONE(id, name, role, rows, columns) id,
    Q3_LAYER_WEIGHTS(Q3_ONE) Q3_LAYER_END, // how many a layer has
    Q3_MODEL_WEIGHTS(Q3_ONE)
#undef Q3_ONE
} q3_weight_id;

typedef struct q3_weight {
    q3_weight_id id;
    int64_t layer; // -1: of the model
    q3_role role;
    int rank; // 1 or 2
    int64_t extent[2];
    char name[64];
} q3_weight;

// The weights in the order of the file: the embedding, the layers in turn, the last norm, the output projection where it is apart.
int64_t q3_weight_count(const q3_config *config);
q3_weight q3_weight_at(const q3_config *config, int64_t i);
q3_weight q3_weight_of(const q3_config *config, q3_weight_id id, int64_t layer); // layer is not read for the model's

int64_t q3_weight_elements(const q3_weight *w);
int64_t q3_config_parameters(const q3_config *config); // elements of all weights

#ifdef __cplusplus
}
#endif
#endif
