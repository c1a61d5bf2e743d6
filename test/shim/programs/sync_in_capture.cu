// The host synchronises with a stream that is being captured: the call fails, and the capture is lost.
// expects: TC5005
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N);
    cudaStream_t a = stream();
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    run(x, y, a);
    if (bad)
        (void)cudaStreamSynchronize(a);
    cudaError_t end = cudaStreamEndCapture(a, &graph);
    if ((end == cudaSuccess) == bad)
        return 1;
    (void)cudaGetLastError();
    return 0;
}
