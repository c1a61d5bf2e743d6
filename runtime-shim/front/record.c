#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime-shim/front/front.h"
#include "runtime-shim/trace.h"

enum { BUFFER = 1 << 18 };
static char buffer[BUFFER];
static atomic_size_t filled; // whole lines
static atomic_int file = -1;

static bool write_all(int fd, const char *p, size_t n) {
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

void record_flush(void) {
    int fd = atomic_load(&file);
    size_t n = atomic_exchange(&filled, 0);
    if (fd < 0 || !n || write_all(fd, buffer, n))
        return;
    atomic_store(&file, -1);
    shim_say("the trace cannot be written (%s): recording ends", strerror(errno));
}

bool record_open(const char *path, const shim_config *c) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        shim_say("%s: %s: nothing is recorded", path, strerror(errno));
        return false;
    }
    int n = snprintf(buffer, sizeof buffer, "{\"tilecheck_trace\":1,\"pageable_async\":%s,\"free_is_async\":%s}\n",
                     c->pageable_async ? "true" : "false", c->free_is_async ? "true" : "false");
    atomic_store(&filled, (size_t)n);
    atomic_store(&file, fd);
    return true;
}

void record_event(const tc_rt_event *e) {
    if (atomic_load_explicit(&file, memory_order_relaxed) < 0)
        return;
    for (int turn = 0; turn < 2; turn++) {
        size_t at = atomic_load(&filled), room = sizeof buffer - at;
        size_t n = tc_trace_write(buffer + at, room, e);
        if (n + 2 <= room) {
            buffer[at + n] = '\n';
            atomic_store(&filled, at + n + 1);
            return;
        }
        record_flush();
    }
    // More than the buffer holds: left out, which replay would not notice, so recording ends here.
    atomic_store(&file, -1);
    shim_say("an event is too long for the trace: recording ends");
}

// Only write(2), and whole lines: what another thread is adding at this moment is not counted yet.
static void on_signal(int number) {
    int fd = atomic_exchange(&file, -1);
    size_t n = atomic_exchange(&filled, 0);
    if (fd >= 0)
        write_all(fd, buffer, n);
    signal(number, SIG_DFL);
    raise(number);
}

void record_on_signals(void) {
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
        sigaction(signals[i], &ours, NULL);
    }
}

void record_forget(void) {
    atomic_store(&file, -1);
    atomic_store(&filled, 0);
}
