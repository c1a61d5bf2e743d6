#include "q3_random.h"

#include "q3_json.h"
#include "q3_safetensors.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUANTILES = 1 << 16, CHUNK = 1 << 22, MAX_THREADS = 256 }; // CHUNK: elements a thread makes at a time

// ---- the distribution ----

static float quantile[QUANTILES]; // of the standard normal distribution, at (i + 1/2) / QUANTILES

// Each from the one before, by Newton's method on the distribution function; the upper half mirrors the lower.
static void make_quantiles(void)
{
    double z = -4.2;
    for (int i = 0; i < QUANTILES / 2; ++i) {
        const double p = (i + 0.5) / (double)QUANTILES;
        for (int step = 0; step < 8; ++step)
            z -= (0.5 * erfc(-z * M_SQRT1_2) - p) / (exp(-0.5 * z * z) * (M_2_SQRTPI * M_SQRT1_2 / 2));
        quantile[i] = (float)z;
        quantile[QUANTILES - 1 - i] = (float)-z;
    }
}

static uint16_t bf16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16); // to nearest even; x is finite
}

// The entry for each 16 bits drawn, of one mean and deviation.
static void make_table(const q3_weight *w, const q3_random *how, uint16_t *table)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_quantiles);
    const bool norm = w->role == Q3_NORM;
    const double sigma = norm ? how->norm_sigma : how->sigma > 0 ? how->sigma : 1 / sqrt((double)w->extent[1]);
    for (int i = 0; i < QUANTILES; ++i)
        table[i] = bf16((float)((norm ? 1.0 : 0.0) + sigma * (double)quantile[i]));
}

// ---- the generator ----

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t key_of(const char *name, uint64_t seed)
{
    uint64_t key = mix(seed + 0x9e3779b97f4a7c15u);
    for (; *name; ++name)
        key = mix((key ^ (unsigned char)*name) + 0x9e3779b97f4a7c15u);
    return key;
}

// Draw k of a stream serves elements 4k … 4k + 3.
static uint64_t draw(uint64_t key, uint64_t k) { return mix(key + (k + 1) * 0x9e3779b97f4a7c15u); }

static void fill(uint64_t key, const uint16_t *table, uint64_t first, size_t n, uint16_t *out)
{
    size_t i = 0;
    for (; i < n && (first + i) % 4; ++i)
        out[i] = table[(uint16_t)(draw(key, (first + i) / 4) >> (first + i) % 4 * 16)];
    for (; i + 4 <= n; i += 4) {
        const uint64_t bits = draw(key, (first + i) / 4);
        out[i] = table[(uint16_t)bits];
        out[i + 1] = table[(uint16_t)(bits >> 16)];
        out[i + 2] = table[(uint16_t)(bits >> 32)];
        out[i + 3] = table[(uint16_t)(bits >> 48)];
    }
    for (; i < n; ++i)
        out[i] = table[(uint16_t)(draw(key, (first + i) / 4) >> (first + i) % 4 * 16)];
}

tk_status q3_random_fill(const q3_weight *w, const q3_random *how, uint64_t first, size_t n, uint16_t *out)
{
    uint16_t *table = q3_alloc(QUANTILES, sizeof *table);
    if (!table)
        return q3_no_memory(w->name);
    make_table(w, how, table);
    fill(key_of(w->name, how->seed), table, first, n, out);
    q3_free(table);
    return TK_OK;
}

// ---- writing, by several threads ----

typedef struct work {
    const q3_config *config;
    const q3_random *how;
    q3_writer *writer;
    pthread_mutex_t lock;
    int64_t weight; // the next chunk to take
    uint64_t first;
    tk_status status; // the first that failed, and its text
    char text[512];
} work;

// The next chunk; false where there is none, or something has failed.
static bool take(work *w, int64_t *weight, uint64_t *first, size_t *n)
{
    pthread_mutex_lock(&w->lock);
    const bool more = w->status == TK_OK && w->weight < q3_weight_count(w->config);
    if (more) {
        const q3_weight one = q3_weight_at(w->config, w->weight);
        const uint64_t left = (uint64_t)q3_weight_elements(&one) - w->first;
        *weight = w->weight;
        *first = w->first;
        *n = left < CHUNK ? (size_t)left : CHUNK;
        w->first += *n;
        if (*n == left) {
            ++w->weight;
            w->first = 0;
        }
    }
    pthread_mutex_unlock(&w->lock);
    return more;
}

