// Notes in files: objects, executables, shared libraries, archives of them, and files of bare notes.
#ifndef TC_CLI_ELF_H
#define TC_CLI_ELF_H

#include "cli/cli.h"
#include "runtime-shim/contract.h"

// A file as it lies on disk.
typedef struct tc_image {
    const uint8_t *bytes;
    size_t size;
} tc_image;

// Maps the file. NULL, or what is wrong; tc_image_close unmaps.
const char *tc_image_open(tc_arena *a, const char *path, tc_image *image);
void tc_image_close(tc_image *image);

// fn is called for each contract, member names the archive's member (NULL outside of archives). NULL, or why the file cannot be
// looked through: everything found before was passed on.
typedef bool (*tc_contract_fn)(void *ctx, const char *member, const tc_embedded *e, tc_embedded_error error);
const char *tc_image_contracts(tc_arena *a, const tc_image *image, tc_contract_fn fn, void *ctx);

#endif
