// The shim in a process: what its files share. Calls of the driver (driver.h), wrapped calls and the explicit API make events; here they
// are numbered, recorded, given to the tracker, and what it finds is told.
//
// All of it is under one lock; findings are told after it was given back, so that what is called then may call in again. A thread that is
// inside takes no part again: calls that the shim makes itself are not seen. After a fork the child is silent.
#ifndef TC_FRONT_FRONT_H
#define TC_FRONT_FRONT_H

#include "runtime-shim/front/config.h"
#include "runtime-shim/tracker.h"

// ---- front.c ----

// Starts the shim, once; false: it is off (no memory, a forked child, the program ends). *config outlives it.
bool shim_start(void);
bool shim_is_on(void);
extern const char shim_not_started[]; // why, where nothing did: of cupti.c and of wrap.c
void shim_stop(void); // nothing can be seen: off for good, and no summary
const shim_config *shim_settings(void);

// Brackets of everything that makes events. false: the thread is inside already, or the shim is off; then there is no shim_leave.
// shim_leave tells what was found.
bool shim_enter(void);
void shim_leave(void);

// What this thread calls until the end is the shim's own, and not seen; no lock is held. false: it is inside already, or the shim is off.
bool shim_mute(void);
void shim_unmute(void);
bool shim_is_inside(void); // what the thread calls now is the shim's own

// Between the brackets: the event is completed (line, thread, stack) and taken. Its texts are copied unless TC_RT_LASTING is set.
void shim_give(tc_rt_event *e);
// The caller's frames, for the next events: 0 where none are taken. Before shim_enter, so that no lock is held.
void shim_take_stack(bool allocates);
void shim_called_from(const void *address); // stacks of this thread begin with this return address, where they have it
uint64_t shim_stack(void); // its number, for an event that is given later

// What the summary lists: kernels without a contract, and such. Counted once for each text; texts live on.
typedef enum shim_note {
    SHIM_NOTE_UNTRACKED, // a kernel that has none
    SHIM_NOTE_UNUSABLE,  // a contract that cannot be used: why
    SHIM_NOTE_PARTIAL,   // parts of a contract or calls that are not looked at
    SHIM_NOTE_HOST,      // facts about contents that the device does not check: why
    SHIM_NOTE_COUNT
} shim_note;
void shim_count(shim_note kind, const char *text, const char *why); // why may be NULL

// In the brackets: memory has run out for what order depends on. Says so, and the shim is off from the next event on.
void shim_lost(void);

uint32_t shim_thread(void); // number of the calling thread
tc_rt_counts shim_counts(void); // takes the lock
void shim_say(const char *format, ...) __attribute__((format(printf, 1, 2))); // a line on stderr, "tilecheck: …"; not when quiet

// The user's own sink (tilecheck_rt.h); NULL: none.
struct tc_rt_report;
void shim_on_finding(void (*fn)(void *ctx, const struct tc_rt_report *r), void *ctx);

// ---- record.c: the trace ----

bool record_open(const char *path, const shim_config *c); // false: said why, nothing is recorded
void record_event(const tc_rt_event *e); // under the lock
void record_flush(void);
// Signals that end the program flush first, where their action is the default one.
void record_on_signals(void);
void record_forget(void); // in a forked child: nothing is written any more

// ---- stacks.c: call stacks as numbers ----

enum { SHIM_FRAMES = 24 };
typedef struct shim_frames {
    void *at[SHIM_FRAMES];
    int n;
} shim_frames;
void stacks_start(void); // loads what backtrace(3) loads at first use
void stacks_take(shim_frames *f);
uint32_t stacks_number(const shim_frames *f); // 0: no memory, or too many
// The i-th frame outside of this library and the CUDA libraries, as text; false: there is none.
bool stacks_frame(uint64_t stack, unsigned i, char *to, size_t size);

// ---- tell.c: findings as text and JSON ----

typedef struct shim_told shim_told; // a finding and all that it points to, copied
shim_told *told_copy(const tc_rt_finding *f, uint64_t *sequence); // NULL: no memory
void told_free(shim_told *t);
shim_told **told_next(shim_told *t); // the link of a queue
void told_print(const shim_told *t);
void told_json(const shim_told *t, int fd);
void told_report(const shim_told *t, void (*fn)(void *ctx, const struct tc_rt_report *r), void *ctx);
const tc_rt_finding *told_finding(const shim_told *t);
void put_json_text(char *to, size_t size, const char *s);

// ---- suppress.c ----

void suppress_read(const char *path);
bool suppress_matches(const tc_rt_finding *f); // counts the rule as used
void suppress_put_unused(void (*put)(const char *text));
unsigned suppress_count(void); // rules

#endif
