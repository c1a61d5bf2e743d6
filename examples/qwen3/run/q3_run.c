#include "q3_model.h"

#include "q3_device.h"
#include "q3_kernels.h"
#include "q3_weights.h"
#include "tk_attention.h"
#include "tk_gather.h"
#include "tk_gemm.h"
#include "tk_norm.h"
#include "tk_softmax.h"

#include <math.h>
#include <tilecheck_async.h>

enum { BF16_BYTES = 2, CHUNK = 2048, LARGEST_CHUNK = 65535 };

struct q3_run {
    const q3_model *model;
    tk_stream stream;
    bool own_stream;
    int64_t capacity, chunk;
    int64_t length; // tokens in the caches
    bool chosen;    // the next token is
    void *memory;   // all below
    char *keys, *values;                     // layers x capacity x kv_heads x head_dim
    void *x, *normed, *qkv, *q, *attended;   // chunk rows each
    void *inner;                             // chunk rows: SiLU(gate) * up
    void *logits;                            // vocab
    int32_t *position, *lengths, *token;     // one number each
    int32_t *tokens;                         // capacity
    int32_t *prompt;                         // chunk
    tk_workspace work;
    cudaGraph_t graph;
    cudaGraphExec_t step;
};

// ---- tensors ----

static tk_tensor rows(void *data, int64_t n, int64_t columns) { return tk_matrix(data, TK_BF16, n, columns, columns); }

static tk_tensor heads_of(void *data, int64_t n, int64_t heads, int64_t dim)
{
    const int64_t extent[] = {1, n, heads, dim};
    return tk_dense(data, TK_BF16, 4, extent);
}

static char *cache_of(const q3_run *r, char *caches, int64_t layer)
{
    const q3_config *c = &r->model->config;
    return caches + (size_t)(layer * r->capacity * c->kv_heads * c->head_dim) * BF16_BYTES;
}

static void *row_of(void *data, int64_t row, int64_t columns) { return (char *)data + (size_t)(row * columns) * BF16_BYTES; }

static float scale_of(const q3_config *c) { return 1.0f / sqrtf((float)c->head_dim); }

// ---- a prompt, many tokens at a time ----

// A weight of n rows and k columns as the right side of a product.
static tk_tensor transposed(void *w, int64_t n, int64_t k)
{
    return (tk_tensor){.data = w, .type = TK_BF16, .rank = 2, .extent = {k, n}, .stride = {1, k}};
}

// out = in · w^T, and what add holds (null: nothing), which may be out.
static tk_status project(const q3_run *r, void *out, void *in, void *w, void *add, int64_t tokens, int64_t n, int64_t k)
{
    const tk_tensor d = rows(out, tokens, n), a = rows(in, tokens, k), residual = rows(add, tokens, n);
    const tk_tensor b = transposed(w, n, k);
    return tk_gemm(&d, &a, &b, NULL, add ? &residual : NULL, r->work, r->stream);
}

static tk_status norm(const q3_run *r, void *out, void *in, void *weight, int64_t tokens)
{
    const q3_config *c = &r->model->config;
    const tk_tensor y = rows(out, tokens, c->hidden), x = rows(in, tokens, c->hidden), w = tk_vector(weight, TK_BF16, c->hidden);
    return tk_rmsnorm(&y, &x, &w, (float)c->eps, 1, r->stream);
}

static tk_status attend(const q3_run *r, int64_t layer, int64_t tokens)
{
    const q3_config *c = &r->model->config;
    const int64_t seen = r->length + tokens;
    const tk_tensor out = heads_of(r->attended, tokens, c->heads, c->head_dim), q = heads_of(r->q, tokens, c->heads, c->head_dim);
    const tk_tensor k = heads_of(cache_of(r, r->keys, layer), seen, c->kv_heads, c->head_dim);
    const tk_tensor v = heads_of(cache_of(r, r->values, layer), seen, c->kv_heads, c->head_dim);
    return tk_attention_prefill(&out, &q, &k, &v, scale_of(c), 1, r->stream);
}

