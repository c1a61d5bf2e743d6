// The door to the check of launch sites (launches.h): one call for a translation unit, compiled for the host.
#ifndef TC_CHECKER_LAUNCHES_DOOR_H
#define TC_CHECKER_LAUNCHES_DOOR_H

#include "checker/check.h"

// Looks at the host functions of u that launch a kernel under contract. before: the text of a report of the same file to which the
// result is added, or NULL. Never fails: what goes wrong becomes a finding. r->summary_line and r->report are NULL where there is no launch.
void tc_check_launches(tc_arena *a, const tc_unit *u, const tc_options *o, const char *before, tc_result *r);

#endif
