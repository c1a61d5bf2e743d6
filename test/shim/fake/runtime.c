// A piece of the CUDA runtime for tests of wrapping: a library of its own, on the driver of tests.
#include "test/shim/fake/fake.h"

typedef struct size3 {
    u32 x, y, z;
} size3;

int cudaGetDevice(int *device) {
    *device = 0;
    return 0;
}
int cudaMalloc(u64 *p, size_t n) {
    return cuMemAlloc_v2(p, n);
}
int cudaFree(u64 p) {
    return cuMemFree_v2(p);
}
int cudaMallocHost(u64 *p, size_t n) {
    return cuMemAllocHost_v2(p, n);
}
int cudaFreeHost(u64 p) {
    return cuMemFreeHost(p);
}
int cudaMemcpyAsync(u64 to, u64 from, size_t n, u32 kind, u64 stream) {
    return kind == 1 ? cuMemcpyHtoDAsync_v2(to, from, n, stream) : cuMemcpyAsync(to, from, n, stream);
}
int cudaMemcpy2DAsync(u64 to, size_t to_pitch, u64 from, size_t from_pitch, size_t width, size_t height, u32 kind, u64 stream) {
    const tc_cu_CUDA_MEMCPY2D m = {.srcDevice = from, .srcPitch = from_pitch, .dstDevice = to, .dstPitch = to_pitch, .WidthInBytes = width,
                                   .Height = height, .srcMemoryType = CU_DEVICE, .dstMemoryType = kind == 2 ? CU_HOST : CU_DEVICE};
    return cuMemcpy2DAsync_v2(&m, stream);
}
int cudaStreamCreateWithFlags(u64 *stream, u32 flags) {
    return cuStreamCreate(stream, flags);
}
int cudaStreamSynchronize(u64 stream) {
    return cuStreamSynchronize(stream);
}
int cudaEventCreateWithFlags(u64 *event, u32 flags) {
    return cuEventCreate(event, flags);
}
int cudaEventRecord(u64 event, u64 stream) {
    return cuEventRecord(event, stream);
}
int cudaStreamWaitEvent(u64 stream, u64 event, u32 flags) {
    return cuStreamWaitEvent(stream, event, flags);
}
int cudaDeviceSynchronize(void) {
    return cuCtxSynchronize();
}
int cudaLaunchKernel(u64 f, size3 g, size3 b, void **args, size_t smem, u64 stream) {
    (void)f, (void)g, (void)b, (void)args, (void)smem, (void)stream;
    return 0;
}
int __cudaLaunchKernel(u64 f, size3 g, size3 b, void **args, size_t smem, u64 stream) {
    return cudaLaunchKernel(f, g, b, args, smem, stream);
}
int __cudaGetKernel(u64 *kernel, u64 host) {
    *kernel = host + 1;
    return 0;
}
void **__cudaRegisterFatBinary(void *image) {
    static void *handle;
    handle = image;
    return &handle;
}
void __cudaRegisterFunction(void **image, const char *host, char *device, const char *name, int limit, void *t, void *b, void *d, void *g, int *w) {
    (void)image, (void)host, (void)device, (void)name, (void)limit, (void)t, (void)b, (void)d, (void)g, (void)w;
}
