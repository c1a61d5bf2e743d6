// Threads, blocks, launches, sweeps. After the kernels (sim_read.c) come commands, one a line:
//   sweep KERNEL WORK SEED
//   run KERNEL WORK GX GY GZ BX BY BZ COUNT VALUE… COUNT (PARAM INDEX VALUE)… COUNT (X Y Z of blocks to run)…
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "sim.h"

enum { STACK = 1 << 18, SMALL = 2048, SYNC_COST = 4, DOUBTS = 30 };

typedef struct fiber {
    ucontext_t context;
    char *stack;
    jmp_buf stop;
    uint32_t thread[3];
    int fuel;
    long long guards;
    bool done;
} fiber;

typedef struct given_to {
    int param;
    given is;
} given_to;

// A launch of `now`.
typedef struct launch {
    wide grid[3], block[3];
    int fill;
    bool alias, null;
    const given_to *given;
    int ngiven;
    const wide *blocks; // these first
    int nblocks;
} launch;

static fiber *fibers[1024], *current;
static ucontext_t scheduler;
static jmp_buf stop;
static long long work, spent;
static int fuel_left;
static bool replay; // one launch: as long as it takes
static char launch_text[1024], seen[32][16];
static int nseen;
static bool broken;
static bool watching; // a launch is run again for the sake of one thread
static object pool[12], locals[4096], shareds[8];
static int nlocals;

// ---- text ----

static const char *text(wide v) {
    static char all[8][48];
    static int turn;
    char *s = all[turn++ % 8] + 47;
    bool negative = v < 0;
    unsigned __int128 u = negative ? -(unsigned __int128)v : (unsigned __int128)v;
    *s = 0;
    do
        *--s = (char)('0' + (int)(u % 10));
    while (u /= 10);
    if (negative)
        *--s = '-';
    return s;
}

static bool was_seen(const char *rule, const char *how) {
    char key[16];
    snprintf(key, sizeof key, "%s %s", rule, how);
    for (int i = 0; i < nseen; i++)
        if (strcmp(seen[i], key) == 0)
            return true;
    return false;
}

void fault(const char *rule, bool hard, const char *what, wide index) {
    const char *how = hard ? "hard" : "soft";
    if (watching || impossible || was_seen(rule, how))
        return;
    snprintf(seen[nseen++], sizeof *seen, "%s %s", rule, how);
    broken = broken || hard;
    printf("fault %s %s %s %s block %u,%u,%u thread %u,%u,%u : %s %s\n", now->name, rule, how, launch_text, ids[3], ids[4], ids[5], ids[0],
           ids[1], ids[2], what, text(index));
}

// ---- guards ----

static struct {
    bool waits;
    watch where;
    const char *rule, *what;
} doubt;
watch watched = {.guard = -1};
static int doubts;

bool is_watched(void) {
    return watching && memcmp(watched.ids, ids, sizeof watched.ids) == 0;
}

void doubtful_guard(const char *rule, const char *what) {
    if (replay)
        fault(rule, false, what, 0);
    if (replay || watching || impossible || doubt.waits || was_seen(rule, "soft"))
        return;
    doubt.waits = true, doubt.rule = rule, doubt.what = what;
    memcpy(doubt.where.ids, ids, sizeof doubt.where.ids);
    doubt.where.guard = guards_passed;
}

// ---- threads ----

void fuel(void) {
    spent++;
    if (--fuel_left >= 0)
        return;
    incomplete = true;
    longjmp(current ? current->stop : stop, 1);
}

void barrier(void) {
    spent += SYNC_COST;
    fuel();
    if (current)
        swapcontext(&current->context, &scheduler);
}

static void thread_of(fiber *f) {
    memcpy(ids, f->thread, sizeof f->thread);
    fuel_left = f->fuel, guards_passed = f->guards;
}

static void fiber_main(void) {
    if (!setjmp(current->stop))
        run_body();
    current->done = true;
    swapcontext(&current->context, &scheduler);
}

static void start_fiber(int i) {
    if (!fibers[i]) {
        fibers[i] = calloc(1, sizeof(fiber));
        fibers[i]->stack = malloc(STACK);
    }
    fiber *f = fibers[i];
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = &scheduler;
    memcpy(f->thread, ids, sizeof f->thread);
    f->fuel = fuel_left, f->guards = 0, f->done = false;
    makecontext(&f->context, fiber_main, 0);
}

