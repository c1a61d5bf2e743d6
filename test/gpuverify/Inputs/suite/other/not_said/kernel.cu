//pass
//--blockDim=32 --gridDim=1
// The claim is about all writes so far.
__global__ void claim(int *p) { p[threadIdx.x] = 0; __assert(__write(p)); }
