"""What a campaign makes of the checker's answers: each proof against the simulation and the interpreter, each counterexample
against the simulation."""
import re

import kernel as K
from tool import Simulation, witness_contents

JUDGED = {"TC0000", "TC1001", "TC1002", "TC1004", "TC1005", "TC1006", "TC2001", "TC2002", "TC2004", "TC2005"}
REPLAYED = JUDGED - {"TC1005", "TC0000"}  # a fault of the contract has no access to replay
WORK = 1500000                  # steps of the simulation for a kernel


class Find:
    def __init__(self, kind, kernel, rule, text, launch=""):
        self.kind, self.kernel, self.rule, self.text, self.launch = kind, kernel, rule, text, launch


def command_of(k, cx, elements):
    """The simulation's command that runs the launch of a counterexample."""
    index = {p.name: i for i, p in enumerate(k.params)}
    given = [(index[a], i, v) for a, i, v in elements if a in index]
    blocks = [t["block"] for t in cx["threads"]]
    words = ["run", k.name, 400000] + cx["grid"] + cx["block"] + [len(k.scalars)] + [cx["sizes"].get(n, 0) for _, n in k.scalars]
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
    """[(kernel, its report, contents of its counterexamples, stderr)…] and the finds of the checker alone."""
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
    contents = witness_contents(err)
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
        out.append((k, r, contents))
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


def judge(tool, checked, figures, seed, sweep=True, name="check"):
    """The finds among kernels that the checker gave a verdict on."""
    finds, pre, commands, simulated = [], {}, [], []
    for k, r, contents in checked:
        if r["verdict"] in ("proved", "proved-if"):
            p = preconditions(r)
            if p is None:
                figures["preconditions not understood"] += 1
                continue
            pre[k.name] = p
            commands.append("sweep %s %d %d" % (k.name, WORK, seed))
            simulated.append(k)
        elif r["verdict"] == "violated":
            used = False
            for ob in r["obligations"]:
                if ob["verdict"] == "violated" and ob["rule"] in REPLAYED and "counterexample" in ob:
                    used = True
            if used:
                simulated.append(k)
                # How much does the sweep see by itself? It says what a silent sweep of a proof is worth.
                commands.append("sweep %s %d %d" % (k.name, WORK // 3, seed))
    if not simulated:
        return finds
    sim = Simulation(tool, K.sim_file(simulated, pre), name + "-sim")
    answers = sim.ask(commands)
    if "status" in answers:
        raise RuntimeError("the simulation ended with status %s" % answers["status"])
    path = tool.path(name + "-judged.cu")
    with open(path, "w") as f:
        f.write(K.cu_file([k for k, _, _ in checked]))
    swept = {}
    if sweep and commands:
        swept, runs, _ = tool.sweep(path)
        figures["runs"] += runs
    for k, r, contents in checked:
        if r["verdict"] in ("proved", "proved-if") and k.name in pre:
            a = answers.get(k.name, {"runs": 0, "faults": []})
            figures["runs"] += a["runs"]
            figures["never run"] += a["runs"] == 0
            for rule, hard, launch, where in a["faults"]:
                if rule not in JUDGED:
                    continue
                seen = tool.interpret(path, k.name, launch)
                if hard or (seen and rule in seen):
                    text = "%s at %s, block %s; the interpreter %s" % (
                        rule, launch, where, "could not run it" if seen is None else "sees " + (", ".join(sorted(seen)) or "nothing"))
                    finds.append(Find("unsound", k, rule, text, launch))
                    break
            else:
                for rule, launch, text in swept.get(k.name, []):
                    if rule in JUDGED and not r["preconditions"]:
                        finds.append(Find("unsound", k, rule, "%s in the interpreter alone, at %s: %s" % (rule, launch, text)))
                        break
        elif r["verdict"] == "violated" and k in simulated:
            figures["violated, swept too"] += 1
            figures["violated, seen by the sweep too"] += any(rule in JUDGED for rule, *_ in answers.get(k.name, {"faults": []})["faults"])
            for ob in r["obligations"]:
                if ob["verdict"] != "violated" or ob["rule"] not in REPLAYED or "counterexample" not in ob:
                    continue
                cx = ob["counterexample"]
                one = sim.ask([command_of(k, cx, contents.get((ob["line"], ob["rule"]), []))]).get(k.name)
                figures["replays"] += 1
                if not one or not one["ended"]:
                    continue
                if one["refused"] and any("stride" in p.words for p in k.params):
                    continue  # strides below zero, which the simulation does not know
                # After an overflow or a division by zero the launch is broken anyway, and what follows hangs on contents that are not told.
                if one["refused"] or not any(rule == ob["rule"] or (rule in ("TC2002", "TC2004") and hard) for rule, hard, *_ in one["faults"]):
                    text = "%s at line %d, %s: the simulation %s" % (
                        ob["rule"], ob["line"], {x: cx[x] for x in ("sizes", "grid", "block", "threads")},
                        "is not allowed that launch" if one["refused"] else "sees " + (", ".join(sorted({f[0] for f in one["faults"]})) or "nothing"))
                    finds.append(Find("false", k, ob["rule"], text))
                    break
    figures["unsound"] += sum(f.kind == "unsound" for f in finds)
    figures["false violations"] += sum(f.kind == "false" for f in finds)
    return finds
