// Memory of malloc is unregistered while a copy may still read it.
// expects: TC5001
#include "common.h"

int main()
{
    float *x = device<float>(N), *host = (float *)std::calloc(N, sizeof(float));
    cudaStream_t a = stream();
    CHECK(cudaHostRegister(host, BYTES, cudaHostRegisterDefault));
    CHECK(cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, a));
    if (!bad)
        CHECK(cudaStreamSynchronize(a));
    CHECK(cudaHostUnregister(host));
    CHECK(cudaDeviceSynchronize());
    std::free(host);
    return 0;
}
