// Names of functions as the source has them.
#ifndef TC_BASE_DEMANGLE_H
#define TC_BASE_DEMANGLE_H

#include "base/arena.h"

// "scale(float*, int)" of "_Z5scalePfi" (Itanium C++ ABI, section 5.1); any other name as it is. Lives in a, or is the
// argument itself.
const char *tc_demangle(tc_arena *a, const char *name);

#endif
