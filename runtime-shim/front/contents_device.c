// Facts about contents, checked by kernels: tc_range, tc_init, tc_monotone and tc_injective of integers that lie one behind the other. The
// kernels are proved when the shim is built, and their PTX is part of it. They run on the launch's own stream, so that the order is the
// launch's, and all memory is of the stream's pool: nothing waits for another stream.
#include "runtime-shim/front/driver.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

extern const char shim_contents_ptx[]; // ended by a 0

enum { SIZES = 4, BLOCK = 256, CELL = 16 };
static const u64 max_elements = UINT64_C(1) << 32, max_words = UINT64_C(1) << 28; // of the kernels' contracts

// The functions of the driver that are called. X(name, parameters)
#define DRIVER(X)                                                                                                                          \
    X(cuLibraryLoadData, (u64 * library, const void *code, void *a, void *b, u32 c, void *d, void *e, u32 f))                              \
    X(cuLibraryGetKernel, (u64 * kernel, u64 library, const char *name))                                                                   \
    X(cuLaunchKernel, (u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 smem, u64 stream, void **params, void **extra))          \
    X(cuMemGetAddressRange_v2, (u64 * base, u64 *size, u64 address))                                                                       \
    X(cuMemAllocAsync, (u64 * address, u64 size, u64 stream))                                                                              \
    X(cuMemFreeAsync, (u64 address, u64 stream))                                                                                           \
    X(cuMemsetD8Async, (u64 address, u8 value, u64 n, u64 stream))                                                                         \
    X(cuMemcpyDtoHAsync_v2, (void *to, u64 from, u64 n, u64 stream))                                                                       \
    X(cuStreamSynchronize, (u64 stream))
static struct {
#define X(name, parameters) int(*name) parameters;
    DRIVER(X)
#undef X
} cu;

typedef enum check { IN_RANGE, IN_ORDER, EXTREMES, MARK, CHECKS } check;
static const char *const names[CHECKS][SIZES] = {
    {"_Z11tc_in_rangeIhEvPKT_yS0_S0_S0_Py", "_Z11tc_in_rangeItEvPKT_yS0_S0_S0_Py", "_Z11tc_in_rangeIjEvPKT_yS0_S0_S0_Py",
     "_Z11tc_in_rangeIyEvPKT_yS0_S0_S0_Py"},
    {"_Z11tc_in_orderIhEvPKT_yS0_Py", "_Z11tc_in_orderItEvPKT_yS0_Py", "_Z11tc_in_orderIjEvPKT_yS0_Py", "_Z11tc_in_orderIyEvPKT_yS0_Py"},
    {"_Z11tc_extremesIhEvPKT_yS0_Py", "_Z11tc_extremesItEvPKT_yS0_Py", "_Z11tc_extremesIjEvPKT_yS0_Py", "_Z11tc_extremesIyEvPKT_yS0_Py"},
    {"_Z7tc_markIhEvPKT_yS0_yPjyPy", "_Z7tc_markItEvPKT_yS0_yPjyPy", "_Z7tc_markIjEvPKT_yS0_yPjyPy", "_Z7tc_markIyEvPKT_yS0_yPjyPy"}};
static const u64 elements_of_a_block[CHECKS] = {BLOCK, BLOCK, 32 * BLOCK, BLOCK};

static u64 kernels[CHECKS][SIZES];
static const char *unusable; // why nothing runs on the device; NULL: it does
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_functions(void) {
    void *f = NULL;
    bool all = true;
#define X(name, parameters)                                                                                                                \
    f = driver_function(#name);                                                                                                            \
    memcpy(&cu.name, &f, sizeof f);                                                                                                        \
    all = all && f;
    DRIVER(X)
#undef X
    return all;
}

// A library, not a module: its kernels run in whatever context is current.
static void load(void) {
    u64 library = 0;
    if (!find_functions()) {
        unusable = "the driver is older than CUDA 12";
    } else if (cu.cuLibraryLoadData(&library, shim_contents_ptx, NULL, NULL, 0, NULL, NULL, 0) != CU_OK) {
        unusable = "the driver refuses the kernels";
    } else {
        for (int i = 0; i < CHECKS && !unusable; i++)
            for (int k = 0; k < SIZES && !unusable; k++)
                if (cu.cuLibraryGetKernel(&kernels[i][k], library, names[i][k]) != CU_OK)
                    unusable = "the driver refuses the kernels";
    }
    if (unusable)
        shim_say("facts about contents are checked on the host: %s", unusable);
}

static const char *failed(const char *why) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said))
        shim_say("a fact about contents is checked on the host: %s", why);
    return why;
}

