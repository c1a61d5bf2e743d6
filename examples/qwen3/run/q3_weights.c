#include "q3_model.h"

#include "q3_device.h"
#include "q3_safetensors.h"
#include "q3_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BF16_BYTES = 2 };

// ---- where weights go ----

static void lay_out_layer(q3_pieces *p, const q3_config *c, q3_layer *l)
{
    l->input_norm = q3_piece(p, c->hidden, BF16_BYTES);
    l->qkv = q3_piece(p, q3_qkv_rows(c) * c->hidden, BF16_BYTES);
    l->q_norm = q3_piece(p, c->head_dim, BF16_BYTES);
    l->k_norm = q3_piece(p, c->head_dim, BF16_BYTES);
    l->o = q3_piece(p, c->hidden * c->heads * c->head_dim, BF16_BYTES);
    l->post_norm = q3_piece(p, c->hidden, BF16_BYTES);
    l->gate = q3_piece(p, c->intermediate * c->hidden, BF16_BYTES);
    l->up = q3_piece(p, c->intermediate * c->hidden, BF16_BYTES);
    l->down = q3_piece(p, c->hidden * c->intermediate, BF16_BYTES);
}

static size_t lay_out(q3_model *m, char *base)
{
    const q3_config *c = &m->config;
    q3_pieces p = {base, 0};
    for (int64_t i = 0; i < c->layers; ++i)
        lay_out_layer(&p, c, &m->layers[i]);
    m->final_norm = q3_piece(&p, c->hidden, BF16_BYTES);
    m->head = q3_piece(&p, c->vocab * c->hidden, BF16_BYTES);
    m->bytes = p.used;
    m->embedding = c->tied ? m->head : q3_piece(&p, c->vocab * c->hidden, BF16_BYTES);
    m->cosines = q3_piece(&p, m->room * c->head_dim / 2, BF16_BYTES);
    m->sines = q3_piece(&p, m->room * c->head_dim / 2, BF16_BYTES);
    return p.used;
}

static char *rows_behind(void *at, int64_t rows, int64_t columns) { return (char *)at + (size_t)(rows * columns) * BF16_BYTES; }

static void *place_of(const q3_model *m, const q3_weight *w)
{
    const q3_config *c = &m->config;
    const q3_layer *l = w->layer >= 0 ? &m->layers[w->layer] : NULL;
    switch (w->id) {
    case Q3_EMBED: return m->embedding;
    case Q3_FINAL_NORM: return m->final_norm;
    case Q3_HEAD: return m->head;
    case Q3_INPUT_NORM: return l->input_norm;
    case Q3_Q: return l->qkv;
    case Q3_K: return rows_behind(l->qkv, c->heads * c->head_dim, c->hidden);
    case Q3_V: return rows_behind(l->qkv, (c->heads + c->kv_heads) * c->head_dim, c->hidden);
    case Q3_O: return l->o;
    case Q3_Q_NORM: return l->q_norm;
    case Q3_K_NORM: return l->k_norm;
    case Q3_POST_NORM: return l->post_norm;
    case Q3_GATE: return l->gate;
    case Q3_UP: return l->up;
    case Q3_DOWN: return l->down;
    case Q3_LAYER_END: break;
    }
    return NULL;
}

// Before memory is asked for: a folder that lacks a tensor, or has one of another shape, is told so.
static tk_status check_weights(const q3_model *m, const q3_safetensors *files)
{
    for (int64_t i = 0; i < q3_weight_count(&m->config); ++i) {
        const q3_weight w = q3_weight_at(&m->config, i);
        tk_tensor t;
        TK_TRY(q3_safetensors_get(files, w.name, TK_BF16, w.rank, w.extent, &t));
    }
    return TK_OK;
}

static tk_status copy_weights(q3_model *m, const q3_safetensors *files)
{
    for (int64_t i = 0; i < q3_weight_count(&m->config); ++i) {
        const q3_weight w = q3_weight_at(&m->config, i);
        tk_tensor t;
        TK_TRY(q3_safetensors_get(files, w.name, TK_BF16, w.rank, w.extent, &t));
        Q3_CUDA(cudaMemcpy(place_of(m, &w), t.data, (size_t)q3_weight_elements(&w) * BF16_BYTES, cudaMemcpyHostToDevice), w.name);
    }
    return TK_OK;
}

// ---- RoPE ----

static uint16_t to_bf16(float x) // to nearest even; x is finite
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void fill_angles(const q3_config *c, int64_t room, uint16_t *cosines, uint16_t *sines)
{
    const int64_t half = c->head_dim / 2;
    for (int64_t i = 0; i < half; ++i) {
        const float frequency = 1.0f / powf((float)c->theta, (float)(2 * i) / (float)c->head_dim);
        for (int64_t p = 0; p < room; ++p) {
            const float angle = (float)p * frequency;
            cosines[p * half + i] = to_bf16(cosf(angle));
            sines[p * half + i] = to_bf16(sinf(angle));
        }
    }
}

static tk_status copy_angles(q3_model *m)
{
    const size_t n = (size_t)(m->room * m->config.head_dim / 2);
    uint16_t *both = q3_alloc(2 * n, sizeof *both);
    if (!both)
        return q3_no_memory("the angles of RoPE");
    fill_angles(&m->config, m->room, both, both + n);
    tk_status s = q3_cuda(cudaMemcpy(m->cosines, both, n * BF16_BYTES, cudaMemcpyHostToDevice), "cosines");
    if (s == TK_OK)
        s = q3_cuda(cudaMemcpy(m->sines, both + n, n * BF16_BYTES, cudaMemcpyHostToDevice), "sines");
    q3_free(both);
    return s;
}

// ---- the model ----

static tk_status load(q3_model *m, const char *folder, int64_t room, const q3_safetensors *files)
{
    TK_TRY(q3_config_read(folder, &m->config));
    if (room < 1)
        return tk_fail(TK_VALUE, "room for %lld tokens", (long long)room);
    m->room = room < m->config.positions ? room : m->config.positions;
    if (m->config.head_dim != 128)
        return tk_fail(TK_UNSUPPORTED, "%s: heads of %lld elements; 128 are supported", folder, (long long)m->config.head_dim);
    TK_TRY(check_weights(m, files));
    m->layers = q3_alloc((size_t)m->config.layers, sizeof *m->layers);
    if (!m->layers)
        return q3_no_memory("the layers");
    const size_t bytes = lay_out(m, NULL);
    Q3_CUDA(cudaMalloc(&m->memory, bytes), "the weights' memory");
    lay_out(m, m->memory);
    TK_TRY(copy_weights(m, files));
    TK_TRY(copy_angles(m));
    return q3_cuda(cudaDeviceSynchronize(), "weights"); // a copy may return before its end
}

tk_status q3_model_load(const char *folder, int64_t room, q3_model **out)
{
    *out = NULL;
    q3_safetensors *files;
    TK_TRY(q3_safetensors_open(folder, &files));
    q3_model *m = q3_alloc(1, sizeof *m);
    tk_status s = m ? load(m, folder, room, files) : q3_no_memory("a model");
    q3_safetensors_close(files);
    if (s == TK_OK)
        *out = m;
    else
        q3_model_free(m);
    return s;
}

const q3_config *q3_model_config(const q3_model *m) { return &m->config; }

size_t q3_model_bytes(const q3_model *m) { return m->bytes; }

void q3_model_free(q3_model *m)
{
    if (!m)
        return;
    cudaFree(m->memory);
    q3_free(m->layers);
    q3_free(m);
}
