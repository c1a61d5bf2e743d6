// Atomics of two widths race where they have a byte in common, also where all of them are tc_atomic (PTX ISA, "Mixed-size Data-races").
// RUN: %verdicts %s | FileCheck %s
// RUN: %exits 2 %tilecheck run %s --kernel=b_two_widths 2>&1 | FileCheck %s --check-prefix=FAULT
#include <tilecheck.h>
#define T threadIdx.x
typedef unsigned long long ull;

// CHECK: kernel b_two_widths violated
// FAULT: one of another width{{.*}}[TC3001]
tc_block(64) tc_grid(1)
__global__ void b_two_widths(tc_atomic tc_align(8) tc_shape(2) unsigned *c)
{
    if (T & 1)
        atomicAdd((ull *)c, 1ull);
    else
        atomicAdd(c, 1u);
}

// CHECK: kernel b_two_blocks {{violated|unknown}}
tc_block(1) tc_grid(2)
__global__ void b_two_blocks(tc_atomic tc_align(8) tc_shape(2) unsigned *c)
{
    if (blockIdx.x)
        atomicAdd((ull *)c, 1ull);
    else
        atomicAdd(c + 1, 1u);
}

// No small launch comes there.
// CHECK: kernel b_two_blocks_of_many unknown
tc_block(1) tc_grid(2) tc_requires(n > 1000000 && n < 1 << 28)
__global__ void b_two_blocks_of_many(tc_atomic tc_align(8) tc_shape(n) unsigned *c, int n)
{
    if (n != 123456789)
        return;
    if (blockIdx.x)
        atomicAdd((ull *)c, 1ull);
    else
        atomicAdd(c + 1, 1u);
}

// CHECK: kernel b_load {{violated|unknown}}
tc_block(1) tc_grid(2)
__global__ void b_load(tc_atomic tc_align(8) tc_shape(2) unsigned *c, tc_mut tc_shape(2) tc_tile(1) int *y)
{
    if (blockIdx.x) {
        int v;
        asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(c));
        y[blockIdx.x] = v;
    } else {
        atomicAdd((ull *)c, 1ull);
    }
}

// CHECK: kernel apart proved
tc_block(64) tc_grid(1)
__global__ void apart(tc_atomic tc_align(8) tc_shape(4) unsigned *c)
{
    if (T & 1)
        atomicAdd((ull *)(c + 2), 1ull);
    else
        atomicAdd(c, 1u);
}

// CHECK: kernel one_thread {{proved|unknown}}
tc_block(64) tc_grid(1)
__global__ void one_thread(tc_atomic tc_align(8) tc_shape(2) unsigned *c)
{
    if (T == 0) {
        atomicAdd((ull *)c, 1ull);
        atomicAdd(c, 1u);
    }
}

// CHECK: kernel one_width proved
tc_block(64) tc_grid(4)
__global__ void one_width(tc_atomic tc_shape(2) unsigned *c)
{
    atomicAdd(c + T % 2, 1u);
}
