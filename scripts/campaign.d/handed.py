"""Kernels about what blocks hand on: counters, flags, turns and locks, with fences, barriers and atomics of all kinds at places that are
mostly right. What is proved of them is set against sweeps of small launches by the interpreter, in which blocks run one after the
other, or wait for each other; which of their accesses are in no order does not hang on that."""
import random

import races

RULES = {"TC1001", "TC1002", "TC1006", "TC3001", "TC3002", "TC3003"}

HEAD = """#include <tilecheck.h>
__device__ int load_acquire(const int *p) { int v; asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ int load_relaxed(const int *p) { int v; asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ int load_block(const int *p) { int v; asm volatile("ld.acquire.cta.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ int add_acq_rel(int *p, int a) { int v; asm volatile("atom.add.acq_rel.gpu.s32 %0, [%1], %2;" : "=r"(v) : "l"(p), "r"(a) : "memory"); return v; }
__device__ int add_release(int *p, int a) { int v; asm volatile("atom.add.release.gpu.s32 %0, [%1], %2;" : "=r"(v) : "l"(p), "r"(a) : "memory"); return v; }
__device__ int add_acquire(int *p, int a) { int v; asm volatile("atom.add.acquire.gpu.s32 %0, [%1], %2;" : "=r"(v) : "l"(p), "r"(a) : "memory"); return v; }
__device__ int cas_acquire(int *p, int a, int b) { int v; asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(v) : "l"(p), "r"(a), "r"(b) : "memory"); return v; }
__device__ void fence_acq_rel() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
"""


