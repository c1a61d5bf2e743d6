#!/usr/bin/env python3
"""unanswered.py BUILD [--nosearch] FILE…: checks the files while Z3 answers each question with unknown.

Each kernel must be unknown, with a reason, or have the verdict that it has otherwise: what the file's own CHECK lines say
("kernel NAME VERDICT", with its RUN line's --rules), violated below a folder named broken, proved elsewhere. A proof may come
only of a rung that does not ask, a violation only with what a run showed, and no check may break off. Prints how many kernels
have which verdict.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

WITHOUT_Z3 = ("normal-form", "interval", "enumerated", "none")
SECONDS = 120  # for one file


def expected(text, folder):
    """(options, NAME -> what its verdict has to match; None: any kernel)"""
    rules = re.search(r"RUN:.*?(--rules=\S+)", text)
    lines = re.findall(r"^\s*// CHECK: kernel (\w+) (.+)$", text, re.M)
    if not lines:
        return [], {None: "violated" if folder == "broken" else "proved"}
    return [rules.group(1)] if rules else [], {name: re.sub(r"\{\{(.*?)\}\}", r"(\1)", what) for name, what in lines}


def faults(kernel, wanted):
    verdict = kernel["verdict"]
    if verdict == "proved" and kernel.get("assumptions"):
        verdict = "assumed"
    what = wanted.get(kernel["name"], wanted.get(None))
    # A jump of Clang's own that is not shown to be impossible is listed among the assumptions.
    allowed = [verdict, "proved"] if verdict == "assumed" else [verdict]
    if verdict != "unknown" and what and not any(re.fullmatch(what, v) for v in allowed):
        yield "is %s, with answers %s" % (verdict, what)
    reasons = [ob.get("reason") for ob in kernel["obligations"] if ob["verdict"] == "unknown"]
    if kernel["verdict"] == "unknown" and not reasons:
        yield "is unknown for no obligation"
    if not all(reasons):
        yield "has an unknown without a reason"
    for reason in reasons:
        if reason and "internal error" in reason:
            yield reason
    for ob in kernel["obligations"]:
        if ob["verdict"] in ("proved", "proved-if") and ob.get("rung", "none") not in WITHOUT_Z3:
            yield "%s at line %d is proved by %s" % (ob["rule"], ob["line"], ob["rung"])
        if ob["verdict"] == "violated" and not ob.get("counterexample"):
            yield "%s at line %d is violated without a run" % (ob["rule"], ob["line"])


def main():
    build, always = sys.argv[1], [word for word in sys.argv[2:] if word.startswith("--")]
    files = [word for word in sys.argv[2:] if not word.startswith("--")]
    preload = [os.environ.get("TC_ASAN_RUNTIME"), os.path.join(os.path.abspath(build), "z3_unanswered.so")]
    environment = dict(os.environ, LD_PRELOAD=":".join(p for p in preload if p))
    count, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        for path in files:
            with open(path, encoding="utf-8") as f:
                options, wanted = expected(f.read(), os.path.basename(os.path.dirname(path)))
            command = [os.path.join(build, "tilecheck"), "--standin", "-j1", "--report=" + report, path]
            run = subprocess.run(command + always + options,
                                 env=environment, capture_output=True, text=True, timeout=SECONDS)
            if run.returncode not in (0, 2):
                sys.exit("%s: exit status %d\n%s%s" % (path, run.returncode, run.stdout, run.stderr))
            with open(report, encoding="utf-8") as f:
                kernels = json.load(f)["kernels"]
            count.update(k["verdict"] for k in kernels)
            told = [(k["name"], fault) for k in kernels for fault in faults(k, wanted)]
            if (run.returncode == 2) != (" error: " in run.stdout + run.stderr):
                told.append(("exit status", "is %d" % run.returncode))
            for name, fault in told:
                print("%s: %s %s" % (path, name, fault))
            wrong += len(told)
    for verdict, n in sorted(count.items()):
        print("%s: %d" % (verdict, n))
    sys.exit(wrong > 0)


main()
