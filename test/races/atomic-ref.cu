// Hand-overs by cuda::atomic_ref and cuda::atomic: the order and the scope of each count. b_: near misses.
// RUN: %verdicts %s --standin | FileCheck %s
// RUN: %if cuda %{ %verdicts %s --cuda-path=%cuda | FileCheck %s %}
#include <cuda/atomic>
#include <tilecheck.h>
#define B 64

template <class T> using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T> using block_ref = cuda::atomic_ref<T, cuda::thread_scope_block>;

// ---- the last block ----

#define LAST(NAME, COUNTER, BEFORE, ADD, BEHIND)                                                                       \
    tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535)                                                           \
    __global__ void NAME(tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *part,                   \
                         tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) tc_init(0) COUNTER *count, int m)          \
    {                                                                                                                  \
        __shared__ bool last;                                                                                          \
        part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];                                          \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0) {                                                                                        \
            BEFORE;                                                                                                    \
            last = ADD == gridDim.x - 1;                                                                               \
            BEHIND;                                                                                                    \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (last) {                                                                                                    \
            float sum = 0;                                                                                             \
            for (int i = 0; i < m; i++)                                                                                \
                sum += part[i * B + threadIdx.x];                                                                      \
            y[threadIdx.x] = sum;                                                                                      \
        }                                                                                                              \
    }

// CHECK: kernel last_acq_rel proved
LAST(last_acq_rel, unsigned, , device_ref<unsigned>(*count).fetch_add(1, cuda::memory_order_acq_rel), )
// CHECK: kernel last_default proved
LAST(last_default, unsigned, , cuda::atomic_ref<unsigned>(*count)++, )
// CHECK: kernel last_std proved
LAST(last_std, unsigned, , cuda::std::atomic_ref<unsigned>(*count).fetch_add(1), )
// CHECK: kernel last_object proved
using device_counter = cuda::atomic<unsigned, cuda::thread_scope_device>;
LAST(last_object, device_counter, , count->fetch_add(1, cuda::std::memory_order_acq_rel), )
#define FENCE(order, scope) cuda::atomic_thread_fence(cuda::memory_order_##order, cuda::thread_scope_##scope)
#define ADD_RELAXED device_ref<unsigned>(*count).fetch_add(1, cuda::memory_order_relaxed)
// CHECK: kernel last_fences proved
LAST(last_fences, unsigned, FENCE(acq_rel, device), ADD_RELAXED, FENCE(seq_cst, system))

// CHECK: kernel b_last_relaxed violated
LAST(b_last_relaxed, unsigned, , ADD_RELAXED, )
// CHECK: kernel b_last_release violated
LAST(b_last_release, unsigned, , device_ref<unsigned>(*count).fetch_add(1, cuda::memory_order_release), )
// CHECK: kernel b_last_acquire violated
LAST(b_last_acquire, unsigned, , device_ref<unsigned>(*count).fetch_add(1, cuda::memory_order_acquire), )
// CHECK: kernel b_last_no_fence_behind violated
LAST(b_last_no_fence_behind, unsigned, FENCE(release, device), ADD_RELAXED, )
// CHECK: kernel b_last_fence_of_block violated
LAST(b_last_fence_of_block, unsigned, FENCE(acq_rel, block), ADD_RELAXED, FENCE(acq_rel, block))
// CHECK: kernel b_last_fence_relaxed violated
LAST(b_last_fence_relaxed, unsigned, FENCE(relaxed, device), ADD_RELAXED, FENCE(relaxed, device))
// Two blocks add at once, and neither may see the other.
// CHECK: kernel b_last_block_scope {{violated|unknown}}
LAST(b_last_block_scope, unsigned, , block_ref<unsigned>(*count).fetch_add(1), )
using thread_counter = cuda::atomic<unsigned, cuda::thread_scope_thread>;
// CHECK: kernel b_last_thread_scope {{violated|unknown}}
LAST(b_last_thread_scope, thread_counter, , count->fetch_add(1), )

// ---- flags ----

