"""Kernels as text: CUDA C for the checker, C++ over recording classes for the simulation (sim.h), and contracts as C++ over
mathematical integers."""
from syntax import common, type_of

SIM = {"char": "i8", "signed char": "i8", "unsigned char": "u8", "short": "i16", "unsigned short": "u16", "int": "i32",
       "unsigned": "u32", "long long": "i64", "unsigned long long": "u64", "float": "Real", "pair": "pair", "void": "void"}


def cu(e):
    """An expression as CUDA C; also the form of a contract's expressions."""
    k = e[0]
    if k == "num":
        return "%d%s" % (e[1], e[2])
    if k == "real":
        return e[1]
    if k == "var":
        return e[1]
    if k == "field":
        return cu(e[1]) + "." + e[2]
    if k == "index":
        return "%s[%s]" % (cu(e[1]), bare(e[2]))
    if k == "call":
        return "%s(%s)" % (e[1], ", ".join(map(bare, e[2:])))
    if k == "un":
        return "(%s%s)" % (e[1], cu(e[2])) if e[1] != "&" else "&" + cu(e[2])
    if k == "bin":
        return "(%s %s %s)" % (cu(e[2]), e[1], cu(e[3]))
    if k == "sel":
        return "(%s ? %s : %s)" % tuple(map(cu, e[1:]))
    return "(%s)(%s)" % (e[1], cu(e[2]))


def bare(e):
    """The same, without the parentheses around the whole."""
    return cu(e)[1:-1] if e[0] in ("bin", "sel") or (e[0] == "un" and e[1] != "&") else cu(e)


def math(e):
    """A contract's expression over W, a wide integer that knows no overflow."""
    k = e[0]
    if k == "num":
        return "W(%d)" % e[1]
    if k == "field":
        return "at.%s_%s" % (e[1][1], e[2])
    if k == "var":
        return "at." + e[1]
    if k == "call":
        return "w_%s(%s)" % (e[1], ", ".join(map(math, e[2:])))
    if k == "un":
        return "W(%s(%s))" % (e[1], math(e[2]))
    if k == "sel":
        return "((%s) != 0 ? %s : %s)" % tuple(map(math, e[1:]))
    if k == "cast":
        return "W(%s(Int<long long>(%s)).v)" % (SIM[e[1]], math(e[2]))
    if e[1] in ("&&", "||"):
        return "W((%s) != 0 %s (%s) != 0)" % (math(e[2]), e[1], math(e[3]))
    if e[1] in ("/", "%", "<<", ">>"):
        return "%s(%s, %s)" % ({"/": "w_div", "%": "w_rem", "<<": "w_shl", ">>": "w_shr"}[e[1]], math(e[2]), math(e[3]))
    return "W((%s) %s (%s))" % (math(e[2]), e[1], math(e[3]))


