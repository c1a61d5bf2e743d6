// Pointers that move: up to an end that is not passed, by strides, together with counters; near misses go one too far.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;

// CHECK: kernel ptr_ne proved-if
tc_block(128)
__global__ void ptr_ne(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (const float *p = a, *e = a + n; p != e; ++p)
        s += *p;
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_ne_bad violated
tc_block(128)
__global__ void ptr_ne_bad(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (const float *p = a, *e = a + n; p != e; ++p)
        s += p[1];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_by_two violated
tc_block(128)
__global__ void ptr_by_two(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (const float *p = a, *e = a + n; p != e; p += 2)
        s += *p;
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_stride proved-if
tc_block(128) tc_requires(stride >= 1)
__global__ void ptr_stride(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int stride)
{
    float s = 0;
    for (const float *p = a + threadIdx.x; p < a + n; p += stride)
        s += *p;
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_stride_behind violated
tc_block(128) tc_requires(stride >= 1)
__global__ void ptr_stride_behind(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n, int stride)
{
    float s = 0;
    for (const float *p = a + threadIdx.x; p <= a + n; p += stride)
        s += *p;
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_blockstride proved-if
tc_block(128)
__global__ void ptr_blockstride(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (const float *p = a + threadIdx.x, *end = a + n; p < end; p += blockDim.x)
        s += *p;
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_counter proved-if
tc_block(128)
__global__ void ptr_counter(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    const float *p = a;
    int left = n;
    while (left-- > 0)
        s += *p++;
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ptr_row proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void ptr_row(tc_shared tc_shape(m, n) const float *a, tc_mut tc_shape(m) float *out, int m, int n)
{
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= m) return;
    float s = 0;
    const float *row = a + (size_t)r * n;
    const float *end = row + n;
    while (row != end)
        s += *row++;
    out[r] = s;
}

// CHECK: kernel ptr_row_long violated
tc_block(128) tc_requires(n >= 0)
__global__ void ptr_row_long(tc_shared tc_shape(m, n) const float *a, tc_mut tc_shape(m) float *out, int m, int n)
{
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= m) return;
    float s = 0;
    const float *row = a + (size_t)r * n;
    const float *end = row + n + 1;
    while (row != end)
        s += *row++;
    out[r] = s;
}

// CHECK: kernel spmv proved
tc_block(256) tc_grid(tc_cdiv(rows, 256)) tc_requires(rows >= 0 && rows <= 1 << 30 && nnz >= 0)
tc_forall(i; i < 0 || i >= rows || (0 <= ptr[i] && ptr[i] <= ptr[i + 1] && ptr[i + 1] <= nnz))
__global__ void spmv(tc_shared tc_shape(rows + 1) const int *ptr, tc_shared tc_shape(nnz) tc_range(0, cols) const int *idx,
                     tc_shared tc_shape(nnz) const float *val, tc_shared tc_shape(cols) const float *x, tc_mut tc_shape(rows) float *y,
                     int rows, int cols, int nnz)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const int *c = idx + ptr[r], *ce = idx + ptr[r + 1];
    const float *v = val + ptr[r];
    float s = 0;
    while (c != ce)
        s += *v++ * x[*c++];
    y[r] = s;
}

struct Edge { int to; float w; };
// CHECK: kernel relax proved
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n >= 1 && n <= 1 << 24 && m >= 0)
tc_forall(i; i < 0 || i >= n || (0 <= off[i] && off[i] <= off[i + 1] && off[i + 1] <= m))
__global__ void relax(tc_shared tc_shape(n + 1) const int *off, tc_shared tc_shape(m) const Edge *e, tc_mut tc_shape(n) float *o, int n, int m)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float d = 1e30f;
    for (const Edge *p = e + off[v], *end = e + off[v + 1]; p < end; ++p)
        d = fminf(d, p->w);
    o[v] = d;
}

// CHECK: kernel quant proved
tc_block(128) tc_grid(tc_cdiv(g, 128)) tc_requires(g >= 1 && g <= 1 << 20)
__global__ void quant(tc_shared tc_shape(g, 32) const float *x, tc_mut tc_shape(g, 16) unsigned char *q, int g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= g) return;
    const float *p = x + i * 32, *e = p + 32;
    unsigned char *o = q + i * 16;
    while (p != e) {
        int lo = (int)p[0] & 15, hi = (int)p[1] & 15;
        *o++ = (unsigned char)(lo | hi << 4);
        p += 2;
    }
}

// CHECK: kernel prefix proved
tc_block(1) tc_grid(1) tc_requires(n >= 0)
__global__ void prefix(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *o, int n)
{
    float s = 0;
    const float *p = a;
    float *q = o;
    for (unsigned i = 0; i < n; ++i, ++p, ++q) { s += *p; *q = s; }
}

// CHECK: kernel strlenk proved
tc_block(1) tc_grid(1)
__global__ void strlenk(tc_shared tc_shape(n) const char *s, tc_mut tc_shape(1) int *o, int n)
{
    const char *p = s, *e = s + n;
    while (p < e && *p) p++;
    o[0] = (int)(p - s);
}

// CHECK: kernel strlen_open violated
tc_block(1) tc_grid(1)
__global__ void strlen_open(tc_shared tc_shape(n) const char *s, tc_mut tc_shape(1) int *o, int n)
{
    const char *p = s, *e = s + n;
    while (*p && p < e) p++;
    o[0] = (int)(p - s);
}

// CHECK: kernel ln4 proved
tc_block(256) tc_grid(rows) tc_requires(rows >= 1 && cols >= 4 && cols % 4 == 0 && cols <= 1 << 16 && rows <= 1 << 20)
__global__ void ln4(tc_shared tc_shape(rows, cols) tc_align(16) const float *x, tc_mut tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) tc_align(16) float *y, int rows, int cols)
{
    const float4 *in = reinterpret_cast<const float4 *>(x + (size_t)blockIdx.x * cols);
    float4 *out = reinterpret_cast<float4 *>(y + (size_t)blockIdx.x * cols);
    int nv = cols >> 2;
    float s = 0;
    for (const float4 *p = in + threadIdx.x; p < in + nv; p += blockDim.x) s += p->x + p->y + p->z + p->w;
    for (int v = threadIdx.x; v < nv; v += 256) { float4 t = in[v]; t.x -= s; out[v] = t; }
}

