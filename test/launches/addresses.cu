// What the code before a launch says of addresses: how they are aligned, and that buffers are apart.
// RUN: %launches %s | FileCheck %s
#include <tilecheck.h>
#include <stdint.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void wide(tc_mut tc_shape(n) tc_tile(1024) tc_align(16) float *y, tc_shared tc_shape(n) tc_align(16) const float *x, int n)
{
    int i = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (i + 3 < n)
        *(float4 *)(y + i) = *(const float4 *)(x + i);
}

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void in_place(tc_mut tc_shape(n) tc_tile(256) tc_inplace(x) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = 2.0f * x[i];
}

static bool is_size(int n) { return n >= 1 && n <= 1 << 28; }

// ---- alignment ----

void g_both_tested(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 16 != 0 || (uintptr_t)x % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: g_both_tested wide {{.*}} TC4001 proved, TC4002 run-time

void g_mask(float *y, const float *x, int n)
{
    if (is_size(n) && ((uintptr_t)y & 15) == 0 && ((uintptr_t)x & 31) == 0)
        wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: g_mask wide {{.*}} TC4001 proved

void open_one_tested(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: open_one_tested wide {{.*}} TC4001 run-time

void open_too_little(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 8 != 0 || (uintptr_t)x % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: open_too_little wide {{.*}} TC4001 run-time

// The one that is tested is not the one that is passed.
void open_moved(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 16 != 0 || (uintptr_t)x % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x + 2, n);
}
// CHECK: open_moved wide {{.*}} TC4001 run-time

void g_moved_by_four(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 16 != 0 || (uintptr_t)x % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x + 4, n);
}
// CHECK: g_moved_by_four wide {{.*}} TC4001 proved

void open_tested_the_other_way(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 16 == 0 || (uintptr_t)x % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: open_tested_the_other_way wide {{.*}} TC4001 run-time

// Null is aligned, and what is not null has been tested; or it has not.
tc_block(256) tc_grid(tc_cdiv(n, 1024)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void may_be_null(tc_mut tc_shape(n) tc_tile(1024) float *y, tc_shared tc_optional tc_shape(n) tc_align(16) const float *x, int n)
{
    int i = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (i + 3 < n && x != nullptr)
        y[i] = (*(const float4 *)(x + i)).x;
}
void g_null_or_tested(float *y, const float *x, int n)
{
    if (!is_size(n))
        return;
    if (x == nullptr || (uintptr_t)x % 16 == 0)
        may_be_null<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: g_null_or_tested may_be_null {{.*}} TC4001 proved
void open_null_tested_only(float *y, const float *x, int n)
{
    if (!is_size(n))
        return;
    if (x != nullptr || (uintptr_t)y % 16 == 0)
        may_be_null<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: open_null_tested_only may_be_null {{.*}} TC4001 run-time

// A pointer that is another one in each turn.
void open_in_a_loop(float **list, const float *x, int count, int n)
{
    if (!is_size(n) || (uintptr_t)x % 16 != 0 || (uintptr_t)list[0] % 16 != 0)
        return;
    for (int i = 0; i < count; i++)
        wide<<<(n + 1023) / 1024, 256>>>(list[i], x, n);
}
// CHECK: open_in_a_loop wide {{.*}} TC4001 run-time

void g_a_field(float **list, const float *x, int n)
{
    float *y = list[3];
    if (!is_size(n) || (uintptr_t)x % 16 != 0 || (uintptr_t)y % 16 != 0)
        return;
    wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: g_a_field wide {{.*}} TC4001 proved

void refill(float **list);

void open_a_field_read_again(float **list, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)x % 16 != 0 || (uintptr_t)list[3] % 16 != 0)
        return;
    refill(list);
    wide<<<(n + 1023) / 1024, 256>>>(list[3], x, n);
}
// CHECK: open_a_field_read_again wide {{.*}} TC4001 run-time

// ---- apart ----

void g_apart(float *y, const float *x, int n)
{
    if (!is_size(n))
        return;
    if (y + n <= x || x + n <= y)
        in_place<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: g_apart in_place {{.*}} TC4001 proved, TC4002 proved

void g_apart_or_the_same(float *y, const float *x, int n)
{
    if (!is_size(n))
        return;
    if (y + n <= x || x + n <= y || x == y)
        in_place<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: g_apart_or_the_same in_place {{.*}} TC4002 proved

void g_apart_as_numbers(float *y, const float *x, int n)
{
    if (!is_size(n))
        return;
    const uintptr_t a = (uintptr_t)y, b = (uintptr_t)x, bytes = (uintptr_t)n * sizeof(float);
    if (a < b ? b - a < bytes : a - b < bytes)
        return;
    in_place<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: g_apart_as_numbers in_place {{.*}} TC4002 proved

// An element too few.
void open_nearly_apart(float *y, const float *x, int n)
{
    if (!is_size(n))
        return;
    if (y + n - 1 <= x || x + n <= y)
        in_place<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: open_nearly_apart in_place {{.*}} TC4002 run-time

void open_only_different(float *y, const float *x, int n)
{
    if (is_size(n) && x != y)
        in_place<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: open_only_different in_place {{.*}} TC4002 run-time

// Of another pair, and the same one where that is not allowed.
void open_the_same(float *y, const float *x, int n)
{
    if (!is_size(n) || (uintptr_t)y % 16 != 0 || (uintptr_t)x % 16 != 0)
        return;
    if (y + n <= x || x + n <= y || x == y)
        wide<<<(n + 1023) / 1024, 256>>>(y, x, n);
}
// CHECK: open_the_same wide {{.*}} TC4001 proved, TC4002 run-time

void open_another_pair(float *y, const float *x, const float *z, int n)
{
    if (!is_size(n))
        return;
    if (y + n <= z || z + n <= y)
        in_place<<<(n + 255) / 256, 256>>>(y, x, n);
}
// CHECK: open_another_pair in_place {{.*}} TC4002 run-time
