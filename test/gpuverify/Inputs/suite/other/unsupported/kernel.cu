//xfail:BUGLE_ERROR
//--blockDim=32 --gridDim=1
__global__ void any(int *p) { p[threadIdx.x] = 0; }
