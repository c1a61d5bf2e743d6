// Memory of a pool is freed on a stream that does not wait for the kernel that reads it.
// expects: TC5001
#include "common.h"

int main()
{
    float *x = nullptr, *y = device<float>(N);
    cudaStream_t a = stream(), b = stream();
    CHECK(cudaMallocAsync(&x, BYTES, a));
    CHECK(cudaMemsetAsync(x, 0, BYTES, a));
    run(x, y, a);
    CHECK(cudaFreeAsync(x, bad ? b : a));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
