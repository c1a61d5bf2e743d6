// A CUDA driver for tests of the shim: the functions that programs call, which hand their parameters to a CUPTI as the real one does, and
// do next to nothing. Handles and addresses are numbers.
#ifndef TC_TEST_FAKE_H
#define TC_TEST_FAKE_H

#include "runtime-shim/front/driver.h"

// What the driver tells CUPTI: CUpti_CallbackData and CUpti_ResourceData in shape.
typedef struct fake_data {
    u32 site;
    const char *name;
    const void *params;
    void *result;
    const char *symbol;
    u64 context;
    u32 uid;
    u64 *correlation;
    u32 id;
} fake_data;
typedef void (*fake_hook)(u32 domain, u32 id, const void *data);
void fake_set_hook(fake_hook hook);

// The next call returns this and does nothing. CUDA_ERROR_…
void fake_fail(int result);
// What cuPointerGetAttribute says of an address from `base` on; everything else is unknown to it.
void fake_pointer(u64 base, u64 size, u32 type);
// A kernel with parameters of these sizes, each aligned to its size (at most 8).
u64 fake_kernel(const char *mangled, unsigned n, const unsigned *sizes);
void fake_unload(void); // a module goes: handles of kernels are given out again
void fake_context_destroy(void);

// A fat binary, and what the compiler wraps around one.
typedef struct fake_image {
    u32 magic;
    u16 version, header;
    u64 size;
    u8 bytes[32];
} fake_image;
#define FAKE_IMAGE(n) {0xba55ed50, 1, 16, 32, {n}}
typedef struct fake_wrapper {
    u32 magic, version;
    const fake_image *image;
    void *file;
} fake_wrapper;

// The module, or with FAKE_LIBRARY the library, that kernels of fake_kernel belong to from now on.
void fake_code(u64 handle);
// Runs a kernel of the shim's own; false: the name is none's.
bool fake_run_kernel(const char *name, unsigned blocks, unsigned threads, void **params);

int cuInit(u32 flags);
int cuCtxGetDevice(int *device);
int cuMemGetAddressRange_v2(u64 *base, u64 *size, u64 address);
int cuThreadExchangeStreamCaptureMode(u32 *mode);
int cuPointerGetAttribute(void *to, u32 attribute, u64 address);
int cuFuncGetParamInfo(u64 function, size_t index, size_t *offset, size_t *size);
int cuFuncGetName(const char **name, u64 function);
int cuKernelGetParamInfo(u64 kernel, size_t index, size_t *offset, size_t *size);
int cuKernelGetName(const char **name, u64 kernel);

