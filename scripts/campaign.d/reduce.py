"""Makes a find small: parts are taken out as long as the symptom stays."""
import time
from collections import Counter

import judge
from kernel import expressions
from mutate import bodies, full_scope, is_int


def edits(k):
    """Functions that make a copy of k smaller, coarse ones first."""
    for b, body in enumerate(bodies(k.body)):
        for i, s in enumerate(body):
            yield lambda c, b=b, i=i: list(bodies(c.body))[b].pop(i)
            if s[0] in ("if", "for", "while", "dowhile", "block"):
                for part in {"if": [2, 3], "for": [4], "while": [2], "dowhile": [1], "block": [1]}[s[0]]:
                    yield lambda c, b=b, i=i, part=part: unwrap(list(bodies(c.body))[b], i, part)
    for i in range(len(k.requires)):
        yield lambda c, i=i: c.requires.pop(i)
        if k.requires[i][0] == "bin" and k.requires[i][1] == "&&":
            for side in (2, 3):
                yield lambda c, i=i, side=side: c.requires.__setitem__(i, c.requires[i][side])
    for i, p in enumerate(k.params):
        yield lambda c, i=i: c.params.pop(i)
        for w in p.words:
            if w != "shape":
                yield lambda c, i=i, w=w: c.params[i].words.pop(w)
    for i in range(len(k.scalars)):
        yield lambda c, i=i: c.scalars.pop(i)
    scope = full_scope(k)
    for n, e in enumerate(expressions(k)):
        if e[0] in ("num", "var", "real"):
            continue
        for at, part in enumerate(e):
            if isinstance(part, list) and (is_int(part, scope) == is_int(e, scope)):
                yield lambda c, n=n, at=at: shrink(c, n, at)
        if is_int(e, scope):
            yield lambda c, n=n: constant(c, n)


def unwrap(body, i, part):
    s = body[i]
    first = [s[1]] if s[0] == "for" and s[1] else []
    body[i:i + 1] = first + s[part]


def shrink(c, n, at):
    e = list(expressions(c))[n]
    e[:] = list(e[at])


def constant(c, n):
    list(expressions(c))[n][:] = ["num", 0, ""]


def same(tool, find, k, name):
    figures = Counter()
    checked, found = judge.check_kernels(tool, [k], figures, name)
    if find.kind in ("internal", "crash", "timeout"):
        return any(f.kind == find.kind for f in found)
    if not checked or checked[0][1]["verdict"] not in (("violated",) if find.kind == "false" else ("proved", "proved-if")):
        return False
    try:
        return any(f.kind == find.kind and (f.kind != "false" or f.rule == find.rule)
                   for f in judge.judge(tool, checked, figures, 1, name=name))
    except RuntimeError:
        return False


def reduce(tool, find, seconds, name="reduce"):
    """A smaller kernel with the symptom of the find, or its own."""
    end, best = time.time() + seconds, find.kernel
    if find.kind == "timeout" or not same(tool, find, best, name):
        return best
    progress = True
    while progress and time.time() < end:
        progress = False
        for n in range(100000):
            e = next((e for i, e in enumerate(edits(best)) if i == n), None)
            if e is None or time.time() > end:
                break
            c = best.copy()
            try:
                e(c)
                good = len(c.params) > 0 and same(tool, find, c, name)
            except (IndexError, KeyError, TypeError, ValueError):
                good = False
            if good:
                best, progress = c, True
    return best
