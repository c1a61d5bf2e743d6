// Host functions under the lifter: what they launch, with which grid, block, shared memory and arguments.
//
// A host function is lifted as a kernel of one thread would be (lift.h): its parameters are symbols, calls are walked into, loops
// are described. What differs is memory. Local variables are followed until their addresses get out; what others may see (variables
// that got out, globals, what parameters point to) is forgotten at each call of code that is not walked into, and at each store that
// may go anywhere. What the CUDA runtime does is a table (host.def).
#ifndef TC_CHECKER_HOST_H
#define TC_CHECKER_HOST_H

#include "checker/lift.h"

// ---- which functions (host_graph.c) ----

typedef struct tc_host_node {
    LLVMValueRef function;
    TC_VEC(uint32_t) calls; // functions with a body that it calls, as indices
    TC_VEC(LLVMValueRef) kernels; // launch functions that it names
    uint32_t size;          // instructions, those of what it calls included, up to a limit
    bool launches, reaches; // contains a launch; it or what it calls does
    bool called;            // by a function of the module
    bool catches;           // exceptions
    bool stub;              // a kernel's own launch function
} tc_host_node;

typedef struct tc_host_graph {
    TC_VEC(tc_host_node) nodes;
    tc_map index; // function -> its node + 1
    tc_map stubs; // launch functions of kernels, with a body or without
} tc_host_graph;

tc_host_graph *tc_host_graph_make(tc_arena *a, const tc_unit *u);
const tc_host_node *tc_host_node_of(const tc_host_graph *g, LLVMValueRef function); // NULL: no body
// Launch functions that the function, or what it calls, names, as keys of the map.
tc_map tc_host_kernels_of(tc_arena *a, const tc_host_graph *g, LLVMValueRef function);
// Is a call of it followed? Others may do anything to the memory that they can reach.
bool tc_host_walks(const tc_host_graph *g, LLVMValueRef function);
// May it be called from elsewhere, with any arguments?
bool tc_host_is_open(LLVMValueRef function);
bool tc_host_is_initialiser(LLVMValueRef function); // of one global variable, as the compiler writes it

// ---- what is found ----

// Memory that the function itself allocates.
typedef struct tc_allocation {
    uint32_t object;
    tc_t size;      // bytes; NULL: unknown
    const char *by; // "cudaMalloc"
    const char *into; // the variable that it was put into, of the function that is lifted; NULL: another place
    tc_loc loc;
    bool many;      // made in a loop: stands for several
    const void *loop; // the innermost described loop that it is made in, or NULL
    bool given_back;  // somewhere in the function it is freed, or given to what may free it
    tc_loc freed;     // where it is surely freed, if anywhere
} tc_allocation;

// Bytes of the host's memory that cudaHostRegister has made a device reach.
typedef struct tc_pinned {
    tc_t cond, from, size; // when, as far as it has come; from which byte of the object on, and how many
    const void *loop;      // the innermost described loop that it is called in, or NULL
    bool undone;           // somewhere in the function they are unregistered
} tc_pinned;

// Whose memory a place is: of the device or unknown; new of the host; a variable of the host's; the variable that stands for one of the device.
typedef enum tc_memory_kind { TC_MEMORY_OPEN, TC_MEMORY_HOST, TC_MEMORY_STACK, TC_MEMORY_VARIABLE, TC_MEMORY_SHADOW } tc_memory_kind;

// What is passed for a pointer: one of several places, each under a condition, with a byte offset.
typedef enum tc_passed_kind { TC_PASSED_NULL, TC_PASSED_OBJECT, TC_PASSED_LOCAL, TC_PASSED_UNKNOWN } tc_passed_kind;

