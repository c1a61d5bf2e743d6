// tc_range, tc_injective, tc_monotone, tc_forall and tc_init, checked on the host or, by choice, where contents_device.c can: each launch waits
// for its stream, and for no other. What the wait orders is not told to the tracker, so that findings are the same with and without it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/driver.h"

enum { PAGE = 1 << 16, TOLD = 4, VALUES = 1 << 20, CAPTURE_RELAXED = 2 };
static const uint64_t max_steps = UINT64_C(1) << 28; // elements and nodes of a launch

typedef int (*copy_down)(void *to, u64 from, size_t n, u64 stream);
typedef int (*wait_for)(u64 stream);
typedef int (*capturing)(u64 stream, u32 *status);
typedef int (*exchange)(u32 *mode);

static void *driver(const char *name) {
    return driver_function(name);
}

// A page of device memory at a time.
typedef struct pages {
    copy_down copy;
    wait_for wait;
    u64 stream, base;
    size_t n; // bytes that were read
    u8 *bytes;
} pages;

// On the launch's stream: a copy on the default stream would wait for others, which may wait for the host.
static bool copied(const pages *p, void *to, u64 from, size_t n) {
    return p->copy(to, from, n, p->stream) == CU_OK && p->wait(p->stream) == CU_OK;
}

static bool read_device(void *ctx, uint64_t address, size_t size, void *to) {
    pages *p = ctx;
    bool there = p->n && address >= p->base && address - p->base <= p->n && size <= p->n - (address - p->base);
    if (!there) {
        p->base = address;
        p->n = PAGE;
        while (p->n >= size && !copied(p, p->bytes, address, p->n)) // the end of an allocation
            p->n /= 2;
        if (p->n < size) {
            p->n = 0;
            return copied(p, to, address, size);
        }
    }
    memcpy(to, p->bytes + (address - p->base), size);
    return true;
}

// What this thread's next launch has to tell.
typedef struct broken {
    const char *text;
    char at[512], shown[160];
    const char *cannot;  // why it could not be looked at; NULL: it was
    const char *on_host; // why the device did not check it; NULL: it did, or was not asked. Then nothing is wrong
} broken;
static _Thread_local struct {
    const shim_kernel *kernel;
    unsigned n;
    broken *list;
} pending;

static broken *next_pending(const tc_embedded_fact *f) {
    if (pending.n == TOLD || (!pending.list && !(pending.list = calloc(TOLD, sizeof *pending.list))))
        return NULL;
    broken *b = &pending.list[pending.n++];
    *b = (broken){.text = f->text};
    return b;
}

static void keep(const tc_embedded *e, const tc_embedded_fact *f, const tc_embedded_witness *w) {
    broken *b = next_pending(f);
    if (!b)
        return;
    snprintf(b->at, sizeof b->at, "%s:%u", e->file, f->line ? f->line : e->line);
    if (f->nbound == 0 && w->n == 1)
        snprintf(b->shown, sizeof b->shown, "element %lld is %lld", (long long)w->at[0], (long long)w->value);
    else if (f->nbound == 0) // of tc_injective: the value
        snprintf(b->shown, sizeof b->shown, "%lld stands in two places", (long long)w->value);
    size_t used = 0;
    for (unsigned i = 0; f->nbound && i < w->n && i < f->nbound && used < sizeof b->shown; i++) {
        tc_embedded_bound name = tc_embedded_bound_at(e, f->first_bound + i);
        used += (size_t)snprintf(b->shown + used, sizeof b->shown - used, "%s%s = %lld", i ? ", " : "", name.name, (long long)w->at[i]);
    }
}

