// Launches that give back a loan: what a kernel borrowed comes back when the loan is waited for, and not before.
//
//     tc_rt_loan loan;
//     tc_rt_launch((const void *)scale, grid, block, args, 0, stream, &loan);
//     ...
//     tc_rt_wait(&loan);            the host may use the buffers again
//
// The same calls for every use: waited for at once a launch is synchronous; tc_rt_wait_on orders another stream after it, also while the
// stream is captured; without a loan (NULL) it is a plain launch. It works with and without the shim of docs/shim.md, which sees the
// order that these calls make, and says when a buffer is used before it has come back.
//
// The functions of the CUDA runtime (cudaLaunchKernel, …) have to be linked; no header of CUDA is needed. All results are those of the
// runtime: 0 is cudaSuccess. A loan is used by one thread at a time.
#ifndef TILECHECK_ASYNC_H
#define TILECHECK_ASYNC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_rt_size3 {
    unsigned x, y, z; // as dim3
} tc_rt_size3;

typedef struct tc_rt_loan {
    void *event; // NULL: nothing is on loan
} tc_rt_loan;

// The runtime's functions under names of our own, so that its header may be there or not.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define TC_RT_CUDA(name) __asm__(name "_ptsz")
#else
#define TC_RT_CUDA(name) __asm__(name)
#endif
extern int tc_rt_cuda_launch(const void *f, tc_rt_size3 grid, tc_rt_size3 block, void **args, size_t smem, void *stream)
    TC_RT_CUDA("cudaLaunchKernel");
extern int tc_rt_cuda_graph_launch(void *exec, void *stream) TC_RT_CUDA("cudaGraphLaunch");
extern int tc_rt_cuda_event_record(void *event, void *stream) TC_RT_CUDA("cudaEventRecord");
extern int tc_rt_cuda_stream_wait(void *stream, void *event, unsigned flags) TC_RT_CUDA("cudaStreamWaitEvent");
extern int tc_rt_cuda_event_create(void **event, unsigned flags) __asm__("cudaEventCreateWithFlags");
extern int tc_rt_cuda_event_sync(void *event) __asm__("cudaEventSynchronize");
extern int tc_rt_cuda_event_query(void *event) __asm__("cudaEventQuery");
extern int tc_rt_cuda_event_destroy(void *event) __asm__("cudaEventDestroy");
#undef TC_RT_CUDA

// Takes a loan on what was given to the stream until now.
static inline int tc_rt_borrow_stream(void *stream, tc_rt_loan *loan) {
    loan->event = NULL;
    int error = tc_rt_cuda_event_create(&loan->event, 2 /* cudaEventDisableTiming */);
    if (error)
        return error;
    error = tc_rt_cuda_event_record(loan->event, stream);
    if (error) {
        tc_rt_cuda_event_destroy(loan->event);
        loan->event = NULL;
    }
    return error;
}

// Launches, and takes a loan unless `loan` is NULL. When the launch fails there is none.
static inline int tc_rt_launch(const void *kernel, tc_rt_size3 grid, tc_rt_size3 block, void **args, size_t smem, void *stream,
                               tc_rt_loan *loan) {
    if (loan)
        loan->event = NULL;
    int error = tc_rt_cuda_launch(kernel, grid, block, args, smem, stream);
    return error || !loan ? error : tc_rt_borrow_stream(stream, loan);
}

// The same of an executable graph (cudaGraphExec_t).
static inline int tc_rt_launch_graph(void *exec, void *stream, tc_rt_loan *loan) {
    if (loan)
        loan->event = NULL;
    int error = tc_rt_cuda_graph_launch(exec, stream);
    return error || !loan ? error : tc_rt_borrow_stream(stream, loan);
}

// What `stream` is given from now on comes after what was lent. The loan goes on.
static inline int tc_rt_wait_on(const tc_rt_loan *loan, void *stream) {
    return loan->event ? tc_rt_cuda_stream_wait(stream, loan->event, 0) : 0;
}

// Is the loan over? 1; 0: not yet. An error of the device counts as not yet: tc_rt_wait returns it.
static inline int tc_rt_done(const tc_rt_loan *loan) {
    return !loan->event || tc_rt_cuda_event_query(loan->event) == 0;
}

// Gives up the handle without waiting: the buffers stay lent until their stream is synchronised. Also for a loan inside of a capture.
static inline int tc_rt_forget(tc_rt_loan *loan) {
    int error = loan->event ? tc_rt_cuda_event_destroy(loan->event) : 0;
    loan->event = NULL;
    return error;
}

// Waits until the buffers are back. Waiting twice is allowed.
static inline int tc_rt_wait(tc_rt_loan *loan) {
    int error = loan->event ? tc_rt_cuda_event_sync(loan->event) : 0, other = tc_rt_forget(loan);
    return error ? error : other;
}

#ifdef __cplusplus
}
#endif
#endif
