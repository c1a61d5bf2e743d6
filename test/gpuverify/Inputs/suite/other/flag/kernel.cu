//pass
//--blockDim=32 --gridDim=1 --something-else=3
__global__ void any(int *p) { p[threadIdx.x] = 0; }
