// A kernel that only its file can see, and an instance that several files may have.
#include <tilecheck.h>

tc_block(THREADS) tc_grid(1)
static __global__ void same(tc_mut tc_shape(THREADS) tc_tile(THREADS) float *y) { y[threadIdx.x] = 0.0f; }

template <class T> tc_block(8) tc_grid(1) __global__ void shared_by_files(T *tc_mut tc_shape(8) tc_tile(8) y) { y[threadIdx.x] = T(0); }

void RUN(float *y)
{
    same<<<1, THREADS>>>(y);
    shared_by_files<float><<<1, 8>>>(y);
}