static tk_status feed_forward(const q3_run *r, const q3_layer *l, int64_t tokens)
{
    const q3_config *c = &r->model->config;
    const tk_tensor out = rows(r->inner, tokens, c->intermediate), in = rows(r->normed, tokens, c->hidden);
    const tk_tensor gate = transposed(l->gate, c->intermediate, c->hidden), up = transposed(l->up, c->intermediate, c->hidden);
    TK_TRY(tk_gemm_gated(&out, &in, &gate, &up, r->stream));
    return project(r, r->x, r->inner, l->down, r->x, tokens, c->hidden, c->intermediate);
}

static tk_status prefill_layer(const q3_run *r, int64_t layer, int64_t tokens)
{
    const q3_config *c = &r->model->config;
    const q3_layer *l = &r->model->layers[layer];
    TK_TRY(norm(r, r->normed, r->x, l->input_norm, tokens));
    TK_TRY(project(r, r->qkv, r->normed, l->qkv, NULL, tokens, q3_qkv_rows(c), c->hidden));
    TK_TRY(q3_heads(r->q, cache_of(r, r->keys, layer), cache_of(r, r->values, layer), r->qkv, l->q_norm, l->k_norm, r->model->cosines, r->model->sines,
                    r->position, tokens, c->heads, c->kv_heads, r->capacity, (float)c->eps, r->stream));
    TK_TRY(attend(r, layer, tokens));
    TK_TRY(project(r, r->x, r->attended, l->o, r->x, tokens, c->hidden, c->heads * c->head_dim));
    TK_TRY(norm(r, r->normed, r->x, l->post_norm, tokens));
    return feed_forward(r, l, tokens);
}

static tk_status embed(const q3_run *r, int32_t *ids, int64_t tokens)
{
    const q3_config *c = &r->model->config;
    const tk_tensor out = rows(r->x, tokens, c->hidden), table = rows(r->model->embedding, c->vocab, c->hidden), at = tk_vector(ids, TK_I32, tokens);
    return tk_embedding(&out, &table, &at, r->stream);
}

// The logits of one row, and the token with the largest.
static tk_status choose(const q3_run *r, void *row)
{
    const q3_config *c = &r->model->config;
    TK_TRY(q3_linear(r->logits, r->model->head, row, r->model->final_norm, NULL, c->vocab, c->hidden, (float)c->eps, r->stream));
    const tk_tensor best = tk_vector(r->token, TK_I32, 1), logits = rows(r->logits, 1, c->vocab);
    return tk_argmax(&best, &logits, r->work, r->stream);
}

// Where the sequence stands, on the device.
static tk_status set_place(const q3_run *r, int64_t place)
{
    const int32_t both[] = {(int32_t)place, (int32_t)place + 1};
    Q3_CUDA(cudaMemcpyAsync(r->position, &both[0], sizeof both[0], cudaMemcpyHostToDevice, r->stream), "position");
    return q3_cuda(cudaMemcpyAsync(r->lengths, &both[1], sizeof both[1], cudaMemcpyHostToDevice, r->stream), "length");
}

static tk_status prefill_chunk(q3_run *r, const int32_t *tokens, int64_t n)
{
    Q3_CUDA(cudaMemcpyAsync(r->prompt, tokens, (size_t)n * sizeof *tokens, cudaMemcpyHostToDevice, r->stream), "prompt");
    Q3_CUDA(cudaMemcpyAsync(r->tokens + r->length, r->prompt, (size_t)n * sizeof *tokens, cudaMemcpyDeviceToDevice, r->stream), "prompt");
    TK_TRY(set_place(r, r->length));
    TK_TRY(embed(r, r->prompt, n));
    for (int64_t layer = 0; layer < r->model->config.layers; ++layer)
        TK_TRY(prefill_layer(r, layer, n));
    r->length += n;
    return TK_OK;
}

