"""Kernels about order between blocks: arrays in global memory, barriers of the grid beside those of the block, pointers that change
places, flags that all blocks read; and the same with barriers of the grid that the kernel makes itself. They are judged as those of races.py
are."""
import random

from races import Kernel, Kind, Maker

RULES = {"TC1001", "TC1002", "TC1006", "TC3001", "TC3002", "TC3003"}
HEAD = """#include <cooperative_groups.h>
#include <tilecheck.h>
#define GRID cooperative_groups::this_grid()
__device__ int load_acquire(const int *p) { int v; asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ int load_relaxed(const int *p) { int v; asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ int add_release(int *p) { int v; asm volatile("atom.add.release.gpu.s32 %0, [%1], 1;" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void fence_acq_rel() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
"""


class GridMaker(Maker):
    """As Maker, with i for t: the number in the launch."""

    def __init__(self, R, name):
        super().__init__(R, name)
        self.kind = R.choice(["plain", "plain", "flags", "flags", "swaps", "shared"])
        self.block = R.choice([(3,), (4,), (2, 2)])
        self.grid = R.choice([(2,), (3,), (2,), (2, 2), ("p + 1",)])
        self.threads = 4 if len(self.block) > 1 else self.block[0]
        blocks = 4 if len(self.grid) > 1 else self.grid[0]
        self.size = "(p + 1) * %d" % self.threads if isinstance(blocks, str) else str(blocks * self.threads)

        self.wild = R.choice([0.05, 0.2, 0.5])

    # ---- expressions ----

    def own(self):
        return self.pick("i", "i", "i", "n - 1 - i")

    def element(self):
        choices = ["i"] * 3 + ["n - 1 - i", "(i + %d) %% n" % self.R.randrange(1, 5), str(self.R.randrange(3)), "i / 2", "i ^ 1" if self.threads % 2 == 0 else "i",
                               "blockIdx.x", "blockIdx.x * %d" % self.threads, "b * %d + %d - t" % (self.threads, self.threads - 1)]
        if self.loops:
            k = self.pick(*self.loops)
            choices += ["(i + %s) %% n" % k, "%s %% n" % k]
        return self.R.choice(choices)

    def place(self, index):
        if self.kind == "swaps" and self.maybe(0.7):
            return "%s[%s]" % (self.pick("from", "to"), index)
        if self.kind == "shared" and self.maybe(0.3):
            return "s[%s][%s]" % (self.pick("0", "1"), self.pick("t", "t", "%d - t" % (self.threads - 1)))
        return "u[(%s) * n + %s]" % (self.buffer(), index)

    def uniform(self):
        choices = ["m > %d" % self.R.randrange(4), "p == %d" % self.R.randrange(3), "gridDim.x > 2"]
        if self.loops:
            k = self.pick(*self.loops)
            choices += ["%s %% 2 == 0" % k, "%s == %d" % (k, self.R.randrange(4)), "%s + 1 < m" % k, "%s > 0" % k, "%s < p" % k]
        if self.kind == "flags":
            choices += ["flag[0] > %d" % self.R.randrange(3)] * 3 + ["x[0] > 1"]
        return self.R.choice(choices)

    def divergent(self):
        return self.pick("i == 0", "i == 0", "i < m", "b == 0", "b == 0", "b < m", "t == 0", "i % 2 == 0", "x[b] > 1", "x[i] > 1", "i < n - 1", "i < n",
                         "b == 1 && t == 0", "s[0][0] > 1" if self.kind == "shared" else "b > 0", "flag[b] > 1" if self.kind == "flags" else "t < 2")

    # ---- statements ----

    def access(self):
        what = self.R.random()
        if what < 0.4:
            self.put("%s = a;" % self.place(self.own() if not self.maybe(self.wild) else self.element()))
        elif what < 0.9:
            self.put("a += %s;" % self.place(self.element()))
        else:
            self.put("y[%s] %s a;" % (self.own() if not self.maybe(self.wild) else self.element(), self.pick("=", "+=")))

    def flag(self):
        if self.maybe(0.5):
            self.put("if (i == %d)" % self.pick(0, 0, 1))
            self.put("    flag[0] = %s;" % self.pick("m", "flag[0] - 1", "a", "0", "p"))
        else:
            self.put("a += flag[0];")

    def barrier(self):
        if self.maybe(0.03):
            self.put("a += __syncthreads_or(a > 3);")
        else:
            self.put("GRID.sync();" if self.maybe(0.8) else "__syncthreads();")

    def statement(self, budget):
        calm = getattr(self, "calm", False)
        what = self.R.random()
        if what < 0.5 or calm and what < 0.7:
            self.access()
        elif what < 0.63:
            self.barrier()
        elif what < 0.76 and budget > 1:
            self.branch(budget)
        elif what < 0.88 and budget > 2 and self.depth < 3 and not calm:
            self.loop(budget)
        elif what < 0.92 and not calm:
            self.leave()
        elif self.kind == "flags":
            self.flag()
        else:
            self.access()

    def statements(self, budget):
        for _ in range(self.R.randrange(2, 3 + max(1, budget))):
            self.statement(budget - 1)
            if self.maybe(0.12) and not getattr(self, "calm", False):
                self.barrier()

    def loop(self, budget):
        k = "k%d" % self.counter
        self.counter += 1
        bound = self.pick("m", "m", "p", "3", "m - 1", "x[0]", "x[b]" if self.maybe(self.wild) else "m")
        swaps = self.kind == "swaps" and self.maybe(0.7)
        if self.kind == "flags" and self.maybe(0.3):
            self.put("int %s = 0;" % k)
            self.put("while (flag[0] > %s && %s < 4)" % (k, k))
            last = "%s++;" % k
        else:
            self.put("for (int {0} = {1}; {0} < {2}; {0}++)".format(k, self.pick("0", "0", "0", "0", "b" if self.maybe(self.wild) else "0"), bound))
            last = ""
        self.put("{")
        self.loops.append(k)
        self.depth += 1
        self.statements(budget - 1)
        if self.maybe(0.7):
            self.put("GRID.sync();")
        if swaps:
            guard = "if (%s) " % self.condition() if self.maybe(0.15) else ""
            self.put(guard + "{ int *z = from; from = to; to = z; }")
        if last:
            self.put(last)
        self.depth -= 1
        self.loops.pop()
        self.put("}")

    def make(self):
        if self.kind == "flags" and self.maybe(0.6):
            self.put("if (i == 0)")
            self.put("    flag[0] = %s;" % self.pick("m", "p", "2"))
            self.put("GRID.sync();")
        self.statements(self.R.randrange(3, 7))
        if self.maybe(0.7):
            self.put("y[i] = a;")
        t = "threadIdx.x" + (" + 2 * threadIdx.y" if len(self.block) > 1 else "")
        b = "blockIdx.x" + (" + 2 * blockIdx.y" if len(self.grid) > 1 else "")
        text = self.head(t, b) + self.lines
        return Kernel(self.name, "\n".join(text + ["}", ""]), self.kind)

    def more_params(self):
        return ""

    def head(self, t, b):
        text = ["tc_block(%s) tc_grid(%s) tc_requires(m >= 0 && m <= 4 && p >= 0 && p <= 2)" % (
                    ", ".join(map(str, self.block)), ", ".join(map(str, self.grid))),
                "__global__ void %s(tc_mut tc_shape(%s) int *y, tc_mut tc_shape(2, %s) int *u, tc_mut tc_shape(%s) int *v, tc_mut tc_shape(%s) int *w," % (
                    self.name, self.size, self.size, self.size, self.size),
                "    tc_mut tc_shape(%s) int *flag, tc_shared tc_shape(%s) tc_range(0, 3) const int *x, int m, int p%s)" % (self.size, self.size, self.more_params()),
                "{", "    const int n = %s, t = %s, b = %s, i = b * %d + t;" % (self.size, t, b, self.threads), "    int a = i;"]
        if self.kind == "swaps":
            text += ["    int *from = v, *to = w;"]
        if self.kind == "shared":
            text += ["    __shared__ int s[2][%d];" % self.threads, "    s[0][t] = s[1][t] = %s;" % self.pick("t", "b", "m"), "    __syncthreads();"]
        return text


