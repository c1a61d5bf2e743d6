// Contents of buffers: values that the facts of the contract allow, as a function of seed, object and index, so that
// any piece of a large buffer can be made on its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/launch.h"

static uint64_t hash(const tc_launch *l, uint32_t object, uint64_t i) {
    return tc_hash_mix(tc_hash_mix(l->seed, object), i);
}

typedef struct facts {
    bool range, injective, monotone;
    tc_i128 lo, n;  // values are lo … lo + n - 1
    tc_i128 all;    // and may be up to lo + all - 1
    uint64_t count; // elements
    uint64_t a, b;  // INJECTIVE: a * i + b modulo n
} facts;

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

// Values that an element of this type cannot have are none that a fact allows.
static void keep_to_type(const tc_type *t, facts *f) {
    if (!t || t->kind != TC_TY_INT || t->size == 0 || t->size > 8)
        return;
    unsigned bits = (unsigned)t->size * 8 - (t->is_signed ? 1 : 0);
    tc_i128 least = t->is_signed ? -tc_pow2(bits) : 0, most = tc_pow2(bits) - 1, last = f->lo + f->n - 1;
    if (!f->range && last > most) { // any values will do
        f->lo = most - f->n + 1;
        last = most;
    }
    f->lo = f->lo < least ? least : f->lo;
    f->n = (last < most ? last : most) - f->lo + 1;
}

// false when no contents satisfy the facts.
static bool facts_of(tc_contract *c, const tc_launch *l, uint32_t object, facts *f) {
    const tc_object_contract *o = &c->objects.data[object];
    *f = (facts){.injective = o->injective, .monotone = o->monotone};
    f->count = o->elem && o->elem->size ? l->buffers[object].bytes / o->elem->size : 0;
    if (o->has_range) {
        tc_i128 lo, hi;
        if (!tc_launch_eval(c, l, NULL, NULL, o->range_lo, &lo) || !tc_launch_eval(c, l, NULL, NULL, o->range_hi, &hi))
            return false;
        f->range = true;
        f->lo = lo;
        f->n = hi - lo;
    } else {
        f->n = (tc_i128)f->count + 3;
    }
    keep_to_type(o->elem, f);
    if (f->n <= 0)
        return f->count == 0;
    if (f->n > INT64_MAX)
        f->n = INT64_MAX;
    f->all = f->n;
    tc_i128 span = (tc_i128)l->buffers[object].span;
    if (span > 0 && f->injective && span < (tc_i128)f->count)
        span = (tc_i128)f->count;
    if (f->range && span > 0 && f->n > span)
        f->n = span;
    if (f->injective) {
        if (f->n < (tc_i128)f->count)
            return false;
        uint64_t n = (uint64_t)f->n;
        f->a = 1 + hash(l, object, 1) % n;
        while (gcd(f->a, n) != 1)
            f->a = f->a % n + 1;
        f->b = hash(l, object, 2) % n;
    }
    return true;
}

static tc_i128 ramp(const facts *f, uint64_t i) {
    uint64_t last = f->count > 1 ? f->count - 1 : 1;
    uint64_t at = i == 0 || i >= last ? i : i & ~UINT64_C(1); // some neighbours are equal
    return f->lo + (tc_i128)((tc_u128)at * (tc_u128)(f->n - 1) / last);
}

// A value of its own for each i, at most n - 1, none less than the one before: between those that rise evenly to some last one.
static tc_i128 uneven(const tc_launch *l, uint32_t object, const facts *f, uint64_t i, tc_i128 n) {
    tc_u128 most = hash(l, object, UINT64_MAX) % (uint64_t)n;
    uint64_t steps = f->count ? f->count : 1;
    tc_u128 from = most * i / steps, to = most * (i + 1) / steps;
    return (tc_i128)(from + hash(l, object, i) % (uint64_t)(to - from + 1));
}

