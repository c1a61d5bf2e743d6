// qwen3: continues a prompt with a Qwen3 model folder on the GPU.
#include "q3_model.h"

#include "q3_json.h"
#include "q3_tokenizer.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: qwen3 [options] FOLDER [PROMPT]     continues a prompt, greedily\n"
    "       qwen3 --encode FOLDER PROMPT        prints the prompt's token ids\n"
    "\n"
    "FOLDER holds config.json, the weights as safetensors (one file or shards) and, for texts, tokenizer.json.\n"
    "\n"
    "  -t, --tokens IDS     the prompt as token ids, separated by commas, in place of a text\n"
    "  -n, --count N        how many tokens at most (128)\n"
    "  -c, --chat           the prompt is what a user says: the model's chat form is put around it\n"
    "  -i, --ids            print token ids, no text\n"
    "      --capacity N     room for prompt and answer together (prompt + count)\n"
    "      --ignore-eos     go on behind the end of the text\n"
    "      --logits FILE    write the logits of each token chosen, as 32-bit floats\n"
    "  -q, --quiet          no line with the speeds\n"
    "  -h, --help\n"
    "\n"
    "Exit status: 0 done, 1 an error, 2 wrong options.\n";

typedef struct options {
    const char *folder, *prompt, *tokens, *logits;
    int64_t count, capacity;
    bool chat, ids, ignore_eos, quiet, encode;
} options;

// ---- options ----

static int wrong(const char *what, const char *value)
{
    fprintf(stderr, "qwen3: %s%s%s (--help says what there is)\n", what, value ? ": " : "", value ? value : "");
    return 2;
}

static bool to_number(const char *text, int64_t low, int64_t *out)
{
    char *end;
    errno = 0;
    const long long v = strtoll(text, &end, 10);
    *out = v;
    return errno == 0 && end != text && *end == 0 && v >= low;
}

enum { OPT_CAPACITY = 256, OPT_EOS, OPT_LOGITS, OPT_ENCODE };

