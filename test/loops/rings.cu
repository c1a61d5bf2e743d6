// Positions in a ring: a counter that starts again, a flip, a remainder; in step with a second one.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;
#define T 16

// CHECK: kernel ring_if proved-if
tc_block(128)
__global__ void ring_if(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    __shared__ float b[3];
    int cur = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += b[cur] + a[i];
        if (++cur == 3) cur = 0;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ring_bad violated
tc_block(128)
__global__ void ring_bad(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    __shared__ float b[3];
    int cur = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += b[cur] + a[i];
        if (++cur == 4) cur = 0;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ring_late {{violated|unknown}}
tc_block(128)
__global__ void ring_late(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    __shared__ float b[3];
    int cur = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += b[cur] + a[i];
        cur += 2; if (cur == 3) cur = 0;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ring_ge proved-if
tc_block(128)
__global__ void ring_ge(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float b[4] = {0, 0, 0, 0};
    int cur = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += b[cur];
        b[cur] = a[i];
        cur++;
        if (cur >= 4) cur = 0;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel flip_buf proved-if
tc_block(128)
__global__ void flip_buf(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    __shared__ float b[2][128];
    int buf = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        b[buf][threadIdx.x] = a[i];
        s += b[buf ^ 1][threadIdx.x];
        buf ^= 1;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel stage_mod<3> proved-if
template <int S> tc_block(128)
__global__ void stage_mod(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    __shared__ float b[S][128];
    int stage = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        b[stage][threadIdx.x] = a[i];
        s += b[(stage + S - 1) % S][threadIdx.x];
        stage = (stage + 1) % S;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}
template __global__ void stage_mod<3>(const float *, float *, int);

// CHECK: kernel stage_dyn proved-if
tc_block(128) tc_requires(S >= 1)
__global__ void stage_dyn(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(S) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int S)
{
    int stage = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i] * w[stage];
        stage = (stage + 1) % S;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel stage_dyn_long violated
tc_block(128) tc_requires(S >= 1 && S <= 1000)
__global__ void stage_dyn_long(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(S) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int S)
{
    int stage = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i] * w[stage];
        stage = (stage + 1) % (S + 1);
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ring_dyn proved-if
tc_block(128) tc_requires(S >= 1)
__global__ void ring_dyn(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(S) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int S)
{
    int stage = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i] * w[stage];
        if (++stage == S) stage = 0;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ring_dyn_late violated
tc_block(128) tc_requires(S >= 1 && S <= 1000)
__global__ void ring_dyn_late(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(S) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int S)
{
    int stage = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i] * w[stage];
        if (stage++ == S) stage = 0;
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ring_uns proved-if
tc_block(128) tc_requires(S >= 1) 
__global__ void ring_uns(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(S) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n, unsigned S)
{
    unsigned slot = 0, phase = 0;
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i] * w[slot] + phase;
        if (++slot == S) { slot = 0; phase ^= 1; }
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ringstencil proved
tc_block(16, 16) tc_grid(tc_cdiv(nx, 16), tc_cdiv(ny, 16)) tc_requires(nx >= 1 && ny >= 1 && nz >= 3 && nx <= 1024 && ny <= 1024 && nz <= 1024)
__global__ void ringstencil(tc_shared tc_shape(nz, ny, nx) const float *in, tc_mut tc_shape(nz, ny, nx) float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= nx || y >= ny) return;
    float w[3];
    w[0] = in[y * nx + x];
    w[1] = in[(ny + y) * nx + x];
    int cur = 2;
    for (int z = 1; z + 1 < nz; z++) {
        w[cur] = in[((z + 1) * ny + y) * nx + x];
        int prev = cur == 0 ? 2 : cur - 1;
        out[(z * ny + y) * nx + x] = w[0] + w[1] + w[2] - 2 * w[prev];
        if (++cur == 3) cur = 0;
    }
}

// CHECK: kernel pipe<4> proved
template <int S> tc_block(128) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 22)
__global__ void pipe(tc_shared tc_shape(n, 128) const float *x, tc_mut tc_shape(128) float *o, int n)
{
    __shared__ float b[S][128];
    int rd = 0, wr = 0, phase = 0;
    for (int s = 0; s < S - 1 && s < n; s++) { b[wr][threadIdx.x] = x[s * 128 + threadIdx.x]; wr++; }
    float acc = 0;
    for (int t = 0; t < n; t++) {
        if (t + S - 1 < n) { b[wr][threadIdx.x] = x[(t + S - 1) * 128 + threadIdx.x]; }
        if (++wr == S) { wr = 0; phase ^= 1; }
        acc += b[rd][threadIdx.x] + phase;
        rd = rd + 1 == S ? 0 : rd + 1;
    }
    o[threadIdx.x] = acc;
}
template __global__ void pipe<4>(const float *, float *, int);

// CHECK: kernel dbgemm proved
tc_block(T, T) tc_grid(tc_cdiv(N, T), tc_cdiv(M, T)) tc_requires(M >= 1 && N >= 1 && K >= 1 && M <= 32768 && N <= 32768 && K <= 32768)
__global__ void dbgemm(tc_shared tc_shape(M, K) const float *A, tc_shared tc_shape(K, N) const float *B, tc_mut tc_shape(M, N) tc_tile(T, T) float *C, int M, int N, int K)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x, buf = 0;
    float acc = 0;
    As[0][threadIdx.y][threadIdx.x] = r < M && threadIdx.x < K ? A[r * K + threadIdx.x] : 0.f;
    Bs[0][threadIdx.y][threadIdx.x] = threadIdx.y < K && c < N ? B[threadIdx.y * N + c] : 0.f;
    __syncthreads();
    for (int t = T; t < K + T; t += T) {
        if (t < K) {
            int ka = t + threadIdx.x, kb = t + threadIdx.y;
            As[buf ^ 1][threadIdx.y][threadIdx.x] = r < M && ka < K ? A[r * K + ka] : 0.f;
            Bs[buf ^ 1][threadIdx.y][threadIdx.x] = kb < K && c < N ? B[kb * N + c] : 0.f;
        }
        for (int k = 0; k < T; k++) acc += As[buf][threadIdx.y][k] * Bs[buf][k][threadIdx.x];
        __syncthreads();
        buf ^= 1;
    }
    if (r < M && c < N) C[r * N + c] = acc;
}

// CHECK: kernel probe proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 30 && cap >= 1)
__global__ void probe(tc_shared tc_shape(cap) const unsigned *keys, tc_shared tc_shape(n) const unsigned *q, tc_mut tc_shape(n) unsigned *out, int n, unsigned cap)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = q[i], slot = k % cap;
    while (keys[slot] != k && keys[slot] != 0xffffffffu) {
        slot++;
        if (slot == cap) slot = 0;
    }
    out[i] = slot;
}

// CHECK: kernel probe_late violated
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 30 && cap >= 1)
__global__ void probe_late(tc_shared tc_shape(cap) const unsigned *keys, tc_shared tc_shape(n) const unsigned *q, tc_mut tc_shape(n) unsigned *out, int n, unsigned cap)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = q[i], slot = k % cap;
    while (keys[slot] != k && keys[slot] != 0xffffffffu) {
        slot++;
        if (slot > cap) slot = 0;
    }
    out[i] = slot;
}