class Sim:
    """The body of a function for the simulation."""

    def __init__(self, scope):
        self.scope = dict(scope)

    def type(self, t):
        const = t.startswith("const ")
        t = t.replace("const ", "")
        if t.endswith("*"):
            return "Ptr<%s>" % self.type(t[:-2])
        return SIM[t] if not const else SIM[t]

    def place(self, e):
        """(object, element) of an access, or None for a variable."""
        if e[0] == "un" and e[1] == "*":
            return self.value(e[2]), "i32(0)"
        if e[0] == "index":
            if e[1][0] == "index":
                name = e[1][1][1]
                dims = self.scope[name][1]
                return name, "flat(%s, %s, %d)" % (self.value(e[1][2]), self.value(e[2]), dims[1])
            return self.value(e[1]), self.value(e[2])
        return None

    def value(self, e):
        k = e[0]
        if k == "num":
            return "%s(%dull)" % (SIM[type_of(e, self.scope)], e[1])
        if k == "real":
            return "Real(%s)" % e[1]
        if k == "var":
            return e[1]
        if k == "field":
            return "%s.%s" % (e[1][1], e[2]) if e[1][0] == "var" else self.value(e[1]) + "." + e[2]
        if k == "index":
            obj, i = self.place(e)
            return "%s.rd(%s)" % (obj, i)
        if k == "call":
            if e[1].startswith("atomic"):
                obj, i = self.place(e[2][2])
                return "%s.%s(%s, %s)" % (obj, e[1], i, self.value(e[3]))
            if e[1] == "tc_invariant":
                return "invariant(%s)" % self.cond(e[2])
            if e[1] in ("min", "max"):
                t = self.type(common(type_of(e[2], self.scope), type_of(e[3], self.scope)))
                return "sim_%s(%s(%s), %s(%s))" % (e[1], t, self.value(e[2]), t, self.value(e[3]))
            return "%s(%s)" % (e[1], ", ".join(map(self.value, e[2:])))
        if k == "un":
            if e[1] == "*":
                return "%s.rd(i32(0))" % self.value(e[2])
            if e[1] == "&":
                obj, i = self.place(e[2])
                return "(%s + %s)" % (obj, i)
            if e[1] == "!":
                return "i32(!%s)" % self.cond(e[2])
            return "(%s%s)" % (e[1], self.value(e[2]))
        if k == "bin":
            if e[1] in ("&&", "||"):
                return "i32(%s)" % self.cond(e)
            return "(%s %s %s)" % (self.value(e[2]), e[1], self.value(e[3]))
        t = self.type(type_of(e, self.scope))
        if k == "sel":
            return "(%s ? %s(%s) : %s(%s))" % (self.cond(e[1]), t, self.value(e[2]), t, self.value(e[3]))
        return "%s(%s)" % (t, self.value(e[2]))

    def cond(self, e):
        if e[0] == "bin" and e[1] in ("&&", "||"):
            return "(%s %s %s)" % (self.cond(e[2]), e[1], self.cond(e[3]))
        if e[0] == "un" and e[1] == "!":
            return "!" + self.cond(e[2])
        return "guard(%s)" % self.value(e)

    def simple(self, s):
        if s[0] == "decl":
            _, t, name, dims, init, shared = s
            self.scope[name] = (t, dims) if dims else t
            if dims:
                count = 1
                for d in dims:
                    count *= d
                if shared:
                    return "Arr<%s> &%s = shared_array<%s>(\"%s\", %d)" % (SIM[t], name, SIM[t], name, count)
                return "Arr<%s> %s(\"%s\", %d)" % (SIM[t], name, name, count)
            return "%s %s%s" % (self.type(t), name, "" if init is None else " = %s(%s)" % (self.type(t), self.value(init)))
        if s[0] == "do":
            return self.value(s[1])
        op, place = s[1], s[2]
        amount = self.value(s[3]) if s[0] == "set" else "i32(1)"
        at = self.place(place)
        base = self.type(type_of(place, self.scope))
        if op == "=":
            new = "%s(%s)" % (base, amount)
        else:
            old = "%s.rd(%s)" % at if at else self.value(place)
            new = "%s(%s %s %s)" % (base, old, op[0] if len(op) == 2 else op[:2], amount)
        return "%s.wr(%s, %s)" % (at[0], at[1], new) if at else "%s = %s" % (self.value(place), new)

    def stmt(self, s, pad):
        k = s[0]
        if k in ("decl", "set", "step", "do"):
            return pad + self.simple(s) + ";\n"
        if k == "if":
            other = "" if not s[3] else " else {\n%s%s}" % (self.body(s[3], pad), pad)
            return "%sif (%s) {\n%s%s}%s\n" % (pad, self.cond(s[1]), self.body(s[2], pad), pad, other)
        if k == "for":
            outer = dict(self.scope)
            init = self.simple(s[1]) if s[1] else ""
            cond = self.cond(s[2])
            text = "%sfor (%s; %s; %s) {\n%s  fuel();\n%s%s}\n" % (
                pad, init, cond, ", ".join(map(self.simple, s[3])), pad, self.body(s[4], pad), pad)
            self.scope = outer
            return text
        if k == "while":
            return "%swhile (%s) {\n%s  fuel();\n%s%s}\n" % (pad, self.cond(s[1]), pad, self.body(s[2], pad), pad)
        if k == "dowhile":
            return "%sdo {\n%s  fuel();\n%s%s} while (%s);\n" % (pad, pad, self.body(s[1], pad), pad, self.cond(s[2]))
        if k == "switch":
            text = "%sswitch (choice(%s)) {\n" % (pad, self.value(s[1]))
            for value, body in s[2]:
                text += "%s%s {\n%s%s}\n" % (pad, "default:" if value is None else "case %d:" % value, self.body(body, pad), pad)
            return text + pad + "}\n"
        if k == "return":
            return "%sreturn%s;\n" % (pad, "" if s[1] is None else " " + self.value(s[1]))
        if k == "block":
            return "%s{\n%s%s}\n" % (pad, self.body(s[1], pad), pad)
        return pad + {"sync": "barrier()", "break": "break", "continue": "continue"}[k] + ";\n"

    def body(self, stmts, pad):
        outer = dict(self.scope)
        text = "".join(self.stmt(s, pad + "  ") for s in stmts)
        self.scope = outer
        return text


def cu_simple(s):
    if s[0] == "decl":
        _, t, name, dims, init, shared = s
        star = "" if not t.endswith("*") else "*"
        base = t.replace(" *", "")
        return "%s%s %s%s%s%s" % ("__shared__ " if shared else "", base, star, name, "".join("[%d]" % d for d in dims),
                                  "" if init is None else " = " + bare(init))
    if s[0] == "do":
        return cu(s[1])
    if s[0] == "step":
        return cu(s[2]) + s[1]
    return "%s %s %s" % (cu(s[2]), s[1], bare(s[3]))


def cu_stmt(s, pad):
    k = s[0]
    if k in ("decl", "set", "step", "do"):
        return pad + cu_simple(s) + ";\n"
    if k == "if":
        other = "" if not s[3] else " else {\n%s%s}" % (cu_body(s[3], pad), pad)
        return "%sif (%s) {\n%s%s}%s\n" % (pad, bare(s[1]), cu_body(s[2], pad), pad, other)
    if k == "for":
        return "%sfor (%s; %s; %s) {\n%s%s}\n" % (pad, cu_simple(s[1]) if s[1] else "", bare(s[2]), ", ".join(map(cu_simple, s[3])),
                                                 cu_body(s[4], pad), pad)
    if k == "while":
        return "%swhile (%s) {\n%s%s}\n" % (pad, bare(s[1]), cu_body(s[2], pad), pad)
    if k == "dowhile":
        return "%sdo {\n%s%s} while (%s);\n" % (pad, cu_body(s[1], pad), pad, bare(s[2]))
    if k == "switch":
        text = "%sswitch (%s) {\n" % (pad, bare(s[1]))
        for value, body in s[2]:
            text += "%s%s {\n%s%s}\n" % (pad, "default:" if value is None else "case %d:" % value, cu_body(body, pad), pad)
        return text + pad + "}\n"
    if k == "return":
        return "%sreturn%s;\n" % (pad, "" if s[1] is None else " " + bare(s[1]))
    if k == "block":
        return "%s{\n%s%s}\n" % (pad, cu_body(s[1], pad), pad)
    return pad + {"sync": "__syncthreads()", "break": "break", "continue": "continue"}[k] + ";\n"


def cu_body(stmts, pad):
    return "".join(cu_stmt(s, pad + "    ") for s in stmts)
