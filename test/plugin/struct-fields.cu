// Words on the fields of structs that are passed by value: in base classes, in structs inside, in class templates.
// RUN: %clang --cuda-device-only %s 2>&1 | FileCheck %s
#include <tilecheck.h>

struct Input {
    tc_shared tc_shape(n) const float *in;
    int n;
};

struct Job : Input {
    float scale;
    tc_mut tc_shape(n) tc_tile(64) float *out;
};

template <class T> struct Span {
    tc_shared tc_shape(n) const T *data;
    int n;
};

struct Pair {
    Span<float> from;
    struct {
        tc_mut tc_shape(m) tc_tile(64) float *to;
        int m;
    };
};

tc_block(64) tc_grid(tc_cdiv(job.n, 64))
__global__ void derived(Job job)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < job.n)
        job.out[i] = job.scale * job.in[i];
}

tc_block(64) tc_grid(tc_cdiv(pair.m, 64)) tc_requires(pair.m <= pair.from.n)
__global__ void nested(const Pair pair)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < pair.m)
        pair.to[i] = pair.from.data[i];
}

// CHECK-NOT: TC9001
// CHECK: tilecheck: 2 kernels: 2 proved