static tk_status check_prompt(const q3_run *r, const int32_t *tokens, int64_t n)
{
    if (!tokens)
        return tk_fail(TK_NULL, "tokens is null");
    if (n < 1)
        return tk_fail(TK_VALUE, "a prompt of %lld tokens", (long long)n);
    if (n > r->capacity - r->length)
        return tk_fail(TK_SIZE, "%lld tokens behind %lld, and there is room for %lld", (long long)n, (long long)r->length, (long long)r->capacity);
    for (int64_t i = 0; i < n; ++i)
        if (tokens[i] < 0 || tokens[i] >= r->model->config.vocab)
            return tk_fail(TK_VALUE, "token %lld of the prompt is %d, of a vocabulary of %lld", (long long)i, tokens[i], (long long)r->model->config.vocab);
    return TK_OK;
}

tk_status q3_run_prefill(q3_run *r, const int32_t *tokens, int64_t n)
{
    TK_TRY(check_prompt(r, tokens, n));
    int64_t last = 0;
    r->chosen = false;
    for (int64_t at = 0; at < n; at += last) {
        last = n - at < r->chunk ? n - at : r->chunk;
        TK_TRY(prefill_chunk(r, tokens + at, last));
    }
    TK_TRY(choose(r, row_of(r->x, last - 1, r->model->config.hidden)));
    if (r->length < r->capacity)
        Q3_CUDA(cudaMemcpyAsync(r->tokens + r->length, r->token, sizeof *r->token, cudaMemcpyDeviceToDevice, r->stream), "token");
    TK_TRY(set_place(r, r->length));
    r->chosen = true;
    return q3_cuda(cudaStreamSynchronize(r->stream), "prefill");
}

// ---- one token ----

// Where the cache is long, the kernels that have several blocks on a multiprocessor are faster.
enum { FUSED_MOST = 8192 };

static bool is_fused(const q3_run *r) { return r->capacity <= FUSED_MOST && r->model->config.heads <= 8 * r->model->config.kv_heads; }

static tk_status attend_step(const q3_run *r, const q3_layer *l, char *keys, char *values)
{
    const q3_config *c = &r->model->config;
    if (is_fused(r))
        return q3_attend(r->attended, keys, values, r->qkv, l->q_norm, l->k_norm, r->model->cosines, r->model->sines, r->position, c->heads, c->kv_heads,
                         r->capacity, (float)c->eps, scale_of(c), r->work, r->stream);
    TK_TRY(q3_heads(r->q, keys, values, r->qkv, l->q_norm, l->k_norm, r->model->cosines, r->model->sines, r->position, 1, c->heads, c->kv_heads, r->capacity,
                    (float)c->eps, r->stream));
    const int64_t one[] = {1, c->heads, c->head_dim};
    const tk_tensor out = tk_dense(r->attended, TK_BF16, 3, one), q = tk_dense(r->q, TK_BF16, 3, one), lengths = tk_vector(r->lengths, TK_I32, 1);
    const tk_tensor k = heads_of(keys, r->capacity, c->kv_heads, c->head_dim), v = heads_of(values, r->capacity, c->kv_heads, c->head_dim);
    return tk_attention_decode(&out, &q, &k, &v, &lengths, scale_of(c), r->work, r->stream);
}

static tk_status step_layer(const q3_run *r, int64_t layer)
{
    const q3_config *c = &r->model->config;
    const q3_layer *l = &r->model->layers[layer];
    TK_TRY(q3_linear(r->qkv, l->qkv, r->x, l->input_norm, NULL, q3_qkv_rows(c), c->hidden, (float)c->eps, r->stream));
    TK_TRY(attend_step(r, l, cache_of(r, r->keys, layer), cache_of(r, r->values, layer)));
    TK_TRY(q3_linear(r->x, l->o, r->attended, NULL, r->x, c->hidden, c->heads * c->head_dim, 0.0f, r->stream));
    TK_TRY(q3_gated(r->inner, l->gate, l->up, r->x, l->post_norm, c->intermediate, c->hidden, (float)c->eps, r->stream));
    return q3_linear(r->x, l->down, r->inner, NULL, r->x, c->hidden, c->intermediate, 0.0f, r->stream);
}

