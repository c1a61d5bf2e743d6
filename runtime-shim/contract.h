// Embedded contracts: reading, finding and evaluating them at a launch.
//
// It lives in the user's process: nothing here allocates, aborts or trusts a byte. tc_embedded_open checks a record once, and
// everything after it stays in bounds; times are bounded by the limits of contract_format.h. Names and texts point into the bytes,
// which have to outlive what is read from them.
#ifndef TC_RUNTIME_CONTRACT_H
#define TC_RUNTIME_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "runtime-shim/contract_format.h"

// ---- contract_read.c: one record ----

typedef enum tc_embedded_error {
    TC_EMBEDDED_OK,
    TC_EMBEDDED_TRUNCATED, // fewer bytes than the record says
    TC_EMBEDDED_MAGIC,     // no record
    TC_EMBEDDED_VERSION,   // of a later format
    TC_EMBEDDED_LIMIT,     // larger than any record is
    TC_EMBEDDED_CORRUPT    // something in it points elsewhere
} tc_embedded_error;

// A sentence without a full stop, static.
const char *tc_embedded_error_text(tc_embedded_error e);

typedef struct tc_embedded_table {
    uint32_t offset, count, row; // in the record, rows, bytes of a row
} tc_embedded_table;

typedef struct tc_embedded {
    const uint8_t *bytes;
    uint32_t size;
    const char *mangled, *name, *file;
    uint32_t line, arguments, max_threads; // bytes, threads
    uint32_t cluster[3];
    uint64_t code_size, code_hash; // of the fat binary with the kernel; size 0: not said
    uint8_t verdict, flags;
    tc_embedded_table tables[TC_REC_TABLE_COUNT];
} tc_embedded;

// Reads the record that these bytes begin with; *e is set on TC_EMBEDDED_OK only. More bytes may follow.
tc_embedded_error tc_embedded_open(const void *bytes, size_t size, tc_embedded *e);

// Rows; index < tables[…].count. Expressions are numbers of nodes, or TC_REC_NONE.
typedef struct tc_embedded_param {
    const char *name, *type;
    uint32_t offset, size, align; // bytes, in the argument buffer
    uint8_t kind;
} tc_embedded_param;

typedef struct tc_embedded_scalar {
    const char *path;
    uint32_t param, offset;
    uint8_t size, sign;
} tc_embedded_scalar;

typedef struct tc_embedded_borrow {
    const char *path;
    uint32_t param, offset; // param TC_REC_NONE: a variable
    const char *variable;   // mangled, or NULL
    uint32_t element, align; // bytes
    uint32_t first_dim, line, lo, hi; // elements lo … hi - 1, gaps of strides included
    uint8_t ndims, kind, flags, content;
    const char *why; // of an unchecked one, or NULL
} tc_embedded_borrow;

typedef struct tc_embedded_dim {
    uint32_t extent, stride;
} tc_embedded_dim;

typedef struct tc_embedded_condition {
    const char *text;
    uint32_t expr, line;
    uint8_t kind, flags;
} tc_embedded_condition;

typedef struct tc_embedded_fact {
    const char *text;
    uint32_t borrow, lo, hi, first_bound, nbound, line;
    uint8_t kind, flags;
} tc_embedded_fact;

typedef struct tc_embedded_bound {
    const char *name;
    uint32_t lo, hi;
} tc_embedded_bound;

typedef struct tc_embedded_pair {
    uint32_t a, b;
    uint8_t kind;
} tc_embedded_pair;

typedef struct tc_embedded_node {
    uint8_t op, width;
    uint32_t a, b, c;
} tc_embedded_node;

