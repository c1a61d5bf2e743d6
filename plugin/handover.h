/* From the device's pass to the host's: bytes in a file of the driver's.
 *
 * One clang command runs its passes as processes, one after the other: those for the devices, which check, then the one for the host,
 * which makes the object file. They share a parent, the driver, and nothing else that a plugin can reach; so what the
 * device's pass knows lies, meanwhile, in $TMPDIR/tilecheck-UID (mode 0700), in a file whose name and first line say which driver, started
 * when, on which machine, compiles which file. Another user cannot read, make or replace it; who finds none does without. */
#ifndef TC_PLUGIN_HANDOVER_H
#define TC_PLUGIN_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does the driver run a pass for the host after this one, as far as its command line says? */
bool tc_handover_expected(void);

/* Leaves bytes for the host's pass, and removes what drivers that are gone have left. False when that is not possible. */
bool tc_handover_leave(const char *main_file, const void *bytes, size_t size);

/* Takes what was left, and removes it. *bytes is the caller's to free. False when there is nothing. */
bool tc_handover_take(const char *main_file, void **bytes, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
