// Functions in contract expressions mean what they compute, where what the contract requires shows that they compute it
// (g…); else the contract is not taken (b…).
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

typedef unsigned u; typedef long long ll;
__device__ int twice(int x) { return 2 * x; }
__device__ int third(int x, int by) { return x / by; }
__device__ int shifted(int x, int by) { return x << by; }
__device__ u below(u x, u y) { return x - y; }
__device__ int low(ll x) { return (int)x; }
__device__ int chosen(int x, int by) { return by > 0 ? x / by : 0; }

#define K tc_block(32) __global__ void
#define PUT { int k = blockIdx.x * 32 + threadIdx.x; if (k < 64) x[k] = 1.0f; }
#define X(n) tc_mut tc_shape(n) float *x

// CHECK: kernel g_twice proved
tc_requires(n >= 32 && n <= 1 << 20) tc_grid(2) K g_twice(X(twice(n)), int n) PUT
// CHECK: kernel b_twice {{violated|unknown}}
tc_requires(n >= 32) tc_grid(2) K b_twice(X(twice(n)), int n) PUT
// CHECK: kernel g_third proved
tc_requires(n >= 256 && by >= 1 && by <= 4) tc_grid(2) K g_third(X(third(n, by)), int n, int by) PUT
// CHECK: kernel b_third {{violated|unknown}}
tc_requires(n >= 256 && by <= 4) tc_grid(2) K b_third(X(64 + third(n, by) * 0 + by * by), int n, int by) PUT
// CHECK: kernel g_chosen proved
tc_requires(n >= 0 && by <= 4) tc_grid(2) K g_chosen(X(64 + chosen(n, by)), int n, int by) PUT
// CHECK: kernel g_shifted proved
tc_requires(n >= 64 && n <= 1000 && by >= 0 && by <= 8) tc_grid(2) K g_shifted(X(shifted(n, by)), int n, int by) PUT
// CHECK: kernel b_shifted {{violated|unknown}}
tc_requires(n >= 64 && n <= 1000 && by >= 0 && by <= 40) tc_grid(2) K b_shifted(X(64 + shifted(n, by) * shifted(n, by)), int n, int by) PUT
// CHECK: kernel g_low_of_any proved
tc_requires(n >= 64) tc_grid(2) K g_low_of_any(X(64 + low(n) * low(n)), ll n) PUT
// CHECK: kernel b_low {{violated|unknown}}
tc_requires(n >= 64) tc_grid(2) K b_low(X(low(n)), ll n) PUT
// CHECK: kernel g_low proved
tc_requires(n >= 64 && n < 1 << 30) tc_grid(2) K g_low(X(low(n)), ll n) PUT
// CHECK: kernel g_below proved
tc_requires(m <= n && n - m >= 64) tc_grid(2) K g_below(X(below(n, m)), u n, u m) PUT
// CHECK: kernel b_below {{violated|unknown}}
tc_requires(n >= 64) tc_grid(2) K b_below(X(below(n, m)), u n, u m) PUT
// CHECK: kernel g_in_requires proved
tc_requires(twice(n) >= 64) tc_grid(2) K g_in_requires(X(2 * n), int n) PUT
// CHECK: kernel b_in_requires {{violated|unknown}}
tc_requires(twice(n) >= 63) tc_grid(2) K b_in_requires(X(2 * n - 1), int n) PUT

// What C defines is taken as it is, modulo 2^w; what it does not define is refused.
__device__ u inverse(u x) { return ~x; }
__device__ bool negative(u x) { return (int)x < 0; }
__device__ u back(u x) { return x - 1u + 1u; }
__device__ u multiple(u x) { return (x + 15u) & ~15u; }
__device__ u hash(u x) { return x * 2654435761u; }
__device__ int four(int x) { return x * 4; }
__device__ int four_of(u x) { return (int)x * 4; }
__device__ u four_as_unsigned(int x) { return (u)(x * 4); }
__device__ int minus(int x) { return -x; }

// CHECK: kernel g_inverse proved
tc_requires(inverse(n) == 4294967290u) tc_grid(2) K g_inverse(X(n + 59), u n) PUT
// CHECK: kernel b_inverse violated
tc_requires(inverse(n) == 4294967290u) tc_grid(2) K b_inverse(X(n + 58), u n) PUT
// CHECK: kernel g_not_negative proved
tc_requires(!negative(n) && n >= 64) tc_grid(2) K g_not_negative(X(n), u n) PUT
// CHECK: kernel b_not_negative violated
tc_requires(!negative(n)) tc_grid(2) K b_not_negative(X(n), u n) PUT
// CHECK: kernel g_negative proved
tc_requires(negative(n)) tc_grid(2) K g_negative(X(n), u n) PUT
// CHECK: kernel g_back proved
tc_requires(n >= 64) tc_grid(2) K g_back(X(back(n)), u n) PUT
// CHECK: kernel g_multiple proved
tc_requires(n >= 50 && n < 1000) tc_grid(2) K g_multiple(X(multiple(n)), u n) PUT
// CHECK: kernel b_multiple violated
tc_requires(n >= 50) tc_grid(2) K b_multiple(X(multiple(n)), u n) PUT
// CHECK: kernel b_hash {{violated|unknown}}
tc_requires(n >= 64) tc_grid(2) K b_hash(X(hash(n)), u n) PUT
// CHECK: kernel g_four proved
tc_requires(four(n) >= 64) tc_grid(2) K g_four(X(4 * n), int n) PUT
// Of the launches in which nothing overflows; in these n may be small.
// CHECK: kernel b_four violated
tc_requires(four(n) != 5) tc_grid(2) K b_four(X(n), int n) PUT
// CHECK: kernel b_four_in_shape {{violated|unknown}}
tc_requires(n >= 16) tc_grid(2) K b_four_in_shape(X(four(n)), int n) PUT
// CHECK: kernel b_four_of {{violated|unknown}}
tc_requires(n >= 16) tc_grid(2) K b_four_of(X(64 + 0 * four_of(n)), u n) PUT
// CHECK: kernel b_four_as_unsigned {{violated|unknown}}
tc_requires(n >= 16) tc_grid(2) K b_four_as_unsigned(X(64 + four_as_unsigned(n) % 2), int n) PUT
// CHECK: kernel b_minus {{violated|unknown}}
tc_grid(2) K b_minus(X(64 + minus(n) * minus(n)), int n) PUT
// CHECK: kernel g_minus proved
tc_requires(n > -100 && n < 100) tc_grid(2) K g_minus(X(64 + minus(n) * minus(n)), int n) PUT
