// The shim by link-time wrapping: each wrapped call of the CUDA runtime becomes what CUPTI would have shown of the driver.
//
// A kernel is launched by the address of its host function; its name was registered with it before main.
#include <pthread.h>
#include <stdlib.h>

#include "runtime-shim/front/driver.h"

#define EXPORT __attribute__((visibility("default")))
#define WEAK __attribute__((weak)) // a version of the runtime that has it not is no error: then nobody calls it

enum {
#define X(id, name, params, when, take) ID_##name = (id),
#define Y X
#include "runtime-shim/front/driver.def"
#undef Y
#undef X
};
typedef struct tc_cu_cuCtxSynchronize { // it has no parameters
    u64 none;
} tc_cu_cuCtxSynchronize;

const char shim_not_started[] = "the program has called none of the wrapped functions of the CUDA runtime";

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void) {
    kernels_are_stubs();
    if (shim_start())
        kernels_start();
}

WEAK int __real_cudaGetDevice(int *device) __asm__("cudaGetDevice");

// The device of the thread counts as its context: the runtime has one for each.
static u64 context(void) {
    int device = 0;
    return __real_cudaGetDevice(&device) == 0 && device >= 0 ? (u64)device + 1 : 1;
}

// Stacks begin where the program calls.
#define before(id, params) before_from(id, params, __builtin_return_address(0))
static u64 before_from(u32 id, const void *params, const void *caller) {
    pthread_once(&once, start);
    shim_called_from(caller);
    u64 where = shim_is_on() ? context() : 1;
    driver_call(id, true, params, 0, NULL, where, (u32)where);
    return where;
}

static void after(u32 id, const void *params, int result, const char *symbol, u64 where) {
    driver_call(id, false, params, result, symbol, where, (u32)where);
}

#define ARGUMENTS(...) {__VA_ARGS__}
#define WRAP(name, id, parameters, arguments, function, values)                                                                            \
    WEAK int __real_##name parameters;                                                                                                          \
    EXPORT int __wrap_##name parameters;                                                                                                   \
    int __wrap_##name parameters {                                                                                                         \
        const tc_cu_##function call = ARGUMENTS values;                                                                                    \
        u64 where = before(id, &call);                                                                                                     \
        int result = __real_##name arguments;                                                                                              \
        after(id, &call, result, NULL, where);                                                                                             \
        return result;                                                                                                                     \
    }