// -1: go on; else the exit status.
static int read_options(int argc, char **argv, options *o)
{
    static const struct option names[] = {
        {"tokens", required_argument, NULL, 't'},      {"count", required_argument, NULL, 'n'},
        {"chat", no_argument, NULL, 'c'},              {"ids", no_argument, NULL, 'i'},
        {"capacity", required_argument, NULL, OPT_CAPACITY}, {"ignore-eos", no_argument, NULL, OPT_EOS},
        {"logits", required_argument, NULL, OPT_LOGITS},     {"encode", no_argument, NULL, OPT_ENCODE},
        {"quiet", no_argument, NULL, 'q'},             {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    for (int c; (c = getopt_long(argc, argv, "t:n:ciqh", names, NULL)) != -1;)
        switch (c) {
        case 't': o->tokens = optarg; break;
        case 'c': o->chat = true; break;
        case 'i': o->ids = true; break;
        case 'q': o->quiet = true; break;
        case OPT_EOS: o->ignore_eos = true; break;
        case OPT_LOGITS: o->logits = optarg; break;
        case OPT_ENCODE: o->encode = true; break;
        case 'n':
            if (!to_number(optarg, 1, &o->count))
                return wrong("--count wants a number above 0, not", optarg);
            break;
        case OPT_CAPACITY:
            if (!to_number(optarg, 1, &o->capacity))
                return wrong("--capacity wants a number above 0, not", optarg);
            break;
        case 'h': fputs(usage, stdout); return 0;
        default: return 2;
        }
    if (optind >= argc)
        return wrong("which folder?", NULL);
    o->folder = argv[optind++];
    o->prompt = optind < argc ? argv[optind++] : NULL;
    if (optind < argc)
        return wrong("one prompt only; what is", argv[optind]);
    if (!o->prompt == !o->tokens)
        return wrong(o->prompt ? "a prompt and --tokens: which of them?" : "what prompt? (a text, or --tokens)", NULL);
    if (o->chat && o->tokens)
        return wrong("--chat is for a prompt that is a text", NULL);
    return -1;
}

static int failed(tk_status s)
{
    fprintf(stderr, "qwen3: %s\n", tk_message()[0] ? tk_message() : tk_status_text(s));
    return 1;
}

// ---- prompts ----

static tk_status parse_ids(const char *text, q3_ids *out)
{
    for (const char *p = text; *p;) {
        char *end;
        errno = 0;
        const long v = strtol(p, &end, 10);
        if (errno || end == p || v < 0 || v > INT32_MAX || (*end && *end != ','))
            return tk_fail(TK_VALUE, "--tokens: no list of token ids: \"%s\"", p);
        int32_t *grown = q3_resize(out->at, out->n + 1, sizeof *grown);
        if (!grown)
            return q3_no_memory("the prompt");
        out->at = grown;
        out->at[out->n++] = (int32_t)v;
        p = *end ? end + 1 : end;
    }
    return out->n ? TK_OK : tk_fail(TK_VALUE, "--tokens: no token");
}

static tk_status read_prompt(const options *o, const q3_tokenizer *t, q3_ids *out)
{
    static const char before[] = "<|im_start|>user\n", behind[] = "<|im_end|>\n<|im_start|>assistant\n";
    if (o->tokens)
        return TK_OK; // they were read first
    if (o->chat && (q3_tokenizer_find(t, "<|im_start|>") < 0 || q3_tokenizer_find(t, "<|im_end|>") < 0))
        return tk_fail(TK_UNSUPPORTED, "%s: the tokenizer has no <|im_start|> and <|im_end|>, which --chat puts around a prompt", o->folder);
    if (o->chat)
        TK_TRY(q3_encode(t, before, sizeof before - 1, 0, out));
    TK_TRY(q3_encode(t, o->prompt, strlen(o->prompt), o->chat ? Q3_SPECIAL_IS_TEXT : 0, out));
    if (o->chat)
        TK_TRY(q3_encode(t, behind, sizeof behind - 1, 0, out));
    return out->n ? TK_OK : tk_fail(TK_VALUE, "the prompt is empty");
}

// ---- generation ----

typedef struct session {
    const options *o;
    q3_tokenizer *tokenizer; // NULL where no text is wanted
    q3_model *model;
    q3_run *run;
    q3_ids prompt;
    int64_t capacity;
    q3_stream stream;
    q3_text text;
    float *logits;
    FILE *logits_file;
} session;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static tk_status show(session *s, int32_t id)
{
    if (s->o->ids || !s->tokenizer) {
        printf("%" PRId32 "\n", id);
    } else {
        s->text.n = 0;
        TK_TRY(q3_stream_put(&s->stream, s->tokenizer, id, Q3_SKIP_SPECIAL, &s->text));
        fwrite(s->text.at ? s->text.at : "", 1, s->text.n, stdout);
    }
    fflush(stdout);
    return TK_OK;
}

static tk_status write_logits(session *s)
{
    const size_t n = (size_t)q3_model_config(s->model)->vocab;
    if (!s->logits_file)
        return TK_OK;
    TK_TRY(q3_run_logits(s->run, s->logits));
    return fwrite(s->logits, sizeof *s->logits, n, s->logits_file) == n ? TK_OK : tk_fail(TK_FILE, "%s: %s", s->o->logits, strerror(errno));
}

static bool is_end(const session *s, int32_t id)
{
    const q3_config *c = q3_model_config(s->model);
    for (int i = 0; i < c->eos_count && !s->o->ignore_eos; ++i)
        if (c->eos[i] == id)
            return true;
    return false;
}

// A step ahead: the next one runs while this one's token is printed.
static tk_status generate(session *s)
{
    const size_t n = s->prompt.n;
    const double begin = seconds();
    TK_TRY(q3_run_prefill(s->run, s->prompt.at, (int64_t)n));
    const double prefilled = seconds();
    int64_t made = 0;
    while ((int64_t)n + made < s->capacity) {
        int32_t id;
        TK_TRY(q3_run_tokens(s->run, (int64_t)n + made, 1, &id));
        TK_TRY(write_logits(s));
        if (is_end(s, id))
            break;
        ++made;
        if (made < s->o->count)
            TK_TRY(q3_run_step(s->run));
        TK_TRY(show(s, id));
        if (made >= s->o->count)
            break;
    }
    const bool full = made < s->o->count && (int64_t)n + made >= s->capacity;
    const double end = seconds();
    s->text.n = 0;
    TK_TRY(q3_stream_end(&s->stream, &s->text));
    fwrite(s->text.at ? s->text.at : "", 1, s->text.n, stdout);
    if (!s->o->ids && s->tokenizer)
        putchar('\n');
    if (full)
        fprintf(stderr, "qwen3: the sequence has %" PRId64 " tokens, and there is room for no more%s\n", s->capacity,
                s->capacity < q3_model_config(s->model)->positions ? " (--capacity)" : ": the model has no more positions");
    if (!s->o->quiet)
        fprintf(stderr, "prefill %zu tokens, %.0f tokens/s; decode %" PRId64 " tokens, %.1f tokens/s, %.2f TB/s of weights\n", n,
                (double)n / (prefilled - begin), made, made > 1 ? (double)(made - 1) / (end - prefilled) : 0.0,
                made > 1 ? (double)(made - 1) * (double)q3_model_bytes(s->model) / (end - prefilled) / 1e12 : 0.0);
    return TK_OK;
}

static tk_status open_tokenizer(session *s)
{
    const options *o = s->o;
    if (!o->prompt && o->ids)
        return TK_OK;
    const tk_status opened = q3_tokenizer_open(o->folder, &s->tokenizer);
    if (opened == TK_OK || !o->prompt) // without a tokenizer, ids are printed
        return TK_OK;
    q3_text path = {0};
    TK_TRY(q3_path(&path, o->folder, "tokenizer.json"));
    const bool is_there = q3_file_exists(path.at);
    q3_text_free(&path);
    return is_there ? opened : tk_fail(TK_FILE, "%s has no tokenizer.json; a prompt of --tokens needs none", o->folder);
}

static tk_status open_logits(session *s)
{
    if (!s->o->logits)
        return TK_OK;
    s->logits_file = fopen(s->o->logits, "wb");
    return s->logits_file ? TK_OK : tk_fail(TK_FILE, "%s: %s", s->o->logits, strerror(errno));
}

// What may be wrong is looked at before the weights are read.
static tk_status prepare(session *s)
{
    const options *o = s->o;
    TK_TRY(open_tokenizer(s));
    TK_TRY(read_prompt(o, s->tokenizer, &s->prompt));
    if (o->encode)
        return TK_OK;
    TK_TRY(open_logits(s));
    const int64_t n = (int64_t)s->prompt.n, wanted = o->capacity ? o->capacity : o->count < INT64_MAX - n ? n + o->count : INT64_MAX;
    TK_TRY(q3_model_load(o->folder, wanted, &s->model));
    const q3_config *c = q3_model_config(s->model);
    if (o->logits && !(s->logits = q3_alloc((size_t)c->vocab, sizeof *s->logits)))
        return q3_no_memory("the logits");
    s->capacity = !o->capacity && wanted > c->positions ? c->positions : wanted;
    return q3_run_new(s->model, s->capacity, 0, NULL, &s->run);
}

static void print_ids(const q3_ids *ids)
{
    for (size_t i = 0; i < ids->n; ++i)
        printf("%s%" PRId32, i ? "," : "", ids->at[i]);
    putchar('\n');
}

static tk_status finish(session *s)
{
    FILE *file = s->logits_file;
    s->logits_file = NULL;
    if (file && fclose(file) != 0)
        return tk_fail(TK_FILE, "%s: %s", s->o->logits, strerror(errno));
    return fflush(stdout) == 0 && !ferror(stdout) ? TK_OK : tk_fail(TK_FILE, "the output cannot be written: %s", strerror(errno));
}

static tk_status work(session *s)
{
    TK_TRY(prepare(s));
    if (s->o->encode)
        print_ids(&s->prompt);
    else
        TK_TRY(generate(s));
    return finish(s);
}

static int run(const options *o)
{
    session s = {.o = o};
    if (o->tokens && parse_ids(o->tokens, &s.prompt) != TK_OK) {
        q3_ids_free(&s.prompt);
        return wrong(tk_message(), NULL);
    }
    const tk_status status = work(&s);
    const int code = status == TK_OK ? 0 : failed(status);
    if (s.logits_file)
        fclose(s.logits_file);
    q3_free(s.logits);
    q3_text_free(&s.text);
    q3_ids_free(&s.prompt);
    q3_run_free(s.run);
    q3_model_free(s.model);
    q3_tokenizer_close(s.tokenizer);
    return code;
}

int main(int argc, char **argv)
{
    options o = {.count = 128};
    const int code = read_options(argc, argv, &o);
    if (code >= 0)
        return code;
    return run(&o);
}
