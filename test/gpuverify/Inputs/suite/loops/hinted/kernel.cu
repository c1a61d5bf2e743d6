//pass
//--blockDim=64 --gridDim=2 -DSTEPS=10
// The invariants speak of what is read and written, and of other threads: nothing here needs them.

__global__ void walk(int *a) {
  int k = threadIdx.x;
  for (int i = 0; __invariant(__uniform_int(i) & !__read(a)), __invariant(__implies(__write(a), __write_offset_bytes(a) / sizeof(int) >= k)),
                  __invariant(i >= 0 & i <= STEPS), i < STEPS; i++)
    a[(blockIdx.x * STEPS + i) * blockDim.x + k] = i;
}
