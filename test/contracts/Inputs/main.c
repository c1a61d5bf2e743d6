/* Prints the contracts that are loaded, and asks one of them about two launches. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime-shim/contract.h"

static bool show(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    (void)ctx;
    printf("loaded: %s: %s\n", e ? e->name : "?", e ? tc_embedded_verdict_name(e->verdict) : tc_embedded_error_text(error));
    return true;
}

static void ask(const tc_embedded *e, int n, unsigned blocks) {
    float a = 2;
    uint64_t x = 0x700000000000, y = 0x710000000000;
    const void *params[] = {&n, &a, &x, &y};
    tc_embedded_launch l = {.params = params, .grid = {blocks, 1, 1}, .block = {256, 1, 1}};
    tc_embedded_cell *cells = calloc(tc_embedded_nodes(e), sizeof *cells);
    tc_embedded_frame f;
    char values[100];
    if (!cells)
        return;
    tc_embedded_begin(&f, e, &l, cells);
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_CONDITION].count; i++) {
        tc_embedded_condition c = tc_embedded_condition_at(e, i);
        if (tc_embedded_meets(&f, i, NULL) == TC_EMBEDDED_FAILS)
            printf("n = %d: not met: %s (%s)\n", n, c.text, tc_embedded_values_text(&f, c.expr, values, sizeof values));
    }
    tc_embedded_extent x_bytes;
    if (tc_embedded_extent_of(&f, 0, &x_bytes) == TC_EMBEDDED_VALUE)
        printf("n = %d: x has %d bytes\n", n, (int)x_bytes.hi);
    free(cells);
}

static void find(const char *mangled) {
    tc_embedded e;
    unsigned others;
    if (tc_embedded_find(mangled, &e, &others))
        printf("found: %s, %u of that name differ\n", e.name, others);
}

int main(void) {
    tc_embedded e;
    unsigned others;
    tc_embedded_loaded(show, NULL);
    find("_ZL4samePf");
    find("_Z15shared_by_filesIfEvPT_");
    if (tc_embedded_find("_Z5scaleifPKfPf", &e, &others)) {
        ask(&e, 1000, 4);
        ask(&e, 1025, 4);
    }
    return 0;
}
