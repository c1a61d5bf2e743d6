// The output is shorter than the contract's shape; what follows it in memory belongs to someone else.
// expects: TC4003
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(bad ? N - 64 : N);
    run(x, y, nullptr);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
