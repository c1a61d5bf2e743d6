#include "q3_config.h"

#include "q3_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the table ----

static const struct row {
    const char *name;
    int hidden, intermediate, layers, heads, positions;
    double theta;
    bool tied;
} rows[] = {
    {"0.6B", 1024, 3072, 28, 16, 40960, 1e6, true},
    {"1.7B", 2048, 6144, 28, 16, 40960, 1e6, true},
    {"4B", 2560, 9728, 36, 32, 40960, 1e6, true},
    {"4B-2507", 2560, 9728, 36, 32, 262144, 5e6, true},
    {"8B", 4096, 12288, 36, 32, 40960, 1e6, false},
    {"14B", 5120, 17408, 40, 40, 40960, 1e6, false},
    {"32B", 5120, 25600, 64, 64, 40960, 1e6, false},
};

enum { ROWS = sizeof rows / sizeof rows[0], END_OF_TEXT = 151643, END_OF_TURN = 151645 };

const char *q3_config_name(int i) { return i >= 0 && i < ROWS ? rows[i].name : NULL; }

tk_status q3_config_named(const char *name, q3_config *out)
{
    for (const struct row *r = rows; r < rows + ROWS; ++r) {
        if (strcmp(r->name, name) != 0)
            continue;
        *out = (q3_config){.hidden = r->hidden, .intermediate = r->intermediate, .layers = r->layers, .heads = r->heads, .kv_heads = 8,
                           .head_dim = 128, .vocab = 151936, .positions = r->positions, .eps = 1e-6, .theta = r->theta, .tied = r->tied,
                           .eos_count = 2, .eos = {END_OF_TURN, END_OF_TEXT}};
        return TK_OK;
    }
    return tk_fail(TK_VALUE, "no Qwen3 of the name %.100s", name);
}

// ---- checking ----

static tk_status check_eos(const char *of, const q3_config *c)
{
    if (c->eos_count < 0 || c->eos_count > Q3_EOS)
        return tk_fail(TK_VALUE, "%s: %d tokens of eos_token_id; at most %d", of, c->eos_count, Q3_EOS);
    for (int i = 0; i < c->eos_count; ++i)
        if (c->eos[i] < 0 || c->eos[i] >= c->vocab)
            return tk_fail(TK_VALUE, "%s: eos_token_id %d is not below vocab_size %lld", of, (int)c->eos[i], (long long)c->vocab);
    return TK_OK;
}

tk_status q3_config_check(const char *of, const q3_config *c)
{
#define Q3_ONE(name, field, high)                                                                                             \
    if (c->name < 1 || c->name > (high))                                                                                      \
        return tk_fail(TK_VALUE, "%s: " field " is %lld, not within 1 and %lld", of, (long long)c->name, (long long)(high));
    Q3_SIZES(Q3_ONE)
#undef Q3_ONE
    if (c->heads % c->kv_heads)
        return tk_fail(TK_VALUE, "%s: num_attention_heads %lld is no multiple of num_key_value_heads %lld", of, (long long)c->heads,
                       (long long)c->kv_heads);
    if (c->head_dim % 2)
        return tk_fail(TK_VALUE, "%s: head_dim is %lld; RoPE turns pairs", of, (long long)c->head_dim);
    if (!(c->eps > 0 && c->eps < 1))
        return tk_fail(TK_VALUE, "%s: rms_norm_eps is %g, not between 0 and 1", of, c->eps);
    if (!(c->theta >= 1 && c->theta <= 1e12))
        return tk_fail(TK_VALUE, "%s: rope_theta is %g, not within 1 and 1e12", of, c->theta);
    return check_eos(of, c);
}

// ---- reading ----

static tk_status read_number(const char *file, const cJSON *object, const char *field, double *out)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, object, field, false, &value));
    if (!cJSON_IsNumber(value))
        return tk_fail(TK_FILE, "%s: %s is no number", file, field);
    *out = value->valuedouble;
    return TK_OK;
}

static tk_status read_flag(const char *file, const cJSON *object, const char *field, bool missing, bool *out)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, object, field, true, &value));
    if (value && !cJSON_IsBool(value))
        return tk_fail(TK_FILE, "%s: %s is neither true nor false", file, field);
    *out = value ? cJSON_IsTrue(value) : missing;
    return TK_OK;
}

// A field that, where it is there, must have the one value that is computed here.
static tk_status want_text(const char *file, const cJSON *object, const char *field, const char *text)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, object, field, true, &value));
    if (value && (!cJSON_IsString(value) || strcmp(value->valuestring, text) != 0))
        return tk_fail(TK_UNSUPPORTED, "%s: %s is not \"%s\"", file, field, text);
    return TK_OK;
}

static tk_status want_full_attention(const char *file, const cJSON *json)
{
    const cJSON *types;
    TK_TRY(q3_json_field(file, json, "layer_types", true, &types));
    if (types && !cJSON_IsArray(types))
        return tk_fail(TK_FILE, "%s: layer_types is no list", file);
    for (const cJSON *one = types ? types->child : NULL; one; one = one->next)
        if (!cJSON_IsString(one) || strcmp(one->valuestring, "full_attention") != 0)
            return tk_fail(TK_UNSUPPORTED, "%s: layer_types has other layers than full_attention", file);
    return TK_OK;
}

