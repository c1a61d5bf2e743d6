// See layout.h.
#include "checker/layout.h"

// Is it so of the bytes that lie in the part at `at`, which is of type t?
static bool part_has_value(const tc_type *t, uint64_t at, uint64_t from, uint64_t to, bool certain) {
    return to > at && tc_type_has_value(t, from > at ? from - at : 0, to - at, certain);
}

bool tc_type_array_has_value(const tc_type *t, uint64_t from, uint64_t to, bool certain) {
    if (t->size == 0)
        return false;
    if (to > from && to - from >= 2 * t->size) // a whole one
        return tc_type_has_value(t, 0, t->size, certain);
    for (uint64_t at = from - from % t->size; at < to; at += t->size)
        if (part_has_value(t, at, from, to, certain))
            return true;
    return false;
}

bool tc_type_has_value(const tc_type *t, uint64_t from, uint64_t to, bool certain) {
    if (to > t->size)
        to = t->size;
    if (from >= to)
        return false;
    if (t->kind == TC_TY_STRUCT) {
        for (size_t i = 0; i < t->nfields; i++)
            if (part_has_value(t->fields[i].type, t->fields[i].offset, from, to, certain))
                return true;
        return false;
    }
    // Elements of less than a byte have no places of their own.
    if (t->kind == TC_TY_ARRAY && t->elem->size > 0 && t->count <= t->size / t->elem->size) {
        const uint64_t end = t->count * t->elem->size;
        return tc_type_array_has_value(t->elem, from, to < end ? to : end, certain);
    }
    return !(certain && t->kind == TC_TY_OTHER);
}
