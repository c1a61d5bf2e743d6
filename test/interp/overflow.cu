// Overflow is told when it reaches an address or a guard, at the arithmetic that overflowed.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=65536 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(1) tc_grid(1)
__global__ void signed_product(tc_mut tc_shape(1) int *out, int n)
{
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}signed product overflows{{.*}}[TC2002]
    const int big = n * n;
    if (big > 1)
        out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void unsigned_product(tc_mut tc_shape(1) int *out, int n)
{
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}unsigned product overflows{{.*}}[TC2002]
    const unsigned big = (unsigned)n * (unsigned)n;
    out[(unsigned long long)big] = 1;
}

tc_block(1) tc_grid(1)
__global__ void widened_in_time(tc_mut tc_shape(1) int *out, int n)
{
    const long long big = (long long)n * n;
    if (big > 1)
        out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void narrowed(tc_mut tc_shape(2) int *out, int n)
{
    const long long big = (long long)n * n;
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}narrowing overflows{{.*}}[TC2002]
    out[(int)big] = 1;
}

tc_block(1) tc_grid(1)
__global__ void undone(tc_mut tc_shape(2) int *out, int n)
{
    const unsigned before = (unsigned)n - 65536u - 1u;
    out[(int)before + 1] = 1;
}

tc_block(1) tc_grid(1)
__global__ void range_test(tc_mut tc_shape(n) int *out, int n)
{
    const int y = (int)threadIdx.x - 1;
    if ((unsigned)y < (unsigned)n)
        out[y] = 1;
}

tc_block(1) tc_grid(1)
__global__ void negative_as_unsigned_index(tc_mut tc_shape(n) int *out, int n)
{
    const unsigned y = (int)threadIdx.x - 1;
    // CHECK-DAG: overflow.cu:[[@LINE+2]]:{{.*}}a negative value is read as unsigned{{.*}}[TC2002]
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}[TC2001]
    out[y] = 1;
}

tc_block(1) tc_grid(1)
__global__ void hash_is_data(tc_mut tc_shape(n) unsigned *out, int n)
{
    unsigned h = (unsigned)n;
    for (int i = 0; i < 8; ++i)
        h = h * 2654435761u + 12345u;
    out[0] = h;
    out[h & 255] = h >> 8;
}

tc_block(1) tc_grid(1)
__global__ void through_memory_of_the_thread(tc_mut tc_shape(1) int *out, int n)
{
    int a[2];
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}signed product overflows{{.*}}[TC2002]
    a[n & 1] = n * n;
    for (int i = 0; i < 1; ++i)
        if (a[(n & 1) + i] == 0)
            out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void sum_converted(tc_mut tc_shape(1) int *out, int n)
{
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}the result of the unsigned addition is too large for the signed type{{.*}}[TC2002]
    const int k = 2147480000u + (unsigned)n;
    if (k > 0)
        out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void sum_that_fits(tc_mut tc_shape(1) int *out, int n)
{
    const int k = 2147400000u + (unsigned)n;
    if (k > 0)
        out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void complemented_twice(tc_mut tc_shape(1) int *out, int n)
{
    const unsigned k = ~(~blockIdx.x) * (unsigned)n;
    out[(unsigned long long)k] = 1;
}

tc_block(1) tc_grid(1)
__global__ void complemented_twice_and_narrowed(tc_mut tc_shape(1) int *out, int n)
{
    unsigned char c = 8;
    c += ~(~gridDim.x);
    if (c < n)
        out[0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void complemented_and_narrowed(tc_mut tc_shape(1) int *out, int n)
{
    // CHECK-DAG: overflow.cu:[[@LINE+1]]:{{.*}}narrowing overflows{{.*}}[TC2002]
    const unsigned char c = 0x1234u ^ ~0u ^ ~(unsigned)n;
    if (c < n)
        out[0] = 1;
}
