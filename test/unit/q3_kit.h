// Shared by the tests of examples/qwen3: folders that go away, and a small tokenizer.json.
#ifndef Q3_KIT_H
#define Q3_KIT_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "examples/qwen3/q3_json.h"

typedef struct kit_folder {
    char path[64], file[256];
} kit_folder;

static inline kit_folder kit_folder_new(void) {
    kit_folder f = {.path = "/tmp/q3-test-XXXXXX"};
    if (!mkdtemp(f.path))
        abort();
    return f;
}

static inline int kit_remove(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static inline void kit_folder_free(kit_folder *f) { nftw(f->path, kit_remove, 8, FTW_DEPTH | FTW_PHYS); }

// The path of a file in it, until the next call.
static inline const char *kit_path(kit_folder *f, const char *name) {
    snprintf(f->file, sizeof f->file, "%s/%s", f->path, name);
    return f->file;
}

static inline void kit_write(kit_folder *f, const char *name, const char *text, size_t n) {
    if (q3_file_write(kit_path(f, name), text, n) != TK_OK)
        abort();
}

#define KIT_QWEN                                                                                                   \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}| ?[^\\\\s\\\\p{L}\\\\p{N}]+"     \
    "[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+"
#define KIT_VOCAB ",\"ab\":256,\"abc\":257,\"aa\":258,\"aaaa\":259,\"bc\":260"
#define KIT_MERGES "\"a b\",\"b c\",\"ab c\",[\"a\",\"a\"],[\"aa\",\"aa\"]"
#define KIT_ADDED                                                                                                  \
    "{\"id\":300,\"content\":\"<|end|>\",\"special\":true,\"normalized\":false},"                                    \
    "{\"id\":301,\"content\":\"<|end|>>\",\"special\":false,\"normalized\":false}"

// A tokenizer.json of single bytes, with what is given besides: a pattern, members of the vocabulary, merges and added tokens as JSON.
static inline void kit_tokenizer(q3_text *out, const char *pattern, const char *vocab, const char *merges, const char *added) {
    int others = 0;
    tk_status status = q3_text_format(
        out,
        "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[%s],\"normalizer\":{\"type\":\"NFC\"},"
        "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":{\"Regex\":\"%s\"},\"behavior\":"
        "\"Isolated\",\"invert\":false},{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":false}]},"
        "\"post_processor\":null,\"decoder\":{\"type\":\"ByteLevel\"},\"model\":{\"type\":\"BPE\",\"vocab\":{",
        added, pattern);
    for (int b = 0; b < 256 && status == TK_OK; ++b) {
        const int prints = (b > 32 && b < 127) || (b > 160 && b != 173);
        status = q3_text_format(out, "%s\"\\u%04x\":%d", b ? "," : "", prints ? b : 256 + others++, b);
    }
    if (status == TK_OK)
        status = q3_text_format(out, "%s},\"merges\":[%s]}}", vocab, merges);
    if (status != TK_OK)
        abort();
}

#endif
