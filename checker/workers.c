#include "checker/workers.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

enum { MOST = 64 };

// ---- outcomes as bytes, between forks of one process ----

static void put_bytes(tc_text *t, const void *p, size_t n) {
    tc_putn(t, p, n);
}

// A length, and the characters; SIZE_MAX stands for NULL.
static void put_text(tc_text *t, const char *s) {
    size_t n = s ? strlen(s) : SIZE_MAX;
    put_bytes(t, &n, sizeof n);
    if (s)
        tc_put(t, s);
}

static void put_notes(tc_text *t, const tc_notes *notes) {
    put_bytes(t, &notes->len, sizeof notes->len);
    for (size_t i = 0; i < notes->len; i++) {
        put_bytes(t, &notes->data[i].loc, sizeof notes->data[i].loc);
        put_text(t, notes->data[i].text);
    }
}

static void put_outcome(tc_text *t, size_t number, const tc_outcome *o) {
    put_bytes(t, &number, sizeof number);
    put_bytes(t, &o->skipped, sizeof o->skipped);
    put_bytes(t, &o->unsure, sizeof o->unsure);
    put_bytes(t, &o->verdict, sizeof o->verdict);
    put_text(t, o->report);
    put_text(t, o->dump);
    put_bytes(t, &o->contract.len, sizeof o->contract.len);
    put_bytes(t, o->contract.data, o->contract.len);
    put_bytes(t, &o->findings.len, sizeof o->findings.len);
    for (size_t i = 0; i < o->findings.len; i++) {
        const tc_finding *f = &o->findings.data[i];
        put_text(t, f->code);
        put_bytes(t, &f->severity, sizeof f->severity);
        put_bytes(t, &f->loc, sizeof f->loc);
        put_text(t, f->text);
        put_text(t, f->kernel);
        put_notes(t, &f->notes);
    }
}

typedef struct reader {
    tc_arena *arena;
    const char *at;
    size_t left;
    bool good;
} reader;

static void get_bytes(reader *r, void *p, size_t n) {
    memset(p, 0, n);
    r->good = r->good && n <= r->left;
    if (!r->good)
        return;
    memcpy(p, r->at, n);
    r->at += n;
    r->left -= n;
}

static const char *get_text(reader *r) {
    size_t n;
    get_bytes(r, &n, sizeof n);
    if (!r->good || n == SIZE_MAX)
        return NULL;
    r->good = n <= r->left;
    if (!r->good)
        return NULL;
    char *s = tc_alloc(r->arena, n + 1);
    get_bytes(r, s, n);
    return s;
}

static void get_contract(reader *r, tc_bytes *out) {
    size_t n;
    get_bytes(r, &n, sizeof n);
    r->good = r->good && n <= r->left;
    if (!r->good || n == 0)
        return;
    *out = (tc_bytes){.data = tc_alloc(r->arena, n), .len = n, .cap = n};
    get_bytes(r, out->data, n);
}

static void get_notes(reader *r, tc_notes *notes) {
    size_t n;
    get_bytes(r, &n, sizeof n);
    for (size_t i = 0; i < n && r->good; i++) {
        tc_note note;
        get_bytes(r, &note.loc, sizeof note.loc);
        note.text = get_text(r);
        tc_push(r->arena, notes, note);
    }
}

static void get_outcome(reader *r, tc_outcome *o) {
    size_t n;
    *o = (tc_outcome){0};
    get_bytes(r, &o->skipped, sizeof o->skipped);
    get_bytes(r, &o->unsure, sizeof o->unsure);
    get_bytes(r, &o->verdict, sizeof o->verdict);
    o->report = get_text(r);
    o->dump = get_text(r);
    get_contract(r, &o->contract);
    get_bytes(r, &n, sizeof n);
    for (size_t i = 0; i < n && r->good; i++) {
        tc_finding f = {0};
        f.code = get_text(r);
        get_bytes(r, &f.severity, sizeof f.severity);
        get_bytes(r, &f.loc, sizeof f.loc);
        f.text = get_text(r);
        f.kernel = get_text(r);
        get_notes(r, &f.notes);
        tc_push(r->arena, &o->findings, f);
    }
}

// ---- a worker ----

