//pass
//--blockDim=32 --gridDim=1
__global__ void any(int *p) { p[0] = threadIdx.x; }
