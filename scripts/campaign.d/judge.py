"""What a campaign makes of the checker's answers: each proof against the simulation and the interpreter, each counterexample
against the simulation."""
import re

import kernel as K
from tool import Simulation, contents_of

JUDGED = {"TC0000", "TC1001", "TC1002", "TC1004", "TC1005", "TC1006", "TC2001", "TC2002", "TC2004", "TC2005"}
REPLAYED = JUDGED - {"TC1005", "TC0000"}  # a fault of the contract has no access to replay
WORK = 200000                   # steps of the simulation for a kernel


class Find:
    def __init__(self, kind, kernel, rule, text, launch=""):
        self.kind, self.kernel, self.rule, self.text, self.launch = kind, kernel, rule, text, launch


def plain(name):
    """The name of a parameter that may be the field of a struct."""
    return name.split(".")[-1]


def command_of(k, cx, elements):
    """The simulation's command that runs the launch of a counterexample."""
    index = {("a_." if k.packed else "") + p.name: i for i, p in enumerate(k.params)}
    given = [(index[a], i, v) for a, i, v in elements if a in index]
    sizes = {plain(n): v for n, v in cx["sizes"].items()}
    blocks = [t["block"] for t in cx["threads"]]
    words = ["run", k.name, 400000] + cx["grid"] + cx["block"] + [len(k.scalars)] + [sizes.get(n, 0) for _, n in k.scalars]
    words += [len(given)] + [x for g in given for x in g] + [len(blocks)] + [x for b in blocks for x in b]
    return " ".join(map(str, words))


def compile_errors(err, text):
    """Names of the kernels in which Clang reports errors of its own."""
    starts = [(text[:m.start()].count("\n") + 1, m.group(1)) for m in re.finditer(r"__global__ void (\w+)\(", text)]
    bad = set()
    for line in re.findall(r"\.cu:(\d+):\d+: error: (?!.*\[TC\d+\]$)", err):
        names = [n for at, n in starts if at <= int(line) + 1]
        if names:
            bad.add(names[-1])
    return bad


def count_verdict(figures, v):
    figures[{"proved": "proved", "proved-if": "proved-if", "violated": "violated"}.get(v, "unknown")] += 1


def check_kernels(tool, kernels, figures, name="check", options=()):
    """[(kernel, its report)…] and the finds of the checker alone."""
    finds = []
    while kernels:
        text = K.cu_file(kernels)
        status, report, err = tool.check(text, name, options, timeout=57 + 3 * len(kernels))
        if status == 3:
            bad = compile_errors(err, text)
            if not bad:
                return [], [Find("crash", kernels[0], "", "the file does not compile: " + err[:2000])]
            figures["not C"] += len(bad)
            kernels = [k for k in kernels if k.name not in bad]
            continue
        if status in (0, 2) and report:
            break
        if len(kernels) > 1:  # which kernel is it?
            half = len(kernels) // 2
            out, finds = check_kernels(tool, kernels[:half], figures, name, options)
            more, found = check_kernels(tool, kernels[half:], figures, name, options)
            return out + more, finds + found
        if status is None:
            figures["timeouts"] += 1
            return [], [Find("timeout", kernels[0], "", "no answer in time")]
        figures["crashes"] += 1
        return [], [Find("crash", kernels[0], "", "exit status %s: %s" % (status, err[-2000:]))]
    if not kernels:
        return [], finds
    by_name = {r["name"]: r for r in report["kernels"]}
    out = []
    for k in kernels:
        r = by_name.get(k.name)
        if r is None:
            continue
        count_verdict(figures, r["verdict"])
        blame = [ob for ob in r["obligations"] if "internal error" in ob.get("reason", "")]
        if blame or "internal error" in r.get("note", ""):
            figures["internal errors"] += 1
            finds.append(Find("internal", k, blame[0]["rule"] if blame else "", blame[0]["reason"] if blame else r["note"]))
        out.append((k, r))
    if "internal error" in err and not any(f.kind == "internal" for f in finds):
        figures["internal errors"] += 1
        finds.append(Find("internal", kernels[0], "", "\n".join(l for l in err.splitlines() if "internal error" in l)))
    return out, finds


def preconditions(r):
    """Trees of the inferred preconditions, or None where one is not understood."""
    trees = []
    for text in r["preconditions"]:
        if "align" in text or "address" in text:
            continue
        tree = K.precondition(text)
        if tree is None:
            return None
        trees.append(tree)
    return trees


def is_proved(r):
    return r["verdict"] in ("proved", "proved-if")


def replayable(r):
    return [ob for ob in r["obligations"] if ob["verdict"] == "violated" and ob["rule"] in REPLAYED and "counterexample" in ob]


def sizes_line(k, launch):
    """The simulation's command for a launch of the interpreter's sweep."""
    sizes = {plain(n): v for n, v in launch["scalars"].items()}
    words = ["run", k.name, 400000] + launch["grid"] + launch["block"] + [len(k.scalars)] + [sizes.get(n, 0) for _, n in k.scalars]
    return " ".join(map(str, words + [0, 0]))


def is_limit(rule, hard, where):
    """Is the fault of a kind that the checker does not claim to see? where: the simulation's words."""
    return not hard and rule == "TC2002"


