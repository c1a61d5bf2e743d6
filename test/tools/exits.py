#!/usr/bin/env python3
"""exits.py CODE[,CODE…] COMMAND…: runs the command and fails unless it ends with one of these codes."""
import subprocess
import sys

wanted = [int(code) for code in sys.argv[1].split(",")]
status = subprocess.run(sys.argv[2:]).returncode
if status not in wanted:
    sys.stderr.write("exit status %d, expected %s: %s\n" % (status, sys.argv[1], " ".join(sys.argv[2:])))
    sys.exit(1)
