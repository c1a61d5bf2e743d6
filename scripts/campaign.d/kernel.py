"""A generated kernel: contract and body as trees, its text for the checker and for the simulation."""
import copy
import re

import output
from syntax import STRUCTS, WIDTH, parse_body, parse_expr

# Functions that kernels may call: name -> (result, parameters, body).
FUNCTIONS = {
    "clamped": ("int", [("int", "v"), ("int", "top")], "if (v < 0) return 0; if (v >= top) return top - 1; return v;"),
    "halves": ("int", [("int", "p"), ("int", "q")], "int r = 0; while (p > 0 && r < 10) { r++; p >>= 1; if (r == q) break; } return r;"),
    "masked": ("int", [("int", "p"), ("int", "q")], "if (p < 0) return 0; if (q == 3) return p & 7; return q & 15;"),
    "first_above": ("int", [("int", "p"), ("int", "q")], "for (int i = 0; i < 8; i++) { if (i * p > q) return i; } return 8;"),
    "least": ("unsigned", [("unsigned", "p"), ("unsigned", "q")], "if (p < q) return p; return q - 1u;"),
    "wrapped": ("int", [("int", "i"), ("int", "n")], "int r = i % n; return r < 0 ? r + n : r;"),
    "put": ("void", [("float *", "p"), ("int", "i"), ("float", "v")], "p[i] = v;"),
    "found": ("int", [("const int *", "p"), ("int", "n"), ("int", "v")], "for (int i = 0; i < n; i++) { if (p[i] == v) return i; } return -1;"),
    "rounded": ("int", [("int", "i"), ("int", "n")], "return i / n * n;"),
}
STRUCT_TEXT = "".join("struct %s {\n%s};\n" % (s, "".join("    %s %s;\n" % (t, f) for f, t in fields.items()))
                      for s, fields in STRUCTS.items())
BUILTIN = ["blockIdx", "blockDim", "gridDim"]


class Param:
    """A pointer. words: {"shape": [tree…], "tile": …, "owner": ([names], tree), "range": …, "injective": True, …}."""

    def __init__(self, kind, type_, name, **words):
        self.kind, self.type, self.name = kind, type_, name
        self.words = {}
        for w, v in words.items():
            if w == "owner":
                self.words[w] = (v[0], parse_expr(v[1]))
            elif isinstance(v, (list, tuple)):
                self.words[w] = [parse_expr(str(e)) for e in v]
            else:
                self.words[w] = v

    def text(self):
        t = "tc_" + self.kind
        for w, v in self.words.items():
            if v is True:
                t += " tc_" + w
            elif w == "owner":
                t += " tc_owner(%s; %s)" % (", ".join(v[0]), output.bare(v[1]))
            elif w == "inplace":
                t += " tc_inplace(%s)" % v
            else:
                t += " tc_%s(%s)" % (w, ", ".join(map(output.bare, v)))
        return "%s %s%s *%s" % (t, "const " if self.kind == "shared" else "", self.type, self.name)


class Kernel:
    def __init__(self, name, block, grid, scalars, params, body, requires=()):
        tree = lambda es: None if es is None else [parse_expr(str(e)) for e in es]
        self.name, self.block, self.grid = name, tree(block), tree(grid)
        self.scalars = list(scalars)  # (type, name)
        self.params = list(params)
        self.requires = tree(requires)
        self.body = parse_body(body)
        self.origin = ""

    def copy(self):
        return copy.deepcopy(self)

    def scope(self):
        scope = {n: t for t, n in self.scalars}
        scope.update({p.name: ("const " if p.kind == "shared" else "") + p.type + " *" for p in self.params})
        scope.update({f + "()": FUNCTIONS[f][0] for f in FUNCTIONS})
        return scope

    def cu(self):
        head = "" if self.block is None else "tc_block(%s) " % ", ".join(map(output.bare, self.block))
        head += "" if self.grid is None else "tc_grid(%s) " % ", ".join(map(output.bare, self.grid))
        head += "".join("tc_requires(%s) " % output.bare(r) for r in self.requires)
        args = [p.text() for p in self.params] + ["%s %s" % s for s in self.scalars]
        return "%s\n__global__ void %s(%s) {\n%s}\n" % (head.rstrip(), self.name, ",\n        ".join(args), output.cu_body(self.body, ""))

    def has(self, kind):
        return any(s[0] == kind for s in statements(self.body))

    def numbers(self):
        found = set()
        for e in expressions(self):
            if e[0] == "num" and e[1] > 3:
                found.add(e[1])
        return sorted(found)[:40]


