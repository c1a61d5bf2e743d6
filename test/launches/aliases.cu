// One buffer under two borrows.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void sum(tc_mut tc_shape(n) tc_tile(256) float *y, tc_shared tc_shape(n) const float *a,
                    tc_shared tc_shape(n) const float *b, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = a[i] + b[i];
}

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void relu(tc_mut tc_shape(n) tc_tile(256) tc_inplace(x) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

// Shared with shared.
void g_shared_twice(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *y;
    cudaMalloc(&y, n * sizeof(float));
    sum<<<(n + 255) / 256, 256>>>(y, x, x, n);
}
// CHECK: g_shared_twice sum {{.*}} TC4001 proved, TC4002 proved

void b_twice(float *x, float *b, int n)
{
    sum<<<(n + 255) / 256, 256>>>(x, x, b, n);
}
// CHECK: b_twice sum {{.*}}: violated, TC4001 run-time, TC4002 violated

// Whether two parameters are one buffer is the caller's.
void open_parameters(float *x, float *a, float *b, int n)
{
    sum<<<(n + 255) / 256, 256>>>(x, a, b, n);
}
// CHECK: open_parameters sum {{.*}} TC4002 run-time

// Two names.
void b_two_names(float *x, float *b, int n)
{
    const float *in = x;
    float *out = x;
    sum<<<(n + 255) / 256, 256>>>(out, b, in, n);
}
// CHECK: b_two_names sum {{.*}} TC4002 violated

// On one of two ways.
void open_one_way(float *x, float *b, int n, bool again)
{
    float *y;
    cudaMalloc(&y, (size_t)n * 4);
    sum<<<(n + 255) / 256, 256>>>(again ? x : y, x, b, n);
}
// CHECK: open_one_way sum {{.*}} TC4002 run-time

// Halves of one buffer, and parts that overlap.
void g_halves(int n)
{
    if (n < 1 || n > 1 << 24)
        return;
    float *p;
    cudaMalloc(&p, 3 * (size_t)n * sizeof(float));
    sum<<<(n + 255) / 256, 256>>>(p, p + n, p + 2 * n, n);
}
// CHECK: g_halves sum {{.*}}: proved
void b_overlap(int n)
{
    if (n < 2 || n > 1 << 24)
        return;
    float *p;
    cudaMalloc(&p, 3 * (size_t)n * sizeof(float));
    sum<<<(n + 255) / 256, 256>>>(p, p + n - 1, p + 2 * n, n);
}
// CHECK: b_overlap sum {{.*}} TC4002 violated
void open_overlap(int n, int d)
{
    if (n < 1 || n > 1 << 24 || d < 0 || d > n)
        return;
    float *p;
    cudaMalloc(&p, 3 * (size_t)n * sizeof(float));
    sum<<<(n + 255) / 256, 256>>>(p, p + d, p + 2 * n, n);
}
// CHECK: open_overlap sum {{.*}} TC4002 run-time

// In place: the very buffer, but no part of it.
void g_in_place(int n)
{
    if (n < 1 || n > 1 << 24)
        return;
    float *p;
    cudaMalloc(&p, (size_t)n * sizeof(float));
    relu<<<(n + 255) / 256, 256>>>(p, p, n);
}
// CHECK: g_in_place relu {{.*}}: proved
void b_in_place(int n)
{
    if (n < 2 || n > 1 << 24)
        return;
    float *p;
    cudaMalloc(&p, (size_t)(n + 1) * sizeof(float));
    relu<<<(n + 255) / 256, 256>>>(p + 1, p, n);
}
// CHECK: b_in_place relu {{.*}} TC4002 violated

// In place of what is in place: all of them may be one.
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void chain(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(256) tc_inplace(x) float *y,
                      tc_mut tc_shape(n) tc_tile(256) tc_inplace(y) float *z, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        z[i] = y[i] = x[i];
}
void g_chain(int n)
{
    if (n < 1 || n > 1 << 24)
        return;
    float *p, *q;
    cudaMalloc(&p, (size_t)n * sizeof(float));
    cudaMalloc(&q, (size_t)n * sizeof(float));
    chain<<<(n + 255) / 256, 256>>>(p, q, p, n);
}
// CHECK: g_chain chain {{.*}}: proved
void b_chain(int n)
{
    if (n < 2 || n > 1 << 24)
        return;
    float *p;
    cudaMalloc(&p, (size_t)(n + 1) * sizeof(float));
    chain<<<(n + 255) / 256, 256>>>(p, p, p + 1, n);
}
// CHECK: b_chain chain {{.*}} TC4002 violated

// Two allocations of one line are two where each is a call of its own, and nothing is known of those of a loop.
static float *make(size_t n)
{
    float *p;
    cudaMalloc(&p, n * sizeof(float));
    return p;
}
void g_made_twice(int n)
{
    if (n < 1 || n > 1 << 24)
        return;
    float *y = make(n), *a = make(n), *b = make(n);
    sum<<<(n + 255) / 256, 256>>>(y, a, b, n);
}
// CHECK: g_made_twice sum {{.*}}: proved
void open_made_in_loop(int n, int k)
{
    if (n < 1 || n > 1 << 24)
        return;
    float *y = make(n), *last = make(n);
    for (int i = 0; i < k; i++) {
        float *t = make(n);
        sum<<<(n + 255) / 256, 256>>>(t, last, y, n);
        last = t;
    }
}
// CHECK: open_made_in_loop sum {{.*}} TC4002 run-time

// What an unknown function gives is itself.
float *workspace(int);
void b_result(float *b, int n)
{
    float *w = workspace(n);
    sum<<<(n + 255) / 256, 256>>>(w, w, b, n);
}
// CHECK: b_result sum {{.*}} TC4002 violated
void open_results(float *b, int n)
{
    sum<<<(n + 255) / 256, 256>>>(workspace(n), workspace(n), b, n);
}
// CHECK: open_results sum {{.*}} TC4002 run-time
// It may give what it was given.
float *same(float *);
void open_handed_back(float *b, int n)
{
    float *p = make(n);
    sum<<<(n + 255) / 256, 256>>>(p, same(p), b, n);
}
// CHECK: open_handed_back sum {{.*}} TC4002 run-time
