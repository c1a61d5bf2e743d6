// How a linear layer of a decode step is spread over the device.
#ifndef LINEAR_SHAPE_H
#define LINEAR_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { Q3_BLOCKS_EACH = 2 }; // of a multiprocessor, at a time

// Fewer rows than single warps would be kept busy by: several warps share a row.
bool q3_is_few(int64_t n);

int64_t q3_rows_each(int64_t n); // of a block, where all are to have the same

#ifdef __cplusplus
}
#endif
#endif