#define CHAIN(NAME, WAIT, SEND)                                                                                        \
    tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 4096)                                                            \
    __global__ void NAME(tc_mut tc_shape(n, B) float *data, tc_atomic tc_shape(n) tc_init(0) int *flag, int n)         \
    {                                                                                                                  \
        float v = 0;                                                                                                   \
        if (blockIdx.x > 0) {                                                                                          \
            if (threadIdx.x == 0) {                                                                                    \
                int &before = flag[blockIdx.x - 1];                                                                    \
                WAIT;                                                                                                  \
            }                                                                                                          \
            __syncthreads();                                                                                           \
            v = data[(blockIdx.x - 1) * B + threadIdx.x];                                                              \
        }                                                                                                              \
        data[blockIdx.x * B + threadIdx.x] = v + 1;                                                                    \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0) {                                                                                        \
            int &own = flag[blockIdx.x];                                                                               \
            SEND;                                                                                                      \
        }                                                                                                              \
    }
#define WAIT_FOR(ref, order) while (ref<int>(before).load(cuda::memory_order_##order) == 0)
#define SET(ref, order) ref<int>(own).store(1, cuda::memory_order_##order)

// CHECK: kernel chain proved
CHAIN(chain, WAIT_FOR(device_ref, acquire), SET(device_ref, release))
// CHECK: kernel chain_default proved
CHAIN(chain_default, while (!cuda::atomic_ref<int>(before)), cuda::atomic_ref<int> it(own); it = 1)
// CHECK: kernel chain_exchange proved
CHAIN(chain_exchange, WAIT_FOR(device_ref, acquire), device_ref<int>(own).exchange(1, cuda::memory_order_release))
// CHECK: kernel chain_or proved
CHAIN(chain_or, WAIT_FOR(device_ref, acquire), device_ref<int> it(own); it |= 1)
// CHECK: kernel chain_fences proved
CHAIN(chain_fences, WAIT_FOR(device_ref, relaxed); FENCE(acquire, device), FENCE(release, device); SET(device_ref, relaxed))

// CHECK: kernel b_chain_no_acquire violated
CHAIN(b_chain_no_acquire, WAIT_FOR(device_ref, relaxed), SET(device_ref, release))
// CHECK: kernel b_chain_no_release violated
CHAIN(b_chain_no_release, WAIT_FOR(device_ref, acquire), SET(device_ref, relaxed))
// CHECK: kernel b_chain_block_scope {{violated|unknown}}
CHAIN(b_chain_block_scope, WAIT_FOR(block_ref, acquire), SET(device_ref, release))
// CHECK: kernel b_chain_sent_in_block {{violated|unknown}}
CHAIN(b_chain_sent_in_block, WAIT_FOR(device_ref, acquire), SET(block_ref, release))
// A fence for the compiler alone.
// CHECK: kernel b_chain_signal_fence violated
CHAIN(b_chain_signal_fence, WAIT_FOR(device_ref, relaxed); cuda::atomic_signal_fence(cuda::memory_order_seq_cst),
      SET(device_ref, release))

// ---- turns ----

#define TURNS(NAME, ORDER_OF_WAIT, ORDER_OF_PASS)                                                                      \
    tc_block(B) tc_grid(tiles, slices) tc_requires(tiles >= 1 && tiles <= 1024 && slices >= 1 && slices <= 64)         \
    __global__ void NAME(tc_shared tc_shape(slices, tiles, B) const float *x, tc_mut tc_shape(tiles, B) float *y,      \
                         tc_atomic tc_shape(tiles) tc_init(0) int *turn, int tiles, int slices)                        \
    {                                                                                                                  \
        int tile = blockIdx.x, slice = blockIdx.y;                                                                     \
        device_ref<int> now(turn[tile]);                                                                               \
        if (threadIdx.x == 0)                                                                                          \
            while (now.load(cuda::memory_order_##ORDER_OF_WAIT) != slice)                                              \
                ;                                                                                                      \
        __syncthreads();                                                                                               \
        float before = slice > 0 ? y[tile * B + threadIdx.x] : 0;                                                      \
        y[tile * B + threadIdx.x] = before + x[(slice * tiles + tile) * B + threadIdx.x];                              \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0)                                                                                          \
            now.store(slice + 1, cuda::memory_order_##ORDER_OF_PASS);                                                  \
    }

// CHECK: kernel in_turn proved
TURNS(in_turn, acquire, release)
// CHECK: kernel b_turn_relaxed violated
TURNS(b_turn_relaxed, relaxed, relaxed)
// CHECK: kernel b_turn_no_acquire violated
TURNS(b_turn_no_acquire, relaxed, release)
