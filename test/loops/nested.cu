// Counters that several loops move, triangles, tiles with a remainder, arrays in structs.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;
#define R 4

// CHECK: kernel carry2 proved-if
tc_block(128) tc_requires(n >= 0 && m >= 0 && n <= 10000 && m <= 10000)
__global__ void carry2(tc_shared tc_shape(n * m) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int m)
{
    float s = 0;
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[k++];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel carry2_long violated
tc_block(128) tc_requires(n >= 0 && m >= 0 && n <= 10000 && m <= 10000)
__global__ void carry2_long(tc_shared tc_shape(n * m) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int m)
{
    float s = 0;
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
            s += a[k++];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel carry_const proved-if
tc_block(128) tc_requires(n >= 0 && n <= 1 << 27)
__global__ void carry_const(tc_shared tc_shape(n * 8) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            s += a[k++];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel tri proved-if
tc_block(128) tc_requires(n >= 0 && n < 40000)
__global__ void tri(tc_shared tc_shape(n * (n + 1) / 2) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            s += a[k++];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel tri_long violated
tc_block(128) tc_requires(n >= 0 && n < 40000)
__global__ void tri_long(tc_shared tc_shape(n * (n + 1) / 2) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i + 1; j++)
            s += a[k++];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel packtri proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void packtri(tc_shared tc_shape(n, n) const float *a, tc_mut tc_shape(n * (n + 1) / 2) float *p, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            p[k++] = a[i * n + j];
}

// CHECK: kernel packtri_short violated
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void packtri_short(tc_shared tc_shape(n, n) const float *a, tc_mut tc_shape(n * (n - 1) / 2) float *p, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            p[k++] = a[i * n + j];
}

// CHECK: kernel packtri2 proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void packtri2(tc_shared tc_shape(n, n) const float *a, tc_mut tc_shape(n * (n + 1) / 2) float *p, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            p[i * (i + 1) / 2 + j] = a[i * n + j];
}

// CHECK: kernel pos4 proved
tc_block(128) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 28)
__global__ void pos4(tc_mut tc_shape(n * 4) float *a, int n)
{
    int pos = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) a[pos + k] = 1;
        pos += 4;
    }
}

// CHECK: kernel pos5 violated
tc_block(128) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 28)
__global__ void pos5(tc_mut tc_shape(n * 4) float *a, int n)
{
    int pos = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) a[pos + k] = 1;
        pos += 5;
    }
}

// CHECK: kernel tilesrem proved
tc_block(128) tc_grid(1) tc_requires(n <= 1 << 30)
__global__ void tilesrem(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(128) float *out, int n)
{
    __shared__ float sm[128];
    float s = 0;
    for (int t = 0; t < n; t += 128) {
        int m = min(128, n - t);
        if (threadIdx.x < m) sm[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < m; k++) s += sm[k] + a[t + k];
        __syncthreads();
    }
    out[threadIdx.x] = s;
}

// CHECK: kernel tilesrem_whole violated
tc_block(128) tc_grid(1) tc_requires(n <= 1 << 30)
__global__ void tilesrem_whole(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(128) float *out, int n)
{
    __shared__ float sm[128];
    float s = 0;
    for (int t = 0; t < n; t += 128) {
        int m = 128;
        if (threadIdx.x < m) sm[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < m; k++) s += sm[k] + a[t + k];
        __syncthreads();
    }
    out[threadIdx.x] = s;
}

// CHECK: kernel tiles_dyn proved
tc_block(1) tc_grid(1) tc_requires(n >= 0 && T >= 1 && n < 100000 && T < 100000)
__global__ void tiles_dyn(tc_mut tc_shape(n) float *a, int n, int T)
{
    for (int t = 0; t < n; t += T) {
        int m = min(T, n - t);
        for (int k = 0; k < m; k++) a[t + k] = 1;
    }
}

// CHECK: kernel unroll4 proved
tc_block(128) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 30)
__global__ void unroll4(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(128) float *o, int n)
{
    float s = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) s += a[i] + a[i + 1] + a[i + 2] + a[i + 3];
    for (; i < n; i++) s += a[i];
    o[threadIdx.x] = s;
}

// CHECK: kernel unroll4b proved
tc_block(128) tc_grid(1) tc_requires(n >= 0)
__global__ void unroll4b(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(128) float *o, int n)
{
    float s = 0;
    int n4 = n & ~3, i;
    for (i = 0; i < n4; i += 4) s += a[i] + a[i + 1] + a[i + 2] + a[i + 3];
    for (; i < n; ++i) s += a[i];
    o[threadIdx.x] = s;
}

// CHECK: kernel lu proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void lu(tc_mut tc_shape(n, n) float *a, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
}

