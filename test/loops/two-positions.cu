// Several positions that move together: in opposite directions, one behind the other, their sum the loop's counter.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;

// CHECK: kernel reverse proved
tc_block(1) tc_grid(1)
__global__ void reverse(tc_mut tc_shape(n) float *a, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        float t = a[i]; a[i] = a[j]; a[j] = t;
    }
}

// CHECK: kernel reverse_long violated
tc_block(1) tc_grid(1)
__global__ void reverse_long(tc_mut tc_shape(n) float *a, int n)
{
    for (int i = 0, j = n; i < j; i++, j--) {
        float t = a[i]; a[i] = a[j]; a[j] = t;
    }
}

// CHECK: kernel reverse2 proved
tc_block(1) tc_grid(1)
__global__ void reverse2(tc_mut tc_shape(n) float *a, int n)
{
    int i = 0, j = n - 1;
    while (i < j) {
        float t = a[i]; a[i++] = a[j]; a[j--] = t;
    }
}

// CHECK: kernel merge proved
tc_block(1) tc_grid(1) tc_requires(n >= 0 && m >= 0 && n <= 1 << 29 && m <= 1 << 29)
__global__ void merge(tc_shared tc_shape(n) const int *a, tc_shared tc_shape(m) const int *b, tc_mut tc_shape(n + m) int *o, int n, int m)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        if (a[i] <= b[j]) o[k++] = a[i++];
        else o[k++] = b[j++];
    }
    while (i < n) o[k++] = a[i++];
    while (j < m) o[k++] = b[j++];
}

// CHECK: kernel merge_short violated
tc_block(1) tc_grid(1) tc_requires(n >= 0 && m >= 0 && n <= 1 << 29 && m <= 1 << 29)
__global__ void merge_short(tc_shared tc_shape(n) const int *a, tc_shared tc_shape(m) const int *b, tc_mut tc_shape(n + m - 1) int *o, int n, int m)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        if (a[i] <= b[j]) o[k++] = a[i++];
        else o[k++] = b[j++];
    }
    while (i < n) o[k++] = a[i++];
    while (j < m) o[k++] = b[j++];
}

// CHECK: kernel partition proved
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void partition(tc_mut tc_shape(n) int *a, int n)
{
    int p = a[n - 1], i = 0;
    for (int j = 0; j < n - 1; j++)
        if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; }
    int t = a[i]; a[i] = a[n - 1]; a[n - 1] = t;
}

// CHECK: kernel partition_next violated
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void partition_next(tc_mut tc_shape(n) int *a, int n)
{
    int p = a[n - 1], i = 0;
    for (int j = 0; j < n - 1; j++)
        if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i += 2; }
    int t = a[i]; a[i] = a[n - 1]; a[n - 1] = t;
}

// CHECK: kernel insertion proved
tc_block(1) tc_grid(1) tc_requires(n >= 0)
__global__ void insertion(tc_mut tc_shape(n) int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i - 1;
        while (j >= 0 && a[j] > v) { a[j + 1] = a[j]; j--; }
        a[j + 1] = v;
    }
}

// CHECK: kernel insertion_low violated
tc_block(1) tc_grid(1) tc_requires(n >= 0)
__global__ void insertion_low(tc_mut tc_shape(n) int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i - 1;
        while (j >= -1 && a[j] > v) { a[j + 1] = a[j]; j--; }
        a[j + 1] = v;
    }
}

// CHECK: kernel quickselect proved
tc_block(1) tc_grid(1) tc_requires(n >= 1 && k >= 0 && k < n && n <= 1 << 30)
__global__ void quickselect(tc_mut tc_shape(n) int *a, tc_mut tc_shape(1) int *res, int n, int k)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int p = a[(lo + hi) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (i <= hi && a[i] < p) i++;
            while (j >= lo && a[j] > p) j--;
            if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
        }
        if (k <= j) hi = j;
        else if (k >= i) lo = i;
        else break;
    }
    res[0] = a[k];
}

// CHECK: kernel quickselect_open {{violated|unknown}}
tc_block(1) tc_grid(1) tc_requires(n >= 1 && k >= 0 && k < n && n <= 1 << 30)
__global__ void quickselect_open(tc_mut tc_shape(n) int *a, tc_mut tc_shape(1) int *res, int n, int k)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int p = a[(lo + hi) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (j >= lo && a[j] > p) j--;
            if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
        }
        if (k <= j) hi = j;
        else if (k >= i) lo = i;
        else break;
    }
    res[0] = a[k];
}

// CHECK: kernel compact proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void compact(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) tc_at(0) tc_tile(n) float *out, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] <= 0) continue;
        out[k++] = a[i];
    }
}

// CHECK: kernel rle proved
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void rle(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(n) int *val, tc_mut tc_shape(n) int *len, tc_mut tc_shape(1) int *cnt, int n)
{
    int out = 0, i = 0;
    while (i < n) {
        int v = x[i], j = i + 1;
        while (j < n && x[j] == v) j++;
        val[out] = v; len[out] = j - i;
        out++;
        i = j;
    }
    cnt[0] = out;
}

