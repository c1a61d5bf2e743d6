#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Options of the command itself; those of the plugin come from its own table.
enum {
    OPT_PLUGIN = 256,
    OPT_PROGRESS = OPT_PLUGIN + 100,
    OPT_STANDIN,
    OPT_CUDA_PATH,
    OPT_ARCH,
    OPT_CLANG,
    OPT_KERNEL,
    OPT_JSON,
    OPT_PRINT,
    OPT_PAGEABLE_ASYNC,
    OPT_FREE_IS_ASYNC,
    OPT_DEVICE_ONLY,
    OPT_HELP,
    OPT_VERSION
};

typedef enum plugin_option {
#define TC_OPTION(id, key, argument, help) PLUGIN_##id,
#include "checker/options.def"
#undef TC_OPTION
} plugin_option;

typedef struct plugin_row {
    const char *key, *argument, *help;
} plugin_row;

static const plugin_row plugin_rows[] = {
#define TC_OPTION(id, key, argument, help) {key, argument, help},
#include "checker/options.def"
#undef TC_OPTION
};

enum { PLUGIN_COUNT = sizeof plugin_rows / sizeof plugin_rows[0] };

static const struct option own_options[] = {
    {"jobs", required_argument, NULL, 'j'},          {"progress", no_argument, NULL, OPT_PROGRESS},
    {"standin", no_argument, NULL, OPT_STANDIN},     {"cuda-path", required_argument, NULL, OPT_CUDA_PATH},
    {"arch", required_argument, NULL, OPT_ARCH},     {"clang", required_argument, NULL, OPT_CLANG},
    {"kernel", required_argument, NULL, OPT_KERNEL}, {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},     {"json", no_argument, NULL, OPT_JSON},
    {"print", no_argument, NULL, OPT_PRINT},
    {"pageable-async", no_argument, NULL, OPT_PAGEABLE_ASYNC},
    {"free-is-async", no_argument, NULL, OPT_FREE_IS_ASYNC},
    {"device-only", no_argument, NULL, OPT_DEVICE_ONLY},
};

enum { OWN_COUNT = sizeof own_options / sizeof own_options[0] };

static struct option *all_options(tc_arena *a) {
    struct option *all = TC_NEW_ARRAY(a, struct option, OWN_COUNT + PLUGIN_COUNT + 1);
    memcpy(all, own_options, sizeof own_options);
    for (int i = 0; i < PLUGIN_COUNT; i++) {
        struct option *o = &all[OWN_COUNT + i];
        o->name = plugin_rows[i].key;
        o->has_arg = plugin_rows[i].argument[0] ? required_argument : no_argument;
        o->val = OPT_PLUGIN + i;
    }
    return all;
}

static bool parse_jobs(tc_arena *a, const char *text, unsigned *jobs, const char **error) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (*end || n < 1 || n > 1024) {
        *error = tc_fmt(a, "-j takes a number of files from 1 to 1024, not '%s'", text);
        return false;
    }
    *jobs = (unsigned)n;
    return true;
}

static void take_plugin(tc_arena *a, tc_cli_options *o, plugin_option which, const char *value) {
    if (which == PLUGIN_REPORT) {
        o->report = value;
    } else if (which == PLUGIN_EXPLAIN) {
        o->command = TC_COMMAND_EXPLAIN;
        o->explain = value;
    } else {
        const char *key = plugin_rows[which].key;
        tc_push(a, &o->plugin, value ? tc_fmt(a, "%s=%s", key, value) : key);
    }
}

static bool take_option(tc_arena *a, tc_cli_options *o, int c, const char *value, const char **error) {
    switch (c) {
    case 'j':
        return parse_jobs(a, value, &o->jobs, error);
    case 'I':
    case 'D':
        tc_push(a, &o->compiler, tc_fmt(a, "-%c%s", c, value));
        return true;
    case OPT_PROGRESS:
        o->progress = true;
        return true;
    case OPT_STANDIN:
        o->standin = true;
        return true;
    case OPT_CUDA_PATH:
        o->toolkit = value;
        return true;
    case OPT_ARCH:
        o->arch = value;
        return true;
    case OPT_CLANG:
        o->clang = value;
        return true;
    case OPT_DEVICE_ONLY:
        o->device_only = true;
        return true;
    case OPT_KERNEL:
        tc_push(a, &o->plugin, tc_fmt(a, "%s=%s", plugin_rows[PLUGIN_RUN].key, value));
        return true;
    case OPT_PRINT:
        o->print = true;
        return true;
    case OPT_PAGEABLE_ASYNC:
        o->pageable_async = true;
        return true;
    case OPT_FREE_IS_ASYNC:
        o->free_is_async = true;
        return true;
    case 'h':
    case OPT_HELP:
        o->command = TC_COMMAND_HELP;
        return true;
    case OPT_JSON:
        o->json = true;
        return true;
    case OPT_VERSION:
        o->command = TC_COMMAND_VERSION;
        return true;
    default:
        take_plugin(a, o, (plugin_option)(c - OPT_PLUGIN), value);
        return true;
    }
}

