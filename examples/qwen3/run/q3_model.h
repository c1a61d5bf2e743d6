// A Qwen3 model on the device, and one sequence of tokens that it continues.
//
// Everything runs on one stream. Calls that take or give host memory wait for it; q3_run_step does not. Errors: a status, and its text in tk_message().
#ifndef Q3_MODEL_H
#define Q3_MODEL_H

#include "q3_config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct q3_model q3_model;

// Reads a model folder (config.json, safetensors) onto the current device. room: the most tokens that a run of it is to have; more than the model has
// positions is as many.
tk_status q3_model_load(const char *folder, int64_t room, q3_model **out);
const q3_config *q3_model_config(const q3_model *m);
size_t q3_model_bytes(const q3_model *m); // of weights that one token reads
void q3_model_free(q3_model *m);          // null is fine

typedef struct q3_run q3_run;

// Room for capacity tokens, prompt and answer. Prompts are taken in pieces of at most chunk tokens (0: 2048). stream null: one of its own.
// The model outlives the run.
tk_status q3_run_new(const q3_model *m, int64_t capacity, int64_t chunk, tk_stream stream, q3_run **out);
void q3_run_free(q3_run *r); // null is fine

void q3_run_clear(q3_run *r); // an empty sequence again

// Appends n >= 1 tokens to the sequence; the next token is chosen (the largest logit), and is q3_run_token's.
tk_status q3_run_prefill(q3_run *r, const int32_t *tokens, int64_t n);

// Appends the chosen token and chooses the next: one graph, launched without waiting. TK_SIZE where the sequence is full.
tk_status q3_run_step(q3_run *r);

int64_t q3_run_length(const q3_run *r); // tokens in the sequence, without the one that is chosen

// Waits, and gives n tokens of the sequence from index first on; the chosen one counts as the last.
tk_status q3_run_tokens(q3_run *r, int64_t first, int64_t n, int32_t *out);

// Waits, and gives the logits of the chosen token: vocab of them, from bf16.
tk_status q3_run_logits(q3_run *r, float *out);

#ifdef __cplusplus
}
#endif
#endif