tc_embedded_param tc_embedded_param_at(const tc_embedded *e, uint32_t i);
tc_embedded_scalar tc_embedded_scalar_at(const tc_embedded *e, uint32_t i);
tc_embedded_borrow tc_embedded_borrow_at(const tc_embedded *e, uint32_t i);
tc_embedded_dim tc_embedded_dim_at(const tc_embedded *e, uint32_t i);
tc_embedded_condition tc_embedded_condition_at(const tc_embedded *e, uint32_t i);
tc_embedded_fact tc_embedded_fact_at(const tc_embedded *e, uint32_t i);
tc_embedded_bound tc_embedded_bound_at(const tc_embedded *e, uint32_t i);
tc_embedded_pair tc_embedded_pair_at(const tc_embedded *e, uint32_t i);
tc_embedded_node tc_embedded_node_at(const tc_embedded *e, uint32_t i);
tc_i128 tc_embedded_constant(tc_embedded_node n); // of a CONST

// "proved", "shared", …: of the tables of contract_format.h; "?" for a kind that this version does not know.
const char *tc_embedded_verdict_name(unsigned verdict);
const char *tc_embedded_borrow_name(unsigned kind);
const char *tc_embedded_param_name(unsigned kind);
const char *tc_embedded_condition_name(unsigned kind);
const char *tc_embedded_fact_name(unsigned kind);
const char *tc_embedded_pair_name(unsigned kind);

// ---- contract_notes.c: where records lie ----

// Called for each record or for each note of ours that holds none (e is NULL then). False ends the walk.
typedef bool (*tc_embedded_fn)(void *ctx, const tc_embedded *e, tc_embedded_error error);

// The notes in these bytes (a section or segment of notes), which are padded to `align` (8, or anything else for 4). Notes of others are
// passed over. False when a note goes past the end: what comes after is not looked at.
bool tc_embedded_notes(const void *bytes, size_t size, size_t align, tc_embedded_fn fn, void *ctx);

// The records of the program and of its shared libraries as they are loaded now: no file is read.
void tc_embedded_loaded(tc_embedded_fn fn, void *ctx);

// The first loaded record of a kernel. *others counts further records of that name that differ from it (kernels of several files
// that only their file can see): which one is launched is not known then. False when there is none.
bool tc_embedded_find(const char *mangled, tc_embedded *e, unsigned *others);

// ---- contract_code.c: which code a record is about ----

// The image that starts here, a fat binary, a cubin or PTX: its bytes, when they are at most `size`; 0: it is none of these.
uint64_t tc_embedded_image_size(const void *image, size_t size);
// The image of what the driver is given (16 bytes at least): that itself, or what the compiler's wrapper points to.
const void *tc_embedded_unwrap(const void *code);
uint64_t tc_embedded_image_hash(const void *image, uint64_t size);
// Writes into each record of these notes, which tilecheck made, that it is about this image.
void tc_embedded_bind_code(void *notes, size_t size, uint64_t image_size, uint64_t image_hash);

// ---- contract_eval.c: expressions of a launch ----

// What is known of a launch. Parameters as cudaLaunchKernel takes them, or packed as in CU_LAUNCH_PARAM_BUFFER_POINTER.
typedef struct tc_embedded_launch {
    const void *const *params; // the address of each argument; NULL: they are in buffer
    const void *buffer;
    size_t buffer_size;
    uint32_t grid[3], block[3];
    uint32_t cluster[3]; // 0: the launch gives none
    uint64_t smem;       // dynamic, bytes
    // Reads `size` bytes of device memory; NULL, or false: what they hold is not known. The address is what the launch's arguments say: it
    // may be any, and what is not allocated is not known.
    bool (*read)(void *ctx, uint64_t address, size_t size, void *to);
    // The address of a device variable by its mangled name; NULL, or false: not known.
    bool (*variable)(void *ctx, const char *mangled, uint64_t *address);
    void *ctx;
} tc_embedded_launch;

typedef enum tc_embedded_state {
    TC_EMBEDDED_OPEN,      // not asked for yet
    TC_EMBEDDED_VALUE,
    TC_EMBEDDED_UNDEFINED, // divides by 0, shifts too far, an element that does not exist
    TC_EMBEDDED_OVERFLOW,  // beyond 128 bits
    TC_EMBEDDED_MISSING,   // an argument, an address or an element that is not known
    TC_EMBEDDED_NEVER,     // could not be encoded, or is of a later version
    TC_EMBEDDED_LONG       // more steps than allowed
} tc_embedded_state;