// The first word that is no option may name a command.
static void take_command(tc_cli_options *o) {
    static const struct {
        const char *word;
        tc_command command;
    } commands[] = {{"run", TC_COMMAND_RUN},
                    {"explain", TC_COMMAND_EXPLAIN},
                    {"stats", TC_COMMAND_STATS},
                    {"replay", TC_COMMAND_REPLAY},
                    {"contracts", TC_COMMAND_CONTRACTS}};
    const char *word = o->files.len ? o->files.data[0] : "";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(word, commands[i].word)) {
            o->files.data++;
            o->files.len--;
            o->named = commands[i].command;
            if (o->command == TC_COMMAND_CHECK)
                o->command = o->named;
            return;
        }
}

// Statistics are about all kernels, and tell no finding of any.
static void add_stats_options(tc_arena *a, tc_cli_options *o) {
    tc_push(a, &o->plugin, "all");
    tc_push(a, &o->plugin, "unknown=ignore");
}

static bool has_option(const tc_cli_options *o, plugin_option which) {
    size_t n = strlen(plugin_rows[which].key);
    for (size_t i = 0; i < o->plugin.len; i++)
        if (!strncmp(o->plugin.data[i], plugin_rows[which].key, n) && o->plugin.data[i][n] == '=')
            return true;
    return false;
}

// The language that -x asks for after "--"; NULL: CUDA, or none is asked for. As C++ the stand-ins alone would give thousands of errors.
static const char *other_language(const tc_cli_options *o) {
    static const char *const options[] = {"-x", "--language=", "--language"};
    for (size_t i = 0; i < o->compiler.len; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            const char *word = o->compiler.data[i];
            size_t n = strlen(options[k]);
            if (strncmp(word, options[k], n) != 0)
                continue;
            const char *language = word[n] != '\0' ? word + n : i + 1 < o->compiler.len ? o->compiler.data[i + 1] : "";
            if (strcmp(language, "cuda") != 0)
                return language;
            break;
        }
    return NULL;
}

#define TC_RULE(code, title, run) #code,
static const char *const rule_codes[] = {
#include "checker/rules.def"
};
#undef TC_RULE

// In any case, as the plugin takes them.
static bool is_rule(const char *code) {
    for (size_t i = 0; i < sizeof rule_codes / sizeof *rule_codes; i++)
        if (strcasecmp(code, rule_codes[i]) == 0)
            return true;
    return false;
}

static const char *all_rules(tc_arena *a) {
    tc_text t = {.arena = a};
    for (size_t i = 0; i < sizeof rule_codes / sizeof *rule_codes; i++)
        tc_putf(&t, "%s%s", i ? " " : "", rule_codes[i]);
    return tc_text_str(&t);
}

