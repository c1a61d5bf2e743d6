// Elements of a tc_out parameter that are written part by part, padding that nobody writes, and fills of any length. b_: near misses.
// RUN: %verdicts %s --rules=TC1007 | FileCheck %s
#include <tilecheck.h>
#define B 32
#define EACH tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20) __global__ void
#define ONE tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 20) __global__ void
#define INDEX blockIdx.x * B + threadIdx.x

typedef struct Pair {
    float a, b;
} Pair;
typedef struct Three {
    float v[3];
} Three;
typedef struct Padded {
    char c;
    int i;
} Padded;
typedef struct Nested {
    Padded p;
    double d;
    short s;
} Nested;
typedef struct Tagged {
    int tag;
    union {
        char c;
        int i;
    } as;
} Tagged;
typedef struct Bits {
    unsigned low : 3, high : 20;
} Bits;

// ---- fields ----

// CHECK: kernel fields proved
EACH fields(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].a = 1;
        y[i].b = 2;
    }
}
// CHECK: kernel b_one_field violated
EACH b_one_field(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i < n)
        y[i].a = 1;
}
// CHECK: kernel b_last_field violated
EACH b_last_field(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i < n)
        y[i].a = 1;
    if (i < n - 1)
        y[i].b = 2;
}
// CHECK: kernel components proved
EACH components(tc_out tc_shape(n) float4 *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].x = 1;
        y[i].y = 2;
        y[i].z = 3;
        y[i].w = 4;
    }
}
// CHECK: kernel b_components violated
EACH b_components(tc_out tc_shape(n) float4 *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].x = 1;
        y[i].y = 2;
        y[i].w = 4;
    }
}
// Each field by a thread of its own.
// CHECK: kernel from_both_ends proved
EACH from_both_ends(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].a = 1;
        y[n - 1 - i].b = 2;
    }
}
// CHECK: kernel b_from_both_ends violated
EACH b_from_both_ends(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i < n - 1) {
        y[i].a = 1;
        y[n - 1 - i].b = 2;
    }
    if (i == n - 1)
        y[i].a = 1;
}
// CHECK: kernel rows_of_pairs proved
tc_block(16, 8) tc_grid(tc_cdiv(n, 16), tc_cdiv(m, 8)) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void rows_of_pairs(tc_out tc_shape(m, n) tc_tile(8, 16) int2 *y, int m, int n)
{
    int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r < m && c < n) {
        y[r * n + c].x = r;
        y[r * n + c].y = c;
    }
}
// The second half of an element and the first one of the next: of the first element only the second.
// CHECK: kernel across proved
EACH across(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i == 0)
        y[0].a = 1;
    if (i < n - 1)
        *(int2 *)((char *)y + 8 * i + 4) = make_int2(1, 2);
    if (i == n - 1)
        y[i].b = 2;
}
// CHECK: kernel b_across violated
EACH b_across(tc_out tc_shape(n) Pair *y, int n)
{
    int i = INDEX;
    if (i < n - 1)
        *(int2 *)((char *)y + 8 * i + 4) = make_int2(1, 2);
    if (i == n - 1) {
        y[i].a = 1;
        y[i].b = 2;
    }
}
// CHECK: kernel array_in_struct proved
EACH array_in_struct(tc_out tc_shape(n) Three *y, int n)
{
    int i = INDEX;
    if (i < n)
        for (int k = 0; k < 3; k++)
            y[i].v[k] = k;
}
// CHECK: kernel b_array_in_struct violated
EACH b_array_in_struct(tc_out tc_shape(n) Three *y, int n)
{
    int i = INDEX;
    if (i < n)
        for (int k = 0; k < 2; k++)
            y[i].v[k] = k;
}

// ---- padding ----

