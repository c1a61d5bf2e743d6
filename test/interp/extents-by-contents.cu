// Extents that are stored in an index array: launches are found small enough to be run, and contents are what the facts allow.
// RUN: not %tilecheck %s 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED-NOT: no small launch
// PROVED: {{[0-9]}} proved{{.*}} 1 violated
//
// RUN: %tilecheck run %s --kernel=sums --set=rows=3 --fill=start=random 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %tilecheck run %s --kernel=sums --set=rows=3 --fill=start=iota 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %tilecheck run %s --kernel=sums_first --set=rows=3 --fill=start=random 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %tilecheck run %s --kernel=scatter --set=n=40 --fill=to=random 2>&1 | FileCheck %s --check-prefix=FINE
// FINE: no fault
//
// RUN: not %tilecheck run %s --kernel=scatter --set=n=40 --fill=to=zero 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: cannot be launched so: its contents break tc_injective of 'to': two elements are 0 [TC4001]
// RUN: not %tilecheck run %s --kernel=scatter --set=n=40 --fill=to=%s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: cannot be launched so: its contents break tc_range of 'to': element 0 is {{[0-9]+}} [TC4001]
// RUN: not %tilecheck run %s --kernel=pairs --set=n=40 --fill=at=%s 2>&1 | FileCheck %s --check-prefix=FALLS
// FALLS: cannot be launched so: its contents break tc_monotone of 'at': element {{[0-9]+}} is {{.*}} less than the one before
#include <tilecheck.h>

tc_block(32) tc_grid(rows) tc_requires(rows <= 1 << 20)
__global__ void sums(tc_shared tc_shape(rows + 1) tc_range(0, 1 << 20) tc_monotone const int *start,
                     tc_shared tc_shape(start[rows]) const float *x, tc_mut tc_shape(rows) tc_tile(1) float *y, int rows)
{
    float s = 0;
    for (int i = start[blockIdx.x] + threadIdx.x; i < start[blockIdx.x + 1]; i += 32)
        s += x[i];
    for (int o = 16; o; o /= 2)
        s += __shfl_down_sync(0xffffffffu, s, o);
    if (threadIdx.x == 0)
        y[blockIdx.x] = s;
}

// The extent stands in a parameter behind.
tc_block(32) tc_grid(rows) tc_requires(rows <= 1 << 20)
__global__ void sums_first(tc_shared tc_shape(start[rows]) const float *x, tc_mut tc_shape(rows) tc_tile(1) float *y,
                           tc_shared tc_shape(rows + 1) tc_range(0, 1 << 20) tc_monotone const int *start, int rows)
{
    if (threadIdx.x == 0) {
        float s = 0;
        for (int i = start[blockIdx.x]; i < start[blockIdx.x + 1]; i++)
            s += x[i];
        y[blockIdx.x] = s;
    }
}

// One element too far.
tc_block(32) tc_grid(rows) tc_requires(rows <= 1 << 20)
__global__ void b_one_too_far(tc_shared tc_shape(rows + 1) tc_range(0, 1 << 20) tc_monotone const int *start,
                              tc_shared tc_shape(start[rows]) const float *x, tc_mut tc_shape(rows) tc_tile(1) float *y, int rows)
{
    if (threadIdx.x == 0) {
        float s = 0;
        for (int i = start[blockIdx.x]; i <= start[blockIdx.x + 1]; i++)
            s += x[i];
        y[blockIdx.x] = s;
    }
}

tc_block(32) tc_grid(tc_cdiv(n, 32)) tc_requires(n <= 1 << 20)
__global__ void scatter(tc_shared tc_shape(n) tc_range(0, 2 * n) tc_injective const int *to, tc_mut tc_shape(2 * n) float *y, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        y[to[i]] = 1;
}

tc_block(32) tc_grid(1) tc_requires(32 < n && n <= 1 << 20)
__global__ void pairs(tc_shared tc_shape(n) tc_monotone const int *at, tc_mut tc_shape(32) int *y, int n)
{
    y[threadIdx.x] = at[threadIdx.x] <= at[threadIdx.x + 1];
}
