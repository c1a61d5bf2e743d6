//pass
//--blockDim=64 --gridDim=4 --no-inline
// All write one value.

__global__ void clear(int *flag) {
  if (blockIdx.x > 0 && threadIdx.x == 0)
    *flag = 0;
}
