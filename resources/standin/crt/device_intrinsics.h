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

// Dot products of four bytes.
TC_D int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; i++)
        c += (signed char)(a >> (8 * i)) * (signed char)(b >> (8 * i));
    return c;
}
TC_D unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int i = 0; i < 4; i++)
        c += ((a >> (8 * i)) & 0xffu) * ((b >> (8 * i)) & 0xffu);
    return c;
}

#undef TC_D

#endif
