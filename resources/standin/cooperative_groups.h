// Cooperative groups: thread blocks, tiles of a warp, coalesced threads, clusters, the grid.
#ifndef TILECHECK_STANDIN_COOPERATIVE_GROUPS_H
#define TILECHECK_STANDIN_COOPERATIVE_GROUPS_H

#include "tilecheck_cuda.h"

#define TC_D __device__ __inline__ __attribute__((always_inline))

namespace cooperative_groups {
inline namespace __v1 {

// The whole block.
class thread_block {
public:
    TC_D static void sync() {
        __syncthreads();
    }
    TC_D static unsigned int thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    TC_D static unsigned int size() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    TC_D static unsigned int num_threads() {
        return size();
    }
    TC_D static dim3 group_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    TC_D static dim3 thread_index() {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    TC_D static dim3 group_dim() {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    TC_D static dim3 dim_threads() {
        return group_dim();
    }
};
TC_D thread_block this_thread_block() {
    return thread_block();
}

// All blocks of a cooperative launch. The barrier has no body: it is known by its name. Its two halves are not followed.
class grid_group {
public:
    using arrival_token = unsigned int;
    __device__ void sync() const;
    __device__ arrival_token barrier_arrive() const;
    __device__ void barrier_wait(arrival_token &&) const;
    TC_D static bool is_valid() {
        return true;
    }
    TC_D static unsigned long long block_rank() {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    TC_D static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    TC_D static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    TC_D static unsigned long long size() {
        return num_blocks() * thread_block::size();
    }
    TC_D static unsigned long long num_threads() {
        return size();
    }
    TC_D static dim3 group_dim() {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
};
TC_D grid_group this_grid() {
    return grid_group();
}

class cluster_group {
public:
    TC_D static void sync() {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    TC_D static unsigned int block_rank() {
        return __clusterRelativeBlockRank();
    }
    TC_D static unsigned int num_blocks() {
        return __clusterSizeInBlocks();
    }
    TC_D static dim3 block_index() {
        return __clusterRelativeBlockIdx();
    }
    TC_D static dim3 dim_blocks() {
        return __clusterDim();
    }
    template <class T> TC_D static T *map_shared_rank(T *p, int rank) {
        return (T *)__cluster_map_shared_rank(p, (unsigned)rank);
    }
};
TC_D cluster_group this_cluster() {
    return cluster_group();
}

// Warp functions of a set of lanes given by its mask; ranks count within the set.
#define TC_WARP_FUNCTIONS(rank_to_lane, width)                                                                         \
    template <class T> TC_D T shfl(T v, int rank) const {                                                              \
        return __shfl_sync(mask_(), v, rank_to_lane, width);                                                           \
    }                                                                                                                  \
    TC_D int any(int pred) const {                                                                                     \
        return __any_sync(mask_(), pred);                                                                              \
    }                                                                                                                  \
    TC_D int all(int pred) const {                                                                                     \
        return __all_sync(mask_(), pred);                                                                              \
    }                                                                                                                  \
    TC_D void sync() const {                                                                                           \
        __syncwarp(mask_());                                                                                           \
    }

// Size consecutive threads, a power of two up to 32.
template <unsigned int Size, class Parent = thread_block> class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile is a power of two within a warp");
    TC_D static unsigned int lane_() {
        return thread_block::thread_rank() & 31u;
    }
    TC_D static unsigned int mask_() {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31u)) - 1u) << (lane_() & ~(Size - 1u));
    }

public:
    TC_D static unsigned int thread_rank() {
        return thread_block::thread_rank() & (Size - 1u);
    }
    TC_D static constexpr unsigned int size() {
        return Size;
    }
    TC_D static constexpr unsigned int num_threads() {
        return Size;
    }
    TC_D static unsigned int meta_group_rank() {
        return thread_block::thread_rank() / Size;
    }
    TC_D static unsigned int meta_group_size() {
        return (thread_block::size() + Size - 1) / Size;
    }
    TC_WARP_FUNCTIONS(rank, (int)Size)
    template <class T> TC_D T shfl_up(T v, unsigned int delta) const {
        return __shfl_up_sync(mask_(), v, delta, (int)Size);
    }
    template <class T> TC_D T shfl_down(T v, unsigned int delta) const {
        return __shfl_down_sync(mask_(), v, delta, (int)Size);
    }
    template <class T> TC_D T shfl_xor(T v, int lanes) const {
        return __shfl_xor_sync(mask_(), v, lanes, (int)Size);
    }
    TC_D unsigned int ballot(int pred) const {
        return (__ballot_sync(mask_(), pred) & mask_()) >> (lane_() & ~(Size - 1u));
    }
};

// The lanes that are active together where the group is made.
class coalesced_group {
    unsigned int lanes_;
    TC_D unsigned int mask_() const {
        return lanes_;
    }

public:
    TC_D explicit coalesced_group(unsigned int lanes) : lanes_(lanes) {}
    TC_D unsigned int thread_rank() const {
        return (unsigned)__popc(lanes_ & __nvvm_read_ptx_sreg_lanemask_lt());
    }
    TC_D unsigned int size() const {
        return (unsigned)__popc(lanes_);
    }
    TC_D unsigned int num_threads() const {
        return size();
    }
    TC_WARP_FUNCTIONS((int)__fns(lanes_, 0, rank + 1), 32)
};
#undef TC_WARP_FUNCTIONS
TC_D coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

template <unsigned int Size, class Parent> TC_D thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return thread_block_tile<Size, Parent>();
}
template <class Group> TC_D void sync(const Group &g) {
    g.sync();
}
template <class Group> TC_D void synchronize(const Group &g) {
    g.sync();
}
template <class Group> TC_D unsigned int thread_rank(const Group &g) {
    return (unsigned)g.thread_rank();
}
template <class Group> TC_D unsigned int group_size(const Group &g) {
    return (unsigned)g.size();
}

template <class T> struct plus {
    TC_D T operator()(T a, T b) const {
        return a + b;
    }
};
template <class T> struct less {
    TC_D T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
template <class T> struct greater {
    TC_D T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
// A butterfly over the tile: every thread gets the result.
template <unsigned int Size, class Parent, class T, class Op>
TC_D T reduce(const thread_block_tile<Size, Parent> &g, T v, Op op) {
    for (int lanes = (int)Size / 2; lanes > 0; lanes /= 2)
        v = op(v, g.shfl_xor(v, lanes));
    return v;
}

} // namespace __v1
} // namespace cooperative_groups

#undef TC_D

#endif
