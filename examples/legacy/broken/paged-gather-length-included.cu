// Fault: the token behind the last is read, too: the page of it may be none.
// The repaired kernel is ../paged-gather.cu.
#include <tilecheck.h>

#define PAGE 16

tc_block(64) tc_grid(longest, sequences)
tc_requires(sequences < 65536 && pages >= 1 && most >= 1 && width >= 1 && width <= 1 << 16)
tc_requires(longest == PAGE * most && most <= 1 << 20 && pages * PAGE * width < 1 << 30)
tc_requires(sequences * longest * width < 1 << 30)
tc_forall(s, p; p * PAGE >= lengths[s] || table[s][p] >= 0)
__global__ void gather_pages(tc_mut tc_shape(sequences, longest, width) tc_tile(1, 1, width)
                                 tc_at(blockIdx.y, blockIdx.x, 0) float *out,
                             tc_shared tc_shape(pages, PAGE, width) const float *cache,
                             tc_shared tc_shape(sequences, most) tc_range(-1, pages) const int *table,
                             tc_shared tc_shape(sequences) tc_range(0, longest + 1) const int *lengths,
                             int sequences, int longest, int pages, int most, int width)
{
    const int s = blockIdx.y, t = blockIdx.x;
    if (t > lengths[s])
        return;
    const int page = table[s * most + t / PAGE];
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[(s * longest + t) * width + i] = cache[(page * PAGE + t % PAGE) * width + i];
}
