//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
__global__ void any(int *p) { p[threadIdx.x] = 0; }
