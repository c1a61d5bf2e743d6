#include "test/shim/fake/fake.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
#define X(id, name, params, when, take) ID_##name = (id),
#define Y X
#include "runtime-shim/front/driver.def"
#undef Y
#undef X
};

static fake_hook hook;
static int failing;
static _Thread_local int inside; // calls that a callback makes are called back too, as the real driver's are
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void fake_set_hook(fake_hook h) {
    hook = h;
}

void fake_fail(int result) {
    failing = result;
}

static void call_back(u32 id, u32 site, const char *name, const void *params, int *result, const char *symbol) {
    u64 correlation = 0;
    fake_data d = {site, name, params, result, symbol, 0xc0, 1, &correlation, 0};
    if (hook)
        hook(1, id, &d);
}

// ---- what calls do ----

enum { FREED = 64 };
static u64 next_address = 0x7f0000000000, next_handle = 0x1000;
static struct {
    u64 at, size;
    u32 type;
} live[65536], freed[FREED];
static unsigned nlive, nfreed;

// Device memory holds, where FAKE_CONTENTS is set, 0, 1, 2, … from the begin of each 4096 bytes on, and in element FAKE_AT that value. It is
// memory of the host then.
static u64 new_address(u64 size) {
    const char *value = getenv("FAKE_CONTENTS"), *at = getenv("FAKE_AT");
    u64 whole = (size + 0xfff) & ~UINT64_C(0xfff), here = next_address;
    if (!value) {
        next_address += whole;
        return here;
    }
    int *x = aligned_alloc(4096, whole ? whole : 4096);
    for (u64 i = 0; x && i < whole / 4; i++)
        x[i] = at && (int)(i % 1024) == atoi(at) ? atoi(value) : (int)(i % 1024);
    return (u64)(uintptr_t)x;
}

// What a call for the device's memory may touch; result of cuMemGetAddressRange.
int cuMemGetAddressRange_v2(u64 *base, u64 *size, u64 address) {
    int result = 1;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nlive && result; i++)
        if (address - live[i].at < live[i].size) {
            *base = live[i].at;
            *size = live[i].size;
            result = 0;
        }
    pthread_mutex_unlock(&lock);
    return result;
}

static bool backed(u64 address, u64 n) {
    u64 base = 0, size = 0;
    return getenv("FAKE_CONTENTS") && cuMemGetAddressRange_v2(&base, &size, address) == 0 && n <= size - (address - base);
}

// The last freed block of that size comes first, as in a real allocator.
static u64 take_address(u64 size, u32 type) {
    pthread_mutex_lock(&lock);
    u64 at = 0;
    for (unsigned i = nfreed; i-- > 0 && !at;)
        if (freed[i].size == size) {
            at = freed[i].at;
            freed[i] = freed[--nfreed];
        }
    if (!at) {
        at = new_address(size);
    }
    live[nlive].at = at;
    live[nlive].type = type;
    live[nlive++].size = size;
    pthread_mutex_unlock(&lock);
    return at;
}

static void give_address(u64 at) {
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nlive; i++)
        if (live[i].at == at) {
            if (nfreed < FREED) {
                freed[nfreed].at = at;
                freed[nfreed++].size = live[i].size;
            }
            live[i] = live[--nlive];
            break;
        }
    pthread_mutex_unlock(&lock);
}

static u64 take_handle(void) {
    return __atomic_add_fetch(&next_handle, 16, __ATOMIC_RELAXED);
}

static u64 module_now = 1; // of fake_code

void fake_code(u64 handle) {
    module_now = handle;
}

static int copy_down(void *to, u64 from, u64 n) {
    if (getenv("FAKE_CONTENTS") && !backed(from, n))
        return 1;
    if (getenv("FAKE_CONTENTS"))
        memcpy(to, (const void *)(uintptr_t)from, n);
    return 0;
}

static u64 new_kernel(const char *mangled);