// CHECK: kernel lu_long violated
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void lu_long(tc_mut tc_shape(n, n) float *a, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j <= n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
}

// CHECK: kernel chunkscan proved
tc_block(256) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 30)
__global__ void chunkscan(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(n) int *o, int n)
{
    __shared__ int s[256];
    int carry = 0;
    for (int base = 0; base < n; base += 256) {
        int i = base + threadIdx.x;
        s[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            int v = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
            __syncthreads();
            s[threadIdx.x] += v;
            __syncthreads();
        }
        if (i < n) o[i] = carry + s[threadIdx.x];
        carry += s[255];
        __syncthreads();
    }
}

struct P { float v[4]; int id; };
// CHECK: kernel aos proved-if
tc_block(128)
__global__ void aos(tc_shared tc_shape(n) const P *s, tc_mut tc_shape(n) float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float t = 0;
    for (int k = 0; k < 4; k++) t += s[i].v[k];
    out[i] = t;
}

struct Dims { int d[4]; int n; };
// CHECK: kernel byval proved-if
tc_block(128) tc_requires(dims.d[0] >= 1 && dims.d[1] >= 1)
__global__ void byval(tc_shared tc_shape(dims.n) const float *a, tc_mut tc_shape(dims.n) float *out, Dims dims)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= dims.n) return;
    int r = i;
    for (int k = 0; k < 2; k++) { r /= dims.d[k]; }
    out[i] = a[r];
}

// CHECK: kernel two_d proved-if
tc_block(128)
__global__ void two_d(tc_shared tc_shape(n, 16) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float m[4][4];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = a[i * 16 + r * 4 + c];
    float t = 0;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < r; c++)
            t += m[c][r] * m[r][c];
    out[i] = t;
}

struct Ptrs { const float *p[3]; };
// CHECK: kernel ptrs proved-if
tc_block(128) tc_param(ps.p[i], shared, shape(n))
__global__ void ptrs(Ptrs ps, tc_mut tc_shape(n) float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float t = 0;
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 3; k++) t += ps.p[k][i];
    out[i] = t;
}

__device__ float pick(const float *const *p, int i) { float t = 0; for (int k = 0; k < 2; k++) t += p[k][i]; return t; }
// CHECK: kernel ptrs2 proved-if
tc_block(128)
__global__ void ptrs2(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *b, tc_mut tc_shape(n) float *out, int n)
{
    const float *p[2] = {a, b};
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 128 * gridDim.x)
        out[i] = pick(p, i);
}

struct Node { int first, count; float pos[3]; };
// CHECK: kernel aosdist proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 24)
__global__ void aosdist(tc_shared tc_shape(n) const Node *s, tc_mut tc_shape(n) float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = 0;
    for (int j = 0; j < n; j++) {
        float r = 0;
        for (int k = 0; k < 3; k++) { float t = s[i].pos[k] - s[j].pos[k]; r += t * t; }
        d += r;
    }
    o[i] = d;
}

struct Cfg { int dims[3]; int strides[3]; int nd; };
// CHECK: kernel strided proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 24 && c.dims[0] >= 1 && c.dims[1] >= 1 && c.dims[2] >= 1 && c.dims[0] * c.dims[1] * c.dims[2] == n)
__global__ void strided(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, Cfg c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int r = i, off = 0, mul = 1;
    for (int d = 2; d >= 0; d--) { off += (r % c.dims[d]) * mul; r /= c.dims[d]; mul *= c.dims[d]; }
    o[i] = x[off < n ? off : 0];
}

// CHECK: kernel clampn proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 24)
__global__ void clampn(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int d = -2; d <= 2; d++) { int j = i + d; j = j < 0 ? 0 : j; if (j > n - 1) j = n - 1; s += x[j]; }
    o[i] = s;
}

// CHECK: kernel halo proved
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 30)
__global__ void halo(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, int n)
{
    __shared__ float s[256 + 2 * R];
    int base = (int)blockIdx.x * 256 - R;
    for (int i = threadIdx.x; i < 256 + 2 * R; i += blockDim.x) {
        int g = base + i;
        s[i] = g >= 0 && g < n ? x[g] : 0.f;
    }
    __syncthreads();
    int g = blockIdx.x * 256 + threadIdx.x;
    if (g >= n) return;
    float a = 0;
    for (int k = -R; k <= R; ++k) a += s[threadIdx.x + R + k];
    o[g] = a;
}

// CHECK: kernel halo_short violated
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 30)
__global__ void halo_short(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, int n)
{
    __shared__ float s[256 + R];
    int base = (int)blockIdx.x * 256 - R;
    for (int i = threadIdx.x; i < 256 + 2 * R; i += blockDim.x) {
        int g = base + i;
        s[i] = g >= 0 && g < n ? x[g] : 0.f;
    }
    __syncthreads();
    int g = blockIdx.x * 256 + threadIdx.x;
    if (g >= n) return;
    float a = 0;
    for (int k = -R; k <= R; ++k) a += s[threadIdx.x + R + k];
    o[g] = a;
}

