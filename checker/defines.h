// define=NAME=VALUE fixes a scalar parameter of every kernel that has it; one that no kernel of the file has is a mistake.
#ifndef TC_CHECKER_DEFINES_H
#define TC_CHECKER_DEFINES_H

#include "checker/contract.h"

typedef struct tc_defines {
    TC_VEC(const char *) names; // the scalar parameters that were seen
    bool unsure;                // there are kernels whose parameters are not known
} tc_defines;

void tc_defines_see(tc_arena *a, tc_defines *d, const tc_contract *c);

// Adds an error for each define of o that names none of them. A unit with no kernel has no mistake.
void tc_defines_tell(tc_arena *a, const tc_defines *d, const tc_unit *u, const tc_options *o, tc_findings *out);

#endif
