// Buffers whose size is seen: cudaMalloc and its kin, arrays, sizeof mistakes, strides, offsets, null.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 28)
__global__ void copy(tc_mut tc_shape(n) tc_tile(256) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

tc_block(32, 8) tc_grid(tc_cdiv(w, 32), tc_cdiv(h, 8)) tc_requires(w >= 1 && h >= 1 && w <= ld && ld <= 1 << 14 && h <= 1 << 14)
__global__ void clear(tc_mut tc_shape(h, w) tc_stride(ld, 1) tc_tile(8, 32) float *x, int w, int h, int ld)
{
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    if (i < w && j < h)
        x[j * ld + i] = 0.0f;
}

tc_block(32) tc_grid(1)
__global__ void add(tc_mut tc_shape(32) float *x, tc_shared tc_optional tc_shape(32) const float *bias)
{
    if (bias)
        x[threadIdx.x] += bias[threadIdx.x];
}

void g_malloc(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *x, *y;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    copy<<<(n + 255) / 256, 256>>>(y, x, n);
    cudaFree(x);
    cudaFree(y);
}
// CHECK: g_malloc copy {{.*}}: proved, TC4001 proved, TC4002 proved, TC4003 proved

// Elements, not bytes.
void b_sizeof(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *x, *y;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n);
    copy<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: b_sizeof copy {{.*}}: violated, TC4001 proved, TC4002 proved, TC4003 violated

// The size of the pointer.
void b_sizeof_pointer()
{
    float *x, *y;
    cudaMalloc(&x, 1000 * sizeof(float));
    cudaMalloc(&y, sizeof y);
    copy<<<4, 256>>>(y, x, 1000);
}
// CHECK: b_sizeof_pointer copy {{.*}} TC4003 violated

void g_checked(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *x = nullptr, *y = nullptr;
    size_t bytes = (size_t)n * sizeof *x;
    if (cudaMallocManaged(&x, bytes) != cudaSuccess || cudaMallocAsync(&y, bytes, 0) != cudaSuccess)
        return;
    copy<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: g_checked copy {{.*}}: proved

// Two buffers of different sizes, and the arguments in the wrong order.
void g_order(int n)
{
    if (n < 1 || n > 1 << 26)
        return;
    float *large, *small;
    cudaMalloc((void **)&large, 2 * (size_t)n * sizeof(float));
    cudaMalloc((void **)&small, (size_t)n * sizeof(float));
    copy<<<(n + 255) / 256, 256>>>(small, large, n);
}
// CHECK: g_order copy {{.*}}: proved
void b_order(int n)
{
    if (n < 1 || n > 1 << 26)
        return;
    float *large, *small;
    cudaMalloc((void **)&large, 2 * (size_t)n * sizeof(float));
    cudaMalloc((void **)&small, (size_t)n * sizeof(float));
    copy<<<(2 * n + 255) / 256, 256>>>(small, large, 2 * n);
}
// CHECK: b_order copy {{.*}} TC4003 violated

// The product of two ints may be more than an int holds; as a size_t it is not.
void g_wide(int rows, int cols)
{
    if (rows < 1 || cols < 1 || rows > 1 << 14 || cols > 1 << 14)
        return;
    float *x, *y;
    cudaMalloc(&x, (size_t)rows * cols * 4);
    cudaMalloc(&y, (size_t)rows * cols * 4);
    copy<<<(rows * cols + 255) / 256, 256>>>(y, x, rows * cols);
}
// CHECK: g_wide copy {{.*}}: proved
void open_int_bytes(int rows, int cols)
{
    if (rows < 1 || cols < 1 || rows > 1 << 14 || cols > 1 << 14)
        return;
    int bytes = rows * cols * 16;
    float *x, *y;
    cudaMalloc(&x, (size_t)rows * cols * 4);
    cudaMalloc(&y, bytes);
    copy<<<(rows * cols + 255) / 256, 256>>>(y, x, rows * cols);
}
// CHECK: open_int_bytes copy {{.*}} TC4001 proved, TC4002 proved, TC4003 run-time

// 32 bits of a byte count.
void open_unsigned_bytes(unsigned n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *x, *y;
    cudaMalloc(&x, n * 4);
    cudaMalloc(&y, n * 16); // 2^28 * 16 is 0
    copy<<<(n + 255) / 256, 256>>>(y, x, (int)n);
}
// CHECK: open_unsigned_bytes copy {{.*}} TC4003 run-time

// A part of a buffer.
void g_part(int n)
{
    if (n < 1 || n > 1 << 26)
        return;
    float *x;
    cudaMalloc(&x, 2 * (size_t)n * sizeof(float));
    copy<<<(n + 255) / 256, 256>>>(x + n, x, n);
}
// CHECK: g_part copy {{.*}}: proved
void b_part(int n)
{
    if (n < 1 || n > 1 << 26)
        return;
    float *x, *y;
    cudaMalloc(&x, 2 * (size_t)n * sizeof(float));
    cudaMalloc(&y, (size_t)n * sizeof(float));
    copy<<<(n + 255) / 256, 256>>>(x + n + 1, y, n);
}
// CHECK: b_part copy {{.*}} TC4003 violated

// Rows with gaps.
void g_strided(int w, int h, int ld)
{
    if (w < 1 || h < 1 || w > ld || ld > 1 << 14 || h > 1 << 14)
        return;
    float *x;
    cudaMalloc(&x, ((size_t)(h - 1) * ld + w) * sizeof(float));
    clear<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, w, h, ld);
}
// CHECK: g_strided clear {{.*}}: proved
void open_strided(int w, int h, int ld)
{
    if (w < 1 || h < 1 || w > ld || ld > 1 << 14 || h > 1 << 14)
        return;
    float *x;
    cudaMalloc(&x, (size_t)h * w * sizeof(float)); // right for ld == w alone
    clear<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, w, h, ld);
}
// CHECK: open_strided clear {{.*}} TC4001 proved, TC4002 proved, TC4003 run-time
void b_strided()
{
    float *x;
    cudaMalloc(&x, 64 * 100 * sizeof(float));
    clear<<<dim3(4, 8), dim3(32, 8)>>>(x, 100, 64, 128);
}
// CHECK: b_strided clear {{.*}} TC4003 violated
void g_pitch(int w, int h)
{
    if (w < 1 || h < 1 || w > 1 << 10 || h > 1 << 10)
        return;
    float *x;
    size_t pitch;
    cudaMallocPitch(&x, &pitch, w * sizeof(float), h);
    if (pitch > 1 << 13)
        return;
    clear<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, w, h, (int)(pitch / sizeof(float)));
}
// CHECK: g_pitch clear {{.*}}: proved

