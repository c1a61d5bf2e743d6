// Inline PTX that loads a byte or a half-word into a wider register extends it by its type.
// RUN: %verdicts %s --standin | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --standin --kernel=values 2>&1 | FileCheck --check-prefix=VALUES %s
// VALUES-NOT: warning:
// VALUES: no fault
#include <tilecheck.h>

#define BYTES tc_atomic tc_shape(1) signed char *s, tc_atomic tc_shape(1) unsigned char *u
template <class T> __device__ T load_s8(const signed char *p)
{
    T v;
    if (sizeof(T) == 2)
        asm volatile("ld.relaxed.gpu.s8 %0, [%1];" : "=h"(v) : "l"(p) : "memory");
    else
        asm volatile("ld.relaxed.gpu.s8 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int load_u8(const unsigned char *p)
{
    unsigned short v;
    asm volatile("ld.relaxed.gpu.u8 %0, [%1];" : "=h"(v) : "l"(p) : "memory");
    return v;
}

// CHECK: kernel inside proved
tc_block(1) tc_grid(1) __global__ void inside(BYTES, tc_mut tc_shape(256) int *y)
{
    y[128 + load_s8<short>(s)] = 1;
    y[load_u8(u)] = 2;
}
// CHECK: kernel b_unsigned violated
tc_block(1) tc_grid(1) __global__ void b_unsigned(BYTES, tc_mut tc_shape(256) int *y) { y[load_u8(u) - 128] = 1; }
// CHECK: kernel b_signed violated
tc_block(1) tc_grid(1) __global__ void b_signed(BYTES, tc_mut tc_shape(256) int *y) { y[127 + load_s8<short>(s)] = 1; }

tc_block(1) tc_grid(1) __global__ void values(BYTES, tc_mut tc_shape(2) int *y)
{
    asm volatile("st.relaxed.gpu.s8 [%0], %1;" ::"l"(s), "h"((short)-3) : "memory");
    asm volatile("st.relaxed.gpu.u8 [%0], %1;" ::"l"(u), "h"((short)200) : "memory");
    y[load_s8<short>(s) == -3 ? 0 : 8] = 1;
    y[load_s8<int>(s) == -3 ? 0 : 8] = 1;
    y[load_u8(u) == 200 ? 0 : 8] = 1;
}
