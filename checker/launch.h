// Concrete launches: sizes, arguments and contents with which a kernel can be run.
#ifndef TC_CHECKER_LAUNCH_H
#define TC_CHECKER_LAUNCH_H

#include "checker/contract.h"

// RANDOM: any values of the type, and of index arrays any that the facts about them allow.
typedef enum tc_fill_kind { TC_FILL_FACTS, TC_FILL_ZERO, TC_FILL_IOTA, TC_FILL_RANDOM, TC_FILL_BYTES } tc_fill_kind;

// What stands in memory for a pointer that the contract says nothing of: no null, and no object of the launch. A run that goes
// through it stops without a fault.
#define TC_FOREIGN_POINTER (UINT64_C(0x7ffff) << 44)

#define TC_FUNCTION_UNSAID UINT32_MAX // nothing is known of which function a pointer is of

// One memory object behind a pointer of the contract.
typedef struct tc_buffer {
    bool null;
    bool open;            // no shape: nothing is said of where it ends
    uint64_t bytes;       // allocated, from the base
    uint64_t misalign;    // the base address modulo 256
    tc_fill_kind fill;
    const unsigned char *data; // TC_FILL_BYTES
    uint8_t mode;         // TC_FILL_FACTS with a range: 0 random, 1 lowest, 2 highest, 3 rising
    uint64_t span;        // with a range: so many of its values are used, the lowest ones; 0: all
    tc_map elements;      // single values: flat element index -> tc_i128 *, on top of fill
} tc_buffer;

// An element of a read-only integer buffer that a run loaded.
typedef struct tc_read {
    uint32_t object; // index into the contract's objects
    uint64_t index;  // flat
    tc_i128 value;
} tc_read;

// What a run is watched for: the last few elements that were loaded before the first fault of this rule at this place.
typedef struct tc_watch {
    const char *code;
    tc_loc loc;
    bool seen; // the fault
    TC_VEC(tc_read) reads;
} tc_watch;

typedef struct tc_launch {
    uint32_t grid[3], block[3];
    uint64_t smem;
    tc_i128 *scalars;     // one for each contract->scalars
    tc_buffer *buffers;   // one for each contract->objects
    uint32_t *functions;  // one for each contract->functions: its value (contract.h), or TC_FUNCTION_UNSAID
    uint32_t variables;   // 0: those of the device begin as the source says; else with what this number stands for
    bool in_place;        // what tc_inplace names is one buffer with it, where both have as many bytes and all threads run
    uint64_t seed;
    // Run only these threads (indices block x,y,z thread x,y,z); nonly == 0: all.
    const uint32_t (*only)[6];
    size_t nonly;
    uint64_t max_steps;   // instructions in all; 0: a default of 200 million
    tc_watch *watch;      // or NULL
} tc_launch;

// A value for every scalar is given by name (sets); grid, block and smem that are not given come from the contract. Shapes are
// evaluated to sizes (the contract's minimum extent: the last element that exists). False with *why when something is missing or a
// fact of the contract does not hold for it.
bool tc_launch_make(tc_arena *a, tc_contract *c, const tc_options *o, tc_launch *l, const char **why);

// Evaluates contract terms for a launch (scalars, grid, block); block and thread indices may be NULL.
bool tc_launch_eval(tc_contract *c, const tc_launch *l, const uint32_t *block_idx, const uint32_t *thread_idx, tc_t t, tc_i128 *r);

// An environment for tc_eval with the values of the launch; bound symbols may be added to env->syms. Lives in a.
void tc_launch_env(tc_arena *a, tc_contract *c, const tc_launch *l, const uint32_t *block_idx, const uint32_t *thread_idx,
                   tc_env *env);

// Writes the contents of a buffer at launch, bytes [offset, offset + n), to out. Elements do not depend on n: large buffers are made
// in pieces, on demand.
void tc_launch_fill(tc_contract *c, const tc_launch *l, uint32_t object, uint64_t offset, uint64_t n, unsigned char *out);

// The value of an element of a variable of the device, where the launch has set it: a small number.
unsigned tc_launch_variable(const tc_launch *l, uint32_t variable, uint64_t element);

// Do sizes of the launch, or facts about it, depend on what is stored in index arrays?
bool tc_launch_by_contents(tc_contract *c);
// The first tc_range, tc_monotone or tc_injective that contents which were given for a buffer (by --fill) break, as text, or NULL.
const char *tc_launch_broken_fact(tc_arena *a, tc_contract *c, const tc_launch *l);
// Chooses the modes of buffers so that the facts about stored values hold together; false when none is found.
bool tc_launch_contents(tc_contract *c, tc_launch *l);
// Do the facts hold with the buffers' single values on top of the fill? Where they break tc_injective, others are exchanged so that it holds.
bool tc_launch_singles(tc_contract *c, tc_launch *l);
// Sets the sizes and alignments of all buffers; elements of buffers without a shape come from o (may be NULL). A kernel that is run by
// hand (o->run) needs them all; else a buffer without one is open: so large that what is done in it is what the kernel would do in the
// buffer that it is given.
bool tc_launch_size(tc_arena *a, tc_contract *c, const tc_options *o, tc_launch *l, const char **why);

// The number of bytes that the shape of object i spans in this launch; false when it has none or it is negative or beyond 2^62.
bool tc_launch_extent(tc_contract *c, const tc_launch *l, uint32_t object, uint64_t *bytes);

// Do all facts of the contract hold for this launch? *which receives the first that does not.
bool tc_launch_allowed(tc_contract *c, const tc_launch *l, const tc_fact **which);

// Small launches that the contract allows, smallest first, different in shape (sizes 0, 1, 2, around the block, odd; one and
// several blocks). Deterministic in seed. Calls fn until it returns true or max launches were given.
bool tc_launch_sweep(tc_arena *a, tc_contract *c, uint64_t seed, size_t max, bool (*fn)(void *ctx, tc_launch *l), void *ctx);

// The same with sizes near the limits of the contract, where products overflow. Only a few threads of each launch are run (see only).
bool tc_launch_large(tc_arena *a, tc_contract *c, uint64_t seed, size_t max, bool (*fn)(void *ctx, tc_launch *l), void *ctx);

#endif