static bool check_usage(tc_arena *a, tc_cli_options *o, const char **error) {
    if (o->command == TC_COMMAND_HELP || o->command == TC_COMMAND_VERSION)
        return true;
    if (o->command == TC_COMMAND_EXPLAIN) {
        if (!o->explain && o->files.len == 1)
            o->explain = o->files.data[0];
        if (!o->explain)
            *error = tc_fmt(a, "explain takes the code of one rule: %s", all_rules(a));
        else if (!is_rule(o->explain))
            *error = tc_fmt(a, "there is no rule %s: %s", o->explain, all_rules(a));
        return !*error;
    }
    if (o->command == TC_COMMAND_REPLAY) {
        if (!o->files.len)
            *error = "no trace; usage: tilecheck replay [options] TRACE...";
        return !*error;
    }
    if (!o->files.len)
        *error = "no input file; usage: tilecheck [options] FILE... [-- compiler flags]";
    else if (o->command == TC_COMMAND_RUN && !has_option(o, PLUGIN_RUN))
        *error = "run needs the name of a kernel: --kernel NAME";
    else if (o->json && o->command != TC_COMMAND_CONTRACTS)
        *error = "--json is an option of tilecheck contracts and replay; a check writes JSON with --report=FILE";
    else if (o->command == TC_COMMAND_CHECK && o->files.len > 1 && has_option(o, PLUGIN_CONTRACTS))
        *error = "--contracts=FILE is for one file at a time";
    else if (other_language(o))
        *error = tc_fmt(a, "'-x %s': files are checked as CUDA, whatever their names; leave the option out", other_language(o));
    else if (o->standin && o->toolkit)
        *error = tc_fmt(a, "--standin and --cuda-path=%s exclude each other", o->toolkit);
    return !*error;
}

bool tc_cli_parse(tc_arena *a, int argc, char **argv, tc_cli_options *o, const char **error) {
    int end = 1;
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    for (int i = end + 1; i < argc; i++)
        tc_push(a, &o->compiler, argv[i]);

    char **words = TC_NEW_ARRAY(a, char *, argc + 1);
    int count = 0;
    words[count++] = argv[0];
    for (int i = 1; i < end; i++)
        words[count++] = argv[i];
    opterr = 0;
    int c;
    *error = NULL;
    while ((c = getopt_long(count, words, ":hj:I:D:", all_options(a), NULL)) != -1) {
        if (c == '?' || c == ':') {
            const char *word = optind > 0 && optind <= count ? words[optind - 1] : "";
            *error = c == ':' ? tc_fmt(a, "option '%s' needs an argument", word)
                              : tc_fmt(a, "option '%s' is not known; see tilecheck --help", word);
            return false;
        }
        if (!take_option(a, o, c, optarg, error))
            return false;
    }
    for (int i = optind; i < count; i++)
        tc_push(a, &o->files, words[i]);
    take_command(o);
    if (o->command == TC_COMMAND_STATS)
        add_stats_options(a, o);
    return check_usage(a, o, error);
}

static void put_row(tc_text *t, const char *left, const char *help) {
    tc_putf(t, "  %-32s %s\n", left, help);
}

static void put_plugin_row(tc_text *t, tc_arena *a, plugin_option which) {
    const plugin_row *r = &plugin_rows[which];
    put_row(t, tc_fmt(a, "--%s%s%s", r->key, r->argument[0] ? "=" : "", r->argument), r->help);
}

static void put_run_help(tc_text *t, tc_arena *a) {
    static const plugin_option of_run[] = {PLUGIN_GRID, PLUGIN_BLOCK, PLUGIN_SMEM,  PLUGIN_SET,  PLUGIN_EXTENT,
                                           PLUGIN_FILL, PLUGIN_SEED,  PLUGIN_STEPS, PLUGIN_DEFINE};
    tc_put(t, "usage: tilecheck run FILE --kernel=NAME [options] [-- compiler flags]\n\n"
              "Runs one launch of a kernel in the interpreter: every thread of the grid, each step checked.\n\n");
    put_row(t, "--kernel=NAME", "the kernel, named as in the source");
    for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++)
        put_plugin_row(t, a, of_run[i]);
}

