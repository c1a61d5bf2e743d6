// Kernels by handle: their contract, looked up once, and what a launch lends by it.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime-shim/contract.h"
#include "runtime-shim/front/driver.h"
#include "runtime-shim/front/memo.h"
#include "runtime-shim/formula.h"

enum { MAX_USES = 64, MAX_BREACHES = 16 };

typedef struct lent {
    uint32_t borrow; // row of the record
    uint32_t param, offset, in_buffer; // where its address stands
    uint32_t lo, hi; // expressions
    const char *name;
    tc_rt_borrow how;
    uint32_t group, element; // bytes
    uint32_t first_dim;
    uint8_t ndims;
    bool strided, early;
} lent;

// A record and what follows from it, once for all handles of the kernel. Lives as long as the process: findings keep its texts.
struct shim_kernel {
    shim_kernel *next; // all of them
    char *mangled;
    const shim_code *code; // NULL: not known
    bool by_name;          // its contract does not say which code it is about, but …
    const void *about;     // … of which program or library; NULL: it is from a file, for all
    const char *name;
    const char *_Atomic unusable; // why the contract cannot be used; NULL: it can, or there is none
    bool has_contract, counted, counted_unusable;
    tc_embedded record; // of a copy: the library that holds it may be unloaded
    tc_embedded_cell *cells; // of the exact evaluator
    formula *formula;
    uint32_t *conditions; // their expressions
    uint32_t nconditions;
    lent *lent;
    unsigned nlent;
    memo *memo; // NULL: each launch is evaluated
    char *partial; // what of the contract is not looked at, or NULL
};

// ---- finding the record ----

static struct {
    uint8_t *bytes;
    size_t size;
} *sidecars;
static unsigned nsidecars;

// What a record has to do with the code that is launched. SAME: it names it. NAMED: it names none, and is of the same object, or of a file
// that the user has given for kernels of that name. OTHER: it is about other code. UNTOLD: the code is not known.
typedef enum match { SAME, NAMED, UNTOLD, OTHER, MATCHES } match;

typedef struct search {
    const char *mangled;
    shim_code *code;
    bool files;
    struct {
        tc_embedded first;
        unsigned n, others; // records, and those that differ from the first
    } of[MATCHES];
} search;

static match match_of(const search *s, const tc_embedded *e) {
    if (!s->code)
        return e->code_size || !s->files ? UNTOLD : NAMED;
    if (e->code_size)
        return s->code->size == e->code_size && code_hash(s->code) == e->code_hash ? SAME : OTHER;
    return s->files || (s->code->object && code_object(e->bytes) == s->code->object) ? NAMED : OTHER;
}

static bool look(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    search *s = ctx;
    if (error != TC_EMBEDDED_OK || strcmp(e->mangled, s->mangled) != 0)
        return true;
    match m = match_of(s, e);
    if (s->of[m].n++ == 0)
        s->of[m].first = *e;
    else if (s->of[m].first.size != e->size || memcmp(s->of[m].first.bytes, e->bytes, e->size) != 0)
        s->of[m].others++;
    return true;
}

static void search_all(search *s) {
    tc_embedded_loaded(look, s);
    s->files = true;
    for (unsigned i = 0; i < nsidecars; i++)
        tc_embedded_notes(sidecars[i].bytes, sidecars[i].size, 4, look, s);
}

static bool read_whole(const char *path, uint8_t **bytes, size_t *size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (*bytes = malloc((size_t)st.st_size + 1)) != NULL;
    size_t n = 0;
    while (good && n < (size_t)st.st_size) {
        ssize_t got = read(fd, *bytes + n, (size_t)st.st_size - n);
        good = got > 0;
        n += good ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    *size = n;
    return good;
}

typedef struct check {
    unsigned records, wrong;
    tc_embedded_error error;
} check;

static bool check_one(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    check *c = ctx;
    c->records += e != NULL;
    c->wrong += e == NULL;
    c->error = e ? c->error : error;
    return true;
}

static void add_sidecar(const char *path) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    check c = {0};
    if (!read_whole(path, &bytes, &size)) {
        shim_say("%s: contracts cannot be read", path);
        return;
    }
    bool whole = tc_embedded_notes(bytes, size, 4, check_one, &c);
    if (!whole || c.wrong || !c.records)
        shim_say("%s: %s%s", path, c.wrong ? tc_embedded_error_text(c.error) : c.records ? "it is cut short" : "no contract is in it",
                 c.records ? "; the others are used" : "");
    void *more = c.records ? realloc(sidecars, (nsidecars + 1) * sizeof *sidecars) : NULL;
    if (!more) {
        free(bytes);
        return;
    }
    sidecars = more;
    sidecars[nsidecars].bytes = bytes;
    sidecars[nsidecars++].size = size;
}