// X(function, its parameters, their names): returns a result and has no effect of its own, but what fake_cuda.c says.
#define FAKE_FUNCTIONS(X)                                                                                                                  \
    X(cuModuleLoadData, (u64 * module, const void *image), (module, image))                                                                \
    X(cuModuleUnload, (u64 module), (module))                                                                                              \
    X(cuLibraryLoadData, (u64 * library, const void *code, void *a, void *b, u32 c, void *d, void *e, u32 f), (library, code, a, b, c, d, e, f)) \
    X(cuLibraryUnload, (u64 library), (library))                                                                                           \
    X(cuLibraryGetKernel, (u64 * kernel, u64 library, const char *name), (kernel, library, name))                                          \
    X(cuMemAlloc_v2, (u64 * dptr, u64 n), (dptr, n))                                                                                       \
    X(cuMemAllocPitch_v2, (u64 * dptr, u64 *pitch, u64 width, u64 height, u32 element), (dptr, pitch, width, height, element))             \
    X(cuMemAllocManaged, (u64 * dptr, u64 n, u32 flags), (dptr, n, flags))                                                                 \
    X(cuMemAllocHost_v2, (u64 * pp, u64 n), (pp, n))                                                                                       \
    X(cuMemHostAlloc, (u64 * pp, u64 n, u32 flags), (pp, n, flags))                                                                        \
    X(cuMemHostRegister_v2, (u64 ptr, u64 n, u32 flags), (ptr, n, flags))                                                                  \
    X(cuMemHostUnregister, (u64 ptr), (ptr))                                                                                               \
    X(cuMemFree_v2, (u64 ptr), (ptr))                                                                                                      \
    X(cuMemFreeHost, (u64 ptr), (ptr))                                                                                                     \
    X(cuIpcOpenMemHandle_v2, (u64 * dptr, u64 n), (dptr, n))                                                                               \
    X(cuIpcCloseMemHandle, (u64 dptr), (dptr))                                                                                             \
    X(cuIpcOpenEventHandle, (u64 * event), (event))                                                                                        \
    X(cuMemcpy3DPeer, (const tc_cu_CUDA_MEMCPY3D_PEER *m), (m))                                                                            \
    X(cuMemAllocAsync, (u64 * dptr, u64 n, u64 stream), (dptr, n, stream))                                                                 \
    X(cuMemAllocFromPoolAsync, (u64 * dptr, u64 n, u64 pool, u64 stream), (dptr, n, pool, stream))                                         \
    X(cuMemFreeAsync, (u64 ptr, u64 stream), (ptr, stream))                                                                                \
    X(cuMemAddressReserve, (u64 * dptr, u64 n, u64 alignment, u64 hint, u64 flags), (dptr, n, alignment, hint, flags))                     \
    X(cuMemAddressFree, (u64 ptr, u64 n), (ptr, n))                                                                                        \
    X(cuMemUnmap, (u64 ptr, u64 n), (ptr, n))                                                                                              \
    X(cuMemcpy, (u64 to, u64 from, u64 n), (to, from, n))                                                                                  \
    X(cuMemcpyAsync, (u64 to, u64 from, u64 n, u64 stream), (to, from, n, stream))                                                         \
    X(cuMemcpyHtoD_v2, (u64 to, u64 from, u64 n), (to, from, n))                                                                           \
    X(cuMemcpyDtoH_v2, (u64 to, u64 from, u64 n), (to, from, n))                                                                           \
    X(cuMemcpyDtoD_v2, (u64 to, u64 from, u64 n), (to, from, n))                                                                           \
    X(cuMemcpyHtoDAsync_v2, (u64 to, u64 from, u64 n, u64 stream), (to, from, n, stream))                                                  \
    X(cuMemcpyDtoHAsync_v2, (u64 to, u64 from, u64 n, u64 stream), (to, from, n, stream))                                                  \
    X(cuMemcpyDtoDAsync_v2, (u64 to, u64 from, u64 n, u64 stream), (to, from, n, stream))                                                  \
    X(cuMemcpyHtoDAsync_v2_ptsz, (u64 to, u64 from, u64 n, u64 stream), (to, from, n, stream))                                             \
    X(cuMemcpyPeer, (u64 to, u64 tc, u64 from, u64 fc, u64 n), (to, tc, from, fc, n))                                                      \
    X(cuMemcpyPeerAsync, (u64 to, u64 tc, u64 from, u64 fc, u64 n, u64 stream), (to, tc, from, fc, n, stream))                             \
    X(cuMemcpyHtoAAsync_v2, (u64 array, u64 offset, u64 from, u64 n, u64 stream), (array, offset, from, n, stream))                        \
    X(cuMemcpyAtoH_v2, (u64 to, u64 array, u64 offset, u64 n), (to, array, offset, n))                                                     \
    X(cuMemcpy2DAsync_v2, (const tc_cu_CUDA_MEMCPY2D *m, u64 stream), (m, stream))                                                         \
    X(cuMemcpy2D_v2, (const tc_cu_CUDA_MEMCPY2D *m), (m))                                                                                  \
    X(cuMemcpy3DAsync_v2, (const tc_cu_CUDA_MEMCPY3D *m, u64 stream), (m, stream))                                                         \
    X(cuMemcpyBatchAsync_v2, (u64 * to, u64 *from, u64 *sizes, u64 n, u64 a, u64 b, u64 c, u64 stream), (to, from, sizes, n, a, b, c, stream)) \
    X(cuMemsetD8_v2, (u64 to, u8 value, u64 n), (to, value, n))                                                                            \
    X(cuMemsetD8Async, (u64 to, u8 value, u64 n, u64 stream), (to, value, n, stream))                                                      \
    X(cuMemsetD32Async, (u64 to, u32 value, u64 n, u64 stream), (to, value, n, stream))                                                    \
    X(cuMemsetD2D16Async, (u64 to, u64 pitch, u16 value, u64 width, u64 height, u64 stream), (to, pitch, value, width, height, stream))    \
    X(cuStreamCreate, (u64 * stream, u32 flags), (stream, flags))                                                                          \
    X(cuStreamCreateWithPriority, (u64 * stream, u32 flags, u32 priority), (stream, flags, priority))                                      \
    X(cuStreamDestroy_v2, (u64 stream), (stream))                                                                                          \
    X(cuStreamSynchronize, (u64 stream), (stream))                                                                                         \
    X(cuStreamQuery, (u64 stream), (stream))                                                                                               \
    X(cuStreamWaitEvent, (u64 stream, u64 event, u32 flags), (stream, event, flags))                                                       \
    X(cuStreamWaitValue32_v2, (u64 stream, u64 address, u32 value, u32 flags), (stream, address, value, flags))                            \
    X(cuStreamBeginCapture_v2, (u64 stream, u32 mode), (stream, mode))                                                                     \
    X(cuStreamEndCapture, (u64 stream, u64 *graph), (stream, graph))                                                                       \
    X(cuEventCreate, (u64 * event, u32 flags), (event, flags))                                                                             \
    X(cuEventDestroy_v2, (u64 event), (event))                                                                                             \
    X(cuEventRecord, (u64 event, u64 stream), (event, stream))                                                                             \
    X(cuEventSynchronize, (u64 event), (event))                                                                                            \
    X(cuEventQuery, (u64 event), (event))                                                                                                  \
    X(cuLaunchHostFunc, (u64 stream, u64 fn, u64 data), (stream, fn, data))                                                                \
    X(cuGraphCreate, (u64 * graph, u32 flags), (graph, flags))                                                                             \
    X(cuGraphDestroy, (u64 graph), (graph))                                                                                                \
    X(cuGraphClone, (u64 * graph, u64 from), (graph, from))                                                                                \
    X(cuGraphAddKernelNode_v2, (u64 * node, u64 graph, const u64 *after, u64 n, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *p), (node, graph, after, n, p)) \
    X(cuGraphAddMemcpyNode, (u64 * node, u64 graph, const u64 *after, u64 n, const tc_cu_CUDA_MEMCPY3D *m, u64 ctx), (node, graph, after, n, m, ctx)) \
    X(cuGraphAddMemsetNode, (u64 * node, u64 graph, const u64 *after, u64 n, const tc_cu_CUDA_MEMSET_NODE_PARAMS *m, u64 ctx), (node, graph, after, n, m, ctx)) \
    X(cuGraphAddEmptyNode, (u64 * node, u64 graph, const u64 *after, u64 n), (node, graph, after, n))                                      \
    X(cuGraphAddEventRecordNode, (u64 * node, u64 graph, const u64 *after, u64 n, u64 event), (node, graph, after, n, event))              \
    X(cuGraphAddNode_v2, (u64 * node, u64 graph, const u64 *after, const void *edges, u64 n, const void *p), (node, graph, after, edges, n, p)) \
    X(cuGraphAddDependencies, (u64 graph, const u64 *from, const u64 *to, u64 n), (graph, from, to, n))                                    \
    X(cuGraphDestroyNode, (u64 node), (node))                                                                                              \
    X(cuGraphKernelNodeSetParams_v2, (u64 node, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *p), (node, p))                                     \
    X(cuGraphExecKernelNodeSetParams_v2, (u64 exec, u64 node, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *p), (exec, node, p))                 \
    X(cuGraphInstantiateWithFlags, (u64 * exec, u64 graph, u64 flags), (exec, graph, flags))                                               \
    X(cuGraphExecUpdate_v2, (u64 exec, u64 graph, void *info), (exec, graph, info))                                                        \
    X(cuGraphLaunch, (u64 exec, u64 stream), (exec, stream))                                                                               \
    X(cuGraphExecDestroy, (u64 exec), (exec))

#define X(name, params, args) int name params;
FAKE_FUNCTIONS(X)
#undef X

int cuCtxSynchronize(void);
int cuStreamIsCapturing(u64 stream, u32 *status);
int cuLaunchKernel(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params, void **extra);
int cuLaunchKernel_ptsz(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params, void **extra);
int cuLaunchCooperativeKernel(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params);
int cuLaunchKernelEx(const tc_cu_CUlaunchConfig *config, u64 f, void **params, void **extra);

#endif
