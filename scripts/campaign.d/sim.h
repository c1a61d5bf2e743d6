// Runs generated kernels on the CPU: integers that know how they came about, pointers that know their object, threads with
// barriers, blocks that remember who touched what. Shares nothing with the checker.
//
// A kernel arrives as trees in prefix form (simcode.py writes them): each node is "OP TYPE VALUE COUNT" and its COUNT parts.
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 wide;

// How an integer came about. CHANGED: by an unsigned wrap, a narrowing, a change of sign on the way. UNFILLED: from an element of shared
// memory that nobody wrote.
enum { OVERFLOWED = 1, UNWRITTEN = 2, CHANGED = 4, UNFILLED = 8 };

typedef enum type { I8, U8, I16, U16, I32, U32, I64, U64, REAL, POINTER, NOTHING } type;

// What a node does. Parts are in braces, V is its value.
#define SIM_OPS(X)                                                                                                     \
    X(num)       /* V */                                                                                               \
    X(real)      /* V thousandths */                                                                                   \
    X(var)       /* slot V */                                                                                          \
    X(builtin)   /* threadIdx, blockIdx, blockDim, gridDim: component V */                                             \
    X(load)      /* {pointer, index} */                                                                                \
    X(atomicAdd) /* {pointer, index, amount} */                                                                        \
    X(atomicMax)                                                                                                       \
    X(atomicExch)                                                                                                      \
    X(cast)                                                                                                            \
    X(neg)                                                                                                             \
    X(inv)                                                                                                             \
    X(add) /* both parts are made of the node's type first, in comparisons of type V */                                \
    X(sub)                                                                                                             \
    X(mul)                                                                                                             \
    X(div)                                                                                                             \
    X(rem)                                                                                                             \
    X(bitand)                                                                                                          \
    X(bitor)                                                                                                           \
    X(bitxor)                                                                                                          \
    X(shl)                                                                                                             \
    X(shr)                                                                                                             \
    X(lt)                                                                                                              \
    X(le)                                                                                                              \
    X(gt)                                                                                                              \
    X(ge)                                                                                                              \
    X(eq)                                                                                                              \
    X(ne)                                                                                                              \
    X(min)                                                                                                             \
    X(max)                                                                                                             \
    X(guard) /* {value}: is it not zero? V: the kernel's own */                                                                         \
    X(both)                                                                                                            \
    X(either)                                                                                                          \
    X(not)                                                                                                             \
    X(sel)     /* {condition, value, value} */                                                                         \
    X(padd)    /* {pointer, integer} */                                                                                \
    X(psub)                                                                                                            \
    X(flat)    /* {index, index}: in rows of V */                                                                      \
    X(call)    /* function V */                                                                                        \
    X(invariant)                                                                                                       \
    X(set)     /* slot V {value} */                                                                                    \
    X(unset)   /* slot V has no value yet */                                                                           \
    X(array)   /* slot V {count}: a local array */                                                                     \
    X(shared)  /* slot V {count, number}: a shared array */                                                            \
    X(store)   /* {pointer, index, value} */                                                                           \
    X(modify)  /* {pointer, index, node whose var V is the old value}: loads and stores one place */                   \
    X(expr)                                                                                                            \
    X(seq)                                                                                                             \
    X(cond)    /* {condition, then, else} */                                                                           \
    X(loop)    /* {init, condition, step, body}; V: the body comes first */                                            \
    X(choose)  /* {value, case…} */                                                                                    \
    X(label)   /* V {seq}; type NOTHING: default */                                                                    \
    X(leave)                                                                                                           \
    X(again)                                                                                                           \
    X(ret)                                                                                                             \
    X(sync)                                                                                                            \
    X(known)   /* contracts: launch value V */                                                                         \
    X(content) /* contracts: of parameter V {index} */                                                                 \
    X(cdiv)                                                                                                            \
    X(let)     /* contracts: launch value V {value, rest} */

typedef enum op {
#define X(name) OP_##name,
    SIM_OPS(X)
#undef X
        OP_COUNT
} op;

typedef struct node {
    op op;
    type type;
    wide value;
    int n, seen; // seen: of a condition, 1 when it was false, 2 when it was true
    struct node **part;
} node;

