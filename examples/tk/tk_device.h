// What the kernels share on the device: packs of elements that move in one access, and conversions.
#ifndef TK_DEVICE_H
#define TK_DEVICE_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// W elements in one access of sizeof(T) * W bytes.
template <typename T, int W> struct alignas(sizeof(T) * W) tk_pack {
    T at[W];
};

// The bits of a pack, as what one instruction loads or stores: kept so while it is in flight, and always stored whole.
template <int BYTES> struct tk_word;
template <> struct tk_word<2> { using type = unsigned short; };
template <> struct tk_word<4> { using type = unsigned; };
template <> struct tk_word<8> { using type = uint2; };
template <> struct tk_word<16> { using type = uint4; };
template <typename T, int W> using tk_bits = typename tk_word<sizeof(T) * W>::type;

template <typename T, int W> __device__ inline tk_pack<T, W> tk_unpack(tk_bits<T, W> bits)
{
    tk_pack<T, W> p;
    memcpy(&p, &bits, sizeof p);
    return p;
}

template <typename T, int W> __device__ inline tk_bits<T, W> tk_bits_of(const tk_pack<T, W> &p)
{
    tk_bits<T, W> bits;
    memcpy(&bits, &p, sizeof bits);
    return bits;
}

__device__ inline float tk_float(float x) { return x; }
__device__ inline float tk_float(__half x) { return __half2float(x); }
__device__ inline float tk_float(__nv_bfloat16 x) { return __bfloat162float(x); }

template <typename T> __device__ inline T tk_round(float x); // to nearest even

template <> __device__ inline float tk_round<float>(float x) { return x; }
template <> __device__ inline __half tk_round<__half>(float x) { return __float2half_rn(x); }
template <> __device__ inline __nv_bfloat16 tk_round<__nv_bfloat16>(float x) { return __float2bfloat16_rn(x); }

// The W floats of a pack that is kept as bits; bf16 by the word, as its bits are those of a float.
template <int W> struct tk_floats {
    float at[W];
};
template <typename T> inline constexpr bool TK_IS_BF16 = false;
template <> inline constexpr bool TK_IS_BF16<__nv_bfloat16> = true;

template <typename T, int W> __device__ inline tk_floats<W> tk_widen(tk_bits<T, W> bits)
{
    tk_floats<W> f;
    if constexpr (TK_IS_BF16<T> && W > 1) {
        unsigned u[W / 2];
        memcpy(u, &bits, sizeof u);
        for (int i = 0; i < W / 2; ++i) {
            f.at[2 * i] = __uint_as_float(u[i] << 16);
            f.at[2 * i + 1] = __uint_as_float(u[i] & 0xffff0000u);
        }
    } else {
        const tk_pack<T, W> p = tk_unpack<T, W>(bits);
        for (int w = 0; w < W; ++w)
            f.at[w] = tk_float(p.at[w]);
    }
    return f;
}

template <typename T, int W> __device__ inline tk_bits<T, W> tk_narrow(const tk_floats<W> &f)
{
    if constexpr (TK_IS_BF16<T> && W > 1) {
        unsigned u[W / 2];
        for (int i = 0; i < W / 2; ++i) // two in one instruction, the high one first
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u[i]) : "f"(f.at[2 * i + 1]), "f"(f.at[2 * i]));
        tk_bits<T, W> bits;
        memcpy(&bits, u, sizeof bits);
        return bits;
    } else {
        tk_pack<T, W> p;
        for (int w = 0; w < W; ++w)
            p.at[w] = tk_round<T>(f.at[w]);
        return tk_bits_of<T, W>(p);
    }
}

// Bits that are widened more than once: from here on anew. The compiler would keep the floats in between, twice the registers.
__device__ inline void tk_anew(unsigned short &) {}
__device__ inline void tk_anew(unsigned &v) { asm volatile("" : "+r"(v)); }
__device__ inline void tk_anew(uint2 &v) { asm volatile("" : "+r"(v.x), "+r"(v.y)); }
__device__ inline void tk_anew(uint4 &v) { asm volatile("" : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)); }

#endif