void kernels_start(void) {
    const char *paths = shim_settings()->text[SHIM_CONTRACTS];
    char *copy = paths ? strdup(paths) : NULL, *next = NULL;
    for (char *p = copy ? strtok_r(copy, ":", &next) : NULL; p; p = strtok_r(NULL, ":", &next))
        add_sidecar(p);
    free(copy);
    check c = {0};
    tc_embedded_loaded(check_one, &c);
    if (c.wrong)
        shim_say("%u contract%s in the program cannot be read (%s): such kernels are not checked", c.wrong, c.wrong == 1 ? "" : "s",
                 tc_embedded_error_text(c.error));
}

// ---- does it fit the function? ----

static bool stubs;

void kernels_are_stubs(void) {
    stubs = true;
}

typedef int (*get_parameter)(u64 function, size_t index, size_t *offset, size_t *size);

// Handles by kind; a handle's lowest bit says which, as they are addresses. A set in which the last word counts.
enum { HANDLES = 1 << 16 };
static u64 handles[HANDLES];
static unsigned nhandles;
static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;

static u64 *handle_slot(u64 handle) {
    unsigned i = (unsigned)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 48) & (HANDLES - 1);
    while (handles[i] && (handles[i] & ~UINT64_C(1)) != handle)
        i = (i + 1) & (HANDLES - 1);
    return &handles[i];
}

void kernels_handle(u64 handle, shim_handle kind) {
    if (!handle || (handle & 1))
        return;
    pthread_mutex_lock(&handles_lock);
    u64 *slot = handle_slot(handle);
    if (*slot || nhandles < HANDLES / 4 * 3) {
        nhandles += !*slot;
        *slot = handle | (kind == SHIM_KERNEL);
    }
    pthread_mutex_unlock(&handles_lock);
}

static shim_handle kind_of(u64 handle, shim_handle otherwise) {
    pthread_mutex_lock(&handles_lock);
    u64 found = *handle_slot(handle & ~UINT64_C(1));
    pthread_mutex_unlock(&handles_lock);
    return stubs ? SHIM_UNKNOWN : !found ? otherwise : found & 1 ? SHIM_KERNEL : SHIM_FUNCTION;
}

static get_parameter parameters_of(shim_handle kind) {
    get_parameter f = NULL;
    void *address = NULL;
    if (kind != SHIM_UNKNOWN)
        address = driver_function(kind == SHIM_KERNEL ? "cuKernelGetParamInfo" : "cuFuncGetParamInfo");
    memcpy(&f, &address, sizeof f);
    return f;
}

// NULL: it fits, or the driver does not say.
static const char *misfit(const tc_embedded *e, u64 function, shim_handle kind) {
    uint32_t n = e->tables[TC_REC_TABLE_PARAM].count;
    get_parameter ask = parameters_of(kind);
    if (!ask)
        return NULL;
    size_t offset = 0, size = 0;
    for (uint32_t i = 0; i < n; i++) {
        tc_embedded_param p = tc_embedded_param_at(e, i);
        if (ask(function, i, &offset, &size) != CU_OK || p.offset != offset || p.size != size)
            return "its parameters are not those of the kernel that is launched";
    }
    return ask(function, n, &offset, &size) == CU_OK ? "the kernel that is launched has more parameters" : NULL;
}

// ---- what a record lends ----