// CHECK: kernel rle_twice violated
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void rle_twice(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(n) int *val, tc_mut tc_shape(n) int *len, tc_mut tc_shape(1) int *cnt, int n)
{
    int out = 0, i = 0;
    while (i < n) {
        int v = x[i], j = i + 1;
        while (j < n && x[j] == v) j++;
        val[out] = v; len[out] = j - i;
        out += 2;
        i = j;
    }
    cnt[0] = out;
}

// CHECK: kernel rld proved
tc_block(1) tc_grid(1) tc_requires(n >= 0 && m >= 0)
__global__ void rld(tc_shared tc_shape(n) const int *len, tc_shared tc_shape(n) const int *val, tc_mut tc_shape(m) int *out, int n, int m)
{
    int pos = 0;
    for (int i = 0; i < n; i++) {
        int l = len[i];
        while (l-- > 0 && pos < m)
            out[pos++] = val[i];
    }
}

// CHECK: kernel rld_open violated
tc_block(1) tc_grid(1) tc_requires(n >= 0 && m >= 0)
__global__ void rld_open(tc_shared tc_shape(n) const int *len, tc_shared tc_shape(n) const int *val, tc_mut tc_shape(m) int *out, int n, int m)
{
    int pos = 0;
    for (int i = 0; i < n; i++) {
        int l = len[i];
        while (l-- > 0 && pos <= m)
            out[pos++] = val[i];
    }
}

// CHECK: kernel tokens proved
tc_block(1) tc_grid(1) tc_requires(n >= 0 && m >= 1)
__global__ void tokens(tc_shared tc_shape(n) const char *s, tc_mut tc_shape(m) int *start, int n, int m)
{
    int i = 0, k = 0;
    while (i < n) {
        while (i < n && s[i] == ' ') i++;
        if (i >= n) break;
        if (k < m) start[k] = i;
        k++;
        while (i < n && s[i] != ' ') i++;
    }
}

// CHECK: kernel tokens_late violated
tc_block(1) tc_grid(1) tc_requires(n >= 0 && m >= 1)
__global__ void tokens_late(tc_shared tc_shape(n) const char *s, tc_mut tc_shape(m) int *start, int n, int m)
{
    int i = 0, k = 0;
    while (i < n) {
        while (i < n && s[i] == ' ') i++;
        if (i >= n) break;
        if (k <= m) start[k] = i;
        k++;
        while (i < n && s[i] != ' ') i++;
    }
}

// CHECK: kernel dedup proved
tc_block(1) tc_grid(1) tc_requires(n >= 1)
__global__ void dedup(tc_mut tc_shape(n) int *x, int n)
{
    int w = 1;
    for (int r = 1; r < n; r++)
        if (x[r] != x[w - 1]) x[w++] = x[r];
}

// CHECK: kernel evalst proved
tc_block(128) tc_grid(1) tc_requires(n >= 0)
__global__ void evalst(tc_shared tc_shape(n) const int *op, tc_mut tc_shape(128) float *o, int n)
{
    float st[16];
    int sp = 0;
    for (int i = 0; i < n; i++) {
        int c = op[i];
        if (c >= 0) { if (sp < 16) st[sp++] = (float)c; }
        else if (sp >= 2) { float b = st[--sp], a = st[--sp]; st[sp++] = a + b; }
    }
    o[threadIdx.x] = sp > 0 ? st[sp - 1] : 0.f;
}

// CHECK: kernel evalst_open violated
tc_block(128) tc_grid(1) tc_requires(n >= 0)
__global__ void evalst_open(tc_shared tc_shape(n) const int *op, tc_mut tc_shape(128) float *o, int n)
{
    float st[16];
    int sp = 0;
    for (int i = 0; i < n; i++) {
        int c = op[i];
        if (c >= 0) { if (sp <= 16) st[sp++] = (float)c; }
        else if (sp >= 2) { float b = st[--sp], a = st[--sp]; st[sp++] = a + b; }
    }
    o[threadIdx.x] = sp > 0 ? st[sp - 1] : 0.f;
}

// CHECK: kernel softmax proved
tc_block(128) tc_grid(rows) tc_requires(rows >= 1 && cols >= 1 && cols <= 1 << 20)
__global__ void softmax(tc_shared tc_shape(rows, cols) const float *x, tc_mut tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y, int rows, int cols)
{
    __shared__ float red[4];
    const float *in = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;
    float m = -1e30f;
    for (const float *p = in + threadIdx.x, *end = in + cols; p < end; p += blockDim.x)
        m = fmaxf(m, *p);
    for (int o = 16; o > 0; o /= 2)
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, o));
    if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = m;
    __syncthreads();
    m = red[0];
    for (int w = 1; w < blockDim.x / 32; w++) m = fmaxf(m, red[w]);
    const float *p = in + threadIdx.x;
    float *q = out + threadIdx.x;
    for (int left = cols - (int)threadIdx.x; left > 0; left -= blockDim.x) {
        *q = __expf(*p - m);
        p += blockDim.x;
        q += blockDim.x;
    }
}
