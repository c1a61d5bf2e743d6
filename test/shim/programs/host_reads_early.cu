// The host looks at pinned memory that a copy may still be writing.
// expects: TC5003
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N), *host = nullptr;
    cudaStream_t a = stream();
    CHECK(cudaMallocHost(&host, BYTES));
    run(x, y, a);
    CHECK(cudaMemcpyAsync(host, y, BYTES, cudaMemcpyDeviceToHost, a));
    if (!bad)
        CHECK(cudaStreamSynchronize(a));
    tc_rt_host_read(host, BYTES);
    volatile float first = host[0];
    (void)first;
    CHECK(cudaDeviceSynchronize());
    return 0;
}
