//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
__axiom(blockIdx.x < 2);
__global__ void any(int *p) { __assert(blockIdx.x < 1); p[threadIdx.x + blockIdx.x * blockDim.x] = 0; }
