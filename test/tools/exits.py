#!/usr/bin/env python3
"""exits.py CODE[,CODE…] COMMAND…: runs the command and fails unless it ends, within five minutes, with one of these
codes."""
import subprocess
import sys

wanted = [int(code) for code in sys.argv[1].split(",")]
try:
    status = subprocess.run(sys.argv[2:], timeout=300).returncode
except subprocess.TimeoutExpired:
    sys.exit("still running after five minutes: " + " ".join(sys.argv[2:]))
if status not in wanted:
    sys.stderr.write("exit status %d, expected %s: %s\n" % (status, sys.argv[1], " ".join(sys.argv[2:])))
    sys.exit(1)
