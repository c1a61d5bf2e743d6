// A C file has no kernel: it says so, and compiles.
// UNSUPPORTED: asan
// RUN: rm -f %t.json
// RUN: %clangxx -x c -std=c11 -Wall -Wextra -Werror -I%include -fplugin=%plugin -fplugin-arg-tilecheck-report=%t.json -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// CHECK: tilecheck: no kernel checked
// REPORT: "kernels": []
#include <tilecheck.h>

int sum(tc_shared tc_shape(n) const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; ++i) {
        tc_invariant(i >= 0 && i < n);
        s += p[i];
    }
    return s;
}
