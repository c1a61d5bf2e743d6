// Fuzz target: traces of any text, through both readers, the writer and the tracker. What was read and written is read again: the same
// events. A run that leaves its trap with anything but success is an error.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime-shim/trace.h"
#include "runtime-shim/tracker.h"

typedef struct input {
    const char *data;
    size_t size;
    tc_arena *arena;
    tc_rt_tracker *tracker;
    uint64_t events, again;
} input;

static void take_again(void *ctx, const tc_rt_event *e) {
    (void)e;
    ((input *)ctx)->again++;
}

static void take(void *ctx, const tc_rt_event *e) {
    input *in = ctx;
    in->events++;
    tc_rt_tracker_event(in->tracker, e);
    size_t n = tc_trace_write(NULL, 0, e) + 1;
    char *line = tc_alloc(in->arena, n);
    if (tc_trace_write(line, n, e) + 1 != n)
        abort();
    tc_trace_error error = {0};
    uint64_t before = in->again;
    // Texts that are no UTF-8 need not come back; all else does.
    if (tc_trace_read_json(in->arena, line, n - 1, take_again, in, &error) == TC_OK && in->again != before + 1)
        abort();
}

static void read_all(tc_trap *trap, void *arg) {
    input *in = arg;
    tc_trace_error error = {0};
    in->arena = tc_arena_new(trap);
    if (tc_trace_read(in->arena, in->data, in->size, take, in, &error) != TC_OK && !error.text)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {.data = (const char *)data, .size = size};
    in.tracker = tc_rt_tracker_new(NULL, NULL, NULL);
    const char *why = NULL;
    if (!in.tracker || tc_trap_run(read_all, &in, &why) != TC_OK)
        abort();
    tc_rt_tracker_free(in.tracker);
    return 0;
}
