// What the annotations mean.
// RUN: %verdicts %s --all --block=64 --grid=1 --rules=TC3001,TC9002 -- -include %S/gpuverify.h | FileCheck %s
// RUN: %verdicts %s --all --block=64 --grid=2 --rules=TC3001,TC9002 -- -include %S/gpuverify.h | FileCheck --check-prefix=BLOCKS %s
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
__global__ void open_asserts(int *p) { __assert(!__write(p)); p[threadIdx.x] = 0; }
// CHECK: kernel open_either unknown
__global__ void open_either(int *p) { __assert(__write(p) | true); p[threadIdx.x] = 0; }

// Assertions about another thread, which may be any but the thread itself, and anywhere.
// CHECK: kernel others assumed
// BLOCKS: kernel others unknown
__global__ void others(int *p) { __assert(__distinct_int(threadIdx.x)); __assert(__other_int(threadIdx.x) != threadIdx.x); p[blockIdx.x * 64 + threadIdx.x] = 0; }
// CHECK: kernel others_in_grid assumed
// BLOCKS: kernel others_in_grid assumed
__global__ void others_in_grid(int *p) { int i = blockIdx.x * 64 + threadIdx.x; __assert(__distinct_int(i) && i < 1024); p[i] = 0; }
// CHECK: kernel same_in_all assumed
// BLOCKS: kernel same_in_all assumed
__global__ void same_in_all(int *p, int n) { __assert(__uniform_int(n * 2) & __uniform_bool(n > 3)); p[blockIdx.x * 64 + threadIdx.x] = 0; }
// CHECK: kernel less_than assumed
// BLOCKS: kernel less_than assumed
__global__ void less_than(int *p) { __assert(__other_int(threadIdx.x) - threadIdx.x < 64); __assert(__other_bool(threadIdx.x < 64)); p[blockIdx.x * 64 + threadIdx.x] = 0; }
// CHECK: kernel not_in_pairs unknown
__global__ void not_in_pairs(int *p) { __assert(__distinct_int(threadIdx.x / 2)); p[blockIdx.x * 64 + threadIdx.x] = 0; }
// CHECK: kernel not_the_same unknown
__global__ void not_the_same(int *p) { __assert(__uniform_int(threadIdx.x / 64 + blockIdx.x * 0 + p[0])); }
// The other thread need not come there: what holds of those who do says nothing of it.
// CHECK: kernel not_on_the_path unknown
__global__ void not_on_the_path(int *p) { if (threadIdx.x < 8) __assert(__other_int(threadIdx.x) < 8); p[blockIdx.x * 64 + threadIdx.x] = 0; }
// CHECK: kernel not_in_step unknown
__global__ void not_in_step(int *p, int n) { for (int i = 0; i < n; i++) __assert(__uniform_int(i)); p[blockIdx.x * 64 + threadIdx.x] = 0; }

// CHECK: kernel nothing_read assumed
__global__ void nothing_read(int *p, int *q) { int v = q[threadIdx.x]; __assert(__no_read(p)); p[threadIdx.x] = v; __assert(__no_read(p)); }
// CHECK: kernel read_before unknown
__global__ void read_before(int *p) { int v = p[threadIdx.x]; __assert(__no_read(p)); p[threadIdx.x] = v; }
// CHECK: kernel read_by_atomic unknown
__global__ void read_by_atomic(int *p) { atomicAdd(p, 1); __assert(__no_read(p)); }
// CHECK: kernel read_later_in_loop unknown
__global__ void read_later_in_loop(int *p) { for (int i = 0; i < 2; i++) { __assert(__no_read(p)); p[threadIdx.x] += 1; } }
// CHECK: kernel read_one_of_two unknown
__global__ void read_one_of_two(int *p, int *q, int n) { q[threadIdx.x] = q[threadIdx.x] + 1; __assert(__no_read(n ? p : q)); p[threadIdx.x] = 0; }
// CHECK: kernel said_elsewhere violated
__global__ void said_elsewhere(int *p, int n) { __requires(__distinct_int(n)); __requires(__no_read(p)); p[threadIdx.x * n] = 0; }

// An invariant that does not hold is told, and left out on demand.
// CHECK: kernel wrong_invariant {{violated|unknown}}
// NONE: kernel wrong_invariant assumed
__global__ void wrong_invariant(int *p, int n) { for (int i = 0; __invariant(i < 3), i < 10; i++) p[i * 64 + threadIdx.x] = 0; }
// CHECK: kernel global_invariant assumed
// NONE: kernel global_invariant assumed
__global__ void global_invariant(int *p) { for (int i = 0; __global_invariant(__write_implies(p, __write_offset_bytes(p) < 4 * i)), i < 10; i++) p[i * 64 + threadIdx.x] = 0; }
