//pass
//--blockDim=32 --gridDim=4
__axiom(blockDim.x == 32);
__axiom(gridDim.x < 5 && blockIdx.x < 2);
__global__ void any(int *p) { __assert(blockIdx.x < 3); p[threadIdx.x + blockIdx.x * blockDim.x] = 0; }