#define W(name, parameters, arguments, function, values) WRAP(name, ID_##function, parameters, arguments, function, values)
#define S(name, parameters, arguments, function, values)                                                                                   \
    W(name, parameters, arguments, function, values)                                                                                       \
    WRAP(name##_ptsz, ID_##function##_ptsz, parameters, arguments, function, values)
#include "runtime-shim/wrap/wrap.def"
#undef S
#undef W

// ---- copies: the direction says which sides are the host's ----

typedef struct direction {
    u32 sync, async, async_ptsz; // the driver's functions; the parameters are alike
    u32 from, to;                // CU_HOST, …
} direction;

static direction direction_of(u32 kind) { // cudaMemcpyKind
    static const direction all[] = {{ID_cuMemcpy, ID_cuMemcpyAsync, ID_cuMemcpyAsync_ptsz, CU_UNIFIED, CU_UNIFIED},
                                    {ID_cuMemcpyHtoD_v2, ID_cuMemcpyHtoDAsync_v2, ID_cuMemcpyHtoDAsync_v2_ptsz, CU_HOST, CU_DEVICE},
                                    {ID_cuMemcpyDtoH_v2, ID_cuMemcpyDtoHAsync_v2, ID_cuMemcpyDtoHAsync_v2_ptsz, CU_DEVICE, CU_HOST},
                                    {ID_cuMemcpyDtoD_v2, ID_cuMemcpyDtoDAsync_v2, ID_cuMemcpyDtoDAsync_v2_ptsz, CU_DEVICE, CU_DEVICE}};
    return all[kind < 4 ? kind : 0];
}

WEAK int __real_cudaMemcpy(u64 to, u64 from, size_t n, u32 kind);
EXPORT int __wrap_cudaMemcpy(u64 to, u64 from, size_t n, u32 kind);
int __wrap_cudaMemcpy(u64 to, u64 from, size_t n, u32 kind) {
    const tc_cu_cuMemcpy call = {to, from, n};
    u32 id = direction_of(kind).sync;
    u64 where = before(id, &call);
    int result = __real_cudaMemcpy(to, from, n, kind);
    after(id, &call, result, NULL, where);
    return result;
}

static tc_cu_CUDA_MEMCPY2D image(u64 to, size_t to_pitch, u64 from, size_t from_pitch, size_t width, size_t height, u32 kind) {
    direction d = direction_of(kind);
    return (tc_cu_CUDA_MEMCPY2D){.srcMemoryType = d.from,
                                 .srcHost = from,
                                 .srcDevice = from,
                                 .srcPitch = from_pitch,
                                 .dstMemoryType = d.to,
                                 .dstHost = to,
                                 .dstDevice = to,
                                 .dstPitch = to_pitch,
                                 .WidthInBytes = width,
                                 .Height = height};
}

WEAK int __real_cudaMemcpy2D(u64 to, size_t to_pitch, u64 from, size_t from_pitch, size_t width, size_t height, u32 kind);
EXPORT int __wrap_cudaMemcpy2D(u64 to, size_t to_pitch, u64 from, size_t from_pitch, size_t width, size_t height, u32 kind);
int __wrap_cudaMemcpy2D(u64 to, size_t to_pitch, u64 from, size_t from_pitch, size_t width, size_t height, u32 kind) {
    const tc_cu_CUDA_MEMCPY2D m = image(to, to_pitch, from, from_pitch, width, height, kind);
    const tc_cu_cuMemcpy2D_v2 call = {&m};
    u64 where = before(ID_cuMemcpy2D_v2, &call);
    int result = __real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
    after(ID_cuMemcpy2D_v2, &call, result, NULL, where);
    return result;
}

#define ASYNC_COPIES(suffix, member)                                                                                                       \
    WEAK int __real_cudaMemcpyAsync##suffix(u64 to, u64 from, size_t n, u32 kind, u64 stream);                                                  \
    EXPORT int __wrap_cudaMemcpyAsync##suffix(u64 to, u64 from, size_t n, u32 kind, u64 stream);                                           \
    int __wrap_cudaMemcpyAsync##suffix(u64 to, u64 from, size_t n, u32 kind, u64 stream) {                                                 \
        const tc_cu_cuMemcpyAsync call = {to, from, n, stream};                                                                            \
        u32 id = direction_of(kind).member;                                                                                                \
        u64 where = before(id, &call);                                                                                                     \
        int result = __real_cudaMemcpyAsync##suffix(to, from, n, kind, stream);                                                            \
        after(id, &call, result, NULL, where);                                                                                             \
        return result;                                                                                                                     \
    }                                                                                                                                      \
    WEAK int __real_cudaMemcpy2DAsync##suffix(u64 to, size_t tp, u64 from, size_t fp, size_t width, size_t height, u32 kind, u64 stream);       \
    EXPORT int __wrap_cudaMemcpy2DAsync##suffix(u64 to, size_t tp, u64 from, size_t fp, size_t width, size_t height, u32 kind, u64 stream); \
    int __wrap_cudaMemcpy2DAsync##suffix(u64 to, size_t tp, u64 from, size_t fp, size_t width, size_t height, u32 kind, u64 stream) {      \
        const tc_cu_CUDA_MEMCPY2D m = image(to, tp, from, fp, width, height, kind);                                                        \
        const tc_cu_cuMemcpy2DAsync_v2 call = {&m, stream};                                                                                \
        u64 where = before(ID_cuMemcpy2DAsync_v2##suffix, &call);                                                                          \
        int result = __real_cudaMemcpy2DAsync##suffix(to, tp, from, fp, width, height, kind, stream);                                      \
        after(ID_cuMemcpy2DAsync_v2##suffix, &call, result, NULL, where);                                                                  \
        return result;                                                                                                                     \
    }
ASYNC_COPIES(, async)
ASYNC_COPIES(_ptsz, async_ptsz)

typedef struct side { // of cudaMemcpy3DParms: an array or a pitched pointer, and where in it
    u64 array;
    size_t x, y, z;
    u64 ptr;
    size_t pitch, xsize, ysize;
} side;
typedef struct parms_3d { // cudaMemcpy3DParms
    side from, to;
    size_t width, height, depth;
    u32 kind;
} parms_3d;

// Of arrays the width counts elements, which no call tells: they are left out as a whole.
static tc_cu_CUDA_MEMCPY3D box(const parms_3d *p) {
    direction d = direction_of(p->kind);
    bool arrays = p->from.array || p->to.array;
    return (tc_cu_CUDA_MEMCPY3D){.srcXInBytes = p->from.x,
                                 .srcY = p->from.y,
                                 .srcZ = p->from.z,
                                 .srcMemoryType = p->from.array ? CU_ARRAY : d.from,
                                 .srcHost = p->from.ptr,
                                 .srcDevice = p->from.ptr,
                                 .srcPitch = p->from.pitch,
                                 .srcHeight = p->from.ysize,
                                 .dstXInBytes = p->to.x,
                                 .dstY = p->to.y,
                                 .dstZ = p->to.z,
                                 .dstMemoryType = p->to.array ? CU_ARRAY : d.to,
                                 .dstHost = p->to.ptr,
                                 .dstDevice = p->to.ptr,
                                 .dstPitch = p->to.pitch,
                                 .dstHeight = p->to.ysize,
                                 .WidthInBytes = arrays ? 0 : p->width,
                                 .Height = p->height,
                                 .Depth = p->depth};
}

WEAK int __real_cudaMemcpy3D(const parms_3d *p);
EXPORT int __wrap_cudaMemcpy3D(const parms_3d *p);
int __wrap_cudaMemcpy3D(const parms_3d *p) {
    const tc_cu_CUDA_MEMCPY3D m = box(p);
    const tc_cu_cuMemcpy3D_v2 call = {&m};
    u64 where = before(ID_cuMemcpy3D_v2, &call);
    int result = __real_cudaMemcpy3D(p);
    after(ID_cuMemcpy3D_v2, &call, result, NULL, where);
    return result;
}

#define ASYNC_BOX(suffix)                                                                                                                  \
    WEAK int __real_cudaMemcpy3DAsync##suffix(const parms_3d *p, u64 stream);                                                              \
    EXPORT int __wrap_cudaMemcpy3DAsync##suffix(const parms_3d *p, u64 stream);                                                            \
    int __wrap_cudaMemcpy3DAsync##suffix(const parms_3d *p, u64 stream) {                                                                  \
        const tc_cu_CUDA_MEMCPY3D m = box(p);                                                                                              \
        const tc_cu_cuMemcpy3DAsync_v2 call = {&m, stream};                                                                                \
        u64 where = before(ID_cuMemcpy3DAsync_v2##suffix, &call);                                                                          \
        int result = __real_cudaMemcpy3DAsync##suffix(p, stream);                                                                          \
        after(ID_cuMemcpy3DAsync_v2##suffix, &call, result, NULL, where);                                                                  \
        return result;                                                                                                                     \
    }
ASYNC_BOX()
ASYNC_BOX(_ptsz)

// ---- the device ----

WEAK int __real_cudaDeviceReset(void);
EXPORT int __wrap_cudaDeviceReset(void);
int __wrap_cudaDeviceReset(void) {
    pthread_once(&once, start);
    driver_context_ends(context());
    return __real_cudaDeviceReset();
}

// ---- kernels ----

// Names by host function, and host functions by handle: few, written before main or at a kernel's first launch.
typedef struct named {
    const void *key;
    const char *name;
} named;
static named *names;
static size_t nnames, names_cap;
static pthread_rwlock_t names_lock = PTHREAD_RWLOCK_INITIALIZER;

static int by_key(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)((const named *)a)->key, y = (uintptr_t)((const named *)b)->key;
    return (x > y) - (x < y);
}

static const char *name_of(const void *key) {
    const named wanted = {key, NULL};
    pthread_rwlock_rdlock(&names_lock);
    const named *found = nnames ? bsearch(&wanted, names, nnames, sizeof wanted, by_key) : NULL;
    const char *name = found ? found->name : NULL;
    pthread_rwlock_unlock(&names_lock);
    return name;
}

static void name(const void *key, const char *text) {
    pthread_rwlock_wrlock(&names_lock);
    if (nnames == names_cap) {
        size_t more = names_cap ? names_cap * 2 : 64;
        named *p = realloc(names, more * sizeof *p);
        names = p ? p : names;
        names_cap = p ? more : names_cap;
    }
    size_t i = nnames;
    for (; nnames < names_cap && i > 0 && (uintptr_t)names[i - 1].key > (uintptr_t)key; i--)
        names[i] = names[i - 1];
    if (nnames < names_cap) {
        names[i] = (named){key, text};
        nnames++;
    }
    pthread_rwlock_unlock(&names_lock);
}

// Before it registers kernels, a file's code registers its image.
WEAK void **__real___cudaRegisterFatBinary(void *image);
EXPORT void **__wrap___cudaRegisterFatBinary(void *image);
void **__wrap___cudaRegisterFatBinary(void *image) {
    void **handle = __real___cudaRegisterFatBinary(image);
    code_loaded((u64)(uintptr_t)handle, image);
    return handle;
}

#define REGISTRATION                                                                                                                       \
    (void **image, const char *host, char *device, const char *device_name, int limit, void *tid, void *bid, void *block, void *grid, int *warp)
WEAK void __real___cudaRegisterFunction REGISTRATION;
EXPORT void __wrap___cudaRegisterFunction REGISTRATION;
void __wrap___cudaRegisterFunction REGISTRATION {
    if (!name_of(host)) {
        name(host, device_name);
        code_is_of((u64)(uintptr_t)host, (u64)(uintptr_t)image);
    }
    __real___cudaRegisterFunction(image, host, device, device_name, limit, tid, bid, block, grid, warp);
}

// What nvcc of CUDA 13 launches by: a handle for the host function.
WEAK int __real___cudaGetKernel(u64 *kernel, const void *host);
EXPORT int __wrap___cudaGetKernel(u64 *kernel, const void *host);
int __wrap___cudaGetKernel(u64 *kernel, const void *host) {
    int result = __real___cudaGetKernel(kernel, host);
    const void *handle = result == 0 ? (const void *)(uintptr_t)*kernel : NULL;
    if (handle && !name_of(handle) && name_of(host)) {
        name(handle, name_of(host));
        code_is_of((u64)(uintptr_t)handle, (u64)(uintptr_t)host);
    }
    return result;
}

typedef struct size3 { // dim3
    u32 x, y, z;
} size3;

#define LAUNCH(wrapped, id)                                                                                                                \
    WEAK int __real_##wrapped(const void *f, size3 grid, size3 block, void **args, size_t smem, u64 stream);                                    \
    EXPORT int __wrap_##wrapped(const void *f, size3 grid, size3 block, void **args, size_t smem, u64 stream);                             \
    int __wrap_##wrapped(const void *f, size3 grid, size3 block, void **args, size_t smem, u64 stream) {                                   \
        const tc_cu_cuLaunchKernel call = {(u64)(uintptr_t)f, grid.x, grid.y, grid.z, block.x, block.y, block.z, (u32)smem, stream, args, NULL}; \
        u64 where = before(id, &call);                                                                                                     \
        int result = __real_##wrapped(f, grid, block, args, smem, stream);                                                                 \
        after(id, &call, result, name_of(f), where);                                                                                       \
        return result;                                                                                                                     \
    }
