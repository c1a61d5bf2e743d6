// Two nodes of a graph that was built by hand use one buffer, and no edge orders them.
// expects: TC5002
#include "common.h"

int main()
{
    float *x = device<float>(N), *y = device<float>(N), *z = device<float>(N);
    int n = N;
    void *first[] = {&x, &y, &n}, *second[] = {&y, &z, &n};
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t a, b;
    cudaKernelNodeParams p = {};
    p.func = (void *)scale;
    p.gridDim = dim3(N / 256);
    p.blockDim = dim3(256);
    p.kernelParams = first;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &p));
    p.kernelParams = second;
    CHECK(cudaGraphAddKernelNode(&b, graph, &a, bad ? 0 : 1, &p));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return 0;
}
