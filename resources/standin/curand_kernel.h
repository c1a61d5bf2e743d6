// Random numbers in kernels: the generator that is the default, as far as its memory goes. The numbers are not the library's: each is
// some value, and what a state holds is some value too.
#ifndef TILECHECK_STANDIN_CURAND_KERNEL_H
#define TILECHECK_STANDIN_CURAND_KERNEL_H

#include "tilecheck_cuda.h"

#define TC_D static __device__ __inline__ __attribute__((always_inline, unused))

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

// Another value at each call.
TC_D unsigned int tc_some_bits_() {
    return (unsigned int)__nvvm_read_ptx_sreg_clock();
}

TC_D void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandState *state) {
    (void)seed;
    (void)subsequence;
    (void)offset;
    for (int i = 0; i < 5; i++)
        state->v[i] = tc_some_bits_();
    state->d = tc_some_bits_();
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

// Every word of the state takes part in the next number, and is another one after it.
TC_D unsigned int curand(curandState *state) {
    unsigned int r = state->d += tc_some_bits_();
    for (int i = 0; i < 5; i++)
        r ^= state->v[i] += tc_some_bits_();
    return r;
}

TC_D float curand_uniform(curandState *state) {
    return (float)(curand(state) >> 8) * 0x1p-24f + 0x1p-25f;
}
TC_D double curand_uniform_double(curandState *state) {
    return (double)curand(state) * 0x1p-32 + (double)curand(state) * 0x1p-64 + 0x1p-65;
}

// Two numbers at a time: the second one waits in the state.
TC_D float curand_normal(curandState *state) {
    if (state->boxmuller_flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float radius = sqrtf(-2.0f * logf(curand_uniform(state))), angle = 6.2831853f * curand_uniform(state);
    state->boxmuller_extra = radius * sinf(angle);
    state->boxmuller_flag = 1;
    return radius * cosf(angle);
}
TC_D double curand_normal_double(curandState *state) {
    if (state->boxmuller_flag_double) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    double radius = sqrt(-2.0 * log(curand_uniform_double(state))), angle = 6.283185307179586 * curand_uniform_double(state);
    state->boxmuller_extra_double = radius * sin(angle);
    state->boxmuller_flag_double = 1;
    return radius * cos(angle);
}
TC_D float2 curand_normal2(curandState *state) {
    float x = curand_normal(state);
    return make_float2(x, curand_normal(state));
}

// The Mersenne Twister is a block's: all of its threads, at most 256, draw together, each with words of its own.
struct curandStateMtgp32 {
    unsigned int s[1024];
    int offset, pIdx;
    void *k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

TC_D unsigned int curand(curandStateMtgp32 *state) {
    unsigned int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned int r = state->s[t & 255u] += tc_some_bits_();
    __syncthreads();
    if (t == 0)
        state->offset = (int)(tc_some_bits_() & 1023u);
    __syncthreads();
    return r;
}
TC_D float curand_uniform(curandStateMtgp32 *state) {
    return (float)(curand(state) >> 8) * 0x1p-24f + 0x1p-25f;
}

TC_D float curand_log_normal(curandState *state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
#undef TC_D

#endif