static tk_status want_false(const char *file, const cJSON *object, const char *field)
{
    bool flag;
    TK_TRY(read_flag(file, object, field, false, &flag));
    return flag ? tk_fail(TK_UNSUPPORTED, "%s: %s is true", file, field) : TK_OK;
}

// theta is a field of its own, or one of rope_parameters (rope_scaling before it had that name). Where it is in two places, both are one.
static tk_status read_rope(const char *file, const cJSON *json, double *theta)
{
    static const char *const inner[] = {"rope_parameters", "rope_scaling"};
    const cJSON *value;
    bool found = false;
    TK_TRY(q3_json_field(file, json, "rope_theta", true, &value));
    if (value) {
        TK_TRY(read_number(file, json, "rope_theta", theta));
        found = true;
    }
    for (int i = 0; i < 2; ++i) {
        const cJSON *object;
        double again;
        TK_TRY(q3_json_field(file, json, inner[i], true, &object));
        if (!object)
            continue;
        TK_TRY(want_text(file, object, "rope_type", "default"));
        TK_TRY(want_text(file, object, "type", "default"));
        TK_TRY(q3_json_field(file, object, "rope_theta", true, &value));
        if (!value)
            continue;
        TK_TRY(read_number(file, object, "rope_theta", &again));
        if (found && again != *theta)
            return tk_fail(TK_FILE, "%s: rope_theta is %g, and %g in %s", file, *theta, again, inner[i]);
        *theta = again;
        found = true;
    }
    return found ? TK_OK : tk_fail(TK_FILE, "%s: rope_theta is missing", file);
}

// One id or a list of them; *found tells whether there is any.
static tk_status read_eos(const char *file, const cJSON *json, q3_config *c, bool *found)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, json, "eos_token_id", true, &value));
    *found = value != NULL;
    if (!value)
        return TK_OK;
    c->eos_count = 0;
    for (const cJSON *one = cJSON_IsArray(value) ? value->child : value; one; one = cJSON_IsArray(value) ? one->next : NULL) {
        int64_t id;
        if (c->eos_count == Q3_EOS)
            return tk_fail(TK_FILE, "%s: more than %d tokens of eos_token_id", file, Q3_EOS);
        TK_TRY(q3_json_integer(file, "eos_token_id", one, 0, c->vocab - 1, &id));
        c->eos[c->eos_count++] = (int32_t)id;
    }
    return TK_OK;
}

static tk_status read_fields(const char *file, const cJSON *json, q3_config *c)
{
    const cJSON *value;
    bool found;
    *c = (q3_config){0};
    TK_TRY(want_text(file, json, "model_type", "qwen3"));
    TK_TRY(want_text(file, json, "hidden_act", "silu"));
    TK_TRY(want_false(file, json, "attention_bias"));
    TK_TRY(want_false(file, json, "use_sliding_window"));
    TK_TRY(want_full_attention(file, json));
    TK_TRY(q3_json_field(file, json, "quantization_config", true, &value));
    if (value)
        return tk_fail(TK_UNSUPPORTED, "%s: quantization_config is there; only weights as they were trained", file);
#define Q3_ONE(name, field, high)                                       \
    TK_TRY(q3_json_field(file, json, field, false, &value));            \
    TK_TRY(q3_json_integer(file, field, value, 1, (high), &c->name));
    Q3_SIZES(Q3_ONE)
#undef Q3_ONE
    TK_TRY(read_number(file, json, "rms_norm_eps", &c->eps));
    TK_TRY(read_rope(file, json, &c->theta));
    TK_TRY(read_flag(file, json, "tie_word_embeddings", false, &c->tied));
    return read_eos(file, json, c, &found);
}

tk_status q3_config_parse(const char *file, const char *text, size_t n, q3_config *out)
{
    cJSON *json;
    TK_TRY(q3_json_parse(file, text, n, &json));
    tk_status status = read_fields(file, json, out);
    cJSON_Delete(json);
    return status == TK_OK ? q3_config_check(file, out) : status;
}

static tk_status read_config(const char *path, q3_config *out)
{
    char *text;
    size_t n;
    TK_TRY(q3_file_read(path, &text, &n));
    const tk_status status = q3_config_parse(path, text, n, out);
    q3_free(text);
    return status;
}

static tk_status read_generation(const char *path, q3_config *out)
{
    cJSON *json;
    bool found;
    if (!q3_file_exists(path))
        return TK_OK;
    TK_TRY(q3_json_read(path, &json));
    const tk_status status = read_eos(path, json, out, &found);
    cJSON_Delete(json);
    return status;
}

tk_status q3_config_read(const char *folder, q3_config *out)
{
    q3_text path = {0};
    tk_status status = q3_path(&path, folder, "config.json");
    if (status == TK_OK)
        status = read_config(path.at, out);
    if (status == TK_OK)
        status = q3_path(&path, folder, "generation_config.json");
    if (status == TK_OK)
        status = read_generation(path.at, out);
    q3_text_free(&path);
    return status;
}

