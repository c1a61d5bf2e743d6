// Objects: which elements exist, what they hold before the launch, who touched them.
#include <stdlib.h>
#include <string.h>

#include "sim.h"

object *objects[12];
uint64_t launch_number;
int fill_mode;
bool incomplete, impossible;
wide span_low, span_high;

static const struct {
    int bits;
    bool sign;
} types[] = {{8, true}, {8, false}, {16, true}, {16, false}, {32, true}, {32, false}, {64, true}, {64, false}, {64, true}, {64, true}, {64, true}};

uint64_t mixed(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

wide fits(type t, wide v) {
    switch (t) {
    case I8:
        return (signed char)v;
    case U8:
        return (unsigned char)v;
    case I16:
        return (short)v;
    case U16:
        return (unsigned short)v;
    case I32:
        return (int)v;
    case U32:
        return (unsigned)v;
    case I64:
        return (long long)v;
    case U64:
        return (unsigned long long)v;
    default:
        return v;
    }
}

wide least_of(type t) {
    return types[t].sign ? -((wide)1 << (types[t].bits - 1)) : 0;
}

wide most_of(type t) {
    return ((wide)1 << (types[t].bits - (types[t].sign ? 1 : 0))) - 1;
}

// ---- places ----

// Dimensions from the largest stride to the smallest, those of one element left out; their number.
static int by_stride(const object *o, int *order) {
    int n = 0;
    for (int d = 0; d < o->dims; d++) {
        if (o->extent[d] == 1)
            continue;
        int k = n++;
        for (; k > 0 && o->stride[order[k - 1]] < o->stride[d]; k--)
            order[k] = order[k - 1];
        order[k] = d;
    }
    return n;
}

// Does each stride step over all that the smaller ones reach?
static bool nested(const object *o, const int *order, int n) {
    wide reach = 0;
    for (int k = n - 1; k >= 0; k--) {
        if (o->stride[order[k]] <= reach)
            return false;
        reach += o->stride[order[k]] * (o->extent[order[k]] - 1);
    }
    return true;
}

void lay_out(object *o) {
    o->span = 1;
    for (int d = 0; d < o->dims; d++) {
        if (o->extent[d] < 1)
            o->span = 0;
        else if (o->span > 0)
            o->span += o->stride[d] * (o->extent[d] - 1);
    }
}

static wide divisor(wide a, wide b) {
    while (b != 0) {
        wide r = a % b;
        a = b, b = r;
    }
    return a;
}

bool one_to_one(const object *o, bool *decided) {
    int order[DIMS], n = by_stride(o, order);
    *decided = true;
    if (o->span == 0 || nested(o, order, n))
        return true;
    wide inner = o->stride[order[n - 1]];
    if (inner == 0)
        return false;
    *decided = n == 2;
    if (n != 2)
        return true;
    wide outer = o->stride[order[0]], g = divisor(outer, inner);
    return inner / g >= o->extent[order[0]] || outer / g >= o->extent[order[1]];
}

static bool find_place(const object *o, wide rest, const int *order, int n, wide *coord) {
    if (n == 0)
        return rest == 0;
    int d = order[0];
    wide reach = 0, s = o->stride[d];
    for (int k = 1; k < n; k++)
        reach += o->stride[order[k]] * (o->extent[order[k]] - 1);
    wide most = s ? rest / s : 0;
    for (wide c = most < o->extent[d] ? most : o->extent[d] - 1; c >= 0 && rest - c * s <= reach; c--) {
        coord[d] = c;
        if (find_place(o, rest - c * s, order + 1, n - 1, coord))
            return true;
    }
    return false;
}

bool place_of(const object *o, wide i, wide *coord) {
    if (i < 0 || i >= o->span)
        return false;
    int order[DIMS], n;
    if (o->dims == 1 && o->stride[0] == 1) {
        coord[0] = i;
        return true;
    }
    for (int d = 0; d < o->dims; d++)
        coord[d] = 0;
    n = by_stride(o, order);
    return find_place(o, i, order, n, coord);
}

// ---- contents ----

static wide ordinal(const object *o, wide i) {
    wide coord[DIMS], at_ = 0;
    if (!place_of(o, i, coord))
        return i;
    for (int d = 0; d < o->dims; d++)
        at_ = at_ * o->extent[d] + coord[d];
    return at_;
}

// A value that the facts of the contract allow: from the bottom, the top, or anywhere.
static wide allowed_content(const object *o, wide i, uint64_t h) {
    wide count = o->hi - o->lo, all = 1;
    for (int d = 0; d < o->dims; d++)
        all *= o->extent[d];
    wide k = ordinal(o, i);
    if (o->injective) {
        wide top = fill_mode % 2 ? count - all : 0;
        if (o->monotone || fill_mode % 3 == 1)
            return o->lo + k + top;
        return o->lo + (fill_mode % 3 == 0 ? all - 1 - k : (k + all / 2) % all) + top;
    }
    if (o->monotone) {
        if (fill_mode % 4 == 3)
            return o->lo;
        if (fill_mode % 4 == 2 || all < 2)
            return o->hi - 1;
        return o->lo + (count - 1 < (wide)1 << 60 ? k * (count - 1) / (all - 1) : k);
    }
    if (fill_mode % 4 == 1)
        return o->hi - 1;
    return fill_mode % 4 == 2 ? o->lo : o->lo + (wide)h % count;
}

// Does a content keep what holds for all?
static bool keeps_facts(const object *o, cell *c, wide i) {
    for (int f = 0; f < now->nfacts; f++) {
        if (now->facts[f].param != o->param)
            continue;
        wide name = at[AT_NAME];
        bool before = no_value;
        at[AT_NAME] = i, no_value = false;
        wide holds = wide_of(now->facts[f].holds);
        bool kept = holds != 0 || no_value;
        at[AT_NAME] = name, no_value = before;
        if (!kept)
            return false;
    }
    (void)c;
    return true;
}

// Another content where a fact for all is not kept: near the ends, then any.
static void keep_facts(object *o, cell *c, wide i, uint64_t h) {
    for (int k = 0; !keeps_facts(o, c, i); k++) {
        if (k == 60 || !o->facts) {
            impossible = true;
            return;
        }
        h = mixed(h);
        wide width = o->hi - o->lo, v = k < 12 ? k / 2 : k < 40 && width > 40 ? (wide)(h % 40) : (wide)h;
        c->v = (long long)(k < 12 && k % 2 ? o->hi - 1 - v % width : o->lo + v % width);
    }
}

static void fill(object *o, cell *c, wide i) {
    c->wrote = c->read = -1;
    c->f = 0;
    if (o->uninit) {
        c->f = incomplete ? 0 : o->local ? UNWRITTEN : UNFILLED;
        c->v = c->f ? 0 : (long long)(mixed((uint64_t)i) & 7);
        c->r = 1;
        return;
    }
    uint64_t h = mixed((uint64_t)i * 31 + (uint64_t)o->param * 77 + (uint64_t)fill_mode * 1000003);
    wide v = fill_mode % 2 ? (wide)h : (wide)(h % 21) - 2;
    if (o->init)
        v = o->first;
    else if (o->facts)
        v = allowed_content(o, i, h);
    for (int g = 0; g < o->ngiven; g++)
        if (o->given[g].index == i)
            v = o->given[g].value;
    c->v = (long long)fits(o->type, v);
    c->r = (double)((int64_t)h % 1000) / 7;
    if (now->nfacts)
        keep_facts(o, c, i, h);
}

// ---- cells ----

static cell *slot_of(object *o, long long key) {
    uint64_t k = mixed((uint64_t)key) & (o->size - 1);
    while (o->cells[k].born == launch_number && o->cells[k].key != key)
        k = (k + 1) & (o->size - 1);
    return &o->cells[k];
}

static void grow(object *o) {
    cell *old = o->cells;
    uint64_t size = o->size;
    o->size *= 2;
    o->cells = calloc(o->size, sizeof(cell));
    for (uint64_t i = 0; i < size; i++)
        if (old[i].born == launch_number)
            *slot_of(o, old[i].key) = old[i];
    free(old);
}

cell *cell_of(object *o, wide i) {
    cell *c;
    if (o->span <= DENSE) {
        c = &o->cells[i];
    } else {
        if (o->used * 2 > o->size)
            grow(o);
        c = slot_of(o, (long long)i);
    }
    if (c->born != launch_number) {
        c->born = launch_number;
        c->key = (long long)i;
        o->used++;
        fill(o, c, i);
    }
    return c;
}

void touch(object *o, cell *c, wide i, bool write, bool atomic) {
    if (o->kind == ATOMIC && !atomic)
        fault("TC1006", true, o->name, i);
    if (o->kind != MUT)
        return;
    if (o->name[0] == 'y') {
        span_low = i < span_low ? i : span_low;
        span_high = i > span_high ? i : span_high;
    }
    long long b = ids[3] + (long long)ids[9] * (ids[4] + (long long)ids[10] * ids[5]);
    if (write) {
        wide coord[DIMS];
        if (o->region && c->wrote != b && place_of(o, i, coord) && !owned(o, coord))
            fault("TC1004", true, o->name, i);
        if (c->wrote >= 0 && c->wrote != b)
            fault("TC1001", true, o->name, i);
        if (c->read == -2 || (c->read >= 0 && c->read != b))
            fault("TC1002", true, o->name, i);
        c->wrote = b;
    }
    if (!write || atomic) {
        if (c->wrote >= 0 && c->wrote != b)
            fault("TC1002", true, o->name, i);
        c->read = c->read == -1 || c->read == b ? b : -2;
    }
}