LAUNCH(cudaLaunchKernel, ID_cuLaunchKernel)
LAUNCH(cudaLaunchKernel_ptsz, ID_cuLaunchKernel_ptsz)
LAUNCH(cudaLaunchCooperativeKernel, ID_cuLaunchCooperativeKernel)
LAUNCH(cudaLaunchCooperativeKernel_ptsz, ID_cuLaunchCooperativeKernel_ptsz)
LAUNCH(__cudaLaunchKernel, ID_cuLaunchKernel)
LAUNCH(__cudaLaunchKernel_ptsz, ID_cuLaunchKernel_ptsz)

typedef struct launch_config { // cudaLaunchConfig_t
    size3 grid, block;
    size_t smem;
    u64 stream;
    const void *attrs;
    u32 numAttrs;
} launch_config;

#define LAUNCH_EX(wrapped, id)                                                                                                             \
    WEAK int __real_##wrapped(const launch_config *g, const void *f, void **args);                                                              \
    EXPORT int __wrap_##wrapped(const launch_config *g, const void *f, void **args);                                                       \
    int __wrap_##wrapped(const launch_config *g, const void *f, void **args) {                                                             \
        const tc_cu_CUlaunchConfig config = {g->grid.x,  g->grid.y,   g->grid.z, g->block.x, g->block.y,                                   \
                                             g->block.z, (u32)g->smem, g->stream, g->attrs,   g->numAttrs};                                \
        const tc_cu_cuLaunchKernelEx call = {&config, (u64)(uintptr_t)f, args, NULL};                                                      \
        u64 where = before(id, &call);                                                                                                     \
        int result = __real_##wrapped(g, f, args);                                                                                         \
        after(id, &call, result, name_of(f), where);                                                                                       \
        return result;                                                                                                                     \
    }
