#include "q3_json.h"
#include "q3_tokenizer_in.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ID = 1 << 20 };

// ---- the alphabet of byte-level BPE ----

// The character that spells a byte: itself where it prints, else one from U+0100 on.
static uint32_t spelling(int byte)
{
    uint32_t others = 0x100;
    for (int b = 0; b < 256; ++b) {
        const bool prints = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
        if (b == byte)
            return prints ? (uint32_t)b : others;
        others += !prints;
    }
    return 0;
}

enum { ALPHABET = 0x100 + 68 }; // no spelling is past it

static void make_alphabet(short *byte_of)
{
    for (int c = 0; c < ALPHABET; ++c)
        byte_of[c] = -1;
    for (int b = 0; b < 256; ++b)
        byte_of[spelling(b)] = (short)b;
}

// The bytes that a token spells; one with a character outside the alphabet stands for its own UTF-8.
static size_t bytes_of(const short *byte_of, const char *spelled, size_t n, char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < n;) {
        uint32_t c;
        i += (size_t)q3_utf8_first((const unsigned char *)spelled + i, n - i, &c);
        if (c >= ALPHABET || byte_of[c] < 0) {
            memcpy(out, spelled, n);
            return n;
        }
        out[used++] = (char)byte_of[c];
    }
    return used;
}

// ---- the pipeline: what is computed here, and nothing else ----

static bool is_type(const cJSON *object, const char *type)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, "type");
    return cJSON_IsString(value) && strcmp(value->valuestring, type) == 0;
}

// The field is missing, null or false.
static bool is_off(const cJSON *object, const char *field)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, field);
    return !value || cJSON_IsNull(value) || cJSON_IsFalse(value);
}

static bool is_false(const cJSON *object, const char *field) { return cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(object, field)); }

static tk_status read_normalizer(const char *file, const cJSON *json, q3_tokenizer *t)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, json, "normalizer", true, &value));
    if (value && !is_type(value, "NFC"))
        return tk_fail(TK_UNSUPPORTED, "%s: normalizer is neither NFC nor null", file);
    t->composes = value != NULL;
    return TK_OK;
}

static tk_status read_pre_tokenizer(const char *file, const cJSON *json, q3_tokenizer *t)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, json, "pre_tokenizer", false, &value));
    const cJSON *steps = is_type(value, "Sequence") ? cJSON_GetObjectItemCaseSensitive(value, "pretokenizers") : NULL;
    if (cJSON_GetArraySize(steps) != 2)
        return tk_fail(TK_UNSUPPORTED, "%s: pre_tokenizer is no sequence of Split and ByteLevel", file);
    const cJSON *cut = steps->child, *bytes = cut->next;
    const cJSON *behavior = cJSON_GetObjectItemCaseSensitive(cut, "behavior");
    if (!is_type(cut, "Split") || !cJSON_IsString(behavior) || strcmp(behavior->valuestring, "Isolated") != 0 || !is_off(cut, "invert"))
        return tk_fail(TK_UNSUPPORTED, "%s: pre_tokenizer: the first is no Split whose behavior is Isolated", file);
    if (!is_type(bytes, "ByteLevel") || !is_false(bytes, "add_prefix_space") || !is_false(bytes, "use_regex"))
        return tk_fail(TK_UNSUPPORTED, "%s: pre_tokenizer: the second is no ByteLevel without add_prefix_space and use_regex", file);
    const cJSON *regex = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(cut, "pattern"), "Regex");
    if (!cJSON_IsString(regex))
        return tk_fail(TK_UNSUPPORTED, "%s: pre_tokenizer: Split has no Regex", file);
    return q3_pattern_new(file, regex->valuestring, &t->pattern);
}

static tk_status check_rest(const char *file, const cJSON *json)
{
    static const char *const off[] = {"truncation", "padding"};
    const cJSON *value;
    for (int i = 0; i < 2; ++i) {
        TK_TRY(q3_json_field(file, json, off[i], true, &value));
        if (value)
            return tk_fail(TK_UNSUPPORTED, "%s: %s is not null", file, off[i]);
    }
    TK_TRY(q3_json_field(file, json, "post_processor", true, &value)); // ByteLevel's changes offsets, which are not computed
    if (value && !is_type(value, "ByteLevel"))
        return tk_fail(TK_UNSUPPORTED, "%s: post_processor is neither ByteLevel nor null", file);
    TK_TRY(q3_json_field(file, json, "decoder", false, &value));
    return is_type(value, "ByteLevel") ? TK_OK : tk_fail(TK_UNSUPPORTED, "%s: decoder is not ByteLevel", file);
}

