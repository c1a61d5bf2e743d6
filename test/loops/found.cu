// What a loop has found is used after it: an index of a least element, the ends of a search, a position of a break.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;

// CHECK: kernel argmin proved-if
tc_block(128) tc_requires(n >= 1)
__global__ void argmin(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (a[i] < a[best]) best = i;
    out[blockIdx.x * 128 + threadIdx.x] = w[best];
}

// CHECK: kernel argmin_m1 proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void argmin_m1(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = -1;
    float m = 1e30f;
    for (int i = 0; i < n; i++)
        if (a[i] < m) { m = a[i]; best = i; }
    out[blockIdx.x * 128 + threadIdx.x] = best >= 0 ? w[best] : 0.f;
}

// CHECK: kernel argmin_stride proved-if
tc_block(128) tc_requires(n >= 1)
__global__ void argmin_stride(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (a[i] < a[best]) best = i;
    out[blockIdx.x * 128 + threadIdx.x] = w[best];
}

// CHECK: kernel argmin_bad violated
tc_block(128) tc_requires(n >= 1)
__global__ void argmin_bad(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (a[i] < a[best]) best = i + 1 < n ? i + 1 : i + 1;
    out[blockIdx.x * 128 + threadIdx.x] = w[best];
}

// CHECK: kernel argmin_outside violated
tc_block(128) tc_requires(n >= 1)
__global__ void argmin_outside(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = n;
    for (int i = 1; i < n; i++)
        if (a[i] < 0) best = i;
    out[blockIdx.x * 128 + threadIdx.x] = w[best];
}

// CHECK: kernel inv_after proved-if
tc_block(128) tc_requires(n >= 1)
__global__ void inv_after(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        tc_invariant(best >= 0 && best < n);
        if (a[i] < a[best]) best = i;
    }
    out[blockIdx.x * 128 + threadIdx.x] = w[best];
}

// CHECK: kernel inv_wrong {{violated|unknown}}
tc_block(128) tc_requires(n >= 1)
__global__ void inv_wrong(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(n) const float *w, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        tc_invariant(best >= 0 && best < n);
        if (a[i] < a[best]) best = i + 1;
    }
    out[blockIdx.x * 128 + threadIdx.x] = w[best];
}

// CHECK: kernel bsearch proved-if
tc_block(128) tc_requires(n >= 0 && n <= (1 << 30))
__global__ void bsearch(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(gridDim.x * 128) int *out, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    out[blockIdx.x * 128 + threadIdx.x] = lo < n ? a[lo] : -1;
}

// CHECK: kernel bsearch_open violated
tc_block(128) tc_requires(n >= 0 && n <= (1 << 30))
__global__ void bsearch_open(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(gridDim.x * 128) int *out, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    out[blockIdx.x * 128 + threadIdx.x] = a[lo];
}

// CHECK: kernel bsearch_overflow {{violated|unknown}}
tc_block(128) tc_requires(n >= 0)
__global__ void bsearch_overflow(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(gridDim.x * 128) int *out, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    out[blockIdx.x * 128 + threadIdx.x] = lo < n ? a[lo] : -1;
}

// CHECK: kernel bsearch2 proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void bsearch2(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(gridDim.x * 128) int *out, int n, int key)
{
    int lo = 0, hi = n - 1, found = -1;
    while (lo <= hi) {
        int mid = lo + ((hi - lo) >> 1);
        int v = a[mid];
        if (v == key) { found = mid; break; }
        if (v < key) lo = mid + 1;
        else hi = mid - 1;
    }
    out[blockIdx.x * 128 + threadIdx.x] = found >= 0 ? a[found] : 0;
}

// CHECK: kernel find_first proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void find_first(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(gridDim.x * 128) int *out, int n, int key)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == key) break;
    out[blockIdx.x * 128 + threadIdx.x] = i < n ? a[i] : 0;
}

// CHECK: kernel find_open violated
tc_block(128) tc_requires(n >= 0)
__global__ void find_open(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(gridDim.x * 128) int *out, int n, int key)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == key) break;
    out[blockIdx.x * 128 + threadIdx.x] = a[i];
}

// CHECK: kernel mergepath proved
tc_block(128) tc_grid(1) tc_requires(n >= 0 && m >= 0 && n <= 1 << 28 && m <= 1 << 28)
__global__ void mergepath(tc_shared tc_shape(n) const int *a, tc_shared tc_shape(m) const int *b, tc_mut tc_shape(128) int *split, int n, int m)
{
    int d = (int)((long long)(n + m) * threadIdx.x / 128);
    int lo = max(0, d - m), hi = min(d, n);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[d - 1 - mid]) lo = mid + 1;
        else hi = mid;
    }
    split[threadIdx.x] = lo;
}

