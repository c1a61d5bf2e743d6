"""Kernels drawn at random, statement by statement. Their buffer is measured first (see fit), then sized to what the accesses
seen reach, or one element less."""
from kernel import Kernel, Param, expressions
from syntax import WIDTH

TYPES = ["int", "int", "int", "unsigned", "unsigned char", "short", "long long", "signed char", "unsigned short", "unsigned long long"]
BASE = 1 << 40  # of the buffer while it is measured


class Wild:
    def __init__(self, R):
        self.R, self.count, self.loops = R, 0, 0
        self.names, self.fixed = [], set()
        self.scalars, self.requires, self.stretch = [("int", "n"), ("int", "k")], ["k >= 1 && k <= 1000"], R.choice([2, 3, 4, 7, 8, 16])
        if R.random() < 0.8:
            self.requires.append("n >= %d" % R.choice([0, 1, 1, 2]))
        for n in "abc":
            t = R.choice(["int", "int", "unsigned", "short", "long long", "unsigned char"])
            self.scalars.append((t, n))
            low = 0 if t.startswith("unsigned") else R.choice([0, 0, 1, -3, -8])
            form = R.random()
            if form < 0.55:
                self.requires.append("%s >= %d && %s <= %d" % (n, low, n, low + R.choice([1, 3, 7, 8, 15, 31, 100])))
            elif form < 0.8:
                self.requires.append("%s >= %d && %s <= %d" % (n, max(low, 0), n, min(R.choice([1000, 1 << 30]), (1 << WIDTH[t][0] - 1) - 1)))

    def leaf(self):
        R, c = self.R, self.R.random()
        some = R.choice(["a", "t", "(unsigned)b"] + self.names)
        if c < 0.28:
            return str(R.choice([0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32]))
        if c < 0.46:
            return R.choice("abc")
        if c < 0.58:
            return "t"
        if c < 0.64:
            return "x[%s & 7]" % some
        if c < 0.70:
            return "loc[%s & 7]" % some
        if c < 0.75:
            return R.choice(["p.a", "p.b", "p.c", "q.a", "q.c"])
        return R.choice(self.names) if self.names else "t"

    def expr(self, depth=2):
        R = self.R
        if depth == 0 or R.random() < 0.25:
            return self.leaf()
        test = "%s %s %s" % (self.leaf(), R.choice(["<", "<=", ">", "==", "!="]), self.leaf())
        a, b, c = self.expr(depth - 1), self.expr(depth - 1), R.random()
        table = [(0.2, "(%s + %s)" % (a, b)), (0.33, "(%s - %s)" % (a, b)), (0.43, "(%s * %s)" % (a, R.choice(["2", "3", "4", "8", "a", "t", "b"]))),
                 (0.5, "(%s / %s)" % (a, R.choice(["2", "3", "4", "8", "-2", "(c | 1)"]))),
                 (0.58, "(%s %% %s)" % (a, R.choice(["2", "3", "4", "8", "7", "8u", "-3"]))),
                 (0.65, "(%s & %d)" % (a, R.choice([1, 3, 7, 6, 31, 240, 255]))), (0.68, "(%s >> %s)" % (a, R.choice(["1", "2", "3", "(t & 3)"]))),
                 (0.71, "((unsigned)%s << %s)" % (a, R.choice(["1", "2", "3", "(t & 3)"]))), (0.73, "(%s | %d)" % (a, R.choice([1, 4, 16]))),
                 (0.76, "(%s ^ %s)" % (a, R.choice(["1", "3", "t"]))), (0.83, "(%s ? %s : %s)" % (test, a, b)),
                 (0.9, "(%s)%s" % (R.choice(TYPES), a)), (0.94, "%s((int)%s, (int)%s)" % (R.choice(["min", "max"]), a, b)),
                 (0.955, "(-%s)" % a), (0.965, "(~%s)" % a)]
        for limit, text in table:
            if c < limit:
                return text
        return "%s(%s, %s)" % (R.choice(["first_above", "least", "halves", "masked"]), a, b)

    def cond(self, depth=2):
        R, c = self.R, self.R.random()
        if depth and c < 0.2:
            return "(%s && %s)" % (self.cond(depth - 1), self.cond(depth - 1))
        if depth and c < 0.3:
            return "(%s || %s)" % (self.cond(depth - 1), self.cond(depth - 1))
        if depth and c < 0.35:
            return "!(%s)" % self.cond(depth - 1)
        return "(%s %s %s)" % (self.expr(1), R.choice(["<", "<", "<=", ">", ">=", "==", "!="]), self.expr(1))

    def sized(self):
        """An access to z, which has n elements."""
        R = self.R
        self.count += 1
        g = "g%d" % self.count
        e = self.expr() if R.random() < 0.6 or not self.names else R.choice(self.names)
        t = R.choice(["int", "int", "long long", "unsigned", "short", "unsigned long long"])
        test = R.choice(["%s >= 0 && %s < n", "(unsigned)%s < (unsigned)n", "!(%s < 0) && !(%s >= n)", "%s < n", "%s > 0 && %s <= n",
                         "(unsigned long long)%s < n", "%s >= 0 && n - %s > 0", "%s >= 0 && %s + 1 <= n", "(short)%s >= 0 && %s < n",
                         "%s != n && %s >= 0 && %s < n + 1", "(%s | (n - 1 - %s)) >= 0", "%s >= n || %s < 0 ? 0 : 1"])
        at = R.choice([g, g, g, "n - 1 - " + g, g + " / 2", "min(%s, n - 1)" % g if t == "int" else g, "(int)%s %% n" % g, g + " - (%s > 0)" % g])
        return "{ %s %s = %s; if (%s) { z[%s] = 2; } }" % (t, g, e, test.replace("%s", g), at)

    def by_block(self):
        """An access to w, of which each block has a stretch."""
        R, s = self.R, self.stretch
        e = self.expr() if R.random() < 0.6 or not self.names else R.choice(self.names)
        form = R.choice(["(unsigned)(%s) %% %du" % (e, s), "(unsigned)(%s) %% %du" % (e, s), "min(max((int)(%s), 0), %d)" % (e, s - 1),
                         "(%s) %% %d" % (e, s), "(%s) & %d" % (e, s - 1), "(unsigned char)(%s) * %d >> 8" % (e, s), "wrapped((int)(%s), %d)" % (e, s),
                         "clamped((int)(%s), %d)" % (e, s), "(%s) & %d" % (e, s), "(t ^ %s) & %d" % (self.leaf(), s - 1)])
        return "w[blockIdx.x * %d + (%s)] = 3;" % (s, form)

    def access(self):
        R, c = self.R, self.R.random()
        if c < 0.3:
            return self.sized() if R.random() < 0.6 else self.by_block()
        c = (c - 0.3) / 0.7
        e = self.expr() if R.random() < 0.6 or not self.names else R.choice(self.names)
        put = "y[(long long)(%%s) + %d] = 1;" % BASE
        if c < 0.25:
            return put % e
        if c < 0.55:
            self.count += 1
            n = "g%d" % self.count
            test = "%s < %d" % (n, R.choice([5, 8, 17, 40]))
            if c < 0.45:
                test = "%s >= 0 && %s" % (n, test)
            return "{ %s %s = %s; if (%s) { %s } }" % (R.choice(["int", "long long", "unsigned"]), n, e, test, put % n)
        if c < 0.7:
            return put % ("(%s) & %d" % (e, R.choice([3, 7, 15, 31])))
        if c < 0.8:
            return put % ("(unsigned)(%s) %% %du" % (e, R.choice([3, 5, 7, 15, 31])))
        if c < 0.9:
            return put % ("(%s) %% %d" % (e, R.choice([3, 5, 8])))
        return "if (%s) { %s }" % (self.cond(), put % e)

    def statement(self, depth):
        R, c = self.R, self.R.random()
        writable = [n for n in self.names if n not in self.fixed]
        if c < 0.14 or not self.names:
            e = self.expr()
            self.count += 1
            self.names.append("v%d" % self.count)
            return "%s v%d = %s;" % (R.choice(TYPES), self.count, e)
        if c < 0.3 and writable:
            v = R.choice(writable)
            return R.choice(["%s = %s;" % (v, self.expr()), "%s += %s;" % (v, self.expr(1)), v + "++;", v + "--;", "%s -= %s;" % (v, self.expr(1)),
                             v + " *= 2;", v + " /= 2;", v + " >>= 1;", "%s %%= 5;" % v])
        if c < 0.36:
            return "loc[%s & 7] = %s;" % (self.expr(1), self.expr())
        if c < 0.40:
            return R.choice(["p.a = %s;", "p.b = %s;", "q.c = %s;", "q.a += %s;"]) % self.expr()
        if c < 0.52 and depth:
            text = "if (%s) { %s }" % (self.cond(), self.block(depth - 1))
            return text + (" else { %s }" % self.block(depth - 1) if R.random() < 0.5 else "")
        if c < 0.57 and depth and self.loops:
            return "if (%s) %s;" % (self.cond(1), R.choice(["break", "continue", "break"]))
        if c < 0.6:
            return "if (%s) return;" % self.cond(1)
        if c < 0.82 and depth:
            return self.loop(depth)
        if c < 0.86 and depth:
            loops, self.loops = self.loops, 0
            text = "switch ((int)%s) { " % self.expr(1)
            for k in R.sample([0, 1, 2, 3, 4, 7], 3):
                text += "case %d: { %s } %s " % (k, self.block(depth - 1), R.choice(["break;", ""]))
            self.loops = loops
            return text + "default: { } }"
        return self.access()

    def loop(self, depth):
        R = self.R
        self.count += 1
        n, t = "l%d" % self.count, R.choice(["int", "int", "int", "unsigned", "unsigned char", "short", "long long", "signed char"])
        limit = R.choice(["a", "b", "t", "8", "5", "16", str(R.randint(1, 20)), self.expr(1)])
        start = R.choice(["0", "0", "1", "t", "a", self.expr(1)])
        step = R.choice(["1", "1", "1", "2", "3", "b", "4"])
        names = list(self.names)
        self.loops += 1
        self.names.append(n)
        if R.random() < 0.8:
            self.fixed.add(n)
        body, form, outside = self.block(depth - 1), R.random(), True
        if form < 0.55:
            inc = R.choice([n + "++", "%s += %s" % (n, step), n + "++", "%s = %s * 2 + 1" % (n, n)])
            op = R.choice(["<", "<", "<=", "!="])
            outside = R.random() < 0.35
            decl = "%s %s = %s; " % (t, n, start)
            head = "%s %s %s; %s) { %s }" % (n, op, limit, inc, body)
            text = decl + "for (; " + head if outside else "for (" + decl + head
        elif form < 0.75:
            dec = R.choice([n + "--", "%s -= %s" % (n, step), n + " /= 2", n + " >>= 1"])
            text = "%s %s = %s; for (; %s %s %s; %s) { %s }" % (t, n, limit, n, R.choice([">", ">=", "!="]), R.choice(["0", "0", "1", "t"]), dec, body)
        elif form < 0.88:
            text = "%s %s = %s; while (%s < %s) { %s %s += %s; }" % (t, n, start, n, limit, body, n, step)
        else:
            text = "%s %s = %s; do { %s %s++; } while (%s < %s);" % (t, n, start, body, n, n, limit)
        self.loops -= 1
        self.fixed.discard(n)
        self.names = names + ([n] if outside else [])
        return text

    def block(self, depth):
        names = list(self.names)
        text = " ".join(self.statement(depth) for _ in range(self.R.choice([1, 1, 2, 2, 3])))
        self.names = names
        return text


