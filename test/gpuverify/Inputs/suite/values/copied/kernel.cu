//pass
//--blockDim=32 --gridDim=1
__global__ void copy(const float *x, float *y) { y[threadIdx.x / 2] = x[threadIdx.x / 2]; }
