#!/usr/bin/env python3
"""litmus.py TILECHECK FILE: litmus tests of the memory model. What the interpreter and the prover say of each kernel, set against what the
memory model says.

A kernel's outcome stands in a comment of the file:

    // LITMUS name: race-free. Why, and where it is from
    // LITMUS name: racy. …
    // LITMUS name: racy, not seen by a run. …         in no interleaving of the threads does it happen: a weak behaviour

Of what is race-free no run may show a fault, and the prover may prove it or not know, and not call it violated. Of what is racy a run
shows it, and the prover may not prove it. Prints a line for each kernel; ends with status 1 where one of these is not so, a kernel
has no outcome, or an outcome no kernel.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

OUTCOME = re.compile(r"^// LITMUS (\w+): (race-free|racy)(, not seen by a run)?\.", re.M)
RACES = ("TC1001", "TC1002", "TC1006", "TC3001", "TC3003")


def main():
    tilecheck, path = sys.argv[1:]
    with open(path) as f:
        expected = {m[1]: (m[2], m[3] is None) for m in OUTCOME.finditer(f.read())}
    with tempfile.TemporaryDirectory() as folder:
        report, runs = os.path.join(folder, "report.json"), os.path.join(folder, "runs.json")
        subprocess.run([tilecheck, "--standin", "--report=" + report, path], stderr=subprocess.DEVNULL)
        subprocess.run([tilecheck, "run", "--standin", path, "--kernel=*", "--report=" + runs], stderr=subprocess.DEVNULL)
        with open(report) as f:
            verdicts = {k["name"]: k["verdict"] for k in json.load(f)["kernels"]}
        faults, complete = {}, set()
        with open(runs) as f:
            for r in json.load(f)["runs"]:
                faults.setdefault(r["kernel"], set()).update(x["rule"] for x in r["faults"])
                if r["complete"]:
                    complete.add(r["kernel"])
    bad = 0
    for name in list(verdicts) + [n for n in expected if n not in verdicts]:
        outcome, seen = expected.get(name, ("of no outcome", False))
        verdict, rules = verdicts.get(name, "not there"), sorted(faults.get(name, ()))
        raced = [r for r in rules if r in RACES]
        if outcome == "racy":
            well = verdict in ("violated", "unknown") and (bool(raced) or not seen)
        else:
            well = outcome == "race-free" and verdict in ("proved", "proved-if", "unknown") and not rules
        well = well and name in complete
        bad += not well
        print("%-28s %-9s run: %-14s prover: %s%s" % (name, outcome, " ".join(rules) or "no fault", verdict, "" if well else "   <- WRONG"))
    print("%d kernels, %d wrong" % (len(verdicts), bad))
    return 1 if bad or not verdicts else 0


sys.exit(main())
