// What CUPTI costs by itself: subscribes, enables one callback of a function that the benchmark does not call, and does nothing. For CUDA_INJECTION64_PATH;
// scripts/bench-shim builds it. The library is CUPTI_LIBRARY's, or what the loader finds.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOMAIN_DRIVER = 1, CU_INIT = 1 }; // CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuInit (cupti_callbacks.h, cupti_driver_cbid.h)

typedef void (*callback)(void *user, uint32_t domain, uint32_t id, const void *data);

static void nothing(void *user, uint32_t domain, uint32_t id, const void *data) {
    (void)user, (void)domain, (void)id, (void)data;
}

int InitializeInjection(void);
int InitializeInjection(void) {
    const char *path = getenv("CUPTI_LIBRARY");
    void *library = dlopen(path ? path : "libcupti.so.13", RTLD_NOW), *subscriber = NULL;
    void *f = library ? dlsym(library, "cuptiSubscribe") : NULL, *g = library ? dlsym(library, "cuptiEnableCallback") : NULL;
    int (*subscribe)(void **, callback, void *) = NULL;
    int (*enable)(uint32_t, void *, uint32_t, uint32_t) = NULL;
    memcpy(&subscribe, &f, sizeof f);
    memcpy(&enable, &g, sizeof g);
    if (!subscribe || !enable || subscribe(&subscriber, nothing, NULL) != 0 || enable(1, subscriber, DOMAIN_DRIVER, CU_INIT) != 0)
        fprintf(stderr, "subscriber: no CUPTI\n");
    return 1;
}
