// The explicit API (include/tilecheck_rt.h).
#include "include/tilecheck_rt.h"

#include <string.h>

#include "runtime-shim/front/front.h"

static uint64_t address(const void *p) {
    return (uint64_t)(uintptr_t)p;
}

static uint64_t stream_of(void *stream) {
    return stream ? address(stream) : TC_RT_LEGACY;
}

static void give(tc_rt_event *e) {
    shim_take_stack(e->op == TC_RT_ALLOC || e->op == TC_RT_SUB_ALLOC);
    if (!shim_enter())
        return;
    shim_give(e);
    shim_leave();
}

static int active(void) {
    return shim_is_on();
}

static void sub_alloc(const void *ptr, size_t bytes, void *stream, const char *name) {
    tc_rt_event e = {.op = TC_RT_SUB_ALLOC,
                     .base = address(ptr),
                     .size = bytes,
                     .memory = TC_RT_MEM_SUB,
                     .stream = stream_of(stream),
                     .name = name};
    give(&e);
}

static void sub_free(const void *ptr) {
    tc_rt_event e = {.op = TC_RT_SUB_FREE, .base = address(ptr)};
    give(&e);
}

static void begin(const void *ptr, size_t bytes, const char *name) {
    tc_rt_event e = {.op = TC_RT_ALLOC, .base = address(ptr), .size = bytes, .memory = TC_RT_MEM_SYSTEM, .name = name};
    give(&e);
}

static void end(const void *ptr) {
    tc_rt_event e = {.op = TC_RT_FREE, .base = address(ptr)};
    give(&e);
}

static tc_rt_borrow borrow_of(tc_rt_lent how) {
    return how == TC_RT_LEND_SHARED ? TC_RT_SHARED : how == TC_RT_LEND_ATOMIC ? TC_RT_ATOMIC : TC_RT_EXCLUSIVE;
}

static void lend(const void *ptr, size_t bytes, tc_rt_lent how, void *stream, const char *name) {
    const tc_rt_use use = {.region = tc_rt_region_dense(address(ptr), bytes), .borrow = borrow_of(how), .name = name};
    tc_rt_event e = {.op = TC_RT_LOAN, .stream = stream_of(stream), .name = name, .uses = &use, .nuses = 1};
    give(&e);
}

static void release(const void *ptr, void *stream) {
    tc_rt_event e = {.op = TC_RT_RELEASE, .base = address(ptr), .stream = stream_of(stream)};
    give(&e);
}

static void host_access(const void *ptr, size_t bytes, int writes) {
    const tc_rt_use use = {.region = tc_rt_region_dense(address(ptr), bytes), .borrow = writes ? TC_RT_EXCLUSIVE : TC_RT_SHARED, .host = true};
    tc_rt_event e = {.op = TC_RT_HOST_ACCESS, .uses = &use, .nuses = 1};
    give(&e);
}

static void totals(tc_rt_totals *t) {
    tc_rt_counts c = shim_counts();
    const tc_rt_totals all = {sizeof all, c.events, c.launches, c.untracked, c.findings, c.live_allocations, c.live_loans};
    size_t n = t->size < sizeof all ? t->size : sizeof all; // of an older header: fewer
    size_t size = t->size;
    memcpy(t, &all, n);
    t->size = size;
}

__attribute__((visibility("default"))) const tc_rt_door *tc_rt_door_open(void);
const tc_rt_door *tc_rt_door_open(void) {
    static const tc_rt_door door = {.version = 1,
                                    .active = active,
                                    .sub_alloc = sub_alloc,
                                    .sub_free = sub_free,
                                    .lend = lend,
                                    .release = release,
                                    .host_access = host_access,
                                    .on_finding = shim_on_finding,
                                    .totals = totals,
                                    .alloc = begin,
                                    .free = end};
    return &door;
}
