// Fault: the contract does not keep the rows apart.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel update{{.*}} {{violated|unknown|proved-if|assumed}}

#include <tilecheck.h>

struct Plane {
    int h, w;
    long long step_row, step_col;
    __device__ long long at(int r, int c) const { return r * step_row + c * step_col; }
};

struct Blend {
    float keep;
    __device__ float operator()(float old, float add) const { return keep * old + add; }
};

template <typename P, typename F>
tc_block(96)
tc_requires(p.h >= 1 && p.w >= 1 && (long long)p.h * p.w <= 1 << 28)
tc_requires(p.step_col >= 1 && p.step_row >= p.step_col && p.step_row <= 1ll << 30 && p.step_col <= 1ll << 20)
tc_requires(gridDim.x <= 1 << 16 && gridDim.y == 1 && gridDim.z == 1)
__global__ void update(tc_mut tc_shape(p.h, p.w) tc_stride(p.step_row, p.step_col) float *x,
                       tc_shared tc_shape(p.h) const float *add, P p, F f)
{
    const int count = p.h * p.w;
    for (int e = blockIdx.x * 96 + threadIdx.x; e < count; e += gridDim.x * 96) {
        const int r = e / p.w, c = e - r * p.w;
        x[p.at(r, c)] = f(x[p.at(r, c)], add[r]);
    }
}

template __global__ void update<Plane, Blend>(float *, const float *, Plane, Blend);
