// The stream goes on to use memory that it has freed.
// expects: TC5001
#include "common.h"

int main()
{
    float *x = nullptr, *y = device<float>(N);
    cudaStream_t a = stream();
    CHECK(cudaMallocAsync(&x, BYTES, a));
    CHECK(cudaMemsetAsync(x, 0, BYTES, a));
    if (bad)
        CHECK(cudaFreeAsync(x, a));
    run(x, y, a);
    if (!bad)
        CHECK(cudaFreeAsync(x, a));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
