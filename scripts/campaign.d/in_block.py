"""Kernels about what threads of a block hand on: flags and counters in shared memory, of one thread, of each, of lanes for their warps,
with fences, barriers and atomics of all kinds at places that are mostly right. What is proved of them is set against sweeps of small
launches by the interpreter; which accesses are in no order hangs on what a look finds, so that who sends may come before or behind who looks."""
import random

import races

RULES = {"TC3001", "TC3002", "TC3003"}

HEAD = """#include <cuda/atomic>
#include <tilecheck.h>
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using ref = cuda::atomic_ref<int, cuda::thread_scope_block>;
using wide = cuda::atomic_ref<int, cuda::thread_scope_device>;
"""


class Maker:
    def __init__(self, R, name):
        self.R, self.name = R, name
        self.kind = R.choice(["flag", "each", "each", "last", "last", "some", "gather", "warps", "last warp"])
        self.size = R.choice([64, 96, 40]) if "warp" in self.kind else R.choice([3, 4, 6])
        self.wild = R.choice([0.0, 0.04, 0.12])
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

    def open(self, condition):
        self.put("if (%s) {" % condition)
        self.depth += 1

    def close(self):
        self.depth -= 1
        self.put("}")

    def fence(self):
        if not self.odd():
            self.put(self.pick(self.R.choice(["__threadfence_block();", "__threadfence();"]), "__syncwarp();"))

    def warp_barrier(self):
        if not self.odd():
            self.put("__syncwarp();")

    def set_up(self, places):
        first = self.pick("0", "1", "p", "t")
        if places == 1:
            self.put("if (%s)" % self.pick("t == %d" % self.R.randrange(self.size), "t < 2", "p > 0"))
            self.put("    flag[0] = %s;" % first)
        else:
            self.put("if (t < %d)" % (places if not self.odd() else places - 1))
            self.put("    flag[t] = %s;" % first)
        if not self.odd():
            self.put("__syncthreads();")

    def write(self, who="t"):
        if self.odd():
            self.put("if (%s)" % self.R.choice(["p > 0", "t > 1", "a > 2"]))
        self.put("part[%s] = a;" % who)

    def send(self, place, values=("1",)):
        """A fence in front of it, or a release."""
        value, target = self.pick(*values), self.pick(self.R.choice(["ref", "wide"]))
        released = self.maybe(0.5)
        if not released:
            self.fence()
        order = "release" if released and not self.odd() else "relaxed"
        how = self.R.random()
        if how < 0.6:
            self.put("%s(flag[%s]).store(%s, memory_order_%s);" % (target, place, value, order))
        elif how < 0.8:
            self.put("%s(flag[%s]).exchange(%s, memory_order_%s);" % (target, place, value, order))
        elif released:
            self.put("%s(flag[%s]).fetch_add(1, memory_order_%s);" % (target, place, order))
        else:
            self.put("atomicAdd(&flag[%s], 1);" % place)

    def look(self, place, test, spin):
        """What is behind it stands in a branch, where it does not spin. Is one open?"""
        acquire = self.maybe(0.5)
        order = "acquire" if acquire and not self.odd() else "relaxed"
        poll = "ref(flag[%s]).load(memory_order_%s) %s" % (place, order, test)
        if spin:
            self.put("while (!(%s))" % poll)
            self.put("    ;")
        else:
            early = self.maybe(0.4)
            self.put("bool seen = %s;" % poll)
            if early and not acquire:
                self.fence()
                acquire = True
            self.open("seen")
        if not acquire:
            self.fence()

    def flag(self):
        sender, receiver = self.R.sample(range(self.size), 2)
        self.set_up(1)
        self.open("t == %d" % sender if not self.odd() else "t <= %d" % sender)
        self.write("0")
        if self.maybe(0.3):
            self.send("0", ("1", "0", "p"))
            self.write("1")
            self.send("0", ("2", "1", "0"))
        else:
            self.write("1")
            self.send("0", ("1", "0", "p"))
        if self.odd():
            self.write("0")
        self.close()
        self.open("t == %d" % receiver if not self.odd() else "t >= %d" % receiver)
        spin = self.maybe(0.5) and sender < receiver
        self.look("0", self.pick(self.R.choice(["!= 0", "== 1", "== 2", "> 0", ">= 1"]), ">= 0", "== 0"), spin)
        self.put("a += part[%d];" % self.R.randrange(2))
        if not spin:
            self.close()
        self.close()

    def each(self):
        n = self.size
        place = self.R.choice(["t", "t", "%d - t" % (n - 1)]) if not self.odd() else self.R.choice(["t / 2", "0", "(t + 1) %% %d" % n])
        other = "(t + %d) %% %d" % (self.R.randrange(1, n), n)
        self.set_up(n)
        self.write()
        self.send(place)
        if self.odd():
            self.write()
        self.put("int o = %s;" % other)
        self.look(place.replace("t", "o"), self.pick("== 1", "> 0", ">= 0"), False)
        self.put("a += part[%s];" % self.pick("o", "t", "(o + 1) %% %d" % n))
        self.close()

    def add(self, test):
        how = self.R.random()
        if how < 0.5:
            self.fence()
            self.put("int seen = %s;" % self.pick("atomicAdd(&flag[0], 1)", "atomicAdd(&flag[0], 2)", "atomicAdd_block(&flag[p & 1], 1)"))
        else:
            order = self.pick("acq_rel", "acquire", "release", "relaxed")
            self.put("int seen = ref(flag[0]).fetch_add(1, memory_order_%s);" % order)
        self.open("seen %s" % test)
        if how < 0.5:
            self.fence()

    def last(self, some=False):
        n = self.size
        low, high = (self.R.randrange(2), n - self.R.randrange(2)) if some else (0, n)
        self.set_up(1)
        if some:
            self.open("t >= %d && t < %d" % (low, high))
        self.write()
        many = high - low
        self.add(self.pick("== %d" % (many - 1), "== %d" % (many - 2), ">= %d" % (many - 1), "> 0", "== %d" % many))
        self.put("for (int i = %d; i < %d; i++)" % (low, high))
        self.put("    a += part[i];")
        if self.maybe(0.3):
            self.put("y[%d] = a;" % n)
        self.close()
        if some:
            self.close()

    def some(self):
        self.last(True)

    def gather(self):
        n = self.size
        self.set_up(1)
        self.open("t < %d" % (n - 1))
        self.write()
        self.fence()
        self.put("%s;" % self.pick("atomicAdd(&flag[0], 1)", "ref(flag[0]).fetch_add(1, memory_order_relaxed)", "atomicAdd(&flag[0], 2)"))
        if self.odd():
            self.write()
        self.depth -= 1
        self.put("} else {")
        self.depth += 1
        self.look("0", self.pick(">= %d" % (n - 1), "== %d" % (n - 1), ">= %d" % (n - 2), "> 0"), True)
        self.put("for (int i = 0; i < %d; i++)" % (n - 1))
        self.put("    a += part[i];")
        self.close()

    def warps(self):
        warps = (self.size + 31) // 32
        self.set_up(warps)
        self.write()
        self.warp_barrier()
        self.open(self.pick("t % 32 == 0", "t % 32 == 1", "t % 32 < 2"))
        self.send(self.pick("t / 32", "0", "t / 64"))
        self.close()
        self.open("t >= 32")
        by_first = self.maybe(0.6)
        if by_first:
            self.open("t % 32 == 0")
        self.look(self.pick("t / 32 - 1", "t / 32", "0"), self.pick("!= 0", "== 1", ">= 0"), True)
        if by_first:
            self.close()
            self.warp_barrier()
        self.put("a += part[%s];" % self.pick("t - 32", "t ^ 1", "0"))
        self.close()

    def last_warp(self):
        warps = (self.size + 31) // 32
        self.set_up(1)
        self.write()
        self.warp_barrier()
        self.open(self.pick("t % 32 == 0", "t % 32 == 1", "t % 16 == 0"))
        self.add(self.pick("== %d" % (warps - 1), "== %d" % (warps - 2), ">= 0"))
        self.put("for (int i = 0; i < %d; i++)" % self.size)
        self.put("    a += part[i];")
        self.close()
        self.close()

    def make(self):
        getattr(self, self.kind.replace(" ", "_"))()
        n = self.size
        text = ["tc_block(%d) tc_grid(1) tc_requires(p >= 0 && p <= 2)" % n,
                "__global__ void %s(tc_mut tc_shape(%d) int *y, int p)" % (self.name, n + 1), "{",
                "    __shared__ int part[%d], flag[%d];" % (n, n), "    int t = threadIdx.x, a = t;"]
        return races.Kernel(self.name, "\n".join(text + self.lines + ["    y[t] = a;", "}", ""]), self.kind)


def kernels(seed, number, count):
    return [Maker(random.Random("%d/%d/%d/in-block" % (seed, number, i)), "k%d" % i).make() for i in range(count)]


KIND = races.Kind(HEAD, kernels, RULES, "--rules=TC3")