static tk_status step(const q3_run *r)
{
    TK_TRY(embed(r, r->token, 1));
    for (int64_t layer = 0; layer < r->model->config.layers; ++layer)
        TK_TRY(step_layer(r, layer));
    TK_TRY(choose(r, r->x));
    return q3_advance(r->position, r->lengths, r->tokens, r->token, r->capacity, r->stream);
}

static tk_status capture_step(q3_run *r)
{
    Q3_CUDA(cudaStreamBeginCapture((cudaStream_t)r->stream, cudaStreamCaptureModeThreadLocal), "capture of a step");
    const tk_status s = step(r);
    const cudaError_t e = cudaStreamEndCapture((cudaStream_t)r->stream, &r->graph);
    if (s != TK_OK)
        return s;
    Q3_CUDA(e, "capture of a step");
    return q3_cuda(cudaGraphInstantiate(&r->step, r->graph, 0), "graph of a step");
}

tk_status q3_run_step(q3_run *r)
{
    if (!r->chosen)
        return tk_fail(TK_VALUE, "no token is chosen yet: give a prompt first");
    if (r->length >= r->capacity)
        return tk_fail(TK_SIZE, "the sequence has %lld tokens, and room for no more", (long long)r->length);
    if (!r->step)
        TK_TRY(capture_step(r));
    Q3_CUDA((cudaError_t)tc_rt_launch_graph(r->step, r->stream, NULL), "step");
    ++r->length;
    return TK_OK;
}

// ---- what came of it ----

int64_t q3_run_length(const q3_run *r) { return r->length; }

tk_status q3_run_tokens(q3_run *r, int64_t first, int64_t n, int32_t *out)
{
    const int64_t there = r->length + (r->chosen && r->length < r->capacity);
    if (first < 0 || n < 0 || n > there || first > there - n)
        return tk_fail(TK_VALUE, "tokens %lld to %lld of %lld", (long long)first, (long long)(first + n - 1), (long long)there);
    Q3_CUDA(cudaMemcpyAsync(out, r->tokens + first, (size_t)n * sizeof *out, cudaMemcpyDeviceToHost, r->stream), "tokens");
    return q3_cuda(cudaStreamSynchronize(r->stream), "tokens");
}

tk_status q3_run_logits(q3_run *r, float *out)
{
    const int64_t n = r->model->config.vocab;
    if (!r->chosen)
        return tk_fail(TK_VALUE, "no token is chosen yet: give a prompt first");
    uint16_t *bits = q3_alloc((size_t)n, sizeof *bits);
    if (!bits)
        return q3_no_memory("the logits");
    tk_status s = q3_cuda(cudaMemcpyAsync(bits, r->logits, (size_t)n * BF16_BYTES, cudaMemcpyDeviceToHost, r->stream), "logits");
    if (s == TK_OK)
        s = q3_cuda(cudaStreamSynchronize(r->stream), "logits");
    for (int64_t i = 0; s == TK_OK && i < n; ++i) {
        const union {
            uint32_t bits;
            float value;
        } x = {(uint32_t)bits[i] << 16};
        out[i] = x.value;
    }
    q3_free(bits);
    return s;
}

// ---- a run ----

static size_t most(size_t a, size_t b) { return a > b ? a : b; }

static size_t work_bytes(const q3_run *r)
{
    const q3_config *c = &r->model->config;
    size_t bytes = is_fused(r) ? q3_attend_workspace(c->heads, c->kv_heads, r->capacity)
                               : tk_attention_decode_workspace(1, c->heads, c->kv_heads, c->head_dim, r->capacity);
    const tk_tensor logits = rows(NULL, 1, c->vocab);
    bytes = most(bytes, tk_argmax_workspace(&logits));
    bytes = most(bytes, tk_gemm_workspace(r->chunk, q3_qkv_rows(c), c->hidden));
    bytes = most(bytes, tk_gemm_workspace(r->chunk, c->hidden, c->heads * c->head_dim));
    return most(bytes, tk_gemm_workspace(r->chunk, c->hidden, c->intermediate));
}