static tc_i128 fact_value(const tc_launch *l, uint32_t object, const facts *f, uint64_t i, bool is_signed) {
    unsigned mode = l->buffers[object].mode;
    bool random = l->buffers[object].fill == TC_FILL_RANDOM && mode == 0;
    if (f->monotone && random && i < f->count)
        return f->injective ? f->lo + (tc_i128)i + uneven(l, object, f, i, f->n - (tc_i128)f->count + 1)
                            : f->lo + uneven(l, object, f, i, f->n);
    if (f->monotone && f->injective)
        return f->lo + (tc_i128)i;
    if (f->monotone)
        return mode == 1 ? f->lo : mode == 2 ? f->lo + f->n - 1 : ramp(f, i);
    if (f->injective)
        return f->lo + (tc_i128)(((tc_u128)f->a * i + f->b) % (tc_u128)f->n);
    uint64_t h = hash(l, object, i);
    if (f->range)
        return mode == 1   ? f->lo
               : mode == 2 ? f->lo + f->n - 1
               : mode == 3 ? f->lo + (tc_i128)(i % (uint64_t)f->n)
                           : f->lo + (tc_i128)(h % (uint64_t)f->n);
    // Nothing is said of it: small numbers, now and then a negative one.
    static const int8_t small[] = {0, 1, 0, 2, 1, 3, 0, 5, 7, 4, 8, 16, 31, 100, -1, -7};
    int8_t v = small[h % 16];
    return v < 0 && !is_signed ? 200 : v;
}

static void put(unsigned char *out, uint64_t v, uint64_t size) {
    memcpy(out, &v, size < 8 ? size : 8);
}

static uint64_t float_bits(double x, uint64_t size) {
    uint64_t r = 0;
    float f = (float)x;
    if (size == 4)
        memcpy(&r, &f, 4);
    else if (size == 8)
        memcpy(&r, &x, 8);
    else if (size == 2) // any number with a small exponent, in either 16-bit format
        r = (uint64_t)(x < 0 ? 0x8000 : 0) | 0x3c00 | ((uint64_t)fabs(x * 64) & 0x3f);
    return r;
}

// A value of type t that no fact speaks of.
static void put_any(const tc_launch *l, uint32_t object, const tc_type *t, uint64_t i, uint64_t part,
                    unsigned char *out) {
    tc_fill_kind fill = l->buffers[object].fill;
    uint64_t h = hash(l, object, tc_hash_mix(i, part));
    switch (t->kind) {
    case TC_TY_FLOAT: {
        double x = fill == TC_FILL_ZERO ? 0 : fill == TC_FILL_IOTA ? (double)i : ((double)(h % 2048) - 1000) / 256;
        put(out, float_bits(x, t->size), t->size);
        break;
    }
    case TC_TY_STRUCT:
        for (size_t k = 0; k < t->nfields; k++)
            put_any(l, object, t->fields[k].type, i, part * 31 + k + 1, out + t->fields[k].offset);
        break;
    case TC_TY_ARRAY:
        for (uint64_t k = 0; k < t->count; k++)
            put_any(l, object, t->elem, i, part * 37 + k + 1, out + k * t->elem->size);
        break;
    case TC_TY_BOOL:
        out[0] = fill == TC_FILL_ZERO ? 0 : fill == TC_FILL_IOTA ? i & 1 : h & 1;
        break;
    case TC_TY_INT: {
        const facts none = {0};
        uint64_t v = fill == TC_FILL_ZERO   ? 0
                     : fill == TC_FILL_IOTA ? i
                     : fill == TC_FILL_RANDOM || t->size == 1
                         ? h
                         : (uint64_t)fact_value(l, object, &none, tc_hash_mix(i, part), t->is_signed);
        put(out, v, t->size);
        break;
    }
    case TC_TY_POINTER:
        put(out, TC_FOREIGN_POINTER, t->size);
        break;
    default:
        break; // what is not known stays zero
    }
}

// Are the contents made so that the facts hold?
static bool is_made(const tc_buffer *b) { return b->fill == TC_FILL_FACTS || b->fill == TC_FILL_RANDOM; }

