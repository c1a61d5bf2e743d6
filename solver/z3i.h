// What the files that talk to Z3 share.
#ifndef TC_SOLVER_Z3I_H
#define TC_SOLVER_Z3I_H

#include <z3.h>

#include "solver/solvei.h"

// Operators that mean the same over integers and bit-vectors: choices, equality, and what is made of truth values. NULL for others.
Z3_ast tc_z3_express_logic(Z3_context c, tc_t t, Z3_ast const *a);
// t as a signed bit-vector of this width (booleans stay booleans), over the expressions a of its arguments. NULL where the
// operator has no such form. The caller has seen that every value fits, and that each operation means the same (bits.c).
Z3_ast tc_z3_express_bits(Z3_context c, tc_arena *scratch, tc_t t, Z3_ast const *a, unsigned width);
Z3_ast tc_z3_number_bits(Z3_context c, tc_arena *scratch, tc_i128 v, unsigned width);

#endif