static void look_at_fact(tc_embedded_frame *frame, uint32_t i, tc_embedded_budget *budget, u64 stream) {
    tc_embedded_witness w = {.n = 0};
    tc_embedded_state why = TC_EMBEDDED_VALUE;
    tc_embedded_fact f = tc_embedded_fact_at(frame->record, i);
    tc_embedded_answer a = TC_EMBEDDED_CANNOT;
    bool device = shim_settings()->contents == SHIM_CONTENTS_DEVICE;
    const char *on_host = device ? contents_on_device(frame, i, stream, &a, &w) : NULL;
    if (!device || on_host)
        a = tc_embedded_fact_holds(frame, i, budget, &w, &why);
    if (a == TC_EMBEDDED_FAILS)
        keep(frame->record, &f, &w);
    broken *b = a == TC_EMBEDDED_CANNOT ? next_pending(&f) : NULL;
    if (b)
        b->cannot = tc_embedded_state_text(why);
    b = on_host && !b ? next_pending(&f) : NULL;
    if (b)
        b->on_host = on_host;
}

static void look_at(const tc_embedded *e, const tc_embedded_launch *l, tc_embedded_cell *cells, tc_i128 *scratch, u64 stream) {
    tc_embedded_frame frame;
    tc_embedded_begin(&frame, e, l, cells);
    tc_embedded_budget budget = {.steps = max_steps, .scratch = scratch, .nscratch = scratch ? VALUES : 0};
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_FACT].count; i++)
        look_at_fact(&frame, i, &budget, stream);
}

// Another stream of the thread, or of another one, may be captured: calls that such a capture forbids would end it, and ours are no part of
// it. Swaps the thread's mode with *mode.
static void swap_capture_mode(u32 *mode) {
    exchange swap = NULL;
    void *f = driver("cuThreadExchangeStreamCaptureMode");
    memcpy(&swap, &f, sizeof f);
    if (swap)
        swap(mode);
}

// The stream's work is done, and the host may read what it left. false: not now.
static bool is_still(u64 stream) {
    void *ask = driver("cuStreamIsCapturing"), *wait = driver("cuStreamSynchronize");
    capturing is_capturing;
    wait_for synchronize;
    memcpy(&is_capturing, &ask, sizeof ask);
    memcpy(&synchronize, &wait, sizeof wait);
    u32 status = 0;
    if (!ask || is_capturing(stream, &status) != CU_OK || status != 0)
        return false;
    return wait && synchronize(stream) == CU_OK;
}

void contents_look(const shim_kernel *k, const shim_launch *l, u64 stream) {
    const tc_embedded *e = kernels_record(k);
    if (shim_is_inside()) // a launch of our own: what is pending is the program's
        return;
    pending.n = 0;
    pending.kernel = k;
    if (!e || !e->tables[TC_REC_TABLE_FACT].count || !shim_mute())
        return;
    pages p = {.stream = stream, .bytes = malloc(PAGE)};
    tc_embedded_cell *cells = malloc((tc_embedded_nodes(e) + 1) * sizeof *cells);
    tc_i128 *scratch = malloc(VALUES * sizeof *scratch); // for tc_injective; without it the answer is "cannot"
    void *copy = driver("cuMemcpyDtoHAsync_v2"), *wait = driver("cuStreamSynchronize");
    u32 mode = CAPTURE_RELAXED;
    memcpy(&p.copy, &copy, sizeof copy);
    memcpy(&p.wait, &wait, sizeof wait);
    swap_capture_mode(&mode);
    if (p.bytes && cells && copy && is_still(stream)) {
        tc_embedded_launch launch;
        kernels_asked(l, &launch);
        launch.read = read_device;
        launch.ctx = &p;
        look_at(e, &launch, cells, scratch, stream);
    }
    swap_capture_mode(&mode);
    free(p.bytes);
    free(cells);
    free(scratch);
    shim_unmute();
}

void contents_tell(const shim_kernel *k, tc_rt_event *e) {
    for (unsigned i = 0; k && pending.kernel == k && i < pending.n; i++) {
        const broken *b = &pending.list[i];
        if (b->cannot)
            shim_count(SHIM_NOTE_PARTIAL, b->text, b->cannot);
        else if (b->on_host)
            shim_count(SHIM_NOTE_HOST, b->text, b->on_host);
        else
            kernels_breach(e, b->text, b->at, b->shown);
    }
    pending.n = 0;
}
