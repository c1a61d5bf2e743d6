// Views with strides into one buffer: apart where their elements are, whatever lies between them. b_: they meet; open_: it is not told.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>

tc_block(32) tc_grid(h) tc_requires(w >= 1 && h >= 1 && w <= ld && ld <= 4096 && h <= 4096)
__global__ void rows(tc_mut tc_shape(h, w) tc_stride(ld, 1) tc_tile(1, w) tc_at(blockIdx.x, 0) float *y,
                     tc_shared tc_shape(h, w) tc_stride(ld, 1) const float *x, int h, int w, int ld)
{
    for (int i = threadIdx.x; i < w; i += 32)
        y[blockIdx.x * ld + i] = x[blockIdx.x * ld + i];
}
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n > 0 && n < 1 << 20)
__global__ void swapped(tc_mut tc_shape(n) tc_stride(2) int *y, tc_mut tc_shape(n) tc_stride(2) int *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        int t = y[2 * i];
        y[2 * i] = x[2 * i];
        x[2 * i] = t;
    }
}

// ---- halves of the columns ----

// CHECK: g_halves rows {{.*}}: proved
void g_halves()
{
    float *p;
    cudaMalloc(&p, 8 * 64 * 4);
    rows<<<8, 32>>>(p, p + 32, 8, 32, 64);
}
// CHECK: g_halves_the_other_way rows {{.*}}: proved
void g_halves_the_other_way()
{
    float *p;
    cudaMalloc(&p, 8 * 64 * 4);
    rows<<<8, 32>>>(p + 32, p, 8, 32, 64);
}
// CHECK: b_halves rows {{.*}}: violated, TC4001 proved, TC4002 violated
void b_halves()
{
    float *p;
    cudaMalloc(&p, 8 * 64 * 4);
    rows<<<8, 32>>>(p, p + 31, 8, 32, 64);
}
// In another row.
// CHECK: g_later_rows rows {{.*}}: proved
void g_later_rows()
{
    float *p;
    cudaMalloc(&p, 16 * 64 * 4);
    rows<<<8, 32>>>(p, p + 64 * 3 + 32, 8, 32, 64);
}
// CHECK: b_later_rows rows {{.*}}: violated, TC4001 proved, TC4002 violated
void b_later_rows()
{
    float *p;
    cudaMalloc(&p, 16 * 64 * 4);
    rows<<<8, 32>>>(p, p + 64 * 3 + 31, 8, 32, 64);
}
// CHECK: b_row_before rows {{.*}}: violated, TC4001 proved, TC4002 violated
void b_row_before()
{
    float *p;
    cudaMalloc(&p, 16 * 64 * 4);
    rows<<<8, 32>>>(p + 64, p, 8, 32, 64);
}
// All rows of the one lie behind those of the other.
// CHECK: g_behind rows {{.*}}: proved
void g_behind()
{
    float *p;
    cudaMalloc(&p, 16 * 64 * 4);
    rows<<<8, 32>>>(p, p + 64 * 8, 8, 32, 64);
}
// The end of a row and the beginning of the next one.
// CHECK: open_around rows {{.*}} TC4002 run-time
void open_around()
{
    float *p;
    cudaMalloc(&p, 16 * 64 * 4);
    rows<<<8, 32>>>(p, p + 33, 8, 32, 64);
}
// CHECK: g_halves_of_any rows {{.*}}: proved
void g_halves_of_any(int w, int h)
{
    if (w < 2 || w > 1000 || h < 2 || h > 1000)
        return;
    float *p;
    cudaMalloc(&p, w * h * 4);
    rows<<<h, 32>>>(p, p + w / 2, h, w / 2, w);
}
// An odd width, and one column too many.
// CHECK: open_halves_of_any rows {{.*}} TC4001 proved, TC4002 run-time
void open_halves_of_any(int w, int h)
{
    if (w < 2 || w > 1000 || h < 2 || h > 1000)
        return;
    float *p;
    cudaMalloc(&p, w * (h + 1) * 4);
    rows<<<h, 32>>>(p, p + w / 2, h, (w + 1) / 2, w);
}
// CHECK: b_halves_of_any rows {{.*}}: violated, TC4001 proved, TC4002 violated
void b_halves_of_any(int w, int h)
{
    if (w < 2 || w > 1000 || h < 2 || h > 1000)
        return;
    float *p;
    cudaMalloc(&p, w * (h + 1) * 4);
    rows<<<h, 32>>>(p, p + w / 2, h, w / 2 + 1, w);
}
// CHECK: b_same rows {{.*}} TC4002 violated
void b_same(float *p) { rows<<<8, 32>>>(p, p, 8, 32, 64); }

// ---- interleaved ----

// CHECK: g_interleaved swapped {{.*}}: proved
void g_interleaved()
{
    int *y;
    cudaMalloc(&y, 8000);
    swapped<<<4, 256>>>(y, y + 1, 1000);
}
// CHECK: g_interleaved_later swapped {{.*}}: proved
void g_interleaved_later()
{
    int *y;
    cudaMalloc(&y, 16000);
    swapped<<<4, 256>>>(y, y + 7, 1000);
}
// CHECK: b_interleaved swapped {{.*}}: violated, TC4001 proved, TC4002 violated
void b_interleaved()
{
    int *y;
    cudaMalloc(&y, 16000);
    swapped<<<4, 256>>>(y, y + 2, 1000);
}
// CHECK: open_interleaved swapped {{.*}} TC4002 run-time
void open_interleaved(int k)
{
    int *y;
    cudaMalloc(&y, 16000);
    if (k >= 0 && k < 100)
        swapped<<<4, 256>>>(y, y + k, 1000);
}
// CHECK: g_odd swapped {{.*}} TC4002 proved
void g_odd(int k)
{
    int *y;
    cudaMalloc(&y, 16000);
    if (k >= 0 && k < 100)
        swapped<<<4, 256>>>(y, y + 2 * k + 1, 1000);
}

// ---- two strides ----

tc_block(32) tc_grid(1)
__global__ void mixed(tc_mut tc_shape(32) tc_stride(4) float *y, tc_shared tc_shape(16, 2) tc_stride(8, 4) const float *x,
                      tc_shared tc_shape(64) tc_stride(2) const float *z)
{
    y[4 * threadIdx.x] = x[0] + z[2 * threadIdx.x];
}
// CHECK: g_mixed mixed {{.*}}: proved
void g_mixed()
{
    float *p;
    cudaMalloc(&p, 1024);
    mixed<<<1, 32>>>(p, p + 2, p + 1);
}
// CHECK: open_mixed mixed {{.*}} TC4002 run-time
void open_mixed()
{
    float *p;
    cudaMalloc(&p, 1024);
    mixed<<<1, 32>>>(p, p + 1, p + 2);
}