static void run_fibers(int count) {
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count; i++) {
            if (fibers[i]->done)
                continue;
            current = fibers[i];
            thread_of(current);
            swapcontext(&scheduler, &current->context);
            current->fuel = fuel_left, current->guards = guards_passed;
            more = more || !current->done;
        }
    }
    current = NULL;
}

// ---- arrays ----

static object *array(object *o, wide count, type t, const char *name) {
    if (count > o->span || !o->cells) {
        free(o->cells);
        o->cells = calloc((size_t)count, sizeof(cell));
    }
    for (wide i = 0; i < count; i++)
        o->cells[i].born = 0;
    o->name = name, o->kind = OWN, o->type = t, o->uninit = true, o->dims = 1;
    o->extent[0] = o->span = count, o->stride[0] = 1;
    return o;
}

object *local_object(wide count, type t) {
    if (nlocals == 4096) { // one that is declared in a loop, again and again
        incomplete = true;
        nlocals = 0;
    }
    object *o = array(&locals[nlocals++], count, t, "local array");
    o->local = true;
    return o;
}

object *shared_object(int number, wide count, type t) {
    object *o = &shareds[number];
    return o->null ? (o->null = false, array(o, count, t, "shared array")) : o;
}

// ---- blocks ----

static void set_block(wide b, const wide *grid) {
    wide v[3] = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
    for (int d = 0; d < 3; d++)
        ids[3 + d] = (uint32_t)v[d], at[AT_BLOCK + d] = v[d];
}

static void run_block(const launch *l) {
    enum { long_run = 12000000 }; // as long as a run of the search
    int count = (int)(l->block[0] * l->block[1] * l->block[2]);
    for (int i = 0; i < 8; i++)
        shareds[i].null = true;
    nlocals = 0;
    for (int i = 0; i < count; i++) {
        uint32_t x = (uint32_t)l->block[0], y = (uint32_t)l->block[1], n = (uint32_t)i;
        ids[0] = n % x, ids[1] = n / x % y, ids[2] = n / x / y;
        spent++;
        fuel_left = !replay ? 4000 : l->fill == 0 ? (long_run / count > 4000 ? long_run / count : 4000) : 20000;
        guards_passed = 0;
        if (now->barriers)
            start_fiber(i);
        else if (!setjmp(stop))
            run_body();
        if (!now->barriers)
            nlocals = 0;
    }
    if (now->barriers)
        run_fibers(count);
}

// Does each element have one owner at most? Small launches only.
static void check_owners(const launch *l, wide blocks) {
    for (int p = 0; p < now->nparams; p++) {
        object *o = objects[p];
        if (!now->params[p].owns || o->span > 256 || blocks > 16)
            continue;
        for (wide i = 0; i < o->span; i++) {
            wide coord[DIMS];
            int owners = 0;
            for (wide b = 0; b < blocks && place_of(o, i, coord); b++) {
                set_block(b, l->grid);
                owners += owned(o, coord) && !no_value;
            }
            if (owners > 1)
                fault("TC1005", true, o->name, i);
        }
    }
}

// ---- launches ----

// The object of a parameter, without its elements; false: no such object can be.
static bool describe(int p, object *o) {
    const param *q = &now->params[p];
    wide bound = (wide)1 << 45, all = 1;
    memset(o, 0, sizeof *o);
    o->dims = q->dims, o->param = p, o->name = q->name, o->kind = q->kind, o->type = q->type;
    o->region = q->owns != NULL;
    for (int d = q->dims - 1; d >= 0; d--) {
        o->extent[d] = wide_of(q->extent[d]);
        o->stride[d] = q->strided ? wide_of(q->stride[d]) : d == q->dims - 1 ? 1 : o->stride[d + 1] * o->extent[d + 1];
        if (o->extent[d] < 0 || o->extent[d] > bound || o->stride[d] < 0 || o->stride[d] > bound)
            return false;
        all *= o->extent[d];
        if (all > bound)
            return false;
    }
    lay_out(o);
    o->facts = q->lo || q->injective || q->monotone;
    o->injective = q->injective, o->monotone = q->monotone;
    if (q->type < REAL) {
        wide lo = q->lo ? wide_of(q->lo) : least_of(q->type), hi = q->hi ? wide_of(q->hi) : most_of(q->type) + 1;
        o->lo = lo < least_of(q->type) ? least_of(q->type) : lo;
        o->hi = hi > most_of(q->type) + 1 ? most_of(q->type) + 1 : hi;
        if (o->facts && all > 0 && (o->hi <= o->lo || (o->injective && o->hi - o->lo < all)))
            return false;
    }
    o->init = q->init != NULL;
    o->first = q->init ? wide_of(q->init) : 0;
    if (o->init && q->type < REAL && fits(q->type, o->first) != o->first)
        return false;
    return !no_value;
}

