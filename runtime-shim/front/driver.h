// Calls of the CUDA driver, as CUPTI hands them over, made into events. Which calls, and how: driver.def; what their parameters are:
// params.def. No header of CUDA is needed.
#ifndef TC_FRONT_DRIVER_H
#define TC_FRONT_DRIVER_H

#include "runtime-shim/contract.h"
#include "runtime-shim/front/front.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define F(type, field) type field;
#define STRUCT(name, fields) typedef struct tc_cu_##name { fields } tc_cu_##name;
#define PARAMS(name, fields) STRUCT(name, fields)
#include "runtime-shim/front/params.def"
#undef PARAMS
#undef STRUCT
#undef F

// What is used of the driver's enumerations (cuda.h).
enum {
    CU_OK = 0,
    CU_CAPTURE_FIRST = 900, // CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED …
    CU_CAPTURE_LAST = 908,  // … CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
    CU_HOST = 1,            // CU_MEMORYTYPE_HOST
    CU_DEVICE = 2,
    CU_ARRAY = 3,
    CU_UNIFIED = 4,
    CU_NON_BLOCKING = 1,    // CU_STREAM_NON_BLOCKING
    CU_RECORD_EXTERNAL = 1, // CU_EVENT_RECORD_EXTERNAL
    CU_INTERPROCESS = 4,    // CU_EVENT_INTERPROCESS
    CU_MEMORY_TYPE = 2,     // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    CU_ATTRIBUTE_CLUSTER = 4, // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    CU_ATTRIBUTE_PROGRAMMATIC = 6, // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
    CU_ATTRIBUTE_SIZE = 72, // sizeof(CUlaunchAttribute): id, padding to 8, 64 bytes of value
    CU_PARAM_END = 0,       // CU_LAUNCH_PARAM_END, …_BUFFER_POINTER, …_BUFFER_SIZE
    CU_PARAM_POINTER = 1,
    CU_PARAM_SIZE = 2
};

typedef struct shim_call {
    const void *params;
    int result; // CUresult; CU_OK at entry
    bool entry, per_thread;
    const char *symbol; // of a launch: the kernel's mangled name; may be NULL
    u32 device;         // number of the context (driver_context)
} shim_call;

#define X(id, name, params, when, take) void take(const shim_call *c);
#define Y X
#include "runtime-shim/front/driver.def"
#undef Y
#undef X

// ---- driver.c ----

// One callback: `id` of driver.def, on entry or after the call.
void driver_call(u32 id, bool entry, const void *params, int result, const char *symbol, u64 context, u32 context_uid);
// For each row: is it wanted?
void driver_wanted(void (*want)(void *ctx, u32 id), void *ctx);
void driver_context_ends(u64 context);
void driver_module_ends(void);

// A number for a context: the ordinal of its device, where it is the first one on it.
u32 driver_context(u64 context, u32 uid);
// A function of the driver in this process, or NULL.
void *driver_function(const char *name);

void driver_give(const shim_call *c, tc_rt_event *e); // in brackets of its own
static inline u32 driver_accepted(const shim_call *c) {
    return !c->entry && c->result == CU_OK ? TC_RT_ACCEPTED : 0;
}
static inline u64 driver_stream(const shim_call *c, u64 handle) {
    return handle ? handle : c->per_thread ? TC_RT_PER_THREAD : TC_RT_LEGACY;
}

// ---- code.c: what code a handle stands for ----

// One image that the driver was given: bytes of the program or of a library, or made at run time. Lives on; images are equal when they are
// the same, or were made at run time and have the same bytes.
typedef struct shim_code {
    const void *object; // where the program or library that holds it begins; NULL: made at run time
    const void *image;  // in the object
    u64 size, hash;     // bytes, 0: of no known form; the hash once code_hash has asked for it
    bool hashed;
} shim_code;
void code_loaded(u64 handle, const void *code); // of a module or library, which the driver has made of this
void code_is_of(u64 handle, u64 from);          // of a kernel, function or module that belongs to another handle
void code_unloaded(u64 handle);
// NULL: not known. kind as in kernels_find.
shim_code *code_of(u64 handle);
u64 code_hash(shim_code *c); // 0: it has none, or its object is gone
const void *code_object(const void *address); // the object that is loaded there, or NULL

// ---- kernels.c ----

typedef struct shim_kernel shim_kernel;

typedef struct shim_launch {
    u64 function;
    u32 grid[3], block[3], cluster[3];
    u64 smem;
    void **params, **extra;
    bool programmatic; // the attribute of programmatic stream serialisation
} shim_launch;

// The driver takes a function or, cast to one, a kernel of a library; other calls take one of the two and no other.
typedef enum shim_handle { SHIM_UNKNOWN, SHIM_FUNCTION, SHIM_KERNEL } shim_handle;
void kernels_handle(u64 handle, shim_handle kind); // the driver gave it out as such

// What is known of a function: its contract, if there is one. Not in the brackets: it may ask the driver. symbol: or NULL. kind: what it is
// where that was not seen.
shim_kernel *kernels_find(u64 function, const char *symbol, shim_handle kind);
// In the brackets: fills name, uses and breaches of a LAUNCH, or makes it LAUNCH_UNTRACKED. What e points to lives until the next call.
void kernels_launch(shim_kernel *k, const shim_launch *l, tc_rt_event *e);
const tc_embedded *kernels_record(const shim_kernel *k); // NULL: it has no contract
void kernels_asked(const shim_launch *l, tc_embedded_launch *out); // without ways to read
void kernels_breach(tc_rt_event *e, const char *text, const char *at, const char *shown); // in the brackets, after kernels_launch
void kernels_forget_handles(void); // functions of a module are gone; their handles may come again
void kernels_are_stubs(void);      // functions are addresses of the host, not handles that the driver knows
void kernels_start(void);          // reads TILECHECK_RT_CONTRACTS

// ---- driver_copy.c ----

enum { COPY_USES = 2 };
unsigned driver_copy_uses(const tc_cu_CUDA_MEMCPY3D *copy, tc_rt_use uses[COPY_USES]);
tc_rt_region driver_rows(u64 base, u64 width, u64 height, u64 pitch); // bytes

// ---- contents.c: facts about what arrays hold, by choice ----

// Before the launch: waits for the stream, reads the arrays of which the contract says something, and keeps what is not so for
// contents_tell on this thread. Not in the brackets. Nothing is looked at while the stream is captured.
void contents_look(const shim_kernel *k, const shim_launch *l, u64 stream);
// In the brackets: the facts that did not hold, as breaches of the launch; those that could not be looked at are counted.
void contents_tell(const shim_kernel *k, tc_rt_event *e);

// ---- contents_device.c: the same by kernels (runtime-shim/kernels/contents.cu) ----

// Checks fact number `fact` with a kernel on the stream, behind what that was given, and waits for it. NULL: *answer says whether it holds,
// and *at is set as tc_embedded_fact_holds sets it. Otherwise why the device does not check it, a static text; nothing was decided then.
// Muted, while the stream is not captured.
const char *contents_on_device(tc_embedded_frame *f, uint32_t fact, u64 stream, tc_embedded_answer *answer, tc_embedded_witness *at);

#endif
