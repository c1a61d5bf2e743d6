//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//possible read-write race

#include "cuda.h"

__global__ void shift(int *out) {
  __shared__ int row[65];
  row[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = row[threadIdx.x + 1];
}
