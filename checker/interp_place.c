// Where instructions stand in the user's source.
#include <string.h>

#include "checker/interp_decode.h"

// Headers of compilers and toolkits, and the contract language's own, are not where a user looks for a fault.
static bool is_system_path(const char *dir, const char *name) {
    static const char *const parts[] = {"/lib/clang/", "/usr/include/", "/cuda/include/", "/cuda/targets/",
                                        "/local/cuda", "/standin/",     "/compat/",       "/c++/",
                                        "/nvidia/",    "tilecheck.h"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]) || (name[0] != '/' && strstr(dir, parts[i])))
            return true;
    return false;
}

static const char *text_of(tc_arena *a, const char *s, unsigned n) {
    return s ? tc_strndup(a, s, n) : "";
}

bool tc_vm_loc(tc_arena *a, const tc_unit *u, LLVMValueRef inst, tc_loc *loc) {
    *loc = (tc_loc){0};
    if (!inst || !LLVMIsAInstruction(inst))
        return false;
    loc->line = LLVMGetDebugLocLine(inst);
    loc->column = LLVMGetDebugLocColumn(inst);
    if (loc->line == 0)
        return false;
    unsigned nd = 0, nf = 0;
    const char *dir = LLVMGetDebugLocDirectory(inst, &nd);
    dir = text_of(a, dir, nd);
    const char *name = LLVMGetDebugLocFilename(inst, &nf);
    name = text_of(a, name, nf);
    loc->file = tc_unit_file(u, dir, name);
    return !is_system_path(dir, name);
}

// The lines of the current instruction that are the user's, innermost first. An instruction in a toolkit header stands
// where the user called it.
static tc_place_info place_info(tc_decoder *d, const char *what) {
    tc_place_info p = {.what = what};
    const tc_instance *in = d->inst;
    tc_loc loc = {0};
    bool known = d->cur && tc_vm_loc(d->a, d->u, d->cur, &loc);
    if (known || !in || in->ncalls == 0) {
        p.loc = loc;
        p.calls = in ? in->calls : NULL;
        p.ncalls = in ? in->ncalls : 0;
    } else {
        p.loc = in->calls[0];
        p.calls = in->calls + 1;
        p.ncalls = in->ncalls - 1;
    }
    return p;
}

uint32_t tc_place_here(tc_decoder *d, const char *what) {
    uint64_t key = tc_hash_mix(tc_hash_mix(TC_KEY(d->cur), TC_KEY(what)), d->inst ? d->inst->id : 0);
    uint32_t known = (uint32_t)(uintptr_t)tc_map_get(&d->places, key);
    if (known)
        return known - 1;
    tc_push(d->a, &d->p->places, place_info(d, what));
    tc_map_put(d->a, &d->places, key, (void *)(uintptr_t)d->p->places.len);
    return (uint32_t)d->p->places.len - 1;
}
