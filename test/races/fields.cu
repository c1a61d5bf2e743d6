// Fields of structs: of two elements, or of one, no bytes in common. b_: near misses.
// RUN: %verdicts %s --rules=TC1,TC3 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
struct point { float x, y, z; int id; };
struct pair { short a, b; };
union word { float whole; struct { short low, high; } half; };

// CHECK: kernel structs proved
K structs(tc_mut tc_shape(32) point *y) { y[threadIdx.x].x = y[31 - threadIdx.x].y; }
// CHECK: kernel vectors proved
K vectors(tc_mut tc_shape(32) float4 *y) { y[threadIdx.x].x = y[31 - threadIdx.x].w; }
// CHECK: kernel small proved
K small(tc_mut tc_shape(32) pair *y) { y[threadIdx.x].b = y[31 - threadIdx.x].a; }
// CHECK: kernel rows proved
K rows(tc_mut tc_shape(n, 32) point *y, int n) { for (int i = 0; i < n; i++) y[32 * i + threadIdx.x].z = y[32 * i + (threadIdx.x ^ 1)].id; }
// CHECK: kernel blocks proved
tc_block(32) tc_grid(8) __global__ void blocks(tc_mut tc_shape(256) point *y)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    y[i].x = y[255 - i].y;
}
// CHECK: kernel b_one_field violated
K b_one_field(tc_mut tc_shape(32) point *y) { y[threadIdx.x].x = y[31 - threadIdx.x].x; }
// CHECK: kernel b_both_fields violated
K b_both_fields(tc_mut tc_shape(32) point *y) { *(float2 *)&y[threadIdx.x].x = make_float2(y[31 - threadIdx.x].y, 0); }
// CHECK: kernel b_across {{violated|unknown}}
K b_across(tc_mut tc_shape(33) tc_align(16) pair *y) { short *p = &y[threadIdx.x].b; p[1] = y[31 - threadIdx.x].a; }
// CHECK: kernel b_union violated
K b_union(tc_mut tc_shape(32) word *y) { y[threadIdx.x].half.high = (short)y[31 - threadIdx.x].whole; }
// CHECK: kernel b_blocks violated
tc_block(32) tc_grid(8) __global__ void b_blocks(tc_mut tc_shape(256) point *y)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    y[i].y = y[255 - i].y;
}
