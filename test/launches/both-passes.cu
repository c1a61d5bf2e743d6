// One compile checks kernels and launches; the host's pass adds to the report of the device's. The launch that is violated stands among
// the kernels too.
// RUN: rm -f %t.json %t.out
// RUN: not %clang -fplugin-arg-tilecheck-report=%t.json %s 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); print(list(d)); print([k['name'] for k in d['kernels']], [l['verdict'] for l in d['launches']], d['summary'])" %t.json | FileCheck %s --check-prefix=REPORT
// CHECK: tilecheck: 1 kernel: 1 proved
// CHECK: both-passes.cu:[[@LINE+26]]:{{.*}}error: a launch breaks a precondition: 'clear' needs gridDim.x == 1, and is launched with gridDim.x = 2 [TC4001]
// CHECK: tilecheck: 2 launches: 1 proved, 1 violated
// REPORT: ['version', 'tool', 'file', 'kernels', 'launches', 'rules_not_run', 'summary']
// REPORT-NEXT: ['clear', 'clear'] ['proved', 'violated'] {'kernels': 1, 'proved': 1, 'proved_if': 0, 'violated': 0, 'unknown': 0, 'launches': 2, 'launches_proved': 1, 'launches_violated': 1, 'launches_run_time': 0}
//
// Once more for the host alone: the launches are not there twice, and a report of another file is not added to.
// RUN: not %clang --cuda-host-only -fplugin-arg-tilecheck-report=%t.json %s 2> /dev/null
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); print(len(d['kernels']), len(d['launches']))" %t.json | FileCheck %s --check-prefix=AGAIN
// AGAIN: 2 2
// RUN: cp %s %t.other.cu && not %clang --cuda-host-only -fplugin-arg-tilecheck-report=%t.json %t.other.cu 2> /dev/null
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); print(len(d['kernels']), len(d['launches']))" %t.json | FileCheck %s --check-prefix=OTHER
// OTHER: 1 2
//
// Rules that are switched off are not asked about.
// RUN: %clang -fplugin-arg-tilecheck-rules=TC1,TC2,TC4003 %s 2>&1 | FileCheck %s --check-prefix=RULES
// RULES: tilecheck: 2 launches: 2 proved
// RUN: %clang -fplugin-arg-tilecheck-rules=TC1,TC2 %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: launch
#include <tilecheck.h>

tc_block(32) tc_grid(1) __global__ void clear(tc_mut tc_shape(32) float *x) { x[threadIdx.x] = 0.0f; }

static void go(int blocks)
{
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));
    clear<<<blocks, 32>>>(x);
    cudaFree(x);
}
void good()
{
    go(1);
}
#ifdef ASSUME
// An assumption is used, and listed.
// RUN: %clang -DASSUME -fplugin-arg-tilecheck-rules=TC4001 -fplugin-arg-tilecheck-report=%t.json %s
// RUN: FileCheck %s --check-prefix=ASSUME < %t.json
// ASSUME: "function": "assumed", "verdict": "proved", {{.*}} "assumptions": [{"text": "tc_assume", "why": "the caller's", "line": [[@LINE+4]]}]
// ASSUME: "function": "later", "verdict": "proved", {{.*}}"verdict": "proved"}]}
void assumed(float *x, int blocks)
{
    tc_assume(blocks == 1, "the caller's");
    clear<<<blocks, 32>>>(x);
}
void later(float *x) { clear<<<1, 32>>>(x); }
#else
void bad() { go(2); }
#endif
