// Types as the source declares them: what lies where in one.
#include "checker/unit.h"

// A bit for each kind that there is.
static unsigned signs(const tc_type *t, uint64_t bytes) {
    unsigned r = 0;
    switch (t->kind) {
    case TC_TY_BOOL:
    case TC_TY_INT:
        return t->size != bytes ? 0 : t->kind == TC_TY_INT && t->is_signed ? 1u << TC_SIGN_SIGNED : 1u << TC_SIGN_UNSIGNED;
    case TC_TY_ARRAY:
        return t->elem == NULL ? 0 : signs(t->elem, bytes);
    case TC_TY_STRUCT:
        for (size_t i = 0; i < t->nfields; i++)
            r |= signs(t->fields[i].type, bytes);
        return r;
    case TC_TY_OTHER: // a union, or what shares its storage
        return t->size < bytes ? 0 : 1u << TC_SIGN_UNKNOWN;
    default:
        return 0;
    }
}

tc_sign tc_type_sign(const tc_type *t, uint64_t bytes) {
    unsigned all = signs(t, bytes);
    return all == 1u << TC_SIGN_SIGNED ? TC_SIGN_SIGNED : all == 1u << TC_SIGN_UNSIGNED ? TC_SIGN_UNSIGNED : TC_SIGN_UNKNOWN;
}

tc_sign tc_type_sign_at(const tc_type *t, uint64_t offset, uint64_t bytes) {
    switch (t->kind) {
    case TC_TY_BOOL:
    case TC_TY_INT:
        return offset == 0 ? tc_type_sign(t, bytes) : TC_SIGN_UNKNOWN;
    case TC_TY_ARRAY:
        return t->elem == NULL || t->elem->size == 0 ? TC_SIGN_UNKNOWN : tc_type_sign_at(t->elem, offset % t->elem->size, bytes);
    case TC_TY_STRUCT:
        for (size_t i = 0; i < t->nfields; i++) {
            const tc_field *f = &t->fields[i];
            if (f->offset <= offset && offset - f->offset < f->type->size)
                return tc_type_sign_at(f->type, offset - f->offset, bytes);
        }
        return TC_SIGN_UNKNOWN;
    default:
        return TC_SIGN_UNKNOWN;
    }
}
