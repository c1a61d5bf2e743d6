// Fault: nothing says that two lists never share a page.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel store_record {{violated|unknown|proved-if|assumed}}

#include <tilecheck.h>

#define SLOTS 8

tc_grid(lists)
tc_requires(blockDim.y == 1 && blockDim.z == 1)
tc_requires(pages >= 1 && pages <= 1024 && width >= 1 && width <= 1 << 12)
__global__ void store_record(tc_mut tc_shape(pool, SLOTS, width) int *records,
                             tc_shared tc_shape(lists, width) const int *fresh,
                             tc_shared tc_shape(lists, pages) tc_range(0, pool) const int *table,
                             tc_shared tc_shape(lists) tc_range(0, pages * SLOTS) const int *count,
                             int lists, int pages, int pool, int width)
{
    const int used = count[blockIdx.x];
    const size_t page = table[(size_t)blockIdx.x * pages + used / SLOTS];
    int *record = records + (page * SLOTS + used % SLOTS) * width;

    for (int i = threadIdx.x; i < width; i += blockDim.x)
        record[i] = fresh[(size_t)blockIdx.x * width + i];
}
