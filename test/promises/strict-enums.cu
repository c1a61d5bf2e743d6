// -fstrict-enums promises that an enumeration has one of the values that its bits can give.
// RUN: %verdicts %s --standin -- -fstrict-enums | FileCheck %s
// RUN: %verdicts %s --standin | FileCheck %s --check-prefix=PLAIN
#include <tilecheck.h>

enum side { LEFT, RIGHT, TOP, BOTTOM };

// CHECK: kernel b_any_number assumed
// CHECK-NEXT: assumption [[@LINE+5]] the value that is read is one of its type
// PLAIN: kernel b_any_number proved
tc_block(1) tc_grid(1)
__global__ void b_any_number(tc_shared tc_shape(1) const side *s, tc_mut tc_shape(4) int *y)
{
    if ((unsigned)*s <= BOTTOM)
        y[*s] = 1;
}

// CHECK: kernel one_of_four proved
tc_block(1) tc_grid(1)
__global__ void one_of_four(tc_shared tc_shape(1) tc_range(0, 4) const side *s, tc_mut tc_shape(4) int *y)
{
    if ((unsigned)*s <= BOTTOM)
        y[*s] = 1;
}