// ---- writing ----

static tk_status put_number(q3_text *t, const char *field, double x)
{
    char short_form[32];
    snprintf(short_form, sizeof short_form, "%.15g", x);
    double back = 0;
    return sscanf(short_form, "%lf", &back) == 1 && back == x ? q3_text_format(t, "  \"%s\": %s,\n", field, short_form)
                                                              : q3_text_format(t, "  \"%s\": %.17g,\n", field, x);
}

static tk_status put_eos(q3_text *t, const q3_config *c)
{
    if (!c->eos_count)
        return TK_OK;
    TK_TRY(q3_text_format(t, "  \"eos_token_id\": ["));
    for (int i = 0; i < c->eos_count; ++i)
        TK_TRY(q3_text_format(t, "%s%d", i ? ", " : "", (int)c->eos[i]));
    return q3_text_format(t, "],\n");
}

static tk_status put_config(q3_text *t, const q3_config *c)
{
    TK_TRY(q3_text_format(t, "{\n  \"architectures\": [\"Qwen3ForCausalLM\"],\n  \"model_type\": \"qwen3\",\n"));
#define Q3_ONE(name, field, high) TK_TRY(q3_text_format(t, "  \"" field "\": %lld,\n", (long long)c->name));
    Q3_SIZES(Q3_ONE)
#undef Q3_ONE
    TK_TRY(put_number(t, "rms_norm_eps", c->eps));
    TK_TRY(put_number(t, "rope_theta", c->theta));
    TK_TRY(put_eos(t, c));
    return q3_text_format(t,
                          "  \"tie_word_embeddings\": %s,\n  \"attention_bias\": false,\n  \"attention_dropout\": 0.0,\n"
                          "  \"hidden_act\": \"silu\",\n  \"rope_scaling\": null,\n  \"use_sliding_window\": false,\n"
                          "  \"torch_dtype\": \"bfloat16\",\n  \"use_cache\": true\n}\n",
                          c->tied ? "true" : "false");
}

static tk_status put_generation(q3_text *t, const q3_config *c)
{
    TK_TRY(q3_text_format(t, "{\n"));
    TK_TRY(put_eos(t, c));
    return q3_text_format(t, "  \"do_sample\": false\n}\n");
}

static tk_status write_one(const char *folder, const char *name, const q3_config *c, tk_status (*put)(q3_text *, const q3_config *))
{
    q3_text path = {0}, text = {0};
    tk_status status = q3_path(&path, folder, name);
    if (status == TK_OK)
        status = put(&text, c);
    if (status == TK_OK)
        status = q3_file_write(path.at, text.at, text.n);
    q3_text_free(&path);
    q3_text_free(&text);
    return status;
}

tk_status q3_config_write(const char *folder, const q3_config *c)
{
    TK_TRY(q3_config_check("the config", c));
    TK_TRY(write_one(folder, "config.json", c, put_config));
    return write_one(folder, "generation_config.json", c, put_generation);
}

// ---- weights ----

q3_weight q3_weight_of(const q3_config *c, q3_weight_id id, int64_t layer)
{
    q3_weight w = {.id = id, .layer = id < Q3_LAYER_END ? layer : -1};
    int64_t rows_of = 1, columns = 1;
    const char *name = "";
    switch (id) {
#define Q3_ONE(one, text, kind, r, n) \
    case one:                         \
        name = text;                  \
        w.role = kind;                \
        rows_of = r;                  \
        columns = n;                  \
        break;
        Q3_LAYER_WEIGHTS(Q3_ONE)
        Q3_MODEL_WEIGHTS(Q3_ONE)
#undef Q3_ONE
    case Q3_LAYER_END:
        break;
    }
    w.rank = w.role == Q3_NORM ? 1 : 2;
    w.extent[0] = w.rank == 2 ? rows_of : columns;
    w.extent[1] = w.rank == 2 ? columns : 1;
    if (w.layer < 0)
        snprintf(w.name, sizeof w.name, "%s", name);
    else
        snprintf(w.name, sizeof w.name, "model.layers.%d.%s", (int)layer, name);
    return w;
}

int64_t q3_weight_count(const q3_config *c) { return c->layers * Q3_LAYER_END + (c->tied ? 2 : 3); }

q3_weight q3_weight_at(const q3_config *c, int64_t i)
{
    const int64_t in_layers = i - 1, after = in_layers - c->layers * Q3_LAYER_END;
    if (i == 0)
        return q3_weight_of(c, Q3_EMBED, -1);
    if (after >= 0)
        return q3_weight_of(c, after ? Q3_HEAD : Q3_FINAL_NORM, -1);
    return q3_weight_of(c, (q3_weight_id)(in_layers % Q3_LAYER_END), in_layers / Q3_LAYER_END);
}

int64_t q3_weight_elements(const q3_weight *w) { return w->extent[0] * w->extent[1]; }

int64_t q3_config_parameters(const q3_config *c)
{
    int64_t n = 0;
    for (int64_t i = 0; i < q3_weight_count(c); ++i) {
        const q3_weight w = q3_weight_at(c, i);
        n += q3_weight_elements(&w);
    }
    return n;
}