// Why there is no value, as words that follow "cannot be evaluated: ".
const char *tc_embedded_state_text(tc_embedded_state s);

typedef struct tc_embedded_cell {
    tc_i128 value;
    uint8_t state;  // tc_embedded_state
    bool wanted;    // of the evaluation in progress
    bool varies;    // with a bound variable
} tc_embedded_cell;

// One launch under evaluation. The cells are the caller's: one for each node (tc_embedded_nodes), and nothing is computed twice.
typedef struct tc_embedded_frame {
    const tc_embedded *record;
    const tc_embedded_launch *launch;
    tc_embedded_cell *cells;
    tc_i128 bound[TC_REC_MAX_BOUND];
    unsigned nbound; // that have values
} tc_embedded_frame;

uint32_t tc_embedded_nodes(const tc_embedded *e);
void tc_embedded_begin(tc_embedded_frame *f, const tc_embedded *e, const tc_embedded_launch *l, tc_embedded_cell *cells);

// TC_EMBEDDED_VALUE and *r, or why there is none. expr TC_REC_NONE: NEVER.
tc_embedded_state tc_embedded_value(tc_embedded_frame *f, uint32_t expr, tc_i128 *r);
// Gives values to the first n bound variables.
void tc_embedded_bind(tc_embedded_frame *f, const tc_i128 *values, unsigned n);

typedef enum tc_embedded_answer { TC_EMBEDDED_HOLDS, TC_EMBEDDED_FAILS, TC_EMBEDDED_CANNOT } tc_embedded_answer;

// Does the launch meet the condition? *why (may be NULL) is the state for TC_EMBEDDED_CANNOT.
tc_embedded_answer tc_embedded_meets(tc_embedded_frame *f, uint32_t condition, tc_embedded_state *why);

// The address that a borrow has in this launch.
tc_embedded_state tc_embedded_address(const tc_embedded_frame *f, uint32_t borrow, uint64_t *address);

// What the borrow's element of that flat index holds, an integer. It is read whether the contract has it or not.
tc_embedded_state tc_embedded_element(const tc_embedded_frame *f, uint32_t borrow, tc_i128 index, tc_i128 *r);

// ---- contract_facts.c: memory ----

// Bytes of a borrow: [address + lo, address + hi), empty where hi <= lo.
typedef struct tc_embedded_extent {
    uint64_t address;
    tc_i128 lo, hi;
} tc_embedded_extent;
tc_embedded_state tc_embedded_extent_of(tc_embedded_frame *f, uint32_t borrow, tc_embedded_extent *x);

// Checks a fact about contents, reading each element once. steps: nodes and elements that may be visited, counted down; then the answer is
// TC_EMBEDDED_CANNOT with TC_EMBEDDED_LONG. scratch: room for the values, for `injective` only. at: for TC_EMBEDDED_FAILS the
// flat element, or the values of the bound names.
typedef struct tc_embedded_budget {
    uint64_t steps;
    tc_i128 *scratch;
    size_t nscratch;
} tc_embedded_budget;
typedef struct tc_embedded_witness {
    tc_i128 at[TC_REC_MAX_BOUND], value;
    unsigned n;
} tc_embedded_witness;
tc_embedded_answer tc_embedded_fact_holds(tc_embedded_frame *f, uint32_t fact, tc_embedded_budget *budget, tc_embedded_witness *at,
                                          tc_embedded_state *why);

// ---- contract_text.c ----

// The expression as C writes it, at most size - 1 characters ("…" where more would come). Returns to.
const char *tc_embedded_expr_text(const tc_embedded *e, uint32_t expr, char *to, size_t size);
// The values of what the expression speaks of: "n = 1000, gridDim.x = 3".
const char *tc_embedded_values_text(tc_embedded_frame *f, uint32_t expr, char *to, size_t size);

#endif
