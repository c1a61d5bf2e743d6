#include "q3_device.h"

tk_status q3_cuda(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return TK_OK;
    cudaGetLastError(); // what is told is not told again
    return tk_fail(e == cudaErrorMemoryAllocation ? TK_MEMORY : TK_DEVICE, "%s: %s", what, cudaGetErrorString(e));
}

void *q3_piece(q3_pieces *p, int64_t n, size_t size)
{
    void *at = p->base ? p->base + p->used : NULL;
    p->used += ((size_t)n * size + 255) / 256 * 256;
    return at;
}
