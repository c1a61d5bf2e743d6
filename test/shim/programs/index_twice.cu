// A permutation with an index that stands twice: two threads write one place. The array comes by an asynchronous copy on the launch's
// stream, while another stream is captured, which forbids calls that wait for the device.
// expects: TC4001
// environment: TILECHECK_RT_CONTENTS=device
#include "common.h"

LAUNCH __global__ void scatter(tc_shared tc_shape(n) const float *x, tc_shared tc_shape(n) tc_range(0, n) tc_injective const int *to,
                               tc_mut tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[to[i]] = x[i];
}

int main()
{
    float *x = device<float>(N), *y = device<float>(N);
    int *to = device<int>(N), *host = nullptr;
    cudaStream_t a = stream(), b;
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMallocHost(&host, N * sizeof(int)));
    for (int i = 0; i < N; i++)
        host[i] = N - 1 - i;
    if (bad)
        host[N / 2] = 3;
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(to, host, N * sizeof(int), cudaMemcpyHostToDevice, a));
    scatter<<<N / 256, 256, 0, a>>>(x, to, y, N);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamEndCapture(b, &graph));
    CHECK(cudaStreamSynchronize(a));
    return 0;
}
