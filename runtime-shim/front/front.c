#include "runtime-shim/front/front.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/tilecheck_rt.h"

// OFF: not started. ON. ENDED: the program ends, or this is a forked child; never on again.
typedef enum state { OFF, ON, ENDED } state;
static _Atomic state now = OFF;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
// Held for one event at a time; short, so that waiting threads spin before they sleep.
static pthread_mutex_t lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static shim_config config;
static tc_rt_tracker *tracker;
static uint64_t line;
static int report_file = -1;
static uint64_t told, suppressed; // findings
static _Atomic uint32_t threads;

// What was found and is not told yet: a queue under the lock.
static shim_told *first, **last = &first;
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
static void (*user_fn)(void *ctx, const tc_rt_report *r);
static void *user_ctx;

// Small: room that every thread has for libraries that are loaded late is scarce.
typedef struct thread_state {
    uint32_t number; // from 1 on; 0: not asked for yet
    uint32_t stack; // number of the caller's frames, for the next events; 0: none
    bool inside, telling;
    const void *caller;
} thread_state;
static _Thread_local thread_state me __attribute__((tls_model("initial-exec")));

const shim_config *shim_settings(void) {
    return &config;
}

bool shim_is_on(void) {
    return atomic_load_explicit(&now, memory_order_acquire) == ON;
}

void shim_stop(void) {
    atomic_store(&now, ENDED);
    record_flush();
}

uint32_t shim_thread(void) {
    if (!me.number)
        me.number = atomic_fetch_add(&threads, 1) + 1;
    return me.number - 1; // the first one is 0
}

void shim_say(const char *format, ...) {
    if (config.quiet)
        return;
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "tilecheck: %s\n", text); // one call: lines of threads do not mix
}

// ---- findings ----

static void on_found(void *ctx, const tc_rt_finding *f) {
    (void)ctx;
    if (suppress_matches(f)) {
        suppressed++;
        return;
    }
    shim_told *t = told_copy(f, &told);
    if (!t)
        return;
    *last = t;
    last = told_next(t);
}

static void tell(const shim_told *t) {
    if (!config.quiet)
        told_print(t);
    if (report_file >= 0)
        told_json(t, report_file);
    if (user_fn)
        told_report(t, user_fn, user_ctx);
    if (config.on_finding == SHIM_ABORT) {
        record_flush();
        abort();
    }
}

// In order: the thread that tells takes from the queue under the lock, and tells without it. One that was called from a sink leaves
// its findings to the loop that called it.
static void tell_all(void) {
    if (me.telling)
        return;
    me.telling = true;
    pthread_mutex_lock(&telling);
    for (;;) {
        pthread_mutex_lock(&lock);
        shim_told *t = first;
        if (t && !(first = *told_next(t)))
            last = &first;
        pthread_mutex_unlock(&lock);
        if (!t)
            break;
        tell(t);
        told_free(t);
    }
    pthread_mutex_unlock(&telling);
    me.telling = false;
}

// ---- brackets ----

bool shim_enter(void) {
    if (me.inside || !shim_is_on())
        return false;
    me.inside = true;
    pthread_mutex_lock(&lock);
    if (shim_is_on())
        return true;
    pthread_mutex_unlock(&lock);
    me.inside = false;
    return false;
}

void shim_leave(void) {
    bool found = first != NULL;
    me.stack = 0;
    pthread_mutex_unlock(&lock);
    me.inside = false;
    if (found)
        tell_all();
}

bool shim_mute(void) {
    if (me.inside || !shim_is_on())
        return false;
    me.inside = true;
    return true;
}

bool shim_is_inside(void) {
    return me.inside;
}

void shim_unmute(void) {
    me.inside = false;
}

void shim_called_from(const void *address) {
    me.caller = address;
}

static void drop_above(shim_frames *f, const void *caller) {
    for (int i = 0; caller && i < f->n; i++)
        if (f->at[i] == caller) {
            f->n -= i;
            memmove(f->at, f->at + i, (size_t)f->n * sizeof *f->at);
            return;
        }
}

