// One trace through the tracker and through the model.
#ifndef TC_TEST_STREAMS_COMPARE_H
#define TC_TEST_STREAMS_COMPARE_H

#include "streams/model.h"
#include "streams/trace.h"

typedef struct comparison {
    bool differs;
    uint64_t line;   // of the first event with a difference
    tc_rt_rule rule;
    bool missed;     // by the tracker; else it found too much
    uint64_t before; // missed: the other operation's line, or 0
    unsigned found;  // by the model: events with a finding
    unsigned by_rule[TC_RT_RULE_COUNT];
} comparison;

// Sets of (event, rule) are compared. The tracker says a finding once: one that is missing counts as missed only where
// the tracker has not said that it repeats.
comparison streams_compare(model *m, const trace *t);

#endif
