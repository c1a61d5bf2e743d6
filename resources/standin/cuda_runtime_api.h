// The runtime API's host functions, declared so that host code in the same file parses.
#ifndef TILECHECK_STANDIN_CUDA_RUNTIME_API_H
#define TILECHECK_STANDIN_CUDA_RUNTIME_API_H

#include "driver_functions.h"
#include "driver_types.h"
#include "vector_types.h"

typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;

typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

// Its header is one for C too.
#ifdef __cplusplus
#define TC_DEFAULT(v) = v
extern "C" {
#else
#define TC_DEFAULT(v)
#endif

// What Clang calls for k<<<...>>>().
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem TC_DEFAULT(0), void *stream TC_DEFAULT(0));
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t smem TC_DEFAULT(0), cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t smem, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, size_t smem,
                                        cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *f, void **args);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data);

cudaError_t cudaMalloc(void **p, size_t size);
cudaError_t cudaMallocHost(void **p, size_t size);
cudaError_t cudaMallocManaged(void **p, size_t size, unsigned int flags TC_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocAsync(void **p, size_t size, cudaStream_t stream);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
cudaError_t cudaHostAlloc(void **p, size_t size, unsigned int flags);
cudaError_t cudaHostRegister(void *p, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaHostGetDevicePointer(void **d, void *h, unsigned int flags);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMemcpy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *dst, int ddev, const void *src, int sdev, size_t size);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t size, size_t offset TC_DEFAULT(0),
                               enum cudaMemcpyKind kind TC_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset TC_DEFAULT(0),
                                 enum cudaMemcpyKind kind TC_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaGetSymbolAddress(void **p, const void *symbol);
cudaError_t cudaMemset(void *p, int value, size_t size);
cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, struct cudaMemLocation where, unsigned int flags,
                                 cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaMemAdvise(const void *p, size_t size, enum cudaMemoryAdvise advice, struct cudaMemLocation where);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaMallocFromPoolAsync(void **p, size_t size, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t size);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *where);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *p);
cudaError_t cudaIpcOpenMemHandle(void **p, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *p);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags TC_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t fn, void *data, unsigned int flags);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags TC_DEFAULT(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream TC_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned int flags);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
__host__ __device__ cudaError_t cudaDeviceSynchronize(void);
__host__ __device__ cudaError_t cudaGetLastError(void);
__host__ __device__ cudaError_t cudaPeekAtLastError(void);
__host__ __device__ const char *cudaGetErrorString(cudaError_t error);
__host__ __device__ const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void *f, enum cudaFuncCache config);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *f);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int threads, size_t smem);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}

template <class T> inline cudaError_t cudaMalloc(T **p, size_t size) {
    return ::cudaMalloc((void **)p, size);
}
template <class T> inline cudaError_t cudaMallocHost(T **p, size_t size) {
    return ::cudaMallocHost((void **)p, size);
}
template <class T> inline cudaError_t cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)p, size, flags);
}
template <class T> inline cudaError_t cudaMallocAsync(T **p, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void **)p, size, stream);
}
template <class T> inline cudaError_t cudaMallocFromPoolAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)p, size, pool, stream);
}
inline cudaError_t cudaMallocAsync(void **p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(p, size, pool, stream);
}
template <class T> inline cudaError_t cudaMallocAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)p, size, pool, stream);
}
template <class T> inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void **)p, pitch, width, height);
}
template <class T> inline cudaError_t cudaHostAlloc(T **p, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void **)p, size, flags);
}
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **d, void *h, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void **)d, h, flags);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t size, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, size, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t size, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, size, offset, kind);
}
template <class T, class S> inline cudaError_t cudaGetSymbolAddress(T **p, const S &symbol) {
    return ::cudaGetSymbolAddress((void **)p, (const void *)&symbol);
}
template <class F> inline cudaError_t cudaFuncSetAttribute(F *f, cudaFuncAttribute attr, int value) {
    return ::cudaFuncSetAttribute((const void *)f, attr, value);
}
template <class F> inline cudaError_t cudaFuncSetCacheConfig(F *f, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void *)f, config);
}
template <class F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *f) {
    return ::cudaFuncGetAttributes(attributes, (const void *)f);
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F f, int threads, size_t smem) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)f, threads, smem);
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F f, size_t smem = 0, int limit = 0) {
    (void)smem;
    (void)limit;
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(grid, (const void *)f, *block, 0);
}
template <class F>
inline cudaError_t cudaLaunchKernel(F *f, dim3 grid, dim3 block, void **args, size_t smem = 0, cudaStream_t s = 0) {
    return ::cudaLaunchKernel((const void *)f, grid, block, args, smem, s);
}
template <class F>
inline cudaError_t cudaLaunchCooperativeKernel(F *f, dim3 grid, dim3 block, void **args, size_t smem = 0,
                                               cudaStream_t s = 0) {
    return ::cudaLaunchCooperativeKernel((const void *)f, grid, block, args, smem, s);
}
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*f)(P...), A &&...args) {
    return [&](P... given) {
        void *list[] = {(void *)&given..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)f, list);
    }(static_cast<A &&>(args)...);
}
// Signatures and functions as they were before CUDA 13.
inline cudaError_t cudaMemAdvise(const void *p, size_t size, cudaMemoryAdvise advice, int device) {
    return ::cudaMemAdvise(p, size, advice, cudaMemLocation{cudaMemLocationTypeDevice, device});
}
inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, int device, cudaStream_t stream = 0) {
    return ::cudaMemPrefetchAsync(p, size, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0, stream);
}
inline cudaError_t cudaThreadSynchronize() {
    return ::cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit() {
    return ::cudaDeviceReset();
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}
#endif
#undef TC_DEFAULT

#endif