void g_planes(int w, int h, int d)
{
    if (w < 1 || h < 1 || d < 1 || w > 1 << 10 || h > 1 << 6 || d > 1 << 6)
        return;
    cudaPitchedPtr x;
    cudaMalloc3D(&x, make_cudaExtent(w * sizeof(float), h, d));
    if (x.pitch > 1 << 13)
        return;
    clear<<<dim3((w + 31) / 32, (h * d + 7) / 8), dim3(32, 8)>>>((float *)x.ptr, w, h * d, (int)(x.pitch / sizeof(float)));
}
// CHECK: g_planes clear {{.*}} TC4001 proved, TC4002 proved, TC4003 proved
void open_planes(int w, int h, int d)
{
    if (w < 1 || h < 1 || d < 1 || w > 1 << 10 || h > 1 << 6 || d > 1 << 6)
        return;
    cudaPitchedPtr x;
    cudaMalloc3D(&x, make_cudaExtent(w, h, d)); // elements, not bytes
    if (x.pitch > 1 << 13 || x.pitch < w * sizeof(float) / 2)
        return;
    clear<<<dim3((w + 31) / 32, (h * d + 7) / 8), dim3(32, 8)>>>((float *)x.ptr, w, h * d, w);
}
// CHECK: open_planes clear {{.*}} TC4003 run-time

// A pool's, and another process's.
void g_pool()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    float *x;
    if (cudaMemPoolCreate(&pool, &props) != cudaSuccess || cudaMallocFromPoolAsync(&x, 32 * sizeof(float), pool, 0) != cudaSuccess)
        return;
    add<<<1, 32>>>(x, nullptr);
    cudaFreeAsync(x, 0);
    cudaMemPoolDestroy(pool);
}
// CHECK: g_pool add {{.*}}: proved
void b_pool(cudaMemPool_t pool)
{
    float *x;
    cudaMallocAsync(&x, 31 * sizeof(float), pool, 0);
    add<<<1, 32>>>(x, nullptr);
}
// CHECK: b_pool add {{.*}} TC4003 violated
void open_shared(cudaIpcMemHandle_t handle)
{
    void *x;
    cudaIpcOpenMemHandle(&x, handle, cudaIpcMemLazyEnablePeerAccess);
    add<<<1, 32>>>((float *)x, nullptr);
    cudaIpcCloseMemHandle(x);
}
// CHECK: open_shared add {{.*}} TC4003 run-time