// A message is its thread's own: it is kept for the caller's.
static void failed(work *w, tk_status status)
{
    pthread_mutex_lock(&w->lock);
    if (w->status == TK_OK) {
        w->status = status;
        strncpy(w->text, tk_message(), sizeof w->text - 1);
    }
    pthread_mutex_unlock(&w->lock);
}

static tk_status make_chunks(work *w, uint16_t *table, uint16_t *chunk)
{
    int64_t i, of = -1; // of: the weight that the table is for
    uint64_t first;
    size_t n;
    while (take(w, &i, &first, &n)) {
        const q3_weight one = q3_weight_at(w->config, i);
        if (i != of)
            make_table(&one, w->how, table);
        of = i;
        fill(key_of(one.name, w->how->seed), table, first, n, chunk);
        TK_TRY(q3_writer_put(w->writer, (size_t)i, first * sizeof *chunk, chunk, n * sizeof *chunk));
    }
    return TK_OK;
}

static void *run(void *arg)
{
    work *w = arg;
    uint16_t *table = q3_alloc(QUANTILES, sizeof *table), *chunk = q3_alloc(CHUNK, sizeof *chunk);
    const tk_status status = table && chunk ? make_chunks(w, table, chunk) : q3_no_memory("random weights");
    if (status != TK_OK)
        failed(w, status);
    q3_free(table);
    q3_free(chunk);
    return NULL;
}

static void run_all(work *w)
{
    pthread_t others[MAX_THREADS];
    long n = w->how->threads > 0 ? w->how->threads : sysconf(_SC_NPROCESSORS_ONLN);
    int started = 0;
    n = n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : n;
    while (started < n - 1 && pthread_create(&others[started], NULL, run, w) == 0)
        ++started;
    run(w); // this thread too; fewer than wanted are fine
    while (started > 0)
        pthread_join(others[--started], NULL);
}

static tk_status write_weights(const char *folder, const q3_config *config, const q3_random *how, q3_layout *layouts, q3_weight *weights)
{
    const size_t n = (size_t)q3_weight_count(config);
    for (size_t i = 0; i < n; ++i) {
        weights[i] = q3_weight_at(config, (int64_t)i);
        layouts[i] = (q3_layout){.name = weights[i].name, .type = Q3_BF16, .rank = weights[i].rank,
                                 .extent = {weights[i].extent[0], weights[i].extent[1]}};
    }
    work w = {.config = config, .how = how, .lock = PTHREAD_MUTEX_INITIALIZER};
    TK_TRY(q3_writer_open(folder, layouts, n, how->shard_bytes, &w.writer));
    run_all(&w);
    if (w.status == TK_OK)
        return q3_writer_close(w.writer);
    q3_writer_abandon(w.writer);
    return tk_fail(w.status, "%s", w.text);
}

q3_random q3_random_default(uint64_t seed) { return (q3_random){.seed = seed, .norm_sigma = 0.1, .shard_bytes = 5000000000}; }

tk_status q3_random_write(const char *folder, const q3_config *config, const q3_random *how)
{
    TK_TRY(q3_config_check("the config", config));
    if (!(how->sigma >= 0 && how->sigma <= 1e6) || !(how->norm_sigma >= 0 && how->norm_sigma <= 1e6))
        return tk_fail(TK_VALUE, "a deviation is not within 0 and 1e6");
    if (mkdir(folder, 0777) && errno != EEXIST)
        return tk_fail(TK_FILE, "%s: %s", folder, strerror(errno));
    const size_t n = (size_t)q3_weight_count(config);
    q3_layout *layouts = q3_alloc(n, sizeof *layouts);
    q3_weight *weights = q3_alloc(n, sizeof *weights);
    tk_status status = layouts && weights ? write_weights(folder, config, how, layouts, weights) : q3_no_memory(folder);
    q3_free(layouts);
    q3_free(weights);
    return status == TK_OK ? q3_config_write(folder, config) : status;
}
