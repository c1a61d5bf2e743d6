// A violation says under which condition the rule holds, an unknown which attribute decides it: each is done to the source, and
// decides it.
// RUN: %python %root/test/tools/hints.py %build/tilecheck %s --standin --rules=TC1,TC2 | FileCheck %s --implicit-check-not="-> unknown" --implicit-check-not="-> violated"
// RUN: %exits 2 %tilecheck --rules=TC1,TC2 %s 2>&1 | FileCheck %s --check-prefix=TOLD
#include <tilecheck.h>

// CHECK: no_guard TC2001@{{[0-9]+}} violated: holds if n % 256 == 0 -> proved
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void no_guard(tc_mut tc_shape(n) float *a, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    // TOLD: one-fact.cu:[[@LINE+2]]:{{.*}} error: out of bounds
    // TOLD: note: holds if n % 256 == 0
    a[i] = 1;
}

// CHECK: other_size TC2001@{{[0-9]+}} violated: holds if n <= m -> proved
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void other_size(tc_mut tc_shape(n) float *a, tc_shared tc_shape(m) const float *b, int n, int m) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        a[i] = b[i];
}

// CHECK: fixed_room TC2001@{{[0-9]+}} violated: holds if blockDim.x <= 256 -> proved-if
__global__ void fixed_room(tc_mut tc_shape(n) float *a, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = 1;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = s[threadIdx.x];
}

// CHECK: vectors TC2001@{{[0-9]+}} violated: holds if n % 128 == 0 -> proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void vectors(tc_mut tc_shape(n) float *a, tc_shared tc_shape(n / 4) tc_align(16) const float4 *b, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i * 4 < n)
        a[i] = b[i].x;
}

// CHECK: quotient TC2004@{{[0-9]+}} violated: holds if d >= 1 -> {{proved|gone}}
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void quotient(tc_mut tc_shape(n) float *a, int n, int d) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        a[i] = i / d;
}

// CHECK: gather TC2001@{{[0-9]+}} violated: holds with tc_range(0, m) on 'idx' -> proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void gather(tc_mut tc_shape(n) float *a, tc_shared tc_shape(m) const float *x, tc_shared tc_shape(n) const int *idx, int n, int m) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        a[i] = x[idx[i]];
}

// CHECK: segments TC2001@{{[0-9]+}} violated: holds with tc_range(0, nnz + 1) on 'off' -> proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void segments(tc_mut tc_shape(n) float *a, tc_shared tc_shape(n + 1) const int *off, tc_shared tc_shape(nnz) const float *v, int n, int nnz) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        float s = 0;
        for (int j = off[i]; j < off[i + 1]; j++)
            s += v[j];
        a[i] = s;
    }
}

// CHECK: scatter TC1001@{{[0-9]+}} violated: holds with tc_injective on 'idx' -> proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void scatter(tc_mut tc_shape(n) float *a, tc_shared tc_shape(n) tc_range(0, n) const int *idx, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        a[idx[i]] = 1;
}

// CHECK: rows TC2002@{{[0-9]+}} violated: holds if m >= 0 && n * m <= 2147483647 -> proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void rows(tc_mut tc_shape(n) float *a, tc_shared tc_shape(n * m) const float *x, int n, int m) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n && m > 0)
        a[i] = x[i * m];
}
