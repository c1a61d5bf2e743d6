//pass
//--blockDim=32 --gridDim=1
typedef int (*step)(int);
__device__ int next(int i) { return i + 1; }
__device__ int twice(int i) { return i * 2; }
__global__ void run(int *p, step f) { __requires(f == next || f == twice); p[threadIdx.x] = f(threadIdx.x); }
