// Fault: the size of a tensor is taken in bytes.
// The repaired kernel is ../multi-tensor.cu.
#include <tilecheck.h>

#define MOST 16

struct tensors {
    float *param[MOST];
    const float *grad[MOST];
    int size[MOST];
};

tc_block(256) tc_grid(count)
tc_requires(count <= MOST)
tc_param(t.param[i], mut, shape(t.size[i]))
tc_param(t.grad[i], shared, shape(t.size[i]))
__global__ void sgd(tensors t, float rate, int count)
{
    const int k = blockIdx.x;
    const size_t n = t.size[k] * sizeof(float);
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        t.param[k][i] -= rate * t.grad[k][i];
}
