// Stores one record a list into its next place of a paged pool: page table[l][count[l] /
// SLOTS], slot count[l] % SLOTS.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel store_record --block 32 --set lists=3 --set pages=2 --set pool=9 --set width=40
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define SLOTS 8

tc_grid(lists)
tc_requires(blockDim.y == 1 && blockDim.z == 1)
tc_requires(pages >= 1 && pages <= 1024 && width >= 1 && width <= 1 << 12)
__global__ void store_record(tc_mut tc_shape(pool, SLOTS, width) int *records,
                             tc_shared tc_shape(lists, width) const int *fresh,
                             tc_shared tc_shape(lists, pages) tc_range(0, pool) tc_injective const int *table,
                             tc_shared tc_shape(lists) tc_range(0, pages * SLOTS) const int *count,
                             int lists, int pages, int pool, int width)
{
    const int used = count[blockIdx.x];
    const size_t page = table[(size_t)blockIdx.x * pages + used / SLOTS];
    int *record = records + (page * SLOTS + used % SLOTS) * width;

    for (int i = threadIdx.x; i < width; i += blockDim.x)
        record[i] = fresh[(size_t)blockIdx.x * width + i];
}
