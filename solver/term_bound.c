// Bounds as conditions of their own.
#include "solver/termi.h"

tc_t tc_bound_term(tc_terms *ts, tc_t t, bool lower, tc_i128 bound) {
    tc_i128 minus;
    if (!lower)
        return tc_term_op2(ts, TC_T_LE, TC_BOOL, t, tc_int(ts, bound));
    if (!tc_sub128(0, bound, &minus))
        return tc_le(ts, tc_int(ts, bound), t);
    return tc_term_op2(ts, TC_T_LE, TC_BOOL, tc_neg(ts, t), tc_int(ts, minus));
}