static size_t lay_out(q3_run *r, char *base)
{
    const q3_config *c = &r->model->config;
    const int64_t cache = c->layers * r->capacity * c->kv_heads * c->head_dim;
    q3_pieces p = {base, 0};
    r->keys = q3_piece(&p, cache, BF16_BYTES);
    r->values = q3_piece(&p, cache, BF16_BYTES);
    r->x = q3_piece(&p, r->chunk * c->hidden, BF16_BYTES);
    r->normed = q3_piece(&p, r->chunk * c->hidden, BF16_BYTES);
    r->qkv = q3_piece(&p, r->chunk * q3_qkv_rows(c), BF16_BYTES);
    r->q = q3_piece(&p, r->chunk * c->heads * c->head_dim, BF16_BYTES);
    r->attended = q3_piece(&p, r->chunk * c->heads * c->head_dim, BF16_BYTES);
    r->inner = q3_piece(&p, r->chunk * c->intermediate, BF16_BYTES);
    r->logits = q3_piece(&p, c->vocab, BF16_BYTES);
    r->position = q3_piece(&p, 1, sizeof *r->position);
    r->lengths = q3_piece(&p, 1, sizeof *r->lengths);
    r->token = q3_piece(&p, 1, sizeof *r->token);
    r->tokens = q3_piece(&p, r->capacity, sizeof *r->tokens);
    r->prompt = q3_piece(&p, r->chunk, sizeof *r->prompt);
    r->work.bytes = work_bytes(r);
    r->work.data = q3_piece(&p, (int64_t)r->work.bytes, 1);
    return p.used;
}

tk_status q3_run_new(const q3_model *m, int64_t capacity, int64_t chunk, tk_stream stream, q3_run **out)
{
    *out = NULL;
    if (capacity < 1 || capacity > m->config.positions)
        return tk_fail(TK_VALUE, "room for %lld tokens: the model has %lld positions", (long long)capacity, (long long)m->config.positions);
    if (capacity > m->room)
        return tk_fail(TK_VALUE, "room for %lld tokens: the model was loaded for %lld", (long long)capacity, (long long)m->room);
    if (chunk < 0 || chunk > LARGEST_CHUNK)
        return tk_fail(TK_VALUE, "pieces of %lld tokens: up to %d are supported", (long long)chunk, LARGEST_CHUNK);
    q3_run *r = q3_alloc(1, sizeof *r);
    if (!r)
        return q3_no_memory("a run");
    r->model = m;
    r->stream = stream;
    r->capacity = capacity;
    r->chunk = chunk ? chunk : CHUNK;
    if (r->chunk > capacity)
        r->chunk = capacity;
    tk_status s = q3_cuda(cudaMalloc(&r->memory, lay_out(r, NULL)), "the caches and temporaries");
    if (s == TK_OK && !stream) { // the default stream cannot be captured
        s = q3_cuda(cudaStreamCreateWithFlags((cudaStream_t *)&r->stream, cudaStreamNonBlocking), "a stream");
        r->own_stream = s == TK_OK;
    }
    if (s != TK_OK) {
        q3_run_free(r);
        return s;
    }
    lay_out(r, r->memory);
    *out = r;
    return TK_OK;
}

void q3_run_clear(q3_run *r)
{
    r->length = 0;
    r->chosen = false;
}

void q3_run_free(q3_run *r)
{
    if (!r)
        return;
    cudaStreamSynchronize((cudaStream_t)r->stream);
    if (r->step)
        cudaGraphExecDestroy(r->step);
    if (r->graph)
        cudaGraphDestroy(r->graph);
    if (r->own_stream)
        cudaStreamDestroy((cudaStream_t)r->stream);
    cudaFree(r->memory);
    q3_free(r);
}
