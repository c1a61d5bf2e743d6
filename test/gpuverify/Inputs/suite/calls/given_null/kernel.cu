//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
// Nothing keeps the host from passing null.
typedef int (*step)(int);
__device__ int next(int i) { return i + 1; }
__global__ void run(int *p, step f) { p[threadIdx.x] = f(next(threadIdx.x)); }
