//pass
//--blockDim=64 --gridDim=1 --warp-sync=32
__global__ void rotate(int *p) { int t = threadIdx.x; p[t] = p[t / 32 * 32 + (t + 1) % 32]; }