// One element of an object; what it held before this launch is made when it is first touched.
typedef struct cell {
    uint64_t born; // the launch
    long long key, v;
    double r;
    long long wrote, read; // a block; -1: none; read: -2 for several
    uint8_t f;
} cell;

typedef enum kind { READ_ONLY, MUT, ATOMIC, OWN } kind;
enum { DIMS = 3, DENSE = 4096 };

typedef struct given {
    long long index, value;
} given;

typedef struct object {
    const char *name;
    kind kind;
    type type;
    int param, dims;
    bool facts, injective, monotone, init, uninit, region, null, local;
    wide extent[DIMS], stride[DIMS], span; // elements; span: the last that exists, plus 1; 0: none exists
    wide lo, hi, first;
    cell *cells; // dense, or hashed
    uint64_t size, used;
    given *given;
    int ngiven;
} object;

typedef struct value {
    union {
        wide w; // an integer, or a pointer's element
        double r;
    };
    object *o;
    uint8_t f;
} value;

// Launch values of contracts: the indices of at[].
enum { AT_BLOCK, AT_BLOCKDIM = 3, AT_GRIDDIM = 6, AT_COORD = 9, AT_NAME = 12, AT_SCALAR = 15, AT_COUNT = 40 };

typedef struct param {
    char name[24];
    kind kind;
    type type;
    int inplace, dims; // inplace: a parameter, or -1
    bool injective, monotone, optional, strided;
    node *extent[DIMS], *stride[DIMS], *lo, *hi, *init, *owns;
} param;

typedef struct scalar {
    char name[24];
    type type;
    wide lo, hi; // of its type and the requirements on it alone
} scalar;

typedef struct kernel {
    char name[24];
    int slots, nscalars, nparams, nallowed, ndims, nhints, nconds;
    bool grid_free, block_free, barriers;
    wide most[6]; // of each dimension of grid and block
    scalar scalars[16];
    param params[12];
    node *allowed[64], *dims[6], *body;
    int dim_of[6]; // at[] of each of dims
    int nfacts;
    struct {
        int param; // the one whose contents are chosen so that it holds
        node *holds; // over at[AT_NAME], the element
    } facts[4];
    long long hints[48];
} kernel;

typedef struct function {
    char name[24];
    int slots;
    node *body;
} function;

// ---- sim_read.c ----
extern kernel *kernels;
extern function functions[32];
extern int nkernels;
void read_kernels(void); // from stdin, up to the line "commands"

// ---- sim_memory.c ----
extern object *objects[12];
extern uint64_t launch_number;
extern int fill_mode;
extern bool impossible; // no contents were found that the contract allows
extern bool incomplete; // some of the launch was not run: what is unwritten may have been written
extern wide span_low, span_high;
void fault(const char *rule, bool hard, const char *what, wide index);
// A guard that a changed value decides. It is told where the other outcome would have led to other accesses.
void doubtful_guard(const char *rule, const char *what);
uint64_t mixed(uint64_t x);
void lay_out(object *o);                          // strides and span from extents
bool one_to_one(const object *o, bool *decided);
bool place_of(const object *o, wide i, wide *coord); // does the element exist?
cell *cell_of(object *o, wide i);
void touch(object *o, cell *c, wide i, bool write, bool atomic);
wide fits(type t, wide v); // v as a value of t
wide least_of(type t);
wide most_of(type t);

// ---- sim_eval.c ----
extern wide at[AT_COUNT];
extern uint32_t ids[12]; // of the running thread
extern bool no_value;    // a contract divided by zero
extern const kernel *now;
extern int conds_seen;   // outcomes of conditions that were met
extern long long guards_passed; // by the running thread
value eval(node *e, value *frame);
wide wide_of(const node *e); // of a contract's expression
bool owned(const object *o, const wide *coord);
void run_body(void);

// ---- sim_run.c ----
typedef struct watch {
    uint32_t ids[6]; // thread and block
    long long guard; // the guard to turn round, -1: none
    uint64_t trace;  // of its accesses
} watch;
extern watch watched;
bool is_watched(void);
void barrier(void);
void fuel(void);
object *shared_object(int number, wide count, type t);
object *local_object(wide count, type t);

#endif