static void put_element(tc_contract *c, const tc_launch *l, uint32_t object, const facts *f, uint64_t i,
                        unsigned char *out) {
    const tc_object_contract *o = &c->objects.data[object];
    const tc_buffer *b = &l->buffers[object];
    const tc_type *t = o->elem;
    tc_i128 init;
    if (o->has_init && b->fill == TC_FILL_FACTS && tc_launch_eval(c, l, NULL, NULL, o->init, &init)) {
        put(out, (uint64_t)init, t->size);
        return;
    }
    if (o->borrow == TC_BORROW_ATOMIC && b->fill == TC_FILL_FACTS)
        return; // counters begin at zero
    bool stated = f->range || f->injective || f->monotone;
    if ((t->kind == TC_TY_INT || t->kind == TC_TY_BOOL) && stated && is_made(b))
        put(out, (uint64_t)fact_value(l, object, f, i, t->is_signed), t->size);
    else
        put_any(l, object, t, i, 0, out);
}

static void put_single_values(const tc_buffer *b, uint64_t elem, uint64_t offset, uint64_t n, unsigned char *out) {
    for (size_t k = 0; k < b->elements.len; k++) {
        uint64_t at = b->elements.keys[k] * elem;
        if (at < offset || at + elem > offset + n)
            continue;
        put(out + (at - offset), (uint64_t)*(const tc_i128 *)b->elements.values[k], elem);
    }
}

unsigned tc_launch_variable(const tc_launch *l, uint32_t variable, uint64_t element) {
    static const unsigned char small[] = {0, 1, 100, 3, 2, 7, 4, 31};
    return small[tc_hash_mix(tc_hash_mix(l->variables, variable), element) % sizeof small];
}

void tc_launch_fill(tc_contract *c, const tc_launch *l, uint32_t object, uint64_t offset, uint64_t n,
                    unsigned char *out) {
    const tc_object_contract *o = &c->objects.data[object];
    const tc_buffer *b = &l->buffers[object];
    uint64_t elem = o->elem && o->elem->size ? o->elem->size : 0;
    memset(out, 0, n);
    if (b->fill == TC_FILL_BYTES) {
        uint64_t have = offset < b->bytes ? b->bytes - offset : 0;
        memcpy(out, b->data + offset, n < have ? n : have);
    } else if (elem) {
        facts f;
        if (!facts_of(c, l, object, &f))
            f = (facts){0};
        // Elements that begin before the piece or end after it are made apart.
        unsigned char whole[256];
        for (uint64_t i = offset / elem; i * elem < offset + n; i++) {
            uint64_t at = i * elem;
            if (at >= offset && at + elem <= offset + n) {
                put_element(c, l, object, &f, i, out + (at - offset));
            } else if (elem <= sizeof whole) {
                memset(whole, 0, sizeof whole);
                put_element(c, l, object, &f, i, whole);
                uint64_t from = at > offset ? at : offset, to = at + elem < offset + n ? at + elem : offset + n;
                memcpy(out + (from - offset), whole + (from - at), to - from);
            }
        }
    }
    if (elem)
        put_single_values(b, elem, offset, n, out);
}

// ---- facts over several arrays ----

typedef struct arrays {
    tc_contract *c;
    const tc_launch *l;
    uint64_t most; // elements of the longest array that the fact speaks of
} arrays;

static void measure_array(void *ctx, tc_t t) {
    arrays *m = ctx;
    for (uint32_t i = 0; t->op == TC_T_APP && i < m->c->objects.len; i++) {
        const tc_object_contract *o = &m->c->objects.data[i];
        uint64_t n = o->elem && o->elem->size ? m->l->buffers[i].bytes / o->elem->size : 0;
        if (tc_contract_contents(m->c, i) == t->fn && n > m->most)
            m->most = n;
    }
}

// Values of each bound name that have to be tried: past the arrays' ends the fact says nothing. 0: too many to try.
static tc_i128 values_to_try(tc_contract *c, const tc_launch *l, const tc_forall_fact *f) {
    enum { TRIED = 100000 };
    arrays m = {c, l, 0};
    tc_walk(c->terms, f->term, measure_array, &m);
    tc_i128 all = 1, each = (tc_i128)m.most + 1;
    for (unsigned k = 0; k < f->nbound; k++) {
        all *= each;
        if (all > TRIED)
            return 0;
    }
    return each;
}

