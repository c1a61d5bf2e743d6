// Streams, events, captures, host functions.
#include <pthread.h>
#include <stdatomic.h>

#include "runtime-shim/front/driver.h"

#define P(function) const tc_cu_##function *p = c->params

static void on_stream(const shim_call *c, tc_rt_op op, u64 stream) {
    tc_rt_event e = {.op = op, .stream = driver_stream(c, stream)};
    driver_give(c, &e);
}

static void on_event(const shim_call *c, tc_rt_op op, u64 event) {
    tc_rt_event e = {.op = op, .event = event};
    driver_give(c, &e);
}

static void stream_create(const shim_call *c, u64 stream, u32 flags) {
    tc_rt_event e = {.op = TC_RT_STREAM_CREATE, .stream = stream, .flags = flags & CU_NON_BLOCKING ? TC_RT_NON_BLOCKING : 0};
    driver_give(c, &e);
}

void take_stream_create(const shim_call *c) { // with a priority or without
    P(cuStreamCreate);
    stream_create(c, *p->phStream, p->Flags);
}

void take_green_stream_create(const shim_call *c) {
    P(cuGreenCtxStreamCreate);
    stream_create(c, *p->phStream, p->flags);
}

void take_stream_destroy(const shim_call *c) {
    P(cuStreamDestroy_v2);
    on_stream(c, TC_RT_STREAM_DESTROY, p->hStream);
}

void take_stream_sync(const shim_call *c) {
    P(cuStreamSynchronize);
    on_stream(c, TC_RT_STREAM_SYNC, p->hStream);
}

void take_stream_query(const shim_call *c) {
    P(cuStreamQuery);
    on_stream(c, TC_RT_STREAM_QUERY, p->hStream);
}

// Which work a value in memory or a semaphore waits for is not known. SOUND: for false alarms: it is taken to wait for all work of
// the device; what it does not wait for can be missed.
static void wait_for_all(const shim_call *c, u64 stream) {
    tc_rt_event e = {.op = TC_RT_COPY, .flags = TC_RT_ALL_DEVICES, .stream = driver_stream(c, stream), .peer = c->device};
    driver_give(c, &e);
}

// Events that other processes have as well. What another one records there can come after work that this one gave to other streams, by
// events that it waited for. SOUND: for false alarms: a wait for one is taken to wait for all work of the device.
enum { MAX_SHARED = 256 };
static u64 shared[MAX_SHARED];
static atomic_uint nshared; // MAX_SHARED: there may be more, and every event counts as one
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_shared(u64 event) {
    if (atomic_load(&nshared) == 0)
        return false;
    pthread_mutex_lock(&shared_lock);
    unsigned i = 0, n = nshared;
    while (i < n && shared[i] != event)
        i++;
    pthread_mutex_unlock(&shared_lock);
    return i < n || n == MAX_SHARED;
}

static void mark_shared(u64 event) {
    pthread_mutex_lock(&shared_lock);
    if (nshared < MAX_SHARED)
        shared[nshared++] = event;
    pthread_mutex_unlock(&shared_lock);
}

static void not_shared(u64 event) {
    pthread_mutex_lock(&shared_lock);
    for (unsigned i = 0; i < nshared && nshared < MAX_SHARED; i++)
        if (shared[i] == event)
            shared[i] = shared[--nshared];
    pthread_mutex_unlock(&shared_lock);
}

void take_stream_wait(const shim_call *c) {
    P(cuStreamWaitEvent);
    tc_rt_event e = {.op = TC_RT_STREAM_WAIT, .stream = driver_stream(c, p->hStream), .event = p->hEvent};
    driver_give(c, &e);
    if (is_shared(p->hEvent))
        wait_for_all(c, p->hStream);
}

void take_wait_value(const shim_call *c) { // and batches; the stream is first
    P(cuStreamWaitValue32_v2);
    wait_for_all(c, p->stream);
}

void take_wait_external(const shim_call *c) {
    P(cuWaitExternalSemaphoresAsync);
    wait_for_all(c, p->stream);
}

void take_event_create(const shim_call *c) {
    P(cuEventCreate);
    on_event(c, TC_RT_EVENT_CREATE, *p->phEvent);
    if (p->Flags & CU_INTERPROCESS)
        mark_shared(*p->phEvent);
}

void take_event_open(const shim_call *c) {
    P(cuIpcOpenEventHandle);
    on_event(c, TC_RT_EVENT_CREATE, *p->phEvent);
    mark_shared(*p->phEvent);
}

void take_event_destroy(const shim_call *c) {
    P(cuEventDestroy_v2);
    on_event(c, TC_RT_EVENT_DESTROY, p->hEvent);
    not_shared(p->hEvent);
}

void take_event_record(const shim_call *c) { // with flags or without
    P(cuEventRecord);
    tc_rt_event e = {.op = TC_RT_EVENT_RECORD, .stream = driver_stream(c, p->hStream), .event = p->hEvent};
    driver_give(c, &e);
}

static void host_waited(const shim_call *c, tc_rt_op op, u64 event) {
    tc_rt_event e = {.op = TC_RT_DEVICE_SYNC};
    on_event(c, op, event);
    if (c->result == CU_OK && is_shared(event))
        driver_give(c, &e);
}

void take_event_sync(const shim_call *c) {
    P(cuEventSynchronize);
    host_waited(c, TC_RT_EVENT_SYNC, p->hEvent);
}

void take_event_query(const shim_call *c) {
    P(cuEventQuery);
    host_waited(c, TC_RT_EVENT_QUERY, p->hEvent);
}

void take_device_sync(const shim_call *c) {
    tc_rt_event e = {.op = TC_RT_DEVICE_SYNC};
    driver_give(c, &e);
}

void take_host_func(const shim_call *c) { // what it uses is not known
    P(cuLaunchHostFunc);
    on_stream(c, TC_RT_HOST_FUNC, p->hStream);
}

void take_capture_begin(const shim_call *c) { // all versions have the stream first
    P(cuStreamSynchronize);
    on_stream(c, TC_RT_CAPTURE_BEGIN, p->hStream);
}