def refutation(tool, sim, k, r, faults, swept):
    """A find if one of the faults of the simulation, or of the interpreter's own sweep, contradicts the proof. It is contested where
    only a changed value is at stake, which may have had no effect (TC2002), and no other rule is broken in any of the launches."""
    contested = None
    for rule, hard, launch, where in faults:
        if rule not in JUDGED:
            continue
        seen = tool.interpret(K.cu_file([k]), k, launch)
        if not hard and not (seen and rule in seen):
            continue
        others = sorted(x for x in seen or () if x in JUDGED and x not in ("TC2002", rule))
        soft = not others and is_limit(rule, hard, where)
        find = Find("contested" if soft else "unsound", k, others[0] if others and rule == "TC2002" else rule,
                    "%s at %s, block %s; the interpreter %s" % (
                        rule, launch, where, "could not run it" if seen is None else "sees " + (", ".join(sorted(seen)) or "nothing")), launch)
        if not soft:
            return find
        contested = contested or find
    for rule, launch, text in swept:
        if rule in JUDGED and not r["preconditions"]:
            kind = "unsound"
            if rule == "TC2002":
                again = sim.ask([sizes_line(k, launch)]).get(k.name, {"faults": []})
                same = [(hard, where) for fault, hard, _, where in again["faults"] if fault == rule]
                kind = "contested" if all(is_limit(rule, *s) for s in same) else "unsound"
            find = Find(kind, k, rule, "%s in the interpreter alone, at %s: %s" % (rule, launch, text))
            if kind == "unsound":
                return find
            contested = contested or find
    return contested


def breaks_values(k, rule, where):
    """After an overflow, a division by zero, or a load from beyond an array of the kernel's own the launch is broken anyway: what
    follows hangs on values that are not told."""
    return rule in ("TC2002", "TC2004") or (rule == "TC2001" and array_of(where) not in [p.name for p in k.params])


def array_of(where):
    return where.split(" : ")[-1].split()[0]


def is_about(ob, rule, where):
    """Of an element that several blocks write the simulation knows the last one only: who reads it may have written it, too."""
    return rule == ob["rule"] or (ob["rule"] == "TC1002" and rule == "TC1001" and array_of(where) == plain(ob.get("object", "")))


def shows(k, ob, one):
    return not one["refused"] and any(is_about(ob, rule, where) or (hard and breaks_values(k, rule, where)) for rule, hard, _, where in one["faults"])


def counters_at_zero(k):
    """The first elements of what is for atomic operations only, of which a counterexample does not tell how they begin."""
    return [(p.name, i, 0) for p in k.params if p.kind == "atomic" for i in range(4)]


def false_counterexample(k, r, sim, figures):
    """A find if the simulation does not see what a counterexample shows."""
    for ob in replayable(r):
        cx, told = ob["counterexample"], contents_of(ob["counterexample"])
        one = sim.ask([command_of(k, cx, told)]).get(k.name)
        figures["replays"] += 1
        if not one or not one["ended"]:
            continue
        zero = counters_at_zero(k)
        if not shows(k, ob, one) and zero:
            again = sim.ask([command_of(k, cx, told + zero)]).get(k.name)
            one = again if again and again["ended"] and not again["refused"] else one
        if shows(k, ob, one):
            continue
        if one["cut"] and not any(hard for _, hard, *_ in one["faults"]):
            figures["replays cut short"] += 1
            continue
        if one["refused"] and any("stride" in p.words for p in k.params):
            continue  # strides below zero, which the simulation does not know
        return Find("false", k, ob["rule"], "%s at line %d, %s: the simulation %s" % (
            ob["rule"], ob["line"], {x: cx[x] for x in ("sizes", "grid", "block", "threads")},
            "is not allowed that launch" if one["refused"] else "sees " + (", ".join(sorted({f[0] for f in one["faults"]})) or "nothing")))
    return None


def count_launches(figures, a, runs):
    """What a proof was set against."""
    figures["proofs swept"] += 1
    figures["proofs never run"] += a["runs"] == 0
    figures["launches"] += a["runs"]
    figures["launches of the interpreter"] += runs
    figures["conditions of proofs"] += a["cover"][1]
    figures["conditions of proofs met"] += a["cover"][0]


def judge(tool, checked, figures, seed, name="check"):
    """The finds among kernels that the checker gave a verdict on."""
    finds, pre, swept_too = [], {}, []
    for k, r in checked:
        if is_proved(r):
            p = preconditions(r)
            if p is None:
                figures["preconditions not understood"] += 1
            else:
                pre[k.name] = p
        elif replayable(r):
            swept_too.append(k)
    proved = [(k, r) for k, r in checked if k.name in pre]
    if not proved and not swept_too:
        return finds
    simulated = [k for k, _ in proved] + swept_too
    sim = Simulation(tool, K.sim_text(simulated, pre))
    answers = sim.ask(["sweep %s %d %d" % (k.name, WORK, seed) for k in simulated])
    if "status" in answers:
        raise RuntimeError("the simulation ended with status %s" % answers["status"])
    if proved:
        path = tool.path(name + "-proved.cu")
        with open(path, "w") as f:
            f.write(K.cu_file([k for k, _ in proved]))
        swept, runs, _ = tool.sweep(path)
        for k, r in proved:
            a = answers[k.name]
            count_launches(figures, a, runs.get(k.name, 0))
            find = refutation(tool, sim, k, r, a["faults"], swept.get(k.name, []))
            finds += [find] if find else []
    for k, r in checked:
        if k not in swept_too:
            continue
        # How much does the sweep see by itself? It says what a silent sweep of a proof is worth.
        figures["violated, swept too"] += 1
        figures["violated, seen by the sweep too"] += any(rule in JUDGED for rule, *_ in answers[k.name]["faults"])
        find = false_counterexample(k, r, sim, figures)
        finds += [find] if find else []
    figures["contested overflows"] += sum(f.kind == "contested" for f in finds)
    figures["unsound"] += sum(f.kind == "unsound" for f in finds)
    figures["false violations"] += sum(f.kind == "false" for f in finds)
    return finds