LAUNCH_EX(cudaLaunchKernelExC, ID_cuLaunchKernelEx)
LAUNCH_EX(cudaLaunchKernelExC_ptsz, ID_cuLaunchKernelEx_ptsz)

// ---- nodes of executable graphs that are changed ----

typedef struct node_params { // cudaKernelNodeParams
    const void *func;
    size3 grid, block;
    u32 smem;
    void **params, **extra;
} node_params;

static tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 node_of(const node_params *p) {
    // The name is looked up now: a node is not given with one.
    kernels_find((u64)(uintptr_t)p->func, name_of(p->func), SHIM_UNKNOWN);
    return (tc_cu_CUDA_KERNEL_NODE_PARAMS_v2){.func = (u64)(uintptr_t)p->func,
                                              .gridDimX = p->grid.x,
                                              .gridDimY = p->grid.y,
                                              .gridDimZ = p->grid.z,
                                              .blockDimX = p->block.x,
                                              .blockDimY = p->block.y,
                                              .blockDimZ = p->block.z,
                                              .sharedMemBytes = p->smem,
                                              .kernelParams = p->params,
                                              .extra = p->extra};
}

WEAK int __real_cudaGraphExecKernelNodeSetParams(u64 exec, u64 node, const node_params *p);
EXPORT int __wrap_cudaGraphExecKernelNodeSetParams(u64 exec, u64 node, const node_params *p);
int __wrap_cudaGraphExecKernelNodeSetParams(u64 exec, u64 node, const node_params *p) {
    pthread_once(&once, start);
    const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 params = node_of(p);
    const tc_cu_cuGraphExecKernelNodeSetParams_v2 call = {exec, node, &params};
    u64 where = before(ID_cuGraphExecKernelNodeSetParams_v2, &call);
    int result = __real_cudaGraphExecKernelNodeSetParams(exec, node, p);
    after(ID_cuGraphExecKernelNodeSetParams_v2, &call, result, NULL, where);
    return result;
}
