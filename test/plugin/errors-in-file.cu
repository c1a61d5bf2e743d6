// The compiler's errors are enough: nothing is checked, in the middle of a kernel, a template or a contract.
// RUN: not %clang %s 2>&1 | FileCheck %s
// RUN: not %clang -fplugin-arg-tilecheck-all -Wno-everything %s 2>&1 | FileCheck %s
#include <tilecheck.h>

struct Job { tc_mut Missing *p; };
template <class T> tc_block(T::size) __global__ void k(tc_mut typename T::type *out, Job j) { out[j] = j.q; }
struct Wrong { static constexpr int size = unknown; };
template __global__ void k<Wrong>(int *, Job);
tc_block(64 __global__ void half(tc_mut float *

// CHECK: error: unknown type name 'Missing'
// CHECK: error:
// CHECK-NOT: {{[[]}}TC
// CHECK-NOT: tilecheck: {{[0-9n]}}
