// Matrices of a warp in inline PTX: ldmatrix and stmatrix touch the rows that lanes name, and all lanes come. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <cuda_fp16.h>
#include <tilecheck.h>

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void load1(unsigned &r, const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(row)));
}
__device__ __forceinline__ void load2t(unsigned (&r)[2], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at(row)));
}
__device__ __forceinline__ void load4(unsigned (&r)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at(row)));
}
__device__ __forceinline__ void store2(void *row, unsigned a, unsigned b)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at(row)), "r"(a), "r"(b) : "memory");
}
__device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ unsigned pack(float a, float b)
{
    return (unsigned)__half_as_ushort(__float2half(a)) | (unsigned)__half_as_ushort(__float2half(b)) << 16;
}
__device__ __forceinline__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory");
}

// ---- a tile of C = A B: a block of four warps has 64 x 32 of it, a warp 16 x 32 ----

#define M 64
#define N 32
#define K 32
#define SIZES m > 0 && n > 0 && k > 0 && m % M == 0 && n % N == 0 && k % K == 0
typedef const __half *__restrict__ in;

// Rows are padded by 16 bytes, so that the eight of a matrix lie in different banks.
// CHECK: kernel padded proved
tc_block(128) tc_grid(tc_cdiv(n, N), tc_cdiv(m, M)) tc_requires(SIZES)
__global__ void padded(tc_mut tc_shape(m, n) tc_tile(M, N) float *C, tc_shared tc_shape(m, k) tc_align(16) in A,
                       tc_shared tc_shape(k, n) tc_align(16) in B, int m, int n, int k)
{
    __shared__ __align__(16) __half a[M][K + 8], b[K][N + 8];
    const int row = blockIdx.y * M, column = blockIdx.x * N, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float c[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += K) {
        for (int i = threadIdx.x; i < M * K / 8; i += 128)
            copy16(&a[i / 4][i % 4 * 8], &A[(row + i / 4) * (long long)k + k0 + i % 4 * 8]);
        for (int i = threadIdx.x; i < K * N / 8; i += 128)
            copy16(&b[i / 4][i % 4 * 8], &B[(k0 + i / 4) * (long long)n + column + i % 4 * 8]);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        for (int kk = 0; kk < K; kk += 16) {
            unsigned fa[4], fb[2];
            load4(fa, &a[warp * 16 + lane % 16][kk + lane / 16 * 8]);
            for (int j = 0; j < 4; j++) {
                load2t(fb, &b[kk + lane % 16][j * 8]);
                mma(c[j], fa, fb);
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            C[(row + warp * 16 + lane / 4 + i / 2 * 8) * (long long)n + column + j * 8 + lane % 4 * 2 + i % 2] = c[j][i];
}

// The next tile of A is copied while others still read this one.
// CHECK: kernel b_no_second_barrier {{unknown|violated}}
tc_block(128) tc_grid(tc_cdiv(n, N), tc_cdiv(m, M)) tc_requires(SIZES)
__global__ void b_no_second_barrier(tc_mut tc_shape(m, n) tc_tile(M, N) float *C, tc_shared tc_shape(m, k) tc_align(16) in A,
                                    tc_shared tc_shape(k, n) tc_align(16) in B, int m, int n, int k)
{
    __shared__ __align__(16) __half a[M][K + 8], b[K][N + 8];
    const int row = blockIdx.y * M, column = blockIdx.x * N, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float c[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += K) {
        for (int i = threadIdx.x; i < M * K / 8; i += 128)
            copy16(&a[i / 4][i % 4 * 8], &A[(row + i / 4) * (long long)k + k0 + i % 4 * 8]);
        for (int i = threadIdx.x; i < K * N / 8; i += 128)
            copy16(&b[i / 4][i % 4 * 8], &B[(k0 + i / 4) * (long long)n + column + i % 4 * 8]);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        for (int kk = 0; kk < K; kk += 16) {
            unsigned fa[4], fb[2];
            load4(fa, &a[warp * 16 + lane % 16][kk + lane / 16 * 8]);
            for (int j = 0; j < 4; j++) {
                load2t(fb, &b[kk + lane % 16][j * 8]);
                mma(c[j], fa, fb);
            }
        }
    }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            C[(row + warp * 16 + lane / 4 + i / 2 * 8) * (long long)n + column + j * 8 + lane % 4 * 2 + i % 2] = c[j][i];
}

// Pieces of 16 bytes stand in other places of their row in every second row, and none is lost.
// CHECK: kernel swizzled proved
tc_block(128) tc_grid(tc_cdiv(m, M)) tc_requires(m > 0 && m % M == 0)
__global__ void swizzled(tc_mut tc_shape(m, 8) tc_tile(M, 8) tc_at(blockIdx.x, 0) float *C, tc_shared tc_shape(m, 32) tc_align(16) in A,
                         tc_shared tc_shape(32, 8) tc_align(16) in B, int m)
{
    __shared__ __align__(16) __half a[M * 32], b[32 * 8];
    const int row = blockIdx.x * M, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < M * 4; i += 128) {
        const int r = i / 4, piece = i % 4 ^ (r / 2 % 4);
        *reinterpret_cast<uint4 *>(&a[r * 32 + piece * 8]) = *reinterpret_cast<const uint4 *>(&A[(row + r) * 32ll + i % 4 * 8]);
    }
    if (threadIdx.x < 32)
        *reinterpret_cast<uint4 *>(&b[threadIdx.x * 8]) = *reinterpret_cast<const uint4 *>(&B[threadIdx.x * 8]);
    __syncthreads();
    float c[4] = {};
    for (int kk = 0; kk < 2; kk++) {
        unsigned fa[4], fb[2];
        const int r = warp * 16 + lane % 16, piece = (kk * 2 + lane / 16) ^ (r / 2 % 4);
        load4(fa, &a[r * 32 + piece * 8]);
        load2t(fb, &b[(kk * 16 + lane % 16) * 8]);
        mma(c, fa, fb);
    }
    for (int i = 0; i < 4; i++)
        C[(row + warp * 16 + lane / 4 + i / 2 * 8) * 8ll + lane % 4 * 2 + i % 2] = c[i];
}

// The result leaves by rows of 16 bytes.
// CHECK: kernel by_rows proved
tc_block(32) tc_grid(1)
__global__ void by_rows(tc_mut tc_shape(16, 8) tc_align(16) __half *C, tc_shared tc_shape(16, 16) tc_align(16) in A,
                        tc_shared tc_shape(16, 8) tc_align(16) in B)
{
    __shared__ __align__(16) __half a[16][16], b[16][8], c[16][8];
    const int lane = threadIdx.x;
    copy16(&a[lane / 2][lane % 2 * 8], &A[lane * 8]);
    if (lane < 16)
        copy16(&b[lane][0], &B[lane * 8]);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    unsigned fa[4], fb[2];
    float d[4] = {};
    load4(fa, &a[lane % 16][lane / 16 * 8]);
    load2t(fb, &b[lane % 16][0]);
    mma(d, fa, fb);
    store2(&c[lane % 16][0], pack(d[0], d[1]), pack(d[2], d[3]));
    __syncwarp();
    if (lane < 16)
        *reinterpret_cast<uint4 *>(&C[lane * 8]) = *reinterpret_cast<const uint4 *>(&c[lane][0]);
}

// ---- near misses ----

// CHECK: kernel rows proved
tc_block(64) tc_grid(1) __global__ void rows(tc_mut tc_shape(64) unsigned *y)
{
    __shared__ __align__(16) unsigned s[64][4];
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    load4(r, s[threadIdx.x ^ 32]);
    y[threadIdx.x] = r[0] + r[3];
}

// CHECK: kernel b_no_barrier violated
tc_block(64) tc_grid(1) __global__ void b_no_barrier(tc_mut tc_shape(64) unsigned *y)
{
    __shared__ __align__(16) unsigned s[64][4];
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    load4(r, s[threadIdx.x ^ 32]);
    y[threadIdx.x] = r[0] + r[3];
}

// The lane that names the row need not be the one that reads it.
// CHECK: kernel b_own_row unknown
tc_block(32) tc_grid(1) __global__ void b_own_row(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[32][4];
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    load4(r, s[threadIdx.x]);
    y[threadIdx.x] = r[0];
}

// CHECK: kernel own_row proved
tc_block(64) tc_grid(1) __global__ void own_row(tc_mut tc_shape(64) unsigned *y)
{
    __shared__ __align__(16) unsigned s[64][4];
    unsigned r[4];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++)
            s[threadIdx.x][i] = i + k;
        __syncwarp();
        load4(r, s[threadIdx.x]);
        y[threadIdx.x] += r[0];
        __syncwarp();
    }
}