static void set_dims(const launch *l) {
    for (int d = 0; d < 3; d++) {
        at[AT_GRIDDIM + d] = l->grid[d], at[AT_BLOCKDIM + d] = l->block[d];
        ids[6 + d] = (uint32_t)l->block[d], ids[9 + d] = (uint32_t)l->grid[d];
    }
}

// What the contract says of the launch; grid and block where it says nothing.
static void declared(launch *l) {
    no_value = false;
    set_dims(l);
    for (int i = 0; i < now->ndims; i++) {
        int which = now->dim_of[i];
        wide v = wide_of(now->dims[i]);
        at[which] = v;
        if (which < AT_GRIDDIM)
            l->block[which - AT_BLOCKDIM] = v;
        else
            l->grid[which - AT_GRIDDIM] = v;
    }
}

// Does the contract allow the launch?
static bool prepare(launch *l) {
    static const wide most[2][3] = {{2147483647, 65535, 65535}, {1024, 1024, 64}};
    launch said = *l;
    declared(&said);
    if (no_value || memcmp(said.grid, l->grid, sizeof l->grid) != 0 || memcmp(said.block, l->block, sizeof l->block) != 0)
        return false;
    for (int d = 0; d < 3; d++)
        if (l->grid[d] < 1 || l->grid[d] > most[0][d] || l->block[d] < 1 || l->block[d] > most[1][d])
            return false;
    if (l->block[0] * l->block[1] * l->block[2] > 1024)
        return false;
    set_dims(l);
    memset(objects, 0, sizeof objects);
    for (int p = 0; p < now->nparams; p++) {
        object o;
        bool decided;
        if (!describe(p, &o))
            return false;
        one_to_one(&o, &decided);
        if (!decided)
            return false;
    }
    for (int i = 0; i < now->nallowed; i++)
        if (wide_of(now->allowed[i]) == 0 || no_value)
            return false;
    return true;
}

static void put_launch_text(const launch *l) {
    int n = 0;
    for (int s = 0; s < now->nscalars; s++)
        n += snprintf(launch_text + n, sizeof launch_text - (size_t)n, "%s=%s ", now->scalars[s].name, text(at[AT_SCALAR + s]));
    n += snprintf(launch_text + n, sizeof launch_text - (size_t)n, "grid %s,%s,%s ", text(l->grid[0]), text(l->grid[1]), text(l->grid[2]));
    snprintf(launch_text + n, sizeof launch_text - (size_t)n, "block %s,%s,%s fill %d%s%s", text(l->block[0]), text(l->block[1]),
             text(l->block[2]), l->fill, l->alias ? " inplace" : "", l->null ? " null" : "");
}

static void make_objects(const launch *l, given *given) {
    int n = 0;
    for (int p = 0; p < now->nparams; p++) {
        object *o = &pool[p], fresh;
        bool decided;
        no_value = false;
        describe(p, &fresh);
        fresh.cells = o->cells, fresh.size = o->size;
        if (!fresh.cells) {
            fresh.size = 2 * DENSE;
            fresh.cells = calloc(fresh.size, sizeof(cell));
        }
        fresh.given = given + n;
        for (int g = 0; g < l->ngiven; g++)
            if (l->given[g].param == p)
                given[n++] = l->given[g].is, fresh.ngiven++;
        fresh.null = now->params[p].optional && l->null; // one of no elements need not be null
        *o = fresh;
        objects[p] = o;
        if (!one_to_one(o, &decided))
            fault("TC1005", true, o->name, 0);
    }
    for (int p = 0; l->alias && p < now->nparams; p++) {
        int same = now->params[p].inplace;
        if (same < 0 || pool[p].null || pool[same].null)
            continue;
        object *o = &pool[p], *x = &pool[same];
        o->facts = x->facts, o->injective = x->injective, o->monotone = x->monotone, o->lo = x->lo, o->hi = x->hi;
        objects[same] = o;
    }
}