def statements(body):
    for s in body:
        yield s
        for part in parts(s):
            yield from statements(part)


def parts(s):
    """The bodies inside a statement."""
    k = s[0]
    if k == "if":
        return [s[2], s[3]]
    if k == "switch":
        return [c[1] for c in s[2]]
    return {"for": lambda: [s[4], s[3]] + ([[s[1]]] if s[1] else []), "while": lambda: [s[2]], "dowhile": lambda: [s[1]],
            "block": lambda: [s[1]]}.get(k, lambda: [])()


def own_expressions(s):
    at = {"decl": [4], "set": [2, 3], "step": [2], "do": [1], "if": [1], "for": [2], "while": [1], "dowhile": [2], "switch": [1],
          "return": [1]}.get(s[0], [])
    return [s[i] for i in at if s[i] is not None]


def inside(e):
    yield e
    for part in e[1:]:
        if isinstance(part, list):
            yield from inside(part)


def contract(k):
    lists = [k.requires] + [x for x in (k.block, k.grid) if x] + [v for p in k.params for v in p.words.values() if isinstance(v, list)]
    for es in lists:
        yield from es
    for p in k.params:
        if "owner" in p.words:
            yield p.words["owner"][1]


def expressions(k):
    for e in contract(k):
        yield from inside(e)
    for s in statements(k.body):
        for e in own_expressions(s):
            yield from inside(e)


def function_text(f, sim):
    result, params, body = FUNCTIONS[f]
    body = parse_body(body)
    if not sim:
        return "__device__ %s %s(%s) {\n%s}\n" % (result, f, ", ".join("%s %s" % p for p in params), output.cu_body(body, ""))
    out = output.Sim({n: t for t, n in params})
    return "static %s %s(%s) {\n%s}\n" % (out.type(result), f, ", ".join("%s %s" % (out.type(t), n) for t, n in params),
                                         out.body(body, ""))


def cu_file(kernels):
    return ("#include <tilecheck.h>\n" + STRUCT_TEXT + "".join(function_text(f, False) for f in FUNCTIONS)
            + "\n".join(k.cu() for k in kernels))


def limits(t):
    width, signed = WIDTH[t]
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)


def wide(v):
    return "W(%d)" % v if -(1 << 63) < v < 1 << 63 else "W(%dull)" % v if v > 0 else "(-W(%dull))" % -v


def indexed(k):
    """math() with a[i] in a contract read from the parameter's object."""
    names = {p.name: i for i, p in enumerate(k.params)}

    def walk(e):
        if e[0] == "index":
            return ["call", "read", ["num", names[e[1][1]], ""], walk(e[2])]
        return [e[0]] + [walk(x) if isinstance(x, list) else x for x in e[1:]]
    return lambda e: output.math(walk(e))


def precondition(text):
    """The tree of an inferred precondition, or None."""
    text = re.sub(r" \(no overflow\)$", "", text)
    try:
        return parse_expr(text.replace(" mod ", " % ").replace(" = ", " == "))
    except (SyntaxError, IndexError, ValueError):
        return None


