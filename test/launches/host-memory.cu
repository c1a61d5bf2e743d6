// Memory of the host that no call has made a device reach: left to the run time, whatever its size. b_: near misses.
// RUN: %exits 0 %launches %s --texts | FileCheck %s
#include <tilecheck.h>
#include <cstdlib>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void fill(tc_mut tc_shape(n) tc_tile(256) float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}
static bool is_size(int n) { return n >= 1 && n <= 1 << 20; }
static void launch(float *y, int n) { fill<<<(n + 255) / 256, 256>>>(y, n); }

// CHECK: b_swapped fill {{.*}}: run-time, TC4001 proved, TC4002 proved, TC4003 run-time
// CHECK-NEXT: TC4003: {{.*}}memory of the host, by malloc, {{.*}}; 'd' was filled from it before
void b_swapped(int n)
{
    if (!is_size(n))
        return;
    float *h = (float *)malloc(n * sizeof(float)), *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    launch(h, n);
}
// CHECK: g_swapped fill {{.*}}: proved
void g_swapped(int n)
{
    if (!is_size(n))
        return;
    float *h = (float *)malloc(n * sizeof(float)), *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    launch(d, n);
    free(h);
}

// CHECK: b_by_wrapper fill {{.*}}: run-time
// CHECK-NEXT: TC4003: {{.*}}; the buffer of line [[@LINE+4]] was filled from it before
static float *make(size_t n)
{
    float *p;
    cudaMalloc(&p, n * sizeof(float));
    return p;
}
void b_by_wrapper(int n)
{
    if (!is_size(n))
        return;
    float *h = new float[n], *d = make(n);
    cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, 0);
    launch(h, n);
}

// CHECK: b_calloc fill {{.*}}: run-time
// CHECK-NEXT: TC4003: {{.*}}memory of the host, by calloc
void b_calloc(int n)
{
    if (is_size(n))
        launch((float *)calloc(n, sizeof(float)), n);
}

// CHECK: b_stack fill {{.*}}: run-time
// CHECK-NEXT: TC4003: {{.*}}'h' is memory of the host, on its stack
void b_stack()
{
    float h[100];
    launch(h, 100);
}
// CHECK: b_returned fill {{.*}}: run-time
static float *returned()
{
    float a[100];
    float *p = a;
    return p;
}
void b_returned() { launch(returned(), 100); }
// CHECK: b_member fill {{.*}}: run-time
void b_member()
{
    struct { float a[10], b[10]; } s;
    launch(s.a, 11);
}

// Variables of the file.
static float table[100];
__device__ float on_device[100];
static __constant__ float constants[100];
__managed__ float managed[100];
// CHECK: b_static fill {{.*}}: run-time
// CHECK-NEXT: TC4003: {{.*}}'table' is memory of the host, a variable
void b_static() { launch(table, 100); }
// CHECK: b_symbol fill {{.*}}: run-time
// CHECK-NEXT: TC4003: {{.*}}'on_device' is memory of the host here, {{.*}}cudaGetSymbolAddress
void b_symbol() { launch(on_device, 100); }
// CHECK: b_constant fill {{.*}}: run-time
void b_constant() { launch(constants, 100); }
// CHECK: g_managed fill {{.*}}: proved
void g_managed() { launch(managed, 100); }
// CHECK: b_managed_too_small fill {{.*}}: run-time
void b_managed_too_small(int n)
{
    if (is_size(n))
        launch(managed, n);
}

// What is allocated for both.
// CHECK: g_pinned fill {{.*}}: proved
// CHECK: g_pinned fill {{.*}}: proved
// CHECK: g_pinned fill {{.*}}: proved
void g_pinned(int n)
{
    if (!is_size(n))
        return;
    float *a, *b, *c;
    cudaMallocHost(&a, n * sizeof(float));
    cudaHostAlloc((void **)&b, n * sizeof(float), 0);
    cudaMallocManaged(&c, n * sizeof(float));
    launch(a, n);
    launch(b, n);
    launch(c, n);
}

// CHECK: g_registered fill {{.*}}: proved
void g_registered(int n)
{
    if (!is_size(n))
        return;
    float *h = (float *)malloc(n * sizeof(float));
    cudaHostRegister(h, n * sizeof(float), 0);
    launch(h, n);
    cudaHostUnregister(h);
}
// CHECK: g_registered_table fill {{.*}}: proved
void g_registered_table()
{
    cudaHostRegister(table, sizeof table, 0);
    launch(table, 100);
}
// CHECK: b_a_part fill {{.*}}: run-time
void b_a_part()
{
    cudaHostRegister(table, 50 * sizeof(float), 0);
    launch(table, 100);
}
// CHECK: b_sometimes fill {{.*}}: run-time
void b_sometimes(bool pin)
{
    if (pin)
        cudaHostRegister(table, sizeof table, 0);
    launch(table, 100);
}
// CHECK: b_unregistered fill {{.*}}: run-time
void b_unregistered()
{
    cudaHostRegister(table, sizeof table, 0);
    cudaHostUnregister(table);
    launch(table, 100);
}
// CHECK: b_too_late fill {{.*}}: run-time
void b_too_late()
{
    launch(table, 100);
    cudaHostRegister(table, sizeof table, 0);
}
// CHECK: b_behind_in_a_loop fill {{.*}}: run-time
void b_behind_in_a_loop(int turns)
{
    for (int t = 0; t < turns; t++) {
        launch(table, 100);
        cudaHostRegister(table, sizeof table, 0);
    }
}
// CHECK: b_unregistered_in_a_loop fill {{.*}}: run-time
void b_unregistered_in_a_loop(int turns)
{
    cudaHostRegister(table, sizeof table, 0);
    for (int t = 0; t < turns; t++) {
        launch(table, 100);
        cudaHostUnregister(table);
    }
}
// CHECK: g_in_a_loop fill {{.*}}: proved
void g_in_a_loop(int turns)
{
    cudaHostRegister(table, sizeof table, 0);
    for (int t = 0; t < turns; t++)
        launch(table, 100);
}
// CHECK: b_another fill {{.*}}: run-time
static float other[100];
void b_another()
{
    cudaHostRegister(other, sizeof other, 0);
    launch(table, 100);
}

// A shape is not asked about: that there is memory is.
tc_block(32) tc_grid(1)
__global__ void first(tc_mut float *y)
{
    if (threadIdx.x == 0)
        y[0] = 1;
}
// CHECK: b_no_shape first {{.*}}: run-time
void b_no_shape() { first<<<1, 32>>>(table); }
