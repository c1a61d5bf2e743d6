"""Small changes that turn a correct kernel into one near the border of correct."""
import copy

from kernel import contract, expressions, inside, own_expressions, parts, statements
from syntax import WIDTH, parse_expr, type_of

TYPES = ["int", "unsigned", "short", "unsigned char", "long long", "unsigned short", "signed char", "unsigned long long"]
OTHER = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!=", "<="], "!=": ["==", "<"], "+": ["-", "^", "|"], "-": ["+"],
         "*": ["+", "/"], "/": ["*", "%", ">>"], "%": ["/", "&"], "&": ["|", "^", "%"], "|": ["&"], "^": ["+"], "<<": [">>"], ">>": ["<<", "/"],
         "&&": ["||"], "||": ["&&"]}


def bodies(body):
    yield body
    for s in body:
        for part in parts(s):
            yield from bodies(part)


def full_scope(k):
    scope = k.scope()
    for s in statements(k.body):
        if s[0] == "decl":
            scope[s[2]] = (s[1], s[3]) if s[3] else s[1]
    return scope


def is_int(e, scope):
    try:
        return type_of(e, scope) in WIDTH
    except (KeyError, TypeError, IndexError):
        return False


def replace(e, new):
    e[:] = new


def body_ints(k, scope):
    return [e for s in statements(k.body) for top in own_expressions(s) for e in inside(top) if is_int(e, scope)]


