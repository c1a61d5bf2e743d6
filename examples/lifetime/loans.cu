// Asynchronous ownership as calls: a launch gives a loan, and waiting for the loan gives the buffers back. The same calls serve three
// uses: waited for at once (synchronous), waited for by another stream, and a graph that is launched again and again.
//
// Proved: axpy is in bounds and free of races for every n; each of its launches has the threads that it asks for, buffers as large as n
// says, and two of them. The order of the streams is checked as the program runs, by the shim (docs/shim.md).
#include <cuda_runtime.h>
#include <tilecheck.h>
#include <tilecheck_async.h>

#include <stdio.h>
#include <stdlib.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1)
__global__ void axpy(tc_mut tc_shape(n) tc_tile(256) float *y, tc_shared tc_shape(n) const float *x, float a, unsigned n)
{
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

static void check(int error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "loans: %s\n", cudaGetErrorString((cudaError_t)error));
    exit(1);
}

// Launches axpy on a stream; the loan is on x and y.
static void start(float *y, const float *x, float a, unsigned n, cudaStream_t stream, tc_rt_loan *loan)
{
    void *args[] = {&y, &x, &a, &n};
    const tc_rt_size3 grid = {n / 256 + (n % 256 != 0), 1, 1}, block = {256, 1, 1};
    check(tc_rt_launch((const void *)axpy, grid, block, args, 0, stream, loan));
}

int main()
{
    const unsigned n = 1000;
    float *x, *y, host[1000];
    cudaStream_t one, two;
    tc_rt_loan loan;
    for (unsigned i = 0; i < n; i++)
        host[i] = 1.0f;
    check(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    check(cudaMalloc((void **)&x, n * sizeof *x));
    check(cudaMalloc((void **)&y, n * sizeof *y));
    check(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    check(cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());

    // Synchronous: y is 1 + 2 * 1 = 3.
    start(y, x, 2.0f, n, one, &loan);
    check(tc_rt_wait(&loan));

    // Another stream takes over: y is 3 + 1 = 4, then 5.
    start(y, x, 1.0f, n, one, &loan);
    check(tc_rt_wait_on(&loan, two));
    start(y, x, 1.0f, n, two, NULL);
    check(tc_rt_wait(&loan)); // of the first; the second is waited for below

    // A graph of one step, launched three times: y is 8.
    cudaGraph_t graph;
    cudaGraphExec_t step;
    check(cudaStreamBeginCapture(two, cudaStreamCaptureModeGlobal));
    start(y, x, 1.0f, n, two, NULL);
    check(cudaStreamEndCapture(two, &graph));
    check(cudaGraphInstantiate(&step, graph, 0));
    for (int i = 0; i < 3; i++)
        check(tc_rt_launch_graph(step, two, i == 2 ? &loan : NULL));
    check(tc_rt_wait(&loan));

    check(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; i++)
        if (host[i] != 8.0f) {
            fprintf(stderr, "loans: element %u is %g\n", i, host[i]);
            return 1;
        }
    check(cudaGraphExecDestroy(step));
    check(cudaGraphDestroy(graph));
    check(cudaFree(x));
    check(cudaFree(y));
    check(cudaStreamDestroy(one));
    check(cudaStreamDestroy(two));
    puts("loans: 1000 elements are right");
    return 0;
}
