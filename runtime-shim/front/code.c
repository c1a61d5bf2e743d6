// What code a kernel's handle stands for: the driver's modules and libraries are followed from the image that they were made of to the kernels
// that they give out. A handle that comes again is written over when the driver gives it out.
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/driver.h"

#define P(function) const tc_cu_##function *p = c->params

// Images, each once, and handles: open hash tables; a handle whose code is not known any more keeps its place.
typedef struct known {
    u64 handle; // 0: free
    shim_code *code;
} known;
static known *table;
static size_t ntable, room;
static struct listed {
    struct listed *next;
    shim_code code;
} *images;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static known *place(known *in, size_t size, u64 handle) {
    size_t i = (size_t)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (size - 1);
    while (in[i].handle && in[i].handle != handle)
        i = (i + 1) & (size - 1);
    return &in[i];
}

static bool grow(void) {
    size_t more = room ? room * 2 : 256;
    known *bigger = calloc(more, sizeof *bigger);
    if (!bigger)
        return false;
    for (size_t i = 0; i < room; i++)
        if (table[i].handle)
            *place(bigger, more, table[i].handle) = table[i];
    free(table);
    table = bigger;
    room = more;
    return true;
}

static void put(u64 handle, shim_code *code) {
    if (!handle || (ntable * 4 >= room * 3 && !grow())) // no memory: not known
        return;
    known *k = place(table, room, handle);
    ntable += !k->handle;
    *k = (known){handle, code};
}

static shim_code *get(u64 handle) {
    return handle && room ? place(table, room, handle)->code : NULL;
}

const void *code_object(const void *address) {
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

// What is made at run time is looked at now: its memory may be given back.
static shim_code describe(const void *code) {
    const void *image = code_object(code) ? tc_embedded_unwrap(code) : code, *object = code_object(image);
    shim_code c = {.object = object, .image = image, .size = tc_embedded_image_size(image, SIZE_MAX / 2)};
    if (!object) {
        c.hash = tc_embedded_image_hash(image, c.size);
        c.hashed = true;
        c.image = NULL;
    }
    return c;
}

static shim_code *image_of(const void *code) {
    const shim_code c = describe(code);
    for (struct listed *l = images; l; l = l->next)
        if (c.size && l->code.object == c.object && l->code.image == c.image && l->code.size == c.size && (c.object || l->code.hash == c.hash))
            return &l->code;
    struct listed *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->code = c;
    made->next = images;
    images = made;
    return &made->code;
}

void code_loaded(u64 handle, const void *code) {
    if (!code)
        return;
    pthread_mutex_lock(&lock);
    put(handle, image_of(code));
    pthread_mutex_unlock(&lock);
}

void code_is_of(u64 handle, u64 from) {
    pthread_mutex_lock(&lock);
    put(handle, get(from));
    pthread_mutex_unlock(&lock);
}

void code_unloaded(u64 handle) {
    pthread_mutex_lock(&lock);
    if (get(handle))
        put(handle, NULL);
    pthread_mutex_unlock(&lock);
}

shim_code *code_of(u64 handle) {
    pthread_mutex_lock(&lock);
    shim_code *c = get(handle);
    pthread_mutex_unlock(&lock);
    return c;
}

u64 code_hash(shim_code *c) {
    pthread_mutex_lock(&lock);
    if (!c->hashed && c->image && code_object(c->image) == c->object) { // it may have been unloaded since
        c->hash = tc_embedded_image_hash(c->image, c->size);
        c->hashed = true;
    }
    u64 hash = c->hash;
    pthread_mutex_unlock(&lock);
    return hash;
}

void take_module(const shim_call *c) {
    P(cuModuleLoadData);
    code_loaded(*p->module, p->image);
}

void take_library(const shim_call *c) {
    P(cuLibraryLoadData);
    code_loaded(*p->library, p->code);
}

void take_library_module(const shim_call *c) {
    P(cuLibraryGetModule);
    code_is_of(*p->pMod, p->library);
}

void take_unload(const shim_call *c) {
    P(cuModuleUnload);
    kernels_forget_handles();
    code_unloaded(p->hmod);
}