// CHECK: kernel b_own_row_again unknown
tc_block(64) tc_grid(1) __global__ void b_own_row_again(tc_mut tc_shape(64) unsigned *y)
{
    __shared__ __align__(16) unsigned s[64][4];
    unsigned r[4];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++)
            s[threadIdx.x][i] = i + k;
        __syncwarp();
        load4(r, s[threadIdx.x]);
        y[threadIdx.x] += r[0];
    }
}

// CHECK: kernel b_own_copy unknown
tc_block(32) tc_grid(1) __global__ void b_own_copy(tc_mut tc_shape(32) unsigned *y, tc_shared tc_shape(32) const uint4 *x)
{
    __shared__ uint4 s[32];
    unsigned r[4];
    copy16(&s[threadIdx.x], &x[threadIdx.x]);
    asm volatile("cp.async.wait_all;" ::: "memory");
    load4(r, &s[threadIdx.x]);
    y[threadIdx.x] = r[0];
}

// It waits for the lanes, and orders nothing that they did.
// CHECK: kernel b_waits_for_lanes violated
tc_block(32) tc_grid(1) __global__ void b_waits_for_lanes(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[32][4];
    unsigned r[4], x;
    __shared__ unsigned q[32];
    q[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    load4(r, s[threadIdx.x]);
    x = q[threadIdx.x ^ 1];
    y[threadIdx.x] = r[0] + x;
}

// CHECK: kernel b_row_behind_the_end violated
tc_block(32) tc_grid(1) __global__ void b_row_behind_the_end(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[32][4];
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    load4(r, &s[threadIdx.x][1]);
    y[threadIdx.x] = r[0];
}

// Lanes from 16 on name no row of two matrices.
// CHECK: kernel other_lanes proved
tc_block(32) tc_grid(1) __global__ void other_lanes(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[16][4];
    unsigned r[2];
    if (threadIdx.x < 16)
        for (int i = 0; i < 4; i++)
            s[threadIdx.x][i] = i;
    __syncthreads();
    load2t(r, s[threadIdx.x]);
    y[threadIdx.x] = r[0];
}

// CHECK: kernel b_other_lanes violated
tc_block(32) tc_grid(1) __global__ void b_other_lanes(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[8][4];
    unsigned r[2];
    if (threadIdx.x < 8)
        for (int i = 0; i < 4; i++)
            s[threadIdx.x][i] = i;
    __syncthreads();
    load2t(r, s[threadIdx.x]);
    y[threadIdx.x] = r[0];
}

// CHECK: kernel b_misaligned violated
tc_block(32) tc_grid(1) __global__ void b_misaligned(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[32][6];
    unsigned r[4];
    for (int i = 0; i < 6; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    load4(r, s[threadIdx.x]);
    y[threadIdx.x] = r[0];
}

// CHECK: kernel b_array_misaligned unknown
tc_block(32) tc_grid(1) __global__ void b_array_misaligned(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ unsigned s[32][4];
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    load4(r, s[threadIdx.x]);
    y[threadIdx.x] = r[0];
}

// CHECK: kernel b_some_lanes violated
tc_block(32) tc_grid(1) __global__ void b_some_lanes(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[32][4];
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    if (threadIdx.x < 8)
        load1(r, s[threadIdx.x]);
    y[threadIdx.x] = r;
}

// CHECK: kernel b_left_early violated
tc_block(64) tc_grid(1) __global__ void b_left_early(tc_mut tc_shape(64) unsigned *y)
{
    __shared__ __align__(16) unsigned s[64][4];
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    if (threadIdx.x == 63)
        return;
    load1(r, s[threadIdx.x]);
    y[threadIdx.x] = r;
}

// CHECK: kernel whole_warps proved
tc_block(64) tc_grid(1) __global__ void whole_warps(tc_mut tc_shape(64) unsigned *y)
{
    __shared__ __align__(16) unsigned s[64][4];
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    load1(r, s[threadIdx.x]);
    y[threadIdx.x] = r;
}

// CHECK: kernel b_half_a_warp {{unknown|violated}}
tc_block(48) tc_grid(1) __global__ void b_half_a_warp(tc_mut tc_shape(48) unsigned *y)
{
    __shared__ __align__(16) unsigned s[48][4];
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    load1(r, s[threadIdx.x]);
    y[threadIdx.x] = r;
}

// CHECK: kernel any_block proved-if
tc_grid(1) __global__ void any_block(tc_mut tc_shape(blockDim.x) unsigned *y, tc_shared tc_shape(blockDim.x) const unsigned *x)
{
    unsigned d;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(x[threadIdx.x]));
    y[threadIdx.x] = d;
}

// CHECK: kernel b_product_of_some violated
tc_block(32) tc_grid(1) __global__ void b_product_of_some(tc_mut tc_shape(32) float *y)
{
    unsigned a[4] = {}, b[2] = {};
    float d[4] = {};
    if (threadIdx.x != 5)
        mma(d, a, b);
    y[threadIdx.x] = d[0];
}

// ---- stmatrix ----

// CHECK: kernel put proved
tc_block(32) tc_grid(1) __global__ void put(tc_mut tc_shape(32) unsigned *y, unsigned v)
{
    __shared__ __align__(16) unsigned s[16][4];
    store2(s[threadIdx.x % 16], v, v);
    __syncwarp();
    y[threadIdx.x] = s[threadIdx.x / 2][threadIdx.x % 4];
}

// CHECK: kernel b_put_no_barrier violated
tc_block(32) tc_grid(1) __global__ void b_put_no_barrier(tc_mut tc_shape(32) unsigned *y, unsigned v)
{
    __shared__ __align__(16) unsigned s[16][4];
    store2(s[threadIdx.x % 16], v, v);
    y[threadIdx.x] = s[threadIdx.x / 2][threadIdx.x % 4];
}

// CHECK: kernel b_put_own_row unknown
tc_block(32) tc_grid(1) __global__ void b_put_own_row(tc_mut tc_shape(32) unsigned *y, unsigned v)
{
    __shared__ __align__(16) unsigned s[16][4];
    store2(s[threadIdx.x % 16], v, v);
    if (threadIdx.x < 16)
        y[threadIdx.x] = s[threadIdx.x][2];
}

// CHECK: kernel b_put_twice violated
tc_block(32) tc_grid(1) __global__ void b_put_twice(tc_mut tc_shape(32) unsigned *y, unsigned v)
{
    __shared__ __align__(16) unsigned s[16][4];
    store2(s[threadIdx.x % 8], v, v);
    __syncwarp();
    y[threadIdx.x] = s[threadIdx.x / 4][threadIdx.x % 4];
}

// CHECK: kernel b_put_behind_the_end violated
tc_block(32) tc_grid(1) __global__ void b_put_behind_the_end(tc_mut tc_shape(32) unsigned *y, unsigned v)
{
    __shared__ __align__(16) unsigned s[15][4];
    store2(s[threadIdx.x % 16], v, v);
    __syncwarp();
    y[threadIdx.x] = s[0][0];
}

// CHECK: kernel b_global unknown
tc_block(32) tc_grid(1) __global__ void b_global(tc_mut tc_shape(32, 4) tc_align(16) unsigned *y)
{
    unsigned r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(r) : "l"(&y[threadIdx.x * 4]));
    y[threadIdx.x] = r;
}

