// What attributes of device functions promise: the compiler removes, moves and joins calls, and takes away tests, by them. What the
// code does not keep to, or is not shown to, is listed.
// RUN: %verdicts %s --standin | FileCheck %s
#include <tilecheck.h>

__device__ __attribute__((pure)) int sets(int *p) { *p = 5; return 1; }
__device__ __attribute__((pure)) int reads(const int *p) { int sum = 0; sum += *p & 7; return sum; }

// CHECK: kernel b_pure_writes assumed
// CHECK-NEXT: assumption 6 'sets(int*)' writes nothing, says its attribute
tc_block(1) tc_grid(1)
__global__ void b_pure_writes(tc_mut tc_shape(8) int *y)
{
    int a = 100;
    sets(&a);
    y[a] = 1;
}

// CHECK: kernel pure_reads proved
tc_block(1) tc_grid(1)
__global__ void pure_reads(tc_mut tc_shape(8) int *y, int n)
{
    int a = n;
    y[reads(&a)] = 1;
}

struct item { int first, second; };
__device__ __attribute__((pure)) int copies(item *to, const item *from) { *to = *from; return 1; }

// CHECK: kernel b_pure_copies assumed
// CHECK-NEXT: assumption 28 'copies(item*, item const*)' writes nothing, says its attribute
tc_block(1) tc_grid(1)
__global__ void b_pure_copies(tc_mut tc_shape(8) int *y)
{
    item a = {100, 100}, b = {1, 2};
    copies(&a, &b);
    y[a.first] = 1;
}

__device__ __attribute__((pure)) int counted(int *p) { return atomicAdd(p, 1); }

// CHECK: kernel b_pure_counts assumed
// CHECK-NEXT: assumption 40 'counted(int*)' writes nothing, says its attribute
tc_block(1) tc_grid(1)
__global__ void b_pure_counts(tc_atomic tc_shape(1) int *y)
{
    counted(y);
}

__device__ __attribute__((pure)) int checked(int i, int n)
{
    if (i >= n)
        __trap();
    return 0;
}

// CHECK: kernel b_pure_ends assumed
// CHECK-NEXT: assumption 53 'checked(int, int)' has no effect, says its attribute
tc_block(1) tc_grid(n)
__global__ void b_pure_ends(tc_mut tc_shape(m) tc_tile(1) int *y, int n, int m)
{
    checked(blockIdx.x, m);
    y[blockIdx.x] = 1;
}

__device__ __attribute__((pure)) int waits() { __syncthreads(); return 0; }

// CHECK: kernel b_pure_waits assumed
// CHECK-NEXT: assumption 66 'waits()' has no effect, says its attribute
tc_block(64) tc_grid(1)
__global__ void b_pure_waits(tc_mut tc_shape(64) int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    waits();
    y[threadIdx.x] = s[63 - threadIdx.x];
}

__device__ __attribute__((const)) int looks(const int *p) { return *p & 7; }
__device__ __attribute__((const)) int squared(int x) { int y = x; return y * y; }

// CHECK: kernel b_const_reads assumed
// CHECK-NEXT: assumption 79 'looks(int const*)' depends on its arguments alone, says its attribute
tc_block(1) tc_grid(1)
__global__ void b_const_reads(tc_mut tc_shape(8) int *y)
{
    int a = 100;
    a = 3;
    y[looks(&a)] = 1;
}

// CHECK: kernel const_of_arguments proved
tc_block(1) tc_grid(1)
__global__ void const_of_arguments(tc_shared tc_shape(1) const int *x, tc_mut tc_shape(17) int *y)
{
    y[squared(4) + looks(x) % 1] = 1;
}

__device__ __attribute__((returns_nonnull)) int *some(int *p, int n) { return n ? p : nullptr; }
__device__ __attribute__((returns_nonnull)) int *same(int *p) { return p; }
__device__ __attribute__((nonnull)) void note(int *) {}
__device__ void second(int *, int *p __attribute__((nonnull))) {}

// CHECK: kernel b_result assumed
// CHECK-NEXT: assumption [[@LINE+4]] what 'some(int*, int)' returns is not null
tc_block(1) tc_grid(1)
__global__ void b_result(tc_mut tc_shape(8) int *y, int n)
{
    int *p = some(y, n);
    if (p)
        *p = 1;
}

// CHECK: kernel b_argument assumed
// CHECK-NEXT: assumption [[@LINE+5]] argument 1 of 'note(int*)' is not null
tc_block(1) tc_grid(1)
__global__ void b_argument(tc_mut tc_shape(8) int *y, int n)
{
    int *p = n ? y : nullptr;
    note(p);
    if (p)
        *p = 1;
}

// CHECK: kernel b_optional assumed
// CHECK-NEXT: assumption [[@LINE+4]] argument 2 of 'second(int*, int*)' is not null
tc_block(1) tc_grid(1)
__global__ void b_optional(tc_mut tc_shape(8) int *y, tc_mut tc_optional tc_shape(8) int *z)
{
    second(nullptr, z);
    if (z)
        *z = 1;
}

__device__ void add(int &to, const int &what) { to += what; }
struct counter { int n; __device__ void step() { n++; } };

// CHECK: kernel plainly_not_null proved
tc_block(32) tc_grid(1)
__global__ void plainly_not_null(tc_mut tc_shape(n) int *y, tc_shared tc_shape(n) const int *x, tc_mut tc_optional tc_shape(n) int *z, int n)
{
    __shared__ int s[32];
    counter c = {0};
    c.step();
    if (threadIdx.x >= n)
        return;
    s[threadIdx.x] = c.n;
    note(&s[threadIdx.x]);
    note(y + threadIdx.x);
    add(y[threadIdx.x], x[threadIdx.x]);
    *same(y + threadIdx.x) = 1;
    if (z) {
        note(z);
        add(z[threadIdx.x], 1);
    }
}

// CHECK: kernel b_aligned assumed
// CHECK-NEXT: assumption [[@LINE+4]] the address is a multiple of 16
tc_block(1) tc_grid(1)
__global__ void b_aligned(tc_mut tc_shape(8) int *y)
{
    int *p = static_cast<int *>(__builtin_assume_aligned(y, 16));
    if ((reinterpret_cast<unsigned long long>(p) & 15) == 0)
        p[0] = 1;
}

// CHECK: kernel aligned proved
tc_block(1) tc_grid(1)
__global__ void aligned(tc_mut tc_shape(8) tc_align(16) int *y)
{
    __shared__ float4 s[2];
    int *p = static_cast<int *>(__builtin_assume_aligned(y + 4, 16));
    float4 *q = static_cast<float4 *>(__builtin_assume_aligned(s + 1, 16));
    q->x = 1;
    p[0] = q->x;
}
