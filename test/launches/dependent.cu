// Programmatic dependent launch: which kernels wait for those before them, and which launches ask that of them.
// RUN: %exits 0 %tilecheck --standin --contracts=%t.contracts %s > %t.told 2>&1 && FileCheck %s --check-prefix=TOLD < %t.told
// RUN: %tilecheck contracts %t.contracts > %t.text && FileCheck %s --check-prefix=KERNELS < %t.text
// RUN: %exits 0 %launches %s --standin > %t.out && FileCheck %s < %t.out
// RUN: %if cuda %{ %exits 0 %launches %s --cuda-path=%cuda > %t.toolkit && grep -v "^tilecheck: " %t.out > %t.a && grep -v "^tilecheck: " %t.toolkit > %t.b && cmp %t.a %t.b %}
// Not checked for the device, no kernel is known to wait.
// RUN: rm -f %t.host.json && %clang --cuda-host-only -fplugin-arg-tilecheck-report=%t.host.json %s && FileCheck %s --check-prefix=HOST < %t.host.json
// HOST: 'waits' may begin before the kernels before it have ended, and is not shown to wait for them
#include <tilecheck.h>

#define KERNEL tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 28) __global__ void
#define IN tc_shared tc_shape(n) const float *
#define OUT tc_mut tc_shape(n) tc_tile(256) float *

__device__ inline int here() { return blockIdx.x * 256 + threadIdx.x; }
__device__ inline void wait() { cudaGridDependencySynchronize(); }

// ---- kernels ----

KERNEL waits(OUT y, IN x, int n)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    int i = here();
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}waits at
// KERNELS: waits for the kernels before it
// KERNELS-NOT: touched before

// An index is computed, and shared memory set, before the wait, which stands in a function of its own.
KERNEL prepares(OUT y, IN x, int n)
{
    __shared__ float s[256];
    s[threadIdx.x] = n > 5 ? 1.0f : 2.0f;
    int i = here();
    for (int k = 0; k < n % 7; ++k)
        s[threadIdx.x] += 1.0f;
    asm volatile("griddepcontrol.launch_dependents;");
    wait();
    if (i < n)
        y[i] = x[i] * s[threadIdx.x];
}
// KERNELS-LABEL: {{^}}prepares at
// KERNELS: waits for the kernels before it
// KERNELS-NOT: touched before

// Weights are read before the wait: that is said of them, and of them alone.
KERNEL weights_first(OUT y, IN x, IN w, int n)
{
    int i = here();
    float by = i < n ? w[i] : 0.0f;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (i < n)
        y[i] = x[i] * by;
}
// KERNELS-LABEL: {{^}}weights_first at
// KERNELS: waits for the kernels before it
// KERNELS: 'y': mut{{.*}}shape(n){{$}}
// KERNELS: 'x': shared{{.*}}shape(n){{$}}
// KERNELS: 'w': shared{{.*}}shape(n), touched before the wait

// A store before it.
KERNEL stores_first(OUT y, IN x, int n)
{
    int i = here();
    if (i < n)
        y[i] = 0.0f;
    cudaGridDependencySynchronize();
    if (i < n)
        y[i] += x[i];
}
// KERNELS-LABEL: {{^}}stores_first at
// KERNELS: waits for the kernels before it
// KERNELS: 'y': {{.*}}touched before the wait

// One branch waits and the other one does too.
KERNEL both_branches(OUT y, IN x, int n)
{
    int i = here();
    if (i >= n) {
        cudaGridDependencySynchronize();
        return;
    }
    cudaGridDependencySynchronize();
    y[i] = x[i];
}
// KERNELS-LABEL: {{^}}both_branches at
// KERNELS-NOT: waits for the kernels

// A thread that has nothing to do leaves: who waits for this kernel has not waited for the one before it.
KERNEL leaves_early(OUT y, IN x, int n)
{
    int i = here();
    if (i >= n)
        return;
    cudaGridDependencySynchronize();
    y[i] = x[i];
}
// KERNELS-LABEL: {{^}}leaves_early at
// KERNELS-NOT: waits for the kernels

KERNEL one_waits(OUT y, IN x, int n)
{
    int i = here();
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    __syncthreads();
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}one_waits at
// KERNELS-NOT: waits for the kernels

KERNEL in_loop(OUT y, IN x, int n)
{
    int i = here();
    for (int k = 0; k < n; ++k)
        cudaGridDependencySynchronize();
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}in_loop at
// KERNELS-NOT: waits for the kernels

// The compiler may move the load of x to the front of this one.
KERNEL no_clobber(OUT y, IN x, int n)
{
    int i = here();
    asm volatile("griddepcontrol.wait;");
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}no_clobber at
// KERNELS-NOT: waits for the kernels

KERNEL predicated(OUT y, IN x, int n)
{
    int i = here();
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, %1; @p griddepcontrol.wait; }" ::"r"(i), "r"(n) : "memory");
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}predicated at
// KERNELS-NOT: waits for the kernels

