// What two blocks do is compared with every value of its own: indices, counters, loaded and unknown values.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(32) tc_grid(64) __global__ void
#define Y tc_mut tc_shape(4096) float *y

__device__ unsigned special()
{
    unsigned v;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(v));
    return v;
}

// The processor's number differs between some blocks, and is one for others.
// CHECK: kernel processor {{violated|unknown}}
K processor(Y) { y[special() & 4095] = 1; }
// CHECK: kernel clocked {{violated|unknown}}
K clocked(Y) { y[(unsigned)clock() & 4095] = 1; }
// CHECK: kernel counter {{violated|unknown}}
K counter(Y, int rare) { for (int k = 0; k < 64; k++) if (rare == 1000002) y[k] = 1; }
// CHECK: kernel loaded {{violated|unknown}}
K loaded(Y, tc_shared tc_shape(64) tc_range(0, 4096) const int *x, int rare) { if (rare == 1000002) y[x[blockIdx.x]] = 1; }
// CHECK: kernel loaded_apart proved
K loaded_apart(Y, tc_shared tc_shape(64) tc_range(0, 4096) tc_injective const int *x) { y[x[blockIdx.x]] = 1; }
// All different, but two blocks take one of them.
// CHECK: kernel loaded_twice {{violated|unknown}}
K loaded_twice(Y, tc_shared tc_shape(64) tc_range(0, 4096) tc_injective const int *x, int rare) { if (rare == 1000002) y[x[blockIdx.x / 2]] = 1; }
// CHECK: kernel drawn {{violated|unknown}}
K drawn(Y, tc_atomic tc_shape(1) unsigned *next) { y[atomicAdd(next, 1u) & 4095] = 1; }
// CHECK: kernel lane {{violated|unknown}}
K lane(Y, int rare) { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); if (rare == 1000002) y[l] = 1; }
// Each block has its own half, and the last thread of one looks into the other.
// CHECK: kernel halves {{violated|unknown}}
K halves(Y, int rare) { y[blockIdx.x * 64 + threadIdx.x * 2 + (rare == 1000002 && threadIdx.x == 31 ? 2 : 0)] = 1; }
// CHECK: kernel halves_apart proved
K halves_apart(Y, int rare) { y[blockIdx.x * 64 + threadIdx.x * 2 + (rare == 1000002 ? 1 : 0)] = 1; }
// A grid dimension that the kernel does not read, but has.
// CHECK: kernel second_dimension {{violated|unknown}}
tc_block(32) tc_grid(64, 2) __global__ void second_dimension(Y) { y[blockIdx.x * 32 + threadIdx.x] = 1; }
// CHECK: kernel third_dimension_open {{violated|unknown}}
tc_block(32) tc_requires(gridDim.x <= 64 && gridDim.y <= 2 && gridDim.z == 2) __global__ void third_dimension_open(Y) { y[(blockIdx.y * 64 + blockIdx.x) * 32 + threadIdx.x] = 1; }
// Different bytes of one element are not enough, where the accesses are wider.
// CHECK: kernel bytes {{violated|unknown}}
K bytes(tc_mut tc_shape(4096) char *y, int rare) { if (rare == 1000002) *(short *)(y + 2 * (blockIdx.x / 2) + 0) = 1; }
// CHECK: kernel reads_what_another_writes {{violated|unknown}}
K reads_what_another_writes(Y, int rare) { float v = y[rare == 1000002 ? 0 : blockIdx.x * 32]; y[blockIdx.x * 32 + threadIdx.x] = v; }
// Two writes, each of which keeps clear of itself in other blocks.
// CHECK: kernel two_writes {{violated|unknown}}
K two_writes(Y, int rare) { y[2 * blockIdx.x] = 1; if (rare == 1000002) y[2 * blockIdx.x + 2] = 1; }
// CHECK: kernel two_writes_apart proved
K two_writes_apart(Y, int rare) { y[2 * blockIdx.x] = 1; if (rare == 1000002) y[2 * blockIdx.x + 1] = 1; }
// The block's number and something more that is not the same for both.
// CHECK: kernel unknown_and_block {{violated|unknown}}
K unknown_and_block(Y, int rare) { if (rare == 1000002) y[((unsigned)clock() & 63) + blockIdx.x] = 1; }
// CHECK: kernel processor_and_block {{violated|unknown}}
K processor_and_block(Y, int rare) { if (rare == 1000002) y[(special() & 63) + blockIdx.x] = 1; }
// CHECK: kernel counter_and_block {{violated|unknown}}
K counter_and_block(Y, int rare) { for (int k = 0; k < 2; k++) if (rare == 1000002) y[k + blockIdx.x] = 1; }
// CHECK: kernel thread_and_block {{violated|unknown}}
K thread_and_block(Y, int rare) { if (rare == 1000002) y[threadIdx.x + blockIdx.x] = 1; }
// CHECK: kernel drawn_and_block {{violated|unknown}}
K drawn_and_block(Y, tc_atomic tc_shape(1) unsigned *next, int rare) { unsigned t = atomicAdd(next, 1u) & 63; if (rare == 1000002) y[t + blockIdx.x] = 1; }
// CHECK: kernel size_and_block proved
K size_and_block(Y, int n) { if (n >= 0 && n < 64) y[n + blockIdx.x] = 1; }
