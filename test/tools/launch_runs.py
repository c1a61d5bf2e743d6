#!/usr/bin/env python3
"""launch_runs.py ROOT BUILD [--functions N] [--seed N] [--runs N] [--keep DIR]: what is said of launches, set against runs of them.

Makes a file of random host functions that launch a kernel under contract: sizes in all integer types, guards, loops, helper functions,
variables that others see, allocations. tilecheck says of each launch whether it is proved, violated, or left to the run time. The
same file is compiled for this machine with a runtime that only looks at what is launched, and each function is called with many
values. A rule that is proved and broken in a run, or violated and kept in one, is an error. Signed overflow wraps in the runs. Prints
counts; exit status 1 on errors.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

RUNTIME = r"""
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
struct extents { unsigned x, y, z; };
struct config { extents grid, block; size_t smem; void *stream; };
static std::vector<config> pending;
struct buffer { uint64_t base, size; };
static std::vector<buffer> buffers;
int broken[3], launches;
extern "C" unsigned __cudaPushCallConfiguration(extents g, extents b, size_t smem, void *s) { pending.push_back({g, b, smem, s}); return 0; }
extern "C" unsigned __cudaPopCallConfiguration(extents *g, extents *b, size_t *smem, void **s) {
    config c = pending.back();
    pending.pop_back();
    *g = c.grid; *b = c.block; *smem = c.smem; *s = c.stream;
    return 0;
}
extern "C" int cudaMalloc(void **p, size_t n) {
    static uint64_t next = uint64_t(1) << 60;
    buffers.push_back({next, n});
    *p = (void *)next;
    next += (uint64_t(1) << 44);
    return 0;
}
extern "C" int cudaFree(void *) { return 0; }
extern "C" int cudaLaunchKernel(const void *, extents g, extents b, void **args, size_t smem, void *) {
    typedef __int128 wide;
    uint64_t y = *(uint64_t *)args[0], x = *(uint64_t *)args[1];
    wide n = *(int *)args[2];
    launches++;
    wide blocks = (n + B - 1) / B;
    bool right = b.x == B && b.y == 1 && b.z == 1 && g.x == blocks && g.x >= 1 && g.x <= 2147483647u && g.y == 1 && g.z == 1 &&
                 n >= LO && n <= HI && smem <= 227 * 1024;
    broken[0] |= right ? 1 : 2;
    if (!right)
        return 0;
    wide from = y > x ? wide(x) : wide(y), to = y > x ? wide(y) : wide(x);
    broken[1] |= to < from + 4 * n ? 2 : 1;
    uint64_t both[2] = {y, x};
    bool fits = true;
    for (uint64_t p : both) {
        bool found = false;
        for (const buffer &u : buffers)
            if (p >= u.base && p < u.base + (uint64_t(1) << 43))
                found = wide(p - u.base) + 4 * n <= wide(u.size);
        fits = fits && found;
    }
    broken[2] |= fits ? 1 : 2;
    return 0;
}
"""

HEAD = r"""#include <tilecheck.h>
tc_block(%(B)d) tc_grid(tc_cdiv(n, %(B)d)) tc_requires(n >= %(LO)d && n <= %(HI)d)
__global__ void k(tc_mut tc_shape(n) tc_tile(%(B)d) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    int i = blockIdx.x * %(B)d + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}
static int cdiv(int a, int b) { return (a + b - 1) / b; }
static inline unsigned ucdiv(unsigned a, unsigned b) { return (a + b - 1) / b; }
template <class T> static T least(T a, T b) { return a < b ? a : b; }
template <class T> static T most(T a, T b) { return a > b ? a : b; }
struct box { int n; unsigned m; };
static void put(box *b, int n) { b->n = n; }
static int global;
void poke(), keep(int *);
"""


class Maker:
    def __init__(self, rng, block, lo, hi):
        self.r, self.block, self.lo, self.hi = rng, block, lo, hi

    def constant(self):
        return self.r.choice([0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 255, 256, 257, 1000, 1 << 15, 1 << 20, (1 << 31) - 1])

    def leaf(self):
        return str(self.constant()) if self.r.random() < 0.3 else self.r.choice(self.names)

    def expr(self, depth):
        r = self.r.random()
        if depth == 0 or r < 0.2:
            return self.leaf()
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        if r < 0.5:
            return "(%s %s %s)" % (a, self.r.choice(["+", "-", "*", "+", "-"]), b)
        if r < 0.6:
            return "(%s / %d)" % (a, self.r.choice([2, 3, self.block, 256]))
        if r < 0.66:
            return "(%s %% %d)" % (a, self.r.choice([2, 3, self.block, 256]))
        if r < 0.72:
            return "(%s & %d)" % (a, self.r.choice([1, 7, 255, 1023, self.block - 1]))
        if r < 0.76:
            return "(%s >> %d)" % (a, self.r.choice([1, 2, 8]))
        if r < 0.82:
            return "(%s)(%s)" % (self.r.choice(["int", "unsigned", "size_t", "short", "unsigned char", "long long"]), a)
        if r < 0.88:
            return "(%s ? %s : %s)" % (self.cond(depth - 1), a, b)
        if r < 0.94:
            return "%s<int>(%s, %s)" % (self.r.choice(["least", "most"]), a, b)
        return "cdiv(%s, %d)" % (a, self.r.choice([self.block, 4]))

    def cond(self, depth):
        return "%s %s %s" % (self.expr(depth), self.r.choice(["<", "<=", ">", ">=", "==", "!="]), self.expr(depth))

    def guard(self, name):
        bounds = [str(self.lo), str(self.hi), "0", "1", str(self.hi + 1), "1 << 20"]
        return self.r.choice(["if (%s < %s || %s > %s) return;" % (name, self.r.choice([str(self.lo), "1", "0"]), name, str(self.hi)),
                              "if (%s <= %s) return;" % (name, self.r.choice(bounds)), "if (%s > %s) return;" % (name, self.r.choice(bounds)),
                              "if (%s %% %d != 0) return;" % (name, self.block), "if (!(%s)) return;" % self.cond(1)])

    def statements(self):
        out = []
        for i in range(self.r.randrange(0, 4)):
            v, r = "v%d" % i, self.r.random()
            kind = self.r.choice(["int", "unsigned", "size_t", "int"])
            if r < 0.35:
                out.append("%s %s = %s;" % (kind, v, self.expr(2)))
            elif r < 0.5:
                out.append("int %s = %s; for (int i = 0; i < (a & 7); i++) %s %s= %s;" % (v, self.leaf(), v, self.r.choice("+-"), self.leaf()))
            elif r < 0.6:
                out.append("int %s = %s; int *p%d = &%s; if (%s) *p%d = %s;" % (v, self.leaf(), i, v, self.cond(1), i, self.expr(1)))
            elif r < 0.7:
                out.append("box b%d = {%s, 5}; %s int %s = b%d.n;" % (i, "(int)" + self.leaf(), "put(&b%d, (int)%s);" % (i, self.leaf()) if self.r.random() < 0.6 else "", v, i))
            elif r < 0.8:
                out.append("global = (int)%s; %s int %s = global;" % (self.leaf(), "poke();" if self.r.random() < 0.4 else "", v))
            elif r < 0.84:
                out.append("int %s = %s; keep(&%s); %s %s" % (v, self.leaf(), v, self.r.choice(["", "%s = %s;" % (v, self.leaf())]), self.r.choice(["", "poke();"])))
            elif r < 0.92:
                first, second = self.r.choice(["oq", "qo"])
                out.append("%s->n = (int)%s; %s int %s = %s->n;" % (first, self.leaf(), self.r.choice(["", "poke();", "%s->n = (int)%s;" % (second, self.leaf()),
                           "put(%s, (int)%s);" % (second, self.leaf())]), v, first))
            elif r < 0.95:
                out.append("%s %s; if (%s) %s = %s; else %s = %s;" % (kind, v, self.cond(1), v, self.expr(1), v, self.expr(1)))
            else:
                out.append("unsigned %s = 0; while (%s < %d) %s += %d;" % (v, v, self.r.choice([5, 8, 100]), v, self.r.choice([1, 2, 3])))
            self.names.append(v)
            if self.r.random() < 0.4:
                out.append(self.guard(self.r.choice(self.names)))
        return out

    def function(self, number):
        self.names = ["a", "b", "c"] + self.r.choice([[], [], ["o->n"], ["o->n", "q->m"]])
        body = [self.guard(n) for n in self.names if self.r.random() < 0.4] + self.statements()
        n = self.r.choice(self.names) if self.r.random() < 0.8 else str(self.r.choice([1, self.block, 1000, self.constant()]))
        body.append("int n = (int)%s;" % n)
        if self.r.random() < 0.7:
            body.append(self.guard("n"))
        size = self.r.choice(["n * sizeof(float)", "n * sizeof(float)", "(size_t)n * 4", "n * 4", "n", "(n + 1) * 4", "%s" % self.expr(1), "(size_t)n * 4 + %s" % self.leaf()])
        body += ["float *x, *y;", "cudaMalloc(&x, %s);" % size,
                 self.r.choice(["cudaMalloc(&y, (size_t)n * 4);", "cudaMalloc(&y, n * sizeof(float));", "y = x;", "y = x + n;", "y = x + %s;" % self.leaf(),
                                "cudaMalloc(&y, (size_t)n * 4); if (%s) y = x;" % self.cond(1)])]
        grid = self.r.choice(["(n + %d) / %d" % (self.block - 1, self.block), "cdiv(n, %d)" % self.block, "(n + %d) / %d" % (self.block - 1, self.block),
                              "n / %d" % self.block, "ucdiv(n, %d)" % self.block, self.expr(2), "(%s + %d) / %d" % (self.leaf(), self.block - 1, self.block),
                              "n / %d + (n %% %d != 0)" % (self.block, self.block)])
        block = str(self.block) if self.r.random() < 0.9 else self.leaf()
        launch = "k<<<%s, %s>>>(y, x, n);" % (grid, block)
        r = self.r.random()
        if r < 0.15:
            launch = "if (%s) { %s }" % (self.cond(1), launch)
        elif r < 0.25:
            launch = "for (int j = 0; j < (b & 3); j++) { %s }" % launch
        elif r < 0.35:
            launch = "dim3 g, t(%s); g.x = %s; k<<<g, t>>>(y, x, n);" % (block, grid)
        body.append(launch)
        return "void f%d(int a, unsigned b, size_t c, box *o, box *q)\n{\n    %s\n}\n" % (number, "\n    ".join(body))


def values(rng, hi):
    pool = [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 255, 256, 257, 1000, 1024, 65535, 65536, 1 << 20, hi, hi + 1, hi - 1, (1 << 31) - 1, (1 << 31) - 200,
            -1, -2, -256, -(1 << 31), (1 << 32) - 1, 1 << 32, (1 << 32) + 256, (1 << 64) - 1, 1 << 62]
    v = rng.choice(pool) if rng.random() < 0.7 else rng.randrange(-5, 3000)
    return v


def call_text(v, kind):
    bits = {"int": 32, "unsigned": 32, "size_t": 64}[kind]
    v &= (1 << bits) - 1
    return "(int)%du" % v if kind == "int" else "%dull" % v


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--functions", type=int, default=60)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--other-block", action="store_true", help="the runs ask for another block than the contract: errors are right")
    o = parser.parse_args()
    rng = random.Random(o.seed)
    block, lo, hi = rng.choice([32, 128, 256]), rng.choice([0, 1]), rng.choice([1000, 1 << 20, 1 << 30])
    maker = Maker(rng, block, lo, hi)
    folder = o.keep or tempfile.mkdtemp(prefix="launch-runs-")
    os.makedirs(folder, exist_ok=True)
    source, runtime, report = (os.path.join(folder, n) for n in ("f.cu", "main.cpp", "report.json"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(HEAD % {"B": block, "LO": lo, "HI": hi})
        for i in range(o.functions):
            f.write(maker.function(i))
        f.write("int *where = &global;\n") # by which the other file below changes it
    subprocess.run([os.path.join(o.build, "tilecheck"), "--report=" + report, "--device-only", source, "--", "-Wno-everything"], capture_output=True)
    standin = os.path.join(o.root, "resources/standin")
    clang = ["clang++-22", "-x", "cuda", "--cuda-gpu-arch=sm_90", "--cuda-host-only", "-std=c++17", "-w", "-nocudainc", "-nocudalib", "-isystem", standin,
             "-include", standin + "/tilecheck_cuda.h", "-I" + os.path.join(o.root, "include")]
    run = subprocess.run(clang + ["-fsyntax-only", "-fplugin=" + os.path.join(o.build, "tilecheck.so"), "-fplugin-arg-tilecheck-launches",
                                  "-fplugin-arg-tilecheck-report=" + report, source], capture_output=True, text=True)
    try:
        said = {}
        for s in json.load(open(report, encoding="utf-8"))["launches"]:
            said.setdefault(s["function"], []).append([r["verdict"] for r in s["rules"]])
    except (OSError, KeyError):
        sys.exit("nothing was checked\n" + run.stderr)
    with open(runtime, "w", encoding="utf-8") as f:
        f.write("#define B %d\n#define LO %d\n#define HI %d\n" % (block // 2 if o.other_block else block, lo, hi) + RUNTIME + "extern int *where;\nint *kept;\nvoid keep(int *p) { kept = p; }\n"
                "struct box { int n; unsigned m; } boxes[2];\n"
                "void poke() { *where = 77; boxes[0].n = 78; if (kept) *kept = 79; }\n")
        for i in range(o.functions):
            f.write("void f%d(int, unsigned, size_t, box *, box *);\n" % i)
            f.write("static void run%d() {\n" % i)
            for _ in range(o.runs):
                args = [call_text(values(rng, hi), t) for t in ("int", "unsigned", "size_t", "int", "unsigned", "int")]
                f.write("    kept = 0; buffers.clear(); boxes[0] = {%s, (unsigned)%s}; boxes[1] = {%s, 3}; f%d(%s, boxes + %d, boxes + %d);\n" %
                        (*args[3:], i, ", ".join(args[:3]), rng.randrange(2), rng.randrange(2)))
            f.write("}\n")
        f.write("int main() {\n")
        for i in range(o.functions):
            f.write('    broken[0] = broken[1] = broken[2] = launches = 0; run%d(); printf("%d %%d %%d %%d\\n", broken[0], broken[1], broken[2]);\n' % (i, i))
        f.write("}\n")
    program = os.path.join(folder, "program")
    for command in (clang + ["-fwrapv", "-O0", "-c", "-o", program + ".o", source], ["clang++-22", "-O0", "-w", "-c", "-o", program + "-main.o", runtime],
                    ["clang++-22", "-o", program, program + ".o", program + "-main.o"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit("does not compile: %s" % done.stderr[:2000])
    out = subprocess.run([program], capture_output=True, text=True, timeout=100).stdout
    counts, wrong = {}, 0
    for line in out.split("\n"):
        if not line:
            continue
        number, *seen = (int(w) for w in line.split())
        for verdicts in said.get("f%d" % number, []):
            for rule, verdict, what in zip(("TC4001", "TC4002", "TC4003"), verdicts, seen):
                counts[rule + " " + verdict] = counts.get(rule + " " + verdict, 0) + 1
                if (verdict == "proved" and what & 2) or (verdict == "violated" and what & 1 and rule != "TC4002"):
                    wrong += 1
                    print("f%d: %s is %s, and a run %s it (seed %d)" % (number, rule, verdict, "breaks" if what & 2 else "keeps", o.seed))
    print("seed %d: %s, %d wrong" % (o.seed, ", ".join("%d %s" % (counts[c], c) for c in sorted(counts)), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
