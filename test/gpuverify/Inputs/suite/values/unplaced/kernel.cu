//pass
//--blockDim=64 --gridDim=4 --no-inline
// A variable that nobody placed is on the device; it is added to by one operation at a time.

int total;
const int weight = 3;

__global__ void count() {
  atomicAdd(&total, weight);
}
