// The other way round: for an element, an instance of an access that touches it.
//
// A subscript is a sum of launch symbols and of indices, each times a coefficient. From the largest coefficient down, what remains
// is divided: the quotient is that index, the remainder goes on. That is a guess; what makes it right is proved: the indices are in
// range, the loops come to these iterations, the guard holds, and the access touches the element.
#ifndef TC_CHECKER_COVER_H
#define TC_CHECKER_COVER_H

#include "checker/order.h"

// Subscripts of an access, and those of the element that it is to touch.
typedef struct tc_target {
    unsigned n;
    tc_t subscript[TC_MAX_DIMS];
    tc_t wanted[TC_MAX_DIMS];
    tc_i128 count; // touched, along the last subscript
} tc_target;

// The instance of the access that touches the element: its block (any, or the reader's own: block_free), thread, and the iterations of
// its loops inside `around`. *condition: that it exists, is executed and touches the element. copy: for values of the instance that
// nothing is known of. False where no instance can be named.
bool tc_cover(tc_cx *cx, const tc_site *s, const tc_target *t, bool block_free, uint32_t around, uint32_t copy, tc_t *condition,
              tc_map *witness);
// The target of a site's element with these subscripts, one for each dimension of the contract's shape.
bool tc_target_of_element(tc_cx *cx, const tc_site *s, const tc_t *element, tc_target *t);

// Is what the site reads written before, by its own thread, or by another one of its block or of the grid behind whose write a barrier
// of these stands? Then ob is proved, and leans on what that takes.
bool tc_decide_written(tc_cx *cx, tc_obligation *ob, const tc_site *read);

void tc_rule_out(tc_cx *cx); // TC1007

#endif
