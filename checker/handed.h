// What one block hands over to another by release and acquire (PTX ISA, "Memory Consistency Model"). See handed.c.
#ifndef TC_CHECKER_HANDED_H
#define TC_CHECKER_HANDED_H

#include "checker/order.h"

// Finds the counters by which the last block of a group is known; needs sites and what is common to threads. True when there are some.
bool tc_find_counters(tc_cx *cx);
// Adds, to instances 1 and 2 of what is known at a and b in two blocks, that they are not in the order that the last block's draw makes;
// fences: where what one block wrote is released, and the other one acquires it; otherwise as if it were.
void tc_hyps_handed(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, bool fences);
// The access is made by the last block of the counter's group alone, when all of it have drawn.
bool tc_is_after_all(tc_cx *cx, const tc_counter *k, const tc_site *s);
void tc_lean_on_handed(tc_cx *cx, tc_obligation *ob);

#endif
