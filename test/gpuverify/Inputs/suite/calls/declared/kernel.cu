//pass
//--blockDim=32 --gridDim=2
struct point { int x, y; };
__device__ int weight(point);
__device__ int offset(int i) {
  __ensures(__return_val_int() >= 0);
  return i * 2;
}

__global__ void weigh(int *out) {
  point p = {1, 2};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (weight(p) > 0)
    out[offset(i)] = weight(p);
}
