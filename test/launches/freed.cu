// Buffers that were freed before the launch are as large as nothing. b_: near misses, which must not be proved.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void scale(tc_mut tc_shape(n) tc_tile(256) float *m, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        m[i] *= 2;
}
static float *buffer()
{
    float *m;
    cudaMalloc(&m, 1000 * sizeof(float));
    return m;
}
void elsewhere(float *m);

// CHECK: after scale line [[@LINE+4]]: proved
void after()
{
    float *m = buffer();
    scale<<<4, 256>>>(m, 1000);
    cudaFree(m);
}
// CHECK: b_before scale line [[@LINE+5]]: violated, TC4001 proved, TC4002 proved, TC4003 violated
void b_before()
{
    float *m = buffer();
    cudaFree(m);
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: b_on_both_paths scale line [[@LINE+8]]: violated, TC4001 proved, TC4002 proved, TC4003 violated
void b_on_both_paths(bool now, cudaStream_t s)
{
    float *m = buffer();
    if (now)
        cudaFree(m);
    else
        cudaFreeAsync(m, s);
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: b_where_it_is_launched scale line [[@LINE+7]]: violated, TC4001 proved, TC4002 proved, TC4003 violated
void b_where_it_is_launched(bool early)
{
    float *m = buffer();
    if (early)
        cudaFree(m);
    if (early)
        scale<<<4, 256>>>(m, 1000);
}
// CHECK: made_again scale line [[@LINE+6]]: proved
void made_again()
{
    float *m = buffer();
    cudaFree(m);
    m = buffer();
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: b_in_a_turn_before scale line [[@LINE+6]]: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
void b_in_a_turn_before(int turns)
{
    float *m = buffer();
    for (int t = 0; t < turns; t++)
        cudaFree(m);
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: on_a_path_that_returns scale line [[@LINE+8]]: proved
void on_a_path_that_returns(bool failed)
{
    float *m = buffer();
    if (failed) {
        cudaFree(m);
        return;
    }
    scale<<<4, 256>>>(m, 1000);
    cudaFree(m);
}
// CHECK: b_on_a_path scale line [[@LINE+6]]: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
void b_on_a_path(bool early)
{
    float *m = buffer();
    if (early)
        cudaFreeAsync(m, 0);
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: each_turn_its_own scale line [[@LINE+5]]: proved
void each_turn_its_own(int turns)
{
    for (int t = 0; t < turns; t++) {
        float *m = buffer();
        scale<<<4, 256>>>(m, 1000);
        cudaFree(m);
    }
}
// CHECK: b_behind_in_a_loop scale line [[@LINE+5]]: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
void b_behind_in_a_loop(int turns)
{
    float *m = buffer();
    for (int t = 0; t < turns; t++) {
        scale<<<4, 256>>>(m, 1000);
        if (t == 5)
            cudaFree(m);
    }
}
// CHECK: b_one_of_two scale line [[@LINE+5]]: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
void b_one_of_two(bool first)
{
    float *m = buffer(), *k = buffer();
    cudaFree(first ? m : k);
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: the_other_of_two scale line [[@LINE+5]]: proved
void the_other_of_two()
{
    float *m = buffer(), *k = buffer();
    cudaFree(k);
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: b_given_away scale line [[@LINE+5]]: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
void b_given_away()
{
    float *m = buffer();
    elsewhere(m);
    scale<<<4, 256>>>(m, 1000);
}

// A function of the user's with a name like the runtime's may change what others see.
static int size;
int *the_size() { return &size; }
extern "C" void cudaTeamResize();
// CHECK: b_not_the_runtime scale line [[@LINE+6]]: run-time
void b_not_the_runtime()
{
    float *m = buffer();
    size = 1000;
    cudaTeamResize();
    scale<<<4, 256>>>(m, size);
}
// CHECK: the_runtime scale line [[@LINE+6]]: proved
void the_runtime()
{
    float *m = buffer();
    size = 1000;
    cudaDeviceSynchronize();
    scale<<<4, 256>>>(m, size);
}

// All memory of the device is freed by a reset.
// CHECK: b_reset scale line [[@LINE+5]]: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
void b_reset()
{
    float *m = buffer();
    cudaDeviceReset();
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: made_after_a_reset scale line [[@LINE+5]]: proved
void made_after_a_reset()
{
    cudaDeviceReset();
    float *m = buffer();
    scale<<<4, 256>>>(m, 1000);
}
// CHECK: b_reset_in_a_loop scale line [[@LINE+5]]: run-time
void b_reset_in_a_loop(int turns)
{
    float *m = buffer();
    for (int t = 0; t < turns; t++) {
        scale<<<4, 256>>>(m, 1000);
        cudaDeviceReset();
    }
}
// CHECK: reset_on_a_path_that_returns scale line [[@LINE+8]]: proved
void reset_on_a_path_that_returns(bool failed)
{
    float *m = buffer();
    if (failed) {
        cudaDeviceReset();
        return;
    }
    scale<<<4, 256>>>(m, 1000);
}
