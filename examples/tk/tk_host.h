// What the host side of every kernel file uses: checks of tensors, each with a text that names the argument.
#ifndef TK_HOST_H
#define TK_HOST_H

#include "tk.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

void tk_say(const char *format, ...) __attribute__((format(printf, 1, 2))); // the text for tk_message
void tk_hush(bool on); // this thread's texts are dropped, until it is off again: of a check that no call fails by

// tk_fail(status, format, …): keeps the text and is the status. A macro, so that whoever reads the caller, the checker too, sees which status it is.
#define tk_fail(status, ...) (tk_say(__VA_ARGS__), (status))

#define TK_TRY(call)                   \
    do {                               \
        const tk_status tk_s = (call); \
        if (tk_s != TK_OK)             \
            return tk_s;               \
    } while (0)

#define TK_OF(type) (1u << (type)) // a set of types, by or

// A tensor that can be read or written: a known type of the set, rank extents that are not negative and at most 2^48 elements in all,
// strides that are not negative and, but for those of one index, stay within 2^58 elements, a pointer (null only where there is no element) aligned to its element.
tk_status tk_check(const tk_tensor *t, const char *name, int rank, unsigned types);

// As tk_check, and no two elements in one place: strides that a kernel may write through.
tk_status tk_check_written(const tk_tensor *t, const char *name, int rank, unsigned types);

bool tk_has_form(const tk_tensor *t, int rank, unsigned types); // as tk_check, without a text; where it lies is not looked at

tk_status tk_check_extent(const tk_tensor *t, const char *name, int dim, int64_t extent);

// The bytes of an output meet no byte of the other tensor; with may_be_same, the same pointer with the same strides is allowed too. Looked at exactly
// where both are runs of elements at one distance (columns of one matrix); else all from the first element to the last counts as a tensor's.
tk_status tk_check_apart(const tk_tensor *out, const char *out_name, const tk_tensor *in, const char *in_name, bool may_be_same);

// As tk_check of each, all vectors, and the first of them, which are written, meet none of the others.
tk_status tk_check_vectors(int count, int written, const tk_tensor *vectors, const char *const *names);

tk_status tk_check_workspace(tk_workspace w, size_t bytes);

// As tk_check_workspace, and those bytes meet none of the call's tensors; null ones are passed over.
tk_status tk_check_scratch(tk_workspace w, size_t bytes, int count, const tk_tensor *const *tensors, const char *const *names);

tk_status tk_check_eps(float eps); // what a norm adds to a mean of squares: finite, not below 0

int64_t tk_elements(const tk_tensor *t); // the product of the extents; of a checked tensor

// A tensor as rows of contiguous elements, ld elements apart: all dimensions but the last in one. False where strides do not allow it.
// A dense tensor is cols = elements of the last dimension.
bool tk_as_rows(const tk_tensor *t, int64_t *rows, int64_t *cols, int64_t *ld);

bool tk_is_dense(const tk_tensor *t); // row-major with no gaps

// The largest power of two, at most 16, that divides the address and every stride but the last in bytes: how wide an access may be.
int tk_alignment(const tk_tensor *t);

// The status of the launch before it, which it was given on the same thread; what names the kernel.
tk_status tk_launched(const char *what);

int tk_multiprocessors(void); // of the current device; 1 where that cannot be told
int tk_shared_bytes(void);    // that a block may ask for on the current device; 48 KB where that cannot be told

int tk_has_dependent_launch(void); // 1: kernels of the current device may begin before those before them have ended

// Said in the function that launches, where the checker sees it: a wide access needs its address.
static inline bool tk_is_aligned(const void *p, size_t bytes) { return (uintptr_t)p % bytes == 0; }

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
#include <cuda_runtime.h>

// kernel<<<grid, block, smem, stream>>>(given…) of a kernel that waits for the one before it itself (tk_wait_for_previous), and so may begin while that one
// ends. In a capture the edge of the graph is a programmatic one.
template <typename... P, typename... A>
static inline void tk_launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t smem, tk_stream stream, A... given)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = tk_has_dependent_launch();
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = smem;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, given...);
}
#endif
#endif
