__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    atomicAdd(i, 1), atomicAdd(u, 2u), atomicAdd(l, 3ull), atomicAdd(f, 1.0f), atomicAdd(d, 1.0), atomicSub(i, 4);
    atomicAdd_block(i, 1), atomicAdd_system(u, 1u), atomicMax(i, 1), atomicMin(u, 1u), atomicExch(f, 1.0f);
    atomicCAS(i, 1, 2), atomicCAS(l, 1ull, 2ull), atomicInc(u, 7u), atomicOr(u, 1u), atomicXor(l, 1ull);
}
__global__ void order(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    __threadfence();
    __threadfence_block();
    __syncwarp();
    p[threadIdx.x] = s[63 - threadIdx.x] + __shfl_xor_sync(~0u, s[0], 1) + __ballot_sync(~0u, s[1]) + __syncthreads_or(s[2]);
}
__global__ void cached(float4 *v, const float4 *w, const int *p, int *q)
{
    v[threadIdx.x] = __ldg(w + threadIdx.x);
    q[threadIdx.x] = __ldg(p + threadIdx.x) + int(gridDim.y);
}
