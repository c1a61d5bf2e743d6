// Injection: the CUDA driver loads this library (CUDA_INJECTION64_PATH) and calls InitializeInjection; CUPTI then calls back for the
// driver's functions. libcupti is found at run time, so that nothing of CUDA is needed to build, or to run without it.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/driver.h"

// Of CUPTI's callback interface (cupti_callbacks.h); test/shim/abi.test compares.
enum { SITE_ENTER = 0, DOMAIN_DRIVER = 1, DOMAIN_RESOURCE = 3, RESOURCE_CONTEXT_DESTROY = 2, RESOURCE_MODULE_UNLOAD = 7, OTHER_SUBSCRIBER = 39 };

typedef struct tc_cupti_data { // CUpti_CallbackData
    u32 callbackSite;
    const char *functionName;
    const void *functionParams;
    void *functionReturnValue;
    const char *symbolName;
    u64 context;
    u32 contextUid;
    u64 *correlationData;
    u32 correlationId;
} tc_cupti_data;

typedef struct tc_cupti_resource { // CUpti_ResourceData, its first field
    u64 context;
} tc_cupti_resource;

typedef void (*callback)(void *user, u32 domain, u32 id, const void *data);
typedef int (*subscribe_function)(void **subscriber, callback fn, void *user);
typedef int (*enable_function)(u32 enable, void *subscriber, u32 domain, u32 id);
typedef int (*text_function)(int result, const char **text);

static void on_call(void *user, u32 domain, u32 id, const void *data) {
    (void)user;
    if (domain == DOMAIN_DRIVER) {
        const tc_cupti_data *d = data;
        bool entry = d->callbackSite == SITE_ENTER;
        int result = entry || !d->functionReturnValue ? CU_OK : *(const int *)d->functionReturnValue;
        driver_call(id, entry, d->functionParams, result, d->symbolName, d->context, d->contextUid);
    } else if (domain == DOMAIN_RESOURCE && id == RESOURCE_CONTEXT_DESTROY) {
        driver_context_ends(((const tc_cupti_resource *)data)->context);
    } else if (domain == DOMAIN_RESOURCE && id == RESOURCE_MODULE_UNLOAD) {
        driver_module_ends();
    }
}

// ---- libcupti ----

// Where libcupti may lie: a library that the program has loaded already comes first (newer ones do not work with older drivers), then
// what the environment says, then what the loader finds, then the usual place.
static const char *const sonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
static const char *const hints[] = {"CUPTI_PATH", "CUDA_HOME", "CUDA_PATH"};
static const char *const folders[] = {"", "/lib64", "/lib", "/extras/CUPTI/lib64"};
#define USUAL "/usr/local/cuda"

static void *open_in(const char *folder, int mode) {
    char path[4096];
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames; i++) {
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", sonames[i]);
        void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | mode);
        if (library)
            return library;
    }
    return NULL;
}

static void *open_below(const char *base) {
    char folder[2048];
    void *library = NULL;
    for (size_t i = 0; base && *base && !library && i < sizeof folders / sizeof *folders; i++) {
        snprintf(folder, sizeof folder, "%s%s", base, folders[i]);
        library = open_in(folder, 0);
    }
    return library;
}

static void *open_library(void) {
    const char *given = shim_settings()->text[SHIM_CUPTI];
    if (given)
        return dlopen(given, RTLD_LAZY | RTLD_LOCAL);
    void *library = open_in("", RTLD_NOLOAD);
    for (size_t i = 0; !library && i < sizeof hints / sizeof *hints; i++)
        library = open_below(getenv(hints[i]));
    library = library ? library : open_in("", 0);
    return library ? library : open_below(USUAL);
}

static void *symbol(void *library, const char *name) {
    return dlsym(library, name);
}

typedef struct subscription {
    void *subscriber;
    enable_function enable;
    unsigned wanted, refused;
} subscription;

static void want(void *ctx, u32 id) {
    subscription *s = ctx;
    s->wanted++;
    if (s->enable(1, s->subscriber, DOMAIN_DRIVER, id) != 0)
        s->refused++; // a driver that does not know the function yet
}

const char shim_not_started[] = "no CUDA driver has started the shim. There is no driver here, the program does not use it, or CUDA_INJECTION64_PATH "
                                "does not name this library";

static bool has_driver(void) {
    return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) != NULL;
}

static void say_refused(void *library, int result) {
    text_function text_of = NULL;
    const char *text = NULL;
    void *f = symbol(library, "cuptiGetResultString");
    memcpy(&text_of, &f, sizeof f);
    if (result == OTHER_SUBSCRIBER)
        shim_say("another tool has CUPTI (a profiler, a debugger, compute-sanitizer): nothing is checked");
    else if (!has_driver())
        shim_say("no CUDA driver is loaded (libcuda.so.1): nothing is checked");
    else if (text_of && text_of(result, &text) == 0 && text)
        shim_say("CUPTI refuses: %s: nothing is checked", text);
    else
        shim_say("CUPTI refuses, error %d: nothing is checked", result);
}

static bool subscribe(void) {
    static subscription s;
    void *library = open_library();
    if (!library) {
        shim_say("libcupti is not found (TILECHECK_RT_CUPTI, CUPTI_PATH and CUDA_HOME are looked at): nothing is checked");
        return false;
    }
    subscribe_function subscribe_to = NULL;
    void *f = symbol(library, "cuptiSubscribe"), *g = symbol(library, "cuptiEnableCallback");
    memcpy(&subscribe_to, &f, sizeof f);
    memcpy(&s.enable, &g, sizeof g);
    int result = subscribe_to && s.enable ? subscribe_to(&s.subscriber, on_call, NULL) : -1;
    if (result != 0) {
        say_refused(library, result);
        return false;
    }
    driver_wanted(want, &s);
    s.enable(1, s.subscriber, DOMAIN_RESOURCE, RESOURCE_CONTEXT_DESTROY);
    s.enable(1, s.subscriber, DOMAIN_RESOURCE, RESOURCE_MODULE_UNLOAD);
    if (s.refused == s.wanted)
        shim_say("CUPTI lets no call be seen: nothing is checked");
    return s.refused < s.wanted;
}

// The explicit API looks the library up by name: the driver has loaded it for itself alone. It also stays loaded.
static void make_visible(void) {
    Dl_info me;
    if (dladdr((const void *)(uintptr_t)sonames, &me) && me.dli_fname)
        dlopen(me.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL | RTLD_NODELETE);
}

__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void) {
    static bool done;
    if (done)
        return 1;
    done = true;
    make_visible();
    if (shim_start()) {
        kernels_start();
        if (!subscribe())
            shim_stop();
    }
    return 1; // whatever happened, the program runs on
}
