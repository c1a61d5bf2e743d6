// Makes a Qwen3 of random weights: usage: q3-random NAME FOLDER [FIELD=VALUE…], NAME a size ("0.6B" … "32B"). Fields: seed, sigma,
// norm_sigma, shard (bytes), threads, tied (0 or 1), and the sizes as config.json names them.
#include "q3_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set(q3_config *c, q3_random *how, const char *field, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (!*text || *end)
        return false;
#define Q3_ONE(name, known, high)      \
    if (strcmp(field, known) == 0)     \
        return c->name = (int64_t)value, true;
    Q3_SIZES(Q3_ONE)
#undef Q3_ONE
    if (strcmp(field, "seed") == 0)
        return how->seed = strtoull(text, NULL, 10), true;
    if (strcmp(field, "sigma") == 0)
        return how->sigma = value, true;
    if (strcmp(field, "norm_sigma") == 0)
        return how->norm_sigma = value, true;
    if (strcmp(field, "shard") == 0)
        return how->shard_bytes = (uint64_t)value, true;
    if (strcmp(field, "threads") == 0)
        return how->threads = (int)value, true;
    if (strcmp(field, "tied") == 0)
        return c->tied = value != 0, true;
    return false;
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
    if (argc < 3)
        return complain("usage: q3-random NAME FOLDER [FIELD=VALUE…]", "");
    if (q3_config_named(argv[1], &config) != TK_OK)
        return complain(tk_message(), "");
    for (int i = 3; i < argc; ++i) {
        char field[64] = "";
        const char *value = strchr(argv[i], '=');
        if (value)
            snprintf(field, sizeof field, "%.*s", (int)(value - argv[i] < 63 ? value - argv[i] : 63), argv[i]);
        if (!value || !set(&config, &how, field, value + 1))
            return complain(argv[i], "no FIELD=VALUE that is known");
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
