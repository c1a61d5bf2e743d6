// Host code beside kernels: launches, memory, streams, events, errors.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void k(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = 0.0f;
}
template <typename T, int N> __global__ void t(T *p)
{
    p[N] = T(0);
}

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess)                                                                                          \
            std::fprintf(stderr, "%s\n", cudaGetErrorString(e));                                                       \
    } while (0)

__constant__ float weights[16];

int main()
{
    const int n = 1000;
    float *p, *q;
    std::vector<float> h(n);
    CHECK(cudaMalloc(&p, n * sizeof(float)));
    CHECK(cudaMallocManaged(&q, n * sizeof(float)));
    CHECK(cudaMemcpy(p, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(weights, h.data(), sizeof weights));
    cudaStream_t s;
    cudaEvent_t a, b;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    CHECK(cudaEventRecord(a, s));
    k<<<(n + 255) / 256, 256>>>(p, n);
    k<<<dim3(4, 1), dim3(256), 1024, s>>>(p, n);
    t<float, 3><<<1, 1>>>(p);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(b, s));
    CHECK(cudaStreamWaitEvent(s, b, 0));
    CHECK(cudaStreamSynchronize(s));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0));
    CHECK(cudaMemPrefetchAsync(q, 4000, 0, s));
    CHECK(cudaMemAdvise(q, 4000, cudaMemAdviseSetReadMostly, 0));
    CHECK(cudaMallocAsync(&p, 400, s));
    CHECK(cudaFreeAsync(p, s));
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemPoolCreate(&pool, &props));
    unsigned long long threshold = ~0ull;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMallocFromPoolAsync(&p, 400, pool, s));
    CHECK(cudaFreeAsync(p, s));
    CHECK(cudaMallocAsync(&p, 400, pool, s));
    cudaMemAccessDesc access = {};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaMemPoolDestroy(pool));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaDeviceSetMemPool(0, pool));
    cudaIpcMemHandle_t handle;
    CHECK(cudaIpcGetMemHandle(&handle, p));
    CHECK(cudaIpcOpenMemHandle((void **)&p, handle, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcCloseMemHandle(p));
    cudaIpcEventHandle_t event;
    CHECK(cudaIpcGetEventHandle(&event, a));
    CHECK(cudaIpcOpenEventHandle(&a, event));
    cudaPitchedPtr planes;
    cudaExtent extent = make_cudaExtent(400, 10, 10);
    CHECK(cudaMalloc3D(&planes, extent));
    CHECK(cudaMemset3D(planes, 0, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(h.data(), 400, 100, 10);
    copy.dstPtr = planes;
    copy.dstPos = make_cudaPos(0, 0, 0);
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    CHECK(cudaDeviceSynchronize());
    std::printf("%d %d %d\n", prop.multiProcessorCount, max(n, 3), min(4, n));
    return 0;
}
