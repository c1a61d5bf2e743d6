// Bits that are read through a pointer of another type have no sign: shifting them as unsigned changes no value. What is read of an int has.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --match-full-lines
#include <tilecheck.h>

// CHECK: kernel word_of_bytes proved
tc_block(64) tc_grid(1)
__global__ void word_of_bytes(tc_shared tc_shape(256) tc_align(4) const unsigned char *p, tc_atomic tc_shape(256) unsigned *h)
{
    unsigned v = ((const unsigned *)p)[threadIdx.x];
    atomicAdd(&h[v >> 24], 1u);
    atomicAdd(&h[v >> 8 & 255], 1u);
}

// CHECK: kernel one_bit_more violated
tc_block(64) tc_grid(1)
__global__ void one_bit_more(tc_shared tc_shape(256) tc_align(4) const unsigned char *p, tc_atomic tc_shape(256) unsigned *h)
{
    unsigned v = ((const unsigned *)p)[threadIdx.x];
    atomicAdd(&h[v >> 23], 1u);
}

// CHECK: kernel read_as_signed violated
tc_block(64) tc_grid(1)
__global__ void read_as_signed(tc_shared tc_shape(256) tc_align(4) const unsigned char *p, tc_atomic tc_shape(256) unsigned *h)
{
    int v = ((const int *)p)[threadIdx.x];
    atomicAdd(&h[v >> 24], 1u);
}

// CHECK: kernel reversed_bits proved
tc_block(64) tc_grid(1)
__global__ void reversed_bits(tc_atomic tc_shape(256) unsigned *h)
{
    atomicAdd(&h[__brev(threadIdx.x) >> 24], 1u);
}

// The C type of what is read here is int: its sign changes.
// CHECK: kernel sign_changes violated
tc_block(64) tc_grid(1)
__global__ void sign_changes(tc_shared tc_shape(64) const int *p, tc_atomic tc_shape(256) unsigned *h)
{
    unsigned v = (unsigned)p[threadIdx.x];
    atomicAdd(&h[v >> 24], 1u);
}

// Compared as it is read: signed here, so that a negative one passes.
// CHECK: kernel below violated
tc_block(64) tc_grid(1)
__global__ void below(tc_shared tc_shape(256) tc_align(4) const unsigned char *p, tc_atomic tc_shape(256) unsigned *h)
{
    int v = ((const int *)p)[threadIdx.x];
    if (v < 256)
        atomicAdd(&h[v], 1u);
}

// CHECK: kernel below_unsigned proved
tc_block(64) tc_grid(1)
__global__ void below_unsigned(tc_shared tc_shape(256) tc_align(4) const unsigned char *p, tc_atomic tc_shape(256) unsigned *h)
{
    unsigned v = ((const unsigned *)p)[threadIdx.x];
    if (v < 256)
        atomicAdd(&h[v], 1u);
}
