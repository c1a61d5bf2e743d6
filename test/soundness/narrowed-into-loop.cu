// A value that narrowing changes, carried into a loop by a variable without a closed form, from before the loop or from the end
// of its body, and reaching a guard or an address.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(4) tc_grid(1) tc_requires(n >= 4) __global__ void

// CHECK: kernel on_entry {{violated|unknown}}
K on_entry(tc_mut tc_shape(n) float *z, int n, int a, int rare)
{
    if (rare != 1000002)
        return;
    short l = a;
    while (l >= 1) {
        l /= 2;
        z[threadIdx.x] = 1;
    }
}
// CHECK: kernel each_time {{violated|unknown}}
K each_time(tc_mut tc_shape(n) float *z, tc_shared tc_shape(n) const int *x, int n, int rare)
{
    if (rare != 1000002)
        return;
    short l = 1;
    for (int i = 0; i < n && l >= 1; i++) {
        z[threadIdx.x] = 1;
        l = x[i];
    }
}
// CHECK: kernel unsigned_sum {{violated|unknown}}
K unsigned_sum(tc_mut tc_shape(n) float *z, tc_shared tc_shape(n) const unsigned *x, int n, int rare)
{
    if (rare != 1000002)
        return;
    unsigned l = 1;
    for (int i = 0; i < n && l != 0; i++) {
        z[threadIdx.x] = 1;
        l = l + x[i] * 3u;
    }
}
// Of one sign, into a variable of the other.
// CHECK: kernel negative_into_unsigned {{violated|unknown}}
K negative_into_unsigned(tc_mut tc_shape(n) float *z, int n, int a, int rare)
{
    if (rare != 1000002 || a < -8 || a > -7)
        return;
    unsigned char l = a + a;
    for (; l < threadIdx.x; l = l * 2 + 1)
        z[threadIdx.x] = 1;
}
// CHECK: kernel large_into_signed {{violated|unknown}}
K large_into_signed(tc_mut tc_shape(n) float *z, int n, int a, int rare)
{
    if (rare != 1000002 || a < 100 || a > 101)
        return;
    signed char l = a + a;
    for (; l > 100; l /= 2)
        z[threadIdx.x] = 1;
}
// CHECK: kernel small_into_unsigned proved
K small_into_unsigned(tc_mut tc_shape(n) float *z, int n, int a, int rare)
{
    if (rare != 1000002 || a < 100 || a > 101)
        return;
    unsigned char l = a + a;
    for (; l > 100; l /= 2)
        z[threadIdx.x] = 1;
}
// CHECK: kernel in_range proved
K in_range(tc_mut tc_shape(n) float *z, tc_shared tc_shape(n) tc_range(0, 30000) const int *x, int n, int rare)
{
    if (rare != 1000002)
        return;
    short l = 1;
    for (int i = 0; i < n && l >= 1; i++) {
        z[threadIdx.x] = 1;
        l = x[i];
    }
}
// CHECK: kernel only_data proved
K only_data(tc_mut tc_shape(n) int *z, tc_shared tc_shape(n) const int *x, int n)
{
    short l = 1;
    for (int i = 0; i < n; i++)
        l = x[i] ^ l;
    z[threadIdx.x] = l;
}
