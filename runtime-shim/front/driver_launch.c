// Launches of kernels. At the exit of the call: what it lends is lent from when it was given, a failed one lends nothing, and the arguments,
// which the caller owns until the call returns, can still be read.
#include "runtime-shim/front/driver.h"

#include <string.h>

#define P(function) const tc_cu_##function *p = c->params

void take_function(const shim_call *c) {
    P(cuModuleGetFunction);
    kernels_handle(*p->hfunc, SHIM_FUNCTION);
    code_is_of(*p->hfunc, p->hmod);
}

void take_kernel_function(const shim_call *c) {
    P(cuKernelGetFunction);
    kernels_handle(*p->pFunc, SHIM_FUNCTION);
    code_is_of(*p->pFunc, p->kernel);
}

void take_kernel(const shim_call *c) {
    P(cuLibraryGetKernel);
    kernels_handle(*p->pKernel, SHIM_KERNEL);
    code_is_of(*p->pKernel, p->library);
}

void take_functions(const shim_call *c) {
    P(cuModuleEnumerateFunctions);
    for (u32 i = 0; p->functions && i < p->numFunctions; i++)
        kernels_handle(p->functions[i], SHIM_FUNCTION), code_is_of(p->functions[i], p->mod);
}

void take_kernels(const shim_call *c) {
    P(cuLibraryEnumerateKernels);
    for (u32 i = 0; p->kernels && i < p->numKernels; i++)
        kernels_handle(p->kernels[i], SHIM_KERNEL), code_is_of(p->kernels[i], p->lib);
}

static void launch(const shim_call *c, const shim_launch *l, u64 stream) {
    shim_kernel *k = kernels_find(l->function, c->symbol, SHIM_UNKNOWN);
    if (c->entry) {
        contents_look(k, l, driver_stream(c, stream));
        return;
    }
    tc_rt_event e = {.stream = driver_stream(c, stream), .device = c->device, .flags = driver_accepted(c)};
    if (!shim_enter())
        return;
    kernels_launch(k, l, &e);
    contents_tell(k, &e);
    bool failed = c->result != CU_OK, capture = c->result >= CU_CAPTURE_FIRST && c->result <= CU_CAPTURE_LAST;
    if (failed && !capture)
        e.nuses = 0;
    shim_give(&e);
    shim_leave();
}

void take_launch(const shim_call *c) {
    P(cuLaunchKernel);
    const shim_launch l = {.function = p->f,
                           .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                           .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                           .smem = p->sharedMemBytes,
                           .params = p->kernelParams,
                           .extra = p->extra};
    launch(c, &l, p->hStream);
}

void take_launch_cooperative(const shim_call *c) {
    P(cuLaunchCooperativeKernel);
    const shim_launch l = {.function = p->f,
                           .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                           .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                           .smem = p->sharedMemBytes,
                           .params = p->kernelParams};
    launch(c, &l, p->hStream);
}

void take_launch_ex(const shim_call *c) {
    P(cuLaunchKernelEx);
    const tc_cu_CUlaunchConfig *g = p->config;
    shim_launch l = {.function = p->f,
                     .grid = {g->gridDimX, g->gridDimY, g->gridDimZ},
                     .block = {g->blockDimX, g->blockDimY, g->blockDimZ},
                     .smem = g->sharedMemBytes,
                     .params = p->kernelParams,
                     .extra = p->extra};
    for (u32 i = 0; g->attrs && i < g->numAttrs; i++) {
        const u8 *a = (const u8 *)g->attrs + (size_t)i * CU_ATTRIBUTE_SIZE;
        u32 id;
        memcpy(&id, a, sizeof id);
        if (id == CU_ATTRIBUTE_CLUSTER)
            memcpy(l.cluster, a + 8, sizeof l.cluster);
        int allowed = 0;
        if (id == CU_ATTRIBUTE_PROGRAMMATIC)
            memcpy(&allowed, a + 8, sizeof allowed);
        l.programmatic |= allowed != 0;
    }
    launch(c, &l, g->hStream);
}
