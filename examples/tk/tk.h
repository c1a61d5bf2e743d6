// tk: verified kernels behind a plain C interface.
//
// Tensors are a pointer into device memory with extents and strides. Every call is asynchronous on the given stream, allocates nothing
// and waits for nothing; what needs scratch memory says how much in a tk_*_workspace call of its own. A call that cannot be done returns a
// status, launches nothing and leaves its text in tk_message(). A call with an extent of 0 is done at once.
//
// Each kernel behind a call is under a tilecheck contract; each launch meets its contract's preconditions by proof (scripts/verify-suite).
#ifndef TK_H
#define TK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CUstream_st *tk_stream; // a cudaStream_t; null: the default stream

// ---- status ----

#define TK_STATUSES(X)                                                        \
    X(TK_OK, "done")                                                          \
    X(TK_NULL, "a pointer is null")                                           \
    X(TK_TYPE, "an element type does not fit")                                \
    X(TK_SHAPE, "extents or strides do not fit")                              \
    X(TK_ALIGNMENT, "a pointer is not aligned to its elements")               \
    X(TK_OVERLAP, "an output overlaps another tensor")                        \
    X(TK_SIZE, "more elements than the kernel is proved for")                 \
    X(TK_WORKSPACE, "the workspace is too small")                             \
    X(TK_VALUE, "an argument is out of its range")                            \
    X(TK_UNSUPPORTED, "not supported")                                        \
    X(TK_DEVICE, "the CUDA runtime reports an error")                         \
    X(TK_MEMORY, "out of memory")                                             \
    X(TK_FILE, "a file cannot be read, or is not what it should be")

typedef enum tk_status {
#define TK_ONE(name, text) name,
    TK_STATUSES(TK_ONE)
#undef TK_ONE
} tk_status;

const char *tk_status_text(tk_status status); // never null

// What this thread's last failed call could not do, with the argument's name; "" when none has failed. Valid until the next failure.
const char *tk_message(void);

// ---- tensors ----

#define TK_TYPES(X)  \
    X(TK_F32, 4)     \
    X(TK_F16, 2)     \
    X(TK_BF16, 2)    \
    X(TK_I32, 4)     \
    X(TK_I64, 8)

typedef enum tk_type {
#define TK_ONE(name, bytes) name,
    TK_TYPES(TK_ONE)
#undef TK_ONE
    TK_TYPE_COUNT
} tk_type;

size_t tk_type_bytes(tk_type type);      // 0 for no type
const char *tk_type_name(tk_type type); // never null

enum { TK_RANK = 4 };

// extent and stride count elements, outermost first; those past rank are not read. The memory is the caller's.
typedef struct tk_tensor {
    void *data;
    tk_type type;
    int rank; // 0 … TK_RANK
    int64_t extent[TK_RANK];
    int64_t stride[TK_RANK];
} tk_tensor;

// Dense tensors, and a matrix whose rows are ld elements apart.
tk_tensor tk_vector(void *data, tk_type type, int64_t n);
tk_tensor tk_matrix(void *data, tk_type type, int64_t rows, int64_t cols, int64_t ld);
tk_tensor tk_dense(void *data, tk_type type, int rank, const int64_t *extent);

// Scratch memory on the device, aligned to 256 bytes. It may be used again by the next call on the same stream. The bytes that a call asks for meet
// none of its tensors.
typedef struct tk_workspace {
    void *data;
    size_t bytes;
} tk_workspace;

#ifdef __cplusplus
}
#endif
#endif
