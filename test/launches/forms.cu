// The forms of a launch: wrappers, templates, macros, the runtime's calls, clusters, shared memory, methods, lambdas, loops.
// RUN: %exits 2 %launches %s --standin > %t.out && FileCheck %s < %t.out
// RUN: %if cuda %{ %exits 2 %launches %s --cuda-path=%cuda > %t.toolkit && grep -v "^tilecheck: " %t.out > %t.a && grep -v "^tilecheck: " %t.toolkit > %t.b && cmp %t.a %t.b %}
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 28)
__global__ void scale(tc_mut tc_shape(n) tc_tile(256) float *x, float by, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

template <class T, int B> tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n <= 1 << 28 && B >= 32 && B <= 1024)
__global__ void set(tc_mut tc_shape(n) tc_tile(B) T *x, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n)
        x[i] = T(0);
}

// ---- wrappers ----

static void launch_scale(float *x, float by, int n, int threads, cudaStream_t s)
{
    if (n > 0)
        scale<<<(n + threads - 1) / threads, threads, 0, s>>>(x, by, n);
}
void g_wrapper(float *x, int n)
{
    if (n <= 1 << 28)
        launch_scale(x, 2.0f, n, 256, 0);
}
// CHECK-DAG: g_wrapper scale {{.*}}: run-time, TC4001 proved
void b_wrapper(float *x, int n)
{
    if (n <= 1 << 28)
        launch_scale(x, 2.0f, n, 128, 0);
}
// CHECK-DAG: b_wrapper scale {{.*}}: violated, TC4001 violated

template <class T, int B> void launch_set(T *x, int n)
{
    set<T, B><<<(n + B - 1) / B, B>>>(x, n);
}
void g_template(float *x, double *y, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    launch_set<float, 128>(x, n);
    launch_set<double, 64>(y, n);
}
// CHECK-DAG: g_template set<float, 128> {{.*}} TC4001 proved
// CHECK-DAG: g_template set<double, 64> {{.*}} TC4001 proved
template <class T, int B> void launch_set_with(T *x, int n, int block)
{
    set<T, B><<<(n + block - 1) / block, block>>>(x, n);
}
void b_template(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    launch_set_with<float, 512>(x, n, 256);
}
// CHECK-DAG: b_template set<float, 512> {{.*}} violated, TC4001 violated

#define CUDA_CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e_)); abort(); } } while (0)
#define LAUNCH(kernel, n, block, ...) do { kernel<<<((n) + (block) - 1) / (block), block>>>(__VA_ARGS__); CUDA_CHECK(cudaGetLastError()); } while (0)
void g_macro(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *x;
    CUDA_CHECK(cudaMalloc(&x, n * sizeof(float)));
    LAUNCH(scale, n, 256, x, 1.0f, n);
    CUDA_CHECK(cudaFree(x));
}
// CHECK-DAG: g_macro scale {{.*}}: proved, TC4001 proved
void b_macro(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float *x;
    CUDA_CHECK(cudaMalloc(&x, n * sizeof(float)));
    LAUNCH(scale, n, 512, x, 1.0f, n);
}
// CHECK-DAG: b_macro scale {{.*}} violated, TC4001 violated

// ---- the runtime's calls ----

void g_launch_kernel(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float by = 2.0f;
    void *args[] = {&x, &by, &n};
    cudaLaunchKernel((const void *)scale, dim3((n + 255) / 256), dim3(256), args, 0, nullptr);
}
// CHECK-DAG: g_launch_kernel scale {{.*}} TC4001 proved
void b_launch_kernel(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    float by = 2.0f;
    int m = n + 256;
    void *args[] = {&x, &by, &m};
    cudaLaunchKernel((const void *)scale, dim3((n + 255) / 256), dim3(256), args, 0, nullptr);
}
// CHECK-DAG: b_launch_kernel scale {{.*}} TC4001 violated

void g_cooperative(float *x)
{
    int n = 1024;
    float by = 2.0f;
    void *args[] = {&x, &by, &n};
    cudaLaunchCooperativeKernel((void *)scale, dim3(4), dim3(256), args, 0, 0);
}
// CHECK-DAG: g_cooperative scale {{.*}} TC4001 proved
void b_cooperative(float *x)
{
    int n = 1025;
    float by = 2.0f;
    void *args[] = {&x, &by, &n};
    cudaLaunchCooperativeKernel((void *)scale, dim3(4), dim3(256), args, 0, 0);
}
// CHECK-DAG: b_cooperative scale {{.*}} TC4001 violated

void g_config(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((n + 255) / 256);
    config.blockDim = 256;
    cudaLaunchKernelEx(&config, scale, x, 2.0f, n);
}
// CHECK-DAG: g_config scale {{.*}} TC4001 proved
void b_config(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3((n + 255) / 256);
    config.gridDim = 256; // the wrong way round
    cudaLaunchKernelEx(&config, scale, x, 2.0f, n);
}
// CHECK-DAG: b_config scale {{.*}} TC4001 run-time

