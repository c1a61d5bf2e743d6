// Two streams copy into columns of one image; in the bad twin one column is copied by both.
// expects: TC5002
#include "common.h"

int main()
{
    char *image = nullptr, *from = device<char>(1 << 20);
    size_t pitch = 0;
    cudaStream_t a = stream(), b = stream();
    CHECK(cudaMallocPitch(&image, &pitch, 512, 512));
    CHECK(cudaMemcpy2DAsync(image, pitch, from, 256, 256, 512, cudaMemcpyDeviceToDevice, a));
    CHECK(cudaMemcpy2DAsync(image + (bad ? 252 : 256), pitch, from, 256, 256, 512, cudaMemcpyDeviceToDevice, b));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
