#!/usr/bin/env python3
"""huge.py TILECHECK KIND COUNT [MEGABYTES]: writes a kernel with COUNT parts of a kind, checks it, and prints "KIND VERDICT".

Fails where the check ends with anything but a verdict, gives no reason for an unknown, takes longer than two minutes (a machine
with nothing else to do takes less than twenty seconds), or more memory than MEGABYTES (a sanitized build may).
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

HEAD = """
tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void k(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(n) int *y, int n, int m)
{
    int i = blockIdx.x * 32 + threadIdx.x, a = 0;
    if (i >= n)
        return;
"""


def each(n, text):
    return "".join(text % {"k": k} for k in range(n))


def halves(low, high):
    if high - low <= 1:
        return "a += %d;\n" % low
    middle = (low + high) // 2
    return "if (m < %d) {\n%s} else {\n%s}\n" % (middle, halves(low, middle), halves(middle, high))


# What stands before the kernel.
BEFORE = {
    "calls": lambda n: "".join("__device__ int f%d(int a, int b) { return %s; }\n" % (k, "f%d(a, b) + f%d(b, a)" % (k - 1, k - 1) if k else "a & 1")
                               for k in range(n)),
    "templates": lambda n: "template <int N> __device__ int f(int a) { return f<N - 1>(a) + f<N - 1>(a + 1); }\n"
                           "template <> __device__ int f<0>(int a) { return a & 1; }\n",
}
KINDS = {
    "calls": lambda n: "a = f%d(i, m);\n" % (n - 1),
    "templates": lambda n: "a = f<%d>(i);\n" % n,
    "locals": lambda n: each(n, "int v%(k)d = m;\n") + "for (int j = 0; j < m; j++) {\n" + each(n - 1, "v%(k)d += v0;\n") + "}\na = v0;\n",
    "nest": lambda n: each(n, "for (int j%(k)d = 0; j%(k)d < m; j%(k)d++)\n") + "a++;\n",
    "tests": lambda n: each(n, "if (x[i] > %(k)d) a += %(k)d; else a -= %(k)d;\n"),
    "chain": lambda n: "if (m < 0) a = 1;\n" + each(n, "else if (m == %(k)d) a += %(k)d;\n"),
    "nested": lambda n: halves(0, n),
    "returns": lambda n: each(n, "if (m == %(k)d) return; a += %(k)d;\n"),
    "stores": lambda n: each(n, "if (m > %(k)d) y[i] = %(k)d; else if (m == -%(k)d) a++;\n"),
    "switch": lambda n: "switch (m) {\n" + each(n, "case 3 * %(k)d: a += %(k)d; break;\n") + "}\n",
    "loops": lambda n: each(n, "for (int j = 0; j < m; j++) a ^= x[i] + j * %(k)d;\n"),
}


def main():
    tool, kind, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        path, report = os.path.join(folder, "huge.cu"), os.path.join(folder, "report.json")
        with open(path, "w") as f:
            f.write("#include <tilecheck.h>\n" + BEFORE.get(kind, lambda n: "")(count) + HEAD + KINDS[kind](count) + "y[i] = a;\n}\n")
        command = [tool, "--standin", "-j1", "--report=" + report, path]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if run.returncode not in (0, 2):
            sys.exit("exit status %d\n%s" % (run.returncode, (run.stdout + run.stderr)[-2000:]))
        kernel, = json.load(open(report))["kernels"]
    for ob in kernel["obligations"]:
        if ob["verdict"] == "unknown" and (not ob.get("reason") or "internal error" in ob["reason"]):
            sys.exit("%s at line %d: %s" % (ob["rule"], ob["line"], ob.get("reason")))
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    if len(sys.argv) > 4 and used > int(sys.argv[4]) and not os.environ.get("TC_ASAN_RUNTIME"):
        sys.exit("%d MB" % used)
    print(kind, kernel["verdict"])


main()