static unsigned root(unsigned *parent, unsigned i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Parameters that may overlap get a common group. SOUND: for false alarms: if a may overlap b, and b c, then a and c are not compared
// either.
static void group(shim_kernel *k, unsigned *parent) {
    const tc_embedded *e = &k->record;
    uint32_t nborrows = e->tables[TC_REC_TABLE_BORROW].count;
    for (unsigned i = 0; i < nborrows; i++)
        parent[i] = i;
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_PAIR].count; i++) {
        tc_embedded_pair p = tc_embedded_pair_at(e, i);
        if ((p.kind == TC_REC_PAIR_INPLACE || p.kind == TC_REC_PAIR_MAY_ALIAS) && p.a < nborrows && p.b < nborrows)
            parent[root(parent, p.a)] = root(parent, p.b);
    }
    for (unsigned i = 0; i < k->nlent; i++)
        for (unsigned j = 0; j < k->nlent; j++)
            if (i != j && root(parent, k->lent[i].borrow) == root(parent, k->lent[j].borrow))
                k->lent[i].group = root(parent, k->lent[i].borrow) + 1;
}

static bool how_of(uint8_t kind, tc_rt_borrow *how) {
    switch (kind) {
    case TC_REC_BORROW_SHARED:
        *how = TC_RT_SHARED;
        return true;
    case TC_REC_BORROW_ATOMIC:
        *how = TC_RT_ATOMIC;
        return true;
    case TC_REC_BORROW_MUT:
    case TC_REC_BORROW_OUT:
        *how = TC_RT_EXCLUSIVE;
        return true;
    default:
        return false;
    }
}

static void lend(shim_kernel *k, unsigned *left_out) {
    const tc_embedded *e = &k->record;
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_BORROW].count; i++) {
        tc_embedded_borrow b = tc_embedded_borrow_at(e, i);
        lent l = {.borrow = i, .param = b.param, .offset = b.offset, .lo = b.lo, .hi = b.hi, .name = b.path, .first_dim = b.first_dim};
        l.in_buffer = b.param == TC_REC_NONE ? 0 : tc_embedded_param_at(e, b.param).offset;
        l.element = b.element ? b.element : 1;
        l.ndims = b.element ? b.ndims : 0;
        l.early = (b.flags & TC_REC_BORROW_EARLY) != 0;
        l.strided = (b.flags & TC_REC_BORROW_STRIDED) && b.ndims <= TC_RT_MAX_DIMS;
        if (!how_of(b.kind, &l.how) || b.param == TC_REC_NONE || k->nlent == MAX_USES)
            ++*left_out;
        else
            k->lent[k->nlent++] = l;
    }
}

static void say_partial(shim_kernel *k, unsigned left_out) {
    const tc_embedded *e = &k->record;
    uint32_t facts = e->tables[TC_REC_TABLE_FACT].count, cannot = 0;
    for (uint32_t i = 0; i < k->nconditions; i++)
        cannot += (tc_embedded_condition_at(e, i).flags & TC_REC_CONDITION_CANNOT) != 0;
    if (!left_out && !facts && !cannot && !(e->flags & TC_REC_PARTIAL))
        return;
    if (!left_out && !cannot && !(e->flags & TC_REC_PARTIAL) && shim_settings()->contents)
        return; // contents.c looks at facts
    k->partial = malloc(256);
    if (k->partial)
        snprintf(k->partial, 256, "not looked at: %u pointer%s or variable%s without a borrow, %u fact%s about contents, %u condition%s%s",
                 left_out, left_out == 1 ? "" : "s", left_out == 1 ? "" : "s", facts, facts == 1 ? "" : "s", cannot, cannot == 1 ? "" : "s",
                 e->flags & TC_REC_PARTIAL ? ", and parts that the note leaves out" : "");
}

// All that a launch asks for.
static bool compile(shim_kernel *k) {
    const tc_embedded *e = &k->record;
    size_t n = 0;
    uint32_t *exprs = malloc((k->nconditions + k->nlent * (2 + 2 * (size_t)TC_REC_MAX_DIMS) + 1) * sizeof *exprs);
    k->conditions = malloc((k->nconditions + 1) * sizeof *k->conditions);
    if (exprs && k->conditions) {
        for (uint32_t i = 0; i < k->nconditions; i++)
            exprs[n++] = k->conditions[i] = tc_embedded_condition_at(e, i).expr;
        for (unsigned i = 0; i < k->nlent; i++) {
            const lent *l = &k->lent[i];
            exprs[n++] = l->lo;
            exprs[n++] = l->hi;
            for (unsigned d = 0; l->strided && d < l->ndims; d++) {
                tc_embedded_dim dim = tc_embedded_dim_at(e, l->first_dim + d);
                exprs[n++] = dim.extent;
                exprs[n++] = dim.stride;
            }
        }
        k->formula = formula_new(e, exprs, n);
    }
    free(exprs);
    return k->formula != NULL;
}

