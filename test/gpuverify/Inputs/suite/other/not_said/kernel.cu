//pass
//--blockDim=32 --gridDim=1
// The claim is about other threads.
__global__ void claim(int *p) { __assert(__distinct_int(threadIdx.x)); p[threadIdx.x] = 0; }
