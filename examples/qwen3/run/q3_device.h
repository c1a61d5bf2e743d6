// What the device part of a model shares: errors of the CUDA runtime, and one block of device memory cut into pieces.
#ifndef Q3_DEVICE_H
#define Q3_DEVICE_H

#include "q3_memory.h"

#include <cuda_runtime_api.h>

tk_status q3_cuda(cudaError_t e, const char *what); // TK_OK, TK_MEMORY or TK_DEVICE with a text

#define Q3_CUDA(call, what) TK_TRY(q3_cuda(call, what))

// Pieces are asked for twice, in the same order: first with base null, which counts, then with memory of so many bytes.
typedef struct q3_pieces {
    char *base;
    size_t used;
} q3_pieces;

void *q3_piece(q3_pieces *p, int64_t n, size_t size); // aligned to 256 bytes; null while counting

#endif
