// An allocator hands a block to a second stream while the first one's kernel may still read it.
// expects: TC5001
#include "common.h"

int main()
{
    float *arena = device<float>(2 * N), *y = device<float>(N);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t done = event();
    tc_rt_sub_alloc(arena, BYTES, a, "activations");
    run(arena, y, a);
    tc_rt_sub_free(arena);
    CHECK(cudaEventRecord(done, a));
    if (!bad)
        CHECK(cudaStreamWaitEvent(b, done, 0));
    tc_rt_sub_alloc(arena, BYTES, b, "gradients");
    CHECK(cudaMemsetAsync(arena, 0, BYTES, b));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
