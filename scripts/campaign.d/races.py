"""Kernels about order inside a block: shared arrays, barriers of blocks and warps, branches, loops, flags, atomics, asynchronous
copies. What is proved of them is set against sweeps of small launches by the interpreter, which sees every pair of accesses that
nothing orders, whatever the schedule."""
import collections
import random
import tempfile

from judge import Find, count_verdict
from tool import Tool

RULES = {"TC3001", "TC3002", "TC3003"}

HEAD = """#include <tilecheck.h>
__device__ void copy4(int *s, const int *g)
{
    unsigned a = (unsigned)__cvta_generic_to_shared(s);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(g) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void pending() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
"""


class Kernel:
    def __init__(self, name, text, origin):
        self.name, self.text, self.origin = name, text, origin


class Maker:
    """One random kernel. What may be read or written grows with `wild`; most of it is tame, so that enough is proved."""

    def __init__(self, R, name):
        self.R, self.name = R, name
        self.kind = R.choice(["plain", "plain", "plain", "flags", "warps", "async"])
        self.block = {"warps": R.choice([(64,), (32,), (16, 4), (40,)])}.get(self.kind) or R.choice([(4,), (6,), (4, 2), (3, 2), (2, 2, 2)])
        self.size = 1
        for d in self.block:
            self.size *= d
        self.loops, self.depth, self.lines, self.counter = [], 0, [], 0
        self.wild = R.choice([0.02, 0.1, 0.3])

    def pick(self, *xs):
        return self.R.choice(xs)

    def maybe(self, p):
        return self.R.random() < p

    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    # ---- expressions ----

    def own(self):
        return self.pick("t", "t", "t", "%d - t" % (self.size - 1))

    def element(self):
        """An index in [0, size): mostly one a thread, or of a neighbour."""
        n = self.size
        choices = ["t"] * 3 + ["%d - t" % (n - 1), "(t + %d) %% %d" % (self.R.randrange(1, n), n), str(self.R.randrange(n)), "t / 2", "t ^ 1"]
        if n % 2:
            choices.remove("t ^ 1")
        if self.loops:
            k = self.pick(*self.loops)
            choices += ["(t + %s) %% %d" % (k, n), "%s %% %d" % (k, n)]
        return self.R.choice(choices)

    def buffer(self):
        if self.loops and self.maybe(0.5):
            k = self.pick(*self.loops)
            return self.pick("%s & 1" % k, "(%s + 1) & 1" % k, "%s %% 2" % k, "%s / 2 & 1" % k)
        return self.pick("0", "0", "1")

    def place(self, index):
        return "s[%s][%s]" % (self.buffer(), index)

    def uniform(self):
        choices = ["m > %d" % self.R.randrange(4), "p == %d" % self.R.randrange(3), "blockIdx.x == 0"]
        if self.loops:
            k = self.pick(*self.loops)
            choices += ["%s %% 2 == 0" % k, "%s == %d" % (k, self.R.randrange(4)), "%s + 1 < m" % k, "%s > 0" % k, "%s < p" % k]
        if self.kind == "flags":
            choices += ["flag > %d" % self.R.randrange(3)] * 2 + ["x[0] > 1"]
        return self.R.choice(choices)

    def divergent(self):
        n = self.size
        return self.pick("t == 0", "t == 0", "t < %d" % self.R.randrange(1, n + 2), "t %% 2 == 0", "t < m", "x[t] > 1", "t == %d" % self.R.randrange(n),
                         "t / 32 == 0", "t % 32 < 16").replace("%%", "%")

    def condition(self):
        return self.divergent() if self.maybe(0.45) else self.uniform()

    # ---- statements ----

    def access(self):
        what = self.R.random()
        if what < 0.4:
            self.put("%s = a;" % self.place(self.own() if not self.maybe(self.wild) else self.element()))
        elif what < 0.85:
            self.put("a += %s;" % self.place(self.element()))
        elif what < 0.92:
            self.put("atomicAdd(&%s, 1);" % self.place(self.element()))
        else:
            self.put("y[%s] %s a;" % (self.own() if not self.maybe(self.wild) else self.element(), self.pick("=", "+=")))

    def flag(self):
        if self.maybe(0.5):
            self.put("if (t == %d)" % self.pick(0, 0, 1))
            self.put("    flag = %s;" % self.pick("m", "flag - 1", "a", "0", "p"))
        else:
            self.put("a += flag;")

    def copies(self):
        what = self.R.random()
        if what < 0.4:
            self.put("copy4(&%s, &x[%s]);" % (self.place(self.own()), self.element()))
            if self.maybe(0.8):
                self.put("commit();")
        elif what < 0.5:
            self.put("commit();")
        else:
            self.put("pending<%d>();" % self.pick(0, 0, 1, 1, 2))
            if self.maybe(0.8):
                self.put("__syncthreads();")

    def barrier(self):
        if self.kind == "warps" and self.maybe(0.6):
            self.put(self.pick("__syncwarp();", "__syncwarp();", "__syncwarp();", "a += __shfl_xor_sync(0xffffffffu, a, 1);"))
        elif self.maybe(0.06):
            self.put("a += __syncthreads_or(a > 3);")
        else:
            self.put("__syncthreads();")

    def block_of(self, budget):
        self.put("{")
        self.depth += 1
        self.statements(budget)
        self.depth -= 1
        self.put("}")

    def branch(self, budget):
        divergent = self.maybe(0.4)
        self.put("if (%s)" % (self.divergent() if divergent else self.uniform()))
        before, self.calm = getattr(self, "calm", False), divergent and not self.maybe(self.wild)
        self.block_of(max(1, budget // 2))
        if self.maybe(0.3):
            self.put("else")
            self.block_of(max(1, budget // 2))
        self.calm = before

    def loop(self, budget):
        k = "k%d" % self.counter
        self.counter += 1
        bound = self.pick("m", "m", "p", "3", "m - 1", "x[0]" if self.maybe(0.3) else "m")
        head = self.pick("for (int %s = 0; %s < %s; %s++)" % (k, k, bound, k)) if self.maybe(0.75) else self.pick(
            "for (int {0} = {1}; {0} > 0; {0} >>= 1)".format(k, self.size // 2), "for (int {0} = t; {0} < {1}; {0} += {2})".format(k, 2 * self.size, self.size),
            "for (int {0} = m; {0} > 0; {0}--)".format(k), "for (int {0} = t / 32; {0} < m; {0} += 2)".format(k),
            "for (int {0} = 0; {0} <= t % 2; {0}++)".format(k))
        if self.kind == "flags" and self.maybe(0.3):
            self.put("int %s = 0;" % k)
            self.put("while (flag > %s && %s < 4)" % (k, k))
            self.put("{")
            self.loops.append(k)
            self.depth += 1
            self.statements(budget - 1)
            self.put("%s++;" % k)
        else:
            self.put(head)
            self.put("{")
            self.loops.append(k)
            self.depth += 1
            self.statements(budget - 1)
        if self.maybe(0.6):
            self.put("__syncthreads();")
        self.depth -= 1
        self.loops.pop()
        self.put("}")

    def leave(self):
        if self.loops:
            self.put("if (%s)" % (self.uniform() if not self.maybe(self.wild) else self.divergent()))
            self.put("    %s;" % self.pick("break", "break", "continue"))

    def statement(self, budget):
        calm = getattr(self, "calm", False)
        what = self.R.random()
        if what < 0.38:
            self.access()
        elif what < 0.62:
            self.access() if calm else self.barrier()
        elif what < 0.76 and budget > 1:
            self.branch(budget)
        elif what < 0.88 and budget > 2 and self.depth < 3 and not calm:
            self.loop(budget)
        elif what < 0.93 and not calm:
            self.leave()
        elif self.kind == "flags":
            self.flag()
        elif self.kind == "async":
            self.copies()
        else:
            self.access()

    def statements(self, budget):
        for _ in range(self.R.randrange(1, 2 + max(1, budget))):
            self.statement(budget - 1)
            if self.maybe(0.3) and not getattr(self, "calm", False):
                self.barrier()

    def make(self):
        if self.kind == "flags":
            self.put("if (t == 0)")
            self.put("    flag = %s;" % self.pick("m", "p", "2"))
            if self.maybe(0.9):
                self.put("__syncthreads();")
        if self.maybe(0.7):
            self.put("s[0][t] = 0;")
            self.put("s[1][t] = 0;")
            if self.maybe(0.9):
                self.put("__syncthreads();")
        self.statements(self.R.randrange(3, 7))
        if self.maybe(0.7):
            self.put("y[t] = a;")
        dims = ", ".join(map(str, self.block))
        t = "threadIdx.x"
        if len(self.block) > 1:
            t = "threadIdx.x + %d * threadIdx.y" % self.block[0]
        if len(self.block) > 2:
            t += " + %d * threadIdx.z" % (self.block[0] * self.block[1])
        text = ["tc_block(%s) tc_grid(1) tc_requires(m >= 0 && m <= 4 && p >= 0 && p <= 2)" % dims,
                "__global__ void %s(tc_mut tc_shape(%d) int *y, tc_shared tc_shape(%d) tc_range(0, 3) const int *x, int m, int p)" % (
                    self.name, self.size, self.size), "{", "    __shared__ int s[2][%d];" % self.size]
        if self.kind == "flags":
            text += ["    __shared__ int flag;"]
        text += ["    int t = %s, a = t;" % t] + self.lines + ["}", ""]
        return Kernel(self.name, "\n".join(text), self.kind)


def kernels(seed, number, count):
    return [Maker(random.Random("%d/%d/%d/races" % (seed, number, i)), "k%d" % i).make() for i in range(count)]


# What kernels are made, and by which rules they are checked.
Kind = collections.namedtuple("Kind", "head kernels rules option")
KIND = Kind(HEAD, kernels, RULES, "--rules=TC3")


def text_of(kind, list_):
    return kind.head + "\n".join(k.text for k in list_)


def judge(kind, tool, list_, figures):
    status, report, err = tool.check(text_of(kind, list_), options=(kind.option,), timeout=60 + 3 * len(list_))
    finds = []
    if status is None:
        figures["timeouts"] += 1
        return [Find("timeout", list_[0], "", "no answer in time")]
    if status not in (0, 2) or not report:
        figures["crashes"] += 1
        return [Find("crash", list_[0], "", "exit status %s: %s" % (status, err[-2000:]))]
    figures["kernels"] += len(list_)
    by_name = {k.name: k for k in list_}
    proved = []
    for r in report["kernels"]:
        k = by_name[r["name"]]
        count_verdict(figures, r["verdict"])
        if r["verdict"] in ("proved", "proved-if"):
            proved.append(k)
        blame = [ob for ob in r["obligations"] if "internal error" in ob.get("reason", "")]
        if blame:
            figures["internal errors"] += 1
            finds.append(Find("internal", k, blame[0]["rule"], blame[0]["reason"]))
    if not proved:
        return finds
    path = tool.path("proved.cu")
    with open(path, "w") as f:
        f.write(text_of(kind, proved))
    swept, runs, err = tool.sweep(path)
    for k in proved:
        figures["proofs swept"] += 1
        figures["launches of the interpreter"] += runs.get(k.name, 0)
        figures["proofs never run"] += runs.get(k.name, 0) == 0
        for rule, launch, text in swept.get(k.name, []):
            if rule in kind.rules:
                figures["unsound"] += 1
                finds.append(Find("unsound", k, rule, "%s at %s" % (text, launch)))
                break
    return finds


def file(kind, campaign, number):
    args, figures = campaign.args, collections.Counter()
    if campaign.over():
        return
    count = min(args.per_file, args.kernels - number * args.per_file)
    list_ = kind.kernels(args.seed, number, count)
    if args.only:
        list_ = [k for k in list_ if k.name in args.only.split(",")]
    if args.show:
        print(text_of(kind, list_))
        return
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        finds = judge(kind, Tool(args.build, folder), list_, figures)
        campaign.add(figures)
        for find in finds:
            find.kernel = Kernel(find.kernel.name, text_of(kind, [find.kernel]), find.kernel.origin)
            campaign.keep(None, find, "%d/%d" % (args.seed, number))
    campaign.note(number, figures, len(finds))
    campaign.progress("file %d" % number)
