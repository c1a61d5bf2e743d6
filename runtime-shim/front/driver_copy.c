// Copies and sets, with their exact rows.
#include "runtime-shim/front/driver.h"

#define P(function) const tc_cu_##function *p = c->params

typedef enum place { ON_DEVICE, ON_HOST, ANYWHERE } place;

typedef int (*get_attribute)(void *to, u32 attribute, u64 address);

// Memory that the driver does not know is the host's own.
static bool is_host(u64 address) {
    static get_attribute ask;
    if (!ask) {
        void *f = driver_function("cuPointerGetAttribute");
        __builtin_memcpy(&ask, &f, sizeof f);
    }
    u32 type = 0;
    return !ask || ask(&type, CU_MEMORY_TYPE, address) != CU_OK || type == CU_HOST;
}

static bool counts_as_host(place at, u64 address) {
    return at == ON_HOST || (at == ANYWHERE && is_host(address));
}

tc_rt_region driver_rows(u64 base, u64 width, u64 height, u64 pitch) {
    tc_rt_region r = tc_rt_region_dense(base, width);
    if (pitch > INT64_MAX || !tc_rt_region_add(&r, height, (int64_t)pitch))
        r.run = 0; // beyond the address space: no call with it succeeds
    return r;
}

static tc_rt_use source(tc_rt_region r, place at) {
    return (tc_rt_use){.region = r, .borrow = TC_RT_SHARED, .name = "source", .host = counts_as_host(at, r.base)};
}

static tc_rt_use destination(tc_rt_region r, place at) {
    return (tc_rt_use){.region = r, .borrow = TC_RT_EXCLUSIVE, .name = "destination", .host = counts_as_host(at, r.base)};
}

static void give_copy(const shim_call *c, const tc_rt_use *uses, size_t n, u64 stream, u32 flags) {
    tc_rt_event e = {.op = TC_RT_COPY, .flags = flags | TC_RT_LASTING, .stream = driver_stream(c, stream), .uses = uses, .nuses = n};
    driver_give(c, &e);
}

static void copy(const shim_call *c, u64 to, place to_at, u64 from, place from_at, u64 bytes, u64 stream, u32 flags) {
    const tc_rt_use uses[2] = {source(tc_rt_region_dense(from, bytes), from_at), destination(tc_rt_region_dense(to, bytes), to_at)};
    give_copy(c, uses, 2, stream, flags);
}