// ---- one array ----

// Elements as unsigned integers that are in the order of their values: `bias` turns the sign's bit over.
typedef struct task {
    tc_embedded_frame *f;
    uint32_t borrow;
    u64 stream, address, n, bias, cell;
    unsigned bits, size; // of an element; number of the size among SIZES
    bool has_sign;
} task;

static bool whole(u64 address, u64 bytes) {
    u64 base = 0, size = 0;
    return cu.cuMemGetAddressRange_v2(&base, &size, address) == CU_OK && address - base <= size && bytes <= size - (address - base);
}

static const char *take_array(task *t) {
    tc_embedded_borrow b = tc_embedded_borrow_at(t->f->record, t->borrow);
    tc_i128 n = 1, extent, stride;
    t->has_sign = b.content == TC_REC_ELEMENT_SIGNED;
    if ((!t->has_sign && b.content != TC_REC_ELEMENT_UNSIGNED) || (b.element != 1 && b.element != 2 && b.element != 4 && b.element != 8))
        return "its elements are not integers";
    for (unsigned d = b.ndims; d-- > 0;) {
        tc_embedded_dim dim = tc_embedded_dim_at(t->f->record, b.first_dim + d);
        if (tc_embedded_value(t->f, dim.extent, &extent) != TC_EMBEDDED_VALUE ||
            tc_embedded_value(t->f, dim.stride, &stride) != TC_EMBEDDED_VALUE || extent <= 0)
            return "its shape has no value, or no element"; // which the host says in its own words
        if (stride != n && extent != 1)
            return "it has strides";
        if (extent > (tc_i128)max_elements || (n *= extent) > (tc_i128)max_elements)
            return "it has more than 2^32 elements";
    }
    if (!b.ndims || tc_embedded_address(t->f, t->borrow, &t->address) != TC_EMBEDDED_VALUE || t->address % b.element)
        return "its address is not known, or not aligned";
    t->n = (u64)n;
    t->bits = b.element * 8;
    t->size = b.element == 8 ? 3 : b.element / 2;
    t->bias = t->has_sign ? UINT64_C(1) << (t->bits - 1) : 0;
    return whole(t->address, t->n * b.element) ? NULL : "it does not lie within one allocation";
}

static tc_i128 value_of(const task *t, u64 key) {
    return tc_wrap128((tc_i128)(key ^ t->bias), t->bits, t->has_sign);
}

// Whole numbers lo … hi - 1 as keys; what no element can be is cut off. Nothing is left where *most < *least.
static void keys(const task *t, tc_i128 lo, tc_i128 hi, u64 *least, u64 *most) {
    tc_i128 lowest = t->has_sign ? -((tc_i128)1 << (t->bits - 1)) : 0, highest = lowest + ((tc_i128)1 << t->bits) - 1;
    *least = 1;
    *most = 0;
    if (lo >= hi || lo > highest || hi <= lowest)
        return;
    lo = lo < lowest ? lowest : lo;
    hi = hi - 1 > highest ? highest : hi - 1;
    *least = (u64)(lo - lowest); // the lowest value has key 0
    *most = (u64)(hi - lowest);
}

// ---- kernels ----

// The result: numbers that are the largest one where the kernel has found nothing.
static bool run(const task *t, check c, void **params, u64 result[2]) {
    u64 blocks = (t->n + elements_of_a_block[c] - 1) / elements_of_a_block[c];
    return cu.cuMemsetD8Async(t->cell, 0xff, CELL, t->stream) == CU_OK &&
           cu.cuLaunchKernel(kernels[c][t->size], (u32)blocks, 1, 1, BLOCK, 1, 1, 0, t->stream, params, NULL) == CU_OK &&
           cu.cuMemcpyDtoHAsync_v2(result, t->cell, CELL, t->stream) == CU_OK && cu.cuStreamSynchronize(t->stream) == CU_OK;
}

static const char *const no_run = "a kernel could not be run";
static const char *const no_memory = "there is no memory on the device";

