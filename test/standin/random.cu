// curand: a state is read and written by each draw.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %verdicts %s --all --block=32 --grid=2 --rules=TC1001,TC1002,TC3001,TC3002 | FileCheck %s
#include <curand_kernel.h>
#define T (threadIdx.x + blockIdx.x * blockDim.x)

// CHECK: kernel each_its_own assumed
__global__ void each_its_own(curandState *s, float *y) { curand_init(1, T, 0, &s[T]); y[T] = curand_uniform(&s[T]); }
// CHECK: kernel one_for_all violated
__global__ void one_for_all(curandState *s, float *y) { y[T] = curand_normal(s); }
// CHECK: kernel set_up_together violated
__global__ void set_up_together(curandState *s) { curand_init(1, 0, 0, s); }
// CHECK: kernel of_a_block assumed
__global__ void of_a_block(curandStateMtgp32 *s, unsigned *y) { y[T] = curand(&s[blockIdx.x]); }
// CHECK: kernel of_two_blocks violated
__global__ void of_two_blocks(curandStateMtgp32 *s, unsigned *y) { y[T] = curand(s); }
// CHECK: kernel of_some_threads violated
__global__ void of_some_threads(curandStateMtgp32 *s, unsigned *y) { if (threadIdx.x < 16) y[T] = curand(&s[blockIdx.x]); }
