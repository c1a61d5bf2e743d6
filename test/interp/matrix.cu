// Matrices of a warp: where their elements are, what mma computes, and that all lanes come.
// RUN: %exits 2 %tilecheck run %s --kernel='*' 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cuda_fp16.h>
#include <tilecheck.h>

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// All are small integers, so that the sums are exact.
tc_block(32) tc_grid(1)
__global__ void product(tc_mut tc_shape(16, 8) float *y)
{
    __shared__ __align__(16) __half a[16][16], b[16][8];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        a[i / 16][i % 16] = __float2half((float)(i / 16 * 3 + i % 16));
    for (int i = lane; i < 128; i += 32)
        b[i / 8][i % 8] = __float2half((float)(i / 8 - i % 8 * 2));
    __syncwarp();
    unsigned fa[4], fb[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(at(&a[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(at(&b[lane % 16][0])));
    float c[4] = {1, 1, 1, 1};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    for (int i = 0; i < 4; i++) {
        const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        int sum = 1;
        for (int k = 0; k < 16; k++)
            sum += (row * 3 + k) * (k - column * 2);
        tc_assert((int)c[i] == sum);
        // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}tc_assert does not hold
        tc_assert((int)c[i] == sum + 1);
        y[row * 8 + column] = c[i];
    }
}

// Half-precision accumulators, two in a register.
tc_block(32) tc_grid(1)
__global__ void halves(tc_mut tc_shape(16, 8) int *y)
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    unsigned a[2], b, d[2] = {0, 0x3c003c00};
    for (int r = 0; r < 2; r++)
        a[r] = __half_as_ushort(__float2half((float)(g + r * 8))) | (unsigned)__half_as_ushort(__float2half((float)t)) << 16;
    b = __half_as_ushort(__float2half((float)g)) | (unsigned)__half_as_ushort(__float2half(2.0f)) << 16;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b));
    for (int i = 0; i < 4; i++) {
        const int row = g + i / 2 * 8, column = t * 2 + i % 2;
        // Columns 0, 2, 4, 6 of A are the row, the others 0 to 3; rows 0, 2, 4, 6 of B the column, the others 2.
        const int sum = 4 * row * column + 2 * (0 + 1 + 2 + 3) + i / 2;
        const float v = __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> (i % 2 * 16))));
        tc_assert((int)v == sum);
        y[row * 8 + column] = sum;
    }
}

tc_block(32) tc_grid(1)
__global__ void bytes(tc_mut tc_shape(16, 8) int *y)
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    unsigned a[4] = {}, b[2] = {};
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 4; i++)
            a[r] |= (unsigned)(unsigned char)(g + r % 2 * 8 - (t * 4 + i + r / 2 * 16)) << (8 * i);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 4; i++)
            b[r] |= (unsigned)(unsigned char)((t * 4 + i + r * 16) * 2 - g) << (8 * i);
    int d[4];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(5));
    for (int i = 0; i < 4; i++) {
        const int row = g + i / 2 * 8, column = t * 2 + i % 2;
        int sum = 5;
        for (int k = 0; k < 32; k++)
            sum += (row - k) * (k * 2 - column);
        tc_assert(d[i] == sum);
        y[row * 8 + column] = d[i];
    }
}

tc_block(32) tc_grid(1)
__global__ void doubles(tc_mut tc_shape(8, 8) double *y)
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    double d[2] = {0.5, 0.5};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1]) : "d"((double)(g * 4 + t)), "d"((double)(t - g)));
    for (int i = 0; i < 2; i++) {
        const int column = t * 2 + i;
        int sum = 0;
        for (int k = 0; k < 4; k++)
            sum += (g * 4 + k) * (k - column);
        tc_assert(d[i] == sum + 0.5);
        y[g * 8 + column] = d[i];
    }
}

// There and back, and transposed.
tc_block(32) tc_grid(1)
__global__ void stored(tc_mut tc_shape(32) int *y)
{
    __shared__ __align__(16) unsigned short a[8][8], b[8][8], c[8][8], e[8][8];
    const int t = threadIdx.x;
    for (int i = t; i < 64; i += 32)
        a[i / 8][i % 8] = (unsigned short)(i * 7 + 1);
    __syncwarp();
    unsigned r, s;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&a[t % 8][0])));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(s) : "r"(r));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at(&b[t % 8][0])), "r"(r) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at(&c[t % 8][0])), "r"(r) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at(&e[t % 8][0])), "r"(s) : "memory");
    __syncwarp();
    for (int i = t; i < 64; i += 32) {
        tc_assert(b[i / 8][i % 8] == i * 7 + 1);
        tc_assert(c[i % 8][i / 8] == i * 7 + 1);
        tc_assert(e[i % 8][i / 8] == i * 7 + 1);
    }
    y[t] = (int)r;
}

tc_block(32) tc_grid(1)
__global__ void no_barrier(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[8][4];
    unsigned r;
    s[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x;
    // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}races with a write{{.*}}[TC3001]
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&s[threadIdx.x % 8][0])));
    y[threadIdx.x] = r;
}

// The row of lane 7 has one element that nobody wrote: two lanes have it, and one of these looks.
tc_block(32) tc_grid(1)
__global__ void not_written(tc_mut tc_shape(32) unsigned *y, unsigned n)
{
    __shared__ __align__(16) unsigned s[8][4];
    unsigned r;
    if (threadIdx.x < 31)
        s[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x;
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&s[threadIdx.x % 8][0])));
    if (threadIdx.x < 28)
        y[r % 32] = 1;
    // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}[TC2005]
    else if (r > 3)
        y[threadIdx.x] = r;
}

tc_block(32) tc_grid(1)
__global__ void misaligned(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[9][4];
    unsigned r;
    for (int i = threadIdx.x; i < 36; i += 32)
        s[i / 4][i % 4] = i;
    __syncwarp();
    // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}alignment of 16 bytes{{.*}}[TC2003]
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&s[threadIdx.x % 8][2])));
    y[threadIdx.x] = r;
}

tc_block(32) tc_grid(1)
__global__ void outside(tc_mut tc_shape(32) unsigned *y)
{
    __shared__ __align__(16) unsigned s[4][4];
    // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}[TC2001]
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at(&s[threadIdx.x % 8][0])), "r"(threadIdx.x) : "memory");
    __syncwarp();
    y[threadIdx.x] = s[threadIdx.x % 4][0];
}

tc_block(32) tc_grid(1)
__global__ void some_lanes(tc_mut tc_shape(32) unsigned *y)
{
    unsigned r = 0;
    if (threadIdx.x % 2 == 0)
        // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}does not come{{.*}}[TC3002]
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(threadIdx.x));
    __syncwarp();
    y[threadIdx.x] = r;
}

tc_block(32) tc_grid(1)
__global__ void returned(tc_mut tc_shape(32) unsigned *y)
{
    unsigned r;
    if (threadIdx.x == 9)
        return;
    // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}lane 9 of the warp does not come: it has returned{{.*}}[TC3002]
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(threadIdx.x));
    y[threadIdx.x] = r;
}

tc_block(24) tc_grid(1)
__global__ void not_there(tc_mut tc_shape(24) unsigned *y)
{
    unsigned r;
    // CHECK-DAG: matrix.cu:[[@LINE+1]]:{{.*}}lane 24 of the warp does not exist{{.*}}[TC3004]
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(threadIdx.x));
    y[threadIdx.x] = r;
}
