// Allocation and freeing.
#include <pthread.h>

#include "runtime-shim/front/driver.h"

#define P(function) const tc_cu_##function *p = c->params

static void alloc(const shim_call *c, u64 base, u64 size, tc_rt_memory memory) {
    tc_rt_event e = {.op = TC_RT_ALLOC, .base = base, .size = size, .memory = memory};
    if (base && size)
        driver_give(c, &e);
}

static void ended(const shim_call *c, u64 base) {
    tc_rt_event e = {.op = TC_RT_FREE, .base = base};
    if (base)
        driver_give(c, &e);
}

void take_alloc_device(const shim_call *c) {
    P(cuMemAlloc_v2);
    alloc(c, *p->dptr, p->bytesize, TC_RT_MEM_DEVICE);
}

void take_alloc_pitch(const shim_call *c) {
    P(cuMemAllocPitch_v2);
    alloc(c, *p->dptr, *p->pPitch * p->Height, TC_RT_MEM_DEVICE);
}

void take_alloc_managed(const shim_call *c) {
    P(cuMemAllocManaged);
    alloc(c, *p->dptr, p->bytesize, TC_RT_MEM_MANAGED);
}

void take_alloc_host(const shim_call *c) { // and cuMemHostAlloc, which begins alike
    P(cuMemAllocHost_v2);
    alloc(c, *p->pp, p->bytesize, TC_RT_MEM_PINNED);
}

void take_register(const shim_call *c) {
    P(cuMemHostRegister_v2);
    alloc(c, p->p, p->bytesize, TC_RT_MEM_REGISTERED);
}

void take_free(const shim_call *c) { // all of these have the address first, and nothing else
    P(cuMemFree_v2);
    ended(c, p->dptr);
}

typedef int (*get_range)(u64 *base, u64 *size, u64 address);

// Memory of another process that is opened more than once has one address, and is there until it is closed as often.
enum { MAX_OPEN = 1024 };
static struct {
    u64 address;
    unsigned more; // opened beyond the first time
} opened[MAX_OPEN];
static unsigned nopened;
static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned find_opened(u64 address) {
    unsigned i = 0;
    while (i < nopened && opened[i].address != address)
        i++;
    return i;
}

static bool opens_again(u64 address) {
    pthread_mutex_lock(&opened_lock);
    unsigned i = find_opened(address);
    bool again = i < nopened;
    if (again)
        opened[i].more++;
    else if (nopened < MAX_OPEN)
        opened[nopened++].address = address;
    pthread_mutex_unlock(&opened_lock);
    return again;
}

static bool stays_open(u64 address) {
    pthread_mutex_lock(&opened_lock);
    unsigned i = find_opened(address);
    bool stays = i < nopened && opened[i].more > 0;
    if (stays)
        opened[i].more--;
    else if (i < nopened)
        opened[i] = opened[--nopened];
    pthread_mutex_unlock(&opened_lock);
    return stays;
}

void take_ipc_close(const shim_call *c) {
    P(cuIpcCloseMemHandle);
    if (!stays_open(p->dptr))
        ended(c, p->dptr);
}

// How much there is only the driver knows.
void take_ipc_open(const shim_call *c) {
    P(cuMemAlloc_v2);
    u64 base = 0, size = 0;
    get_range ask = NULL;
    if (opens_again(*p->dptr))
        return;
    void *f = driver_function("cuMemGetAddressRange_v2");
    __builtin_memcpy(&ask, &f, sizeof f);
    if (ask && ask(&base, &size, *p->dptr) == CU_OK)
        alloc(c, base, size, TC_RT_MEM_IPC);
}

void take_alloc_async(const shim_call *c) {
    P(cuMemAllocAsync);
    tc_rt_event e = {.op = TC_RT_ALLOC_ASYNC, .base = *p->dptr, .size = p->bytesize, .stream = driver_stream(c, p->hStream)};
    driver_give(c, &e);
}

void take_alloc_from_pool(const shim_call *c) {
    P(cuMemAllocFromPoolAsync);
    tc_rt_event e = {.op = TC_RT_ALLOC_ASYNC,
                     .base = *p->dptr,
                     .size = p->bytesize,
                     .pool = p->pool,
                     .stream = driver_stream(c, p->hStream)};
    driver_give(c, &e);
}

void take_free_async(const shim_call *c) {
    P(cuMemFreeAsync);
    tc_rt_event e = {.op = TC_RT_FREE_ASYNC, .base = p->dptr, .stream = driver_stream(c, p->hStream)};
    if (p->dptr)
        driver_give(c, &e);
}

// ---- virtual memory ----
//
// An allocation is a range of addresses: what is mapped there may come in pieces, and a buffer may go over several of them. Taking a piece
// away is a write by the host: no kernel may be using it.

void take_reserve(const shim_call *c) {
    P(cuMemAddressReserve);
    alloc(c, *p->ptr, p->size, TC_RT_MEM_SYSTEM);
}

void take_address_free(const shim_call *c) {
    P(cuMemAddressFree);
    ended(c, p->ptr);
}

void take_unmap(const shim_call *c) {
    P(cuMemUnmap);
    const tc_rt_use use = {.region = tc_rt_region_dense(p->ptr, p->size), .borrow = TC_RT_EXCLUSIVE, .name = "cuMemUnmap"};
    tc_rt_event e = {.op = TC_RT_HOST_ACCESS, .flags = TC_RT_LASTING, .uses = &use, .nuses = 1};
    driver_give(c, &e);
}