// Clusters, by attributes of the launch.
tc_block(64) tc_grid(8) tc_cluster(2) __global__ void pairs(tc_mut tc_shape(512) tc_tile(64) float *x)
{
    x[blockIdx.x * 64 + threadIdx.x] = 0.0f;
}
static void launch_pairs(float *x, unsigned size, unsigned count)
{
    cudaLaunchAttribute attrs[1];
    attrs[0].id = cudaLaunchAttributeClusterDimension;
    attrs[0].val.clusterDim.x = size;
    attrs[0].val.clusterDim.y = 1;
    attrs[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 64;
    config.attrs = attrs;
    config.numAttrs = count;
    cudaLaunchKernelEx(&config, pairs, x);
}
void g_cluster(float *x) { launch_pairs(x, 2, 1); }
// CHECK-DAG: g_cluster pairs {{.*}} TC4001 proved
void b_cluster(float *x) { launch_pairs(x, 4, 1); }
// CHECK-DAG: b_cluster pairs {{.*}} TC4001 violated
void b_no_cluster(float *x) { pairs<<<8, 64>>>(x); }
// CHECK-DAG: b_no_cluster pairs {{.*}} TC4001 violated

// Dynamic shared memory.
tc_block(128) tc_grid(blocks) tc_smem(128 * sizeof(float))
__global__ void sums(tc_mut tc_shape(blocks) tc_tile(1) float *x, int blocks)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 1.0f;
    __syncthreads();
    if (threadIdx.x == 0)
        x[blockIdx.x] = s[0] + s[127];
}
void g_smem(float *x, int blocks)
{
    const int threads = 128;
    if (blocks > 0)
        sums<<<blocks, threads, threads * sizeof(float)>>>(x, blocks);
}
// CHECK-DAG: g_smem sums {{.*}} TC4001 proved
void b_smem(float *x, int blocks)
{
    const int threads = 128;
    if (blocks > 0)
        sums<<<blocks, threads, threads>>>(x, blocks);
}
// CHECK-DAG: b_smem sums {{.*}} TC4001 violated
void b_smem_forgotten(float *x, int blocks)
{
    if (blocks > 0)
        sums<<<blocks, 128>>>(x, blocks);
}
// CHECK-DAG: b_smem_forgotten sums {{.*}} TC4001 violated
tc_block(32) tc_grid(1) __global__ void large(tc_mut tc_shape(32) float *x)
{
    extern __shared__ float s[];
    x[threadIdx.x] = 0.0f;
}
void g_smem_limit(float *x) { large<<<1, 32, 227 * 1024>>>(x); }
// CHECK-DAG: g_smem_limit large {{.*}} TC4001 proved
void b_smem_limit(float *x) { large<<<1, 32, 228 * 1024>>>(x); }
// CHECK-DAG: b_smem_limit large {{.*}} TC4001 violated

// ---- classes, lambdas, structs ----

struct Op {
    int n_;
    float *x_;
    void run() const
    {
        if (n_ > 0 && n_ <= 1 << 28)
            scale<<<(n_ + 255) / 256, 256>>>(x_, 1.0f, n_);
    }
    void run_smaller() const
    {
        if (n_ > 0 && n_ <= 1 << 28)
            scale<<<n_ / 256, 256>>>(x_, 1.0f, n_);
    }
};
void g_method(Op *op) { op->run(); }
// CHECK-DAG: g_method scale {{.*}} TC4001 proved
void b_method(Op *op) { op->run_smaller(); }
// CHECK-DAG: b_method scale {{.*}} TC4001 run-time
void g_object(float *x)
{
    Op op = {1000, x};
    op.run();
}
// CHECK-DAG: g_object scale {{.*}} TC4001 proved
void b_object(float *x)
{
    Op op = {1000, x};
    op.run_smaller();
}
// CHECK-DAG: b_object scale {{.*}} TC4001 violated

void g_lambda(float *x, int n)
{
    auto go = [&](int threads) { scale<<<(n + threads - 1) / threads, threads>>>(x, 1.0f, n); };
    if (n > 0 && n <= 1 << 28)
        go(256);
}
// CHECK-DAG: g_lambda scale {{.*}} TC4001 proved
void b_lambda(float *x, int n)
{
    auto go = [&](int threads) { scale<<<(n + threads - 1) / threads, threads>>>(x, 1.0f, n); };
    if (n > 0 && n <= 1 << 28)
        go(64);
}
// CHECK-DAG: b_lambda scale {{.*}} TC4001 violated

