// One warp fills a stage, another empties it: two named barriers, one-way where nobody waits.
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
// RUN: %exits 0 %tilecheck run %s --kernel hand_over --set count=4
// VERDICT: kernel hand_over proved

#include <tilecheck.h>

__device__ __forceinline__ void wait_at(int id) { asm volatile("bar.sync %0, 64;" :: "r"(id) : "memory"); }
__device__ __forceinline__ void pass_by(int id) { asm volatile("bar.arrive %0, 64;" :: "r"(id) : "memory"); }

enum { FILLED = 3, EMPTIED = 4 };

tc_block(64) tc_grid(1)
tc_requires(count >= 1 && count <= 1 << 16)
__global__ void hand_over(tc_shared tc_shape(count, 32) const int *in, tc_out tc_shape(count, 32) int *out, int count)
{
    __shared__ int stage[32];
    const int lane = threadIdx.x % 32;

    if (threadIdx.x / 32 == 0) {
        for (int k = 0; k < count; ++k) {
            if (k != 0)
                wait_at(EMPTIED);
            stage[lane] = in[k * 32 + lane];
            pass_by(FILLED);
        }
    } else {
        for (int k = 0; k < count; ++k) {
            wait_at(FILLED);
            out[k * 32 + lane] = stage[lane ^ 1];
            if (k != count - 1)
                pass_by(EMPTIED);
        }
    }
}
