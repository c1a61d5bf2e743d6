#!/usr/bin/env python3
"""count-results.py UNIT.xml LIT.json: adds up what ctest and lit ran; prints "N passed, N failed" as the last line.

What a machine lacks (a CUDA toolkit, say) is skipped, and counts as neither. Exit status 0 when nothing failed and
something passed.
"""
import json
import os
import sys
import xml.etree.ElementTree

passed = failed = skipped = 0
unit, lit = sys.argv[1:]
if os.path.exists(unit):
    for case in xml.etree.ElementTree.parse(unit).getroot().iter("testcase"):
        status = case.get("status")
        if case.find("failure") is not None or status == "fail":
            failed += 1
        elif case.find("skipped") is not None or status in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
else:
    print("no results of the unit tests")
    failed += 1
if os.path.exists(lit):
    for test in json.load(open(lit, encoding="utf-8"))["tests"]:
        code = test["code"]
        if code in ("PASS", "XFAIL", "FLAKYPASS"):
            passed += 1
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
        else:
            failed += 1
else:
    print("no results of the command tests")
    failed += 1
if skipped:
    print("skipped: %d" % skipped)
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed or not passed else 0)
