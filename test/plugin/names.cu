// Names in a contract mean what they would mean in the kernel: constants, types, functions.
// RUN: %clang --cuda-device-only %s 2>&1 | FileCheck %s
// RUN: not %clang --cuda-device-only -DRUNTIME %s 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not %clang --cuda-device-only -DHIDDEN %s 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: not %clang --cuda-device-only -DELSEWHERE %s 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
#include <tilecheck.h>

constexpr int width = 8; // hidden by tiles::width
int runtime = 64;

namespace tiles {
constexpr unsigned width = 64;
enum class Side : long { left = 1, right };
enum { unit = 1 };
struct Sizes {
    static constexpr int height = 2;
    static const int one = 1;
};
template <class T> struct Lanes {
    static constexpr int value = 16 / sizeof(T);
    using type = float4;
};
template <class T> constexpr int lanes = Lanes<T>::value;
using size = unsigned long long;
inline namespace v1 {
constexpr bool enabled = true;
}

// Used by contracts only.
extern "C" {
static __device__ inline int block_of(int tile) { return tile; }
}
template <int N> __device__ int times(int x) { return x * N; }

template <class T, int N>
tc_block(width) tc_grid(tc_cdiv(n, width)) tc_requires(n >= Sizes::one && enabled)
tc_requires(Lanes<T>::value == 4 && sizeof(typename Lanes<T>::type) == 16 && N == 3)
tc_requires((size)n < (unsigned long long)1 << 31 && int(Side::right) == 2)
__global__ void copy(tc_shared tc_shape(n) const T *in,
                     tc_mut tc_shape(n) tc_tile(tiles::width * unit)
                         tc_owner(i; block_of(i)) T *out, int n)
{
    const int i = blockIdx.x * width + threadIdx.x;
    if (i < n)
        out[i] = in[i] + (lanes<T> + times<2>(N)) * 0;
}
template __global__ void copy<float, 3>(const float *, float *, int);
}

#ifdef RUNTIME
// A variable is no constant.
// RUNTIME: names.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}runtime{{.*}}[TC9001]
tc_block(runtime) tc_grid(1) __global__ void wrong(tc_mut tc_shape(1) float *out) { out[0] = 0.0f; }
#endif
#ifdef HIDDEN
// Nor may it be passed over for a constant outside of its namespace.
namespace inner {
__device__ int width;
// HIDDEN: names.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}width{{.*}}[TC9001]
tc_block(width) tc_grid(1) __global__ void wrong(tc_mut tc_shape(1) float *out) { out[0] = 0.0f; }
}
#endif
#ifdef ELSEWHERE
// Nor is a name of a namespace that the kernel is not in.
// ELSEWHERE: names.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}unit{{.*}}[TC9001]
tc_block(unit) tc_grid(1) __global__ void wrong(tc_mut tc_shape(1) float *out) { out[0] = 0.0f; }
#endif

// CHECK-NOT: TC9001
// CHECK: tilecheck: 1 kernel: 1 proved
