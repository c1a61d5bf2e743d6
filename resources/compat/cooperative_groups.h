// The toolkit's cooperative groups, and a function that left them.
#ifndef TILECHECK_COMPAT_COOPERATIVE_GROUPS_H
#define TILECHECK_COMPAT_COOPERATIVE_GROUPS_H

#include_next <cooperative_groups.h>

#if defined(__CUDA__) && CUDART_VERSION >= 13000
namespace cooperative_groups {
template <class Group> __device__ inline void synchronize(const Group &g) {
    g.sync();
}
} // namespace cooperative_groups
#endif

#endif
