// Fault: the slot is taken for the number of a page.
// The repaired kernel is ../paged-append.cu.
#include <tilecheck.h>

#define PAGE 16

tc_block(128) tc_grid(sequences)
tc_requires(pages * PAGE * width < 1 << 30 && sequences * width < 1 << 30)
tc_requires(width >= 1 && width <= 1 << 20 && pages >= 1)
__global__ void append(tc_mut tc_shape(pages, PAGE, width) float *cache,
                       tc_shared tc_shape(sequences, width) const float *keys,
                       tc_shared tc_shape(sequences) tc_range(0, pages * PAGE) tc_injective const int *slots,
                       int sequences, int pages, int width)
{
    const int s = blockIdx.x;
    float *to = cache + (size_t)slots[s] * PAGE * width;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        to[i] = keys[s * width + i];
}