static bool take_record(shim_kernel *k, const tc_embedded *e) {
    uint32_t nborrows = e->tables[TC_REC_TABLE_BORROW].count;
    uint8_t *copy = malloc(e->size);
    unsigned *parent = malloc((nborrows + 1) * sizeof *parent);
    k->cells = malloc((tc_embedded_nodes(e) + 1) * sizeof *k->cells);
    k->lent = malloc((nborrows + 1) * sizeof *k->lent);
    bool good = copy && parent && k->cells && k->lent;
    if (good)
        memcpy(copy, e->bytes, e->size);
    good = good && tc_embedded_open(copy, e->size, &k->record) == TC_EMBEDDED_OK;
    if (good) {
        unsigned left_out = 0;
        k->name = *k->record.name ? k->record.name : k->mangled;
        k->nconditions = k->record.tables[TC_REC_TABLE_CONDITION].count;
        lend(k, &left_out);
        group(k, parent);
        say_partial(k, left_out);
        good = compile(k);
        k->memo = good ? memo_new(&k->record, k->nlent) : NULL;
    }
    free(parent);
    if (!good)
        free(copy);
    return good;
}

typedef char *(*demangler)(const char *name, char *buffer, size_t *n, int *status);

static char *plain_name(const char *mangled) {
    demangler demangle = NULL;
    void *f = dlsym(RTLD_DEFAULT, "__cxa_demangle"); // of the program's C++ library, where it has one
    memcpy(&demangle, &f, sizeof f);
    int status = -1;
    char *plain = demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
    return plain ? plain : strdup(mangled);
}

static shim_kernel *all; // under `learning`

// A contract that does not say which code it is about is about one. Where a second one of its name is launched, nobody knows which.
static bool is_one_of_two(shim_kernel *k) {
    bool two = false;
    for (shim_kernel *other = all; other; other = other->next)
        if (other->by_name && other->code != k->code && (!other->about || !k->about || other->about == k->about) &&
            !strcmp(other->mangled, k->mangled)) {
            other->unusable = "the program has several kernels of this name, and the contract does not say which it is about";
            two = true;
        }
    return two;
}

static const char *take_found(shim_kernel *k, const search *s, u64 function, shim_handle kind) {
    match m = s->of[SAME].n ? SAME : NAMED;
    if (!s->of[m].n)
        return s->of[UNTOLD].n  ? "which code the kernel has is not known"
               : s->of[OTHER].n ? "it is about a kernel of this name with other code"
                                : NULL;
    k->by_name = m == NAMED;
    k->about = code_object(s->of[m].first.bytes);
    if (s->of[m].others)
        return "the program has several kernels of this name, with different contracts";
    if (k->by_name && is_one_of_two(k))
        return "the program has several kernels of this name, and the contract does not say which it is about";
    const char *why = misfit(&s->of[m].first, function, kind);
    if (!why && !(k->has_contract = take_record(k, &s->of[m].first)))
        why = "no memory";
    return why;
}

static shim_kernel *learn(const char *mangled, u64 function, shim_handle kind) {
    shim_kernel *k = calloc(1, sizeof *k);
    if (!k || !(k->mangled = strdup(mangled))) {
        free(k);
        return NULL;
    }
    k->name = k->mangled;
    search s = {.mangled = mangled, .code = code_of(function)};
    k->code = s.code;
    search_all(&s);
    k->unusable = take_found(k, &s, function, kind);
    if (!k->has_contract) {
        char *plain = plain_name(mangled);
        k->name = plain ? plain : k->mangled;
    }
    k->next = all;
    all = k;
    return k;
}

// ---- by handle ----
//
// An open hash table that is read without a lock: slots are filled once; what a slot says is replaced when handles may have come again.

enum { SLOTS = 1 << 16, FULL = SLOTS / 4 * 3 };
typedef struct entry {
    u64 function;
    unsigned generation;
    shim_kernel *kernel;
} entry;
static _Atomic(entry *) slots[SLOTS];
static unsigned nslots;
static atomic_uint generation;
static pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;