def sim_kernel(k, pre):
    math = indexed(k)
    shape, owns, params = "", "", []
    for i, p in enumerate(k.params):
        w = p.words
        dims = w["shape"]
        rows, cols = ("W(1)", math(dims[0])) if len(dims) == 1 else (math(dims[0]), math(dims[1]))
        stride = math(w["stride"][0]) if "stride" in w else cols
        if len(dims) == 1:
            rows, cols, stride = math(dims[0]), "W(1)", "W(1)"
        shape += "  if (p == %d) {\n    o.rows = %s, o.cols = %s, o.stride = %s;\n" % (i, rows, cols, stride)
        if "range" in w:
            shape += "    o.lo = %s, o.hi = %s;\n" % tuple(map(math, w["range"]))
        shape += "  }\n"
        owner = None
        coords = ["row"] if len(dims) == 1 else ["row", "col"]
        if "rows" in w:
            owner = "row >= %s && row < %s" % tuple(map(math, w["rows"]))
        elif "owner" in w:
            names, e = w["owner"]
            tiles = [math(t) for t in w["tile"]] if "tile" in w else ["W(1)"] * len(coords)
            sets = "".join("at.%s = w_div(%s, %s); " % (n, c, t) for n, c, t in zip(names, coords, tiles))
            owner = "(%s W(0), at.blockIdx_x + at.gridDim_x * (at.blockIdx_y + at.gridDim_y * at.blockIdx_z) == %s)" % (
                sets.replace(";", ","), math(e))
        elif "tile" in w:
            at = w.get("at") or [["field", ["var", "blockIdx"], a] for a in ("xyz"[len(coords) - 1::-1])]
            owner = " && ".join("%s >= (%s) * (%s) && %s < ((%s) + 1) * (%s)" % (c, math(a), math(t), c, math(a), math(t))
                                for c, a, t in zip(coords, at, w["tile"]))
        if owner:
            owns += "  if (p == %d)\n    return %s;\n" % (i, owner)
        flags = ", ".join("true" if x in w else "false" for x in ("range", "injective", "monotone", "init"))
        inplace = [q.name for q in k.params].index(w["inplace"]) if "inplace" in w else -1
        kind = {"shared": "READ_ONLY", "atomic": "ATOMIC"}.get(p.kind, "MUT")
        params.append('{"%s", %s, %d, %d, %s}' % (p.name, kind, i if owner else -1, inplace, flags))
    allowed = "".join("  if (!(%s != 0)) return false;\n" % math(r) for r in k.requires + pre)
    for i, p in enumerate(k.params):
        for t in p.words.get("tile", []):
            allowed += "  if ((%s) < 1) return false;\n" % math(t)
    dims = ""
    for what, es in (("grid", k.grid), ("block", k.block)):
        if es is not None:
            for d in range(3):
                value = math(es[d]) if d < len(es) else "W(1)"
                dims += "  %s[%d] = at.%sDim_%s = %s;\n" % (what, d, what, "xyz"[d], value)
    dims = "".join(sorted(dims.splitlines(True), key=lambda l: l.strip().startswith("grid")))
    out = output.Sim(k.scope())
    body = "".join("  Ptr<%s> %s(objects[%d], 0);\n" % (output.SIM[p.type], p.name, i) for i, p in enumerate(k.params))
    body += "".join("  %s %s((%s)at.%s);\n" % (output.SIM[t], n, t, n) for t, n in k.scalars)
    body += out.body(k.body, "")
    n = k.name
    entry = '  { Kernel k = {"%s", {%s}, {%s}, {%s}, %s, %s, %s, allowed_%s, dims_%s, shape_%s, owns_%s, body_%s}; all.push_back(k); }\n' % (
        n, ", ".join('{"%s", %s, %s, &at.%s}' % (s, wide(limits(t)[0]), wide(limits(t)[1]), s) for t, s in k.scalars),
        ", ".join(params), ", ".join("%dll" % min(v, 1 << 62) for v in k.numbers()),
        "true" if k.grid is None else "false", "true" if k.block is None else "false", "true" if k.has("sync") else "false", n, n, n, n, n)
    text = ("static bool allowed_%s() {\n%s  return true;\n}\nstatic void dims_%s(W *grid, W *block) {\n%s}\n"
            "static void shape_%s(int p, Obj &o) {\n%s}\nstatic bool owns_%s(int p, W row, W col) {\n%s  return true;\n}\n"
            "static void body_%s(std::vector<Obj *> &objects) {\n%s}\n") % (n, allowed, n, dims, n, shape, n, owns, n, body)
    return text, entry


def sim_file(kernels, pre):
    """pre: {name: trees of the inferred preconditions}."""
    names = {"%s_%s" % (b, d) for b in BUILTIN for d in "xyz"}
    for k in kernels:
        names.update(n for _, n in k.scalars)
        for p in k.params:
            names.update(p.words["owner"][0] if "owner" in p.words else [])
    texts = [sim_kernel(k, pre.get(k.name, [])) for k in kernels]
    return ('#include "sim.h"\nstatic struct { W %s; } at;\nstatic W w_read(W p, W i);\n%s%s'
            "static std::vector<Kernel> kernels() {\n  std::vector<Kernel> all;\n%s  return all;\n}\n"
            '#include "sim.cpp"\n') % (", ".join(sorted(names)), "".join(function_text(f, True) for f in FUNCTIONS),
                                       "".join(t for t, _ in texts), "".join(e for _, e in texts))
