// Loops that double or halve: trees, scans, sorting networks, bits of a mask.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;

// CHECK: kernel tree proved
tc_block(256) tc_grid(n) tc_requires(n <= 65535)
__global__ void tree(tc_shared tc_shape(n, 256) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    __shared__ float sm[256];
    int t = threadIdx.x;
    sm[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) sm[t] += sm[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sm[0];
}

// CHECK: kernel tree_whole violated
tc_block(256) tc_grid(n) tc_requires(n <= 65535)
__global__ void tree_whole(tc_shared tc_shape(n, 256) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    __shared__ float sm[256];
    int t = threadIdx.x;
    sm[t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = blockDim.x; s > 0; s >>= 1) {
        if (t < s) sm[t] += sm[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sm[0];
}

// CHECK: kernel tree_dyn proved
tc_requires(blockDim.x <= 256) tc_grid(n) tc_requires(n <= 65535) 
__global__ void tree_dyn(tc_shared tc_shape(n, blockDim.x) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    __shared__ float sm[256];
    unsigned t = threadIdx.x;
    sm[t] = a[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s; s >>= 1) {
        if (t < s) sm[t] += sm[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sm[0];
}

// CHECK: kernel tree_ext proved
tc_requires(blockDim.x <= 1024) tc_grid(n) tc_requires(n <= 65535) tc_smem(4 * blockDim.x)
__global__ void tree_ext(tc_shared tc_shape(n, blockDim.x) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    extern __shared__ float sm[];
    unsigned t = threadIdx.x;
    sm[t] = a[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0 && t + s < blockDim.x) sm[t] += sm[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sm[0];
}

// CHECK: kernel tree_idx proved
tc_requires(blockDim.x <= 1024) tc_grid(n) tc_requires(n <= 65535) tc_smem(4 * blockDim.x)
__global__ void tree_idx(tc_shared tc_shape(n, blockDim.x) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    extern __shared__ float sm[];
    unsigned t = threadIdx.x;
    sm[t] = a[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned i = 2 * s * t;
        if (i + s < blockDim.x) sm[i] += sm[i + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sm[0];
}

// CHECK: kernel bitonic proved
tc_block(256) tc_grid(1)
__global__ void bitonic(tc_mut tc_shape(256) int *a)
{
    __shared__ int sm[256];
    unsigned t = threadIdx.x;
    sm[t] = a[t];
    for (unsigned k = 2; k <= 256; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            unsigned p = t ^ j;
            if (p > t) {
                if ((t & k) == 0 ? sm[t] > sm[p] : sm[t] < sm[p]) { int x = sm[t]; sm[t] = sm[p]; sm[p] = x; }
            }
        }
    __syncthreads();
    a[t] = sm[t];
}

// CHECK: kernel blelloch proved
tc_block(256) tc_grid(nb) tc_requires(nb <= 65535)
__global__ void blelloch(tc_shared tc_shape(nb, 512) const float *a, tc_mut tc_shape(nb, 512) float *o, int nb)
{
    __shared__ float t[512];
    int tid = threadIdx.x, off = 1;
    t[2 * tid] = a[blockIdx.x * 512 + 2 * tid];
    t[2 * tid + 1] = a[blockIdx.x * 512 + 2 * tid + 1];
    for (int d = 512 >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = off * (2 * tid + 1) - 1, bi = off * (2 * tid + 2) - 1;
            t[bi] += t[ai];
        }
        off *= 2;
    }
    if (tid == 0) t[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        off >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = off * (2 * tid + 1) - 1, bi = off * (2 * tid + 2) - 1;
            float x = t[ai]; t[ai] = t[bi]; t[bi] += x;
        }
    }
    __syncthreads();
    o[blockIdx.x * 512 + 2 * tid] = t[2 * tid];
    o[blockIdx.x * 512 + 2 * tid + 1] = t[2 * tid + 1];
}

// CHECK: kernel blelloch_far violated
tc_block(256) tc_grid(nb) tc_requires(nb <= 65535)
__global__ void blelloch_far(tc_shared tc_shape(nb, 512) const float *a, tc_mut tc_shape(nb, 512) float *o, int nb)
{
    __shared__ float t[512];
    int tid = threadIdx.x, off = 1;
    t[2 * tid] = a[blockIdx.x * 512 + 2 * tid];
    t[2 * tid + 1] = a[blockIdx.x * 512 + 2 * tid + 1];
    for (int d = 512 >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = off * (2 * tid + 1) - 1, bi = off * (2 * tid + 2);
            t[bi] += t[ai];
        }
        off *= 2;
    }
    if (tid == 0) t[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        off >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = off * (2 * tid + 1) - 1, bi = off * (2 * tid + 2) - 1;
            float x = t[ai]; t[ai] = t[bi]; t[bi] += x;
        }
    }
    __syncthreads();
    o[blockIdx.x * 512 + 2 * tid] = t[2 * tid];
    o[blockIdx.x * 512 + 2 * tid + 1] = t[2 * tid + 1];
}

// CHECK: kernel bits proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void bits(tc_shared tc_shape(n) const uint *m, tc_shared tc_shape(32) const float *w, tc_mut tc_shape(n) float *o, int n)
{
    int t = blockIdx.x * 128 + threadIdx.x;
    if (t >= n) return;
    uint x = m[t];
    float s = 0;
    while (x) { int b = __ffs(x) - 1; s += w[b]; x &= x - 1; }
    o[t] = s;
}

// CHECK: kernel bits_short {{violated|unknown}}
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void bits_short(tc_shared tc_shape(n) const uint *m, tc_shared tc_shape(31) const float *w, tc_mut tc_shape(n) float *o, int n)
{
    int t = blockIdx.x * 128 + threadIdx.x;
    if (t >= n) return;
    uint x = m[t];
    float s = 0;
    while (x) { int b = __ffs(x) - 1; s += w[b]; x &= x - 1; }
    o[t] = s;
}

// CHECK: kernel shell proved
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void shell(tc_mut tc_shape(n) int *x, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int t = x[i], j;
            for (j = i; j >= gap && x[j - gap] > t; j -= gap) x[j] = x[j - gap];
            x[j] = t;
        }
}

// CHECK: kernel shell_low violated
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void shell_low(tc_mut tc_shape(n) int *x, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int t = x[i], j;
            for (j = i; j >= gap - 1 && x[j - gap] > t; j -= gap) x[j] = x[j - gap];
            x[j] = t;
        }
}

// CHECK: kernel msort proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void msort(tc_mut tc_shape(n) int *a, tc_mut tc_shape(n) int *b, int n)
{
    for (int w = 1; w < n; w *= 2) {
        for (int lo = 0; lo < n; lo += 2 * w) {
            int mid = min(lo + w, n), hi = min(lo + 2 * w, n);
            int i = lo, j = mid;
            for (int k = lo; k < hi; k++) {
                if (i < mid && (j >= hi || a[i] <= a[j])) b[k] = a[i++];
                else b[k] = a[j++];
            }
        }
        for (int k = 0; k < n; k++) a[k] = b[k];
    }
}

// CHECK: kernel msort_long violated
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void msort_long(tc_mut tc_shape(n) int *a, tc_mut tc_shape(n) int *b, int n)
{
    for (int w = 1; w < n; w *= 2) {
        for (int lo = 0; lo < n; lo += 2 * w) {
            int mid = min(lo + w, n), hi = lo + 2 * w;
            int i = lo, j = mid;
            for (int k = lo; k < hi; k++) {
                if (i < mid && (j >= hi || a[i] <= a[j])) b[k] = a[i++];
                else b[k] = a[j++];
            }
        }
        for (int k = 0; k < n; k++) a[k] = b[k];
    }
}

// CHECK: kernel bitrev proved
tc_block(1) tc_grid(1) tc_requires(n >= 2 && n <= 1 << 20)
__global__ void bitrev(tc_mut tc_shape(n) float *a, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; bit > 0 && (j & bit); bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j && j < n) { float t = a[i]; a[i] = a[j]; a[j] = t; }
    }
}

