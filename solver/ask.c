// Asking Z3 for a proof: within the budget of the kernel, and not twice.
#include "solver/solvei.h"

// Several times what the hardest kernels that are proved take; seconds.
enum { RLIMIT_KERNEL = 8000000 };

uint64_t tc_solver_budget(const tc_solver *s, uint64_t rlimit) {
    return rlimit * s->effort / 100;
}

bool tc_solver_is_spent(const tc_solver *s) {
    return s->proving >= tc_solver_budget(s, RLIMIT_KERNEL);
}

void tc_solver_know(tc_solver *s, tc_answers *answers) {
    s->answers = answers;
}

static tc_known ask_z3(tc_solver *s, tc_arena *scratch, const tc_ask *a) {
    tc_known known = {.answer = TC_Z3_UNDEF};
    if (a->width)
        tc_z3_begin_bits(s->z3, scratch, a->width);
    else
        tc_z3_begin(s->z3, scratch, a->real, a->cuts);
    for (size_t i = 0; i < a->n; i++) {
        tc_z3_assert(s->z3, a->list[i].formula, a->list[i].tracked);
        known.nused += a->list[i].tracked;
    }
    if (s->dump)
        s->dump(s->dump_ctx, tc_z3_text(s->z3));
    if (!tc_solver_is_spent(s))
        known.answer = tc_z3_check(s->z3, a->rlimit, &known.spent);
    if (s->dump)
        s->dump(s->dump_ctx, known.answer == TC_Z3_UNSAT ? "; unsat" : known.answer == TC_Z3_SAT ? "; sat" : "; unknown");
    bool *used = TC_NEW_ARRAY(scratch, bool, known.nused + 1);
    for (size_t i = 0; known.answer == TC_Z3_UNSAT && i < known.nused; i++)
        used[i] = tc_z3_in_core(s->z3, i);
    known.used = used;
    tc_z3_end(s->z3);
    return known;
}

// What a question took when it was asked first counts again: a kernel has the same verdict, whatever stands beside it.
tc_known tc_solver_ask(tc_solver *s, tc_arena *scratch, const tc_ask *a) {
    tc_known known;
    if (!s->answers || s->dump || tc_solver_is_spent(s)) {
        known = ask_z3(s, scratch, a);
    } else {
        tc_question question = tc_answers_question(s->ts, scratch, a);
        const tc_known *before = tc_answers_get(s->answers, &question);
        if (before) {
            known = *before;
        } else {
            known = ask_z3(s, scratch, a);
            tc_answers_put(s->answers, &question, known);
        }
    }
    s->proving += TC_RLIMIT_PUT + known.spent;
    return known;
}
