// A program of the CUDA runtime, of which the calls are wrapped when it is linked. With BAD it does not order its two streams, frees a
// pinned buffer early and copies over a column that another stream copies.
#include <stdlib.h>

#include "test/shim/fake/fake.h"

typedef struct size3 {
    u32 x, y, z;
} size3;
int cudaMalloc(u64 *p, size_t n);
int cudaMallocHost(u64 *p, size_t n);
int cudaFreeHost(u64 p);
int cudaMemcpyAsync(u64 to, u64 from, size_t n, u32 kind, u64 stream);
int cudaMemcpy2DAsync(u64 to, size_t to_pitch, u64 from, size_t from_pitch, size_t width, size_t height, u32 kind, u64 stream);
int cudaStreamCreateWithFlags(u64 *stream, u32 flags);
int cudaStreamSynchronize(u64 stream);
int cudaEventCreateWithFlags(u64 *event, u32 flags);
int cudaEventRecord(u64 event, u64 stream);
int cudaStreamWaitEvent(u64 stream, u64 event, u32 flags);
int cudaDeviceSynchronize(void);
int cudaLaunchKernel(const void *f, size3 g, size3 b, void **args, size_t smem, u64 stream);
int __cudaLaunchKernel(u64 f, size3 g, size3 b, void **args, size_t smem, u64 stream);
int __cudaGetKernel(u64 *kernel, const void *host);
void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFunction(void **image, const char *host, char *device, const char *name, int limit, void *t, void *b, void *d, void *g, int *w);

static void stub(void) {}

__attribute__((constructor)) static void registered(void) {
    static const fake_image image = FAKE_IMAGE(1);
    static fake_wrapper wrapper = {0x466243b1, 1, &image, NULL};
    __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), (const char *)(uintptr_t)stub, NULL, "scale", -1, NULL, NULL, NULL, NULL, NULL);
}

int main(void) {
    bool bad = getenv("BAD") != NULL;
    if (getenv("NOTHING"))
        return 0;
    u64 x = 0, y = 0, pinned = 0, a = 0, b = 0, done = 0, kernel = 0;
    int n = 1024;
    cudaMalloc(&x, 4096);
    cudaMalloc(&y, 4096);
    cudaMallocHost(&pinned, 4096);
    cudaStreamCreateWithFlags(&a, 1);
    cudaStreamCreateWithFlags(&b, 1);
    cudaEventCreateWithFlags(&done, 2);
    cudaMemcpyAsync(x, pinned, 4096, 1, a);
    void *there[] = {&x, &y, &n}, *back[] = {&y, &x, &n};
    const size3 grid = {16, 1, 1}, block = {64, 1, 1};
    cudaLaunchKernel((const void *)(uintptr_t)stub, grid, block, there, 0, a);
    cudaEventRecord(done, a);
    if (!bad)
        cudaStreamWaitEvent(b, done, 0);
    __cudaGetKernel(&kernel, (const void *)(uintptr_t)stub);
    __cudaLaunchKernel(kernel, grid, block, back, 0, b);
    if (!bad)
        cudaStreamSynchronize(b);
    cudaFreeHost(pinned);
    cudaDeviceSynchronize();
    cudaMemcpy2DAsync(x, 64, y, 64, 32, 64, 3, a);
    cudaMemcpy2DAsync(x + (bad ? 31 : 32), 64, y, 64, 32, 64, 3, b);
    return 0;
}