static tk_status check_model(const char *file, const cJSON *model)
{
    static const char *const off[] = {"dropout", "byte_fallback", "ignore_merges"};
    static const char *const empty[] = {"continuing_subword_prefix", "end_of_word_suffix"};
    if (!is_type(model, "BPE"))
        return tk_fail(TK_UNSUPPORTED, "%s: model is not BPE", file);
    for (int i = 0; i < 3; ++i)
        if (!is_off(model, off[i]))
            return tk_fail(TK_UNSUPPORTED, "%s: model: %s is set", file, off[i]);
    for (int i = 0; i < 2; ++i) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(model, empty[i]);
        if (value && !cJSON_IsNull(value) && !(cJSON_IsString(value) && !*value->valuestring))
            return tk_fail(TK_UNSUPPORTED, "%s: model: %s is not empty", file, empty[i]);
    }
    return TK_OK;
}

// ---- the vocabulary ----

typedef struct reader {
    const char *file;
    q3_tokenizer *t;
    const cJSON *vocab, *merges, *added; // merges and added may be null
    short byte_of[ALPHABET];
    size_t used; // of the pool
} reader;

// The largest id, and room for the texts.
static tk_status measure(const reader *r, int64_t *size, size_t *pool)
{
    int64_t id;
    for (const cJSON *c = r->vocab->child; c; c = c->next) {
        TK_TRY(q3_json_integer(r->file, c->string, c, 0, MAX_ID - 1, &id));
        *size = id >= *size ? id + 1 : *size;
        *pool += 2 * strlen(c->string) + 1;
    }
    for (const cJSON *c = r->added ? r->added->child : NULL; c; c = c->next) {
        const cJSON *content = cJSON_GetObjectItemCaseSensitive(c, "content");
        if (!cJSON_IsString(content) || !*content->valuestring)
            return tk_fail(TK_FILE, "%s: added_tokens: one has no content", r->file);
        TK_TRY(q3_json_integer(r->file, content->valuestring, cJSON_GetObjectItemCaseSensitive(c, "id"), 0, MAX_ID - 1, &id));
        *size = id >= *size ? id + 1 : *size;
        *pool += 2 * strlen(content->valuestring) + 1;
    }
    return TK_OK;
}

static tk_status add_token(reader *r, const char *spelled, int32_t id, bool added)
{
    q3_tokenizer *t = r->t;
    q3_token *token = &t->tokens[id], *same = NULL;
    const size_t n = strlen(spelled);
    bool no_memory = false;
    if (token->spelled)
        return tk_fail(TK_FILE, "%s: %.100s and %.100s have one id, %d", r->file, token->spelled, spelled, (int)id);
    HASH_FIND(hh, t->by_spelling, spelled, n, same);
    if (same)
        return tk_fail(TK_FILE, "%s: %.100s is there twice", r->file, spelled);
    char *at = t->pool + r->used;
    memcpy(at, spelled, n + 1);
    token->spelled = at;
    token->nspelled = (uint32_t)n;
    token->bytes = (unsigned char *)at + n + 1;
    if (added)
        memcpy(at + n + 1, spelled, n);
    token->nbytes = (uint32_t)(added ? n : bytes_of(r->byte_of, spelled, n, at + n + 1));
    r->used += 2 * n + 1;
    HASH_ADD_KEYPTR(hh, t->by_spelling, token->spelled, n, token);
    return no_memory ? q3_no_memory(r->file) : TK_OK;
}

static tk_status read_vocab(reader *r)
{
    for (const cJSON *c = r->vocab->child; c; c = c->next)
        TK_TRY(add_token(r, c->string, (int32_t)c->valuedouble, false));
    for (int b = 0; b < 256; ++b) {
        char spelled[5] = "";
        q3_utf8_write(spelled, spelling(b));
        r->t->byte[b] = q3_tokenizer_find(r->t, spelled);
        if (r->t->byte[b] < 0)
            return tk_fail(TK_FILE, "%s: model: no token for the byte %d", r->file, b);
    }
    return TK_OK;
}

static tk_status read_added(reader *r, const cJSON *c)
{
    static const char *const off[] = {"single_word", "lstrip", "rstrip", "normalized"};
    const char *content = cJSON_GetObjectItemCaseSensitive(c, "content")->valuestring;
    const int32_t id = (int32_t)cJSON_GetObjectItemCaseSensitive(c, "id")->valuedouble, known = q3_tokenizer_find(r->t, content);
    for (int i = 0; i < 4; ++i)
        if (!is_off(c, off[i]))
            return tk_fail(TK_UNSUPPORTED, "%s: added_tokens: %.100s: %s is set", r->file, content, off[i]);
    if (known >= 0 && (known != id || r->t->tokens[id].added))
        return tk_fail(TK_FILE, "%s: added_tokens: %.100s has the ids %d and %d", r->file, content, (int)known, (int)id);
    if (known < 0)
        TK_TRY(add_token(r, content, id, true));
    r->t->tokens[id].added = true;
    r->t->tokens[id].special = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "special"));
    r->t->added[r->t->nadded++] = id;
    return TK_OK;
}

