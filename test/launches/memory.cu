// What may change between where a size is known and where it is used. Each function but the first ones would be proved by somebody
// who forgot about it.
// RUN: %launches %s --device-only | FileCheck %s --check-prefix=NONE
// RUN: %launches %s | FileCheck %s
// NONE-NOT: scale line
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 28)
__global__ void scale(tc_mut tc_shape(n) tc_tile(256) float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] *= 2.0f;
}

void look(const int &), look_at(int *), poke();
extern int size_of_it;
int *where;

// Nobody else has the variable.
void g_local(float *x)
{
    int n = 1000;
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: g_local scale {{.*}} TC4001 proved
void g_runtime(float *x)
{
    int n = 1000, device;
    cudaGetDevice(&device);
    cudaStreamSynchronize(0);
    scale<<<4, 256>>>(x, n);
}
// CHECK: g_runtime scale {{.*}} TC4001 proved
void g_unchanged(float *x)
{
    int n = 1000;
    int *p = &n;
    scale<<<(*p + 255) / 256, 256>>>(x, *p);
}
// CHECK: g_unchanged scale {{.*}} TC4001 proved

void o_given(float *x)
{
    int n = 1000;
    look_at(&n);
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_given scale {{.*}} TC4001 run-time
void o_reference(float *x)
{
    int n = 1000;
    look(n);
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_reference scale {{.*}} TC4001 run-time
// It was kept, and is changed by a later call.
void o_kept(float *x)
{
    int n;
    look_at(&n);
    n = 1000;
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_kept scale {{.*}} TC4001 run-time
void o_kept_in_global(float *x)
{
    int n = 1000;
    where = &n;
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_kept_in_global scale {{.*}} TC4001 run-time
void o_stored_through(float *x, int **out)
{
    int n = 1000;
    *out = &n;
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_stored_through scale {{.*}} TC4001 run-time
// By way of another variable.
struct Box { int *p; };
void keep(Box *);
void o_in_struct(float *x)
{
    int n = 1000;
    Box b = {&n};
    keep(&b);
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_in_struct scale {{.*}} TC4001 run-time
void o_in_struct_later(float *x)
{
    int n = 1000;
    Box b;
    keep(&b);
    b.p = &n;
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_in_struct_later scale {{.*}} TC4001 run-time
void o_as_number(float *x)
{
    int n = 1000;
    extern unsigned long long kept;
    kept = (unsigned long long)&n;
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_as_number scale {{.*}} TC4001 run-time
void o_in_array(float *x, int k)
{
    int n = 1000;
    int *all[4] = {};
    all[k & 3] = &n;
    where = all[2];
    poke();
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_in_array scale {{.*}} TC4001 run-time

// In a loop the later call comes before the next launch.
void o_loop(float *x, int k)
{
    int n = 1000;
    for (int i = 0; i < k; i++) {
        scale<<<4, 256>>>(x, n);
        look_at(&n);
    }
}
// CHECK: o_loop scale {{.*}} TC4001 run-time

// Globals, and what parameters point to.
void o_global(float *x)
{
    size_of_it = 1000;
    poke();
    scale<<<4, 256>>>(x, size_of_it);
}
// CHECK: o_global scale {{.*}} TC4001 run-time
void g_global(float *x)
{
    size_of_it = 1000;
    scale<<<4, 256>>>(x, size_of_it);
}
// CHECK: g_global scale {{.*}} TC4001 proved
static int never_set = 1000;
void set_it(int n) { never_set = n; }
void o_initialised(float *x) { scale<<<4, 256>>>(x, never_set); }
// CHECK: o_initialised scale {{.*}} TC4001 run-time
static const int constant = 1000;
void g_constant(float *x)
{
    const int *p = &constant;
    scale<<<4, 256>>>(x, *p);
}
// CHECK: g_constant scale {{.*}} TC4001 proved
void o_alias(float *x, int *a, int *b)
{
    *a = 1000;
    *b = 2000;
    scale<<<4, 256>>>(x, *a);
}
// CHECK: o_alias scale {{.*}} TC4001 run-time
void g_alias(float *x, int *a, int *b)
{
    *b = 2000;
    *a = 1000;
    scale<<<4, 256>>>(x, *a);
}
// CHECK: g_alias scale {{.*}} TC4001 proved
void o_global_alias(float *x, int *a)
{
    size_of_it = 1000;
    *a = 2000;
    scale<<<4, 256>>>(x, size_of_it);
}
// CHECK: o_global_alias scale {{.*}} TC4001 run-time
struct Tensor { float *data; int n; };
void o_member(Tensor *t)
{
    if (t->n < 1 || t->n > 1 << 28)
        return;
    poke();
    scale<<<(t->n + 255) / 256, 256>>>(t->data, t->n);
}
// CHECK: o_member scale {{.*}} TC4001 run-time
void g_member(Tensor *t)
{
    if (t->n < 1 || t->n > 1 << 28)
        return;
    scale<<<(t->n + 255) / 256, 256>>>(t->data, t->n);
}
// CHECK: g_member scale {{.*}} TC4001 proved
void o_volatile(float *x, volatile int *n)
{
    if (*n == 1000)
        scale<<<4, 256>>>(x, *n);
}
// CHECK: o_volatile scale {{.*}} TC4001 run-time

// A copy that has not ended yet.
void o_copied_later(float *x, const int *device, cudaStream_t s)
{
    int n = 1000;
    cudaMemcpyAsync(&n, device, sizeof n, cudaMemcpyDeviceToHost, s);
    n = 1000;
    cudaStreamSynchronize(s);
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_copied_later scale {{.*}} TC4001 run-time
void o_copied(float *x, const int *device)
{
    int n = 1000;
    cudaMemcpy(&n, device, sizeof n, cudaMemcpyDeviceToHost);
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_copied scale {{.*}} TC4001 run-time

// A handler of an exception goes on from where nobody knows.
int may_throw();
void o_caught(float *x)
{
    int n = 2000;
    try {
        may_throw();
        n = 1000;
    } catch (...) {
    }
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_caught scale {{.*}} TC4001 run-time
void g_thrown(float *x, int n)
{
    if (n != 1000)
        throw n;
    scale<<<4, 256>>>(x, n);
}
// CHECK: g_thrown scale {{.*}} TC4001 proved

// Allocated by somebody else, or for another size.
void o_replaced(int n)
{
    if (n < 1 || n > 1 << 28)
        return;
    void replace(float **);
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    replace(&x);
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
// CHECK: o_replaced scale {{.*}} TC4001 proved, TC4002 proved, TC4003 run-time
void o_grows(int k)
{
    float *x = nullptr;
    for (int i = 1; i < k; i++) {
        if (i > 1)
            scale<<<1, 256>>>(x, 256);
        cudaMalloc(&x, i * sizeof(float));
    }
}
// CHECK: o_grows scale {{.*}} TC4003 run-time

// What is passed was allocated in the iteration before, for one element less.
void o_grows_late(int k)
{
    float *x;
    cudaMalloc(&x, 1000 * sizeof(float));
    for (int i = 1; i < k && i < 1000; i++) {
        float *next;
        cudaMalloc(&next, i * sizeof(float));
        scale<<<(i + 255) / 256, 256>>>(x, i);
        x = next;
    }
}
// CHECK: o_grows_late scale {{.*}} TC4001 proved, TC4002 proved, TC4003 run-time

// A function that may be replaced when the program is linked, and one that calls itself.
__attribute__((weak)) int blocks() { return 4; }
void o_weak(float *x) { scale<<<blocks(), 256>>>(x, 1000); }
// CHECK: o_weak scale {{.*}} TC4001 run-time
static int down(int n) { return n > 4 ? down(n - 1) : 4; }
void o_recursive(float *x) { scale<<<down(7), 256>>>(x, 1000); }
// CHECK: o_recursive scale {{.*}} TC4001 run-time
void o_asm(float *x)
{
    int n = 1000;
    asm volatile("movl $2000, %0" : "=r"(n));
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_asm scale {{.*}} TC4001 run-time
void o_uninitialised(float *x)
{
    int n;
    scale<<<4, 256>>>(x, n);
}
// CHECK: o_uninitialised scale {{.*}} TC4001 run-time

// A kernel writes what it is given.
tc_block(1) tc_grid(1) __global__ void count(tc_mut tc_shape(1) int *n) { n[0] = n[0] + 1; }
__global__ void no_contract(int *n) { *n = 2000; }
void o_result(float *x, int *n)
{
    *n = 1000;
    count<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    scale<<<4, 256>>>(x, *n);
}
// CHECK: o_result scale {{.*}} TC4001 run-time
void o_result_later(float *x, int *n)
{
    count<<<1, 1>>>(n);
    if (*n != 1000)
        return;
    cudaDeviceSynchronize();
    scale<<<4, 256>>>(x, *n);
}
// CHECK: o_result_later scale {{.*}} TC4001 run-time
void o_result_without_contract(float *x, int *n)
{
    *n = 1000;
    no_contract<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    scale<<<4, 256>>>(x, *n);
}
// CHECK: o_result_without_contract scale {{.*}} TC4001 run-time
void o_result_of_unknown(float *x, int *n, void (*kernel)(int *))
{
    *n = 1000;
    kernel<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    scale<<<4, 256>>>(x, *n);
}
// CHECK: o_result_of_unknown scale {{.*}} TC4001 run-time
// UNSOUND, as the limits in docs/model.md say: the other pointer may lead to the same memory.
void u_result_elsewhere(float *x, int *n, int *m)
{
    *n = 1000;
    count<<<1, 1>>>(m);
    cudaDeviceSynchronize();
    scale<<<4, 256>>>(x, *n);
}
// CHECK: u_result_elsewhere scale {{.*}} TC4001 proved

void o_copied_to_parameter(float *x, int *n, int *m, const int *device)
{
    *n = 1000;
    cudaMemcpy(m, device, sizeof *m, cudaMemcpyDeviceToHost);
    scale<<<4, 256>>>(x, *n);
}
// CHECK: o_copied_to_parameter scale {{.*}} TC4001 run-time
void g_copied_to_device(float *x, int *n, const float *h)
{
    *n = 1000;
    cudaMemcpy(x, h, 4000, cudaMemcpyHostToDevice);
    scale<<<4, 256>>>(x, *n);
}
// CHECK: g_copied_to_device scale {{.*}} TC4001 proved

// After a loop of which not everything is known.
void o_after_loop(float *x, unsigned k)
{
    unsigned at = 1;
    for (unsigned i = 0; i < k; i++)
        at *= 3;
    if (at >= 1)
        scale<<<4, 256>>>(x, 1000);
}
// CHECK: o_after_loop scale {{.*}} TC4001 run-time
void o_counter_wraps(float *x, int k)
{
    unsigned char i = 0;
    for (; i < k; i++)
        poke();
    if (i == k)
        scale<<<4, 256>>>(x, k > 255 ? 1000 : 999);
}
// CHECK: o_counter_wraps scale {{.*}} TC4001 run-time

// Kernels that are elsewhere.
tc_block(64) tc_grid(2) __global__ void elsewhere(tc_mut tc_shape(n) float *x, int n, float by);
void g_declared(float *x)
{
    elsewhere<<<2, 64>>>(x, 5, 1.0f);
}
// CHECK: g_declared elsewhere {{.*}} TC4001 proved
struct Pair { float *x; int n; };
tc_block(64) tc_grid(1) tc_requires(p.n == 5) __global__ void elsewhere_by_struct(Pair p);
void o_declared(float *x)
{
    elsewhere_by_struct<<<1, 64>>>({x, 5});
}
// CHECK: o_declared elsewhere_by_struct {{.*}} TC4001 run-time

// CHECK-NOT: TC4001]
