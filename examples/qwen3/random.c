// Makes a Qwen3 of random weights: usage: q3-random NAME FOLDER [FIELD=VALUE…], NAME a size ("0.6B" … "32B"). Fields: seed, sigma,
// norm_sigma, shard (bytes), threads, tied (0 or 1), and the sizes as config.json names them.
#include "q3_random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: q3-random NAME FOLDER [FIELD=VALUE...]     makes a Qwen3 of random weights\n"
    "\n"
    "NAME: 0.6B, 1.7B, 4B, 8B, 14B or 32B; on disk about 2 bytes a parameter.\n"
    "\n"
    "  seed=N, sigma=X, norm_sigma=X     what is drawn\n"
    "  shard=BYTES                       of a file of weights, at most\n"
    "  threads=N                         that write\n"
    "  tied=0 or 1                       one matrix for the first layer and the last\n"
    "and the sizes as config.json names them: hidden_size, num_hidden_layers, vocab_size, max_position_embeddings, ...\n"
    "\n"
    "Exit status: 0 done, 1 an error, 2 wrong arguments.\n";

static bool is_whole(const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *out <= most;
}

static bool is_real(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return *text && !*end && *out >= 0 && *out <= 1e30;
}

// NULL: done; else what the field wants, "" where there is none of that name.
static const char *set(q3_config *c, q3_random *how, const char *field, const char *text)
{
    uint64_t whole;
    double real;
#define Q3_ONE(name, known, high)                                                                      \
    if (strcmp(field, known) == 0)                                                                     \
        return is_whole(text, high, &whole) ? (c->name = (int64_t)whole, NULL) : "a number from 1 to " #high;
    Q3_SIZES(Q3_ONE)
#undef Q3_ONE
    if (strcmp(field, "seed") == 0)
        return is_whole(text, UINT64_MAX, &whole) ? (how->seed = whole, NULL) : "a number from 0 to 2^64 - 1";
    if (strcmp(field, "sigma") == 0)
        return is_real(text, &real) ? (how->sigma = real, NULL) : "a number, 0 or more";
    if (strcmp(field, "norm_sigma") == 0)
        return is_real(text, &real) ? (how->norm_sigma = real, NULL) : "a number, 0 or more";
    if (strcmp(field, "shard") == 0)
        return is_whole(text, UINT64_MAX, &whole) ? (how->shard_bytes = whole, NULL) : "a number of bytes";
    if (strcmp(field, "threads") == 0)
        return is_whole(text, 1024, &whole) ? (how->threads = (int)whole, NULL) : "a number from 0 to 1024";
    if (strcmp(field, "tied") == 0)
        return is_whole(text, 1, &whole) ? (c->tied = whole != 0, NULL) : "0 or 1";
    return "";
}

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "q3-random: %s%s%s\n", what, *why ? ": " : "", why);
    return 1;
}

int main(int argc, char **argv)
{
    q3_config config;
    q3_random how = q3_random_default(0);
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc < 3) {
        fputs(usage, stderr);
        return 2;
    }
    if (q3_config_named(argv[1], &config) != TK_OK) {
        complain(tk_message(), "--help says which there are");
        return 2;
    }
    for (int i = 3; i < argc; ++i) {
        char field[64] = "";
        const char *value = strchr(argv[i], '=');
        if (value)
            snprintf(field, sizeof field, "%.*s", (int)(value - argv[i] < 63 ? value - argv[i] : 63), argv[i]);
        const char *wanted = value ? set(&config, &how, field, value + 1) : "";
        if (wanted) {
            complain(argv[i], *wanted ? wanted : "no FIELD=VALUE that is known (--help)");
            return 2;
        }
    }
    // A smaller vocabulary may not have the tokens that end a text.
    int kept = 0;
    for (int k = 0; k < config.eos_count; ++k)
        if (config.eos[k] < config.vocab)
            config.eos[kept++] = config.eos[k];
    config.eos_count = kept;
    if (q3_random_write(argv[2], &config, &how) != TK_OK)
        return complain(tk_message(), "");
    printf("%s: %.2f GB\n", argv[2], (double)q3_config_parameters(&config) * 2e-9);
    return 0;
}
