// Fault: the wait acquires nothing.
// The repaired kernel is ../split-k-in-turn.cu.
#include <tilecheck.h>

#define T 16

__device__ int wait_for(const int *at, int number)
{
    int now;
    do
        asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(at) : "memory");
    while (now != number);
    return now;
}

__device__ void pass_on(int *at, int number)
{
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(at), "r"(number) : "memory");
}

tc_block(T, T) tc_grid(tc_cdiv(N, T), tc_cdiv(M, T), slices)
tc_requires(M >= 1 && N >= 1 && M <= 1 << 20 && N <= 1 << 20 && K <= 1 << 20 && slices >= 1 && slices < 65536)
tc_requires(gridDim.x * gridDim.y < 1 << 30 && M * N < 1 << 30 && M * K < 1 << 30 && K * N < 1 << 30)
__global__ void split_k(tc_mut tc_shape(M, N) float *C, tc_shared tc_shape(M, K) const float *A,
                        tc_shared tc_shape(K, N) const float *B,
                        tc_atomic tc_shape(gridDim.y, gridDim.x) tc_init(0) int *turn,
                        int M, int N, int K, int slices)
{
    const int r = blockIdx.y * T + threadIdx.y;
    const int c = blockIdx.x * T + threadIdx.x;
    const int slice = blockIdx.z, each = (K + slices - 1) / slices;
    const int from = slice * each, to = min(from + each, K);
    float sum = 0.0f;
    if (r < M && c < N)
        for (int k = from; k < to; ++k)
            sum += A[r * K + k] * B[k * N + c];

    int *const tile = turn + blockIdx.y * gridDim.x + blockIdx.x;
    const bool first = threadIdx.x == 0 && threadIdx.y == 0;
    if (first)
        wait_for(tile, slice);
    __syncthreads();
    if (r < M && c < N)
        C[r * N + c] = slice > 0 ? C[r * N + c] + sum : sum;
    __syncthreads();
    if (first)
        pass_on(tile, slice + 1 < slices ? slice + 1 : 0);
}