// CHECK: kernel sift proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 29)
__global__ void sift(tc_mut tc_shape(n) int *h, int n)
{
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= n) break;
        if (c + 1 < n && h[c + 1] > h[c]) c++;
        if (h[i] >= h[c]) break;
        int t = h[i]; h[i] = h[c]; h[c] = t;
        i = c;
    }
}

// CHECK: kernel sift_open violated
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 29)
__global__ void sift_open(tc_mut tc_shape(n) int *h, int n)
{
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c > n) break;
        if (c + 1 < n && h[c + 1] > h[c]) c++;
        if (h[i] >= h[c]) break;
        int t = h[i]; h[i] = h[c]; h[c] = t;
        i = c;
    }
}

// CHECK: kernel gcdk proved
tc_block(128) tc_grid(1) tc_requires(n >= 1)
__global__ void gcdk(tc_shared tc_shape(128) const int *a, tc_mut tc_shape(128) int *o, int n)
{
    int x = a[threadIdx.x], y = n;
    if (x < 0) return;
    while (x) { int t = y % x; y = x; x = t; }
    o[threadIdx.x] = y;
}

// CHECK: kernel fft proved
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 65535)
__global__ void fft(tc_mut tc_shape(nb, 256) float *re, tc_mut tc_shape(nb, 256) float *im, int nb)
{
    __shared__ float sr[256], si[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 128) { sr[i] = re[blockIdx.x * 256 + i]; si[i] = im[blockIdx.x * 256 + i]; }
    __syncthreads();
    for (int len = 2, half = 1; len <= 256; len <<= 1, half <<= 1) {
        int g = t / half, j = t % half, a = g * len + j, b = a + half;
        float ur = sr[a], vr = sr[b];
        sr[a] = ur + vr; sr[b] = ur - vr;
        si[a] += si[b];
        __syncthreads();
    }
    for (int i = t; i < 256; i += 128) { re[blockIdx.x * 256 + i] = sr[i]; im[blockIdx.x * 256 + i] = si[i]; }
}

