# shim_memory.py BUILD CONTRACTS: programs that do nothing wrong, with one or all of the shim's allocations failing from some point on.
# They end as they would, and no failed allocation makes a finding.
import os
import subprocess
import sys

build, contracts = sys.argv[1:3]
assert os.path.exists(build + "/fail_malloc.so")
runs = said = 0
for scenario in ["with_event", "built", "pool", "captured", "rows", "pitched"]:
    for count in [1, 1000000]:
        for at in list(range(1, 60)) if count == 1 else list(range(1, 60, 4)):
            env = dict(os.environ, LD_LIBRARY_PATH=build + "/fake", TILECHECK_RT_CUPTI=build + "/fake/libcupti.so.13",
                       CUDA_INJECTION64_PATH=build + "/libtilecheck-rt.so", TILECHECK_RT_CONTRACTS=contracts, FAIL_AT=str(at),
                       FAIL_COUNT=str(count), LD_PRELOAD=build + "/fail_malloc.so", TILECHECK_RT_STACKS="0")
            r = subprocess.run([build + "/fake/program", scenario], env=env, capture_output=True, text=True)
            runs += 1
            said += r.stderr != ""
            if r.returncode != 0 or "[TC" in r.stderr:
                print("%s, allocation %d (%d): status %d\n%s" % (scenario, at, count, r.returncode, r.stderr))
                sys.exit(1)
print("%d runs, %d with a message" % (runs, said))