static unsigned slot_of(u64 function) {
    return (unsigned)(function * UINT64_C(0x9e3779b97f4a7c15) >> 48) & (SLOTS - 1);
}

static _Atomic(entry *) *find_slot(u64 function) {
    unsigned i = slot_of(function);
    for (;; i = (i + 1) & (SLOTS - 1)) {
        const entry *e = atomic_load_explicit(&slots[i], memory_order_acquire);
        if (!e || e->function == function)
            return &slots[i];
    }
}

typedef int (*get_name)(const char **name, u64 function);

static const char *name_of(u64 function, shim_handle kind) {
    get_name ask = NULL;
    const char *name = NULL;
    void *f = kind == SHIM_UNKNOWN ? NULL : driver_function(kind == SHIM_KERNEL ? "cuKernelGetName" : "cuFuncGetName");
    memcpy(&ask, &f, sizeof f);
    return ask && ask(&name, function) == CU_OK ? name : NULL;
}

static shim_kernel *learn_into(_Atomic(entry *) *slot, u64 function, const char *symbol, shim_handle kind, unsigned as_of) {
    const entry *old = atomic_load(slot);
    kind = kind_of(function, kind);
    symbol = symbol ? symbol : name_of(function, kind);
    if (!symbol || (!old && nslots >= FULL))
        return NULL;
    bool same = old && old->kernel && !strcmp(old->kernel->mangled, symbol) && old->kernel->code == code_of(function);
    shim_kernel *k = same ? old->kernel : learn(symbol, function, kind);
    entry *e = k ? malloc(sizeof *e) : NULL;
    if (!e)
        return NULL;
    *e = (entry){function, as_of, k};
    nslots += old == NULL;
    atomic_store_explicit(slot, e, memory_order_release); // an old one may still be read: it stays
    return k;
}

shim_kernel *kernels_find(u64 function, const char *symbol, shim_handle kind) {
    unsigned as_of = atomic_load_explicit(&generation, memory_order_relaxed);
    _Atomic(entry *) *slot = find_slot(function);
    const entry *e = atomic_load_explicit(slot, memory_order_acquire);
    if (e && e->generation == as_of)
        return e->kernel;
    pthread_mutex_lock(&learning);
    slot = find_slot(function);
    e = atomic_load(slot);
    shim_kernel *k = e && e->generation == as_of ? e->kernel : learn_into(slot, function, symbol, kind, as_of);
    pthread_mutex_unlock(&learning);
    return k;
}

void kernels_forget_handles(void) {
    atomic_fetch_add(&generation, 1);
}

// ---- a launch ----

static tc_rt_use uses[MAX_USES];
static tc_rt_breach breaches[MAX_BREACHES];
static char values[MAX_BREACHES][256], where[MAX_BREACHES][512];

// One launch under evaluation; the exact evaluator begins when it is asked for the first time.
typedef struct asking {
    shim_kernel *k;
    const tc_embedded_launch *launch;
    tc_embedded_frame frame;
    bool begun;
} asking;

static tc_embedded_frame *exact(asking *q) {
    if (!q->begun)
        tc_embedded_begin(&q->frame, &q->k->record, q->launch, q->k->cells);
    q->begun = true;
    return &q->frame;
}

static bool number(asking *q, uint32_t expr, int64_t *r) {
    tc_i128 v;
    if (formula_value(q->k->formula, expr, r))
        return true;
    if (tc_embedded_value(exact(q), expr, &v) != TC_EMBEDDED_VALUE || v < INT64_MIN || v > INT64_MAX)
        return false;
    *r = (int64_t)v;
    return true;
}

static bool address_of(const tc_embedded_launch *l, const lent *x, u64 *address) {
    const u8 *from = NULL;
    size_t at = (size_t)x->in_buffer + x->offset;
    if (l->params)
        from = l->params[x->param] ? (const u8 *)l->params[x->param] + x->offset : NULL;
    else if (l->buffer && at <= l->buffer_size && sizeof *address <= l->buffer_size - at)
        from = (const u8 *)l->buffer + at;
    *address = 0;
    if (from)
        memcpy(address, from, sizeof *address);
    return *address != 0;
}

