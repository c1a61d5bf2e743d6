#!/usr/bin/env python3
"""hints.py TILECHECK FILE [OPTION…]: does what the hints say, and prints whether it decides.

For each obligation that is unknown or violated and has a hint that names a fact or an attribute, the source is changed accordingly (that
kernel alone) and checked again: "KERNEL RULE@LINE: HINT -> VERDICT". Hints that only say what a question hangs on are printed with
"-> not tried".
"""
import json
import os
import re
import subprocess
import sys
import tempfile

tool, path, options = sys.argv[1], sys.argv[2], sys.argv[3:]
source = open(path, encoding="utf-8").read()


def check(text, folder):
    file, report = os.path.join(folder, "hints.cu"), os.path.join(folder, "hints.json")
    with open(file, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run([tool, "--report=" + report, *options, file, "--", "-ferror-limit=0"], capture_output=True, text=True)
    if run.returncode not in (0, 2):
        sys.exit(text + run.stdout + run.stderr)
    return json.load(open(report, encoding="utf-8"))["kernels"]


def changed(kernel, hint):
    """The source with what the hint says of this kernel; no line moves."""
    lines = source.split("\n")
    at = kernel["line"] - 1
    requires = re.search(r"(?:tc_requires\(|holds if )(.*?)(?:\) (?:would|with)|, with |$)", hint)
    if requires:
        lines[at] = "tc_requires(%s) %s" % (requires.group(1), lines[at])
    end = at
    while "{" not in lines[end]:
        end += 1
    for word, name in re.findall(r"(tc_range\(.*?\)|tc_injective|tc_monotone) on '(\w+)'", hint):
        head = "\n".join(lines[at:end + 1])
        head, n = re.subn(r"(const (?:\w+ )*\w+ \*(?:__restrict__ )?%s\b)" % name, word + r" \1", head)
        if n != 1:
            sys.exit("no parameter '%s' in:\n%s" % (name, head))
        lines[at:end + 1] = head.split("\n")
    for word, line in re.findall(r"(tc_invariant\(.*\)) first in the body of the loop at line (\d+)", hint):
        loop = int(line) - 1
        while not lines[loop].rstrip().endswith("{"):
            loop += 1
        lines[loop] += " %s;" % word
    return "\n".join(alone(lines, at))


def alone(lines, at):
    """The kernel around line `at` without the others: each ends with a } in the first column."""
    ends = [-1] + [i for i, line in enumerate(lines) if line.startswith("}")] + [len(lines)]
    first = max(e for e in ends if e < at) + 1
    last = min(e for e in ends if e >= at)
    return [line if first <= i <= last or line.startswith("#") else "" for i, line in enumerate(lines)]


def verdict_of(kernels, name, ob):
    found = [o["verdict"] for k in kernels if k["name"] == name for o in k["obligations"]
             if (o["rule"], o["line"], o["column"] > 0, o.get("object")) == (ob["rule"], ob["line"], ob["column"] > 0, ob.get("object"))]
    order = ["proved", "proved-if", "unknown", "violated"]
    # What holds at sight is no obligation any more.
    return max(found, key=order.index) if found else "gone"


with tempfile.TemporaryDirectory() as folder:
    for kernel in check(source, folder):
        told = set()
        for ob in kernel["obligations"]:
            if "hint" not in ob or (ob["rule"], ob["line"], ob["hint"]) in told:
                continue
            told.add((ob["rule"], ob["line"], ob["hint"]))
            text = changed(kernel, ob["hint"])
            tried = re.search(r"would decide|holds ", ob["hint"])
            after = "not tried" if not tried else verdict_of(check(text, folder), kernel["name"], ob)
            print("%s %s@%d %s: %s -> %s" % (kernel["name"], ob["rule"], ob["line"], ob["verdict"], ob["hint"], after))