typedef struct ordered {
    const q3_token *token;
    int32_t id;
} ordered;

static int by_first_byte(const void *a, const void *b)
{
    const q3_token *x = ((const ordered *)a)->token, *y = ((const ordered *)b)->token;
    if (x->spelled[0] != y->spelled[0])
        return (unsigned char)x->spelled[0] < (unsigned char)y->spelled[0] ? -1 : 1;
    return x->nspelled != y->nspelled ? (x->nspelled > y->nspelled ? -1 : 1) : strcmp(x->spelled, y->spelled);
}

static tk_status sort_added(reader *r)
{
    q3_tokenizer *t = r->t;
    ordered *list = q3_alloc((size_t)t->nadded, sizeof *list);
    if (!list)
        return q3_no_memory(r->file);
    for (int32_t i = 0; i < t->nadded; ++i)
        list[i] = (ordered){&t->tokens[t->added[i]], t->added[i]};
    qsort(list, (size_t)t->nadded, sizeof *list, by_first_byte);
    for (int32_t i = 0; i < t->nadded; ++i) {
        t->added[i] = list[i].id;
        ++t->added_from[(unsigned char)list[i].token->spelled[0] + 1];
    }
    for (int b = 0; b < 256; ++b)
        t->added_from[b + 1] += t->added_from[b];
    q3_free(list);
    return TK_OK;
}

// ---- merges ----

static unsigned hash_of(const int32_t *pair)
{
    uint64_t z = ((uint64_t)(uint32_t)pair[0] << 32 | (uint32_t)pair[1]) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
    return (unsigned)(z ^ z >> 32);
}

const q3_merge *q3_merge_of(const q3_tokenizer *t, int32_t left, int32_t right)
{
    const int32_t pair[2] = {left, right};
    q3_merge *found = NULL;
    HASH_FIND_BYHASHVALUE(hh, t->by_pair, pair, sizeof pair, hash_of(pair), found);
    return found;
}

// Of one pair twice the later counts.
static tk_status add_merge(reader *r, int32_t rank, const int32_t *pair, int32_t id)
{
    q3_merge *m = (q3_merge *)(uintptr_t)q3_merge_of(r->t, pair[0], pair[1]);
    bool no_memory = false;
    if (m) {
        m->rank = rank;
        return TK_OK;
    }
    m = &r->t->merges[rank];
    m->pair[0] = pair[0];
    m->pair[1] = pair[1];
    m->rank = rank;
    m->id = id;
    const unsigned hash = hash_of(pair);
    HASH_ADD_BYHASHVALUE(hh, r->t->by_pair, pair, sizeof m->pair, hash, m);
    return no_memory ? q3_no_memory(r->file) : TK_OK;
}

static tk_status find(const reader *r, int rank, const char *spelled, int32_t *id)
{
    *id = q3_tokenizer_find(r->t, spelled);
    return *id >= 0 ? TK_OK : tk_fail(TK_FILE, "%s: merge %d: %.100s is not in the vocabulary", r->file, rank, spelled);
}

// "left right" or ["left", "right"].
static tk_status cut_merge(const reader *r, int rank, const cJSON *one, q3_text *left, q3_text *right)
{
    const char *a = NULL, *b = NULL;
    size_t n = 0;
    left->n = right->n = 0;
    if (cJSON_IsString(one)) {
        a = one->valuestring;
        b = strchr(a, ' ');
        n = b ? (size_t)(b++ - a) : 0;
        if (b && strchr(b, ' '))
            b = NULL;
    } else if (cJSON_GetArraySize(one) == 2 && cJSON_IsString(one->child) && cJSON_IsString(one->child->next)) {
        a = one->child->valuestring;
        b = one->child->next->valuestring;
        n = strlen(a);
    }
    if (!a || !b || n == 0 || !*b)
        return tk_fail(TK_FILE, "%s: merge %d is no pair of tokens", r->file, rank);
    TK_TRY(q3_text_put(left, a, n));
    return q3_text_put(right, b, strlen(b));
}

static tk_status read_merge(reader *r, int rank, const cJSON *one, q3_text *left, q3_text *right)
{
    int32_t pair[2], id;
    TK_TRY(cut_merge(r, rank, one, left, right));
    TK_TRY(find(r, rank, left->at, &pair[0]));
    TK_TRY(find(r, rank, right->at, &pair[1]));
    TK_TRY(q3_text_put(left, right->at, right->n));
    TK_TRY(find(r, rank, left->at, &id));
    return add_merge(r, rank, pair, id);
}

static tk_status read_merges(reader *r)
{
    q3_text left = {0}, right = {0};
    tk_status status = TK_OK;
    int rank = 0;
    for (const cJSON *one = r->merges->child; one && status == TK_OK; one = one->next)
        status = read_merge(r, rank++, one, &left, &right);
    q3_text_free(&left);
    q3_text_free(&right);
    return status;
}