// The bytes of a borrow without strides of its own.
static bool dense(asking *q, const lent *l, u64 address, tc_rt_region *r) {
    int64_t lo, hi, from, to;
    if (!number(q, l->lo, &lo) || !number(q, l->hi, &hi) || __builtin_mul_overflow(lo, (int64_t)l->element, &from) ||
        __builtin_mul_overflow(hi, (int64_t)l->element, &to))
        return false;
    *r = tc_rt_region_dense(address + (u64)from, to > from ? (u64)(to - from) : 0);
    return address <= INT64_MAX && (int64_t)address >= -from;
}

static bool strided(asking *q, const lent *l, u64 address, tc_rt_region *r) {
    *r = tc_rt_region_dense(address, l->element);
    bool empty = false;
    for (unsigned d = 0; d < l->ndims; d++) {
        tc_embedded_dim dim = tc_embedded_dim_at(&q->k->record, l->first_dim + d);
        int64_t extent, stride, step;
        if (!number(q, dim.extent, &extent) || !number(q, dim.stride, &stride) || __builtin_mul_overflow(stride, (int64_t)l->element, &step))
            return false;
        empty |= extent <= 0;
        if (!empty && !tc_rt_region_add(r, (u64)extent, step))
            return false;
    }
    if (empty)
        *r = tc_rt_region_dense(address, 0);
    return true;
}

// Without a shape, or with one that has no value here, the contract says that the kernel borrows what is there, not how much: the first
// element. More would be a guess, and two kernels that work on parts of one buffer would seem to conflict.
static bool use_of(asking *q, const lent *l, tc_rt_use *u) {
    u64 address;
    if (!address_of(q->launch, l, &address))
        return false;
    u->borrow = l->how;
    u->name = l->name;
    u->group = l->group;
    u->host = false;
    u->early = l->early;
    u->unshaped = !l->ndims || !(l->strided ? strided(q, l, address, &u->region) : dense(q, l, address, &u->region));
    if (u->unshaped)
        u->region = tc_rt_region_dense(address, l->element);
    return true;
}

static bool fails(asking *q, uint32_t condition) {
    int64_t v;
    if (formula_value(q->k->formula, q->k->conditions[condition], &v))
        return v == 0;
    return tc_embedded_meets(exact(q), condition, NULL) == TC_EMBEDDED_FAILS;
}

// "x != nullptr or hi <= lo" fails: of the pointer is said how many elements it should have. False: the condition has another form.
static bool fill_null(asking *q, const tc_embedded_condition *c, tc_rt_breach *b, char *shown, size_t size) {
    const tc_embedded *x = &q->k->record;
    tc_embedded_node either = tc_embedded_node_at(x, c->expr);
    if (c->kind != TC_REC_CONDITION_NOT_NULL || either.op != TC_REC_OP_OR)
        return false;
    tc_embedded_node there = tc_embedded_node_at(x, either.a);
    if (there.op != TC_REC_OP_NONNULL)
        return false;
    tc_embedded_borrow p = tc_embedded_borrow_at(x, there.a);
    tc_i128 lo, hi;
    if (tc_embedded_value(exact(q), p.lo, &lo) != TC_EMBEDDED_VALUE || tc_embedded_value(exact(q), p.hi, &hi) != TC_EMBEDDED_VALUE ||
        hi - lo < 1 || hi - lo > INT64_MAX)
        return false;
    snprintf(shown, size, "%lld element%s", (long long)(hi - lo), hi - lo == 1 ? "" : "s");
    b->text = p.path;
    b->values = shown;
    b->null = true;
    return true;
}

static void fill_breaches(asking *q, tc_rt_event *e) {
    for (uint32_t i = 0; i < q->k->nconditions && e->nbreaches < MAX_BREACHES; i++) {
        if (!fails(q, i))
            continue;
        size_t n = e->nbreaches++;
        tc_embedded_condition c = tc_embedded_condition_at(&q->k->record, i);
        snprintf(where[n], sizeof where[n], "%s:%u", q->k->record.file, c.line ? c.line : q->k->record.line);
        breaches[n] = (tc_rt_breach){.text = c.text, .where = where[n]};
        if (fill_null(q, &c, &breaches[n], values[n], sizeof values[n]))
            continue;
        tc_embedded_values_text(exact(q), c.expr, values[n], sizeof values[n]);
        breaches[n].values = *values[n] ? values[n] : NULL;
    }
    e->breaches = breaches;
}

