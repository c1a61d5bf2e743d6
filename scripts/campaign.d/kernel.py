"""A generated kernel: contract and body as trees."""
import copy
import re

import output
import simcode
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
        self.foralls = []     # (names, tree)
        self.packed = False   # the parameters are the fields of one struct

    def facts(self, names, text):
        self.foralls.append((names, parse_expr(text)))

    def copy(self):
        return copy.deepcopy(self)

    def scope(self):
        scope = {n: t for t, n in self.scalars}
        scope.update({p.name: ("const " if p.kind == "shared" else "") + p.type + " *" for p in self.params})
        scope.update({f + "()": FUNCTIONS[f][0] for f in FUNCTIONS})
        return scope

    def packed_cu(self):
        """The kernel with its parameters in a struct, and the attributes at the kernel."""
        known = {n for _, n in self.scalars} | {p.name for p in self.params}
        field = lambda e: (["field", ["var", "a_"], e[1]] if e[0] == "var" and e[1] in known
                           else [e[0]] + [field(x) if isinstance(x, list) else x for x in e[1:]])
        inner = self.copy()
        for es in [inner.requires, inner.block or [], inner.grid or []]:
            es[:] = map(field, es)
        inner.foralls = [(names, field(e)) for names, e in inner.foralls]
        attributes, fields, body = "", "", ""
        for p in inner.params:
            for w, v in p.words.items():
                if w == "owner":
                    p.words[w] = (v[0], field(v[1]))
                elif isinstance(v, list):
                    p.words[w] = list(map(field, v))
                elif w == "inplace":
                    p.words[w] = "a_." + v
            words, declared = p.text().rsplit(" %s%s *" % ("const " if p.kind == "shared" else "", p.type), 1)
            attributes += "tc_param(a_.%s, %s) " % (p.name, ", ".join(w[3:] for w in split_words(words)))
            declared = "%s%s *%s" % ("const " if p.kind == "shared" else "", p.type, p.name)
            fields += "    %s;\n" % declared
            body += "    %s = a_.%s;\n" % (declared, p.name)
        for t, n in inner.scalars:
            fields += "    %s %s;\n" % (t, n)
            body += "    %s %s = a_.%s;\n" % (t, n, n)
        return "struct %s_args {\n%s};\n%s%s\n__global__ void %s(%s_args a_) {\n%s%s}\n" % (
            self.name, fields, inner.head(), attributes.rstrip(), self.name, self.name, body, output.cu_body(self.body, ""))

    def head(self):
        head = "" if self.block is None else "tc_block(%s) " % ", ".join(map(output.bare, self.block))
        head += "" if self.grid is None else "tc_grid(%s) " % ", ".join(map(output.bare, self.grid))
        head += "".join("tc_requires(%s) " % output.bare(r) for r in self.requires)
        return head + "".join("tc_forall(%s; %s) " % (", ".join(names), output.bare(e)) for names, e in self.foralls)

    def cu(self):
        if self.packed:
            return self.packed_cu()
        args = [p.text() for p in self.params] + ["%s %s" % s for s in self.scalars]
        return "%s\n__global__ void %s(%s) {\n%s}\n" % (self.head().rstrip(), self.name, ",\n        ".join(args), output.cu_body(self.body, ""))

    def has(self, kind):
        return any(s[0] == kind for s in statements(self.body))

    def numbers(self):
        found = set()
        for e in expressions(self):
            if e[0] == "num" and e[1] > 3:
                found.add(e[1])
        return sorted(found)[:40]


def split_words(text):
    """The attributes of a parameter, one by one."""
    out, depth = [""], 0
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == " " and depth == 0:
            out.append("")
        else:
            out[-1] += c
    return out


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
    for _, e in k.foralls:
        yield e


def expressions(k):
    for e in contract(k):
        yield from inside(e)
    for s in statements(k.body):
        for e in own_expressions(s):
            yield from inside(e)


def function_text(f):
    result, params, body = FUNCTIONS[f]
    return "__device__ %s %s(%s) {\n%s}\n" % (result, f, ", ".join("%s %s" % p for p in params), output.cu_body(parse_body(body), ""))


def cu_file(kernels):
    return ("#include <tilecheck.h>\n" + STRUCT_TEXT + "".join(function_text(f) for f in FUNCTIONS)
            + "\n".join(k.cu() for k in kernels))


def precondition(text):
    """The tree of an inferred precondition, or None."""
    text = re.sub(r" \(no overflow\)$", "", text)
    try:
        return parse_expr(text.replace(" mod ", " % ").replace(" = ", " == "))
    except (SyntaxError, IndexError, ValueError):
        return None


def sim_text(kernels, pre):
    """The kernels for the simulation. pre: {name: trees of the inferred preconditions}."""
    return simcode.text(kernels, pre, FUNCTIONS)
