//xfail:NOT_ALL_VERIFIED
//--blockDim=8 --gridDim=1

__global__ void count(int n) {
  __requires(n > 3);
  __assert(n != 5);
}
