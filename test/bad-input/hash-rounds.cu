// Rounds of a hash make formulas that double with each step; no address sees them. Unrolled by hand as real ones are, the kernel is checked in
// bounded time, and what does not hang on them is proved.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define STEP(a, b, c, d, k) a = ROTATE(a + ((b & c) ^ (~b & d)) + w[(k) & 15] + 0x5a827999u * (k), 7) + b; d ^= ROTATE(a ^ c, 13); b += d * a;
#define FOUR(k) STEP(a, b, c, d, k) STEP(d, a, b, c, k + 1) STEP(c, d, a, b, k + 2) STEP(b, c, d, a, k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
#define ALL SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)

// CHECK: kernel digest proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n <= 1 << 24)
__global__ void digest(tc_shared tc_shape(n, 16) const unsigned *in, tc_mut tc_shape(n, 4) unsigned *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n)
        return;
    unsigned w[16];
    for (int k = 0; k < 16; k++)
        w[k] = in[i * 16 + k];
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    ALL ALL
    out[i * 4] = a;
    out[i * 4 + 1] = b;
    out[i * 4 + 2] = c;
    out[i * 4 + 3] = d;
}

// An index that is made of it is any number.
// CHECK: kernel scattered violated
tc_block(128) tc_grid(1)
__global__ void scattered(tc_shared tc_shape(128, 16) const unsigned *in, tc_atomic tc_shape(1024) unsigned *bins)
{
    unsigned w[16];
    for (int k = 0; k < 16; k++)
        w[k] = in[threadIdx.x * 16 + k];
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    ALL
    atomicAdd(&bins[a >> 20], 1u);
}

// Masked, it is in range; that additions on the way may wrap is told (TC2002).
// CHECK: kernel masked {{violated|unknown}}
tc_block(128) tc_grid(1)
__global__ void masked(tc_shared tc_shape(128, 16) const unsigned *in, tc_atomic tc_shape(1024) unsigned *bins)
{
    unsigned w[16];
    for (int k = 0; k < 16; k++)
        w[k] = in[threadIdx.x * 16 + k];
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    ALL
    atomicAdd(&bins[a & 1023], 1u);
}
