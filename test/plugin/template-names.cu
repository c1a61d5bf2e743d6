// Each instantiation of a template is a kernel of its own, named as the source would name it. Kernels come in source
// order, the instantiations of one template in the order in which the file asks for them.
// RUN: %clang --cuda-device-only -fplugin-arg-tilecheck-report=%t.json %s
// RUN: %python -c "import json; [print(k['name']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s
#include <tilecheck.h>

enum class Order { rows, columns };

namespace shapes {
template <class T, int W, bool Flip, Order O> tc_block(W) tc_grid(1)
__global__ void move(tc_shared tc_shape(W) const T *in, tc_mut tc_shape(W) T *out)
{
    out[threadIdx.x] = in[Flip ? W - 1 - threadIdx.x : threadIdx.x];
}
}

template <class T> struct Kernels {
    tc_block(32) tc_grid(1)
    static __global__ void clear(tc_mut tc_shape(32) T *out) { out[threadIdx.x] = T(); }
};

namespace {
tc_block(32) tc_grid(1) __global__ void local(tc_mut tc_shape(32) float *out) { out[threadIdx.x] = 0.0f; }
}

template <class T> tc_block(32) tc_grid(1)
__global__ void special(tc_mut tc_shape(32) T *out) { out[threadIdx.x] = T(); }
// A specialization has a contract of its own, or the template's.
template <> tc_block(16) tc_grid(1)
__global__ void special<int>(tc_mut tc_shape(16) int *out) { out[threadIdx.x] = 1; }

template <> __global__ void special<short>(short *out) { out[threadIdx.x] = 2; }

// Never instantiated: there is no code to check.
template <class T> tc_block(32) tc_grid(1)
__global__ void never(tc_mut tc_shape(32) T *out) { out[threadIdx.x + 1] = T(); }

// By its name alone.
template __global__ void shapes::move<double, 64, true, Order::columns>(const double *, double *);

void start(float *p, int *q)
{
    // By a launch.
    shapes::move<float, 32, false, Order::rows><<<1, 32>>>(p, p + 32);
    Kernels<unsigned int>::clear<<<1, 32>>>((unsigned int *)q);
    local<<<1, 32>>>(p);
    special<<<1, 32>>>(p);
    special<<<1, 16>>>(q);
}

// CHECK: {{^}}shapes::move<double, 64, true, Order::columns>
// CHECK-NEXT: {{^}}shapes::move<float, 32, false, Order::rows>
// CHECK-NEXT: {{^}}Kernels<unsigned int>::clear
// CHECK-NEXT: {{^}}local
// CHECK-NEXT: {{^}}special<float>
// CHECK-NEXT: {{^}}special<int>
// CHECK-NEXT: {{^}}special<short>
// CHECK-NOT: never
