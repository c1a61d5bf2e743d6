//pass
//--blockDim=[16,4] --gridDim=[3,2] --no-inline
// Each thread has an element of its own.

__global__ void fill(int *out, int pitch) {
  __requires(pitch >= 48);
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  __assert(x < 48);
  if (pitch < 1024)
    out[y * pitch + x] = x;
}