// CHECK: kernel mergepath_next violated
tc_block(128) tc_grid(1) tc_requires(n >= 0 && m >= 0 && n <= 1 << 28 && m <= 1 << 28)
__global__ void mergepath_next(tc_shared tc_shape(n) const int *a, tc_shared tc_shape(m) const int *b, tc_mut tc_shape(128) int *split, int n, int m)
{
    int d = (int)((long long)(n + m) * threadIdx.x / 128);
    int lo = max(0, d - m), hi = min(d, n);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[d - mid]) lo = mid + 1;
        else hi = mid;
    }
    split[threadIdx.x] = lo;
}

// CHECK: kernel upper proved
tc_block(128) tc_grid(tc_cdiv(m, 128)) tc_requires(m >= 1 && m <= 1 << 30 && n >= 0)
__global__ void upper(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(m) const float *q, tc_mut tc_shape(m) int *o, int n, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m) return;
    int first = 0, count = n;
    while (count > 0) {
        int step = count / 2, it = first + step;
        if (!(q[t] < a[it])) { first = it + 1; count -= step + 1; }
        else count = step;
    }
    o[t] = first;
}

// CHECK: kernel upper_long violated
tc_block(128) tc_grid(tc_cdiv(m, 128)) tc_requires(m >= 1 && m <= 1 << 30 && n >= 0)
__global__ void upper_long(tc_shared tc_shape(n) const float *a, tc_shared tc_shape(m) const float *q, tc_mut tc_shape(m) int *o, int n, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m) return;
    int first = 0, count = n;
    while (count > 0) {
        int step = count / 2, it = first + step;
        if (!(q[t] < a[it])) { first = it + 1; count -= step; }
        else count = step;
    }
    o[t] = first;
}

// CHECK: kernel bucket proved
tc_block(128) tc_grid(tc_cdiv(m, 128)) tc_requires(m >= 1 && m <= 1 << 30 && n >= 1)
__global__ void bucket(tc_shared tc_shape(n) const float *edges, tc_shared tc_shape(n) const float *w, tc_shared tc_shape(m) const float *q, tc_mut tc_shape(m) float *o, int n, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m) return;
    int lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (edges[mid] <= q[t]) lo = mid; else hi = mid;
    }
    o[t] = w[lo] + w[hi];
}

// CHECK: kernel pivot proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void pivot(tc_mut tc_shape(n, n) float *a, tc_mut tc_shape(n) int *piv, int n)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        float best = fabsf(a[k * n + k]);
        for (int i = k + 1; i < n; i++)
            if (fabsf(a[i * n + k]) > best) { best = fabsf(a[i * n + k]); p = i; }
        piv[k] = p;
        if (p != k)
            for (int j = 0; j < n; j++) { float t = a[k * n + j]; a[k * n + j] = a[p * n + j]; a[p * n + j] = t; }
    }
}

// CHECK: kernel topk proved
tc_block(128) tc_grid(tc_cdiv(rows, 128)) tc_requires(rows >= 1 && cols >= 1 && rows <= 1 << 15 && cols <= 1 << 15)
__global__ void topk(tc_shared tc_shape(rows, cols) const float *x, tc_mut tc_shape(rows, 8) int *idx, int rows, int cols)
{
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    float v[8]; int id[8];
    for (int k = 0; k < 8; k++) { v[k] = -1e30f; id[k] = -1; }
    for (int c = 0; c < cols; c++) {
        float t = x[r * cols + c];
        if (t <= v[7]) continue;
        int k = 7;
        while (k > 0 && v[k - 1] < t) { v[k] = v[k - 1]; id[k] = id[k - 1]; --k; }
        v[k] = t; id[k] = c;
    }
    for (int k = 0; k < 8; k++) idx[r * 8 + k] = id[k];
}

// CHECK: kernel topk_low violated
tc_block(128) tc_grid(tc_cdiv(rows, 128)) tc_requires(rows >= 1 && cols >= 1 && rows <= 1 << 15 && cols <= 1 << 15)
__global__ void topk_low(tc_shared tc_shape(rows, cols) const float *x, tc_mut tc_shape(rows, 8) int *idx, int rows, int cols)
{
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    float v[8]; int id[8];
    for (int k = 0; k < 8; k++) { v[k] = -1e30f; id[k] = -1; }
    for (int c = 0; c < cols; c++) {
        float t = x[r * cols + c];
        if (t <= v[7]) continue;
        int k = 7;
        while (k >= 0 && v[k - 1] < t) { v[k] = v[k - 1]; id[k] = id[k - 1]; --k; }
        v[k] = t; id[k] = c;
    }
    for (int k = 0; k < 8; k++) idx[r * 8 + k] = id[k];
}