// CHECK: kernel probe_mod proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 30 && cap >= 1 && cap < 2000000000)
__global__ void probe_mod(tc_shared tc_shape(cap) const unsigned *keys, tc_shared tc_shape(n) const unsigned *q, tc_mut tc_shape(n) unsigned *out, int n, unsigned cap)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = q[i], slot = k % cap;
    for (unsigned tries = 0; tries < cap; tries++) {
        if (keys[slot] == k) { out[i] = slot; return; }
        slot = (slot + 1) % cap;
    }
    out[i] = cap;
}

// CHECK: kernel ringq proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && cap >= 1)
__global__ void ringq(tc_mut tc_shape(cap) int *q, tc_shared tc_shape(n) const int *next, int n, int cap, int start)
{
    int head = 0, tail = 0, size = 0;
    if (start < 0 || start >= n) return;
    q[tail] = start; tail = (tail + 1) % cap; size++;
    while (size > 0) {
        int v = q[head];
        head = (head + 1) % cap; size--;
        if (v < 0 || v >= n) continue;
        int u = next[v];
        if (u >= 0 && size < cap) { q[tail] = u; tail = (tail + 1) % cap; size++; }
    }
}

// CHECK: kernel ringq_open violated
tc_block(1) tc_grid(1) tc_requires(n >= 1 && cap >= 1)
__global__ void ringq_open(tc_mut tc_shape(cap) int *q, tc_shared tc_shape(n) const int *next, int n, int cap, int start)
{
    int head = 0, tail = 0, size = 0;
    if (start < 0 || start >= n) return;
    q[tail] = start; tail = (tail + 1) % cap; size++;
    while (size > 0) {
        int v = q[head];
        head = (head + 1) % cap; size--;
        if (v < 0 || v >= n) continue;
        int u = next[v];
        if (u >= 0 && size < cap) { q[tail] = u; tail = tail + 1; size++; }
    }
}

