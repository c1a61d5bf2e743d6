// __restrict__ parameters of a device function: the compiler keeps values in registers, and exchanges loads and stores, as no other pointer
// reaches what one of them writes. Where two do, or are not shown not to, that is an assumption.
// RUN: %verdicts %s --standin | FileCheck %s
#include <tilecheck.h>

__device__ int both(int *__restrict__ p, int *__restrict__ q) { *p = 100; *q = 0; return *p; }
__device__ int one(int *__restrict__ p, int *q) { *p = 100; *q = 0; return *p; }
__device__ int sum(const int *__restrict__ p, const int *__restrict__ q) { return (*p & 3) + (*q & 3); }

// CHECK: kernel b_one_variable assumed
// CHECK-NEXT: assumption [[@LINE+5]] in 'both(int*, int*)' no other pointer reaches what a __restrict__ one does
tc_block(1) tc_grid(1)
__global__ void b_one_variable(tc_mut tc_shape(101) int *y)
{
    int a = 0;
    y[both(&a, &a)] = 1;
}

// CHECK: kernel b_one_is_restrict assumed
// CHECK-NEXT: assumption [[@LINE+5]] in 'one(int*, int*)' no other pointer
tc_block(1) tc_grid(1)
__global__ void b_one_is_restrict(tc_mut tc_shape(101) int *y)
{
    int a = 0;
    y[one(&a, &a)] = 1;
}

// CHECK: kernel b_shared assumed
// CHECK-NEXT: assumption [[@LINE+5]] in 'both(int*, int*)' no other pointer
tc_block(1) tc_grid(1)
__global__ void b_shared(tc_mut tc_shape(101) int *y, int n)
{
    __shared__ int s[8];
    both(&s[n & 7], &s[3]);
    y[s[3] & 7] = 1;
}

// CHECK: kernel two_variables proved
tc_block(1) tc_grid(1)
__global__ void two_variables(tc_mut tc_shape(101) int *y)
{
    int a = 0, b[4];
    __shared__ int s[8];
    y[both(&a, &b[0])] = 1;
    y[both(&b[1], &b[2])] = 1;
    y[both(&s[1], &s[2]) & 7] = 1;
    y[both(&s[1], &a) & 7] = 1;
    y[both(y + 1, &a) & 7] = 1;
    y[sum(&a, &a)] = 1;
}

__device__ void deeper(int *p, int *q, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = q[i] + 1;
}

__device__ void move(int *__restrict__ to, const int *__restrict__ from, int n)
{
    int *at = to;
    for (int i = 0; i < n; i++, at++)
        *at = from[i];
    deeper(to, const_cast<int *>(from), n);
}

// CHECK: kernel b_moved_over assumed
// CHECK-NEXT: assumption [[@LINE+7]] in 'move(int*, int const*, int)' no other pointer
tc_block(1) tc_grid(1)
__global__ void b_moved_over(tc_mut tc_shape(32) int *y)
{
    __shared__ int s[32];
    for (int i = 0; i < 32; i++)
        s[i] = i;
    move(s, s + 15, 16);
    y[0] = s[0];
}

// CHECK: kernel moved_apart proved
tc_block(1) tc_grid(1)
__global__ void moved_apart(tc_mut tc_shape(32) int *y, tc_shared tc_shape(32) const int *x)
{
    __shared__ int s[32];
    for (int i = 0; i < 32; i++)
        s[i] = i;
    move(s, x, 16);
    move(y, s, 16);
    y[0] = s[0];
}

__shared__ int tile[32];
__device__ int beside(int *__restrict__ p) { *p = 100; tile[0] = 0; return *p; }

// CHECK: kernel b_beside_a_variable assumed
// CHECK-NEXT: assumption [[@LINE+4]] in 'beside(int*)' no other pointer
tc_block(1) tc_grid(1)
__global__ void b_beside_a_variable(tc_mut tc_shape(101) int *y)
{
    y[beside(tile)] = 1;
}

// CHECK: kernel beside_an_element proved
tc_block(1) tc_grid(1)
__global__ void beside_an_element(tc_mut tc_shape(101) int *y)
{
    y[beside(tile + 1) & 1] = 1;
}

__device__ int captured(int *__restrict__ p, int *__restrict__ q)
{
    auto run = [&] { *p = 100; *q = 0; return *p; };
    return run();
}

// CHECK: kernel b_captured assumed
// CHECK-NEXT: assumption [[@LINE+5]] in 'captured(int*, int*)' no other pointer
tc_block(1) tc_grid(1)
__global__ void b_captured(tc_mut tc_shape(101) int *y)
{
    int a = 0;
    y[captured(&a, &a)] = 1;
}

// CHECK: kernel captured_two proved
tc_block(1) tc_grid(1)
__global__ void captured_two(tc_mut tc_shape(101) int *y)
{
    int a = 0, b = 0;
    y[captured(&a, &b)] = 1;
}

// CHECK: kernel halves proved
tc_block(32) tc_grid(1)
__global__ void halves(tc_mut tc_shape(32) int *y)
{
    __shared__ int s[32][32];
    int *mine = s[threadIdx.x];
    for (int i = 0; i < 32; i++)
        mine[i] = i;
    move(mine, mine + 16, 16);
    y[threadIdx.x] = mine[0];
}
