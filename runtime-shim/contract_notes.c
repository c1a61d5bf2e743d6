// ELF notes: records in sections and segments, and those of what is loaded.
//
// A note is three words (size of the name with its 0, size of the rest, type), the name, the rest, both padded (gABI, "Note
// Section"). Linkers put the notes of several sections into one segment, so notes of others stand between ours.
#include "runtime-shim/contract.h"

#include <elf.h>
#include <link.h>
#include <string.h>

enum { NOTE_HEADER = 12 };

static uint64_t get32(const uint8_t *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static uint64_t padded(uint64_t n, size_t align) {
    return align == 8 ? (n + 7) & ~(uint64_t)7 : (n + 3) & ~(uint64_t)3;
}

static bool is_ours(const uint8_t *note, uint64_t name_size) {
    return name_size == sizeof TC_REC_NOTE_NAME && get32(note + 8) == TC_REC_NOTE_TYPE &&
           memcmp(note + NOTE_HEADER, TC_REC_NOTE_NAME, sizeof TC_REC_NOTE_NAME) == 0;
}

bool tc_embedded_notes(const void *bytes, size_t size, size_t align, tc_embedded_fn fn, void *ctx) {
    const uint8_t *p = bytes;
    uint64_t left = size;
    while (left >= NOTE_HEADER) {
        uint64_t name = get32(p), rest = get32(p + 4);
        uint64_t at = padded(NOTE_HEADER + name, align), end = at + rest, next = padded(end, align);
        if (NOTE_HEADER + name > left || end > left)
            return false;
        if (is_ours(p, name)) {
            tc_embedded e;
            tc_embedded_error error = tc_embedded_open(p + at, (size_t)rest, &e);
            if (!fn(ctx, error == TC_EMBEDDED_OK ? &e : NULL, error))
                return true;
        }
        if (next >= left)
            return true;
        p += next;
        left -= next;
    }
    // A few bytes of padding may follow the last note.
    for (; left > 0; left--, p++)
        if (*p)
            return false;
    return true;
}

typedef struct walk {
    tc_embedded_fn fn;
    void *ctx;
    bool ended;
} walk;

static bool pass_on(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    walk *w = ctx;
    w->ended = !w->fn(w->ctx, e, error);
    return !w->ended;
}

// Notes are read where they are loaded, and nowhere else.
static bool is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) *note) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && (h->p_flags & PF_R) && note->p_vaddr >= h->p_vaddr && note->p_memsz <= h->p_memsz &&
            note->p_vaddr - h->p_vaddr <= h->p_memsz - note->p_memsz)
            return true;
    }
    return false;
}

static int in_object(struct dl_phdr_info *info, size_t size, void *ctx) {
    walk *w = ctx;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && !w->ended; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_NOTE && is_loaded(info, h))
            tc_embedded_notes((const void *)(info->dlpi_addr + h->p_vaddr), h->p_memsz, h->p_align, pass_on, w);
    }
    return w->ended;
}

void tc_embedded_loaded(tc_embedded_fn fn, void *ctx) {
    walk w = {fn, ctx, false};
    dl_iterate_phdr(in_object, &w);
}

typedef struct search {
    const char *mangled;
    tc_embedded *found;
    bool any;
    unsigned others;
} search;

static bool look(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    search *s = ctx;
    if (error != TC_EMBEDDED_OK || strcmp(e->mangled, s->mangled) != 0)
        return true;
    if (!s->any)
        *s->found = *e;
    else if (s->found->size != e->size || memcmp(s->found->bytes, e->bytes, e->size) != 0)
        s->others++;
    s->any = true;
    return true;
}

bool tc_embedded_find(const char *mangled, tc_embedded *e, unsigned *others) {
    search s = {.mangled = mangled, .found = e};
    tc_embedded_loaded(look, &s);
    if (others)
        *others = s.others;
    return s.any;
}