static void put_check_help(tc_text *t, tc_arena *a) {
    static const plugin_option of_check[] = {PLUGIN_REPORT,  PLUGIN_ALL,   PLUGIN_BLOCK,  PLUGIN_GRID, PLUGIN_DEFINE,
                                             PLUGIN_UNKNOWN, PLUGIN_RULES, PLUGIN_BUDGET, PLUGIN_NOSEARCH, PLUGIN_LEFT,
                                             PLUGIN_UNUSED, PLUGIN_SAMEVALUE, PLUGIN_LOCKSTEP, PLUGIN_INBOUNDS, PLUGIN_PUREEXTERN,
                                             PLUGIN_NULLFUNCTIONS, PLUGIN_HOSTVARIABLES, PLUGIN_DUMP, PLUGIN_CONTRACTS, PLUGIN_CODE};
    tc_put(t, "usage: tilecheck [options] FILE... [-- compiler flags]\n"
              "       tilecheck run FILE --kernel=NAME [options] [-- compiler flags]\n"
              "       tilecheck stats [options] FILE... [-- compiler flags]\n"
              "       tilecheck replay [options] TRACE...\n"
              "       tilecheck contracts [--json] FILE...\n"
              "       tilecheck explain CODE\n\n"
              "Checks the annotated kernels of CUDA files, and the places that launch them.\n\n");
    for (size_t i = 0; i < sizeof of_check / sizeof of_check[0]; i++)
        put_plugin_row(t, a, of_check[i]);
    put_row(t, "--device-only", "kernels only: launch sites are not looked at");
    put_row(t, "-j N, --jobs=N", "check N files, or kernels of a few files, at a time (default: one a processor)");
    put_row(t, "-I DIR, -D NAME[=VALUE]", "for the compiler, as after --");
    put_row(t, "--arch=ARCH", "GPU architecture (default: sm_90)");
    put_row(t, "--standin", "only the bundled headers, never a CUDA toolkit");
    put_row(t, "--cuda-path=DIR", "only the CUDA toolkit in DIR");
    put_row(t, "--clang=PATH", "the clang++ of version 22 to run");
    put_row(t, "--progress", "a progress line also where the output is no terminal");
    put_row(t, "--explain=CODE", "explain a rule, as tilecheck explain CODE");
    put_row(t, "--help, --version", "");
    tc_put(
        t,
        "\nFiles are parsed with bundled stand-ins for CUDA's headers, which takes a fraction of a second and needs\n"
        "no toolkit. Where they lack something that a file uses, the file is parsed once more with the toolkit in\n"
        "CUDA_PATH or /usr/local/cuda, if there is one.\n\n"
        "The report of one file is the plugin's; several files give {\"version\", \"reports\": [...], \"summary\"}.\n\n"
        "Exit status: 0 clean, 2 findings (violated, or unknown with --unknown=error), 3 a file does not compile,\n"
        "1 the tool failed. Of several files the worst counts: 1, then 3, then 2.\n");
}

static void put_stats_help(tc_text *t) {
    tc_put(t, "usage: tilecheck stats [options] FILE... [-- compiler flags]\n\n"
              "Counts what stands between the kernels of these files, with attributes or without, and a proof: what could not be\n"
              "modelled (holes, by kind), and the questions that were not decided (by rule, and by what would decide them).\n"
              "Options are those of a check; --report=FILE keeps the reports that the numbers are from.\n\n"
              "Exit status: 0, 3 a file does not compile, 1 the tool failed.\n");
}

static void put_replay_help(tc_text *t) {
    tc_put(t, "usage: tilecheck replay [options] TRACE...\n\n"
              "Checks what a program did with streams, events and memory: each trace, recorded by the runtime shim (JSON lines) or\n"
              "written by hand (docs/traces.md), is run through the tracker of loans. - is the standard input.\n\n");
    put_row(t, "--json", "the findings as a JSON list");
    put_row(t, "--print", "the events as JSON lines, and no check");
    put_row(t, "--pageable-async", "copies of pageable memory may be asynchronous, as CUDA's documentation allows");
    put_row(t, "--free-is-async", "cudaFree is not taken to wait for the device");
    tc_put(t, "\nExit status: 0 clean, 2 findings, 1 a trace that cannot be read.\n");
}

static void put_contracts_help(tc_text *t) {
    tc_put(t, "usage: tilecheck contracts [--json] FILE...\n\n"
              "Prints the contracts of kernels that objects, archives, shared libraries and executables hold, or a file that\n"
              "tilecheck --contracts=FILE wrote.\n\n");
    put_row(t, "--json", "as JSON");
    tc_put(t, "\nExit status: 0, 1 a file has none, or cannot be read, or is corrupt.\n");
}

const char *tc_cli_help(tc_arena *a, const tc_cli_options *o) {
    tc_text t = {.arena = a};
    if (o->named == TC_COMMAND_RUN)
        put_run_help(&t, a);
    else if (o->named == TC_COMMAND_STATS)
        put_stats_help(&t);
    else if (o->named == TC_COMMAND_REPLAY)
        put_replay_help(&t);
    else if (o->named == TC_COMMAND_CONTRACTS)
        put_contracts_help(&t);
    else
        put_check_help(&t, a);
    return tc_text_str(&t);
}