class MadeMaker(GridMaker):
    """As GridMaker, with atomics in the place of cooperative groups: a counter that grows, one that the last block sets back, or one
    whose uppermost bit changes."""

    def __init__(self, R, name):
        super().__init__(R, name)
        self.faults = R.choice([0.0, 0.0, 0.03, 0.1])
        self.style = R.choice(["grows", "grows", "gate", "gate", "bit"])
        self.fences = R.choice({"grows": ["thread", "thread", "all", "order"], "gate": ["thread"], "bit": ["thread", "all"]}[self.style])
        self.wait = R.choice(["load_relaxed(count) < goal", "load_relaxed(count) < goal", "atomicAdd(count, 0) < goal", "load_relaxed(count) != goal"])
        self.first = R.choice([0, 0, 0, 3]) if self.style != "bit" else R.choice([0, 0, "(int)0x80000000"])
        self.carried = R.choice([True, True, False])
        self.arrivals = 0

    def good(self, text, *others):
        """The first, or what is mostly wrong."""
        if self.maybe(self.faults):
            text = self.R.choice(others + ("",))
        if text:
            GridMaker.put(self, text)

    def fence(self):
        self.good("__threadfence();", "__threadfence_block();", "fence_acq_rel();")

    def in_order(self, steps):
        """Two steps change places, now and then."""
        if self.maybe(self.faults):
            i = self.R.randrange(len(steps) - 1)
            steps[i:i + 2] = [steps[i + 1], steps[i]]
        for step in steps:
            step()

    def put(self, text):
        if text != "GRID.sync();":
            return super().put(text)
        if self.maybe(self.faults / 2):
            return self.good("__syncthreads();")
        self.arrivals += 1
        if self.style == "grows" and self.carried:
            self.good("goal += blocks;", "goal += blocks - 1;", "goal += 1;", "goal = blocks;")
        elif self.style == "grows":
            self.good("goal = %s + %d * blocks;" % (self.first, self.arrivals), "goal = %s + %d * blocks - 1;" % (self.first, self.arrivals),
                      "goal = %s + %d * blocks;" % (self.first, self.arrivals - 1))
        if self.fences == "all":
            self.fence()
        self.good("__syncthreads();", "__syncwarp();")
        GridMaker.put(self, "if (%s) {" % ("t == 0" if not self.maybe(self.faults) else self.pick("t == 1", "t < 2", "i == 0", "t == 0 && b < m", "true")))
        self.depth += 1
        if self.maybe(0.15):
            GridMaker.put(self, "y[b * %d] = a;" % self.threads)
        {"grows": self.count, "gate": self.gate, "bit": self.bit}[self.style]()
        if self.maybe(self.faults):
            GridMaker.put(self, "a += u[i];")
        self.depth -= 1
        GridMaker.put(self, "}")
        self.good("__syncthreads();", "__syncwarp();")
        if self.fences == "all":
            self.fence()

    def fence_of_thread(self):
        if self.fences == "thread":
            self.fence()

    def stray(self):
        if self.maybe(self.faults):
            GridMaker.put(self, "y[b * %d] = a;" % self.threads)

    def count(self):
        ordered = self.fences == "order"
        wait = "while (%s)" % (self.wait if not ordered else "load_acquire(count) < goal")
        self.in_order([
            self.fence_of_thread, self.stray,
            lambda: self.good("add_release(count);" if ordered else "atomicAdd(count, 1);", "atomicAdd(count, 1);", "atomicAdd(count, 2);",
                              "atomicAdd_block(count, 1);", "atomicSub(count, 1);", "if (m > 1) atomicAdd(count, 1);"),
            lambda: self.good(wait + ";", "if (m > 1) " + wait + ";", wait.replace("goal", "goal - 1") + ";",
                              wait.replace("<", "<=").replace("!=", "<") + ";", "for (int z = 0; z < 3; z++) " + wait.replace("while", "if") + " a++;"),
            self.fence_of_thread])

    def gate(self):
        last = "%s + blocks - 1" % self.first
        wait = "while (load_relaxed(count + 1) == mine)"
        own = self.maybe(0.5)

        def leave():
            GridMaker.put(self, "}" if own else "} else")
            self.good(("" if own else "    ") + wait + ";", "if (m > 1) " + wait + ";", wait.replace("==", "<") + ";", wait.replace("mine", "0") + ";")

        def test():
            self.good("if (found == %s) {" % last, "if (found >= %s) {" % last, "if (found == %s - 1) {" % last, "if (found > 0) {")

        def opened():
            self.depth += 1
            self.in_order([
                lambda: self.good(self.R.choice(["*count = %s;", "atomicExch(count, %s);"]) % self.first, "*count = 1;", "atomicSub(count, 1);"),
                lambda: self.good("__threadfence();", "__threadfence_block();", "fence_acq_rel();"),
                lambda: self.good("atomicAdd(count + 1, 1);", "atomicExch(count + 1, mine + 1);", "atomicExch(count + 1, 1);", "atomicAdd(count + 1, m);")])
            self.depth -= 1

        GridMaker.put(self, "int mine = 0, found = 0;")
        self.in_order([lambda: self.good("mine = load_relaxed(count + 1);", "mine = load_relaxed(count);", "mine = goal++;"), self.fence, self.stray,
                       lambda: self.good("found = atomicAdd(count, 1);", "found = atomicAdd(count, 2);", "found = atomicAdd_block(count, 1);",
                                         "found = load_relaxed(count);")])
        before = len(self.lines)
        test()
        if len(self.lines) == before:
            GridMaker.put(self, "if (found == %s) {" % last)
        opened()
        leave()
        if not own and not self.lines[-1].rstrip().endswith(";"):
            GridMaker.put(self, "    ;")
        self.fence()

    def bit(self):
        self.in_order([
            self.fence_of_thread, self.stray,
            lambda: GridMaker.put(self, "const int found = %s;" % (
                "atomicAdd(count, b == 0 ? (int)0x80000000 - (blocks - 1) : 1)" if not self.maybe(self.faults) else
                self.pick("atomicAdd(count, b == 0 ? (int)0x80000000 - blocks : 1)", "atomicAdd(count, b == 1 ? (int)0x80000000 - (blocks - 1) : 1)",
                          "atomicAdd(count, b <= 1 ? (int)0x80000000 - (blocks - 1) : 1)", "atomicAdd(count, 1)", "load_relaxed(count)")))])
        wait = "while (((found ^ %s(count)) & 0x80000000) == 0)" % self.pick("load_relaxed", "load_acquire")
        self.good(wait + ";", wait.replace("0x80000000", "0x40000000") + ";", wait.replace("0x80000000", "0xffffffff") + ";", "if (m > 1) " + wait + ";")
        self.fence_of_thread()

    def more_params(self):
        init = " tc_init(%s)" % self.first if not self.maybe(self.faults / 3) else ""
        return ", tc_atomic tc_shape(2)%s int *count" % init

    def head(self, t, b):
        return super().head(t, b) + ["    const int blocks = gridDim.x * gridDim.y;", "    int goal = %s;" % self.first]


def kernels(seed, number, count):
    out = []
    for i in range(count):
        which = "%d/%d/%d/grids" % (seed, number, i)
        make = MadeMaker if random.Random(which + "/made").random() < 0.3 else GridMaker
        out.append(make(random.Random(which), "k%d" % i).make())
    return out


KIND = Kind(HEAD, kernels, RULES, "--rules=TC1001,TC1002,TC1006,TC3")
