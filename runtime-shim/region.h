// Sets of bytes that a borrow lends: a dense run, repeated along up to 8 strided dimensions. A tile of a matrix or a strided
// view is this set and not its bounding box.
#ifndef TC_RUNTIME_REGION_H
#define TC_RUNTIME_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TC_RT_MAX_DIMS 8

typedef struct tc_rt_dim {
    uint64_t count;
    uint64_t stride; // bytes, from one run to the next; the region's base is its lowest byte
} tc_rt_dim;

// The bytes base + sum(i_d * stride_d) + [0, run) for all 0 <= i_d < count_d. In normal form (tc_rt_region_normalize): outer
// dimensions first, by falling stride; no count of 1; a dimension that continues the next one is merged with it.
typedef struct tc_rt_region {
    uint64_t base;
    uint64_t run; // bytes
    unsigned ndims;
    tc_rt_dim dims[TC_RT_MAX_DIMS];
} tc_rt_region;

typedef enum tc_rt_overlap {
    TC_RT_DISJOINT,
    TC_RT_OVERLAP,
    TC_RT_UNDECIDED // strides of which no common pattern was found within the limit of steps
} tc_rt_overlap;

tc_rt_region tc_rt_region_dense(uint64_t base, uint64_t bytes);
// Adds a dimension; a negative stride moves the base. false: too many dimensions, or an address beyond 2^64.
bool tc_rt_region_add(tc_rt_region *r, uint64_t count, int64_t stride);
void tc_rt_region_normalize(tc_rt_region *r);

bool tc_rt_region_empty(const tc_rt_region *r);
// One past the last byte; saturates at 2^64 - 1.
uint64_t tc_rt_region_end(const tc_rt_region *r);
bool tc_rt_region_equal(const tc_rt_region *a, const tc_rt_region *b);
// Does a hold all bytes of b? May say false where it does.
bool tc_rt_region_covers(const tc_rt_region *a, const tc_rt_region *b);
// Have two regions in normal form a byte in common? *at (may be NULL) receives the lowest common byte that was met.
tc_rt_overlap tc_rt_region_overlap(const tc_rt_region *a, const tc_rt_region *b, uint64_t *at);

#endif
