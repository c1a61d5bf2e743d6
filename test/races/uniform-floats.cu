// Conditions on floats that all threads of a block have in common: what an operation gives is decided by its operands. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define T threadIdx.x
#define K tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 16) __global__ void
#define A                                                                                                                        \
    tc_shared tc_shape(n, B) const float *x, tc_shared tc_shape(n) const float *level, tc_shared tc_shape(n) const double *wide, \
        tc_mut tc_shape(n, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y, int n, float alpha

// Elements of a block change places, behind a barrier.
__device__ void turn(float *s, float *y)
{
    s[T] = 1;
    __syncthreads();
    y[blockIdx.x * B + T] = s[B - 1 - T];
}

// ---- read by all from one place ----

// CHECK: kernel returns proved
K returns(A) { __shared__ float s[B]; if (level[blockIdx.x] > 0) return; turn(s, y); }
// CHECK: kernel scaled proved
K scaled(A) { __shared__ float s[B]; if (level[blockIdx.x] * 2.0f - x[blockIdx.x * B] > alpha) turn(s, y); }
// CHECK: kernel of_functions proved
K of_functions(A) { __shared__ float s[B]; float v = level[blockIdx.x]; if (fmaxf(fabsf(v), sqrtf(-v)) < 1e-3f || isnan(v)) turn(s, y); }
// CHECK: kernel of_double proved
K of_double(A) { __shared__ float s[B]; double v = wide[blockIdx.x]; if ((float)v + (float)n < 1) turn(s, y); }
// CHECK: kernel as_integer proved
K as_integer(A) { __shared__ float s[B]; int k = (int)level[blockIdx.x]; for (int i = 0; i < k; i++) { turn(s, y); __syncthreads(); } }
// CHECK: kernel as_bits proved
K as_bits(A) { __shared__ float s[B]; if (__float_as_int(level[blockIdx.x]) & 0x7f800000) turn(s, y); }
// CHECK: kernel b_of_each {{unknown|violated}}
K b_of_each(A) { __shared__ float s[B]; if (x[blockIdx.x * B + T] > 0) turn(s, y); }
// CHECK: kernel b_with_one_of_each {{unknown|violated}}
K b_with_one_of_each(A) { __shared__ float s[B]; if (level[blockIdx.x] + x[blockIdx.x * B + T] > 0) turn(s, y); }
// CHECK: kernel b_with_its_number {{unknown|violated}}
K b_with_its_number(A) { __shared__ float s[B]; if (fmaxf(fabsf(level[blockIdx.x]), (float)T) > 30) turn(s, y); }

// ---- handed on in shared memory ----

// CHECK: kernel converges proved
K converges(A)
{
    __shared__ float s[B], change;
    for (int i = 0; i < 100; i++) {
        s[T] = x[blockIdx.x * B + T];
        __syncthreads();
        if (T == 0)
            change = s[3];
        __syncthreads();
        if (fabsf(change) * 2 < 1e-3f)
            break;
        y[blockIdx.x * B + T] = s[B - 1 - T];
        __syncthreads();
    }
}
// Thread 0 may change it before the others look.
// CHECK: kernel b_written_meanwhile {{unknown|violated}}
K b_written_meanwhile(A)
{
    __shared__ float s[B], change;
    for (int i = 0; i < 100; i++) {
        if (T == 0)
            change = x[blockIdx.x * B + i % B];
        s[T] = x[blockIdx.x * B + T];
        __syncthreads();
        if (fabsf(change) * 2 < 1e-3f)
            break;
        y[blockIdx.x * B + T] = s[B - 1 - T];
    }
}

// ---- by way of variables ----

// CHECK: kernel kept proved
K kept(A)
{
    __shared__ float s[B];
    float v = level[blockIdx.x], sum = 0;
    for (int i = 0; i < (int)T; i++)
        sum += x[blockIdx.x * B + i];
    if (v > 0)
        turn(s, y);
    y[blockIdx.x * B + T] = sum;
}
// CHECK: kernel b_changed_in_loop {{unknown|violated}}
K b_changed_in_loop(A)
{
    __shared__ float s[B];
    float v = 0;
    for (int i = 0; i < 32; i++)
        if (T == i)
            v = 1;
    if (v > 0)
        turn(s, y);
}
// Once in a loop, and from the second iteration on another one.
// CHECK: kernel b_next_iteration {{unknown|violated}}
K b_next_iteration(A)
{
    __shared__ float s[B];
    float v = level[blockIdx.x];
    for (int i = 0; i < 4; i++) {
        if (v > 0)
            turn(s, y);
        __syncthreads();
        v = x[blockIdx.x * B + T];
    }
}
// CHECK: kernel b_one_or_other {{unknown|violated}}
K b_one_or_other(A)
{
    __shared__ float s[B];
    float v = level[blockIdx.x];
    if (T < 3)
        v = x[blockIdx.x * B];
    if (v > 0)
        turn(s, y);
}
// CHECK: kernel b_two_constants {{unknown|violated}}
K b_two_constants(A) { __shared__ float s[B]; float v = T < 3 ? 1.0f : -1.0f; if (v > 0) turn(s, y); }
// CHECK: kernel b_zeros {{unknown|violated}}
K b_zeros(A) { __shared__ float s[B]; float v = T < 3 ? 0.0f : -0.0f; if (1 / v > 0) turn(s, y); }
// One of the two may be contracted with the addition.
// CHECK: kernel b_two_instructions {{unknown|violated}}
K b_two_instructions(A)
{
    __shared__ float s[B];
    float a = level[blockIdx.x], v;
    if (T < 3)
        v = a * a - alpha;
    else
        v = a * a - alpha;
    if (v > 0)
        turn(s, y);
}
// CHECK: kernel b_not_by_all {{unknown|violated}}
K b_not_by_all(A)
{
    __shared__ float s[B];
    float v;
    if (T < 3)
        v = level[blockIdx.x];
    if (v > 0)
        turn(s, y);
}
// Threads leave the loop in different iterations: each has another element.
// CHECK: kernel b_last_seen {{unknown|violated}}
K b_last_seen(A)
{
    __shared__ float s[B];
    float v = 0;
    for (int i = 0; i <= (int)T; i++)
        v = x[blockIdx.x * B + i] * 2;
    if (v > 0)
        turn(s, y);
}
// CHECK: kernel b_element_of_array {{unknown|violated}}
K b_element_of_array(A)
{
    __shared__ float s[B];
    float v[2] = {level[blockIdx.x], alpha};
    if (v[T & 1] > 0)
        turn(s, y);
}
// CHECK: kernel b_half_of_it {{unknown|violated}}
K b_half_of_it(A)
{
    __shared__ float s[B];
    double v = wide[blockIdx.x];
    float h;
    if (T < 3)
        memcpy(&h, &v, 4);
    else
        memcpy(&h, (char *)&v + 4, 4);
    if (h > 0)
        turn(s, y);
}
// CHECK: kernel b_other_parameter {{unknown|violated}}
K b_other_parameter(A) { __shared__ float s[B]; if (T < 3) alpha = 1; if (alpha > 0) turn(s, y); }
