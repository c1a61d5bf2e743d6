// Which bytes of a type hold its value: members do, padding between and behind them does not.
#ifndef TC_CHECKER_LAYOUT_H
#define TC_CHECKER_LAYOUT_H

#include "checker/unit.h"

// Is any of the bytes [from, to) of an object of the type part of its value? What no list of members describes (a union, a bit-field)
// is a value from its first byte to its last; under `certain` it is none, as which of its bytes a write sets is not known.
bool tc_type_has_value(const tc_type *t, uint64_t from, uint64_t to, bool certain);

// The same of the bytes [from, to) of an array of that type.
bool tc_type_array_has_value(const tc_type *t, uint64_t from, uint64_t to, bool certain);

#endif
