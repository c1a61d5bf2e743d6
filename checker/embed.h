// Contracts as bytes, for the object file: the format is runtime-shim/contract_format.h.
#ifndef TC_CHECKER_EMBED_H
#define TC_CHECKER_EMBED_H

#include "checker/options.h"
#include "checker/unit.h"

typedef struct tc_contract tc_contract;
typedef struct tc_kernel_result tc_kernel_result;

typedef struct tc_bytes {
    uint8_t *data;
    size_t len, cap;
} tc_bytes;

// One kernel's contract as an ELF note with its record, added to out (in a). r: its result, or NULL where nothing was checked.
// c: its contract; complete: it did resolve. NULL where there is none, and only the parameters are said.
void tc_embed_kernel(tc_arena *a, const tc_unit *u, const tc_options *o, const tc_kernel *k, const tc_contract *c, bool complete,
                     const tc_kernel_result *r, tc_bytes *out);

// The notes of all kernels of u that have attributes, with the verdict "not checked". Never fails; what does not resolve is left out.
void tc_embed_unit(tc_arena *a, const tc_unit *u, const tc_options *o, tc_bytes *out);

// The notes as a C file that puts them into the object it becomes.
const char *tc_embed_c_text(tc_arena *a, const tc_bytes *notes, const char *file);

// Adds to c->inferred what the device's compilation has inferred of k, as u->records say, and what it touches before it waits for the kernels
// before it. False: they say nothing of k.
bool tc_embed_inferred(tc_arena *a, const tc_unit *u, const tc_kernel *k, tc_contract *c);

#endif