// CHECK: kernel colsum proved
tc_block(128) tc_grid(tc_cdiv(m, 128)) tc_requires(m >= 1 && n >= 1 && m <= 1 << 15 && n <= 1 << 15)
__global__ void colsum(tc_shared tc_shape(n, m) const float *a, tc_mut tc_shape(m) float *o, int n, int m)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m) return;
    const float *p = a + c;
    float s = 0;
    for (int r = 0; r < n; r++, p += m) s += *p;
    o[c] = s;
}

// CHECK: kernel colsum_long violated
tc_block(128) tc_grid(tc_cdiv(m, 128)) tc_requires(m >= 1 && n >= 1 && m <= 1 << 15 && n <= 1 << 15)
__global__ void colsum_long(tc_shared tc_shape(n, m) const float *a, tc_mut tc_shape(m) float *o, int n, int m)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m) return;
    const float *p = a + c;
    float s = 0;
    for (int r = 0; r <= n; r++, p += m) s += *p;
    o[c] = s;
}

// CHECK: kernel conv proved
tc_block(16, 16) tc_grid(tc_cdiv(w, 16), tc_cdiv(h, 16)) tc_requires(h >= 1 && w >= 1 && h <= 4096 && w <= 4096 && r >= 0 && r <= 16)
__global__ void conv(tc_shared tc_shape(h, w) const float *x, tc_shared tc_shape((2 * r + 1) * (2 * r + 1)) const float *f, tc_mut tc_shape(h, w) float *y, int h, int w, int r)
{
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    if (px >= w || py >= h) return;
    float s = 0;
    const float *fp = f;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++, fp++) {
            int xx = px + dx, yy = py + dy;
            if (xx < 0 || xx >= w || yy < 0 || yy >= h) continue;
            s += *fp * x[yy * w + xx];
        }
    y[py * w + px] = s;
}

// CHECK: kernel conv_short violated
tc_block(16, 16) tc_grid(tc_cdiv(w, 16), tc_cdiv(h, 16)) tc_requires(h >= 1 && w >= 1 && h <= 4096 && w <= 4096 && r >= 0 && r <= 16)
__global__ void conv_short(tc_shared tc_shape(h, w) const float *x, tc_shared tc_shape(2 * r * (2 * r + 1)) const float *f, tc_mut tc_shape(h, w) float *y, int h, int w, int r)
{
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    if (px >= w || py >= h) return;
    float s = 0;
    const float *fp = f;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++, fp++) {
            int xx = px + dx, yy = py + dy;
            if (xx < 0 || xx >= w || yy < 0 || yy >= h) continue;
            s += *fp * x[yy * w + xx];
        }
    y[py * w + px] = s;
}

// CHECK: kernel im2col proved
tc_block(128) tc_grid(tc_cdiv(c * oh * ow, 128)) tc_requires(c >= 1 && oh >= 1 && ow >= 1 && c <= 256 && oh <= 256 && ow <= 256 && c * oh * ow >= 1)
__global__ void im2col(tc_shared tc_shape(c, oh + 2, ow + 2) const float *im, tc_mut tc_shape(c, 9, oh, ow) float *col, int c, int oh, int ow)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= c * oh * ow) return;
    int x = i % ow, y = i / ow % oh, ch = i / ow / oh;
    float *out = col + ((ch * 9) * oh + y) * ow + x;
    const float *in = im + (ch * (oh + 2) + y) * (ow + 2) + x;
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++) {
            *out = in[ky * (ow + 2) + kx];
            out += oh * ow;
        }
}