LONG = 700  # characters; a longer body costs ten times as much and is hardly ever proved


def make(R, name):
    long = R.random() < 0.05
    while True:
        k = attempt(R, name)
        if long or k.length <= LONG:
            return k


def attempt(R, name):
    w = Wild(R)
    form = R.random()
    if form < 0.2:
        w.access = w.by_block
    elif form < 0.4:
        w.access = w.sized
    body = " ".join(w.statement(2) for _ in range(R.choice([2, 3, 4, 5]))) + " " + w.access()
    before = "int t = threadIdx.x; "
    if "loc[" in body:
        before += "int loc[8]; for (int z = 0; z < 8; z++) { loc[z] = z; } "
    if "p." in body or "q." in body:
        before += "pair p; pair q; p.a = 4; p.b = 5; p.c = 6; q.a = 7; q.b = 8; q.c = 9; "
    params = [Param("mut", "float", "y", shape=[2 * BASE]), Param("shared", "int", "x", shape=[8], range=["0", "8"])]
    grid = [1]
    if "z[" in body:
        params.append(Param("mut", "float", "z", shape=["n"]))
    if "w[" in body:
        params.append(Param("mut", "float", "w", shape=["k * %d" % w.stretch], **({"tile": [w.stretch]} if R.random() < 0.5 else {})))
        if "y[" not in body and "z[" not in body:
            grid = ["k"]
    if "y[" not in body:
        params.pop(0)
    k = Kernel(name, [4], grid, w.scalars, params, before + body, w.requires)
    k.origin, k.length = "wild", len(body)
    return k


def fit(R, k, low, high):
    """Sizes the buffer for offsets low … high, those that were seen; or for one less at one of the two ends."""
    short = R.choice([0, 0, 1, 1, 2])
    base = BASE - low - (1 if short == 2 else 0)
    for e in list(expressions(k)):
        if e[0] == "num" and e[1] == BASE:
            e[:] = ["num", base, ""] if base >= 0 else ["un", "-", ["num", -base, "ll"]]
    size = high - low + (0 if short else 1)
    k.params[0].words["shape"] = [["num", max(size, 0), ""]]
    k.origin += ["", " short", " below"][short]
    return 0 < size < 1 << 31
