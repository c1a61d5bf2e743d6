// One buffer is passed as what is read and as what is written.
// expects: TC4002
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N);
    run(x, bad ? x : y, nullptr);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
