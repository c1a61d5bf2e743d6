// What the files of base/ share and nobody else needs.
#ifndef TC_BASE_INTERNAL_H
#define TC_BASE_INTERNAL_H

#include <stdbool.h>

#include "base/arena.h"

// Counts one allocation; false when the test hook wants it to fail. Asked before every allocation from the system
// and before every piece of an arena.
bool tc_mem_allowed(void);

// Head of the list of the trap's arenas.
tc_arena **tc_trap_arenas(tc_trap *trap);

// So many bytes more, or less, are held. Leaves the trap's run when they are too many.
void tc_trap_hold(tc_trap *trap, size_t bytes);
void tc_trap_unhold(tc_trap *trap, size_t bytes);

_Noreturn void tc_trap_out_of_memory(tc_trap *trap);

#endif
