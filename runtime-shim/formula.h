// The expressions of a record as a list of steps on 64-bit integers, all of them evaluated once for a launch: what the exact evaluator
// (contract.h) gives, where every number fits, and no answer elsewhere, so that the exact one is asked.
#ifndef TC_RUNTIME_FORMULA_H
#define TC_RUNTIME_FORMULA_H

#include "runtime-shim/contract.h"

typedef struct formula formula;

// Steps for these expressions (nodes of the record, or TC_REC_NONE) and what they stand on. NULL: no memory. The record outlives it.
formula *formula_new(const tc_embedded *e, const uint32_t *exprs, size_t n);
void formula_free(formula *f);

// Evaluates all steps. Not for two threads at once.
void formula_run(formula *f, const tc_embedded_launch *l);
// The value of one of the expressions in the last run; false: ask the exact evaluator.
bool formula_value(const formula *f, uint32_t expr, int64_t *value);

#endif