void shim_take_stack(bool allocates) {
    me.stack = 0;
    if (!me.inside && (config.stacks == SHIM_STACKS_ALL || (config.stacks == SHIM_STACKS_ALLOC && allocates))) {
        me.inside = true; // backtrace(3) may load a library
        shim_frames frames;
        stacks_take(&frames);
        drop_above(&frames, me.caller);
        me.stack = stacks_number(&frames);
        me.inside = false;
    }
}

void shim_lost(void) {
    state on = ON;
    if (atomic_compare_exchange_strong(&now, &on, ENDED))
        shim_say("no memory: nothing is checked from here on");
}

uint64_t shim_stack(void) {
    return me.stack;
}

void shim_give(tc_rt_event *e) {
    if (!shim_is_on()) // lost in these brackets
        return;
    e->line = ++line;
    e->thread = shim_thread();
    e->stack = e->stack ? e->stack : shim_stack();
    record_event(e);
    tc_rt_tracker_event(tracker, e);
}

tc_rt_counts shim_counts(void) {
    tc_rt_counts c = {0};
    if (shim_enter()) {
        c = tc_rt_tracker_counts(tracker);
        shim_leave();
    }
    return c;
}

void shim_on_finding(void (*fn)(void *ctx, const tc_rt_report *r), void *ctx) {
    bool nested = me.telling;
    if (!nested)
        pthread_mutex_lock(&telling);
    user_fn = fn;
    user_ctx = ctx;
    if (!nested)
        pthread_mutex_unlock(&telling);
}

// ---- the summary ----

typedef struct counted {
    struct counted *next;
    uint64_t n;
    char *why; // behind the text, or NULL
    char text[];
} counted;
static counted *notes[SHIM_NOTE_COUNT];
static unsigned nnotes[SHIM_NOTE_COUNT];
enum { MAX_NOTES = 4096 };

void shim_count(shim_note kind, const char *text, const char *why) {
    counted **p = &notes[kind];
    for (; *p; p = &(*p)->next)
        if (!strcmp((*p)->text, text)) {
            (*p)->n++;
            return;
        }
    size_t n = strlen(text) + 1, m = why ? strlen(why) + 1 : 0;
    counted *c = nnotes[kind] < MAX_NOTES ? malloc(sizeof *c + n + m) : NULL;
    if (!c)
        return;
    *c = (counted){.n = 1, .why = why ? c->text + n : NULL};
    memcpy(c->text, text, n);
    if (why)
        memcpy(c->why, why, m);
    nnotes[kind]++;
    *p = c;
}

static const char *s_of(uint64_t n) {
    return n == 1 ? "" : "s";
}

static void put_notes(shim_note kind, const char *title) {
    if (!notes[kind])
        return;
    shim_say("%s:", title);
    unsigned shown = 0;
    for (const counted *c = notes[kind]; c && shown < 20; c = c->next, shown++)
        shim_say("  %s%s%s%s", c->text, c->why ? " (" : "", c->why ? c->why : "", c->why ? ")" : "");
    if (nnotes[kind] > shown)
        shim_say("  and %u more", nnotes[kind] - shown);
}

static void put_unused(const char *rule) {
    shim_say("  %s", rule);
}

static void put_losses(const tc_rt_counts *c) {
    if (c->forgotten)
        shim_say("%llu loan%s had to be forgotten: more than are kept of one allocation", (unsigned long long)c->forgotten, s_of(c->forgotten));
    if (c->undecided)
        shim_say("%llu pair%s of strided regions could not be decided", (unsigned long long)c->undecided, s_of(c->undecided));
    if (c->failed_allocations)
        shim_say("memory ran out %llu time%s: what was lent by then was forgotten", (unsigned long long)c->failed_allocations,
                 s_of(c->failed_allocations));
}