static const char *witness(task *t, u64 i, tc_embedded_answer *answer, tc_embedded_witness *at) {
    tc_i128 v = 0;
    *answer = i == UINT64_MAX ? TC_EMBEDDED_HOLDS : TC_EMBEDDED_FAILS;
    if (*answer == TC_EMBEDDED_FAILS && tc_embedded_element(t->f, t->borrow, (tc_i128)i, &v) != TC_EMBEDDED_VALUE)
        return failed(no_run);
    *at = (tc_embedded_witness){.at = {(tc_i128)i}, .value = v, .n = 1};
    return NULL;
}

static const char *in_range(task *t, tc_i128 lo, tc_i128 hi, tc_embedded_answer *answer, tc_embedded_witness *at) {
    u64 least, most, found[2];
    keys(t, lo, hi, &least, &most);
    void *params[] = {&t->address, &t->n, &t->bias, &least, &most, &t->cell};
    return run(t, IN_RANGE, params, found) ? witness(t, found[0], answer, at) : failed(no_run);
}

static const char *in_order(task *t, tc_embedded_answer *answer, tc_embedded_witness *at) {
    u64 found[2];
    void *params[] = {&t->address, &t->n, &t->bias, &t->cell};
    return run(t, IN_ORDER, params, found) ? witness(t, found[0], answer, at) : failed(no_run);
}

// One bit for each value between the least and the greatest one.
static const char *all_different(task *t, tc_embedded_answer *answer, tc_embedded_witness *at) {
    u64 ends[2], found[2], seen = 0;
    void *params[] = {&t->address, &t->n, &t->bias, &t->cell};
    if (!run(t, EXTREMES, params, ends))
        return failed(no_run);
    u64 least = ends[0], words = (~ends[1] - least) / 32 + 1;
    if (words > max_words)
        return "its values are more than 2^33 apart";
    if (cu.cuMemAllocAsync(&seen, words * 4, t->stream) != CU_OK)
        return failed(no_memory);
    void *marking[] = {&t->address, &t->n, &t->bias, &least, &seen, &words, &t->cell};
    bool good = cu.cuMemsetD8Async(seen, 0, words * 4, t->stream) == CU_OK && run(t, MARK, marking, found);
    cu.cuMemFreeAsync(seen, t->stream);
    if (!good)
        return failed(no_run);
    *answer = found[0] == UINT64_MAX ? TC_EMBEDDED_HOLDS : TC_EMBEDDED_FAILS;
    *at = (tc_embedded_witness){.value = value_of(t, least + found[0])};
    return NULL;
}

static const char *decide(task *t, const tc_embedded_fact *fact, tc_embedded_answer *answer, tc_embedded_witness *at) {
    tc_i128 lo = 0, hi = 0;
    bool bounded = fact->kind == TC_REC_FACT_RANGE || fact->kind == TC_REC_FACT_INIT;
    if (bounded && tc_embedded_value(t->f, fact->lo, &lo) != TC_EMBEDDED_VALUE)
        return "its bounds have no value";
    if (fact->kind == TC_REC_FACT_RANGE && tc_embedded_value(t->f, fact->hi, &hi) != TC_EMBEDDED_VALUE)
        return "its bounds have no value";
    if (fact->kind == TC_REC_FACT_INIT && !tc_add128(lo, 1, &hi))
        return "its bounds have no value";
    const char *why = take_array(t);
    if (why)
        return why;
    if (cu.cuMemAllocAsync(&t->cell, CELL, t->stream) != CU_OK)
        return failed(no_memory);
    why = bounded                                ? in_range(t, lo, hi, answer, at)
          : fact->kind == TC_REC_FACT_MONOTONE ? in_order(t, answer, at)
                                               : all_different(t, answer, at);
    cu.cuMemFreeAsync(t->cell, t->stream);
    return why;
}

const char *contents_on_device(tc_embedded_frame *f, uint32_t fact, u64 stream, tc_embedded_answer *answer, tc_embedded_witness *at) {
    const tc_embedded_fact what = tc_embedded_fact_at(f->record, fact);
    if (what.kind > TC_REC_FACT_INIT || what.borrow == TC_REC_NONE)
        return "tc_forall";
    pthread_once(&once, load);
    if (unusable)
        return unusable;
    task t = {.f = f, .borrow = what.borrow, .stream = stream};
    return decide(&t, &what, answer, at);
}
