// Inline assembly that orders or moves memory and has no "memory" clobber: that the compiler moves no access across it is an assumption, and told.
// RUN: %tilecheck --report=%t.json %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %python -c "import json; [print(k['name'], k['verdict'], [a['text'] for a in k['assumptions']]) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s
#include <tilecheck.h>
#define K tc_block(128) tc_grid(1) __global__ void
#define OF (tc_out tc_shape(128) int *out, tc_shared tc_shape(512) tc_align(16) const int *in)

struct alignas(16) four { int x, y, z, w; };
__device__ inline unsigned place(void *to) { return (unsigned)__cvta_generic_to_shared(to); }
__device__ inline void copy(void *to, const void *from) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(to)), "l"(from) : "memory"); }
__device__ inline void wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// CHECK: barrier proved ["the compiler moves no access across 'bar.sync'"]
K barrier OF
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];
    // TEXT: no-clobber.cu:[[@LINE+1]]:5: note: taken for true: the compiler moves no access across 'bar.sync' (inline assembly without a "memory" clobber)
    asm volatile("bar.sync 0;");
    out[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK: held_barrier proved []
K held_barrier OF
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 0;" ::: "memory");
    out[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK: waits proved ["the compiler moves no access across 'cp.async.wait_all'"]
K waits OF
{
    __shared__ __align__(16) four s[128];
    copy(&s[threadIdx.x], in + 4 * threadIdx.x);
    asm volatile("cp.async.wait_all;");
    out[threadIdx.x] = s[threadIdx.x].x;
}
// What stands between the wait and the barrier may move, and there is nothing.
// CHECK: waits_before_a_barrier proved []
K waits_before_a_barrier OF
{
    __shared__ __align__(16) four s[128];
    copy(&s[threadIdx.x], in + 4 * threadIdx.x);
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x].x;
}
// CHECK: reads_between proved ["the compiler moves no access across 'cp.async.wait_all'"]
K reads_between OF
{
    __shared__ __align__(16) four s[128];
    copy(&s[threadIdx.x], in + 4 * threadIdx.x);
    asm volatile("cp.async.wait_all;");
    const int own = s[threadIdx.x].y;
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x].x + own;
}
// CHECK: copies proved ["the compiler moves no access across 'cp.async'"]
K copies OF
{
    __shared__ __align__(16) four s[128];
    s[threadIdx.x].x = 7;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(&s[threadIdx.x])), "l"(in + 4 * threadIdx.x));
    wait();
    out[threadIdx.x] = s[threadIdx.x].x;
}
// CHECK: held proved []
K held OF
{
    __shared__ __align__(16) four s[128];
    copy(&s[threadIdx.x], in + 4 * threadIdx.x);
    wait();
    out[threadIdx.x] = s[threadIdx.x].x;
}