// CHECK: kernel lcs proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && m >= 1 && n < 1 << 20 && m < 1 << 20)
__global__ void lcs(tc_shared tc_shape(n) const char *a, tc_shared tc_shape(m) const char *b, tc_mut tc_shape(m + 1) int *r0, tc_mut tc_shape(m + 1) int *r1, int n, int m)
{
    int *prev = r0, *cur = r1;
    for (int i = 0; i < n; i++) {
        cur[0] = 0;
        for (int j = 1; j <= m; j++)
            cur[j] = a[i] == b[j - 1] ? prev[j - 1] + 1 : max(prev[j], cur[j - 1]);
        int *t = prev; prev = cur; cur = t;
    }
}

// CHECK: kernel lcs2 proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && m >= 1 && n < 1 << 20 && m < 1 << 20)
__global__ void lcs2(tc_shared tc_shape(n) const char *a, tc_shared tc_shape(m) const char *b, tc_mut tc_shape(2, m + 1) int *r, int n, int m)
{
    for (int i = 1; i <= n; i++) {
        int cur = i & 1, prev = 1 - cur;
        for (int j = 1; j <= m; j++)
            r[cur * (m + 1) + j] = a[i - 1] == b[j - 1] ? r[prev * (m + 1) + j - 1] + 1 : r[prev * (m + 1) + j];
    }
}

// CHECK: kernel scan_hs proved
tc_block(256) tc_grid(n) tc_requires(n <= 65535)
__global__ void scan_hs(tc_shared tc_shape(n, 256) const float *a, tc_mut tc_shape(n, 256) float *out, int n)
{
    __shared__ float sm[2][256];
    int t = threadIdx.x, pin = 0, pout = 1;
    sm[pin][t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int o = 1; o < 256; o <<= 1) {
        sm[pout][t] = sm[pin][t];
        if (t >= o) sm[pout][t] += sm[pin][t - o];
        __syncthreads();
        int x = pin; pin = pout; pout = x;
    }
    out[blockIdx.x * 256 + t] = sm[pin][t];
}

// CHECK: kernel scan_hs_far violated
tc_block(256) tc_grid(n) tc_requires(n <= 65535)
__global__ void scan_hs_far(tc_shared tc_shape(n, 256) const float *a, tc_mut tc_shape(n, 256) float *out, int n)
{
    __shared__ float sm[2][256];
    int t = threadIdx.x, pin = 0, pout = 1;
    sm[pin][t] = a[blockIdx.x * 256 + t];
    __syncthreads();
    for (int o = 1; o < 256; o <<= 1) {
        sm[pout][t] = sm[pin][t];
        if (t >= o) sm[pout][t] += sm[pin][t - o - 1];
        __syncthreads();
        int x = pin; pin = pout; pout = x;
    }
    out[blockIdx.x * 256 + t] = sm[pin][t];
}