static void run_once(const launch *l) {
    static given given[256];
    fill_mode = l->fill;
    launch_number++;
    incomplete = impossible = false;
    set_dims(l);
    put_launch_text(l);
    memset(ids, 0, 6 * sizeof *ids);
    make_objects(l, given);
    wide blocks = l->grid[0] * l->grid[1] * l->grid[2];
    bool sampled = blocks * l->block[0] * l->block[1] * l->block[2] > SMALL;
    if (!sampled && l->fill == 0)
        check_owners(l, blocks);
    wide done[16];
    int n = 0;
    for (int i = 0; i < l->nblocks && n < 8; i++) {
        done[n++] = l->blocks[i];
        set_block(l->blocks[i], l->grid);
        run_block(l);
    }
    int listed = n;
    for (wide i = 0; i < (sampled ? 6 : blocks) && spent <= work; i++) {
        wide b = l->fill % 2 ? blocks - 1 - i : i;
        if (sampled)
            b = i < 3 ? i : i < 5 ? blocks - i + 2 : (wide)(mixed((uint64_t)l->fill + (uint64_t)at[AT_SCALAR]) % 0x7fffffff) % blocks;
        bool again = b < 0 || b >= blocks;
        for (int k = 0; k < (sampled ? n : listed); k++)
            again = again || done[k] == b;
        if (again)
            continue;
        if (sampled)
            done[n++] = b;
        set_block(b, l->grid);
        run_block(l);
    }
}

static uint64_t trace_with(const launch *l, long long guard) {
    watched = doubt.where;
    watched.guard = guard, watched.trace = 0;
    watching = true;
    run_once(l);
    watching = false;
    return watched.trace;
}

static void run_launch(const launch *l) {
    doubt.waits = false;
    run_once(l);
    if (!doubt.waits || doubts > DOUBTS)
        return;
    doubts++;
    long long before = spent;
    if (trace_with(l, -1) != trace_with(l, doubt.where.guard)) {
        memcpy(ids, doubt.where.ids, sizeof doubt.where.ids);
        fault(doubt.rule, false, doubt.what, 0);
    }
    spent = before + (spent - before) / 4;
}

// ---- sweeps ----

static wide pick(wide lo, wide hi, uint64_t *r) {
    *r = mixed(*r);
    uint64_t h = *r >> 8;
    wide v;
    switch (*r % 9) {
    case 0:
        v = lo + (wide)(h % 6);
        break;
    case 1:
        v = hi - (wide)(h % 6);
        break;
    case 2:
    case 3:
        v = now->nhints ? (wide)now->hints[h % (uint64_t)now->nhints] + (wide)((*r >> 40) % 5) - 2 : 0;
        break;
    case 4:
        v = ((wide)1 << (h % 63)) + (wide)((*r >> 20) % 5) - 2;
        break;
    case 5:
        v = h % 200;
        break;
    case 6:
        v = h % 0x10000;
        break;
    case 7:
        v = lo + (wide)h % (hi - lo + 1);
        break;
    default:
        v = h % 24;
        break;
    }
    return v < lo ? lo : v > hi ? hi : v;
}

// The n-th launch of a sweep: every tuple of small sizes, in turn with anything.
static void draw(long long n, uint64_t *r, launch *l) {
    bool small = n % 2 == 0;
    long long rest = n / 2;
    int vary = 0;
    for (int s = 0; s < now->nscalars; s++)
        vary += strcmp(now->scalars[s].name, "rare") != 0;
    long long side = vary < 2 ? 300 : vary == 2 ? 36 : vary < 6 ? 14 : 5;
    for (int s = 0; s < now->nscalars; s++) {
        const scalar *q = &now->scalars[s];
        wide *v = &at[AT_SCALAR + s], low = q->lo < -2 && q->hi >= -2 ? -2 : q->lo;
        long long width = q->hi - low + 1 < side ? (long long)(q->hi - low + 1) : side;
        if (strcmp(q->name, "rare") == 0)
            *v = n % 16 == 15 ? 3 : 1000002;
        else if (small && width > 0)
            *v = low + rest % width, rest /= width;
        else
            *v = q->hi < q->lo ? 0 : pick(q->lo, q->hi, r);
    }
    for (int k = 0; k < 6; k++) {
        wide v = 1, most = now->most[k];
        if (k < 3 ? now->grid_free : now->block_free) {
            if (small)
                v = 1 + rest % 4, rest /= 4;
            else if ((*r = mixed(*r)) % 4)
                v = 1 + (wide)((*r >> 9) % ((*r >> 5) % 8 ? 5 : 40));
            else
                v = pick(1, most < 1 ? 1 : most, r);
        }
        v = v > most ? most : v;
        *(k < 3 ? &l->grid[k] : &l->block[k - 3]) = v < 1 ? 1 : v;
    }
    if (now->grid_free && n % 8 < 5) {
        l->grid[2] = 1;
        l->grid[1] = n % 3 ? 1 : l->grid[1];
    }
}

