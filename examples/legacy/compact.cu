// Keeps the positive elements of a vector, in any order: each one that is kept draws its place.
// A grid-stride loop: any grid will do.
//
// Shapes: in has n elements, out has room for capacity; count is one counter, 0 at launch, and in
// the end the number of elements that were found, whether or not there was room for them.
// Proved for any n and any grid of fewer than 2^22 blocks: no two threads have one place, since
// each element draws once, and there are no more than n.
#include <tilecheck.h>

tc_block(256)
tc_requires(n >= 0 && n < 1 << 30 && gridDim.x < 1 << 22 && gridDim.y == 1 && gridDim.z == 1)
__global__ void compact(tc_mut tc_shape(capacity) float *out, tc_atomic tc_shape(1) tc_init(0) int *count,
                        tc_shared tc_shape(n) const float *in, int n, int capacity)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float v = in[i];
        if (!(v > 0.0f))
            continue;
        const int place = atomicAdd(count, 1);
        if (place < capacity)
            out[place] = v;
    }
}
