#!/usr/bin/env python3
"""launches.py TILECHECK FILE [options]: one line a launch, as the report has it.

    FUNCTION KERNEL line N: VERDICT, TC4001 VERDICT, TC4002 VERDICT, TC4003 VERDICT

With --texts also, below each rule that is not proved, what the report says of it and the values. Exit status: the command's.
"""
import json
import os
import subprocess
import sys
import tempfile


def main():
    tool, *options = [a for a in sys.argv[1:] if a != "--texts"]
    texts = "--texts" in sys.argv
    folder = tempfile.mkdtemp(prefix="launches-")
    path = os.path.join(folder, "report.json")
    run = subprocess.run([tool, "--report=" + path] + options, capture_output=True, text=True)
    try:
        for s in json.load(open(path, encoding="utf-8")).get("launches", []):
            rules = ", ".join("%s %s" % (r["rule"], r["verdict"]) for r in s["rules"])
            print("%s %s line %d: %s, %s" % (s["function"], s["kernel"], s["line"], s["verdict"], rules))
            for r in s["rules"] if texts else []:
                if r["verdict"] != "proved":
                    print("  %s: %s" % (r["rule"], r["text"]))
                    if "values" in r:
                        print("  " + ", ".join("%s = %d" % v for v in r["values"].items()))
    except OSError:
        print(run.stderr)
    for line in run.stderr.split("\n"):
        if ": error: " in line or ": warning: " in line or line.startswith("tilecheck: "):
            print(line[line.find(": error: ") + 2 if ": error: " in line else line.find(": warning: ") + 2 if ": warning: " in line else 0:])
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
