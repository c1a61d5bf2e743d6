// An index that is taken apart by extents, of which a pointer that moves in loops starts. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define SIZES int C, int h, int w, int oh, int ow, int kh, int kw, int step, int pad
#define K(n) tc_block(256) tc_grid(tc_cdiv(n, 256)) \
    tc_requires(C >= 1 && oh >= 1 && ow >= 1 && h >= 1 && w >= 1 && C <= 256 && oh <= 256 && ow <= 256 && h <= 256 && w <= 256) \
    tc_requires(kh >= 1 && kw >= 1 && kh <= 8 && kw <= 8 && step >= 1 && step <= 4 && pad >= 0 && pad <= 4) __global__ void
#define X tc_shared tc_shape(C, h, w) const float *x
#define Y tc_mut tc_shape(C, kh, kw, oh, ow) float *y

// CHECK: kernel im2col proved
K(C * oh * ow) im2col(X, Y, SIZES)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= C * oh * ow)
        return;
    int ox = i % ow, oy = i / ow % oh, c = i / ow / oh, iy = oy * step - pad, ix = ox * step - pad;
    float *out = y + (c * kh * kw * oh + oy) * ow + ox;
    const float *in = x + (c * h + iy) * w + ix;
    for (int j = 0; j < kh; j++)
        for (int k = 0; k < kw; k++) {
            int yy = iy + j, xx = ix + k;
            *out = yy >= 0 && xx >= 0 && yy < h && xx < w ? in[j * w + k] : 0.f;
            out += oh * ow;
        }
}

// CHECK: kernel b_channels {{violated|unknown}}
K(C * oh * ow) b_channels(X, Y, SIZES)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i > C * oh * ow)
        return;
    int ox = i % ow, oy = i / ow % oh, c = i / ow / oh;
    float *out = y + (c * kh * kw * oh + oy) * ow + ox;
    for (int j = 0; j < kh; j++)
        for (int k = 0; k < kw; k++) {
            *out = 1;
            out += oh * ow;
        }
}

// CHECK: kernel b_other_radix {{violated|unknown}}
K(C * oh * ow) b_other_radix(X, Y, SIZES)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= C * oh * ow)
        return;
    int ox = i % ow, oy = i / ow % oh, c = i / oh / oh;
    float *out = y + (c * kh * kw * oh + oy) * ow + ox;
    for (int j = 0; j < kh; j++)
        for (int k = 0; k < kw; k++) {
            *out = 1;
            out += oh * ow;
        }
}

// CHECK: kernel b_short_step {{violated|unknown}}
K(C * oh * ow) b_short_step(X, Y, SIZES)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= C * oh * ow)
        return;
    int ox = i % ow, oy = i / ow % oh, c = i / ow / oh;
    float *out = y + (c * kh * kw * oh + oy) * ow + ox;
    for (int j = 0; j < kh; j++)
        for (int k = 0; k < kw; k++) {
            *out = 1;
            out += ow;
        }
}

// CHECK: kernel b_reads_beside {{violated|unknown}}
K(C * oh * ow) b_reads_beside(X, Y, SIZES)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= C * oh * ow)
        return;
    int ox = i % ow, oy = i / ow % oh, c = i / ow / oh, iy = oy * step - pad, ix = ox * step - pad;
    float *out = y + (c * kh * kw * oh + oy) * ow + ox;
    const float *in = x + (c * h + iy) * w + ix;
    for (int j = 0; j < kh; j++)
        for (int k = 0; k < kw; k++) {
            int yy = iy + j, xx = ix + k;
            *out = yy >= 0 && xx >= -1 && yy < h && xx < w ? in[j * w + k] : 0.f;
            out += oh * ow;
        }
}