// Pairs of a tag and a pointer, ended by CU_PARAM_END. Bounded: it is the program's memory.
static void take_extra(void **extra, tc_embedded_launch *l) {
    for (int i = 0; extra && i < 16 && (uintptr_t)extra[0] != CU_PARAM_END; i++, extra += 2) {
        if ((uintptr_t)extra[0] == CU_PARAM_POINTER)
            l->buffer = extra[1];
        else if ((uintptr_t)extra[0] == CU_PARAM_SIZE && extra[1])
            l->buffer_size = *(const size_t *)extra[1];
    }
}

static void count_once(shim_kernel *k) {
    bool known = k->counted && (!k->unusable || k->counted_unusable);
    if (known)
        return;
    k->counted = true;
    k->counted_unusable = k->unusable != NULL;
    if (k->unusable)
        shim_count(SHIM_NOTE_UNUSABLE, k->name, k->unusable);
    else if (!k->has_contract)
        shim_count(SHIM_NOTE_UNTRACKED, k->name, NULL);
    else if (k->partial)
        shim_count(SHIM_NOTE_PARTIAL, k->name, k->partial);
}

const tc_embedded *kernels_record(const shim_kernel *k) {
    return k && k->has_contract && !k->unusable ? &k->record : NULL;
}

void kernels_asked(const shim_launch *l, tc_embedded_launch *out) {
    *out = (tc_embedded_launch){.params = (const void *const *)l->params, .smem = l->smem};
    memcpy(out->grid, l->grid, sizeof out->grid);
    memcpy(out->block, l->block, sizeof out->block);
    memcpy(out->cluster, l->cluster, sizeof out->cluster);
    if (!l->params)
        take_extra(l->extra, out);
}

void kernels_breach(tc_rt_event *e, const char *text, const char *at, const char *shown) {
    if (e->op != TC_RT_LAUNCH || e->nbreaches == MAX_BREACHES)
        return;
    size_t n = e->nbreaches++;
    snprintf(where[n], sizeof where[n], "%s", at);
    snprintf(values[n], sizeof values[n], "%s", shown);
    breaches[n] = (tc_rt_breach){.text = text, .where = where[n], .values = values[n]};
    e->breaches = breaches;
}

static void fill(shim_kernel *k, const shim_launch *l, tc_rt_event *e) {
    tc_embedded_launch launch;
    kernels_asked(l, &launch);
    e->uses = k->memo ? memo_find(k->memo, shim_thread(), &launch, &e->nuses) : NULL;
    if (e->uses)
        return;
    asking q = {.k = k, .launch = &launch};
    formula_run(k->formula, &launch);
    fill_breaches(&q, e);
    for (unsigned i = 0; i < k->nlent; i++)
        e->nuses += use_of(&q, &k->lent[i], &uses[e->nuses]);
    e->uses = uses;
    if (k->memo && !e->nbreaches)
        memo_keep(k->memo, shim_thread(), &launch, uses, e->nuses);
}

// Programmatic dependent launch. SOUND: for false alarms: a kernel of whose code nothing is known is taken to wait for the one before it.
static u32 programmatic_flags(const shim_kernel *k, const shim_launch *l) {
    unsigned known = k && k->has_contract ? k->record.flags : 0;
    if (!l->programmatic)
        return 0;
    return TC_RT_PROGRAMMATIC | ((known & TC_REC_WAITS_KNOWN) && !(known & TC_REC_WAITS) ? 0u : (u32)TC_RT_WAITS);
}

void kernels_launch(shim_kernel *k, const shim_launch *l, tc_rt_event *e) {
    e->op = TC_RT_LAUNCH_UNTRACKED;
    e->flags |= TC_RT_LASTING;
    memcpy(e->grid, l->grid, sizeof e->grid);
    memcpy(e->block, l->block, sizeof e->block);
    e->smem = l->smem;
    e->flags |= programmatic_flags(k, l);
    if (!k)
        return;
    e->name = k->name;
    count_once(k);
    if (!k->has_contract || k->unusable)
        return;
    e->op = TC_RT_LAUNCH;
    fill(k, l, e);
}