static int effect(u32 id, const void *params) {
    u64 *first = *(u64 *const *)params, handle = *(const u64 *)params;
    switch (id) {
    case ID_cuMemAllocAsync:
        if (getenv("FAKE_FULL"))
            return 2;
        /* fall through */
    case ID_cuMemAlloc_v2:
    case ID_cuMemAllocManaged:
    case ID_cuMemAllocHost_v2:
    case ID_cuMemHostAlloc:
    case ID_cuMemAllocFromPoolAsync:
    case ID_cuMemAddressReserve:
        *first = take_address(((const tc_cu_cuMemAlloc_v2 *)params)->bytesize, id == ID_cuMemAllocHost_v2 || id == ID_cuMemHostAlloc ? CU_HOST : CU_DEVICE);
        break;
    case ID_cuMemAllocPitch_v2: {
        const tc_cu_cuMemAllocPitch_v2 *p = params;
        *p->pPitch = (p->WidthInBytes + 511) / 512 * 512;
        *first = take_address(*p->pPitch * p->Height, CU_DEVICE);
        break;
    }
    case ID_cuMemFree_v2:
    case ID_cuMemFreeHost:
    case ID_cuMemFreeAsync:
        give_address(handle);
        break;
    case ID_cuIpcOpenMemHandle_v2: { // one memory of another process
        static u64 memory;
        *first = memory = memory ? memory : take_address(4096, CU_DEVICE);
        break;
    }
    case ID_cuIpcOpenEventHandle:
    case ID_cuStreamCreate:
    case ID_cuStreamCreateWithPriority:
    case ID_cuEventCreate:
    case ID_cuGraphCreate:
    case ID_cuGraphClone:
    case ID_cuGraphAddKernelNode_v2:
    case ID_cuGraphAddMemcpyNode:
    case ID_cuGraphAddMemsetNode:
    case ID_cuGraphAddEmptyNode:
    case ID_cuGraphAddEventRecordNode:
    case ID_cuGraphAddNode_v2:
    case ID_cuGraphInstantiateWithFlags:
        *first = take_handle();
        break;
    case ID_cuStreamEndCapture:
        *((const tc_cu_cuStreamEndCapture *)params)->phGraph = take_handle();
        break;
    case ID_cuMemcpyDtoHAsync_v2: {
        const tc_cu_cuMemcpyDtoHAsync_v2 *p = params;
        return copy_down((void *)(uintptr_t)p->dstHost, p->srcDevice, p->ByteCount);
    }
    case ID_cuMemsetD8Async: {
        const tc_cu_cuMemsetD8Async *p = params;
        if (backed(p->dstDevice, p->N))
            memset((void *)(uintptr_t)p->dstDevice, p->uc, p->N);
        break;
    }
    case ID_cuLibraryLoadData:
        if (getenv("FAKE_REFUSES"))
            return 222;
        *first = take_handle();
        break;
    case ID_cuModuleLoadData:
        *first = take_handle();
        break;
    case ID_cuLibraryGetKernel:
        if (!*first)
            *first = new_kernel(((const tc_cu_cuLibraryGetKernel *)params)->name);
        break;
    default:
        break;
    }
    return 0;
}

static int run(u32 id, const char *name, const void *params, const char *symbol) {
    inside++;
    call_back(id, 0, name, params, NULL, symbol);
    int result = failing;
    failing = 0;
    if (result == 0)
        result = effect(id, params);
    call_back(id, 1, name, params, &result, symbol);
    inside--;
    return result;
}