void take_copy_any(const shim_call *c) {
    P(cuMemcpy);
    copy(c, p->dst, ANYWHERE, p->src, ANYWHERE, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_any_async(const shim_call *c) {
    P(cuMemcpyAsync);
    copy(c, p->dst, ANYWHERE, p->src, ANYWHERE, p->ByteCount, p->hStream, 0);
}

void take_copy_to_device(const shim_call *c) {
    P(cuMemcpyHtoD_v2);
    copy(c, p->dstDevice, ON_DEVICE, p->srcHost, ON_HOST, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_to_device_async(const shim_call *c) {
    P(cuMemcpyHtoDAsync_v2);
    copy(c, p->dstDevice, ON_DEVICE, p->srcHost, ON_HOST, p->ByteCount, p->hStream, 0);
}

void take_copy_to_host(const shim_call *c) {
    P(cuMemcpyDtoH_v2);
    copy(c, p->dstHost, ON_HOST, p->srcDevice, ON_DEVICE, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_to_host_async(const shim_call *c) {
    P(cuMemcpyDtoHAsync_v2);
    copy(c, p->dstHost, ON_HOST, p->srcDevice, ON_DEVICE, p->ByteCount, p->hStream, 0);
}

void take_copy_on_device(const shim_call *c) {
    P(cuMemcpyDtoD_v2);
    copy(c, p->dstDevice, ON_DEVICE, p->srcDevice, ON_DEVICE, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_on_device_async(const shim_call *c) {
    P(cuMemcpyDtoDAsync_v2);
    copy(c, p->dstDevice, ON_DEVICE, p->srcDevice, ON_DEVICE, p->ByteCount, p->hStream, 0);
}

// Copies between devices that are in order with all work of both, and of the current device (CUDA Runtime API, cudaMemcpyPeer).
static void give_peer_copy(const shim_call *c, const tc_rt_use *uses, size_t n, u64 to_context, u64 from_context) {
    tc_rt_event e = {.op = TC_RT_COPY,
                     .flags = TC_RT_SYNC | TC_RT_ALL_DEVICES | TC_RT_LASTING,
                     .stream = driver_stream(c, 0),
                     .peer = driver_context(from_context, 0),
                     .uses = uses,
                     .nuses = n};
    shim_call on = *c;
    on.device = driver_context(to_context, 0);
    if (c->device != on.device && c->device != e.peer) { // it is neither
        tc_rt_event current = {.op = TC_RT_COPY, .flags = TC_RT_ALL_DEVICES, .stream = e.stream, .peer = on.device};
        driver_give(c, &current);
    }
    driver_give(&on, &e);
}

void take_copy_peer(const shim_call *c) {
    P(cuMemcpyPeer);
    const tc_rt_use uses[2] = {source(tc_rt_region_dense(p->srcDevice, p->ByteCount), ON_DEVICE),
                               destination(tc_rt_region_dense(p->dstDevice, p->ByteCount), ON_DEVICE)};
    give_peer_copy(c, uses, 2, p->dstContext, p->srcContext);
}

void take_copy_peer_async(const shim_call *c) {
    P(cuMemcpyPeerAsync);
    copy(c, p->dstDevice, ON_DEVICE, p->srcDevice, ON_DEVICE, p->ByteCount, p->hStream, 0);
}

// Arrays are not memory that kernels borrow: the other side alone is looked at.
static void copy_from(const shim_call *c, u64 from, place at, u64 bytes, u64 stream, u32 flags) {
    const tc_rt_use use = source(tc_rt_region_dense(from, bytes), at);
    give_copy(c, &use, 1, stream, flags);
}

static void copy_to(const shim_call *c, u64 to, place at, u64 bytes, u64 stream, u32 flags) {
    const tc_rt_use use = destination(tc_rt_region_dense(to, bytes), at);
    give_copy(c, &use, 1, stream, flags);
}

void take_copy_host_to_array(const shim_call *c) {
    P(cuMemcpyHtoA_v2);
    copy_from(c, p->srcHost, ON_HOST, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_host_to_array_async(const shim_call *c) {
    P(cuMemcpyHtoAAsync_v2);
    copy_from(c, p->srcHost, ON_HOST, p->ByteCount, p->hStream, 0);
}

void take_copy_array_to_host(const shim_call *c) {
    P(cuMemcpyAtoH_v2);
    copy_to(c, p->dstHost, ON_HOST, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_array_to_host_async(const shim_call *c) {
    P(cuMemcpyAtoHAsync_v2);
    copy_to(c, p->dstHost, ON_HOST, p->ByteCount, p->hStream, 0);
}

void take_copy_device_to_array(const shim_call *c) {
    P(cuMemcpyDtoA_v2);
    copy_from(c, p->srcDevice, ON_DEVICE, p->ByteCount, 0, TC_RT_SYNC);
}

void take_copy_array_to_device(const shim_call *c) {
    P(cuMemcpyAtoD_v2);
    copy_to(c, p->dstDevice, ON_DEVICE, p->ByteCount, 0, TC_RT_SYNC);
}

// ---- two and three dimensions ----

typedef struct side {
    u64 host, device, x, y, z, pitch, height;
    u32 type;
} side;

// false: an array.
static bool side_region(const side *s, u64 width, u64 height, u64 depth, tc_rt_region *r, place *at) {
    u64 from = s->type == CU_HOST ? s->host : s->device, slice = s->pitch * s->height;
    *at = s->type == CU_HOST ? ON_HOST : s->type == CU_DEVICE ? ON_DEVICE : ANYWHERE;
    if (s->type == CU_ARRAY)
        return false;
    *r = driver_rows(from + s->z * slice + s->y * s->pitch + s->x, width, height, s->pitch);
    if (depth != 1 && (slice > INT64_MAX || !tc_rt_region_add(r, depth, (int64_t)slice)))
        r->run = 0;
    return true;
}

static unsigned copy_uses(const side *from, const side *to, u64 width, u64 height, u64 depth, tc_rt_use uses[COPY_USES]) {
    unsigned n = 0;
    tc_rt_region r;
    place at;
    if (side_region(from, width, height, depth, &r, &at))
        uses[n++] = source(r, at);
    if (side_region(to, width, height, depth, &r, &at))
        uses[n++] = destination(r, at);
    return n;
}

static void copy_2d(const shim_call *c, const tc_cu_CUDA_MEMCPY2D *m, u64 stream, u32 flags) {
    const side from = {m->srcHost, m->srcDevice, m->srcXInBytes, m->srcY, 0, m->srcPitch, 0, m->srcMemoryType};
    const side to = {m->dstHost, m->dstDevice, m->dstXInBytes, m->dstY, 0, m->dstPitch, 0, m->dstMemoryType};
    tc_rt_use uses[COPY_USES];
    unsigned n = copy_uses(&from, &to, m->WidthInBytes, m->Height, 1, uses);
    give_copy(c, uses, n, stream, flags);
}

#define SIDES_3D(m)                                                                                                                        \
    const side from = {(m)->srcHost, (m)->srcDevice, (m)->srcXInBytes, (m)->srcY,         (m)->srcZ,                                       \
                       (m)->srcPitch, (m)->srcHeight, (m)->srcMemoryType};                                                                 \
    const side to = {(m)->dstHost, (m)->dstDevice, (m)->dstXInBytes, (m)->dstY,         (m)->dstZ,                                         \
                     (m)->dstPitch, (m)->dstHeight, (m)->dstMemoryType}

unsigned driver_copy_uses(const tc_cu_CUDA_MEMCPY3D *m, tc_rt_use uses[COPY_USES]) {
    SIDES_3D(m);
    return copy_uses(&from, &to, m->WidthInBytes, m->Height, m->Depth, uses);
}

static void copy_3d(const shim_call *c, const tc_cu_CUDA_MEMCPY3D *m, u64 stream, u32 flags) {
    tc_rt_use uses[COPY_USES];
    unsigned n = driver_copy_uses(m, uses);
    give_copy(c, uses, n, stream, flags);
}

static unsigned peer_uses(const tc_cu_CUDA_MEMCPY3D_PEER *m, tc_rt_use uses[COPY_USES]) {
    SIDES_3D(m);
    return copy_uses(&from, &to, m->WidthInBytes, m->Height, m->Depth, uses);
}

void take_copy_2d(const shim_call *c) {
    P(cuMemcpy2D_v2);
    copy_2d(c, p->pCopy, 0, TC_RT_SYNC);
}

void take_copy_2d_async(const shim_call *c) {
    P(cuMemcpy2DAsync_v2);
    copy_2d(c, p->pCopy, p->hStream, 0);
}

void take_copy_3d(const shim_call *c) {
    P(cuMemcpy3D_v2);
    copy_3d(c, p->pCopy, 0, TC_RT_SYNC);
}

void take_copy_3d_async(const shim_call *c) {
    P(cuMemcpy3DAsync_v2);
    copy_3d(c, p->pCopy, p->hStream, 0);
}

void take_copy_3d_peer(const shim_call *c) {
    P(cuMemcpy3DPeer);
    tc_rt_use uses[COPY_USES];
    unsigned n = peer_uses(p->pCopy, uses);
    bool host = (n > 0 && uses[0].host) || (n > 1 && uses[1].host);
    give_peer_copy(c, uses, host ? 0 : n, p->pCopy->dstContext, p->pCopy->srcContext);
    if (host) // the host waits for it
        give_copy(c, uses, n, 0, TC_RT_SYNC);
}

void take_copy_3d_peer_async(const shim_call *c) {
    P(cuMemcpy3DPeerAsync);
    tc_rt_use uses[COPY_USES];
    unsigned n = peer_uses(p->pCopy, uses);
    give_copy(c, uses, n, p->hStream, 0);
}

// Copies of a batch have no order among each other; they are taken one after another, so what they do to each other is not found.
static void copy_batch(const shim_call *c, const u64 *to, const u64 *from, const u64 *sizes, u64 n, u64 stream) {
    for (u64 i = 0; i < n; i++)
        copy(c, to[i], ANYWHERE, from[i], ANYWHERE, sizes[i], stream, 0);
}

void take_copy_batch(const shim_call *c) {
    P(cuMemcpyBatchAsync);
    copy_batch(c, p->dsts, p->srcs, p->sizes, p->count, p->hStream);
}

void take_copy_batch_v2(const shim_call *c) {
    P(cuMemcpyBatchAsync_v2);
    copy_batch(c, p->dsts, p->srcs, p->sizes, p->count, p->hStream);
}

// ---- sets ----

static void set(const shim_call *c, tc_rt_region r, u64 stream, u32 flags) {
    const tc_rt_use use = destination(r, ON_DEVICE);
    tc_rt_event e = {.op = TC_RT_SET, .flags = flags | TC_RT_LASTING, .stream = driver_stream(c, stream), .uses = &use, .nuses = 1};
    driver_give(c, &e);
}

// Widths count elements, pitches bytes.
#define SETS(bits, bytes)                                                                                                                  \
    void take_set_##bits(const shim_call *c) {                                                                                             \
        P(cuMemsetD##bits##_v2);                                                                                                           \
        set(c, tc_rt_region_dense(p->dstDevice, p->N *(bytes)), 0, TC_RT_SYNC);                                                            \
    }                                                                                                                                      \
    void take_set_##bits##_async(const shim_call *c) {                                                                                     \
        P(cuMemsetD##bits##Async);                                                                                                         \
        set(c, tc_rt_region_dense(p->dstDevice, p->N *(bytes)), p->hStream, 0);                                                            \
    }                                                                                                                                      \
    void take_set_2d_##bits(const shim_call *c) {                                                                                          \
        P(cuMemsetD2D##bits##_v2);                                                                                                         \
        set(c, driver_rows(p->dstDevice, p->Width *(bytes), p->Height, p->dstPitch), 0, TC_RT_SYNC);                                       \
    }                                                                                                                                      \
    void take_set_2d_##bits##_async(const shim_call *c) {                                                                                  \
        P(cuMemsetD2D##bits##Async);                                                                                                       \
        set(c, driver_rows(p->dstDevice, p->Width *(bytes), p->Height, p->dstPitch), p->hStream, 0);                                       \
    }
SETS(8, 1)
SETS(16, 2)
SETS(32, 4)
