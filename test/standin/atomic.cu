// <cuda/atomic>: each member, of each scope and kind of type, compiles to device code, and computes what it says.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang_plain -std=c++20 -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %clang_plain --cuda-device-only -O1 -S %s -o %t.s
// RUN: FileCheck --check-prefix=PTX %s < %t.s
// RUN: %exits 0 %tilecheck run %s --standin --kernel='*' 2>&1 | FileCheck %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
// CHECK: no fault
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <tilecheck.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            out[1000] = __LINE__;                                                                                      \
    } while (0)

template <class A> __device__ void each_member(A a, int *out)
{
    using T = typename A::value_type;
    a.store(5), a.store(6, cuda::memory_order_release), a.store(7, cuda::std::memory_order_relaxed);
    EXPECT(a.load() == 7 && a.load(cuda::memory_order_acquire) == 7 && a.load(cuda::memory_order_relaxed) == 7 && a == 7);
    EXPECT(a.exchange(3, cuda::memory_order_acq_rel) == 7 && a.exchange(4) == 3);
    T expected = 3;
    EXPECT(!a.compare_exchange_strong(expected, 8) && expected == 4);
    EXPECT(a.compare_exchange_strong(expected, 8, cuda::memory_order_release, cuda::memory_order_acquire) && a == 8);
    expected = 8;
    EXPECT(a.compare_exchange_weak(expected, 10, cuda::memory_order_acquire) && expected == 8);
    EXPECT(!a.compare_exchange_weak(expected, 1, cuda::memory_order_acq_rel, cuda::memory_order_relaxed) && expected == 10);
    EXPECT(a.fetch_add(2, cuda::memory_order_relaxed) == 10 && a.fetch_sub(3) == 12 && a.load() == 9);
    EXPECT(a.fetch_min(20) == 9 && a.fetch_min(6, cuda::memory_order_consume) == 9 && a == 6);
    EXPECT(a.fetch_max(2) == 6 && a.fetch_max(11, cuda::memory_order_release) == 6 && a == 11);
    EXPECT(++a == 12 && a++ == 12 && --a == 12 && a-- == 12 && (a += 4) == 15 && (a -= 5) == 10);
    a.notify_one(), a.notify_all(), a.wait(0), a.wait(1, cuda::memory_order_acquire);
    EXPECT((a = 3) == 3 && a == 3 && a.is_lock_free());
}

template <class A> __device__ void each_bit(A a, int *out)
{
    a.store(12);
    EXPECT(a.fetch_and(10) == 12 && a.fetch_or(3, cuda::memory_order_release) == 8 && a.fetch_xor(9) == 11 && a == 2);
    EXPECT((a |= 5) == 7 && (a &= 6) == 6 && (a ^= 4) == 2);
}

template <class T, cuda::thread_scope S> __device__ void of_scope(T *p, int *out)
{
    cuda::atomic_ref<T, S> a(*p);
    each_member(a, out);
    if constexpr (!__is_floating_point(T))
        each_bit(a, out);
    EXPECT(*p == T(__is_floating_point(T) ? 3 : 2));
}

template <class T> __device__ void each_scope(T *p, int *out)
{
    of_scope<T, cuda::thread_scope_system>(p, out), of_scope<T, cuda::thread_scope_device>(p, out);
    of_scope<T, cuda::thread_scope_block>(p, out), of_scope<T, cuda::thread_scope_thread>(p, out);
}

tc_block(1) tc_grid(1)
__global__ void references(tc_mut tc_shape(1) int *i, tc_mut tc_shape(1) unsigned *u, tc_mut tc_shape(1) long *l,
                           tc_mut tc_shape(1) unsigned long long *ul, tc_mut tc_shape(1) float *f,
                           tc_mut tc_shape(1) double *d, tc_mut tc_shape(4) int *out)
{
    each_scope(i, out), each_scope(u, out), each_scope(l, out), each_scope(ul, out), each_scope(f, out), each_scope(d, out);
}

struct two {
    float a;
    int b;
};

tc_block(1) tc_grid(1)
__global__ void others(tc_mut tc_shape(4) int *i, tc_mut tc_shape(1) two *s, tc_mut tc_shape(4) unsigned char *b,
                       tc_mut tc_shape(4) int *out)
{
    cuda::atomic_ref<two, cuda::thread_scope_device> t(*s);
    t.store(two{1.5f, 7});
    two was = t.exchange(two{2.5f, 8});
    EXPECT(was.a == 1.5f && was.b == 7 && t.load().b == 8 && s->a == 2.5f);
    int *p = i;
    cuda::atomic_ref<int *, cuda::thread_scope_block> q(p);
    EXPECT(q.fetch_add(2) == i && q == i + 2 && q.fetch_sub(1) == i + 2 && p == i + 1);
    cuda::atomic_ref<unsigned char> c(b[1]);
    b[1] = 1;
    c.store(200, cuda::memory_order_release);
    EXPECT(b[1] == 200);
    cuda::atomic_ref<int> negative(i[0]);
    negative = -5;
    EXPECT(negative.fetch_max(-7) == -5 && negative.fetch_min(3) == -5 && negative.fetch_sub(-6) == -5 && i[0] == 1);
}

tc_block(1) tc_grid(1) __global__ void objects(tc_mut tc_shape(4) int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> n;
    cuda::atomic<bool, cuda::thread_scope_device> done(false);
    cuda::atomic<short> small(0);
    n = 4;
    n.fetch_add(2, cuda::memory_order_relaxed);
    EXPECT(n == 6 && !done.exchange(true) && done.load(cuda::memory_order_acquire));
    small.store(-3);
    EXPECT(small.fetch_add(1) == -3 && small == -2 && small.fetch_max(5) == -2 && --small == 4);
    cuda::std::atomic<unsigned> own(3);
    EXPECT(own++ == 3 && own == 4);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    cuda::std::atomic_thread_fence(cuda::std::memory_order_acq_rel);
    cuda::atomic_signal_fence(cuda::memory_order_seq_cst);
}

// PTX-LABEL: forms(
// PTX: ld.acquire.gpu.s32
// PTX: atom.release.cta.add.u32
// PTX: fence.sc.sys;
// PTX: atom.acq_rel.sys.exch.b64
// PTX: fence.acq_rel.gpu;
extern "C" __global__ void forms(int *i, unsigned *u, unsigned long long *l)
{
    cuda::atomic_ref<int, cuda::thread_scope_device>(i[0]).load(cuda::memory_order_acquire);
    cuda::atomic_ref<unsigned, cuda::thread_scope_block>(u[0]).fetch_add(1, cuda::memory_order_release);
    cuda::atomic_ref<unsigned long long>(l[0]).exchange(1);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
}

// Host code uses them too.
int main()
{
    cuda::std::atomic<int> n(0);
    cuda::atomic<double> sum(1.0);
    n++, sum.fetch_add(1), sum.fetch_max(3);
    cuda::atomic_ref<double> r(*new double(2));
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
    return n + (int)sum.load() + (int)r.exchange(3);
}