typedef struct tc_passed_alt {
    tc_t cond;
    tc_passed_kind kind;
    uint32_t id;   // OBJECT: of the model's objects; LOCAL: its place
    tc_t offset;   // bytes, as the machine's signed 64 bits
    tc_t size;     // bytes of the object; NULL: unknown
    tc_t address;  // of byte 0 of the place; NULL: not one place
    const char *name;
    const tc_allocation *made; // NULL: elsewhere
    bool several;  // the place stands for several buffers
    tc_t freed;    // when it may have been freed before, as far as the code before the launch says; NULL: never
    tc_t gone;     // when it surely was; NULL: never
    bool turns;    // launched in a loop that the buffer is not made in: what is freed behind the launch is freed before the next turn's
    bool distinct; // a variable or an allocation: no other one is the same memory
    bool fresh;    // made since the function began
    bool old;      // a pointer that was there when it began
    uint64_t align; // bytes that byte 0 of the place is known to be aligned to
    tc_memory_kind memory;
    const tc_pinned *pinned;      // not OPEN: bytes of it that a device reaches; NULL: none
    tc_t pinned_cond;             // when, as far as the code before the launch says
    bool pinned_turns;            // launched in a loop that they are not registered in
    const tc_allocation *copy;    // not OPEN: the buffer of the device that it was copied to before; NULL: none
} tc_passed_alt;

typedef struct tc_passed {
    TC_VEC(tc_passed_alt) alts; // none: unknown
    tc_t nonnull;
} tc_passed;

typedef struct tc_launch_site {
    uint32_t kernel;        // of the unit
    tc_contract *contract;
    tc_t guard;
    uint32_t loop, point;
    tc_t grid[3], block[3], smem; // as the launch has them: unsigned; smem in bytes
    tc_t cluster[3];        // as an attribute of the launch says; NULL: none
    bool any_cluster;       // its attributes are not known
    size_t missing;         // so many of the kernel's parameters the list of arguments surely lacks
    bool begins_early;      // it may begin before the kernels before it have ended: by an attribute, or by one that is not known
    tc_t *scalars;          // of each scalar of the contract
    tc_passed *pointers;    // of each object of the contract that is a parameter's
    tc_loc loc;
    tc_notes calls;         // innermost first
} tc_launch_site;

// ---- one lift ----

typedef struct tc_config {
    const tc_val *grid_xy, *grid_z, *block_xy, *block_z, *smem, *stream;
} tc_config;

// Memory that others see, as a variable of the lifter's.
typedef struct tc_outside {
    LLVMValueRef global; // or what parameter `param` has a pointer to at `offset`
    uint32_t param;
    uint64_t offset;
    uint32_t object;  // of the present run
    tc_local *local;
    bool later;       // a kernel or an asynchronous copy may write it until some call of the runtime returns
} tc_outside;

// Numbers of "parameters" that are none of the function's own.
enum { TC_HOST_UNNAMED = 1 << 16, TC_HOST_OUTSIDE = 1 << 20, TC_HOST_MADE = 1 << 22 };

struct tc_host {
    const tc_unit *unit;
    const tc_host_graph *graph;
    tc_contract **contracts; // of each kernel of the unit; NULL: it is not asked about
    tc_map kernels;          // launch function -> index of the kernel + 1
    // What the last run found, in its arena.
    TC_VEC(tc_launch_site) sites;
    TC_VEC(tc_allocation *) allocations;
    TC_VEC(tc_config) pending; // configurations of launches whose arguments are being computed
    uint32_t made;             // objects of its own
    tc_map by_object;          // object -> index of outside + 1
    tc_map several;            // objects that stand for several
    tc_map freed;              // object + 1 -> condition under which it may have been freed since it was made
    tc_map gone;               // object + 1 -> one under which it surely was
    tc_map pinned;             // object + 1 -> tc_pinned
    tc_map copied_to;          // place + 1 -> tc_allocation of the device
    // What holds for all runs, in `kept`.
    tc_arena *kept;
    TC_VEC(tc_outside) outside;
    tc_map leaked;  // local variables whose address got out, by LLVM value
    tc_map copied;  // those that an asynchronous copy may write
    tc_map entered; // functions that were walked through
    const char *lost; // what on the way is not followed, so that nothing is known of what comes behind; NULL: nothing
};

// Lifts fn, which is c's kernel as the contract sees it, with parameters as its type says.
void tc_lift_host(tc_arena *a, const tc_unit *u, tc_contract *c, tc_kmodel *m, tc_host *h, LLVMValueRef fn);

