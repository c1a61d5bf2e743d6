// A value that is to lose bits says so by a mask; the repair that is offered is one.
// RUN: not %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>
#define K tc_block(256) tc_grid(1) __global__ void
#define IN tc_shared tc_shape(256) const unsigned *in, tc_atomic tc_shape(256) unsigned *bins

// VERDICT: kernel second_byte violated
// CHECK: [[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}narrowing{{.*}}[TC2002]
// CHECK: note: guard the value or bound it with tc_requires, or mask it where only its low bits are meant, as in v & 255
K second_byte(IN) { atomicAdd(&bins[(unsigned char)(in[threadIdx.x] >> 8)], 1u); }
// VERDICT: kernel second_byte_masked proved
K second_byte_masked(IN) { atomicAdd(&bins[in[threadIdx.x] >> 8 & 255], 1u); }

// VERDICT: kernel hashed {{unknown|violated}}
// CHECK: [[#@LINE+2]]:{{[0-9]+}}: {{.*}}TC2002
// CHECK: note: {{.*}}where it is meant to wrap, {{.*}}0xffffffffu
K hashed(IN) { unsigned h = in[threadIdx.x] * 2654435761u; atomicAdd(&bins[h >> 24], 1u); }
// VERDICT: kernel hashed_masked proved
K hashed_masked(IN) { unsigned long long h = in[threadIdx.x] * 2654435761ull & 0xffffffffu; atomicAdd(&bins[h >> 24], 1u); }
