// A buffer of a captured graph is freed while the executable graph can still be launched.
// expects: TC5004
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N);
    cudaStream_t a = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
    run(x, y, a);
    CHECK(cudaStreamEndCapture(a, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaStreamSynchronize(a));
    if (bad)
        CHECK(cudaFree(y));
    CHECK(cudaGraphExecDestroy(exec));
    if (!bad)
        CHECK(cudaFree(y));
    return 0;
}