// CHECK: kernel padding proved
EACH padding(tc_out tc_shape(n) Padded *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].c = 1;
        y[i].i = 2;
    }
}
// CHECK: kernel b_padding violated
EACH b_padding(tc_out tc_shape(n) Padded *y, int n)
{
    int i = INDEX;
    if (i < n)
        y[i].i = 2;
}
// CHECK: kernel padding_behind proved
EACH padding_behind(tc_out tc_shape(n) Nested *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].p.c = 1;
        y[i].p.i = 2;
        y[i].d = 3;
        y[i].s = 4;
    }
}
// CHECK: kernel b_padding_behind violated
EACH b_padding_behind(tc_out tc_shape(n) Nested *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].p.c = 1;
        y[i].p.i = 2;
        y[i].d = 3;
    }
}
// Padding that was copied from where nobody wrote it makes nothing of what is beside it.
// CHECK: kernel copied_and_read proved
EACH copied_and_read(tc_out tc_shape(n) Padded *y, tc_out tc_shape(n) Padded *z, int n)
{
    int i = INDEX;
    if (i < n) {
        Padded p;
        p.c = 1;
        p.i = 2;
        y[i] = p;
        z[i] = y[i];
    }
}
// CHECK: kernel b_copied_and_read violated
EACH b_copied_and_read(tc_out tc_shape(n) Padded *y, tc_out tc_shape(n) Padded *z, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].c = 1;
        z[i] = y[i];
        y[i].i = 2;
    }
}
// Copied as a whole behind two writes: no violation, and not shown.
// CHECK: kernel two_and_a_copy unknown
EACH two_and_a_copy(tc_out tc_shape(n) Padded *y, tc_out tc_shape(n) Padded *z, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].c = 1;
        y[i].i = 2;
        z[i] = y[i];
    }
}
// A union is a value from end to end in proofs, and may be any of its members in runs.
// CHECK: kernel member_of_union proved
EACH member_of_union(tc_out tc_shape(n) Tagged *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].tag = 1;
        y[i].as.i = 2;
    }
}
// CHECK: kernel small_member_of_union unknown
EACH small_member_of_union(tc_out tc_shape(n) Tagged *y, int n)
{
    int i = INDEX;
    if (i < n) {
        y[i].tag = 0;
        y[i].as.c = 2;
    }
}
// CHECK: kernel b_member_of_union violated
EACH b_member_of_union(tc_out tc_shape(n) Tagged *y, int n)
{
    int i = INDEX;
    if (i < n)
        y[i].tag = 1;
}
// CHECK: kernel bits proved
EACH bits(tc_out tc_shape(n) Bits *y, int n)
{
    int i = INDEX;
    if (i < n) {
        Bits b;
        b.low = 1;
        b.high = 2;
        y[i] = b;
    }
}
// CHECK: kernel b_bits violated
EACH b_bits(tc_out tc_shape(n) Bits *y, int n)
{
    int i = INDEX;
    if (i < n - 1) {
        Bits b;
        b.low = 1;
        b.high = 2;
        y[i] = b;
    }
}

// ---- fills and copies ----

// CHECK: kernel filled proved
ONE filled(tc_out tc_shape(n) float *y, int n)
{
    memset(y, 0, n * sizeof(float));
}
// CHECK: kernel b_filled violated
ONE b_filled(tc_out tc_shape(n) float *y, int n)
{
    memset(y, 0, (n - 1) * sizeof(float));
}
// CHECK: kernel b_filled_from_one violated
ONE b_filled_from_one(tc_out tc_shape(n) float *y, int n)
{
    memset(y + 1, 0, (n - 1) * sizeof(float));
}
// CHECK: kernel b_part_of_the_last violated
ONE b_part_of_the_last(tc_out tc_shape(n) float *y, int n)
{
    memset(y, 0, n * sizeof(float) - 1);
}
// CHECK: kernel copied proved
ONE copied(tc_out tc_shape(n) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    y[0] = x[0];
    memcpy(y + 1, x + 1, (n - 1) * sizeof(float));
}
// CHECK: kernel rows_filled proved
tc_block(1) tc_grid(m) tc_requires(m >= 1 && m <= 1024 && n >= 1 && n <= 1024)
__global__ void rows_filled(tc_out tc_shape(m, n) Pair *y, int m, int n)
{
    memset(y + blockIdx.x * n, 0, n * sizeof(Pair));
}
// CHECK: kernel b_rows_filled violated
tc_block(1) tc_grid(m) tc_requires(m >= 1 && m <= 1024 && n >= 1 && n <= 1024)
__global__ void b_rows_filled(tc_out tc_shape(m, n) Pair *y, int m, int n)
{
    memset(y + blockIdx.x * n, 0, n * sizeof(Pair) - sizeof(float));
}
// Rows with gaps between them are longer than their elements together.
// CHECK: kernel b_gaps violated
tc_block(1) tc_grid(1) tc_requires(m >= 1 && m <= 1024)
__global__ void b_gaps(tc_out tc_shape(m, 8) tc_stride(9, 1) float *y, int m)
{
    memset(y, 0, m * 8 * sizeof(float));
}
