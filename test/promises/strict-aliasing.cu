// UNSOUND: strict aliasing. An access through an lvalue of a type that is not the object's is undefined, and the compiler takes two
// accesses of different types to be apart; tilecheck follows the bytes (docs/model.md, Limits). With -fno-strict-aliasing there is no
// such promise.
// RUN: %verdicts %s --standin | FileCheck %s
#include <tilecheck.h>

struct first { int v; };
struct second { int w; };
__device__ int puns(first *p, second *q) { p->v = 100; q->w = 0; return p->v; }

// CHECK: kernel one_object_of_two_types proved
tc_block(1) tc_grid(1)
__global__ void one_object_of_two_types(tc_mut tc_shape(8) int *y)
{
    first a;
    y[puns(&a, reinterpret_cast<second *>(&a))] = 1;
}
