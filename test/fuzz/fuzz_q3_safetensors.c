// Fuzz target: files of tensors of any bytes. What is accepted can be read to its last byte, is found by name, and comes back when it is
// written and read again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "examples/qwen3/q3_safetensors.h"
#include "test/unit/q3_kit.h"

static void need(int holds) {
    if (!holds)
        abort();
}

static unsigned sum(const q3_stored *t) {
    unsigned s = 0;
    for (size_t i = 0; i < t->bytes; ++i)
        s = s * 31 + ((const unsigned char *)t->data)[i];
    return s;
}

static void write_again(const q3_safetensors *s) {
    kit_folder f = kit_folder_new();
    const size_t n = q3_safetensors_count(s);
    q3_layout *layouts = calloc(n + 1, sizeof *layouts);
    q3_writer *w;
    q3_safetensors *again;
    for (size_t i = 0; i < n; ++i) {
        const q3_stored *t = q3_safetensors_at(s, i);
        layouts[i] = (q3_layout){.name = t->name, .type = t->type, .rank = t->rank};
        memcpy(layouts[i].extent, t->extent, sizeof t->extent);
    }
    need(q3_writer_open(f.path, layouts, n, 64, &w) == TK_OK);
    for (size_t i = 0; i < n; ++i)
        need(q3_writer_put(w, i, 0, q3_safetensors_at(s, i)->data, q3_safetensors_at(s, i)->bytes) == TK_OK);
    need(q3_writer_close(w) == TK_OK);
    need(q3_safetensors_open(f.path, &again) == TK_OK && q3_safetensors_count(again) == n);
    for (size_t i = 0; i < n; ++i) {
        const q3_stored *t = q3_safetensors_at(s, i), *u = q3_safetensors_at(again, i);
        need(strcmp(t->name, u->name) == 0 && t->type == u->type && t->bytes == u->bytes && sum(t) == sum(u));
    }
    q3_safetensors_close(again);
    kit_folder_free(&f);
    free(layouts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    q3_safetensors *s;
    // As bytes of a file, and as its header alone.
    unsigned char *file = malloc(size + 8);
    for (int i = 0; i < 8; ++i)
        file[i] = (unsigned char)((uint64_t)size >> 8 * i);
    memcpy(file + 8, data, size);
    for (int kind = 0; kind < 2; ++kind) {
        const tk_status status = q3_safetensors_parse("f", kind ? file : data, size + (kind ? 8 : 0), &s);
        need(status == TK_OK || (status == TK_FILE && !s && *tk_message()));
        if (status != TK_OK)
            continue;
        for (size_t i = 0; i < q3_safetensors_count(s); ++i)
            need(q3_safetensors_find(s, q3_safetensors_at(s, i)->name) == q3_safetensors_at(s, i));
        write_again(s);
        q3_safetensors_close(s);
    }
    free(file);
    return 0;
}
