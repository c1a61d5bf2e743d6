// tilecheck at run time: what a program can tell the shim that it does not see by itself, and what it can ask.
//
// No CUDA header is needed: a stream is a void * (cudaStream_t, CUstream; NULL is the legacy default stream), an address a
// const void *. Nothing has to be linked: every call looks for the shim in the process (CUDA_INJECTION64_PATH=libtilecheck-rt.so, or
// linked with -ltilecheck-rt) and does nothing when it is not there. The calls may be made from any thread, and from a callback of
// tc_rt_on_finding too. Link with -ldl where the C library wants it.
//
//     tc_rt_sub_alloc(block, bytes, stream, "kv cache");      an allocator hands out part of its memory
//     ...
//     tc_rt_sub_free(block);
#ifndef TILECHECK_RT_H
#define TILECHECK_RT_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

// Of a pointer only the address is used: compilers that ask whether what it points to was set are told so.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define TC_RT_ADDRESS __attribute__((access(none, 1)))
#else
#define TC_RT_ADDRESS
#endif

// How memory is lent: read; read-modify-write atomically; written, by one user alone.
typedef enum tc_rt_lent { TC_RT_LEND_SHARED, TC_RT_LEND_ATOMIC, TC_RT_LEND_MUT } tc_rt_lent;

// What was found. Texts live as long as the call.
typedef struct tc_rt_report {
    size_t size;        // of this structure, bytes: fields may be added at its end
    const char *code;   // "TC5001"
    const char *text;   // one sentence
    const char *remedy; // what would order the two, or NULL
    const char *kernel, *parameter, *buffer; // names, or NULL
    const void *address; // that both use, or NULL
} tc_rt_report;

typedef struct tc_rt_totals {
    size_t size; // set by the caller: sizeof(tc_rt_totals)
    uint64_t events, launches, untracked, findings, live_allocations, live_loans;
} tc_rt_totals;

// The shim's functions, as one table. Version 1; later versions append.
typedef struct tc_rt_door {
    unsigned version;
    int (*active)(void);
    void (*sub_alloc)(const void *ptr, size_t bytes, void *stream, const char *name) TC_RT_ADDRESS;
    void (*sub_free)(const void *ptr) TC_RT_ADDRESS;
    void (*lend)(const void *ptr, size_t bytes, tc_rt_lent borrow, void *stream, const char *name) TC_RT_ADDRESS;
    void (*release)(const void *ptr, void *stream) TC_RT_ADDRESS;
    void (*host_access)(const void *ptr, size_t bytes, int writes) TC_RT_ADDRESS;
    void (*on_finding)(void (*fn)(void *ctx, const tc_rt_report *report), void *ctx);
    void (*totals)(tc_rt_totals *t);
    void (*alloc)(const void *ptr, size_t bytes, const char *name) TC_RT_ADDRESS;
    void (*free)(const void *ptr) TC_RT_ADDRESS;
} tc_rt_door;

// The door of the shim in this process, or NULL. The shim may be loaded later, by the first call of CUDA, but only where the
// environment says so: without it one look is enough.
static inline const tc_rt_door *tc_rt_shim(void) {
    static const tc_rt_door *door;
    static int never;
    const tc_rt_door *found = __atomic_load_n(&door, __ATOMIC_ACQUIRE);
    if (found || __atomic_load_n(&never, __ATOMIC_RELAXED))
        return found;
    const tc_rt_door *(*open_door)(void) = NULL;
    void *address = dlsym(NULL /* RTLD_DEFAULT */, "tc_rt_door_open");
    __builtin_memcpy(&open_door, &address, sizeof address);
    found = open_door ? open_door() : NULL;
    if (found)
        __atomic_store_n(&door, found, __ATOMIC_RELEASE);
    else if (!getenv("CUDA_INJECTION64_PATH"))
        __atomic_store_n(&never, 1, __ATOMIC_RELAXED);
    return found;
}

// Is the shim here, and looking?
static inline int tc_rt_active(void) {
    const tc_rt_door *d = tc_rt_shim();
    return d && d->active();
}

// Memory that no call of CUDA allocates (mmap, malloc that devices reach): it begins, it ends. Freeing it while a kernel may use it
// is TC5001.
TC_RT_ADDRESS static inline void tc_rt_alloc(const void *ptr, size_t bytes, const char *name) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->alloc(ptr, bytes, name);
}
TC_RT_ADDRESS static inline void tc_rt_free(const void *ptr) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->free(ptr);
}

// An allocator hands out part of its memory, for use on `stream` first (NULL: the legacy default stream): what was lent to its former
// owner and is not known to be done by then is TC5001. tc_rt_sub_free: the part that begins there goes back.
TC_RT_ADDRESS static inline void tc_rt_sub_alloc(const void *ptr, size_t bytes, void *stream, const char *name) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->sub_alloc(ptr, bytes, stream, name);
}
TC_RT_ADDRESS static inline void tc_rt_sub_free(const void *ptr) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->sub_free(ptr);
}

// Memory lent to `stream`, from now until it is synchronised with or tc_rt_release is called: for work that the shim does not see, as
// kernels without contracts. `name` is what findings call it.
TC_RT_ADDRESS static inline void tc_rt_lend(const void *ptr, size_t bytes, tc_rt_lent borrow, void *stream, const char *name) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->lend(ptr, bytes, borrow, stream, name);
}
TC_RT_ADDRESS static inline void tc_rt_release(const void *ptr, void *stream) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->release(ptr, stream);
}

// The host is about to read, or to write, memory: TC5003 when it is on loan.
TC_RT_ADDRESS static inline void tc_rt_host_read(const void *ptr, size_t bytes) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->host_access(ptr, bytes, 0);
}
TC_RT_ADDRESS static inline void tc_rt_host_write(const void *ptr, size_t bytes) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->host_access(ptr, bytes, 1);
}

// fn is called for each finding, after the call that showed it, on its thread; NULL: no more.
static inline void tc_rt_on_finding(void (*fn)(void *ctx, const tc_rt_report *report), void *ctx) {
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->on_finding(fn, ctx);
}

// What was seen so far; all 0 without the shim.
static inline tc_rt_totals tc_rt_counts_now(void) {
    tc_rt_totals t = {sizeof t, 0, 0, 0, 0, 0, 0};
    const tc_rt_door *d = tc_rt_shim();
    if (d)
        d->totals(&t);
    return t;
}

#ifdef __cplusplus
}
#endif
#endif
