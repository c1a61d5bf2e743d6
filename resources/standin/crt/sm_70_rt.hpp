// Matches over all types: Clang's intrinsics header includes this file for what the toolkit builds on its 32- and
// 64-bit forms.
#ifndef TILECHECK_STANDIN_SM_70_RT_HPP
#define TILECHECK_STANDIN_SM_70_RT_HPP

#define TC_MATCH(T, bits, carrier)                                                                                     \
    static __inline__ __device__ unsigned int __match_any_sync(unsigned mask, T value) {                               \
        carrier image = 0;                                                                                             \
        __builtin_memcpy(&image, &value, sizeof(value));                                                               \
        return __match##bits##_any_sync(mask, image);                                                                  \
    }                                                                                                                  \
    static __inline__ __device__ unsigned int __match_all_sync(unsigned mask, T value, int *pred) {                    \
        carrier image = 0;                                                                                             \
        __builtin_memcpy(&image, &value, sizeof(value));                                                               \
        return __match##bits##_all_sync(mask, image, pred);                                                            \
    }
TC_MATCH(int, 32, unsigned int)
TC_MATCH(unsigned int, 32, unsigned int)
TC_MATCH(float, 32, unsigned int)
TC_MATCH(long, 64, unsigned long long)
TC_MATCH(unsigned long, 64, unsigned long long)
TC_MATCH(long long, 64, unsigned long long)
TC_MATCH(unsigned long long, 64, unsigned long long)
TC_MATCH(double, 64, unsigned long long)
#undef TC_MATCH

static __inline__ __device__ void __nanosleep(unsigned int ns) {
    __nvvm_nanosleep(ns);
}

// Programmatic dependent launch.
static __inline__ __device__ void cudaGridDependencySynchronize(void) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
static __inline__ __device__ void cudaTriggerProgrammaticLaunchCompletion(void) {
    asm volatile("griddepcontrol.launch_dependents;" :::);
}

// Compare and swap on 16 bits.
static __inline__ __device__ unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short value) {
    return __usAtomicCAS(p, compare, value);
}
static __inline__ __device__ unsigned short atomicCAS_block(unsigned short *p, unsigned short compare,
                                                            unsigned short value) {
    return __usAtomicCAS_block(p, compare, value);
}
static __inline__ __device__ unsigned short atomicCAS_system(unsigned short *p, unsigned short compare,
                                                             unsigned short value) {
    return __usAtomicCAS_system(p, compare, value);
}

#endif