// False also where there are too many values to try: such a launch is not known to be allowed.
static bool forall_holds(tc_contract *c, const tc_launch *l, const tc_forall_fact *f) {
    tc_arena *a = tc_terms_arena(c->terms);
    tc_env env;
    tc_launch_env(a, c, l, NULL, NULL, &env);
    tc_i128 values[4] = {0};
    for (unsigned k = 0; k < f->nbound; k++)
        tc_map_put(a, &env.syms, TC_KEY(f->bound[k]), &values[k]);
    tc_i128 limit = values_to_try(c, l, f);
    if (limit == 0)
        return false;
    for (;;) {
        tc_i128 r;
        // Indices outside of an array give no value: the fact says nothing there.
        if (tc_eval(c->terms, f->term, &env, &r) && r == 0)
            return false;
        unsigned k = 0;
        while (k < f->nbound && ++values[k] == limit)
            values[k++] = 0;
        if (k == f->nbound)
            return true;
    }
}

static bool foralls_hold(tc_contract *c, const tc_launch *l) {
    for (size_t i = 0; i < c->foralls.len; i++)
        if (!forall_holds(c, l, &c->foralls.data[i]))
            return false;
    return true;
}

bool tc_launch_contents(tc_contract *c, tc_launch *l) {
    uint32_t arrays[4], n = 0;
    for (uint32_t i = 0; i < c->objects.len; i++) {
        facts f;
        const tc_object_contract *o = &c->objects.data[i];
        if (l->buffers[i].null)
            continue;
        if ((o->has_range || o->injective || o->monotone) && is_made(&l->buffers[i])) {
            if (!facts_of(c, l, i, &f))
                return false;
            if (o->has_range && n < 4)
                arrays[n++] = i;
        }
    }
    if (c->foralls.len == 0 || foralls_hold(c, l))
        return true;
    // Each way of filling each array, the plainest last.
    for (unsigned k = 0; k < 1u << (2 * n); k++) {
        for (uint32_t i = 0; i < n; i++)
            l->buffers[arrays[i]].mode = (uint8_t)(k >> (2 * i) & 3);
        if (foralls_hold(c, l))
            return true;
    }
    return false;
}

// ---- contents that were given ----

static int compare_values(const void *a, const void *b) {
    tc_i128 x = *(const tc_i128 *)a, y = *(const tc_i128 *)b;
    return (x > y) - (x < y);
}

static const char *broken_fact_of(tc_arena *a, tc_contract *c, const tc_launch *l, uint32_t object, const facts *f) {
    enum { LOOKED_AT = 1 << 20 };
    const tc_object_contract *o = &c->objects.data[object];
    if (f->count == 0 || f->count > LOOKED_AT)
        return NULL;
    uint64_t size = o->elem->size;
    unsigned char *bytes = tc_alloc(a, f->count * size);
    tc_i128 *values = TC_NEW_ARRAY(a, tc_i128, f->count);
    tc_launch_fill(c, l, object, 0, f->count * size, bytes);
    for (uint64_t i = 0; i < f->count; i++) {
        uint64_t v = 0;
        memcpy(&v, bytes + i * size, size);
        values[i] = tc_wrap128((tc_i128)v, (unsigned)size * 8, o->elem->is_signed);
        const char *text = tc_i128_text(a, values[i]);
        if (f->range && (values[i] < f->lo || values[i] >= f->lo + f->all))
            return tc_fmt(a, "tc_range of '%s': element %llu is %s", o->path, (unsigned long long)i, text);
        if (f->monotone && i > 0 && values[i] < values[i - 1])
            return tc_fmt(a, "tc_monotone of '%s': element %llu is %s, less than the one before", o->path, (unsigned long long)i, text);
    }
    if (!f->injective)
        return NULL;
    qsort(values, f->count, sizeof *values, compare_values);
    for (uint64_t i = 1; i < f->count; i++)
        if (values[i] == values[i - 1])
            return tc_fmt(a, "tc_injective of '%s': two elements are %s", o->path, tc_i128_text(a, values[i]));
    return NULL;
}

const char *tc_launch_broken_fact(tc_arena *a, tc_contract *c, const tc_launch *l) {
    for (uint32_t i = 0; i < c->objects.len; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        facts f;
        if (l->buffers[i].null || is_made(&l->buffers[i]) || !(o->has_range || o->injective || o->monotone))
            continue;
        bool possible = facts_of(c, l, i, &f);
        const char *broken = possible ? broken_fact_of(a, c, l, i, &f) : NULL;
        if (broken)
            return broken;
    }
    return NULL;
}

