// A store to a bit-field keeps the rest of its unit, written or not.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
struct packed { unsigned slot : 5, lane : 5, rest : 22; };
// CHECK: kernel one_field proved
tc_block(1) tc_grid(1) __global__ void one_field(tc_mut tc_shape(32) float *y, unsigned a) {
    packed p;
    p.slot = a;
    y[p.slot] = 1;
}
// CHECK: kernel two_fields {{proved|unknown}}
tc_block(1) tc_grid(1) __global__ void two_fields(tc_mut tc_shape(32) float *y, unsigned a) {
    packed p;
    p.lane = a;
    p.slot = a / 32;
    y[p.lane] = y[p.slot] + 1;
}
// CHECK: kernel too_far violated
tc_block(1) tc_grid(1) __global__ void too_far(tc_mut tc_shape(31) float *y, unsigned a) {
    packed p;
    p.rest = 0;
    p.lane = 0;
    p.slot = a;
    y[p.slot] = 1;
}
