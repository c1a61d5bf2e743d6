// Pinned memory is freed while a copy may still read it.
// expects: TC5001
#include "common.h"

int main()
{
    float *x = device<float>(N), *host = nullptr;
    cudaStream_t a = stream();
    CHECK(cudaMallocHost(&host, BYTES));
    CHECK(cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, a));
    if (!bad)
        CHECK(cudaStreamSynchronize(a));
    CHECK(cudaFreeHost(host));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
