// tilecheck_async.h on the driver of tests: what it calls of the runtime is here. With EARLY the buffers are used before they are back.
#include <stdio.h>
#include <stdlib.h>

#include "include/tilecheck_async.h"
#include "include/tilecheck_rt.h"
#include "test/shim/fake/fake.h"

static u64 number(const void *p) {
    return (u64)(uintptr_t)p;
}

int cudaLaunchKernel(const void *f, tc_rt_size3 g, tc_rt_size3 b, void **args, size_t smem, void *stream) {
    return cuLaunchKernel(number(f), g.x, g.y, g.z, b.x, b.y, b.z, (u32)smem, number(stream), args, NULL);
}
int cudaGraphLaunch(void *exec, void *stream) {
    return cuGraphLaunch(number(exec), number(stream));
}
int cudaEventRecord(void *event, void *stream) {
    return cuEventRecord(number(event), number(stream));
}
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
    return cuStreamWaitEvent(number(stream), number(event), flags);
}
int cudaEventCreateWithFlags(void **event, unsigned flags) {
    return cuEventCreate((u64 *)(void *)event, flags);
}
int cudaEventSynchronize(void *event) {
    return cuEventSynchronize(number(event));
}
int cudaEventQuery(void *event) {
    return cuEventQuery(number(event));
}
int cudaEventDestroy(void *event) {
    return cuEventDestroy_v2(number(event));
}

static void *stream_new(void) {
    u64 s = 0;
    cuStreamCreate(&s, CU_NON_BLOCKING);
    return (void *)(uintptr_t)s;
}

int main(void) {
    static const unsigned sizes[] = {8, 8, 4};
    bool early = getenv("EARLY") != NULL;
    cuInit(0);
    void *scale = (void *)(uintptr_t)fake_kernel("scale", 3, sizes), *a = stream_new(), *b = stream_new();
    u64 x = 0, y = 0;
    int n = 1024;
    cuMemAllocManaged(&x, 4096, 1);
    cuMemAllocManaged(&y, 4096, 1);
    void *there[] = {&x, &y, &n}, *back[] = {&y, &x, &n};
    const tc_rt_size3 grid = {16, 1, 1}, block = {64, 1, 1};
    tc_rt_loan first, second;
    int errors = tc_rt_launch(scale, grid, block, there, 0, a, &first);
    if (!early)
        errors |= tc_rt_wait_on(&first, b);
    errors |= tc_rt_launch(scale, grid, block, back, 0, b, &second);
    if (!early)
        errors |= tc_rt_wait(&second);
    tc_rt_host_write((void *)(uintptr_t)x, 4096);
    errors |= tc_rt_wait(&second) | tc_rt_wait(&second) | tc_rt_wait(&first);
    fake_fail(1);
    int failed = tc_rt_launch(scale, grid, block, there, 0, a, &first);
    printf("errors %d, failed %d, done %d\n", errors, failed, tc_rt_done(&first));
    return 0;
}