// ---- single values on top of the fill ----

static tc_i128 *single(const tc_buffer *b, uint64_t i) {
    return tc_map_get(&b->elements, i);
}

static tc_i128 value_at(tc_contract *c, const tc_launch *l, uint32_t object, const facts *f, uint64_t i) {
    const tc_i128 *v = single(&l->buffers[object], i);
    const tc_type *t = c->objects.data[object].elem;
    return v ? *v : fact_value(l, object, f, i, t && t->is_signed);
}

// The index at which the fill of an injective array has the value; false when there is none.
static bool index_of(const facts *f, tc_i128 value, uint64_t *i) {
    if (value < f->lo || value >= f->lo + f->n)
        return false;
    tc_u128 n = (tc_u128)f->n, y = (tc_u128)(value - f->lo + f->n - (tc_i128)f->b) % n;
    // The inverse of a modulo n, by Euclid's algorithm.
    tc_i128 r0 = (tc_i128)n, r1 = (tc_i128)f->a, t0 = 0, t1 = 1;
    while (r1 != 0) {
        tc_i128 q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
        r0 = r1;
        r1 = r;
        t0 = t1;
        t1 = t;
    }
    tc_i128 inverse = t0 < 0 ? t0 + (tc_i128)n : t0;
    tc_u128 at = y * (tc_u128)inverse % n;
    *i = (uint64_t)at;
    return at < f->count;
}

// Where a single value stands elsewhere too, that place gets what the fill had here: all are different again.
static bool keep_injective(tc_contract *c, tc_launch *l, uint32_t object, const facts *f) {
    tc_arena *a = tc_terms_arena(c->terms);
    tc_buffer *b = &l->buffers[object];
    const tc_type *t = c->objects.data[object].elem;
    if (f->monotone)
        return false;
    size_t n = b->elements.len;
    tc_map seen = {0};
    for (size_t k = 0; k < n; k++) {
        tc_i128 v = *(tc_i128 *)b->elements.values[k];
        uint64_t key = tc_hash_mix((uint64_t)v, (uint64_t)(v >> 64)), other;
        if (tc_map_has(&seen, key))
            return false;
        tc_map_put(a, &seen, key, b);
        uint64_t at = b->elements.keys[k];
        if (!index_of(f, v, &other) || other == at)
            continue;
        if (single(b, other))
            return false; // chains of exchanges are not followed
        tc_i128 *moved = TC_NEW(a, tc_i128);
        *moved = fact_value(l, object, f, at, t && t->is_signed);
        tc_map_put(a, &b->elements, other, moved);
    }
    return true;
}

static bool is_monotone(tc_contract *c, const tc_launch *l, uint32_t object, const facts *f) {
    enum { LOOKED_AT = 1 << 16 };
    if (f->count > LOOKED_AT)
        return false;
    for (uint64_t i = 1; i < f->count; i++)
        if (value_at(c, l, object, f, i) < value_at(c, l, object, f, i - 1))
            return false;
    return true;
}

static bool singles_keep(tc_contract *c, tc_launch *l, uint32_t object) {
    const tc_object_contract *o = &c->objects.data[object];
    const tc_buffer *b = &l->buffers[object];
    facts f;
    if (b->null || b->elements.len == 0 || !(o->has_range || o->injective || o->monotone))
        return true;
    if (!facts_of(c, l, object, &f))
        return false;
    for (size_t k = 0; k < b->elements.len; k++) {
        tc_i128 v = *(const tc_i128 *)b->elements.values[k];
        if (b->elements.keys[k] < f.count && f.range && (v < f.lo || v >= f.lo + f.all))
            return false;
    }
    return (!f.injective || keep_injective(c, l, object, &f)) && (!f.monotone || is_monotone(c, l, object, &f));
}

bool tc_launch_singles(tc_contract *c, tc_launch *l) {
    for (uint32_t i = 0; i < c->objects.len; i++)
        if (!singles_keep(c, l, i))
            return false;
    return foralls_hold(c, l);
}
