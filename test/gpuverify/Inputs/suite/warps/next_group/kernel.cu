//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --warp-sync=32
__global__ void shift(int *p) { p[threadIdx.x] = p[threadIdx.x + 1]; }
