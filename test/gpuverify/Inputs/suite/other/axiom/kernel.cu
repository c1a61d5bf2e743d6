//pass
//--blockDim=32 --gridDim=1
__axiom(blockDim.x == 32);
__global__ void any(int *p) { p[threadIdx.x] = 0; }
