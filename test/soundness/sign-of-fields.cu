// Fields of a struct are read as it declares them, also after the struct was copied into a variable.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --match-full-lines
#include <tilecheck.h>
struct pixel { unsigned char r; signed char dark; };
struct record { unsigned short id; unsigned char kind; short back; };
struct pair { unsigned first; int second; };
struct run { unsigned char length[4]; };
#define K tc_block(64) tc_grid(1) __global__ void
#define BINS(n) tc_atomic tc_shape(n) unsigned *bins

// CHECK: kernel vector_copied proved
K vector_copied(tc_shared tc_shape(64) const uchar4 *in, BINS(512)) { uchar4 p = in[threadIdx.x]; atomicAdd(&bins[256 + p.x], 1); }
// CHECK: kernel vector_of_shorts proved
K vector_of_shorts(tc_shared tc_shape(64) const ushort2 *in, BINS(65536)) { ushort2 p = in[threadIdx.x]; atomicAdd(&bins[p.y], 1); }
// CHECK: kernel into_a_variable proved
K into_a_variable(tc_shared tc_shape(64) const uchar4 *in, BINS(256)) { unsigned char x = in[threadIdx.x].x; atomicAdd(&bins[x], 1); }
// CHECK: kernel of_a_record proved
K of_a_record(tc_shared tc_shape(64) const record *in, BINS(65536)) { record p = in[threadIdx.x]; atomicAdd(&bins[p.id], 1); atomicAdd(&bins[p.kind], 1); }
// CHECK: kernel any_of_an_array proved
K any_of_an_array(tc_shared tc_shape(64) const run *in, BINS(256)) { unsigned char n = in[threadIdx.x].length[threadIdx.x % 4]; atomicAdd(&bins[n], 1); }
// CHECK: kernel of_written_memory proved
K of_written_memory(tc_mut tc_shape(64) uchar4 *io, BINS(256)) { io[threadIdx.x].w = 3; uchar4 p = io[threadIdx.x]; atomicAdd(&bins[p.w], 1); }
// CHECK: kernel of_shared_memory proved
K of_shared_memory(tc_shared tc_shape(64) const uchar4 *in, BINS(256))
{
    __shared__ uchar4 s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    uchar4 p = s[63 - threadIdx.x];
    atomicAdd(&bins[p.z], 1);
}
// CHECK: kernel shared_byte proved
K shared_byte(tc_shared tc_shape(64) const unsigned char *in, BINS(256))
{
    __shared__ unsigned char s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    unsigned char x = s[63 - threadIdx.x];
    atomicAdd(&bins[x], 1);
}
// A large one that is narrowed to int is told at plain arrays of unsigned only.
// CHECK: kernel either_way proved
K either_way(tc_shared tc_shape(64) const pair *in, BINS(256)) { pair p = in[threadIdx.x]; int a = p.first; if (p.first < 256 && a < 256) atomicAdd(&bins[p.first], 1); }

// CHECK: kernel b_too_few violated
K b_too_few(tc_shared tc_shape(64) const uchar4 *in, BINS(200)) { uchar4 p = in[threadIdx.x]; atomicAdd(&bins[p.x], 1); }
// CHECK: kernel b_signed_byte violated
K b_signed_byte(tc_shared tc_shape(64) const pixel *in, BINS(256)) { pixel p = in[threadIdx.x]; atomicAdd(&bins[p.dark], 1); }
// CHECK: kernel b_signed_as_unsigned violated
K b_signed_as_unsigned(tc_shared tc_shape(64) const pixel *in, BINS(256)) { atomicAdd(&bins[(unsigned char)in[threadIdx.x].dark], 1); }
// CHECK: kernel b_copied_as_unsigned unknown
K b_copied_as_unsigned(tc_shared tc_shape(64) const pixel *in, BINS(256)) { pixel p = in[threadIdx.x]; atomicAdd(&bins[(unsigned char)p.dark], 1); }
// CHECK: kernel b_widened_as_unsigned {{violated|unknown}}
K b_widened_as_unsigned(tc_shared tc_shape(64) const record *in, BINS(65536)) { record p = in[threadIdx.x]; atomicAdd(&bins[(unsigned)p.back >> 16], 1); }
// CHECK: kernel b_int_as_unsigned violated
K b_int_as_unsigned(tc_shared tc_shape(64) const pair *in, BINS(256)) { atomicAdd(&bins[(unsigned)in[threadIdx.x].second >> 24], 1); }
// CHECK: kernel b_copied_int unknown
K b_copied_int(tc_shared tc_shape(64) const pair *in, BINS(256)) { pair p = in[threadIdx.x]; atomicAdd(&bins[(unsigned)p.second >> 24], 1); }

// Bits without a sign have the one that widening them gives, and narrowed they are another value.
// CHECK: kernel b_widened_with_sign {{violated|unknown}}
K b_widened_with_sign(tc_shared tc_shape(64) const unsigned *in, BINS(256)) { int v = ((const signed char *)in)[threadIdx.x]; atomicAdd(&bins[(unsigned)v >> 24], 1); }
// CHECK: kernel b_narrowed {{violated|unknown}}
K b_narrowed(tc_shared tc_shape(256) tc_align(4) const unsigned char *in, BINS(256)) { unsigned v = ((const unsigned *)in)[threadIdx.x]; unsigned char b = v; atomicAdd(&bins[b], 1); }
