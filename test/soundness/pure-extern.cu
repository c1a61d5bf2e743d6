// Functions without a body may do anything; with --pure-extern they give some value, which the report lists. The toolkit's are not meant.
// RUN: %verdicts %s --all --block=32 --grid=4 --rules=TC1001,TC3001,TC9002 --pure-extern | FileCheck %s
// RUN: %verdicts %s --all --block=32 --grid=4 --rules=TC1001,TC3001,TC9002 | FileCheck --check-prefix=STRICT %s
#include <cooperative_groups.h>
struct pair { int a, b; };
struct large { int a[64]; };
__device__ int some(int);
__device__ void tell(pair);
__device__ large make();
#define T (threadIdx.x + blockIdx.x * blockDim.x)

// CHECK: kernel beside assumed
// CHECK: assumption [[# @LINE + 2]] 'tell(pair)' touches no memory and waits for nobody
// STRICT: kernel beside unknown
__global__ void beside(int *y) { pair p = {1, 2}; tell(p); y[T] = 1; }
// CHECK: kernel value assumed
// STRICT: kernel value unknown
__global__ void value(int *y) { if (some(3) > 2) y[T] = some(T); }

// CHECK: kernel bad_index {{violated|unknown}}
__global__ void bad_index(int *y) { y[some(T)] = 1; }
// Twice the same call gives two values.
// CHECK: kernel bad_twice {{violated|unknown}}
__global__ void bad_twice(int *y) { int i = some(0), k = some(0); y[2 * T + (i - k)] = 1; }
// What is handed back through memory is written.
// CHECK: kernel bad_handed_back {{violated|unknown}}
__global__ void bad_handed_back(int *y) { large v = make(); y[v.a[0]] = 1; }
// CHECK: kernel bad_grid_barrier unknown
__global__ void bad_grid_barrier(int *y) { if (blockIdx.x == 0) cooperative_groups::this_grid().barrier_arrive(); y[T] = 1; }
