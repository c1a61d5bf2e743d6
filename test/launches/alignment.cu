// A pointer is as its element type asks, also where the kernel says nothing of alignment. b_: violated; open_: left to the run time.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>
#include <stdint.h>

tc_block(32) tc_grid(1)
__global__ void quads(tc_mut tc_shape(32) float4 *y)
{
    y[threadIdx.x] = make_float4(0, 0, 0, 0);
}
tc_block(32) tc_grid(1)
__global__ void ones(tc_mut tc_shape(32) float *y)
{
    y[threadIdx.x] = 1;
}
tc_block(32) tc_grid(1)
__global__ void bytes(tc_mut tc_shape(32) char *y)
{
    y[threadIdx.x] = 1;
}

// CHECK: b_cast quads {{.*}}: violated, TC4001 violated
void b_cast()
{
    float *d;
    cudaMalloc(&d, 1024);
    quads<<<1, 32>>>((float4 *)(d + 2));
}
// CHECK: g_cast quads {{.*}}: proved
void g_cast()
{
    float *d;
    cudaMalloc(&d, 1024);
    quads<<<1, 32>>>((float4 *)(d + 4));
}
// CHECK: b_bytes ones {{.*}}: violated, TC4001 violated
// CHECK: b_bytes bytes {{.*}}: proved
void b_bytes()
{
    char *d;
    cudaMalloc(&d, 1024);
    ones<<<1, 32>>>((float *)(d + 3));
    bytes<<<1, 32>>>(d + 3);
}
// CHECK: b_arguments ones {{.*}}: violated, TC4001 violated
void b_arguments()
{
    void *d;
    cudaMalloc(&d, 1024);
    d = (char *)d + 3;
    void *a[] = {&d};
    cudaLaunchKernel((void *)ones, dim3(1), dim3(32), a, 0, 0);
}
struct Arena {
    char *base;
    size_t off;
    void *take(size_t b)
    {
        void *p = base + off;
        off += b;
        return p;
    }
    void *take_aligned(size_t b)
    {
        off = (off + 15) / 16 * 16;
        return take(b);
    }
};
// CHECK: b_arena ones {{.*}}: violated, TC4001 violated
void b_arena()
{
    Arena a = {};
    cudaMalloc(&a.base, 1024);
    a.take(3);
    ones<<<1, 32>>>((float *)a.take(128));
}
// CHECK: g_arena ones {{.*}}: proved
void g_arena()
{
    Arena a = {};
    cudaMalloc(&a.base, 1024);
    a.take(3);
    ones<<<1, 32>>>((float *)a.take_aligned(128));
}
// CHECK: open_offset ones {{.*}}: run-time, TC4001 run-time, TC4002 proved, TC4003 proved
void open_offset(unsigned k)
{
    char *d;
    cudaMalloc(&d, 1024);
    if (k < 100)
        ones<<<1, 32>>>((float *)(d + k));
}
// CHECK: g_offset ones {{.*}}: proved
void g_offset(unsigned k)
{
    char *d;
    cudaMalloc(&d, 1024);
    if (k < 100 && k % 4 == 0)
        ones<<<1, 32>>>((float *)(d + k));
}
// CHECK: g_rows quads {{.*}}: proved
void g_rows(int row)
{
    float4 *d;
    cudaMalloc(&d, 100 * 32 * sizeof(float4));
    if (row >= 0 && row < 100)
        quads<<<1, 32>>>(d + row * 32);
}

// What a caller gave is taken to be aligned for its type, and so is what lies a multiple further on.
// CHECK: given quads {{.*}} TC4001 proved
void given(float4 *y) { quads<<<1, 32>>>(y); }
// CHECK: given_and_moved quads {{.*}} TC4001 proved
void given_and_moved(float4 *y, int k) { quads<<<1, 32>>>(y + k); }
// CHECK: open_moved ones {{.*}} TC4001 run-time
void open_moved(void *y, int k) { ones<<<1, 32>>>((float *)((char *)y + k)); }
// CHECK: open_moved_by_three ones {{.*}} TC4001 run-time
void open_moved_by_three(float *y) { ones<<<1, 32>>>((float *)((char *)y + 3)); }
// CHECK: moved_by_fours ones {{.*}} TC4001 proved
void moved_by_fours(void *y, int k) { ones<<<1, 32>>>((float *)((char *)y + 4 * k)); }
struct Holder {
    float4 *y;
};
// CHECK: held quads {{.*}} TC4001 proved
void held(Holder *h) { quads<<<1, 32>>>(h->y); }

// An address that is cut to 32 bits, or made of other bits, is another one.
// CHECK: open_cut ones {{.*}}: run-time, TC4001 run-time, {{.*}} TC4003 run-time
void open_cut()
{
    float *d;
    cudaMalloc(&d, 1024);
    unsigned a = (unsigned)(uintptr_t)d;
    ones<<<1, 32>>>((float *)(uintptr_t)a);
}
// CHECK: open_cut_signed ones {{.*}}: run-time, {{.*}} TC4003 run-time
void open_cut_signed()
{
    float *d;
    cudaMalloc(&d, 1024);
    int a = (int)(intptr_t)d;
    ones<<<1, 32>>>((float *)(intptr_t)a);
}
// CHECK: open_cut_and_moved ones {{.*}}: run-time, {{.*}} TC4003 run-time
void open_cut_and_moved()
{
    float *d;
    cudaMalloc(&d, 1024);
    ones<<<1, 32>>>((float *)((uintptr_t)(unsigned)(uintptr_t)d + 16));
}
// CHECK: g_as_number ones {{.*}}: proved
void g_as_number()
{
    float *d;
    cudaMalloc(&d, 1024);
    uintptr_t a = (uintptr_t)d;
    int64_t b = (int64_t)a + 16;
    ones<<<1, 32>>>((float *)b);
}
