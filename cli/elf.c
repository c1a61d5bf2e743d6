// ELF by hand (gABI; ar(5) for archives): every offset is checked, nothing of the file is trusted.
#include "cli/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tc_image_open(tc_arena *a, const char *path, tc_image *image) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *image = (tc_image){0};
    if (fd < 0 || fstat(fd, &st) != 0) {
        const char *error = tc_fmt(a, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return error;
    }
    void *p = st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    int failed = errno;
    close(fd);
    if (p == MAP_FAILED)
        return tc_fmt(a, "%s", strerror(failed));
    *image = (tc_image){p, (size_t)st.st_size};
    return NULL;
}

void tc_image_close(tc_image *image) {
    if (image->bytes)
        munmap((void *)(uintptr_t)image->bytes, image->size);
    *image = (tc_image){0};
}

// ---- one ELF file ----

typedef struct walk {
    tc_contract_fn fn;
    void *ctx;
    const char *member;
    bool ended;
} walk;

static bool pass_on(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    walk *w = ctx;
    w->ended = !w->fn(w->ctx, w->member, e, error);
    return !w->ended;
}

static bool within(const tc_image *f, uint64_t offset, uint64_t size) {
    return offset <= f->size && size <= f->size - offset;
}

static const char cut[] = "the file is cut short or corrupt: a table of it lies outside";
static const char bad_note[] = "the file is corrupt: a note goes past its section";

static const char *notes_in(const tc_image *f, uint64_t offset, uint64_t size, uint64_t align, walk *w) {
    if (!within(f, offset, size))
        return cut;
    return tc_embedded_notes(f->bytes + offset, (size_t)size, (size_t)align, pass_on, w) ? NULL : bad_note;
}

static const char *by_sections(const tc_image *f, const Elf64_Ehdr *h, walk *w) {
    Elf64_Shdr s;
    if (h->e_shentsize != sizeof s || !within(f, h->e_shoff, sizeof s))
        return cut;
    memcpy(&s, f->bytes + h->e_shoff, sizeof s);
    uint64_t count = h->e_shnum ? h->e_shnum : s.sh_size; // gABI: more than 0xff00 are counted in the first section
    if (count > f->size / sizeof s || !within(f, h->e_shoff, count * sizeof s))
        return cut;
    for (uint64_t i = 0; i < count && !w->ended; i++) {
        memcpy(&s, f->bytes + h->e_shoff + i * sizeof s, sizeof s);
        const char *error = s.sh_type == SHT_NOTE ? notes_in(f, s.sh_offset, s.sh_size, s.sh_addralign, w) : NULL;
        if (error)
            return error;
    }
    return NULL;
}

static const char *by_segments(const tc_image *f, const Elf64_Ehdr *h, walk *w) {
    Elf64_Phdr p;
    if (h->e_phnum == 0)
        return NULL;
    if (h->e_phentsize != sizeof p || !within(f, h->e_phoff, (uint64_t)h->e_phnum * sizeof p))
        return cut;
    for (unsigned i = 0; i < h->e_phnum && !w->ended; i++) {
        memcpy(&p, f->bytes + h->e_phoff + (uint64_t)i * sizeof p, sizeof p);
        const char *error = p.p_type == PT_NOTE ? notes_in(f, p.p_offset, p.p_filesz, p.p_align, w) : NULL;
        if (error)
            return error;
    }
    return NULL;
}

static const char *in_elf(const tc_image *f, walk *w) {
    Elf64_Ehdr h;
    if (f->size < sizeof h)
        return cut;
    memcpy(&h, f->bytes, sizeof h);
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB)
        return "only ELF files of 64 bits, little-endian, are read";
    return h.e_shoff ? by_sections(f, &h, w) : by_segments(f, &h, w);
}

// ---- what a file is ----

static bool begins(const tc_image *f, const char *with, size_t n) {
    return f->size >= n && memcmp(f->bytes, with, n) == 0;
}

static bool is_bitcode(const tc_image *f) {
    return begins(f, "BC\xc0\xde", 4) || begins(f, "\xde\xc0\x17\x0b", 4);
}

// A file of notes: the first one's name says so.
static bool is_notes(const tc_image *f) {
    return f->size >= 22 && memcmp(f->bytes + 12, TC_REC_NOTE_NAME, sizeof TC_REC_NOTE_NAME) == 0;
}

// ---- archives ----

typedef struct member {
    const char *name;
    tc_image file;
    uint64_t next; // where the one after it begins
    bool is_table; // of symbols or of names
} member;

static bool number_of(const uint8_t *text, size_t width, uint64_t *n) {
    size_t i = 0;
    for (*n = 0; i < width && text[i] >= '0' && text[i] <= '9'; i++)
        *n = *n * 10 + (uint64_t)(text[i] - '0');
    return i > 0 && i < 18;
}

// Name and size stand in 60 characters before the member; a long name is "/OFFSET" into the table "//".
static bool member_at(tc_arena *a, const tc_image *f, uint64_t at, const tc_image *names, member *m) {
    if (!within(f, at, 60))
        return false;
    const uint8_t *h = f->bytes + at;
    uint64_t size, offset;
    if (h[58] != 0x60 || h[59] != '\n' || !number_of(h + 48, 10, &size) || !within(f, at + 60, size))
        return false;
    *m = (member){.file = {h + 60, (size_t)size}, .next = at + 60 + size + (size & 1)};
    m->is_table = h[0] == '/' && (h[1] == ' ' || h[1] == '/' || memcmp(h, "/SYM64/", 7) == 0);
    const char *from = (const char *)h;
    size_t n = 16;
    if (h[0] == '/' && number_of(h + 1, 15, &offset) && offset < names->size) {
        from = (const char *)names->bytes + offset;
        n = names->size - (size_t)offset;
    }
    size_t len = 0;
    while (len < n && from[len] != '/' && from[len] != '\n' && from[len] != '\0')
        len++;
    m->name = tc_strndup(a, from, len);
    return true;
}

static const char *in_file(tc_arena *a, const tc_image *f, walk *w);

static const char *in_archive(tc_arena *a, const tc_image *f, walk *w) {
    tc_image names = {0};
    member m;
    for (uint64_t at = 8; at < f->size && !w->ended; at = m.next) {
        if (!member_at(a, f, at, &names, &m))
            return "the archive is cut short or corrupt";
        if (m.is_table && f->bytes[at + 1] == '/')
            names = m.file;
        if (m.is_table || !begins(&m.file, ELFMAG, SELFMAG))
            continue; // of no interest
        w->member = m.name;
        const char *error = in_elf(&m.file, w);
        if (error)
            return tc_fmt(a, "%s: %s", m.name, error);
    }
    return NULL;
}

static const char *in_file(tc_arena *a, const tc_image *f, walk *w) {
    if (begins(f, ELFMAG, SELFMAG))
        return in_elf(f, w);
    if (begins(f, "!<arch>\n", 8))
        return in_archive(a, f, w);
    if (begins(f, "!<thin>\n", 8))
        return "a thin archive has no members in it: name the files themselves";
    if (is_bitcode(f))
        return "LLVM's bitcode (-flto): the contracts are in what is linked from it";
    if (is_notes(f))
        return tc_embedded_notes(f->bytes, f->size, 4, pass_on, w) ? NULL : "the file is cut short or corrupt: a note goes past its end";
    return "neither an ELF file, nor an archive, nor written by --contracts";
}

const char *tc_image_contracts(tc_arena *a, const tc_image *image, tc_contract_fn fn, void *ctx) {
    walk w = {.fn = fn, .ctx = ctx};
    return in_file(a, image, &w);
}
