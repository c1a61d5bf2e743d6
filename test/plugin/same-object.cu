// The object code is the same, byte for byte, with and without the plugin: for the device and for the host, with words in
// every place where they may stand, and with debug information. The host's has the contracts besides, unless it is told not to.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_plain --cuda-device-only -S -O1 %s -o %t/d1 && %clang_plugin --cuda-device-only -S -O1 %s -o %t/p1 && cmp %t/d1 %t/p1
// RUN: %clang_plain --cuda-device-only -S -O2 %s -o %t/d2 && %clang_plugin --cuda-device-only -S -O2 %s -o %t/p2 && cmp %t/d2 %t/p2
// RUN: %clang_plain --cuda-device-only -S -O3 %s -o %t/d3 && %clang_plugin --cuda-device-only -S -O3 %s -o %t/p3 && cmp %t/d3 %t/p3
// RUN: %clang_plain --cuda-device-only -S -O2 -g %s -o %t/d4 && %clang_plugin --cuda-device-only -S -O2 -g %s -o %t/p4 && cmp %t/d4 %t/p4
// RUN: %clang_plain --cuda-host-only -c -O1 %s -o %t/h1 && %clang_plugin -fplugin-arg-tilecheck-noembed --cuda-host-only -c -O1 %s -o %t/q1 && cmp %t/h1 %t/q1
// RUN: %clang_plain --cuda-host-only -c -O2 -g %s -o %t/h2 && %clang_plugin -fplugin-arg-tilecheck-noembed --cuda-host-only -c -O2 -g %s -o %t/q2 && cmp %t/h2 %t/q2
// RUN: %clang_plain --cuda-host-only -c -O3 %s -o %t/h3 && %clang_plugin -fplugin-arg-tilecheck-noembed --cuda-host-only -c -O3 %s -o %t/q3 && cmp %t/h3 %t/q3
//
// Without the note, its symbol and the table of symbols that are used, the object with contracts is the one without.
// DEFINE: %{bare} = llvm-objcopy --remove-section=.note.tilecheck --remove-section=.llvm_addrsig --strip-symbol=_ZL21__tilecheck_contracts
// RUN: %clang_plugin --cuda-host-only -c -O1 %s -o %t/e1 && llvm-readelf -S %t/e1 | FileCheck %s --check-prefix=NOTE
// RUN: %clang_plugin --cuda-host-only -c -O2 -g %s -o %t/e2
// RUN: %{bare} %t/h1 %t/b1 && %{bare} %t/e1 %t/c1 && cmp %t/b1 %t/c1
// RUN: %{bare} %t/h2 %t/b2 && %{bare} %t/e2 %t/c2 && cmp %t/b2 %t/c2
// NOTE: .note.tilecheck NOTE {{.*}} A 0 0 4
//
// Nothing of a word is left in either.
// RUN: not grep -q tilecheck: %t/p1 %t/p3 %t/q1 %t/q3
#include <tilecheck.h>

namespace {
constexpr int threads = 64;
}

struct Base {
    tc_shared tc_shape(n) const float *in;
    int n;
};

struct Job : Base {
    tc_mut tc_shape(n) tc_tile(threads) float *out;
};

template <class T> struct View {
    tc_shared tc_shape(n) const T *data;
    int n;
    __device__ T at(int i) const { return data[i]; }
};

__device__ tc_atomic tc_init(0) unsigned int tickets;

__device__ __noinline__ float twice(tc_shared const float *p, int i) { return p[i] * 2.0f; }
static __device__ inline int unused(int i) { return i + 1; }
static __device__ inline int same(int i) { return i; }

tc_block(threads) tc_grid(tc_cdiv(job.n, threads)) tc_requires(same(job.n) >= 0)
__global__ void by_struct(Job job)
{
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i < job.n)
        job.out[i] = twice(job.in, i);
}

template <class T, int N> tc_block(N) tc_grid(tc_cdiv(v.n, N))
__global__ void from_view(View<T> v, T *tc_mut tc_shape(v.n) tc_tile(N) out)
{
    struct Local {
        tc_shared const T *p;
        int k;
    };
    tc_shape(N) __shared__ T tile[N];
    const Local local = {v.data, (int)(blockIdx.x * N + threadIdx.x)};
    auto read = [](tc_shared const Local &l) { return l.p[l.k]; };
    tile[threadIdx.x] = local.k < v.n ? read(local) : T();
    for (int i = 0; i < 1; ++i) {
        tc_invariant(i >= 0);
        tc_assert(i < 1);
    }
    if (local.k < v.n)
        out[local.k] = tile[threadIdx.x];
}

template __global__ void from_view<double, 32>(View<double>, double *);

tc_block(threads) tc_grid(1) tc_requires(n >= 1)
__global__ void declared(tc_mut tc_shape(n) tc_tile(1) float *out, int n);
__global__ void declared(float *result, int count)
{
    tc_assume(count > 0, "the caller's");
    if (threadIdx.x == 0)
        result[0] = (float)atomicAdd(&tickets, 1u);
}

namespace {
tc_block(1) tc_grid(1) __global__ void hidden(tc_mut tc_shape(1) float *out) { out[0] = 1.0f; }
}

static float first(tc_shared const float *p) { return p[0]; }

float start(const Job &job, View<float> view, float *host)
{
    by_struct<<<tc_cdiv(job.n, threads), threads>>>(job);
    from_view<float, 128><<<tc_cdiv(view.n, 128), 128>>>(view, job.out);
    declared<<<1, threads>>>(job.out, 1);
    hidden<<<1, 1>>>(job.out);
    return first(host);
}

// Casts are taken apart for checking, and put together again.
__device__ __align__(16) float table[64];
__device__ float4 *const second = (float4 *)&table[4];

tc_block(threads) tc_grid(1)
__global__ void casts(tc_mut tc_shape(4 * threads) float *y)
{
    __shared__ __align__(16) float s[4 * threads + 4];
    static constexpr const int *bits = nullptr;
    *(float4 *)&s[4 * threadIdx.x] = *second;
    if (threadIdx.x == 0)
        reinterpret_cast<int &>(s[4 * threads]) = bits == (const int *)y;
    __syncthreads();
    const auto move = [&](auto i) { *(float4 *)&y[4 * i] = *reinterpret_cast<float4 *>(&s[4 * i + 4]); };
    move(threadIdx.x);
}
