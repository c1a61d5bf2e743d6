"""Kernels as the simulation reads them (sim.h): trees in prefix form, each node "OP TYPE VALUE COUNT" and its parts."""
import functools

from syntax import STRUCTS, WIDTH, common, parse_body, promoted, type_of

TYPES = {"char": "i8", "signed char": "i8", "unsigned char": "u8", "short": "i16", "unsigned short": "u16", "int": "i32",
         "unsigned": "u32", "long long": "i64", "unsigned long long": "u64", "float": "real", "void": "none"}
BINARY = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "bitand", "|": "bitor", "^": "bitxor", "<<": "shl", ">>": "shr",
          "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne", "&&": "both", "||": "either"}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
BUILTINS = ["threadIdx", "blockIdx", "blockDim", "gridDim"]
COORD, NAME, SCALAR = 9, 12, 15  # indices of at[]


def node(op, type_="i32", value=0, *parts):
    return "%s %s %d %d%s" % (op, type_, value, len(parts), "".join(" " + p for p in parts))


def sim_type(t):
    t = t.replace("const ", "")
    return "ptr" if t.endswith("*") else TYPES[t]


EMPTY = node("seq")


class Code:
    """The body of a function. scope: name -> type, (type, dims) of an array, functions as "f()"."""

    def __init__(self, scope, functions):
        self.scope, self.functions = dict(scope), functions
        self.slot, self.slots, self.shared = {}, 0, 0

    def variable(self, name, count=1):
        self.slot[name] = self.slots
        self.slots += count
        return self.slot[name]

    def type(self, e):
        return type_of(e, self.scope)

    def field(self, e):
        """The slot of a field of a local struct."""
        return self.slot[e[1][1]] + list(STRUCTS[self.scope[e[1][1]]]).index(e[2])

    def place(self, e):
        """(pointer, index) of an access, or None for a variable."""
        if e[0] == "un" and e[1] == "*":
            return self.value(e[2]), node("num")
        if e[0] != "index":
            return None
        if e[1][0] == "index":
            name = e[1][1][1]
            return (node("var", "ptr", self.slot[name]),
                    node("flat", "i64", self.scope[name][1][1], self.value(e[1][2]), self.value(e[2])))
        return self.value(e[1]), self.value(e[2])

    def value(self, e):
        k = e[0]
        if k == "real":
            return node("real", "real", round(float(e[1].rstrip("f")) * 1000))
        if k == "call" and e[1] == "tc_invariant":
            return node("invariant", "i32", 0, self.cond(e[2]))
        t = sim_type(self.type(e))
        if k == "num":
            return node("num", t, e[1])
        if k == "var":
            return node("var", t, self.slot[e[1]])
        if k == "field":
            if e[1][1] in BUILTINS:
                return node("builtin", "u32", 3 * BUILTINS.index(e[1][1]) + "xyz".index(e[2]))
            return node("var", t, self.field(e))
        if k == "index":
            return node("load", t, 0, *self.place(e))
        if k == "call":
            return self.call(e, t)
        if k == "un":
            return self.unary(e, t)
        if k == "bin":
            return self.binary(e, t)
        if k == "sel":
            return node("sel", t, 0, self.cond(e[1]), self.value(e[2]), self.value(e[3]))
        return node("cast", t, 0, self.value(e[2]))

    def call(self, e, t):
        if e[1].startswith("atomic"):
            p, i = self.place(e[2][2])
            return node(e[1], t, 0, p, i, self.value(e[3]))
        if e[1] in ("min", "max"):
            return node(e[1], t, 0, self.value(e[2]), self.value(e[3]))
        params = self.functions[e[1]][1]
        args = [node("cast", sim_type(p[0]), 0, self.value(a)) for p, a in zip(params, e[2:])]
        return node("call", t, list(self.functions).index(e[1]), *args)

    def unary(self, e, t):
        if e[1] == "*":
            return node("load", t, 0, *self.place(e))
        if e[1] == "&":
            return node("padd", "ptr", 0, *self.place(e[2]))
        if e[1] == "!":
            return self.cond(e)
        return node("neg" if e[1] == "-" else "inv", t, 0, self.value(e[2]))

    def binary(self, e, t):
        op = e[1]
        if op in ("&&", "||"):
            return self.cond(e)
        a, b = self.value(e[2]), self.value(e[3])
        if op in COMPARISONS:
            one, two = self.type(e[2]), self.type(e[3])
            between = "ptr" if one.endswith("*") or two.endswith("*") else TYPES[common(one, two)]
            return node(BINARY[op], "i32", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "real", "ptr"].index(between), a, b)
        if t == "ptr":
            return node("padd" if op == "+" else "psub", "ptr", 0, a, b)
        return node(BINARY[op], t, 0, a, b)

    def cond(self, e):
        """A node that is 0 or 1; what decides goes through a guard."""
        if e[0] == "bin" and e[1] in ("&&", "||"):
            return node(BINARY[e[1]], "i32", 0, self.cond(e[2]), self.cond(e[3]))
        if e[0] == "un" and e[1] == "!":
            return node("not", "i32", 0, self.cond(e[2]))
        return node("guard", "i32", 0, self.value(e))

    def declaration(self, s):
        _, t, name, dims, init, shared = s
        value = None if init is None else self.value(init)
        self.scope[name] = (t, dims) if dims else t
        if dims:
            count = node("num", "i32", functools.reduce(lambda a, b: a * b, dims))
            slot = self.variable(name)
            if not shared:
                return node("array", TYPES[t], slot, count)
            self.shared += 1
            return node("shared", TYPES[t], slot, count, node("num", "i32", self.shared - 1))
        if t in STRUCTS:
            slot = self.variable(name, len(STRUCTS[t]))
            return node("seq", "none", 0, *(node("unset", TYPES[f], slot + i) for i, f in enumerate(STRUCTS[t].values())))
        slot = self.variable(name)
        return node("unset", sim_type(t), slot) if value is None else node("set", sim_type(t), slot, value)

    def assignment(self, op, place, amount, amount_type):
        t = self.type(place)
        st, at = sim_type(t), self.place(place)
        if at is None:
            slot = self.slot[place[1]] if place[0] == "var" else self.field(place)
            old = node("var", st, slot)
        else:
            slot = self.slots
            self.slots += 1
            old = node("var", st, slot)
        if op == "=":
            new = amount
        elif t.endswith("*"):
            new = node("padd" if op[0] == "+" else "psub", "ptr", 0, old, amount)
        else:
            op = op[0] if len(op) == 2 else op[:2]
            between = TYPES[promoted(t) if op in ("<<", ">>") else common(t, amount_type)]
            new = node(BINARY[op], between, 0, old, amount)
            op = "modify"
        if at is None:
            return node("set", st, slot, new)
        return node("store" if op == "=" else "modify", st, slot, at[0], at[1], new)

    def simple(self, s):
        if s[0] == "decl":
            return self.declaration(s)
        if s[0] == "do":
            return node("expr", "none", 0, self.value(s[1]))
        if s[0] == "step":
            return self.assignment(s[1][0] + "=", s[2], node("num", "i32", 1), "int")
        return self.assignment(s[1], s[2], self.value(s[3]), self.type(s[3]))

    def stmt(self, s):
        k = s[0]
        if k in ("decl", "set", "step", "do"):
            return self.simple(s)
        if k == "if":
            return node("cond", "none", 0, self.cond(s[1]), self.body(s[2]), self.body(s[3]))
        if k == "for":
            with Scope(self):
                init = self.simple(s[1]) if s[1] else EMPTY
                cond = self.cond(s[2])
                steps = node("seq", "none", 0, *map(self.simple, s[3]))
                return node("loop", "none", 0, init, cond, steps, self.body(s[4]))
        if k == "while":
            return node("loop", "none", 0, EMPTY, self.cond(s[1]), EMPTY, self.body(s[2]))
        if k == "dowhile":
            body = self.body(s[1])
            return node("loop", "none", 1, EMPTY, self.cond(s[2]), EMPTY, body)
        if k == "switch":
            cases = [node("label", "none" if v is None else "i64", v or 0, self.body(b)) for v, b in s[2]]
            return node("choose", "none", 0, self.value(s[1]), *cases)
        if k == "return":
            return node("ret", "none") if s[1] is None else node("ret", self.result, 0, self.value(s[1]))
        if k == "block":
            return self.body(s[1])
        return node({"sync": "sync", "break": "leave", "continue": "again"}[k], "none")

    def body(self, stmts):
        with Scope(self):
            return node("seq", "none", 0, *map(self.stmt, stmts))


