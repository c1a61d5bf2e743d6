// Exclusive or, masks and shifts: over bit-vectors where all is bounded, and as lemmas for linear integers where it is not. Each has a
// near miss that is no proof.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --match-full-lines
// RUN: %exits 2 %tilecheck --rules=TC1,TC2 --report=%t.json %s
// RUN: FileCheck %s --check-prefix=RUNG <%t.json
// RUNG: "name": "shuffled_blocks"
// RUNG: "rung": "bit-vector"
// RUNG: "name": "gray_rows"
// RUNG: "rung": "bit-vector"
#include <tilecheck.h>

// CHECK: kernel shuffled_blocks proved
tc_block(128) tc_grid(64)
__global__ void shuffled_blocks(tc_mut tc_shape(64 * 128) float *y)
{
    int b = blockIdx.x ^ (blockIdx.x >> 3);
    y[b * 128 + threadIdx.x] = 1;
}

// CHECK: kernel folded_blocks violated
tc_block(128) tc_grid(64)
__global__ void folded_blocks(tc_mut tc_shape(64 * 128) float *y)
{
    int b = (blockIdx.x ^ (blockIdx.x >> 3)) & 31;
    y[b * 128 + threadIdx.x] = 1;
}

// Rows of a length that is known at launch: the offset is no bounded number, the row is.
// CHECK: kernel gray_rows proved
tc_block(128) tc_grid(128)
__global__ void gray_rows(tc_mut tc_shape(128, n) float *y, int n)
{
    int row = blockIdx.x ^ (blockIdx.x >> 1);
    for (int i = threadIdx.x; i < n && i < 100000; i += 128)
        y[(size_t)row * n + i] = 1;
}

// CHECK: kernel or_rows violated
tc_block(128) tc_grid(128)
__global__ void or_rows(tc_mut tc_shape(128, n) float *y, int n)
{
    int row = blockIdx.x | (blockIdx.x >> 1);
    for (int i = threadIdx.x; i < n && i < 100000; i += 128)
        y[(size_t)row * n + i] = 1;
}

// CHECK: kernel partner proved
tc_block(128) tc_grid(1 << lg) tc_requires(0 <= lg && lg <= 16 && 0 <= m && m < (1 << lg))
__global__ void partner(tc_mut tc_shape((1 << lg) * 128) float *y, int lg, int m)
{
    y[(blockIdx.x ^ m) * 128 + threadIdx.x] = 1;
}

// CHECK: kernel partner_beyond violated
tc_block(128) tc_grid(1 << lg) tc_requires(0 <= lg && lg <= 16 && 0 <= m && m <= (1 << lg))
__global__ void partner_beyond(tc_mut tc_shape((1 << lg) * 128) float *y, int lg, int m)
{
    y[(blockIdx.x ^ m) * 128 + threadIdx.x] = 1;
}

// A swizzled tile of 64 rows of 128 bytes, 16 bytes at a time.
// CHECK: kernel swizzled_tile proved
tc_block(128) tc_grid(1) tc_smem(64 * 128)
__global__ void swizzled_tile(tc_mut tc_shape(128) float *y)
{
    extern __shared__ __align__(16) unsigned char tile[];
    for (int k = 0; k < 4; k++) {
        unsigned o = (threadIdx.x / 8 + k * 16) * 128 + threadIdx.x % 8 * 16;
        o ^= o >> 3 & 0x70;
        *(float4 *)(tile + o) = make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    y[threadIdx.x] = ((float *)tile)[threadIdx.x];
}

// The mask lets bit 3 through: 16 bytes at an odd multiple of 8.
// CHECK: kernel swizzled_too_finely violated
tc_block(128) tc_grid(1) tc_smem(64 * 128)
__global__ void swizzled_too_finely(tc_mut tc_shape(128) float *y)
{
    extern __shared__ __align__(16) unsigned char tile[];
    for (int k = 0; k < 4; k++) {
        unsigned o = (threadIdx.x / 8 + k * 16) * 128 + threadIdx.x % 8 * 16;
        o ^= o >> 4 & 0x78;
        *(float4 *)(tile + o) = make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    y[threadIdx.x] = ((float *)tile)[threadIdx.x];
}

// CHECK: kernel butterfly proved
tc_block(512) tc_grid(rows)
__global__ void butterfly(tc_mut tc_shape(rows, 1024) float *y, int rows)
{
    float *p = y + (size_t)blockIdx.x * 1024;
    for (int s = 1; s < 1024; s <<= 1) {
        int lo = (threadIdx.x & ~(s - 1)) << 1 | (threadIdx.x & (s - 1)), hi = lo | s;
        float u = p[lo], v = p[hi];
        p[lo] = u + v;
        p[hi] = u - v;
        __syncthreads();
    }
}

// CHECK: kernel butterfly_too_far violated
tc_block(512) tc_grid(rows)
__global__ void butterfly_too_far(tc_mut tc_shape(rows, 1024) float *y, int rows)
{
    float *p = y + (size_t)blockIdx.x * 1024;
    for (int s = 1; s <= 1024; s <<= 1) {
        int lo = (threadIdx.x & ~(s - 1)) << 1 | (threadIdx.x & (s - 1)), hi = lo | s;
        float u = p[lo], v = p[hi];
        p[lo] = u + v;
        p[hi] = u - v;
        __syncthreads();
    }
}