// ---- what decides something was written, whoever named the row ----

// CHECK: kernel decides proved
tc_block(32) tc_grid(1) __global__ void decides(tc_mut tc_shape(32) unsigned *y, tc_shared tc_shape(8) const uint4 *x)
{
    __shared__ uint4 s[8];
    unsigned r;
    if (threadIdx.x < 8)
        s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    load1(r, &s[threadIdx.x % 8]);
    if (r % 2 == 1)
        y[threadIdx.x] = r;
}

// CHECK: kernel b_decides {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_decides(tc_mut tc_shape(32) unsigned *y, tc_shared tc_shape(8) const uint4 *x)
{
    __shared__ uint4 s[8];
    unsigned r;
    if (threadIdx.x < 7)
        s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    load1(r, &s[threadIdx.x % 8]);
    if (r % 2 == 1)
        y[threadIdx.x] = r;
}

// CHECK: kernel b_never_written {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_never_written(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[8][4];
    unsigned r;
    load1(r, s[threadIdx.x % 8]);
    if (r % 2 == 1)
        y[threadIdx.x] = r;
}

// The lanes have different parts of one row.
// CHECK: kernel b_parts_of_a_row {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_parts_of_a_row(tc_mut tc_shape(1) unsigned *y, tc_shared tc_shape(4) const unsigned *x)
{
    __shared__ __align__(16) unsigned s[4];
    unsigned r;
    if (threadIdx.x < 4)
        s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    load1(r, s);
    if (r % 2 == 1)
        __syncthreads();
    if (threadIdx.x == 0)
        y[0] = r;
}

// CHECK: kernel other_shapes unknown
tc_block(32) tc_grid(1) __global__ void other_shapes(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[32][4];
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        s[threadIdx.x][i] = i;
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at(s[threadIdx.x])));
    y[threadIdx.x] = r[0] + r[1];
}
