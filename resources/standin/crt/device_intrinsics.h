// Device functions that the toolkit declares on its own.
#ifndef TILECHECK_STANDIN_DEVICE_INTRINSICS_H
#define TILECHECK_STANDIN_DEVICE_INTRINSICS_H

#define TC_D static __inline__ __device__ __attribute__((always_inline))

// Reinterpretation of unsigned 32 bits and pointers to 16-bit halves is spelled in several ways in older code.
TC_D float __frsqrt_rz(float x) {
    return __nv_rsqrtf(x);
}
TC_D float fdividef(float a, double b) {
    return ::fdividef(a, (float)b);
}
TC_D unsigned int __laneid(void) {
    return __nvvm_read_ptx_sreg_laneid();
}
TC_D unsigned long long __globaltimer(void) {
    return __nvvm_read_ptx_sreg_globaltimer();
}

#undef TC_D

#endif