static bool write_all(int to, const char *data, size_t n) {
    while (n > 0) {
        ssize_t k = write(to, data, n);
        if (k < 0 && errno != EINTR)
            return false;
        if (k > 0) {
            data += k;
            n -= (size_t)k;
        }
    }
    return true;
}

typedef struct part {
    tc_arena *arena;
    const tc_work_list *list;
    unsigned number;
    int to;
} part;

// Every workers-th of the list.
static void work(tc_trap *trap, void *arg) {
    const part *p = arg;
    tc_arena_retrap(p->arena, trap);
    for (size_t i = p->number; i < p->list->count; i += p->list->workers) {
        tc_outcome o = {0};
        p->list->work(p->list->ctx, i, &o);
        tc_text t = {.arena = p->arena};
        put_outcome(&t, i, &o);
        size_t n = t.len;
        if (!write_all(p->to, (const char *)&n, sizeof n) || !write_all(p->to, t.data, t.len))
            return;
    }
}

// Ends without the process's own ends, whatever happens: buffers, files and traps are the parent's.
_Noreturn static void be_worker(const part *p) {
    _exit(tc_trap_run(work, (void *)(uintptr_t)p, NULL) == TC_OK ? 0 : 1);
}

// ---- the parent ----

typedef struct worker {
    pid_t process;
    int from; // -1 at its end
    tc_text got;
} worker;

static bool start(tc_arena *a, const tc_work_list *list, worker *all, unsigned number) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t process = fork();
    if (process < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (process == 0) {
        for (unsigned i = 0; i < number; i++)
            close(all[i].from);
        close(ends[0]);
        be_worker(&(part){a, list, number, ends[1]});
    }
    close(ends[1]);
    all[number] = (worker){process, ends[0], {.arena = a}};
    return true;
}

static void read_some(worker *w) {
    char data[65536];
    ssize_t n = read(w->from, data, sizeof data);
    if (n < 0 && errno == EINTR)
        return;
    if (n > 0) {
        tc_putn(&w->got, data, (size_t)n);
        return;
    }
    close(w->from);
    w->from = -1;
}

static void read_all(worker *all, unsigned n) {
    for (;;) {
        struct pollfd fds[MOST];
        unsigned of[MOST], open = 0;
        for (unsigned i = 0; i < n; i++)
            if (all[i].from >= 0) {
                fds[open] = (struct pollfd){.fd = all[i].from, .events = POLLIN};
                of[open++] = i;
            }
        if (open == 0)
            return;
        if (poll(fds, open, -1) < 0 && errno != EINTR)
            return;
        for (unsigned k = 0; k < open; k++)
            if (fds[k].revents)
                read_some(&all[of[k]]);
    }
}

static void take(tc_arena *a, const worker *w, const tc_work_list *list, tc_outcome *out) {
    reader r = {a, w->got.data, w->got.len, true};
    while (r.good && r.left > 0) {
        size_t n, number;
        get_bytes(&r, &n, sizeof n);
        if (!r.good || n > r.left)
            return; // it ended in the middle of this one
        reader one = {a, r.at, n, true};
        get_bytes(&one, &number, sizeof number);
        tc_outcome o;
        get_outcome(&one, &o);
        if (one.good && number < list->count)
            out[number] = o;
        r.at += n;
        r.left -= n;
    }
}

bool tc_workers_run(tc_arena *a, const tc_work_list *list, tc_outcome *out) {
    worker all[MOST];
    tc_work_list l = *list;
    if (l.workers > MOST)
        l.workers = MOST;
    if (l.workers > l.count)
        l.workers = (unsigned)l.count;
    for (size_t i = 0; i < l.count; i++)
        out[i] = (tc_outcome){.lost = true};
    unsigned n = 0;
    while (n < l.workers && start(a, &l, all, n))
        n++;
    if (n == 0)
        return false;
    read_all(all, n);
    for (unsigned i = 0; i < n; i++) {
        if (all[i].from >= 0)
            close(all[i].from);
        while (waitpid(all[i].process, NULL, 0) < 0 && errno == EINTR)
            ;
        take(a, &all[i], &l, out);
    }
    for (size_t i = 0; i < l.count; i++) // the share of those that could not be started
        if (i % l.workers >= n)
            l.work(l.ctx, i, &out[i]);
    return true;
}
