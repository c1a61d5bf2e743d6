// A memset on another stream clears what the kernel reads.
// expects: TC5002
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N);
    cudaStream_t a = stream(), b = stream();
    run(x, y, a);
    CHECK(cudaMemsetAsync(x, 0, BYTES, bad ? b : a));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