typedef tc_cu_cuMemcpyHtoDAsync_v2 tc_cu_cuMemcpyHtoDAsync_v2_ptsz;
typedef tc_cu_cuModuleUnload tc_cu_cuLibraryUnload;
typedef tc_cu_cuMemAlloc_v2 tc_cu_cuIpcOpenMemHandle_v2;
#define ARGS(...) {__VA_ARGS__}
#define X(name, parameters, args)                                                                                                          \
    int name parameters {                                                                                                                  \
        tc_cu_##name taken = ARGS args;                                                                                                        \
        return run(ID_##name, #name, &taken, NULL);                                                                                            \
    }
FAKE_FUNCTIONS(X)
#undef X

int cuCtxSynchronize(void) {
    u64 none = 0;
    return run(ID_cuCtxSynchronize, "cuCtxSynchronize", &none, NULL);
}

// ---- kernels ----

enum { KERNELS = 256, PARAMS = 16 };
static struct {
    char name[128];
    unsigned n;
    size_t offset[PARAMS], size[PARAMS];
} kernels[KERNELS];
static unsigned nkernels;

static u64 new_kernel(const char *mangled) {
    unsigned i = nkernels++;
    snprintf(kernels[i].name, sizeof kernels[i].name, "%s", mangled);
    return 0xf000 + 64 * (u64)i;
}

u64 fake_kernel(const char *mangled, unsigned n, const unsigned *sizes) {
    u64 handle = new_kernel(mangled);
    unsigned i = nkernels - 1;
    kernels[i].n = n;
    size_t at = 0;
    for (unsigned k = 0; k < n; k++) {
        size_t align = sizes[k] < 8 ? sizes[k] : 8;
        at = (at + align - 1) / align * align;
        kernels[i].offset[k] = at;
        kernels[i].size[k] = sizes[k];
        at += sizes[k];
    }
    if (getenv("FAKE_LIBRARY")) { // kernels of a library
        tc_cu_cuLibraryGetKernel p = {&handle, module_now, mangled};
        run(ID_cuLibraryGetKernel, "cuLibraryGetKernel", &p, NULL);
    } else {
        tc_cu_cuModuleGetFunction p = {&handle, module_now, mangled};
        run(ID_cuModuleGetFunction, "cuModuleGetFunction", &p, NULL);
    }
    return handle;
}

static unsigned kernel_of(u64 function) {
    return (unsigned)((function - 0xf000) / 64);
}

// Handles of the wrong kind end the program, as they may do in the real driver.
static void expect(bool library) {
    if (library != (getenv("FAKE_LIBRARY") != NULL))
        abort();
}

static int parameter(u64 function, size_t index, size_t *offset, size_t *size) {
    unsigned i = kernel_of(function);
    if (i >= nkernels || index >= kernels[i].n)
        return 1;
    *offset = kernels[i].offset[index];
    *size = kernels[i].size[index];
    return 0;
}

int cuFuncGetParamInfo(u64 function, size_t index, size_t *offset, size_t *size) {
    expect(false);
    return parameter(function, index, offset, size);
}

int cuKernelGetParamInfo(u64 kernel, size_t index, size_t *offset, size_t *size) {
    expect(true);
    return parameter(kernel, index, offset, size);
}

static int name_of(const char **name, u64 function) {
    unsigned i = kernel_of(function);
    *name = i < nkernels ? kernels[i].name : NULL;
    return i < nkernels ? 0 : 1;
}

int cuFuncGetName(const char **name, u64 function) {
    expect(false);
    return name_of(name, function);
}

int cuKernelGetName(const char **name, u64 kernel) {
    expect(true);
    return name_of(name, kernel);
}

void fake_unload(void) {
    u64 data[4] = {0xc0};
    if (hook)
        hook(3, 7, data);
    nkernels = 0;
}

void fake_context_destroy(void) {
    u64 data[4] = {0xc0};
    if (hook)
        hook(3, 2, data);
}

int cuLaunchKernel(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params, void **extra) {
    tc_cu_cuLaunchKernel p = {f, gx, gy, gz, bx, by, bz, smem, stream, params, extra};
    int result = run(ID_cuLaunchKernel, "cuLaunchKernel", &p, kernels[kernel_of(f)].name);
    if (result == 0)
        fake_run_kernel(kernels[kernel_of(f)].name, gx, bx, params);
    return result;
}

int cuLaunchKernel_ptsz(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params, void **extra) {
    tc_cu_cuLaunchKernel p = {f, gx, gy, gz, bx, by, bz, smem, stream, params, extra};
    return run(ID_cuLaunchKernel_ptsz, "cuLaunchKernel_ptsz", &p, kernels[kernel_of(f)].name);
}

int cuLaunchCooperativeKernel(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params) {
    tc_cu_cuLaunchCooperativeKernel p = {f, gx, gy, gz, bx, by, bz, smem, stream, params};
    return run(ID_cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel", &p, kernels[kernel_of(f)].name);
}

int cuLaunchKernelEx(const tc_cu_CUlaunchConfig *config, u64 f, void **params, void **extra) {
    tc_cu_cuLaunchKernelEx p = {config, f, params, extra};
    return run(ID_cuLaunchKernelEx, "cuLaunchKernelEx", &p, kernels[kernel_of(f)].name);
}

// ---- what the shim asks ----

int cuCtxGetDevice(int *device) {
    *device = 0;
    return 0;
}

static struct {
    u64 base, size;
    u32 type;
} known[16];
static unsigned nknown;

void fake_pointer(u64 base, u64 size, u32 type) {
    known[nknown].base = base;
    known[nknown].size = size;
    known[nknown++].type = type;
}

int cuPointerGetAttribute(void *to, u32 attribute, u64 address) {
    for (unsigned i = 0; attribute == 2 && i < nknown; i++)
        if (address - known[i].base < known[i].size) {
            memcpy(to, &known[i].type, sizeof known[i].type);
            return 0;
        }
    int result = 1;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; attribute == 2 && i < nlive && result; i++)
        if (address - live[i].at < live[i].size) {
            memcpy(to, &live[i].type, sizeof live[i].type);
            result = 0;
        }
    pthread_mutex_unlock(&lock);
    return result;
}

int cuInit(u32 flags) {
    static int done;
    (void)flags;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    if (done || !path)
        return 0;
    done = 1;
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    int (*initialize)(void) = NULL;
    void *f = library ? dlsym(library, "InitializeInjection") : NULL;
    memcpy(&initialize, &f, sizeof f);
    if (!initialize)
        fprintf(stderr, "fake driver: %s cannot be loaded: %s\n", path, dlerror());
    return initialize && initialize() == 1 ? 0 : 999;
}

int cuThreadExchangeStreamCaptureMode(u32 *mode) {
    static _Thread_local u32 now;
    u32 old = now;
    now = *mode;
    *mode = old;
    return 0;
}

int cuStreamIsCapturing(u64 stream, u32 *status) {
    (void)stream;
    *status = getenv("FAKE_CAPTURING") != NULL;
    return 0;
}