// host_calls.c: true: the call was one of the table or is not followed, and all is done.
bool tc_host_call(tc_lift *L, tc_flow *f, LLVMValueRef callee, const char *name, LLVMValueRef inst);
// A call of code of which nothing is known.
void tc_host_unknown_call(tc_lift *L, tc_flow *f, LLVMValueRef inst);
// The function is entered: what of it is not followed is noted.
void tc_host_enter(tc_lift *L, LLVMValueRef function);

// host_launch.c
// A call of the launch function of a kernel that has no body here, with the kernel's own arguments.
void tc_host_launch_declared(tc_lift *L, tc_flow *f, LLVMValueRef stub, const tc_val *const *args, size_t nargs);
void tc_host_launch(tc_lift *L, tc_flow *f, const tc_val *function, const tc_config *config, const tc_val *args);
// cudaLaunchKernelExC
void tc_host_launch_ex(tc_lift *L, tc_flow *f, const tc_val *function, const tc_val *config, const tc_val *args);

// host_memory.c
void tc_host_begin(tc_lift *L);                    // a run begins
const char *tc_host_param_name(tc_lift *L, uint32_t param); // of numbers from TC_HOST_UNNAMED on
const tc_val *tc_host_load(tc_lift *L, tc_flow *f, const tc_val *ptr, uint64_t offset, LLVMTypeRef type);
void tc_host_put(tc_lift *L, tc_flow *f, const tc_val *ptr, uint64_t offset, uint64_t width, const tc_val *v);
// An access to what is no local variable.
const tc_val *tc_host_access(tc_lift *L, tc_flow *f, const tc_alt *alt, const tc_touch *a, const tc_val *stored);
// A local variable that stands for bytes from *at on of what others see; NULL where they do not lie in one place.
tc_local *tc_host_outside_at(tc_lift *L, const tc_val *ptr, tc_t width, uint64_t *at);
void tc_host_leak(tc_lift *L, const tc_val *v);          // the value gets out of sight, and the addresses in it
void tc_host_leak_cells(tc_lift *L, const tc_state *s, const tc_local *l);
bool tc_host_keeps(const tc_lift *L, const tc_val *ptr); // what is stored there stays in sight
void tc_host_clobber(tc_lift *L, tc_flow *f);            // somebody may have written all that others see
void tc_host_forget(tc_lift *L, tc_flow *f, const tc_val *ptr); // … what ptr points to
void tc_host_write_later(tc_lift *L, tc_flow *f, const tc_val *ptr); // … and what it points to may be written until it is waited for
void tc_host_forget_later(tc_lift *L, tc_flow *f);
// A pointer that nothing is known of but that it is itself, also later; NULL where it may be several.
const tc_val *tc_host_pointer(tc_lift *L, const char *name, uint64_t key);
bool tc_host_is_several(const tc_lift *L, uint32_t place);
// Memory that is new: a pointer to it.
const tc_val *tc_host_allocate(tc_lift *L, const char *by, tc_t size);
const tc_allocation *tc_host_allocation_of(const tc_lift *L, uint32_t object); // NULL: none that it made
bool tc_host_is_of_device(const tc_allocation *made);                          // given by the CUDA runtime
const char *tc_host_local_name(tc_lift *L, const tc_local *l);
// The pointer is freed; any: one of unknown origin may be each allocation of the function, and not: it is none of them.
void tc_host_free(tc_lift *L, const tc_flow *f, const tc_val *v, bool any);
void tc_host_free_all(tc_lift *L, const tc_flow *f); // what the runtime has given
void tc_host_pin(tc_lift *L, const tc_flow *f, const tc_val *v, tc_t size);
void tc_host_unpin(tc_lift *L, const tc_flow *f, const tc_val *v);
void tc_host_note_copy(tc_lift *L, const tc_val *to, const tc_val *from);
// The innermost loop that is described once and not unrolled, or NULL: the same in all passes.
const void *tc_host_loop(const tc_lift *L);

#endif
