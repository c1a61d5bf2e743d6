#include "runtime-shim/front/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

typedef enum when { NEVER, AFTER, CHECKED, ALWAYS, BEFORE } when;

typedef struct row {
    void (*take)(const shim_call *c);
    when when;
    bool per_thread;
} row;

enum { ROWS = 1024 };
static const row rows[ROWS] = {
#define X(id, name, params, when, take) [id] = {take, when, false},
#define Y(id, name, params, when, take) [id] = {take, when, true},
#include "runtime-shim/front/driver.def"
#undef Y
#undef X
};

void driver_wanted(void (*want)(void *ctx, u32 id), void *ctx) {
    for (u32 id = 0; id < ROWS; id++)
        if (rows[id].take)
            want(ctx, id);
}

static bool launches(const row *r) {
    return r->take == take_launch || r->take == take_launch_cooperative || r->take == take_launch_ex;
}

static bool is_due(const row *r, bool entry, int result) {
    if (entry && launches(r)) // what arrays hold is looked at before the kernel runs
        return shim_settings()->contents != SHIM_CONTENTS_NOT;
    if (entry || r->when == BEFORE)
        return entry && r->when == BEFORE;
    bool capture = result >= CU_CAPTURE_FIRST && result <= CU_CAPTURE_LAST;
    return result == CU_OK || r->when == ALWAYS || (r->when == CHECKED && capture);
}

static bool allocates(const row *r) {
    static void (*const takes[])(const shim_call *c) = {take_alloc_device, take_alloc_pitch, take_alloc_managed,   take_alloc_host, take_register,
                                                        take_alloc_async,  take_alloc_from_pool, take_reserve, take_ipc_open};
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        if (r->take == takes[i])
            return true;
    return false;
}

void driver_call(u32 id, bool entry, const void *params, int result, const char *symbol, u64 context, u32 context_uid) {
    const row *r = id < ROWS ? &rows[id] : NULL;
    if (!r || !r->take || !is_due(r, entry, result) || !shim_is_on() || shim_is_inside())
        return;
    const shim_call c = {.params = params,
                         .result = entry ? CU_OK : result,
                         .entry = entry,
                         .per_thread = r->per_thread,
                         .symbol = symbol,
                         .device = driver_context(context, context_uid)};
    if (shim_settings()->stacks != SHIM_STACKS_NONE)
        shim_take_stack(allocates(r));
    r->take(&c);
}

void driver_give(const shim_call *c, tc_rt_event *e) {
    e->device = c->device;
    e->flags |= driver_accepted(c);
    if (!shim_enter())
        return;
    shim_give(e);
    shim_leave();
}

// ---- the driver itself ----

void *driver_function(const char *name) {
    static void *library;
    void *f = library ? dlsym(library, name) : NULL;
    if (f)
        return f;
    void *found = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!found)
        return dlsym(RTLD_DEFAULT, name);
    library = found;
    return dlsym(found, name);
}

// ---- contexts ----

enum { MAX_CONTEXTS = 256, OTHERS = 4096 };
typedef struct context {
    u64 handle; // 0: it ended
    u32 uid, number;
} context;
static context contexts[MAX_CONTEXTS];
static unsigned ncontexts;
static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;

typedef int (*get_device)(int *device);

// uid 0: not the current context, so its device is not known.
static u32 number_of(u32 uid) {
    int device = 0;
    if (!uid)
        return OTHERS + OTHERS + ncontexts;
    get_device ask = NULL;
    void *f = driver_function("cuCtxGetDevice");
    memcpy(&ask, &f, sizeof f);
    if (!ask || ask(&device) != CU_OK || device < 0)
        return OTHERS + uid;
    for (unsigned i = 0; i < ncontexts; i++) // a second context of a device has default streams of its own
        if (contexts[i].handle && contexts[i].number == (u32)device)
            return OTHERS + uid;
    return (u32)device;
}

u32 driver_context(u64 handle, u32 uid) {
    static _Thread_local struct {
        u64 handle;
        u32 uid, number;
    } last __attribute__((tls_model("initial-exec")));
    if (!handle || (last.handle == handle && last.uid == uid))
        return last.handle && handle ? last.number : 0;
    pthread_mutex_lock(&contexts_lock);
    context *found = NULL;
    for (unsigned i = 0; i < ncontexts && !found; i++)
        if (contexts[i].handle == handle && (!uid || !contexts[i].uid || contexts[i].uid == uid))
            found = &contexts[i];
    if (found && !found->uid) // a copy between devices has named it before it was current
        found->uid = uid;
    if (!found) {
        context *c = &contexts[ncontexts < MAX_CONTEXTS ? ncontexts : MAX_CONTEXTS - 1];
        const context made = {handle, uid, number_of(uid)};
        ncontexts += ncontexts < MAX_CONTEXTS;
        *c = made;
        found = c;
    }
    u32 number = found->number;
    pthread_mutex_unlock(&contexts_lock);
    if (uid) {
        last.handle = handle;
        last.uid = uid;
        last.number = number;
    }
    return number;
}

void driver_context_ends(u64 handle) {
    u32 number = 0;
    bool found = false;
    pthread_mutex_lock(&contexts_lock);
    for (unsigned i = 0; i < ncontexts && !found; i++)
        if (handle && contexts[i].handle == handle) {
            found = true;
            number = contexts[i].number;
            contexts[i].handle = 0;
        }
    pthread_mutex_unlock(&contexts_lock);
    tc_rt_event e = {.op = TC_RT_DEVICE_RESET};
    const shim_call c = {.entry = true, .device = number};
    if (found)
        driver_give(&c, &e);
}

void driver_module_ends(void) {
    kernels_forget_handles();
}
