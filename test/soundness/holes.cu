// What is not understood makes unknown whatever it may touch, decide or skip.
// RUN: %verdicts %s --rules=TC1,TC2,TC9 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
extern __device__ int elsewhere(int);
extern __device__ void touch(float *);

// CHECK: kernel unknown_result {{violated|unknown}}
K unknown_result(Y) { y[elsewhere(3)] = 1; }
// CHECK: kernel unknown_store {{violated|unknown}}
K unknown_store(Y) { touch(y); y[0] = 1; }
// CHECK: kernel unknown_asm {{violated|unknown}}
K unknown_asm(Y, int rare) { if (rare == 1000002) asm volatile("no.such.store [%0], 1;" ::"l"(y + 40) : "memory"); y[0] = 1; }
// The local variable may have been changed through its address.
extern __device__ void change(int *);
// CHECK: kernel unknown_local {{violated|unknown}}
K unknown_local(Y) { int k = 0; change(&k); y[k] = 1; }
struct node { node *next; int at; };
// CHECK: kernel chased {{violated|unknown}}
K chased(Y, node *first) { y[first->next->at & 31] = 1; first->next->at = 3; }
__device__ int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
// CHECK: kernel recursion {{violated|unknown}}
K recursion(Y, int n) { y[depth(n)] = 1; }
// CHECK: kernel through_a_table {{violated|unknown}}
K through_a_table(Y, int n) { int (*f[2])(int) = {elsewhere, depth}; y[f[n & 1](n)] = 1; }
// CHECK: kernel from_an_integer {{violated|unknown}}
K from_an_integer(Y, unsigned long long address) { *(float *)address = 1; y[0] = 1; }
// CHECK: kernel never_reached proved
K never_reached(Y) { if (threadIdx.x > 31) touch(y); y[threadIdx.x] = 1; }
// Nothing to prove is no proof.
// CHECK: kernel nothing unknown
K nothing(Y) { }
// CHECK: kernel only_data unknown
K only_data(Y, int n) { if (n > 5) __syncthreads(); }
