#include "runtime-shim/trackeri.h"

static _Thread_local uint64_t fail_at;
_Thread_local bool tc_rt_hash_full;

void tc_rt_alloc_fail_at(uint64_t n) {
    fail_at = n;
}

void *tc_rt_realloc(void *p, size_t size) {
    if (fail_at && --fail_at == 0)
        return NULL;
    return realloc(p, size ? size : 1);
}

void tc_rt_release(void *p) {
    free(p);
}

void *tc_rt_new(tc_rt_tracker *t, size_t size) {
    void *p = tc_rt_realloc(NULL, size);
    if (p)
        memset(p, 0, size);
    else
        t->lost = true;
    return p;
}

bool tc_rt_grow(void **data, size_t *cap, size_t len, size_t size) {
    size_t more = len ? len * 2 : 4;
    void *p = more > SIZE_MAX / size ? NULL : tc_rt_realloc(*data, more * size);
    if (!p)
        return false;
    *data = p;
    *cap = more;
    return true;
}

bool rt_added(tc_rt_tracker *t, void *item) {
    bool full = tc_rt_hash_full;
    tc_rt_hash_full = false;
    if (!full)
        return true;
    tc_rt_release(item);
    t->lost = true;
    return false;
}

// ---- texts ----

struct rt_text {
    UT_hash_handle hh;
    char text[];
};

const char *rt_keep(tc_rt_tracker *t, const char *s, uint32_t flags) {
    if (!s || (flags & TC_RT_LASTING))
        return s;
    size_t n = strlen(s);
    rt_text *found = NULL;
    HASH_FIND(hh, t->texts, s, n, found);
    if (found)
        return found->text;
    rt_text *text = tc_rt_new(t, sizeof *text + n + 1);
    if (!text)
        return NULL;
    memcpy(text->text, s, n + 1);
    HASH_ADD_KEYPTR(hh, t->texts, text->text, n, text);
    return rt_added(t, text) ? text->text : NULL;
}

void rt_texts_free(tc_rt_tracker *t) {
    rt_text *text, *next;
    HASH_ITER(hh, t->texts, text, next) {
        HASH_DEL(t->texts, text);
        tc_rt_release(text);
    }
}
