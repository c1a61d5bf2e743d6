//pass
//--blockDim=32 --gridDim=1
__global__ void any(int *p) { no_function_of_this_name(p); }