class Maker:
    def __init__(self, R, name):
        self.R, self.name = R, name
        self.threads = R.choice([1, 2, 4, 4])
        self.kind = R.choice(["last", "last", "group", "wait", "flag", "flag", "turn", "lock", "lock"])
        self.wild = R.choice([0.0, 0.03, 0.12])
        self.lines, self.depth = [], 1

    def maybe(self, p):
        return self.R.random() < p

    def odd(self):
        return self.maybe(self.wild)

    def pick(self, good, *others):
        """The first, or what is mostly wrong."""
        return self.R.choice(others) if others and self.odd() else good

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def fence(self, p=1.0):
        if self.maybe(p) and not self.odd():
            self.put(self.pick("__threadfence();", "__threadfence_block();", "fence_acq_rel();", "__threadfence_system();"))

    def barrier(self):
        if not self.odd():
            self.put(self.pick("__syncthreads();", "__syncwarp();"))

    def who(self):
        return self.pick("t == 0", "t == %d" % (self.threads - 1), "t < 2", "true", "b == 0 && t == 0")

    def element(self, block):
        n = self.threads
        return "part[(%s) * %d + %s]" % (block, n, self.R.choice(["t", "%d - t" % (n - 1), "(t + 1) %% %d" % n]))

    def write(self):
        if self.odd():
            self.put("if (%s)" % self.R.choice(["t == 0", "b > 0", "p > 0"]))
        self.put("part[b * %d + t] = a;" % self.threads)

    def look_fence(self, early):
        """Behind the look: by the thread that looks, or by all."""
        if early:
            self.fence(0.5)

    def place(self):
        return {"last": self.pick("0", "b % 2", "p"), "wait": self.pick("0", "b / 2"), "group": self.pick("g", "g / 2", "0", "s")}.get(self.kind, "b")

    def add(self):
        how = self.R.random()
        place = "&count[%s]" % self.place()
        if how < 0.55:
            return "atomicAdd(%s, %s)" % (place, self.pick("1", "2", "p")), False, False
        if how < 0.75:
            return "add_acq_rel(%s, 1)" % place, True, True
        if how < 0.85:
            return "add_release(%s, 1)" % place, True, False
        if how < 0.95:
            return "add_acquire(%s, 1)" % place, False, True
        return "atomicAdd_block(%s, 1)" % place, False, False

    def last(self):
        """One counter for all, or for each group; the last block reads."""
        call, releases, acquires = self.add()
        n = "m" if self.kind == "last" else "p + 1"
        self.write()
        style = self.R.random()
        if style < 0.3:
            self.fence()
        self.barrier()
        self.put("if (%s) {" % self.who())
        self.depth += 1
        if style >= 0.3 and not releases:
            self.fence()
        test = "== %s - 1" % n if not self.odd() else self.R.choice([">= %s - 1" % n, "== %s - 2" % n, "== 0", "> 0", "!= %s - 1" % n, "== %s" % n])
        as_ticket = self.maybe(0.5)
        self.put("seen = %s%s;" % (call, "" if as_ticket else " " + test))
        early = self.maybe(0.4) and not acquires
        if early:
            self.fence()
        if self.odd():
            self.write()
        self.depth -= 1
        self.put("}")
        self.barrier()
        self.put("if (seen%s) {" % (" " + test if as_ticket else ""))
        self.depth += 1
        if not early and not acquires:
            self.fence()
        if self.kind == "last":
            self.put("for (int i = 0; i < m; i++)")
            self.put("    a += %s;" % self.element("i"))
        else:
            self.put("for (int i = 0; i <= p; i++)")
            self.put("    a += %s;" % self.element("g * (p + 1) + i" if not self.odd() else "i"))
        self.put("out[%s * %d + t] = a;" % ("0" if self.kind == "last" else "g", self.threads))
        if self.maybe(0.3):
            self.put("if (t == 0)")
            self.put("    %s;" % self.R.choice(["count[{0}] = 0", "atomicExch(&count[{0}], 0)"]).format(self.place()))
        self.depth -= 1
        self.put("}")
        if self.odd():
            self.write()

    def spin(self, place, test):
        load = self.pick(self.R.choice(["load_acquire", "load_relaxed"]), "load_block")
        poll = "%s(&count[%s])" % (load, place) if self.maybe(0.8) else "atomicAdd(&count[%s], 0)" % place
        form = self.R.random()
        if form < 0.7:
            self.put("while (!(%s %s))" % (poll, test))
            self.put("    ;")
        else:
            self.put("int v;")
            self.put("do")
            self.put("    v = %s;" % poll)
            self.put("while (!(v %s));" % test)
        if "acquire" not in poll:
            self.fence()

    def wait_by(self, place, test):
        """One thread waits for the block, or each for itself."""
        if self.maybe(0.7):
            self.put("if (%s) {" % self.pick("t == 0", "t == %d" % (self.threads - 1)))
            self.depth += 1
            self.spin(place, test)
            self.depth -= 1
            self.put("}")
            self.barrier()
        else:
            self.put("{")
            self.depth += 1
            self.spin(place, test)
            self.depth -= 1
            self.put("}")

    def wait(self):
        """All wait until all have come."""
        call, releases, _ = self.add()
        self.write()
        self.barrier()
        self.put("if (%s) {" % self.who())
        self.depth += 1
        if not releases:
            self.fence()
        self.put("%s;" % call)
        self.depth -= 1
        self.put("}")
        self.wait_by(self.place(), self.pick(">= m", "== m", ">= m - 1", "> 0"))
        self.put("out[b * %d + t] = %s;" % (self.threads, self.element(self.R.choice(["(b + 1) % m", "m - 1 - b", "0"]))))

    def flag(self):
        """Each block waits for its neighbour."""
        self.put("if (b > 0) {")
        self.depth += 1
        self.wait_by(self.pick("b - 1", "0", "b - 1 + p"), self.pick("!= 0", "== 1", "> 0", ">= 0"))
        self.put("a += %s;" % self.element(self.pick("b - 1", "0", "b / 2")))
        self.depth -= 1
        self.put("}")
        self.write()
        self.barrier()
        self.put("if (%s) {" % self.who())
        self.depth += 1
        if self.maybe(0.5):
            self.fence()
            self.put(self.R.choice(["store_relaxed(&count[%s], 1);", "atomicExch(&count[%s], 1);", "atomicAdd(&count[%s], 1);"]) % self.place())
        else:
            self.put("%s(&count[%s], %s);" % (self.pick("store_release", "store_relaxed"), self.place(), self.pick("1", "0", "p")))
        if self.odd():
            self.write()
        self.depth -= 1
        self.put("}")

    def turn(self):
        """The blocks of a group change one row, one after the other."""
        n = self.threads
        self.wait_by("g", self.pick("== s", ">= s", "> 0", "== s + 1"))
        self.put("out[g * %d + %s] += a;" % (n, self.R.choice(["t", "%d - t" % (n - 1)])))
        self.barrier()
        self.put("if (%s) {" % self.who())
        self.depth += 1
        what = self.R.random()
        if what < 0.4:
            self.put("store_release(&count[g], %s);" % self.pick("s + 1", "s", "s + 2", "1"))
        elif what < 0.6:
            self.put("store_release(&count[g], s == p ? 0 : s + 1);")
        else:
            self.fence()
            self.put(self.R.choice(["store_relaxed(&count[g], s + 1);", "atomicAdd(&count[g], 1);"]))
        self.depth -= 1
        self.put("}")

    def change(self):
        """What is done under the lock."""
        for _ in range(self.R.choice([1, 1, 2])):
            i = self.R.choice(["0", "1", "t"]) if self.whole else "g" if not self.odd() else "s"
            self.put(self.R.choice(["out[%s] += a;", "out[%s] = a;", "a += out[%s];", "if (a > out[%s]) out[%s] = a;"]).replace("%s", i))

    def give(self):
        place = "&count[%s]" % self.pick("g", "0", "s")
        how = self.R.random()
        if how < 0.3:
            self.put("store_release(%s, %s);" % (place, self.pick("0", "1")))
            return
        self.fence()
        self.put(self.pick(self.R.choice(["atomicExch(%s, 0);", "store_relaxed(%s, 0);"]), "atomicSub(%s, 1);", "atomicExch(%s, p);", "atomicCAS(%s, 1, 0);") % place)

    def lock(self):
        """A row for each group, or all of it, changed under a lock by one thread, by each, or by the block together."""
        how = self.R.random()
        self.whole = self.maybe(0.4) and how >= 0.3
        if how < 0.3:
            self.whole = True
        place = "&count[g]"
        take = self.R.choice(["atomicCAS(%s, 0, 1)", "atomicCAS(%s, 0, b + 1)", "cas_acquire(%s, 0, 1)", "atomicExch(%s, 1)"]) % place
        if self.odd():
            take = self.R.choice(["atomicCAS(%s, 0, 0)", "atomicCAS(%s, 1, 2)", "atomicCAS_block(%s, 0, 1)", "atomicExch(%s, b)"]) % place
        free = self.pick("!= 0", "> 1", "== 0")
        if self.whole:
            self.put("g = 0;")
        fenced = "acquire" in take
        if self.odd():
            self.change()
        if how < 0.3:  # of the block
            self.put("if (%s) {" % self.who())
            self.depth += 1
            self.put("while (%s %s);" % (take, free))
            early = self.maybe(0.5) and not fenced
            if early:
                self.fence()
            self.depth -= 1
            self.put("}")
            self.barrier()
            if not fenced and not early:
                self.fence()
            self.put("out[t] += a;")
            self.barrier()
            self.put("if (%s) {" % self.who())
            self.depth += 1
            self.give()
            self.depth -= 1
            self.put("}")
        elif how < 0.65:  # of one thread
            self.put("if (%s) {" % self.pick("t == 0", "t == %d" % (self.threads - 1), "t < 2", "true"))
            self.depth += 1
            if self.maybe(0.3):
                self.put("for (int i = 0; i < p; i++) {")
            else:
                self.put("{")
            self.put("while (%s %s);" % (take, free))
            if not fenced:
                self.fence()
            self.change()
            self.give()
            if self.odd():
                self.R.choice([self.give, self.change])()
            self.put("}")
            self.depth -= 1
            self.put("}")
        else:  # of each
            self.put("for (bool done = false; !done;)")
            self.put("    if (%s %s) {" % (take, self.pick("== 0", "!= 0", ">= 0")))
            self.depth += 2
            if not fenced:
                self.fence()
            self.change()
            self.give()
            if self.odd():
                self.R.choice([self.give, self.change])()
            self.put("done = true;")
            self.depth -= 2
            self.put("    }")
        if self.odd():
            self.change()

    def make(self):
        {"lock": self.lock, "last": self.last, "group": self.last, "wait": self.wait, "flag": self.flag, "turn": self.turn}[self.kind]()
        grouped = self.kind in ("group", "turn", "lock")
        grid, rows = ("m * (p + 1)", "m * (p + 1)") if grouped else ("m", "m")
        shape = "m * %d" % self.threads if self.kind == "lock" else "m, %d" % self.threads
        n, first = self.threads, self.pick("0", "1")
        text = ["tc_block(%d) tc_grid(%s) tc_requires(m >= 1 && m <= 64 && p >= 0 && p <= 3)" % (n, grid),
                "__global__ void %s(tc_mut tc_shape(%s, %d) int *part, tc_mut tc_shape(%s) int *out, tc_atomic tc_shape(m + 4) tc_init(%s) int *count, int m, int p)"
                % (self.name, rows, n, shape, first), "{", "    __shared__ int seen;", "    int t = threadIdx.x, b = blockIdx.x, a = b + t;"]
        if grouped:
            text += ["    int g = b / (p + 1), s = b % (p + 1);"]
        return races.Kernel(self.name, "\n".join(text + self.lines + ["}", ""]), self.kind)


def kernels(seed, number, count):
    return [Maker(random.Random("%d/%d/%d/handed" % (seed, number, i)), "k%d" % i).make() for i in range(count)]


KIND = races.Kind(HEAD, kernels, RULES, "--rules=TC1,TC3")
