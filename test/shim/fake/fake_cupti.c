// A CUPTI for the driver of tests: one subscriber, callbacks that are switched on one by one. FAKE_CUPTI_BUSY=1: another one was first.
#include "test/shim/fake/fake.h"

#include <stdio.h>
#include <stdlib.h>

typedef void (*callback)(void *user, u32 domain, u32 id, const void *data);
static callback subscriber;
static void *subscriber_user;
static bool enabled[8][1024];

static void on_call(u32 domain, u32 id, const void *data) {
    if (subscriber && enabled[domain][id])
        subscriber(subscriber_user, domain, id, data);
}

int cuptiSubscribe(void **handle, callback fn, void *user);
int cuptiSubscribe(void **handle, callback fn, void *user) {
    if (subscriber || getenv("FAKE_CUPTI_BUSY"))
        return 39;
    if (getenv("FAKE_CUPTI_BROKEN"))
        return 999;
    subscriber = fn;
    subscriber_user = user;
    *handle = &subscriber;
    fake_set_hook(on_call);
    return 0;
}

int cuptiEnableCallback(u32 enable, void *handle, u32 domain, u32 id);
int cuptiEnableCallback(u32 enable, void *handle, u32 domain, u32 id) {
    if (handle != (void *)&subscriber || domain >= 8 || id >= 1024)
        return 1;
    enabled[domain][id] = enable != 0;
    return 0;
}

int cuptiGetResultString(int result, const char **text);
int cuptiGetResultString(int result, const char **text) {
    *text = result == 999 ? "CUPTI_ERROR_UNKNOWN" : "CUPTI_ERROR";
    return 0;
}