def number(R, k):
    found = [e for e in expressions(k) if e[0] == "num"]
    if not found:
        return False
    e = R.choice(found)
    e[1] = max(0, R.choice([e[1] + 1, e[1] - 1, e[1] + 1, e[1] - 1, e[1] * 2, e[1] // 2]))
    return True


def operator(R, k):
    scope = full_scope(k)
    ints = [e for e in body_ints(k, scope) if e[0] == "bin"]
    if R.random() < 0.2:
        ints = [e for top in contract(k) for e in inside(top) if e[0] == "bin"] or ints
    comparisons = [e for e in ints if e[1] in ("<", "<=", ">", ">=")]
    found = comparisons if comparisons and R.random() < 0.5 else ints
    found = [e for e in found if e[1] in ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
             or (is_int(e[2], scope) and is_int(e[3], scope))]
    if not found:
        return False
    e = R.choice(found)
    e[1] = R.choice(OTHER[e[1]])
    return True


def unguard(R, k):
    """An if without its condition, or with one side of it."""
    found = [(b, i) for b in bodies(k.body) for i, s in enumerate(b) if s[0] == "if"]
    if not found:
        return False
    b, i = R.choice(found)
    s = b[i]
    if s[1][0] == "bin" and s[1][1] in ("&&", "||") and R.random() < 0.7:
        s[1] = s[1][R.choice([2, 3])]
    elif s[2] and s[2][0][0] in ("return", "break", "continue"):
        del b[i]
    else:
        b[i:i + 1] = [["block", s[2]]]
    return True


def drop(R, k):
    found = [(b, i) for b in bodies(k.body) for i, s in enumerate(b) if s[0] not in ("decl", "return")]
    if len(found) < 2:
        return False
    b, i = R.choice(found)
    del b[i]
    return True


def moved(R, k):
    """Two statements that change places, or one that is done twice."""
    found = [(b, i) for b in bodies(k.body) for i in range(len(b) - 1)]
    if not found:
        return False
    b, i = R.choice(found)
    if b[i][0] in ("decl", "return", "break", "continue") or b[i + 1][0] in ("decl", "return", "break", "continue"):
        return False
    if R.random() < 0.7:
        b[i], b[i + 1] = b[i + 1], b[i]
    else:
        b.insert(i, copy.deepcopy(b[i]))
    return True


def axis(R, k):
    found = [e for e in expressions(k) if e[0] == "field" and e[1][0] == "var" and e[1][1] in ("threadIdx", "blockIdx", "blockDim", "gridDim")]
    if not found:
        return False
    e = R.choice(found)
    if R.random() < 0.6:
        e[2] = R.choice([a for a in "xyz" if a != e[2]])
    else:
        e[1] = ["var", R.choice(["threadIdx", "blockIdx", "blockDim", "gridDim"])]
    return True


def variable(R, k):
    scope = full_scope(k)
    found = [e for e in body_ints(k, scope) if e[0] == "var"]
    names = [n for _, n in k.scalars] + sorted({e[1] for e in found})
    if not found:
        return False
    e = R.choice(found)
    # Only what is declared wherever the old name was: parameters; other names may not be in scope, and then do not compile.
    e[1] = R.choice(names)
    return not any(s[0] == "decl" and s[4] and any(x == ["var", s[2]] for x in inside(s[4])) for s in statements(k.body))


def declared(R, k):
    found = [s for s in statements(k.body) if s[0] == "decl" and s[1] in WIDTH]
    if R.random() < 0.3 and k.scalars:
        i = R.randrange(len(k.scalars))
        k.scalars[i] = (R.choice(TYPES), k.scalars[i][1])
        return True
    if not found:
        return False
    R.choice(found)[1] = R.choice(TYPES)
    return True


def reshaped(R, k):
    """An integer inside the body as another that is often the same."""
    scope = full_scope(k)
    found = []
    for s in statements(k.body):
        for n, top in enumerate(own_expressions(s)):
            if s[0] in ("set", "step") and n == 0:
                found += [e for part in top[1:] if isinstance(part, list) for e in inside(part)]
            elif s[0] != "do":
                found += list(inside(top))
    found = [e for e in found if is_int(e, scope) and e[0] != "num"]
    if not found:
        return False
    e = R.choice(found)
    old, c = list(e), R.choice([1, 2, 3, 4, 7, 8, 15, 31, 63, 255])
    name = ["var", R.choice([n for _, n in k.scalars])] if k.scalars else ["num", c, ""]
    num = ["num", c, R.choice(["", "", "u"])]
    replace(e, R.choice([
        ["cast", R.choice(TYPES), old], ["cast", R.choice(TYPES), old], ["bin", "&", old, ["num", R.choice([7, 15, 31, 63, 255, 1023]), ""]],
        ["bin", "%", old, num], ["bin", "%", old, name], ["call", "min", old, name], ["call", "max", old, ["num", 0, ""]],
        ["bin", "^", old, ["num", R.choice([0, 1, 1, 2, 4]), ""]], ["bin", "+", ["bin", "*", ["bin", "/", old, num], num], ["bin", "%", old, num]],
        ["sel", ["bin", R.choice(["<", "<=", ">", "=="]), old, name], old, R.choice([name, num])],
        ["bin", "-", ["bin", "+", old, num], num], ["bin", ">>", ["bin", "<<", old, ["num", c % 5, ""]], ["num", c % 5, ""]],
        ["call", "clamped", old, name], ["call", "wrapped", old, name], ["call", "masked", old, num], ["call", "least", old, name],
        ["call", "rounded", old, num], ["un", "-", ["un", "-", old]], ["bin", "|", old, ["num", R.choice([0, 1, 4]), ""]],
        ["bin", "*", old, ["num", R.choice([1, 2]), "u"]], ["un", "~", ["un", "~", old]]]))
    return True


def word(R, k):
    """A word of the contract dropped or changed."""
    p = R.choice(k.params)
    loose = [w for w in ("injective", "monotone", "range", "at", "owner", "tile", "rows", "stride", "init", "optional") if w in p.words]
    if loose and R.random() < 0.5:
        w = R.choice(loose)
        if w == "tile":
            p.words.pop("at", None)
            p.words.pop("owner", None)
        del p.words[w]
        return True
    if k.foralls and R.random() < 0.3:
        k.foralls.clear()
        return True
    if k.requires and R.random() < 0.5:
        i = R.randrange(len(k.requires))
        r = k.requires[i]
        if r[0] == "bin" and r[1] == "&&" and R.random() < 0.7:
            k.requires[i] = r[R.choice([2, 3])]
        else:
            del k.requires[i]
        return True
    lists = [p.words[w] for w in ("shape", "tile", "range", "rows", "at") if w in p.words] + ([k.grid] if k.grid else [])
    es = R.choice(lists)
    i = R.randrange(len(es))
    es[i] = ["bin", R.choice(["+", "-", "-"]), es[i], ["num", 1, ""]] if R.random() < 0.8 else ["bin", "*", es[i], ["num", 2, ""]]
    return True


OPERATORS = [number, number, operator, operator, unguard, drop, moved, axis, variable, declared, reshaped, reshaped, reshaped, word, word]


def mutate(R, k, count):
    """A mutated copy of k."""
    k = k.copy()
    for _ in range(count):
        for _ in range(20):
            op, next_ = R.choice(OPERATORS), k.copy()
            if op(R, next_):
                k = next_
                k.origin += " " + op.__name__
                break
    return k


RARE = 1000002  # what sim.cpp gives to the parameter of this name, nearly always


def hide(R, k):
    """Puts everything behind a condition that hardly any launch meets: no run that the checker makes for itself will see it."""
    cond = R.choice(["rare > 1000000 && rare < 1000004", "rare == 1000002", "(rare ^ 1000002) == 0", "rare % 1000 == 2 && rare > 999999",
                     "(unsigned)rare - 1000000u < 4u", "rare / 1000000 == 1 && (rare & 15) == 2"])
    k.scalars.append(("int", "rare"))
    k.body.insert(0, ["if", ["un", "!", parse_expr(cond)], [["return", None]], []])
    k.origin += " hidden"
    return k
