# mangled.py TILECHECK FILE…: `tilecheck contracts` of each file cut short and with bytes changed, a few hundred times: it may print or
# complain, but ends with status 0 or 1.
import os
import random
import subprocess
import sys
import tempfile


def variants(data, rng):
    for _ in range(60):
        yield data[: rng.randrange(len(data))]
    for _ in range(140):
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 5)):
            # Headers and tables are what is read; most of a file is not.
            at = rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(min(len(data), 400))
            changed[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        yield bytes(changed)


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    for name in files:
        with open(name, "rb") as f:
            data = f.read()
        rng = random.Random(name)
        bad = 0
        for i, v in enumerate(variants(data, rng)):
            with tempfile.NamedTemporaryFile() as f:
                f.write(v)
                f.flush()
                r = subprocess.run([tool, "contracts", f.name], capture_output=True, timeout=20)
                if r.returncode not in (0, 1) or b"Sanitizer" in r.stderr:
                    bad += 1
                    print("%s: variant %d: status %d: %s" % (name, i, r.returncode, r.stderr[-300:]))
        print("%s: %s" % (name, "all of them end well" if not bad else "%d do not" % bad))


main()