class Scope:
    """What is declared inside is gone after."""

    def __init__(self, code):
        self.code = code

    def __enter__(self):
        self.saved = dict(self.code.scope), dict(self.code.slot)

    def __exit__(self, *_):
        self.code.scope, self.code.slot = self.saved


def function_text(functions, name):
    result, params, body = functions[name]
    scope = {n: t for t, n in params}
    scope.update({f + "()": functions[f][0] for f in functions})
    code = Code(scope, functions)
    code.result = sim_type(result)
    for _, n in params:
        code.variable(n)
    text = code.body(parse_body(body))
    return "function %d %s %d %s\n" % (list(functions).index(name), name, code.slots, text)


class Contract:
    """Expressions of a contract, over integers that know no overflow."""

    def __init__(self, k):
        self.known = {n: SCALAR + i for i, (_, n) in enumerate(k.scalars)}
        self.params = {p.name: i for i, p in enumerate(k.params)}

    def text(self, e):
        k = e[0]
        if k == "num":
            return node("num", "i64", e[1])
        if k == "var":
            return node("known", "i64", self.known[e[1]])
        if k == "field" and e[1] == ["var", "a_"]:  # the struct of a packed kernel's parameters
            return node("known", "i64", self.known[e[2]])
        if k == "field":
            return node("known", "i64", 3 * (BUILTINS.index(e[1][1]) - 1) + "xyz".index(e[2]))
        if k == "index":
            return node("content", "i64", self.params[e[1][1]], self.text(e[2]))
        if k == "call":
            return node({"tc_cdiv": "cdiv"}.get(e[1], e[1]), "i64", 0, *map(self.text, e[2:]))
        if k == "sel":
            return node("sel", "i64", 0, *map(self.text, e[1:]))
        if k == "un":
            return node({"-": "neg", "~": "inv", "!": "not"}[e[1]], "i64", 0, self.text(e[2]))
        if k == "cast":
            return node("cast", TYPES[e[1]], 0, self.text(e[2]))
        return node(BINARY[e[1]], "i64", 0, self.text(e[2]), self.text(e[3]))

    def both(self, parts):
        return parts[0] if len(parts) == 1 else node("both", "i64", 0, parts[0], self.both(parts[1:]))

    def owns(self, p):
        """Whether the running block owns the element at the coordinates; None: there is no region."""
        w = p.words
        coords = [node("known", "i64", COORD + d) for d in range(len(w["shape"]))]
        compare = lambda op, a, b: node(op, "i64", 0, a, b)
        if "rows" in w:
            lo, hi = map(self.text, w["rows"])
            return self.both([compare("ge", coords[0], lo), compare("lt", coords[0], hi)])
        tile = [self.text(t) for t in w["tile"]] if "tile" in w else None
        if "owner" in w:
            names, e = w["owner"]
            self.known.update({n: NAME + i for i, n in enumerate(names)})
            number = "blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)"
            rest = compare("eq", self.text(parse_number(number)), self.text(e))
            for i, c in reversed(list(enumerate(coords))):
                if i < len(names):
                    rest = node("let", "i64", NAME + i, compare("div", c, tile[i]) if tile else c, rest)
            for n in names:
                del self.known[n]
            return rest
        if tile is None:
            return None
        at = w.get("at") or [["field", ["var", "blockIdx"], a] for a in "xyz"[:len(coords)][::-1]]
        one = node("num", "i64", 1)
        parts = []
        for c, a, t in zip(coords, map(self.text, at), tile):
            parts += [compare("ge", c, compare("mul", a, t)), compare("lt", c, compare("mul", compare("add", a, one), t))]
        return self.both(parts)

    def fact(self, k, names, e):
        """What holds of every content: the parameter that is filled last so that it does, and the expression over at[NAME…]."""
        used = [self.params[x[1][1]] for x in inside(e) if x[0] == "index"]
        self.known.update({n: NAME + i for i, n in enumerate(names)})
        text = "%d %s" % (max(used), self.text(e)) if used else None
        for n in names:
            del self.known[n]
        return text

    def param(self, p, inplace):
        w = p.words
        kind = {"shared": "read-only", "atomic": "atomic"}.get(p.kind, "mut")
        lists = [w["shape"], w.get("stride", []), w.get("range", []), w.get("init", [])]
        owns = self.owns(p)
        flags = [inplace, "injective" in w, "monotone" in w, "optional" in w, len(w["shape"]), "stride" in w, "range" in w, "init" in w, bool(owns)]
        return "%s %s %s %s %s\n" % (p.name, kind, TYPES[p.type], " ".join(str(int(f)) for f in flags),
                                    " ".join([self.text(e) for es in lists for e in es] + ([owns] if owns else [])))


