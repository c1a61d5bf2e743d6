// Makers of the runtime API's extents and pitched pointers.
#ifndef TILECHECK_STANDIN_DRIVER_FUNCTIONS_H
#define TILECHECK_STANDIN_DRIVER_FUNCTIONS_H

#include "driver_types.h"

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize, size_t ysize) {
    struct cudaPitchedPtr r = {p, pitch, xsize, ysize};
    return r;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    struct cudaPos r = {x, y, z};
    return r;
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    struct cudaExtent r = {width, height, depth};
    return r;
}

#endif
