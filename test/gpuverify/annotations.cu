// What the annotations mean.
// RUN: %verdicts %s --all --block=64 --grid=1 --rules=TC3001,TC9002 -- -include %S/gpuverify.h | FileCheck %s
// RUN: %verdicts %s --all --block=64 --grid=1 --rules=TC3001,TC9002 -- -include %S/gpuverify.h -DTC_GPUVERIFY_NO_INVARIANTS | FileCheck --check-prefix=NONE %s

// CHECK: kernel requires assumed
// CHECK: assumption [[# @LINE + 1]] tc_assume
__global__ void requires(int *p, int n) { __requires(n == 1); p[threadIdx.x * n] = 0; }
// CHECK: kernel without_it violated
__global__ void without_it(int *p, int n) { p[threadIdx.x * n] = 0; }
// CHECK: kernel assumes assumed
__global__ void assumes(int *p, int n) { __assume(n == 1); p[threadIdx.x * n] = 0; }
// CHECK: kernel enabled assumed
__global__ void enabled(int *p, int n) { __requires(__implies(__enabled(), n == 1)); p[threadIdx.x * n] = 0; }
// CHECK: kernel asserts assumed
__global__ void asserts(int *p) { p[threadIdx.x] = 0; __assert(__all(threadIdx.x < 64)); __assert(__mod_pow2(64, blockDim.x) == 0); }
// CHECK: kernel fails violated
__global__ void fails() { __assert(__all(threadIdx.x < 63)); }
// CHECK: kernel implies violated
__global__ void implies(int a, int b) { __assert(__implies(a > 0, b > 0)); }

// An assumption that nothing is said of says nothing, not even the part that could be said.
// CHECK: kernel open_requires violated
__global__ void open_requires(int *p, int n) { __requires(n == 1 & __uniform_int(n)); p[threadIdx.x * n] = 0; }
// CHECK: kernel open_denied violated
__global__ void open_denied(int *p, int n) { __requires(!__read(p)); p[threadIdx.x * n] = 0; }
// An assertion that nothing is said of is not decided.
// CHECK: kernel open_asserts unknown
__global__ void open_asserts(int *p) { __assert(__other_int(threadIdx.x) != threadIdx.x); p[threadIdx.x] = 0; }
// CHECK: kernel open_either unknown
__global__ void open_either(int *p) { __assert(__no_read(p) | true); p[threadIdx.x] = 0; }

// An invariant that does not hold is told, and left out on demand.
// CHECK: kernel wrong_invariant {{violated|unknown}}
// NONE: kernel wrong_invariant assumed
__global__ void wrong_invariant(int *p, int n) { for (int i = 0; __invariant(i < 3), i < 10; i++) p[i * 64 + threadIdx.x] = 0; }
// CHECK: kernel global_invariant assumed
// NONE: kernel global_invariant assumed
__global__ void global_invariant(int *p) { for (int i = 0; __global_invariant(__write_implies(p, __write_offset_bytes(p) < 4 * i)), i < 10; i++) p[i * 64 + threadIdx.x] = 0; }
