#include "checker/defines.h"

#include <string.h>

static bool is_seen(const tc_defines *d, const char *name) {
    for (size_t i = 0; i < d->names.len; i++)
        if (strcmp(d->names.data[i], name) == 0)
            return true;
    return false;
}

void tc_defines_see(tc_arena *a, tc_defines *d, const tc_contract *c) {
    for (size_t i = 0; i < c->scalars.len; i++)
        if (c->scalars.data[i].path && !is_seen(d, c->scalars.data[i].path))
            tc_push(a, &d->names, tc_strdup(a, c->scalars.data[i].path));
}

static const char *list(tc_arena *a, const tc_defines *d) {
    tc_text t = {.arena = a};
    for (size_t i = 0; i < d->names.len; i++)
        tc_putf(&t, "%s%s", i ? ", " : "there are: ", d->names.data[i]);
    return d->names.len ? tc_text_str(&t) : "there is none";
}

void tc_defines_tell(tc_arena *a, const tc_defines *d, const tc_unit *u, const tc_options *o, tc_findings *out) {
    for (size_t i = 0; i < o->defines.len && u->nkernels > 0 && !d->unsure; i++) {
        const char *name = o->defines.data[i].name;
        if (is_seen(d, name))
            continue;
        tc_finding f = {.code = "TC9001", .severity = TC_SEV_ERROR};
        f.text = tc_fmt(a, "define=%s: no kernel of this file has a scalar parameter '%s'; %s", name, name, list(a, d));
        tc_push(a, out, f);
    }
}
