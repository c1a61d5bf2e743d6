// Asking Z3 for a proof: within the budget of the kernel, and not twice.
#include <string.h>

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
    s->asked = tc_answers_root(answers);
}

// A question that is missed is put once more with all that Z3 then does: what comes after it finds the context that it would have found.
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

void tc_solver_catch_up(tc_solver *s, tc_arena *scratch) {
    s->caught_up = true;
    s->known = (tc_work){0};
    for (size_t i = 0; i < s->missed.len; i++)
        (void)ask_z3(s, scratch, &s->missed.data[i]);
    s->missed.len = 0;
}

static void miss(tc_solver *s, const tc_ask *a, uint64_t spent) {
    tc_asked *list = TC_NEW_ARRAY(s->arena, tc_asked, a->n + 1);
    memcpy(list, a->list, a->n * sizeof *list);
    tc_ask copy = *a;
    copy.list = list;
    tc_push(s->arena, &s->missed, copy);
    s->known.questions++;
    s->known.rlimit += spent;
}

static tc_known ask_or_know(tc_solver *s, tc_arena *scratch, const tc_ask *a) {
    if (!s->asked || s->dump)
        return ask_z3(s, scratch, a);
    tc_question question = tc_answers_question(s->ts, scratch, a);
    tc_answer *next = s->caught_up ? NULL : tc_answers_next(s->asked, &question);
    if (next) {
        s->asked = next;
        miss(s, a, tc_answer_known(next)->spent);
        return *tc_answer_known(next);
    }
    if (!s->caught_up)
        tc_solver_catch_up(s, scratch);
    tc_known known = ask_z3(s, scratch, a);
    s->asked = tc_answers_put(s->answers, s->asked, &question, known);
    return known;
}

tc_known tc_solver_ask(tc_solver *s, tc_arena *scratch, const tc_ask *a) {
    tc_known known = ask_or_know(s, scratch, a);
    s->proving += TC_RLIMIT_PUT + known.spent;
    return known;
}
