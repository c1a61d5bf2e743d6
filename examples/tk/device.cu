#include "tk_host.h"

#include <cuda_runtime_api.h>

tk_status tk_launched(const char *what)
{
    const cudaError_t e = cudaGetLastError();
    return e == cudaSuccess ? TK_OK : tk_fail(e == cudaErrorMemoryAllocation ? TK_MEMORY : TK_DEVICE, "%s: %s", what, cudaGetErrorString(e));
}

int tk_multiprocessors(void)
{
    int device = 0, count = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        return 1;
    return count;
}

int tk_shared_bytes(void)
{
    int device = 0, bytes = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
        return 48 << 10;
    return bytes;
}
