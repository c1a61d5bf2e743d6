# shim_replay.py BUILD PREFIX: runs each scenario under the shim, recorded and with a report, and compares with what replay finds.
import json
import os
import subprocess
import sys

build, prefix = sys.argv[1:3]
scenarios = [
    "missing_event", "with_event", "read_early", "read_late", "free_elsewhere", "free_there", "pinned_freed", "managed_freed",
    "registered", "set_and_kernel", "atomics", "alias", "small", "precondition", "failed_launch", "rows", "halves", "packed",
    "extended", "untracked", "unloaded", "pitched", "pageable", "batch", "peers", "per_thread", "mapped", "waits_for_value",
    "captured", "built", "cloned", "graph_events", "sync_in_capture", "pool", "explicit_loans", "twice", "context_ends", "calls",
]
variants = ["", "OVERLAP", "SAME", "EARLY", "LOOSE", "WRONG"]


def key(finding):
    before = finding.get("before", {})
    return (finding["rule"], finding["event"], finding["text"], before.get("event"), finding.get("buffer", {}).get("event"))


failed = compared = found = 0
for scenario in scenarios:
    for variant in variants:
        trace, report = prefix + ".jsonl", prefix + ".report"
        env = dict(os.environ, LD_LIBRARY_PATH=build + "/fake", TILECHECK_RT_CUPTI=build + "/fake/libcupti.so.13", TILECHECK_RT_STACKS="0",
                   CUDA_INJECTION64_PATH=build + "/libtilecheck-rt.so", TILECHECK_RT_TRACE=trace, TILECHECK_RT_REPORT=report)
        if variant:
            env[variant] = "1"
        subprocess.run([build + "/fake/program", scenario], env=env, capture_output=True, check=True)
        live = [key(json.loads(line)) for line in open(report)]
        again = subprocess.run([build + "/tilecheck", "replay", "--json", trace], capture_output=True, text=True)
        replayed = [key(f) for f in json.loads(again.stdout)]
        compared += 1
        found += len(live)
        if live != replayed:
            failed += 1
            print("%s %s: live %s, replayed %s" % (scenario, variant, live, replayed))
print("%d runs, %d findings, %d differ" % (compared, found, failed))
sys.exit(failed != 0 or found < 50)
