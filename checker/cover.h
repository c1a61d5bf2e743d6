// The other way round: for an element, an instance of an access that touches it.
//
// A subscript is a sum of launch symbols and of indices, each times a coefficient. From the largest coefficient down, what remains
// is divided: the quotient is that index, the remainder goes on. Where the code takes a sum of indices apart by quotients and remainders, these
// digits are found first, and the sum is put together again. That is a guess; what makes it right is proved: the indices are in
// range, the loops come to these iterations, the guard holds, and the access touches the element.
#ifndef TC_CHECKER_COVER_H
#define TC_CHECKER_COVER_H

#include "checker/order.h"

// Subscripts of an access, and those of the element that it is to touch.
typedef struct tc_target {
    unsigned n;
    tc_t subscript[TC_MAX_DIMS];
    tc_t wanted[TC_MAX_DIMS];
    tc_t count; // touched, along the last subscript
} tc_target;

// The instance of the access that touches the element: its block (any, or the reader's own: block_free), thread, and the iterations of
// its loops inside `around`. *condition: that it exists, is executed and touches the element. copy: for values of the instance that
// nothing is known of. False where no instance can be named.
bool tc_cover(tc_cx *cx, const tc_site *s, const tc_target *t, bool block_free, uint32_t around, uint32_t copy, tc_t *condition,
              tc_map *witness);
// The bytes of a site in units of some bytes, of which an element has `each`: it begins `lead` bytes behind `first` units, and is `units`
// units and `rest` bytes long.
typedef struct tc_grain {
    tc_i128 unit, each;
    tc_t first, units;
    tc_i128 lead, rest;
} tc_grain;

// In units of an element, or of a part of it where the site begins anywhere in one. False where there is no such unit.
bool tc_grain_of(tc_cx *cx, const tc_site *s, tc_grain *g);

// The target of the bytes [from, to) of a site's element with these subscripts, one for each dimension of the contract's shape. A part
// is written by one instance, or not: it is not put together of several.
bool tc_target_of_part(tc_cx *cx, const tc_site *s, const tc_t *element, tc_i128 from, tc_i128 to, tc_target *t);

// Is what the site reads written before, by its own thread, or by another one of its block or of the grid behind whose write a barrier
// of these stands? Then ob is proved, and leans on what that takes.
bool tc_decide_written(tc_cx *cx, tc_obligation *ob, const tc_site *read);

void tc_rule_out(tc_cx *cx); // TC1007

#endif
