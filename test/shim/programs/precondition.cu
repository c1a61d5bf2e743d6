// A launch of half the blocks that the contract asks for: the rest of y is never written.
// expects: TC4001
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N);
    scale<<<bad ? N / 512 : N / 256, 256>>>(x, y, N);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
