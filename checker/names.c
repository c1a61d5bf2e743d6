// Objects of the contract that may be one memory under two names: tc_inplace says that they are one buffer or none, tc_may_alias
// nothing at all.
#include "checker/rules.h"

bool tc_contract_one_buffer(const tc_object_contract *a, const tc_object_contract *b) { return a->one_buffer != 0 && a->one_buffer == b->one_buffer; }

bool tc_contract_may_meet(const tc_contract *c, uint32_t i, uint32_t j) {
    for (size_t k = 0; k + 1 < c->may_alias.len; k += 2) {
        uint32_t a = c->may_alias.data[k], b = c->may_alias.data[k + 1];
        if ((a == i && b == j) || (a == j && b == i))
            return true;
    }
    return tc_contract_one_buffer(&c->objects.data[i], &c->objects.data[j]);
}

bool tc_has_two_names(const tc_cx *cx, uint32_t object) {
    const int c = cx->model->objects.data[object].contract;
    for (uint32_t i = 0; c >= 0 && i < cx->contract->objects.len; i++)
        if (i != (uint32_t)c && tc_contract_may_meet(cx->contract, (uint32_t)c, i))
            return true;
    return false;
}

bool tc_is_written(const tc_cx *cx, uint32_t object) {
    const tc_object *o = &cx->model->objects.data[object];
    bool written = o->written;
    for (size_t i = 0; o->contract >= 0 && i < cx->model->objects.len && !written; i++) {
        const tc_object *other = &cx->model->objects.data[i];
        written = other->written && other->contract >= 0 && tc_contract_may_meet(cx->contract, (uint32_t)o->contract, (uint32_t)other->contract);
    }
    return written;
}
