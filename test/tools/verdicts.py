#!/usr/bin/env python3
"""verdicts.py TILECHECK FILE [OPTION…]: prints "kernel NAME VERDICT" for each kernel of the report, and below it
"assumption LINE TEXT" for each assumption.

A proof that leans on an assumption of the source (they are listed in the report) is shown as "assumed".
"""
import json
import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    report = os.path.join(folder, "report.json")
    run = subprocess.run([sys.argv[1], "--report=" + report] + sys.argv[2:], capture_output=True, text=True)
    if run.returncode not in (0, 2):
        sys.stderr.write(run.stdout + run.stderr)
        sys.exit("exit status %d" % run.returncode)
    for kernel in json.load(open(report, encoding="utf-8"))["kernels"]:
        verdict = kernel["verdict"]
        if verdict == "proved" and kernel.get("assumptions"):
            verdict = "assumed"
        print("kernel", kernel["name"], verdict)
        for taken in kernel.get("assumptions", []):
            print("assumption", taken["line"], taken["text"])
