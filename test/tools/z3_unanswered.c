// Preloaded before libz3: every check that is asked of Z3 is answered with unknown. All else stays Z3's own.
#include <z3.h>

__attribute__((visibility("default"))) Z3_lbool Z3_API Z3_solver_check_assumptions(Z3_context c, Z3_solver s, unsigned n,
                                                                                   Z3_ast const assumptions[]) {
    (void)c;
    (void)s;
    (void)n;
    (void)assumptions;
    return Z3_L_UNDEF;
}

__attribute__((visibility("default"))) Z3_lbool Z3_API Z3_solver_check(Z3_context c, Z3_solver s) {
    return Z3_solver_check_assumptions(c, s, 0, 0);
}
