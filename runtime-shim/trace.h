// Traces: files of events. Two forms, told apart by the first character that is no blank:
//
// - JSON lines, as the shim records them: an object a line, its fields those of tc_rt_event (docs/traces.md).
// - a readable form, one event a line, names for handles and buffers, for writing down a case by hand (docs/traces.md).
#ifndef TC_RUNTIME_TRACE_H
#define TC_RUNTIME_TRACE_H

#include "base/arena.h"
#include "runtime-shim/event.h"

// Takes an event; what it points to lives as long as the arena of the reader.
typedef void (*tc_trace_take)(void *ctx, const tc_rt_event *e);

typedef struct tc_trace_error {
    unsigned line; // of the file, from 1 on; 0: of the whole
    const char *text;
} tc_trace_error;

// Reads a trace of n bytes. The events before an error have been taken. TC_EINPUT: *error says what is wrong.
tc_status tc_trace_read(tc_arena *a, const char *data, size_t n, tc_trace_take take, void *ctx, tc_trace_error *error);
tc_status tc_trace_read_json(tc_arena *a, const char *data, size_t n, tc_trace_take take, void *ctx, tc_trace_error *error);
tc_status tc_trace_read_text(tc_arena *a, const char *data, size_t n, tc_trace_take take, void *ctx, tc_trace_error *error);

// Writes an event as one JSON line into a buffer; the length without the final NUL, as snprintf: what did not fit is cut.
size_t tc_trace_write(char *buffer, size_t size, const tc_rt_event *e);

#endif
