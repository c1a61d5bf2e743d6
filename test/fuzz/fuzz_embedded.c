// Fuzz target: embedded contracts of any bytes, as one record and as a section of notes; whatever is taken is evaluated for a launch.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/embed_kit.h"

static bool use(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    if (e)
        ek_use(e, ctx);
    return error != TC_EMBEDDED_LIMIT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static ek_launch l;
    tc_embedded e;
    ek_launch_init(&l, 3, 64);
    for (size_t i = 0; i < sizeof l.arguments; i++)
        l.arguments[i] = size ? data[size - 1 - i % size] : 0;
    if (tc_embedded_open(data, size, &e) == TC_EMBEDDED_OK)
        ek_use(&e, &l);
    tc_embedded_notes(data, size, 4, use, &l);
    tc_embedded_notes(data, size, 8, use, &l);
    return 0;
}
