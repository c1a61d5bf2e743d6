//xfail:NOT_ALL_VERIFIED
//--blockDim=2 --gridDim=1
//null

__global__ void copy(int *out) { __builtin_memcpy(out + threadIdx.x, 0, 4); }
