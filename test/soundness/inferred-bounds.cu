// Preconditions against overflow that the checker finds itself speak of launches that the kernel was not written for, and of
// the last step of a counter that is as wide as the size. They hide no counter that is too narrow, and no sum of sizes.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

typedef unsigned u; typedef long long ll; typedef unsigned char uc; typedef unsigned short us;
#define K tc_block(32) tc_grid(1) __global__ void
#define X(n) tc_mut tc_shape(n) uc *x

#define FILL(type, step) { if (threadIdx.x == 0) for (type i = 0; i < n; i += step) x[i] = 1; }

// CHECK: kernel g_last_step proved-if
tc_requires(n >= 0) K g_last_step(X(n), int n) FILL(int, 2)
// CHECK: kernel g_last_step_short proved-if
K g_last_step_short(X(n), us n) FILL(us, 2)
// CHECK: kernel b_short {{violated|unknown}}
tc_requires(n >= 0) K b_short(X(n), int n) FILL(us, 2)
// CHECK: kernel b_byte {{violated|unknown}}
tc_requires(n >= 0) K b_byte(X(n), int n) FILL(uc, 4)
// CHECK: kernel b_int {{violated|unknown}}
tc_requires(n >= 0) K b_int(X(n), ll n) FILL(int, 2)
// CHECK: kernel b_step_of_byte {{violated|unknown}}
K b_step_of_byte(X(256), uc m) { if (threadIdx.x == 0) for (uc i = 6; i != 5; i += m) x[i] = 1; }

// CHECK: kernel g_offset_of_block proved-if
tc_block(256) __global__ void g_offset_of_block(X(n), size_t n, size_t off) { size_t i = blockIdx.x * (size_t)256 + threadIdx.x; if (i + off < n) x[i + off] = 1; }
// CHECK: kernel b_sum_of_sizes {{violated|unknown}}
tc_block(256) __global__ void b_sum_of_sizes(X(n), size_t n, size_t m) { if (n + m < m && threadIdx.x == 0 && blockIdx.x == 0) x[n] = 1; }
// CHECK: kernel b_sum_of_small_sizes {{violated|unknown}}
tc_block(256) __global__ void b_sum_of_small_sizes(X(n), u n, u m) { u k = n + m; if (blockIdx.x == 0 && threadIdx.x == 0 && k < n) x[k] = 1; }
