// The event is recorded again, on another stream, before anyone waits for it.
// expects: TC5002
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N), *z = device<float>(N);
    cudaStream_t a = stream(), b = stream(), c = stream();
    cudaEvent_t done = event(), other = event();
    run(x, y, a);
    CHECK(cudaEventRecord(done, a));
    CHECK(cudaEventRecord(bad ? done : other, c));
    CHECK(cudaStreamWaitEvent(b, done, 0));
    run(y, z, b);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