// The read-only cache: the compiler may move these loads too.
KERNEL read_only_cache(OUT y, IN x, tc_shared tc_shape(n) const float *__restrict__ r, int n)
{
    cudaGridDependencySynchronize();
    int i = here();
    if (i < n)
        y[i] = __ldg(&x[i]) + r[i];
}
// KERNELS-LABEL: {{^}}read_only_cache at
// KERNELS: waits for the kernels before it
// KERNELS: 'y': mut{{.*}}shape(n){{$}}
// KERNELS: 'x': shared{{.*}}touched before the wait
// KERNELS: 'r': shared{{.*}}touched before the wait

// A dead end that writes before it ends: before the wait in the text, and behind it.
KERNEL dies(OUT y, IN x, int n)
{
    int i = here();
    if (n == 77 && i < n) {
        y[i] = 1.0f;
        __trap();
    }
    cudaGridDependencySynchronize();
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}dies at
// KERNELS: 'y': {{.*}}touched before the wait
KERNEL dies_behind(OUT y, IN x, int n)
{
    int i = here();
    if (n != 77) {
        cudaGridDependencySynchronize();
        if (i < n)
            y[i] = x[i];
    } else {
        if (i < n)
            y[i] = 1.0f;
        __trap();
    }
}
// KERNELS-LABEL: {{^}}dies_behind at
// KERNELS-NOT: waits for the kernels

KERNEL exits(OUT y, IN x, int n)
{
    int i = here();
    if (i >= n)
        asm volatile("exit;");
    cudaGridDependencySynchronize();
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}exits at
// KERNELS-NOT: waits for the kernels

__device__ float total;
KERNEL touches_variable(OUT y, IN x, int n)
{
    float t = total;
    cudaGridDependencySynchronize();
    int i = here();
    if (i < n)
        y[i] = x[i] * t;
}
// KERNELS-LABEL: {{^}}touches_variable at
// KERNELS-NOT: waits for the kernels

KERNEL never(OUT y, IN x, int n)
{
    int i = here();
    if (i < n)
        y[i] = x[i];
}
// KERNELS-LABEL: {{^}}never at
// KERNELS-NOT: waits for the kernels

// ---- launches ----

template <class... P, class... A> static void launch(int n, int allowed, int count, void (*kernel)(P...), A... args)
{
    cudaLaunchAttribute attrs[1];
    attrs[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attrs[0].val.programmaticStreamSerializationAllowed = allowed;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((n + 255) / 256);
    config.blockDim = 256;
    config.attrs = attrs;
    config.numAttrs = count;
    cudaLaunchKernelEx(&config, kernel, args...);
}
#define SIZED             \
    if (n < 1 || n > 1 << 28) \
        return

void g_waits(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 1, 1, waits, y, x, n);
}
// CHECK-DAG: g_waits waits {{.*}} TC4001 proved
void g_prepares(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 1, 1, prepares, y, x, n);
}
// CHECK-DAG: g_prepares prepares {{.*}} TC4001 proved
void o_weights(float *y, const float *x, const float *w, int n)
{
    SIZED;
    launch(n, 1, 1, weights_first, y, x, w, n);
}
// CHECK-DAG: o_weights weights_first {{.*}} TC4001 run-time
// TOLD-NOT: warning{{.*}}'weights_first'
// TOLD: warning: a launch breaks a precondition: 'stores_first' may begin before the kernels before it have ended, and touches 'y' before it waits for them [TC4001]
void o_stores(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 1, 1, stores_first, y, x, n);
}
// CHECK-DAG: o_stores stores_first {{.*}} TC4001 run-time
// TOLD: warning: a launch breaks a precondition: 'leaves_early' may begin before the kernels before it have ended, and is not shown to wait for them
void o_leaves(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 1, 1, leaves_early, y, x, n);
}
// CHECK-DAG: o_leaves leaves_early {{.*}} TC4001 run-time
void o_never(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 1, 1, never, y, x, n);
}
// CHECK-DAG: o_never never {{.*}} TC4001 run-time
// Without the attribute, or where it allows nothing, and where there may be one.
void g_not_allowed(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 0, 1, never, y, x, n);
}
// CHECK-DAG: g_not_allowed never {{.*}} TC4001 proved
void g_none(float *y, const float *x, int n)
{
    SIZED;
    launch(n, 1, 0, never, y, x, n);
}
// CHECK-DAG: g_none never {{.*}} TC4001 proved
void o_perhaps(float *y, const float *x, int n, int allowed)
{
    SIZED;
    launch(n, allowed, 1, never, y, x, n);
}
// CHECK-DAG: o_perhaps never {{.*}} TC4001 run-time
void g_perhaps(float *y, const float *x, int n, int allowed)
{
    SIZED;
    launch(n, allowed, 1, waits, y, x, n);
}
// CHECK-DAG: g_perhaps waits {{.*}} TC4001 proved
