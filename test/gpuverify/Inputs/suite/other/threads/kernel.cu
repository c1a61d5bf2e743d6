//pass
//--blockDim=32 --gridDim=1
// Claims about another thread, whichever it is.
__global__ void claims(int *p, int n) { __assert(__distinct_int(threadIdx.x)); __assert(__uniform_int(n)); p[threadIdx.x] = 0; }
