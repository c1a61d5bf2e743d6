//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4 --no-inline
// The same, without the atomic operation: each thread leaves its own index.

int last;

__global__ void remember() {
  last = threadIdx.x;
}
