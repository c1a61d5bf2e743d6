//pass
//--blockDim=32 --gridDim=1 --only-divergence
// It races, and all threads come to the barrier.
__global__ void meet(int *p) { p[0] = threadIdx.x; __syncthreads(); }
