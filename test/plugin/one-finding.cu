// What is true of several instantiations of a template is told once, with a note on the others. The report has every one.
// RUN: not %clang --cuda-device-only -fplugin-arg-tilecheck-report=%t.json %s 2>&1 | FileCheck %s
// RUN: %python -c "import json; [print(k['name'], k['verdict']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s --check-prefix=ALL
#include <tilecheck.h>

template <class T, int W> tc_block(W)
__global__ void late(tc_out tc_shape(n) tc_tile(W) tc_at(blockIdx.x) T *out, int n)
{
    out[blockIdx.x * W + threadIdx.x] = T();
    // CHECK: one-finding.cu:[[#@LINE-1]]:{{.*}} error: out of bounds: write of 4 bytes
    // CHECK: note: this rule is broken here, too, by 'late<double, 32>', 'late<short, 64>' and 1 more instantiation{{$}}
    // CHECK-NOT: error: out of bounds
}

template __global__ void late<float, 32>(float *, int);
template __global__ void late<double, 32>(double *, int);
template __global__ void late<short, 64>(short *, int);
template __global__ void late<int, 128>(int *, int);

// ALL: late<float, 32> violated
// ALL-NEXT: late<double, 32> violated
// ALL-NEXT: late<short, 64> violated
// ALL-NEXT: late<int, 128> violated