// CHECK: kernel argmaxrow proved
tc_block(256) tc_grid(rows) tc_requires(rows >= 1 && cols >= 1 && rows <= 65535 && cols <= 65536)
__global__ void argmaxrow(tc_shared tc_shape(rows, cols) const float *x, tc_mut tc_shape(rows) int *o, int rows, int cols)
{
    __shared__ float v[256]; __shared__ int id[256];
    const float *row = x + (size_t)blockIdx.x * cols;
    int t = threadIdx.x, best = 0;
    float m = -1e30f;
    for (int c = t; c < cols; c += blockDim.x) if (row[c] > m) { m = row[c]; best = c; }
    v[t] = m; id[t] = best;
    __syncthreads();
    for (int s = blockDim.x >> 1; s; s >>= 1) {
        if (t < s && v[t + s] > v[t]) { v[t] = v[t + s]; id[t] = id[t + s]; }
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = id[0];
    m += row[best];
}

// CHECK: kernel linbin proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 30 && nb >= 1)
__global__ void linbin(tc_shared tc_shape(n) const float *x, tc_shared tc_shape(nb) const float *edge, tc_atomic tc_shape(nb) int *cnt, int n, int nb)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int b = 0;
    while (b < nb - 1 && x[i] >= edge[b + 1]) ++b;
    atomicAdd(&cnt[b], 1);
}

// CHECK: kernel linbin_late violated
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 30 && nb >= 1)
__global__ void linbin_late(tc_shared tc_shape(n) const float *x, tc_shared tc_shape(nb) const float *edge, tc_atomic tc_shape(nb) int *cnt, int n, int nb)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int b = 0;
    while (b < nb && x[i] >= edge[b + 1]) ++b;
    atomicAdd(&cnt[b], 1);
}

// CHECK: kernel maxpool proved
tc_block(128) tc_grid(tc_cdiv(oh * ow, 128)) tc_requires(oh >= 1 && ow >= 1 && h >= 1 && w >= 1 && oh <= 4096 && ow <= 4096 && h <= 8192 && w <= 8192 && k >= 1 && k <= 16 && s >= 1 && s <= 16)
__global__ void maxpool(tc_shared tc_shape(h, w) const float *x, tc_mut tc_shape(oh, ow) float *y, int h, int w, int oh, int ow, int k, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= oh * ow) return;
    int py = i / ow, px = i - py * ow;
    int y0 = max(py * s - 1, 0), x0 = max(px * s - 1, 0), y1 = min(py * s - 1 + k, h), x1 = min(px * s - 1 + k, w);
    float m = -1e30f;
    int arg = -1;
    for (int yy = y0; yy < y1; ++yy)
        for (int xx = x0; xx < x1; ++xx)
            if (x[yy * w + xx] > m) { m = x[yy * w + xx]; arg = yy * w + xx; }
    y[i] = arg >= 0 ? x[arg] : 0.f;
}

// CHECK: kernel maxpool_open violated
tc_block(128) tc_grid(tc_cdiv(oh * ow, 128)) tc_requires(oh >= 1 && ow >= 1 && h >= 1 && w >= 1 && oh <= 4096 && ow <= 4096 && h <= 8192 && w <= 8192 && k >= 1 && k <= 16 && s >= 1 && s <= 16)
__global__ void maxpool_open(tc_shared tc_shape(h, w) const float *x, tc_mut tc_shape(oh, ow) float *y, int h, int w, int oh, int ow, int k, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= oh * ow) return;
    int py = i / ow, px = i - py * ow;
    int y0 = max(py * s - 1, 0), x0 = max(px * s - 1, 0), y1 = min(py * s - 1 + k, h), x1 = min(px * s - 1 + k, w);
    float m = -1e30f;
    int arg = -1;
    for (int yy = y0; yy < y1; ++yy)
        for (int xx = x0; xx < x1; ++xx)
            if (x[yy * w + xx] > m) { m = x[yy * w + xx]; arg = yy * w + xx; }
    y[i] = x[arg];
}

// CHECK: kernel twosum proved
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void twosum(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(2) int *o, int n, float target)
{
    int l = 0, r = n - 1;
    while (l < r) {
        float s = (float)a[l] + a[r];
        if (s == target) { o[0] = l; o[1] = r; break; }
        if (s < target) ++l; else --r;
    }
}

// CHECK: kernel twosum_long violated
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void twosum_long(tc_shared tc_shape(n) const int *a, tc_mut tc_shape(2) int *o, int n, float target)
{
    int l = 0, r = n;
    while (l < r) {
        float s = (float)a[l] + a[r];
        if (s == target) { o[0] = l; o[1] = r; break; }
        if (s < target) ++l; else --r;
    }
}
