//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
// The host may change what the source gives.
__constant__ int shift[2] = {0, 0};
__global__ void move(int *p) { p[threadIdx.x / (1 + shift[threadIdx.x & 1])] = threadIdx.x; }