static void summarise(void) {
    tc_rt_counts c = tc_rt_tracker_counts(tracker);
    bool some = told || suppressed;
    if (!some && !config.summary)
        return;
    shim_say("%llu finding%s, %llu suppressed; %llu event%s, %llu launch%s with contracts, %llu without", (unsigned long long)told, s_of(told),
             (unsigned long long)suppressed, (unsigned long long)c.events, s_of(c.events), (unsigned long long)c.launches,
             c.launches == 1 ? "" : "es", (unsigned long long)c.untracked);
    put_losses(&c);
    put_notes(SHIM_NOTE_UNTRACKED, "kernels without a contract, of which the effects are not known");
    put_notes(SHIM_NOTE_UNUSABLE, "contracts that were not used");
    put_notes(SHIM_NOTE_PARTIAL, "looked at in part");
    put_notes(SHIM_NOTE_HOST, "facts about contents that were checked on the host");
    if (suppress_count() && (some || config.summary)) {
        unsigned long long used = suppressed;
        shim_say("rules of %s that matched nothing (of %u rules, %llu findings matched):", config.text[SHIM_SUPPRESS], suppress_count(), used);
        suppress_put_unused(put_unused);
    }
}

// ---- beginning and end ----

// At exit the CUDA libraries take down what is left; nothing of that is the program's doing.
static void at_exit(void) {
    state on = ON;
    if (!atomic_compare_exchange_strong(&now, &on, ENDED))
        return;
    bool interrupted = me.inside; // exit(3) in a handler of a signal that came while this thread had the lock
    me.inside = true;
    if (!interrupted) {
        pthread_mutex_lock(&lock); // whoever is inside ends first
        pthread_mutex_unlock(&lock);
        tell_all();
    }
    record_flush();
    if (!interrupted)
        summarise();
}

static pid_t loader; // the process that the library was loaded into, and not a child of it

__attribute__((constructor)) static void loaded(void) {
    loader = getpid();
}

// Behind all other handlers, so that the program's own work at exit is done.
__attribute__((destructor)) static void end(void) {
    at_exit();
    if (atomic_load(&now) == OFF && loader == getpid() && shim_config_is_on(SHIM_SUMMARY))
        shim_say("nothing was checked: %s", shim_not_started);
    if (atomic_load(&now) == ENDED && told && config.on_finding == SHIM_EXIT) {
        fflush(NULL);
        _exit(config.exit_status);
    }
}

// The child has the parent's memory but none of its threads, nor its CUDA: locks may be held for good.
static void in_child(void) {
    atomic_store(&now, ENDED);
    record_forget();
    report_file = -1;
    told = 0;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&telling, NULL);
    pthread_mutex_init(&starting, NULL);
    me.inside = me.telling = false;
}

static void open_files(void) {
    const char *path = config.text[SHIM_REPORT];
    if (path && (report_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
        shim_say("%s: %s: findings are not written", path, strerror(errno));
    if (config.text[SHIM_TRACE] && record_open(config.text[SHIM_TRACE], &config))
        record_on_signals();
    if (config.text[SHIM_SUPPRESS])
        suppress_read(config.text[SHIM_SUPPRESS]);
}

static bool start(void) {
    shim_config_read(&config);
    const tc_rt_settings settings = {.pageable_async = config.pageable_async, .free_is_async = config.free_is_async};
    tracker = tc_rt_tracker_new(&settings, on_found, NULL);
    if (!tracker) {
        shim_say("no memory: nothing is checked");
        return false;
    }
    open_files();
    stacks_start();
    pthread_atfork(NULL, NULL, in_child);
    atexit(at_exit);
    return true;
}

bool shim_start(void) {
    pthread_mutex_lock(&starting);
    if (atomic_load(&now) == OFF) {
        me.inside = true;
        atomic_store(&now, start() ? ON : ENDED);
        me.inside = false;
    }
    pthread_mutex_unlock(&starting);
    return shim_is_on();
}
