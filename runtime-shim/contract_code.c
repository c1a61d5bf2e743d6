// Device code as a contract names it: a fat binary, a cubin or PTX, by its size and a hash.
#include "runtime-shim/contract.h"

#include <string.h>

static const uint64_t FATBIN_MAGIC = 0xba55ed50, WRAPPER_MAGIC = 0x466243b1, ELF_MAGIC = 0x464c457f;
enum { FATBIN_HEADER = 16, ELF_HEADER = 64 };

static uint64_t get(const uint8_t *p, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = n; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void put64(uint8_t *p, uint64_t v) {
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

// Of a fat binary (CUDA's fatbinary.h): magic, version, size of the header, size of what follows.
static uint64_t fat_size(const uint8_t *p, size_t size) {
    uint64_t header = size < FATBIN_HEADER ? 0 : get(p + 6, 2), rest = header ? get(p + 8, 8) : 0;
    return header >= FATBIN_HEADER && rest <= UINT64_MAX / 2 && header + rest <= size ? header + rest : 0;
}

// Of a cubin, 64 bits: its table of sections comes last, or its table of segments.
static uint64_t elf_size(const uint8_t *p, size_t size) {
    if (size < ELF_HEADER || p[4] != 2)
        return 0;
    uint64_t segments = get(p + 32, 8) + get(p + 54, 2) * get(p + 56, 2), sections = get(p + 40, 8) + get(p + 58, 2) * get(p + 60, 2);
    uint64_t all = segments > sections ? segments : sections;
    return all >= ELF_HEADER && all <= size ? all : 0;
}

uint64_t tc_embedded_image_size(const void *image, size_t size) {
    const uint8_t *p = image;
    uint64_t magic = size < 4 ? 0 : get(p, 4);
    if (magic == FATBIN_MAGIC)
        return fat_size(p, size);
    if (magic == ELF_MAGIC)
        return elf_size(p, size);
    bool text = size > 0 && (p[0] == '/' || p[0] == '.' || p[0] == '\n' || p[0] == ' ' || p[0] == '\t'); // PTX
    return text ? strnlen(image, size) : 0;
}

const void *tc_embedded_unwrap(const void *code) {
    const uint8_t *p = code;
    if (get(p, 4) == WRAPPER_MAGIC) // magic, version, address of the fat binary
        p = (const uint8_t *)(uintptr_t)get(p + 8, 8);
    return p;
}

// FNV-1a of words of 8 bytes: fast enough for the megabytes of an image, and nobody is to be deceived.
uint64_t tc_embedded_image_hash(const void *image, uint64_t size) {
    const uint8_t *p = image;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; size >= 8; size -= 8, p += 8)
        h = ((h ^ get(p, 8)) * UINT64_C(0x100000001b3)) ^ (h >> 29);
    for (; size > 0; size--, p++)
        h = (h ^ *p) * UINT64_C(0x100000001b3);
    return h;
}

void tc_embedded_bind_code(void *notes, size_t size, uint64_t image_size, uint64_t image_hash) {
    static const size_t head = 24; // of a note, before its record
    uint8_t *p = notes;
    while (size >= head) {
        size_t record = get(p + 4, 4), whole = head + record;
        if (get(p, 4) != sizeof TC_REC_NOTE_NAME || whole > size)
            return;
        if (get(p + 8, 4) == TC_REC_NOTE_TYPE && record >= TC_REC_HEADER_SIZE && get(p + head + TC_REC_AT_HEADER, 4) >= TC_REC_HEADER_SIZE) {
            put64(p + head + TC_REC_AT_CODE_SIZE, image_size);
            put64(p + head + TC_REC_AT_CODE_HASH, image_hash);
        }
        p += whole;
        size -= whole;
    }
}