def inside(e):
    yield e
    for part in e[1:]:
        if isinstance(part, list):
            yield from inside(part)


def conjuncts(e):
    return conjuncts(e[2]) + conjuncts(e[3]) if e[0] == "bin" and e[1] == "&&" else [e]


def constant(e):
    if e[0] == "num":
        return e[1]
    return -e[2][1] if e[0] == "un" and e[1] == "-" and e[2][0] == "num" else None


def bounds(k, name):
    """What the requirements say of a number alone: (least, most), None where nothing."""
    lo, hi = None, None
    for e in (c for r in k.requires for c in conjuncts(r)):
        if e[0] != "bin" or e[2] != name or e[1] not in COMPARISONS or constant(e[3]) is None:
            continue
        v = constant(e[3])
        if e[1] in (">", ">=", "=="):
            v2 = v + (e[1] == ">")
            lo = v2 if lo is None else max(lo, v2)
        if e[1] in ("<", "<=", "=="):
            v2 = v - (e[1] == "<")
            hi = v2 if hi is None else min(hi, v2)
    return lo, hi


def scalar_text(k, t, n):
    width, signed = WIDTH[t]
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    lo, hi = bounds(k, ["var", n])
    return "%s %s %d %d" % (n, TYPES[t], least if lo is None else max(lo, least), most if hi is None else min(hi, most))


