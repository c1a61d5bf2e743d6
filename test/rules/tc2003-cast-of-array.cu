// TC2003: an access through a cast is as wide and as aligned as its type, however the array below is declared.
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2 2>&1 | FileCheck %s
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

#define KERNEL tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y

// VERDICT: kernel shared_rows violated
KERNEL shared_rows(OUT)
{
    __shared__ __align__(16) float s[32][33];
    // CHECK: tc2003-cast-of-array.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}16 bytes at byte 132 of 's'{{.*}}[TC2003]
    *(float4 *)&s[threadIdx.x][0] = make_float4(1, 2, 3, 4);
    y[threadIdx.x] = s[0][0];
}

// VERDICT: kernel shared_rows_padded_by_four proved
KERNEL shared_rows_padded_by_four(OUT)
{
    __shared__ __align__(16) float s[32][36];
    *(float4 *)&s[threadIdx.x][0] = make_float4(1, 2, 3, 4);
    y[threadIdx.x] = s[0][0];
}

// VERDICT: kernel by_reference violated
KERNEL by_reference(OUT, tc_shared tc_shape(64) tc_align(16) const float *x)
{
    // CHECK: tc2003-cast-of-array.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}16 bytes at byte 4 of 'x'{{.*}}[TC2003]
    const float4 v = reinterpret_cast<const float4 &>(x[threadIdx.x]);
    y[threadIdx.x] = v.x;
}

// VERDICT: kernel by_reference_aligned proved
KERNEL by_reference_aligned(OUT, tc_shared tc_shape(128) tc_align(16) const float *x)
{
    const float4 v = reinterpret_cast<const float4 &>(x[4 * threadIdx.x]);
    y[threadIdx.x] = v.x;
}

// A member of a vector needs its own width's alignment.
// VERDICT: kernel one_member proved
KERNEL one_member(OUT, tc_shared tc_shape(64) const float *x)
{
    __shared__ float s[36];
    ((float4 *)&s[1])->x = reinterpret_cast<const float4 *>(x + threadIdx.x)->x;
    y[threadIdx.x] = s[1];
}

__device__ __align__(16) float device[64];
__constant__ __align__(16) float constant[64];

// VERDICT: kernel device_array violated
KERNEL device_array(OUT)
{
    // CHECK: tc2003-cast-of-array.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'device'{{.*}}[TC2003]
    const double v = ((double *)&device[1])[threadIdx.x % 8];
    y[threadIdx.x] = (float)v;
}

// VERDICT: kernel constant_array violated
KERNEL constant_array(OUT)
{
    // CHECK: tc2003-cast-of-array.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'constant'{{.*}}[TC2003]
    const float4 v = *(const float4 *)&constant[threadIdx.x];
    y[threadIdx.x] = v.x;
}

// VERDICT: kernel constant_array_aligned proved
KERNEL constant_array_aligned(OUT)
{
    const float4 v = *(const float4 *)&constant[4 * (threadIdx.x % 16)];
    y[threadIdx.x] = v.x;
}

// VERDICT: kernel local_array violated
KERNEL local_array(OUT)
{
    __align__(16) float s[8] = {};
    // CHECK: tc2003-cast-of-array.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}16 bytes at byte 8 of 's'{{.*}}[TC2003]
    const float4 v = *(float4 *)(s + 2);
    y[threadIdx.x] = v.x;
}

// VERDICT: kernel local_array_aligned proved
KERNEL local_array_aligned(OUT)
{
    __align__(16) float s[8] = {};
    const float4 v = *(float4 *)(s + 4);
    y[threadIdx.x] = v.x;
}

// VERDICT: kernel local_array_not_declared unknown
KERNEL local_array_not_declared(OUT)
{
    float s[4] = {};
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}declare it __align__(16)
    const float4 v = *(float4 *)s;
    y[threadIdx.x] = v.x;
}

template <int first> struct Row {
    float data[36];
    __device__ float4 &four()
    {
        return reinterpret_cast<float4 &>(data[first]);
    }
};

// In instantiations too.
// VERDICT: kernel member_of_template violated
KERNEL member_of_template(OUT)
{
    __shared__ __align__(16) Row<1> row;
    row.four() = make_float4(1, 2, 3, 4);
    y[threadIdx.x] = row.data[1];
}

// VERDICT: kernel member_of_template_aligned proved
KERNEL member_of_template_aligned(OUT)
{
    __shared__ __align__(16) Row<4> row;
    row.four() = make_float4(1, 2, 3, 4);
    y[threadIdx.x] = row.data[4];
}

// A structure that a function takes by value.
struct Pair {
    float x[2];
};

__device__ double joined(Pair p, int i)
{
    return *(double *)&p.x[i % 2];
}

struct __align__(8) AlignedPair {
    float x[2];
};

__device__ double joined_aligned(AlignedPair p)
{
    return *(double *)p.x;
}

// VERDICT: kernel argument_by_value {{violated|unknown}}
KERNEL argument_by_value(OUT, tc_shared tc_shape(32) const float *x)
{
    Pair p = {{x[0], x[1]}};
    y[threadIdx.x] = (float)joined(p, 0);
}

// VERDICT: kernel argument_by_value_aligned proved
KERNEL argument_by_value_aligned(OUT, tc_shared tc_shape(32) const float *x)
{
    AlignedPair p = {{x[0], x[1]}};
    y[threadIdx.x] = (float)joined_aligned(p);
}

// VERDICT: kernel array_of_parameter proved
KERNEL array_of_parameter(OUT, Pair p)
{
    y[threadIdx.x] = p.x[threadIdx.x % 2];
}
