//pass
//--blockDim=32 --gridDim=1
__global__ void twice(int *p) { p[threadIdx.x] = 2 * threadIdx.x; __assert(p[threadIdx.x] == 2 * (int)threadIdx.x); }