// Null.
void b_null(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *y;
    cudaMalloc(&y, n * sizeof(float));
    copy<<<(n + 255) / 256, 256>>>(y, nullptr, n);
}
// CHECK: b_null copy {{.*}} TC4003 violated
void g_null_optional()
{
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));
    add<<<1, 32>>>(x, nullptr);
}
// CHECK: g_null_optional add {{.*}}: proved
void b_null_mut()
{
    float *b;
    cudaMalloc(&b, 32 * sizeof(float));
    add<<<1, 32>>>(NULL, b);
}
// CHECK: b_null_mut add {{.*}} TC4003 violated

// Arrays of the program.
static __managed__ float table[32];
static float host_table[16];
void b_array()
{
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));
    add<<<1, 32>>>(x, host_table);
}
// CHECK: b_array add {{.*}} TC4003 violated
void g_two_arrays()
{
    float *b;
    cudaMallocHost(&b, sizeof table);
    add<<<1, 32>>>(table, b);
}
// CHECK: g_two_arrays add {{.*}}: proved

// Alignment, and what is stored.
tc_block(32) tc_grid(1)
__global__ void quads(tc_mut tc_shape(128) tc_align(16) float *x, tc_shared tc_shape(32) const float *v)
{
    *(float4 *)&x[4 * threadIdx.x] = make_float4(v[threadIdx.x], 0, 0, 0);
}
void g_aligned()
{
    float *x, *v;
    cudaMalloc(&x, 160 * sizeof(float));
    cudaMalloc(&v, 160 * sizeof(float));
    quads<<<1, 32>>>(x + 4, v + 1);
}
// CHECK: g_aligned quads {{.*}}: proved
void b_aligned()
{
    float *x, *v;
    cudaMalloc(&x, 160 * sizeof(float));
    cudaMalloc(&v, 160 * sizeof(float));
    quads<<<1, 32>>>(x + 1, v);
}
// CHECK: b_aligned quads {{.*}}: violated, TC4001 violated
void open_aligned(float *x)
{
    float *v;
    cudaMalloc(&v, 160 * sizeof(float));
    quads<<<1, 32>>>(x, v);
}
// CHECK: open_aligned quads {{.*}}: run-time, TC4001 run-time

tc_block(32) tc_grid(1)
__global__ void pick(tc_mut tc_shape(32) float *x, tc_shared tc_shape(32) tc_range(0, 32) const int *index, tc_shared tc_shape(32) const float *v)
{
    x[threadIdx.x] = v[index[threadIdx.x]];
}
void open_stored()
{
    float *x, *v;
    int *index;
    cudaMalloc(&x, 128);
    cudaMalloc(&v, 128);
    cudaMalloc(&index, 128);
    pick<<<1, 32>>>(x, index, v);
}
// CHECK: open_stored pick {{.*}}: run-time, TC4001 run-time, TC4002 proved, TC4003 proved

// A contract that calls a function of the device cannot be read here; one of both can.
__device__ int device_blocks(int n) { return (n + 255) / 256; }
__host__ __device__ inline int both_blocks(int n) { return (n + 255) / 256; }
tc_block(256) tc_grid(device_blocks(n)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void by_device(tc_mut tc_shape(n) tc_tile(256) float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] = 0.0f;
}
tc_block(256) tc_grid(both_blocks(n)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void by_both(tc_mut tc_shape(n) tc_tile(256) float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] = 0.0f;
}
void functions()
{
    float *x;
    cudaMalloc(&x, 1000 * sizeof(float));
    by_device<<<4, 256>>>(x, 1000);
    by_both<<<4, 256>>>(x, 1000);
    by_both<<<3, 256>>>(x, 1000);
}
// CHECK: functions by_device {{.*}}: run-time
// CHECK: functions by_both {{.*}}: proved
// CHECK: functions by_both {{.*}}: violated

// CHECK: error: {{.*}} the buffer has n bytes, and 'copy' needs n * 4 bytes for 'y' [TC4003]
// CHECK: error: {{.*}} a null pointer is passed for 'x' [TC4003]
