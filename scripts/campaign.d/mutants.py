"""Mutants of the example kernels, made on their text. A mutant that is still proved has to be correct in the interpreter's sweep."""
import collections
import glob
import os
import random
import re
import tempfile

from judge import JUDGED, Find, count_verdict
from tool import Tool

NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
WORDS = r"\btc_(tile|at|owner|rows|stride|requires|range|injective|monotone|align|inplace|invariant)\b"


class Mutant:
    def __init__(self, name, text, origin):
        self.name, self.text, self.origin = name, text, origin


def files(root):
    return sorted(glob.glob(os.path.join(root, "examples/legacy/*.cu")))


def balanced(text, at):
    """The end of the parentheses that open at text[at]."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    return len(text)


def code_spans(text):
    """What is code: no comment, no line of the preprocessor."""
    blank = lambda m: " " * len(m.group(0))
    return re.sub(r"//[^\n]*|/\*.*?\*/|^#[^\n]*|\"[^\"\n]*\"", blank, text, flags=re.S | re.M)


def changes(text):
    """(what, start, end, replacement) of every mutant of one change."""
    code = code_spans(text)
    for m in re.finditer(r"\b(if|while) \(", code):
        end = balanced(code, m.end() - 1)
        inside = text[m.end():end - 1]
        if m.group(1) == "if":
            yield "guard dropped", m.end(), end - 1, "true"
            yield "guard turned off", m.end(), end - 1, "false"
        for op in ("&&", "||"):
            if op in inside:
                a, b = inside.split(op, 1)
                if a.count("(") == a.count(")"):
                    yield "one side of a guard", m.end(), end - 1, a
                    yield "one side of a guard", m.end(), end - 1, b
    for m in re.finditer(r" (<|<=|>|>=|==) ", code):
        new = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!=", "<="]}[m.group(1)]
        for op in new:
            yield "comparison", m.start(1), m.end(1), op
    for m in re.finditer(r" ([-+*/%]) ", code):
        for op in {"+": "-", "-": "+", "*": "+", "/": "*%", "%": "/"}[m.group(1)]:
            yield "operator", m.start(1), m.end(1), op
    for m in NUMBER.finditer(code):
        v = int(m.group(1))
        for new in {v + 1, v - 1, v * 2} - {v}:
            if new >= 0:
                yield "constant", m.start(1), m.end(1), str(new)
    for m in re.finditer(r"(threadIdx|blockIdx|blockDim|gridDim)\.([xyz])", code):
        yield "axis", m.start(2), m.end(2), "y" if m.group(2) == "x" else "x"
        yield "index", m.start(1), m.end(1), {"threadIdx": "blockIdx", "blockIdx": "threadIdx", "blockDim": "gridDim", "gridDim": "blockDim"}[m.group(1)]
    for m in re.finditer(r"__syncthreads\(\);", code):
        yield "barrier removed", m.start(), m.end(), ";"
    for m in re.finditer(WORDS, code):
        end = balanced(code, m.end()) if code[m.end():m.end() + 1] == "(" else m.end()
        if code[end:end + 1] == ";":
            end += 1
        yield "clause removed", m.start(), end, ""


def mutants(path, R, count):
    text = open(path).read()
    all_ = list(changes(text))
    out = []
    for what, start, end, new in R.sample(all_, min(count, len(all_))):
        line = text[:start].count("\n") + 1
        stem = os.path.basename(path)[:-3]
        out.append(Mutant("%s-%d" % (stem, len(out)), text[:start] + new + text[end:],
                          "%s line %d, %s: '%s' is '%s'" % (os.path.basename(path), line, what, text[start:end], new)))
    return out


def one(tool, mutant, figures):
    status, report, err = tool.check(mutant.text, timeout=120)
    if status == 3:
        figures["not C"] += 1
        return []
    figures["kernels"] += 1
    if status is None:
        figures["timeouts"] += 1
        return [Find("timeout", mutant, "", mutant.origin)]
    if status not in (0, 2) or not report:
        figures["crashes"] += 1
        return [Find("crash", mutant, "", "%s: exit status %s: %s" % (mutant.origin, status, err[-1000:]))]
    finds = []
    proved = {}
    for k in report["kernels"]:
        count_verdict(figures, k["verdict"])
        if k["verdict"] in ("proved", "proved-if"):
            proved[k["name"]] = k
    if "internal error" in err or any("internal error" in ob.get("reason", "") for k in report["kernels"] for ob in k["obligations"]):
        figures["internal errors"] += 1
        lines = [l for l in err.splitlines() if "internal error" in l]
        finds.append(Find("internal", mutant, "", mutant.origin + "\n" + "\n".join(lines)))
    if not proved:
        return finds
    swept, runs, _ = tool.sweep(tool.path("check.cu"))
    figures["launches of the interpreter"] += sum(runs.values())
    for name, k in proved.items():
        for rule, launch, text in swept.get(name, []):
            if rule in JUDGED and not (rule == "TC2002" and k["preconditions"]):
                figures["unsound"] += 1
                finds.append(Find("unsound", mutant, rule, "%s: %s is %s, but at %s: %s" % (mutant.origin, name, k["verdict"], launch, text)))
                break
    return finds


def file(campaign, path):
    args, figures = campaign.args, collections.Counter()
    R = random.Random("%d/%s" % (args.seed, os.path.basename(path)))
    share = -(-args.kernels // max(1, len(files(os.path.dirname(os.path.dirname(os.path.dirname(path)))))))
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        tool = Tool(args.build, folder)
        for m in mutants(path, R, share):
            if campaign.over():
                break
            for find in one(tool, m, figures):
                campaign.keep(tool, find, str(args.seed))
    campaign.add(figures)
    campaign.progress(os.path.basename(path))
