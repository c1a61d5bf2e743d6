// Files of tensors in the safetensors format (8 bytes of length, a JSON header, the data), one or a sharded set with
// model.safetensors.index.json. Files are mapped, not read: a tensor's bytes are the file's. What a file claims is checked before
// anything of it is used; each error names file and tensor.
#ifndef Q3_SAFETENSORS_H
#define Q3_SAFETENSORS_H

#include "../tk/tk_host.h"

#ifdef __cplusplus
extern "C" {
#endif

// Element type, bits, the tk_type that it is (TK_TYPE_COUNT: none).
#define Q3_DTYPES(X)                  \
    X(BOOL, 8, TK_TYPE_COUNT)         \
    X(F4, 4, TK_TYPE_COUNT)           \
    X(F6_E2M3, 6, TK_TYPE_COUNT)      \
    X(F6_E3M2, 6, TK_TYPE_COUNT)      \
    X(U8, 8, TK_TYPE_COUNT)           \
    X(I8, 8, TK_TYPE_COUNT)           \
    X(F8_E5M2, 8, TK_TYPE_COUNT)      \
    X(F8_E4M3, 8, TK_TYPE_COUNT)      \
    X(F8_E8M0, 8, TK_TYPE_COUNT)      \
    X(I16, 16, TK_TYPE_COUNT)         \
    X(U16, 16, TK_TYPE_COUNT)         \
    X(F16, 16, TK_F16)                \
    X(BF16, 16, TK_BF16)              \
    X(I32, 32, TK_I32)                \
    X(U32, 32, TK_TYPE_COUNT)         \
    X(F32, 32, TK_F32)                \
    X(C64, 64, TK_TYPE_COUNT)         \
    X(F64, 64, TK_TYPE_COUNT)         \
    X(I64, 64, TK_I64)                \
    X(U64, 64, TK_TYPE_COUNT)

typedef enum q3_dtype {
#define Q3_ONE(name, bits, type) Q3_##name,
    Q3_DTYPES(Q3_ONE)
#undef Q3_ONE
    Q3_DTYPE_COUNT
} q3_dtype;

const char *q3_dtype_name(q3_dtype type); // as in the file; never null

enum { Q3_RANK = 8 };

typedef struct q3_stored {
    const char *name;
    const char *file; // that holds it
    q3_dtype type;
    int rank;
    int64_t extent[Q3_RANK];
    const void *data; // may be unaligned; valid until the set is closed
    size_t bytes;
} q3_stored;

typedef struct q3_safetensors q3_safetensors;

// A folder (its model.safetensors, or else the set that its index lists) or one file. A mapped file must not shrink.
tk_status q3_safetensors_open(const char *path, q3_safetensors **out);

// A file in memory, which stays the caller's and outlives the set; name is for messages.
tk_status q3_safetensors_parse(const char *name, const void *bytes, size_t n, q3_safetensors **out);

void q3_safetensors_close(q3_safetensors *s); // null is fine

size_t q3_safetensors_count(const q3_safetensors *s);
const q3_stored *q3_safetensors_at(const q3_safetensors *s, size_t i); // in the order of names
const q3_stored *q3_safetensors_find(const q3_safetensors *s, const char *name); // null where there is none

// A tensor that must be there, as a dense one of the type and extents wanted. It may not be written through.
tk_status q3_safetensors_get(const q3_safetensors *s, const char *name, tk_type type, int rank, const int64_t *extent, tk_tensor *out);

// ---- writing ----

typedef struct q3_layout {
    const char *name;
    q3_dtype type;
    int rank;
    int64_t extent[Q3_RANK];
} q3_layout;

typedef struct q3_writer q3_writer;

// Writes n tensors into the folder, in their order: one file where they fit shard_bytes (0: no limit), else shards with an index. A tensor
// larger than a shard gets one of its own. A folder that holds a model is refused. Files get their names when all is written.
tk_status q3_writer_open(const char *folder, const q3_layout *tensors, size_t n, uint64_t shard_bytes, q3_writer **out);

// Bytes of tensor i from its byte at on. Any order, from any thread; each byte once.
tk_status q3_writer_put(q3_writer *w, size_t i, uint64_t at, const void *data, size_t bytes);

// Ends the set; TK_VALUE where bytes are missing. Frees w in any case, and leaves no file behind where it fails.
tk_status q3_writer_close(q3_writer *w);

void q3_writer_abandon(q3_writer *w); // null is fine

#ifdef __cplusplus
}
#endif
#endif
