#!/usr/bin/env python3
"""explained.py ROOT BUILD: for every rule of checker/rules.def, what `tilecheck explain` shows is so: the failing kernel is
told to break the rule (by a check, or by a run where no check reports it), the repaired one is proved, and the page that
is named exists. Prints a line a rule."""
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap

root, tilecheck = sys.argv[1], os.path.abspath(os.path.join(sys.argv[2], "tilecheck"))


def run(folder, *arguments):
    return subprocess.run([tilecheck, *arguments], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=100)


def check(folder, code):
    """The verdict of the only kernel, and what was printed."""
    with open(os.path.join(folder, "kernel.cu"), "w", encoding="utf-8") as f:
        f.write("#include <tilecheck.h>\n" + code)
    said = run(folder, "--report=report.json", "kernel.cu")
    if said.returncode not in (0, 2):
        return "exit status %d" % said.returncode, said.stdout
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as f:
        kernel, = [k for k in json.load(f)["kernels"] if not k.get("launch")]
    return kernel["verdict"], said.stdout


def launch(folder, code):
    return run(folder, "run", "kernel.cu", "--kernel=" + re.search(r"void (\w+)\(", code).group(1))


def faults(folder, rule, mode):
    text = run(folder, "explain", rule).stdout
    page = re.search(r"^More: (\S+)$", text, re.M)
    if not page or not os.path.exists(os.path.join(root, page.group(1))):
        yield "names no page that exists"
    if mode == "SHIM":
        return
    if page and page.group(1) != "docs/rules/%s.md" % rule:
        yield "names the page of another rule"
    parts = re.search(r"^Fails:\n\n(.*?)^Repaired:\n\n((?:    [^\n]*\n)*)", text, re.M | re.S)
    failing, repaired = (textwrap.dedent(part) for part in parts.groups())
    verdict, said = check(folder, failing)
    if mode == "LAUNCH" and verdict != "proved": # it is the launch that is wrong
        yield "the failing kernel is %s\n%s" % (verdict, said)
    if "[%s]" % rule not in said and mode != "LAUNCH":
        said += launch(folder, failing).stdout
    if "[%s]" % rule not in said:
        yield "the failing kernel does not fail: %s\n%s" % (verdict, said)
    verdict, said = check(folder, repaired)
    if verdict != "proved" or "[%s]" % rule in said:
        yield "the repaired kernel is %s\n%s" % (verdict, said)
    ran = launch(folder, repaired)
    if ran.returncode != 0:
        yield "the repaired kernel fails where it is run\n" + ran.stdout


wrong = 0
with open(os.path.join(root, "checker/rules.def"), encoding="utf-8") as f:
    table = re.findall(r'^TC_RULE\((TC\d{4}), ".*", (\w+)\)', f.read(), re.M)
with tempfile.TemporaryDirectory() as folder:
    for rule, mode in table:
        found = list(faults(folder, rule, mode))
        wrong += len(found)
        print(rule, "; ".join(found) or "is so")
sys.exit(1 if wrong or not table else 0)