def dim_text(k, b, d, most):
    lo, hi = bounds(k, ["field", ["var", b], "xyz"[d]])
    return "%d" % min(most, hi if hi is not None else most)


@functools.lru_cache(None)
def parse_number(text):
    from syntax import parse_expr
    return parse_expr(text)


def kernel_text(k, pre, functions):
    """pre: trees of the inferred preconditions."""
    code = Code(k.scope(), functions)
    for p in k.params:
        code.variable(p.name)
    for _, n in k.scalars:
        code.variable(n)
    body = code.body(k.body)
    c = Contract(k)
    names = [p.name for p in k.params]
    params = "".join(c.param(p, names.index(p.words["inplace"]) if "inplace" in p.words else -1) for p in k.params)
    allowed = [c.text(r) for r in k.requires + pre]
    dims = []
    for first, es in ((3, k.block), (6, k.grid)):
        if es is not None:
            dims += ["%d %s" % (first + d, c.text(es[d]) if d < len(es) else node("num", "i64", 1)) for d in range(3)]
    facts = [f for f in (c.fact(k, *x) for x in k.foralls) if f]
    most = [dim_text(k, "gridDim", d, (2147483647, 65535, 65535)[d]) for d in range(3)]
    most += [dim_text(k, "blockDim", d, (1024, 1024, 64)[d]) for d in range(3)]
    return "kernel %s %d %d %d %d %s\n%d %s\n%d\n%s%d\n%s\n%d\n%s\n%d %s\n%d %s\n%s\n" % (
        k.name, code.slots, k.grid is None, k.block is None, k.has("sync"), " ".join(most),
        len(k.scalars), " ".join(scalar_text(k, t, n) for t, n in k.scalars), len(k.params), params,
        len(allowed), "\n".join(allowed), len(dims), "\n".join(dims),
        len(facts), "\n".join(facts), len(k.numbers()), " ".join(str(min(v, 1 << 62)) for v in k.numbers()), body)


def text(kernels, pre, functions):
    """All that the simulation reads before its commands."""
    return ("".join(function_text(functions, f) for f in functions) + "".join(kernel_text(k, pre.get(k.name, []), functions) for k in kernels)
            + "commands\n")
