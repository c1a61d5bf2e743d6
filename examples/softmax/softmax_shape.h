// Sizes that softmax chooses for long rows, by the device.
#ifndef SOFTMAX_SHAPE_H
#define SOFTMAX_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SOFTMAX_SLOTS = 14 }; // at most

// The threads of a block for rows of so many packs of 16 bytes: 128 (odd ones only), 512 or 1024.
int softmax_threads(int64_t packs, bool odd);

// Packs for each of these threads in shared memory, beside those that it holds in registers.
int softmax_slots(int64_t packs, int threads, int held);

#ifdef __cplusplus
}
#endif
#endif
