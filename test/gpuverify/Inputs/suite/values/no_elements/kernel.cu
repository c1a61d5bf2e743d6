//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
// Nothing is in bounds of it.
__device__ int nothing[32][0];
__global__ void fill() { nothing[threadIdx.x][0] = 1; }