// ---- the file ----

static tk_status make_room(reader *r)
{
    q3_tokenizer *t = r->t;
    int64_t size = 0;
    size_t pool = 0;
    TK_TRY(measure(r, &size, &pool));
    t->size = (int32_t)size;
    t->tokens = q3_alloc((size_t)size, sizeof *t->tokens);
    t->pool = q3_alloc(pool, 1);
    t->merges = q3_alloc((size_t)cJSON_GetArraySize(r->merges), sizeof *t->merges);
    t->added = q3_alloc((size_t)cJSON_GetArraySize(r->added), sizeof *t->added);
    return t->tokens && t->pool && t->merges && t->added ? TK_OK : q3_no_memory(r->file);
}

static tk_status read_model(reader *r, const cJSON *json)
{
    const cJSON *model;
    TK_TRY(q3_json_field(r->file, json, "model", false, &model));
    TK_TRY(check_model(r->file, model));
    TK_TRY(q3_json_field(r->file, model, "vocab", false, &r->vocab));
    TK_TRY(q3_json_field(r->file, model, "merges", false, &r->merges));
    TK_TRY(q3_json_field(r->file, json, "added_tokens", true, &r->added));
    if (!cJSON_IsObject(r->vocab))
        return tk_fail(TK_FILE, "%s: model: vocab is no object", r->file);
    if (!cJSON_IsArray(r->merges) || (r->added && !cJSON_IsArray(r->added)))
        return tk_fail(TK_FILE, "%s: %s is no list", r->file, cJSON_IsArray(r->merges) ? "added_tokens" : "model: merges");
    TK_TRY(make_room(r));
    make_alphabet(r->byte_of);
    TK_TRY(read_vocab(r));
    TK_TRY(read_merges(r));
    for (const cJSON *c = r->added ? r->added->child : NULL; c; c = c->next)
        TK_TRY(read_added(r, c));
    return sort_added(r);
}

static tk_status read_all(const char *file, const cJSON *json, q3_tokenizer *t)
{
    reader r = {.file = file, .t = t};
    TK_TRY(read_normalizer(file, json, t));
    TK_TRY(check_rest(file, json));
    TK_TRY(read_pre_tokenizer(file, json, t));
    return read_model(&r, json);
}

tk_status q3_tokenizer_parse(const char *file, const char *text, size_t n, q3_tokenizer **out)
{
    cJSON *json;
    *out = NULL;
    TK_TRY(q3_json_parse(file, text, n, &json));
    q3_tokenizer *t = q3_alloc(1, sizeof *t);
    const tk_status status = t ? read_all(file, json, t) : q3_no_memory(file);
    cJSON_Delete(json);
    if (status == TK_OK)
        *out = t;
    else
        q3_tokenizer_close(t);
    return status;
}

static tk_status open_file(const char *path, q3_tokenizer **out)
{
    char *text;
    size_t n;
    TK_TRY(q3_file_read(path, &text, &n));
    const tk_status status = q3_tokenizer_parse(path, text, n, out);
    q3_free(text);
    return status;
}

tk_status q3_tokenizer_open(const char *path, q3_tokenizer **out)
{
    q3_text inside = {0};
    *out = NULL;
    tk_status status = q3_path(&inside, path, "tokenizer.json");
    if (status == TK_OK)
        status = open_file(q3_file_exists(inside.at) ? inside.at : path, out);
    q3_text_free(&inside);
    return status;
}

void q3_tokenizer_close(q3_tokenizer *t)
{
    if (!t)
        return;
    HASH_CLEAR(hh, t->by_spelling);
    HASH_CLEAR(hh, t->by_pair);
    q3_pattern_free(t->pattern);
    q3_free(t->tokens);
    q3_free(t->merges);
    q3_free(t->added);
    q3_free(t->pool);
    q3_free(t);
}

// ---- looking up ----

int32_t q3_tokenizer_size(const q3_tokenizer *t) { return t->size; }

int32_t q3_tokenizer_find(const q3_tokenizer *t, const char *token)
{
    const size_t n = strlen(token);
    q3_token *found = NULL;
    HASH_FIND(hh, t->by_spelling, token, n, found);
    return found ? (int32_t)(found - t->tokens) : -1;
}

const char *q3_token_bytes(const q3_tokenizer *t, int32_t id, size_t *n)
{
    const bool known = id >= 0 && id < t->size && t->tokens[id].spelled;
    *n = known ? t->tokens[id].nbytes : 0;
    return known ? (const char *)t->tokens[id].bytes : NULL;
}

bool q3_token_is_special(const q3_tokenizer *t, int32_t id) { return id >= 0 && id < t->size && t->tokens[id].special; }
