#include "fake_runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef struct size3 {
    unsigned x, y, z;
} size3;

int fake_launch_error;
void (*fake_on_launch)(const fake_launch *l);
size_t fake_launches;
fake_launch fake_last;
int fake_multiprocessors = 132;
int fake_waits;
static int last_error;

void fake_reset(void)
{
    fake_launch_error = last_error = 0;
    fake_on_launch = NULL;
    fake_launches = 0;
    fake_waits = 0;
    fake_multiprocessors = 132;
    memset(&fake_last, 0, sizeof fake_last);
}

// ---- launches, as Clang's k<<<…>>>() makes them ----

static struct {
    size3 grid, block;
    size_t smem;
    void *stream;
} pushed;

unsigned __cudaPushCallConfiguration(size3 grid, size3 block, size_t smem, void *stream);
unsigned __cudaPopCallConfiguration(size3 *grid, size3 *block, size_t *smem, void **stream);
int cudaLaunchKernel(const void *f, size3 grid, size3 block, void **args, size_t smem, void *stream);

unsigned __cudaPushCallConfiguration(size3 grid, size3 block, size_t smem, void *stream)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.smem = smem;
    pushed.stream = stream;
    return 0;
}

unsigned __cudaPopCallConfiguration(size3 *grid, size3 *block, size_t *smem, void **stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *smem = pushed.smem;
    *stream = pushed.stream;
    return 0;
}

// As a device with the limits of CUDA's compute capability 8.0 and later does.
static bool is_possible(size3 grid, size3 block, size_t smem)
{
    const unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
    return grid.x >= 1 && grid.y >= 1 && grid.z >= 1 && grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535 && threads >= 1 && threads <= 1024 &&
           block.z <= 64 && smem <= 227 * 1024;
}

// How many arguments there are is not told: FAKE_ARGS places are read, of which the last may lie behind the caller's array.
__attribute__((no_sanitize("address"))) int cudaLaunchKernel(const void *f, size3 grid, size3 block, void **args, size_t smem, void *stream)
{
    fake_launch l = {.kernel = f, .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}, .smem = smem, .stream = stream};
    Dl_info info;
    if (dladdr(f, &info) && info.dli_sname)
        snprintf(l.name, sizeof l.name, "%s", info.dli_sname);
    for (int i = 0; i < FAKE_ARGS && args; ++i)
        l.args[i] = args[i];
    fake_launches++;
    fake_last = l;
    if (fake_on_launch)
        fake_on_launch(&l);
    last_error = fake_launch_error ? fake_launch_error : is_possible(grid, block, smem) ? 0 : 9; // cudaErrorInvalidConfiguration
    return last_error;
}

// cudaLaunchConfig_t; the attributes change nothing here.
typedef struct config {
    size3 grid, block;
    size_t smem;
    void *stream, *attrs;
    unsigned nattrs;
} config;

int cudaLaunchKernelExC(const config *c, const void *f, void **args);

int cudaLaunchKernelExC(const config *c, const void *f, void **args)
{
    return cudaLaunchKernel(f, c->grid, c->block, args, c->smem, c->stream);
}

// ---- the rest of what the library calls ----

int cudaGetLastError(void);
int cudaPeekAtLastError(void);
const char *cudaGetErrorString(int error);
int cudaGetDevice(int *device);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaFuncSetAttribute(const void *f, int attribute, int value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int threads, size_t smem);
int cudaMemsetAsync(void *p, int value, size_t n, void *stream);

int cudaGetLastError(void)
{
    const int e = last_error;
    last_error = 0;
    return e;
}

int cudaPeekAtLastError(void) { return last_error; }

const char *cudaGetErrorString(int error) { return error == 0 ? "no error" : error == 9 ? "invalid configuration argument" : "some error"; }

int cudaGetDevice(int *device)
{
    *device = 0;
    return 0;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 16 ? fake_multiprocessors : attribute == 75 ? 9 : attribute == 97 ? 227 * 1024 : 0;
    return 0;
}

int cudaFuncSetAttribute(const void *f, int attribute, int value)
{
    (void)f;
    (void)attribute;
    (void)value;
    return 0;
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int threads, size_t smem)
{
    (void)f;
    *blocks = threads > 0 && smem <= 227 * 1024 ? 2048 / threads : 0;
    return 0;
}

int cudaMemsetAsync(void *p, int value, size_t n, void *stream)
{
    (void)p;
    (void)value;
    (void)n;
    (void)stream;
    return 0;
}

int cudaMalloc(void **p, size_t n);
int cudaStreamSynchronize(void *stream);
int cudaDeviceSynchronize(void);

int cudaMalloc(void **p, size_t n)
{
    (void)n;
    *p = NULL;
    ++fake_waits;
    return 2;
}

int cudaStreamSynchronize(void *stream)
{
    (void)stream;
    ++fake_waits;
    return 0;
}

int cudaDeviceSynchronize(void)
{
    ++fake_waits;
    return 0;
}
