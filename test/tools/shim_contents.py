# shim_contents.py N COMMAND…: runs the command with SEED 0 … N-1, once with facts about contents checked on the host and once by kernels. Both have
# to say the same; prints how many findings there were, and of how many kinds.
import os
import re
import subprocess
import sys

count, command = int(sys.argv[1]), sys.argv[2:]
findings, kinds = 0, set()
for seed in range(count):
    said = []
    for where in ("host", "device"):
        env = dict(os.environ, SEED=str(seed), TILECHECK_RT_CONTENTS=where)
        r = subprocess.run(command, env=env, capture_output=True, text=True)
        if r.returncode != 0:
            sys.exit("seed %d, %s: status %d\n%s" % (seed, where, r.returncode, r.stderr))
        text = r.stderr.split("tilecheck: facts about contents that were checked on the host")[0]
        said.append(re.sub(r"0x[0-9a-f]+", "ADDRESS", text))
    if said[0] != said[1]:
        sys.exit("seed %d: the host says\n%s\nand the device\n%s" % (seed, said[0], said[1]))
    lines = re.findall(r"'(facts_\w+)' is launched though '(.*)' \(", said[0])
    findings += len(lines)
    kinds |= set(lines)
print("%d seeds: the same; %d findings, %d kinds" % (count, findings, len(kinds)))
