// What each word becomes in the object file.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_build -fplugin-arg-tilecheck-unknown=ignore -fplugin-arg-tilecheck-nosearch -c %s -o %t/o
// RUN: %tilecheck contracts %t/o | FileCheck %s
// RUN: %tilecheck contracts --json %t/o > %t/json && %exits 0 %tilecheck --unknown=ignore --nosearch --contracts=%t/raw %s -- -fgpu-rdc
// RUN: %python %root/test/tools/read_contract.py %t/raw %t/json | FileCheck %s --check-prefix=READER
// READER: 8 records, as the page says and as the tool says
#include <tilecheck.h>

struct View {
    tc_shared tc_shape(rows, cols) tc_stride(ld, 1) const float *data;
    short rows, cols;
    int ld;
    bool flipped;
};

// CHECK-LABEL: fields at
// CHECK: 0: View 'v', 24 bytes at 0
// CHECK: 1: float * 'out', 8 bytes at 24
// CHECK: 2: float * 'twin', 8 bytes at 32
// CHECK: 'v.data': shared, at 0 of parameter 0, {{.*}} shape(v.rows, v.cols), stride(v.ld, 1)
// CHECK: 'out': mut, at 0 of parameter 1, elements of 4 bytes, aligned to 16, shape(v.cols), optional
// CHECK: inplace('out', 'twin')
// CHECK: cluster.x == 2 (cluster)
// CHECK: dynamic shared memory == 1024 (smem)
// CHECK-DAG: gridDim.x % 2 == 0 (cluster)
// CHECK-DAG: !v.flipped (requires)
// CHECK-DAG: rows >= 0 (extent)
// CHECK-DAG: the address of 'out' is a multiple of 16 (align)
// CHECK-DAG: 'twin' is not null, or has no elements (null)
// CHECK-NOT: 'out' is not null
tc_block(64) tc_cluster(2) tc_smem(1024) tc_requires(!v.flipped && v.ld >= v.cols)
__global__ void fields(View v, tc_mut tc_optional tc_shape(v.cols) tc_tile(64) tc_align(16) tc_inplace(twin) float *out,
                       tc_shared tc_shape(v.cols) float *twin)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (out && i < v.cols)
        out[i] = twin[i] + 1;
}

__device__ tc_atomic tc_init(0) unsigned int tickets;

// CHECK-LABEL: facts at
// CHECK: 'index': shared
// CHECK: 'scratch': unchecked (not looked at)
// CHECK: 'tickets': atomic, variable tickets
// CHECK: may_alias('index', 'scratch')
// CHECK: distinct('index', 'y')
// CHECK: memory has to hold
// CHECK-DAG: the elements of 'index' are all different (injective)
// CHECK-DAG: the elements of 'index' never fall (monotone)
// CHECK-DAG: 0 <= 'index' < m (range)
// CHECK-DAG: 'tickets' is 0 (init)
// CHECK-DAG: i < 1 || index[i] > index[i - 1] (forall)
tc_block(32) tc_grid(1) tc_may_alias(index, scratch) tc_distinct(index, y) tc_forall(i; i < 1 || index[i] > index[i - 1])
__global__ void facts(int n, int m, tc_shared tc_shape(n) tc_injective tc_monotone tc_range(0, m) const int *index,
                      tc_unchecked("not looked at") int *scratch, tc_mut tc_shape(32) tc_tile(32) int *y)
{
    y[threadIdx.x] = threadIdx.x < n ? index[threadIdx.x] : (int)atomicAdd(&tickets, 1);
}

// A function of the file is in the expression; from the host alone it cannot be.
// CHECK-LABEL: called at
// CHECK: n == twice(m) (requires)
__device__ int twice(int x) { return x + x; }
tc_block(32) tc_grid(1) tc_requires(m >= 0 && m < 1000 && n == twice(m))
__global__ void called(int n, int m, tc_mut tc_shape(n) tc_tile(32) float *y)
{
    if ((int)threadIdx.x < n && n <= 32)
        y[threadIdx.x] = 0;
}

// CHECK-LABEL: aligned at {{.*}}: proved-if
// CHECK: the address of 'x' is a multiple of 16 (inferred)
// CHECK-NOT: cannot be checked
tc_block(32) tc_grid(1)
__global__ void aligned(tc_shared tc_shape(128) const float *x, tc_mut tc_shape(32) tc_tile(32) float *y)
{
    const float4 v = reinterpret_cast<const float4 *>(x)[threadIdx.x];
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// CHECK-LABEL: one_row at {{.*}}: proved-if
// CHECK-NOT: 'tickets'
// CHECK: gridDim.y == 1 (inferred)
// CHECK-NOT: 'tickets'
tc_block(32)
__global__ void one_row(int n, tc_mut tc_shape(n) float *y)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        y[i] = 0;
}

// CHECK-LABEL: wrong at {{.*}}: unknown
tc_block(32) tc_grid(1)
__global__ void wrong(int n, tc_mut tc_shape(n) tc_tile(32) float *y)
{
    y[threadIdx.x] = 0;
}

// What the verdict rests on is in the report; that it rests on something is here too.
// CHECK-LABEL: assumed at {{.*}}: proved, under assumptions
tc_block(32) tc_grid(1)
__global__ void assumed(int n, tc_mut tc_shape(n) tc_tile(32) float *y)
{
    tc_assume(n >= 32, "the host's");
    y[threadIdx.x] = 0;
}

// CHECK-LABEL: plain at {{.*}}: proved{{$}}
tc_block(32) tc_grid(1)
__global__ void plain(tc_mut tc_shape(32) tc_tile(32) float *y)
{
    y[threadIdx.x] = 0;
}
