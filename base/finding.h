// Findings: what the checker tells, as plain data. Severity and presentation are the front end's.
#ifndef TC_BASE_FINDING_H
#define TC_BASE_FINDING_H

#include <stdbool.h>

#include "base/vec.h"

// A place in the source. file is an index into tc_unit.files (0 = the main file);
// line 0 means unknown. Columns count from 1; end_* are 0 when there is no range.
typedef struct tc_loc {
    uint32_t file, line, column;
    uint32_t end_line, end_column;
} tc_loc;

typedef enum tc_severity { TC_SEV_REMARK, TC_SEV_NOTE, TC_SEV_WARNING, TC_SEV_ERROR } tc_severity;

typedef struct tc_note {
    tc_loc loc;
    const char *text;
} tc_note;

typedef TC_VEC(tc_note) tc_notes;

typedef struct tc_finding {
    const char *code; // "TC2001"; NULL for a plain remark
    tc_severity severity;
    tc_loc loc;
    const char *text;
    tc_notes notes;
    const char *kernel; // source name, or NULL
} tc_finding;

typedef TC_VEC(tc_finding) tc_findings;

#endif
