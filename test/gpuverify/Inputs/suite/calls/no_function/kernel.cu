//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
typedef int (*step)(int);
__global__ void run(int *p) { step f = (step)16; p[threadIdx.x] = f(threadIdx.x); }
