"""Kernels as CUDA C for the checker."""


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
