// Conversions between the generic address space and the others, and questions about it.
#ifndef TILECHECK_STANDIN_ADDRESS_SPACE_H
#define TILECHECK_STANDIN_ADDRESS_SPACE_H

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#define TC_D static __inline__ __device__ __attribute__((always_inline))
TC_D unsigned int __isGlobal(const void *p) {
    return __nvvm_isspacep_global(p);
}
TC_D unsigned int __isShared(const void *p) {
    return __nvvm_isspacep_shared(p);
}
TC_D unsigned int __isConstant(const void *p) {
    return __nvvm_isspacep_const(p);
}
TC_D unsigned int __isLocal(const void *p) {
    return __nvvm_isspacep_local(p);
}
TC_D size_t __cvta_generic_to_global(const void *p) {
    return (size_t)(void __attribute__((address_space(1))) *)p;
}
TC_D size_t __cvta_generic_to_shared(const void *p) {
    return (size_t)(void __attribute__((address_space(3))) *)p;
}
TC_D size_t __cvta_generic_to_constant(const void *p) {
    return (size_t)(void __attribute__((address_space(4))) *)p;
}
TC_D size_t __cvta_generic_to_local(const void *p) {
    return (size_t)(void __attribute__((address_space(5))) *)p;
}
TC_D void *__cvta_global_to_generic(size_t p) {
    return (void *)(void __attribute__((address_space(1))) *)p;
}
TC_D void *__cvta_shared_to_generic(size_t p) {
    return (void *)(void __attribute__((address_space(3))) *)p;
}
TC_D void *__cvta_constant_to_generic(size_t p) {
    return (void *)(void __attribute__((address_space(4))) *)p;
}
TC_D void *__cvta_local_to_generic(size_t p) {
    return (void *)(void __attribute__((address_space(5))) *)p;
}
#undef TC_D

#endif