static void clear_seen(node *e) {
    e->seen = 0;
    for (int i = 0; i < e->n; i++)
        clear_seen(e->part[i]);
}

static bool two_ways(void) {
    for (int p = 0; p < now->nparams; p++)
        if (now->params[p].inplace >= 0)
            return true;
    return false;
}

static bool may_be_null(void) {
    for (int p = 0; p < now->nparams; p++)
        if (now->params[p].optional)
            return true;
    return false;
}

// Ends after `limit` steps, after a quarter of them where every condition was seen true and false, and at a fault of memory.
static void sweep(uint64_t seed, long long limit) {
    bool alias = two_ways(), null = may_be_null();
    long long runs = 0;
    uint64_t r = seed;
    work = limit, spent = 0, replay = false, broken = false, conds_seen = 0, doubts = 0;
    clear_seen(now->body);
    span_low = (wide)1 << 100, span_high = -span_low;
    for (long long n = 0; spent < work && n < 40000 && !broken; n++) {
        launch l = {.fill = (int)(n % 7), .alias = alias && n % 3 == 0, .null = null && n % 5 < 2};
        draw(n, &r, &l);
        spent += 2;
        declared(&l);
        if (no_value || !prepare(&l))
            continue;
        runs++;
        run_launch(&l);
        if (runs < 40) {
            l.fill = (int)((n + 3) % 7), l.alias = alias && n % 3 != 0, l.null = null && n % 5 >= 2;
            run_launch(&l);
            runs++;
        }
        if (spent > limit / 4 && runs >= 60 && conds_seen == 2 * now->nconds)
            break;
    }
    if (span_low <= span_high)
        printf("span %s %s %s\n", now->name, text(span_low), text(span_high));
    printf("runs %s %lld\ncover %s %d %d\n", now->name, runs, now->name, conds_seen, 2 * now->nconds);
}

// ---- commands ----

static long long number(void) {
    long long v = 0;
    if (scanf("%lld", &v) != 1)
        exit(1);
    return v;
}

static void run_one(void) {
    static given_to given_[256];
    static wide wanted[16];
    launch l = {.given = given_, .blocks = wanted};
    for (int k = 0; k < 6; k++)
        *(k < 3 ? &l.grid[k] : &l.block[k - 3]) = number();
    int count = (int)number();
    for (int i = 0; i < count; i++)
        at[AT_SCALAR + i] = number();
    count = (int)number();
    for (int i = 0; i < count; i++) {
        given_to g = {.param = (int)number()};
        g.is.index = number(), g.is.value = number();
        if (l.ngiven < 256)
            given_[l.ngiven++] = g;
    }
    count = (int)number();
    for (int i = 0; i < count; i++) {
        wide x = number(), y = number(), z = number();
        if (l.nblocks < 16)
            wanted[l.nblocks++] = x + l.grid[0] * (y + l.grid[1] * z);
    }
    replay = true, broken = false, doubts = 0;
    if (!prepare(&l)) {
        printf("refused %s\n", now->name);
        return;
    }
    for (int i = 0; i < 14; i++) {
        spent = 0;
        l.fill = i % 7, l.alias = i >= 7, l.null = i % 4 == 3;
        run_launch(&l);
        if (i == 0 && incomplete)
            printf("cut %s\n", now->name);
    }
}

int main(void) {
    char word[32], name[32];
    read_kernels();
    while (scanf("%31s %31s %lld", word, name, &work) == 3) {
        now = NULL;
        for (int k = 0; k < nkernels; k++)
            if (strcmp(name, kernels[k].name) == 0)
                now = &kernels[k];
        nseen = 0;
        if (!now)
            return 1;
        if (strcmp(word, "sweep") == 0)
            sweep((uint64_t)number(), work);
        else
            run_one();
        printf("end %s\n", name);
        fflush(stdout);
    }
    return 0;
}
