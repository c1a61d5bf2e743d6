//xfail:CLANG_ERROR
//--blockDim=32 --gridDim=1
__global__ void broken(int *p) { p[threadIdx.x] = missing; }
