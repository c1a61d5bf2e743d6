// Atomic functions, each at device, block and system scope, on top of Clang's typed forms.
#ifndef TILECHECK_STANDIN_ATOMICS_H
#define TILECHECK_STANDIN_ATOMICS_H

#define TC_ATOMIC_SCOPE(T, name, impl, scope)                                                                          \
    static __inline__ __device__ T atomic##name##scope(T *p, T value) {                                                \
        return __##impl##scope(p, value);                                                                              \
    }
#define TC_ATOMIC(T, name, impl)                                                                                       \
    TC_ATOMIC_SCOPE(T, name, impl, )                                                                                   \
    TC_ATOMIC_SCOPE(T, name, impl, _block)                                                                             \
    TC_ATOMIC_SCOPE(T, name, impl, _system)

TC_ATOMIC(int, Add, iAtomicAdd)
TC_ATOMIC(unsigned int, Add, uAtomicAdd)
TC_ATOMIC(unsigned long long, Add, ullAtomicAdd)
TC_ATOMIC(float, Add, fAtomicAdd)
TC_ATOMIC(double, Add, dAtomicAdd)
TC_ATOMIC(int, Exch, iAtomicExch)
TC_ATOMIC(unsigned int, Exch, uAtomicExch)
TC_ATOMIC(unsigned long long, Exch, ullAtomicExch)
TC_ATOMIC(float, Exch, fAtomicExch)
TC_ATOMIC(int, Min, iAtomicMin)
TC_ATOMIC(unsigned int, Min, uAtomicMin)
TC_ATOMIC(long long, Min, illAtomicMin)
TC_ATOMIC(unsigned long long, Min, ullAtomicMin)
TC_ATOMIC(int, Max, iAtomicMax)
TC_ATOMIC(unsigned int, Max, uAtomicMax)
TC_ATOMIC(long long, Max, illAtomicMax)
TC_ATOMIC(unsigned long long, Max, ullAtomicMax)
TC_ATOMIC(unsigned int, Inc, uAtomicInc)
TC_ATOMIC(unsigned int, Dec, uAtomicDec)
TC_ATOMIC(int, And, iAtomicAnd)
TC_ATOMIC(unsigned int, And, uAtomicAnd)
TC_ATOMIC(long long, And, llAtomicAnd)
TC_ATOMIC(unsigned long long, And, ullAtomicAnd)
TC_ATOMIC(int, Or, iAtomicOr)
TC_ATOMIC(unsigned int, Or, uAtomicOr)
TC_ATOMIC(long long, Or, llAtomicOr)
TC_ATOMIC(unsigned long long, Or, ullAtomicOr)
TC_ATOMIC(int, Xor, iAtomicXor)
TC_ATOMIC(unsigned int, Xor, uAtomicXor)
TC_ATOMIC(long long, Xor, llAtomicXor)
TC_ATOMIC(unsigned long long, Xor, ullAtomicXor)
#undef TC_ATOMIC
#undef TC_ATOMIC_SCOPE

// There is no subtraction: it adds the negated value, modulo 2^32.
#define TC_ATOMIC_SUB(T, impl, scope)                                                                                  \
    static __inline__ __device__ T atomicSub##scope(T *p, T value) {                                                   \
        return __##impl##scope(p, (T)(0u - (unsigned int)value));                                                      \
    }
TC_ATOMIC_SUB(int, iAtomicAdd, )
TC_ATOMIC_SUB(int, iAtomicAdd, _block)
TC_ATOMIC_SUB(int, iAtomicAdd, _system)
TC_ATOMIC_SUB(unsigned int, uAtomicAdd, )
TC_ATOMIC_SUB(unsigned int, uAtomicAdd, _block)
TC_ATOMIC_SUB(unsigned int, uAtomicAdd, _system)
#undef TC_ATOMIC_SUB

#define TC_ATOMIC_CAS(T, impl, scope)                                                                                  \
    static __inline__ __device__ T atomicCAS##scope(T *p, T compare, T value) {                                        \
        return __##impl##scope(p, compare, value);                                                                     \
    }
TC_ATOMIC_CAS(int, iAtomicCAS, )
TC_ATOMIC_CAS(int, iAtomicCAS, _block)
TC_ATOMIC_CAS(int, iAtomicCAS, _system)
TC_ATOMIC_CAS(unsigned int, uAtomicCAS, )
TC_ATOMIC_CAS(unsigned int, uAtomicCAS, _block)
TC_ATOMIC_CAS(unsigned int, uAtomicCAS, _system)
TC_ATOMIC_CAS(unsigned long long, ullAtomicCAS, )
TC_ATOMIC_CAS(unsigned long long, ullAtomicCAS, _block)
TC_ATOMIC_CAS(unsigned long long, ullAtomicCAS, _system)
#undef TC_ATOMIC_CAS

#endif