// CHECK: kernel fft_far violated
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 65535)
__global__ void fft_far(tc_mut tc_shape(nb, 256) float *re, tc_mut tc_shape(nb, 256) float *im, int nb)
{
    __shared__ float sr[256], si[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 128) { sr[i] = re[blockIdx.x * 256 + i]; si[i] = im[blockIdx.x * 256 + i]; }
    __syncthreads();
    for (int len = 2, half = 1; len <= 512; len <<= 1, half <<= 1) {
        int g = t / half, j = t % half, a = g * len + j, b = a + half;
        float ur = sr[a], vr = sr[b];
        sr[a] = ur + vr; sr[b] = ur - vr;
        si[a] += si[b];
        __syncthreads();
    }
    for (int i = t; i < 256; i += 128) { re[blockIdx.x * 256 + i] = sr[i]; im[blockIdx.x * 256 + i] = si[i]; }
}

// CHECK: kernel euclid proved
tc_block(1) tc_grid(1) tc_requires(x >= 1 && y >= 1 && x <= n && y <= n)
__global__ void euclid(tc_mut tc_shape(n + 1) float *a, int n, int x, int y)
{
    while (y != 0) { int t = x % y; x = y; y = t; }
    a[x] = 1;
}

// CHECK: kernel euclid_small violated
tc_block(1) tc_grid(1) tc_requires(x >= 1 && y >= 1 && x <= n && y <= n)
__global__ void euclid_small(tc_mut tc_shape(n) float *a, int n, int x, int y)
{
    while (y != 0) { int t = x % y; x = y; y = t; }
    a[x] = 1;
}