// CHECK: kernel four proved
tc_block(128) tc_grid(tc_cdiv(n, 512)) tc_requires(n >= 1 && n <= 1 << 30)
__global__ void four(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    float v[4];
#pragma unroll
    for (int j = 0; j < 4 && i + j < n; ++j) v[j] = x[i + j];
#pragma unroll
    for (int j = 0; j < 4 && i + j < n; ++j) o[i + j] = v[j];
}

// CHECK: kernel items<8> proved
template <int ITEMS> tc_block(128) tc_grid(tc_cdiv(n, 128 * ITEMS)) tc_requires(n >= 1 && n <= 1 << 30)
__global__ void items(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(n) int *o, int n)
{
    int base = blockIdx.x * 128 * ITEMS, v[ITEMS];
    for (int k = 0; k < ITEMS; k++) { int i = base + k * 128 + threadIdx.x; v[k] = i < n ? x[i] : 0; }
    for (int k = 1; k < ITEMS; k++) v[k] += v[k - 1];
    for (int k = ITEMS - 1; k >= 0; --k) { int i = base + k * 128 + threadIdx.x; if (i < n) o[i] = v[k]; }
}
template __global__ void items<8>(const int *, int *, int);

// CHECK: kernel transp proved
tc_block(32, 8) tc_grid(tc_cdiv(w, 32), tc_cdiv(h, 32)) tc_requires(w >= 1 && h >= 1 && w <= 32768 && h <= 32768)
__global__ void transp(tc_shared tc_shape(h, w) const float *in, tc_mut tc_shape(w, h) tc_tile(32, 32) tc_at(blockIdx.x, blockIdx.y) float *out, int w, int h)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__device__ __forceinline__ float dot3(const float *const *rows, int i) { float s = 0; for (int k = 0; k < 3; k++) s += rows[k][i]; return s; }
// CHECK: kernel ptrtab proved
tc_block(128) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void ptrtab(tc_shared tc_shape(3, n) const float *a, tc_mut tc_shape(128) float *o, int n)
{
    const float *rows[3];
    for (int k = 0; k < 3; k++) rows[k] = a + (size_t)k * n;
    float s = 0;
    for (int i = threadIdx.x; i < n; i += 128) s += dot3(rows, i);
    o[threadIdx.x] = s;
}

// CHECK: kernel neigh proved
tc_block(16, 16) tc_grid(tc_cdiv(w, 16), tc_cdiv(h, 16)) tc_requires(w >= 1 && h >= 1 && w <= 16384 && h <= 16384)
__global__ void neigh(tc_shared tc_shape(h, w) const float *x, tc_mut tc_shape(h, w) float *o, int w, int h)
{
    const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    if (px >= w || py >= h) return;
    float s = 0;
    for (int k = 0; k < 4; k++) {
        int qx = px + dx[k], qy = py + dy[k];
        if (qx < 0 || qy < 0 || qx >= w || qy >= h) continue;
        s += x[qy * w + qx];
    }
    o[py * w + px] = s;
}

// CHECK: kernel attn proved
tc_block(64) tc_grid(heads, qs) tc_requires(heads >= 1 && qs >= 1 && kv >= 1 && heads <= 128 && qs <= 8192 && kv <= 8192)
__global__ void attn(tc_shared tc_shape(heads, qs, 64) const float *Q, tc_shared tc_shape(heads, kv, 64) const float *K, tc_shared tc_shape(heads, kv, 64) const float *V, tc_mut tc_shape(heads, qs, 64) float *O, int heads, int qs, int kv)
{
    __shared__ float sc[32], kt[32][64];
    int h = blockIdx.x, q = blockIdx.y, d = threadIdx.x;
    const float *Kh = K + (size_t)h * kv * 64, *Vh = V + (size_t)h * kv * 64;
    float qv = Q[(h * qs + q) * 64 + d], acc = 0;
    for (int t0 = 0; t0 < kv; t0 += 32) {
        const int tn = min(32, kv - t0);
        for (int t = 0; t < tn; t++) kt[t][d] = Kh[(t0 + t) * 64 + d];
        __syncthreads();
        if (d < tn) { float s = 0; for (int e = 0; e < 64; e++) s += kt[d][e] * qv; sc[d] = s; }
        __syncthreads();
        for (int t = 0; t < tn; t++) acc += sc[t] * Vh[(t0 + t) * 64 + d];
        __syncthreads();
    }
    O[(h * qs + q) * 64 + d] = acc;
}