struct Shape { int rows, cols; };
struct View { float *data; Shape shape; };
tc_block(256) tc_grid(tc_cdiv(v.shape.rows * v.shape.cols, 256)) tc_requires(v.shape.rows >= 0 && v.shape.cols >= 0 && v.shape.rows <= 1 << 12 && v.shape.cols <= 1 << 12)
tc_param(v.data, mut, shape(v.shape.rows * v.shape.cols), tile(256))
__global__ void negate(View v)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < v.shape.rows * v.shape.cols)
        v.data[i] = -v.data[i];
}
void g_struct(int rows, int cols)
{
    if (rows < 1 || cols < 1 || rows > 1 << 12 || cols > 1 << 12)
        return;
    View v = {nullptr, {rows, cols}};
    cudaMalloc(&v.data, (size_t)rows * cols * sizeof(float));
    negate<<<(rows * cols + 255) / 256, 256>>>(v);
}
// CHECK-DAG: g_struct negate {{.*}}: proved
void b_struct(int rows, int cols)
{
    if (rows < 1 || cols < 1 || rows > 1 << 12 || cols > 1 << 12)
        return;
    View v = {nullptr, {rows, cols}};
    cudaMalloc(&v.data, (size_t)rows * cols);
    negate<<<(rows * cols + 255) / 256, 256>>>(v);
}
// CHECK-DAG: b_struct negate {{.*}} TC4003 violated

// ---- loops, ways ----

void g_loop(float *x, int n, int steps)
{
    if (n < 1 || n > 1 << 28)
        return;
    for (int i = 0; i < steps; i++)
        scale<<<(n + 255) / 256, 256>>>(x, 1.0f, n);
}
// CHECK-DAG: g_loop scale {{.*}} TC4001 proved
void g_chunks(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    for (int at = 0; at < n; at += 4096) {
        int rest = n - at < 4096 ? n - at : 4096;
        scale<<<(rest + 255) / 256, 256>>>(x + at, 1.0f, rest);
    }
}
// CHECK-DAG: g_chunks scale {{.*}} TC4001 proved
void open_chunks(float *x, int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    for (int at = 0; at <= n; at += 4096) { // comes to a rest of 0
        int rest = n - at < 4096 ? n - at : 4096;
        scale<<<(rest + 255) / 256, 256>>>(x + at, 1.0f, rest);
    }
}
// CHECK-DAG: open_chunks scale {{.*}} TC4001 run-time
void b_loop(float *x, int n, int steps)
{
    if (n < 1 || n > 1 << 28)
        return;
    for (int i = 0; i < steps; i++)
        scale<<<(n + 255) / 256, 1024>>>(x, 1.0f, n);
}
// CHECK-DAG: b_loop scale {{.*}} TC4001 violated
void open_halves(float *x, int n)
{
    for (int m = n; m > 0; m /= 2)
        scale<<<(m + 255) / 256, 256>>>(x, 1.0f, m);
}
// CHECK-DAG: open_halves scale {{.*}} TC4001 run-time

void g_ways(float *x, int n, int kind)
{
    if (n < 1 || n > 1 << 28)
        return;
    int threads = 0;
    switch (kind) {
    case 0: threads = 256; break;
    case 1: threads = 128; break;
    default: return;
    }
    if (threads == 256)
        scale<<<(n + threads - 1) / threads, threads>>>(x, 1.0f, n);
    else
        set<float, 128><<<(n + threads - 1) / threads, threads>>>(x, n);
}
// CHECK-DAG: g_ways scale {{.*}} TC4001 proved
// CHECK-DAG: g_ways set<float, 128> {{.*}} TC4001 proved
void open_ways(float *x, int n, int kind)
{
    if (n < 1 || n > 1 << 28)
        return;
    int threads = kind == 0 ? 256 : 128;
    scale<<<(n + threads - 1) / threads, threads>>>(x, 1.0f, n);
}
// CHECK-DAG: open_ways scale {{.*}} TC4001 run-time

// A kernel of another file.
tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void elsewhere(tc_mut tc_shape(n) tc_tile(64) float *x, int n);
void g_declared(int n)
{
    if (n < 1 || n > 1 << 20)
        return;
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    elsewhere<<<(n + 63) / 64, 64>>>(x, n);
}
// CHECK-DAG: g_declared elsewhere {{.*}}: proved
void b_declared(int n)
{
    if (n < 1 || n > 1 << 20)
        return;
    float *x;
    cudaMalloc(&x, n);
    elsewhere<<<(n + 63) / 64, 64>>>(x, n);
}
// CHECK-DAG: b_declared elsewhere {{.*}} TC4003 violated

// Through a pointer, and where the way to the launch is not followed.
void b_pointer(float *x, bool again)
{
    auto kernel = again ? scale : scale;
    kernel<<<4, 128>>>(x, 1.0f, 1000);
}
// CHECK-DAG: b_pointer scale {{.*}} TC4001 violated
void open_irreducible(float *x, int n, bool first)
{
    if (first)
        goto middle;
top:
    if (n <= 0)
        return;
middle:
    n--;
    scale<<<4, 128>>>(x, 1.0f, 1000);
    goto top;
}
// CHECK-DAG: open_irreducible scale {{.*}} TC4001 run-time

// CHECK-DAG: tilecheck: 8 kernels: 8 proved
// CHECK-DAG: needs rows * cols * 4 bytes for 'v.data'
// CHECK-DAG: tilecheck: 41 launches
