// A second stream reads what the first one writes.
// expects: TC5002
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N), *z = device<float>(N);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t done = event();
    run(x, y, a);
    CHECK(cudaEventRecord(done, a));
    if (!bad)
        CHECK(cudaStreamWaitEvent(b, done, 0));
    run(y, z, b);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
