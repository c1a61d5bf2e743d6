// An overflow is one also where the formula folds: masked away, times 0, less itself, compared with what it cannot reach.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel two_masks violated
K two_masks(Y, int c) { int v = (c + c) & 240; y[v & 7] = 1; }
// CHECK: kernel unsigned_masks proved
K unsigned_masks(Y, unsigned c) { unsigned v = (c + c) & 240; y[v & 7] = 1; }
// CHECK: kernel no_overflow proved
K no_overflow(Y, short a, short b) { int v = (a * b) & 240; y[v & 7] = 1; }
// CHECK: kernel local_array violated
K local_array(Y, int b, int c) { int loc[8]; int z = 0; loc[z] = z; int v = (c + c) & 240; if (loc[v & 7] >= b) y[0] = 1; }
// CHECK: kernel times_zero {{violated|unknown}}
K times_zero(Y, int a, int b) { int p = a * b * 0; y[p] = 1; }
// CHECK: kernel less_itself {{violated|unknown}}
K less_itself(Y, int a, int b) { int p = a * b; y[p - p] = 1; }
// CHECK: kernel less_itself_unsigned {{violated|unknown}}
K less_itself_unsigned(Y, int a, int b) { unsigned p = a * b; y[p - p] = 1; }
// CHECK: kernel with_itself {{violated|unknown}}
K with_itself(Y, int a, int b) { int p = a * b; y[p ^ p] = 1; }
// CHECK: kernel by_one {{violated|unknown}}
K by_one(Y, int a, int b) { int p = a * b; y[p % 1] = 1; }
// CHECK: kernel shifted_out {{violated|unknown}}
K shifted_out(Y, int a, int b) { int p = a * b & 7; y[p >> 3] = 1; }
// CHECK: kernel multiple_of_32 {{violated|unknown}}
K multiple_of_32(Y, int a, int b) { unsigned s = 32u * (unsigned)(a * b) + threadIdx.x; y[s & 31] = 1; }
// CHECK: kernel multiple_unsigned proved
K multiple_unsigned(Y, unsigned a, unsigned b) { unsigned s = 32u * (a * b) + threadIdx.x; y[s & 31] = 1; }
// CHECK: kernel always_true {{violated|unknown}}
K always_true(Y, int a, int b) { int p = a * b & 7; if (p < 8) y[0] = 1; }
// CHECK: kernel never_true {{violated|unknown}}
K never_true(Y, int a, int b) { int p = a * b & 7; if (p == 8) return; y[0] = 1; }
// CHECK: kernel always_true_and_fits proved
K always_true_and_fits(Y, short a, short b) { int p = a * b & 7; if (p < 8) y[p] = 1; }
// CHECK: kernel least {{violated|unknown}}
K least(Y, int a, int b) { int p = a * b & 7; y[min(p, -1) + 1] = 1; }
// CHECK: kernel there_and_back {{violated|unknown}}
K there_and_back(Y, int a, int b) { long long p = a * b; float *q = y + p; q[-p] = 1; }
// CHECK: kernel there_and_back_in_64 proved
K there_and_back_in_64(Y, int a, int b) { long long p = (long long)a * b; float *q = y + p; q[-p] = 1; }
// CHECK: kernel bits_counted {{violated|unknown}}
K bits_counted(Y, int a, int b) { y[__popc(a * b) & 31] = 1; }
// CHECK: kernel bits_of_unsigned proved
K bits_of_unsigned(Y, unsigned a) { y[__popc(a) & 31] = 1; }
// What is lost in a loop, and what a variable of the loop has lost.
// CHECK: kernel in_loop {{violated|unknown}}
K in_loop(Y, int a, int n) { for (int i = 0; i < n && i < 32; i++) y[i + ((a * i & 240) & 7)] = 1; }
// CHECK: kernel carried {{violated|unknown}}
K carried(Y, int a, int n)
{
    int v = 0;
    for (int i = 0; i < n; i++)
        v = (v + a) * 3;
    y[(v & 240) & 7] = 1;
}
// A negative value that is read as unsigned, and a narrowing.
// CHECK: kernel changed violated
K changed(Y, int n) { unsigned u = n; y[u % 1] = 1; }
// CHECK: kernel narrowed violated
K narrowed(Y, int n) { short s = n; if (s < 40000) y[0] = 1; }
// Constants that arithmetic wraps, or a narrowing; not those of the source, nor their bits.
// CHECK: kernel wrapped_constant violated
K wrapped_constant(Y) { unsigned u = 7; u -= 8; long long q = u; y[q - 4294967295ll] = 1; }
// CHECK: kernel narrowed_constant violated
K narrowed_constant(Y) { int v = 300; unsigned char c = v; y[c - 44] = 1; }
// CHECK: kernel converted_constant violated
K converted_constant(Y) { signed char v = 1; v -= 3; y[(unsigned)v % 4u] = 1; }
// CHECK: kernel constant_quotient {{violated|unknown}}
K constant_quotient(Y) { int v = -8; v /= 2; unsigned u = v; y[u >> 27] = 1; }
// CHECK: kernel positive_constants proved
K positive_constants(Y) { signed char v = 7; unsigned u = v; int w = 9; w /= 2; unsigned q = w; y[(u >> 1) + (q >> 1)] = 1; }
// CHECK: kernel mask_of_the_source proved
K mask_of_the_source(Y) { unsigned m = -1; y[m >> 27] = 1; }
// CHECK: kernel masked_constant proved
K masked_constant(Y) { unsigned u = 7; u -= 8; y[u & 31] = 1; }
// CHECK: kernel all_ones proved
K all_ones(Y) { unsigned m = 0; m = ~m; y[m >> 27] = 1; }
// CHECK: kernel counted_down proved
K counted_down(Y) { for (unsigned i = 4; i-- > 0;) y[i] = 1; }
// CHECK: kernel compared proved
K compared(Y) { unsigned m = 0; m--; if (m == 0xffffffffu) y[0] = 1; }
// Data may overflow: no address and no guard depends on it.
// CHECK: kernel only_data proved
K only_data(Y, int a, int b) { int p = a * b & 240; y[threadIdx.x] = (p & 7) + (p < 256 ? 1 : 2); }
