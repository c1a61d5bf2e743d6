//pass
//--blockDim=32 --gridDim=*
__global__ void nothing(int *p) { int x = *p; }
