"""The programs that a campaign runs: the checker, its interpreter, the compiled simulation."""
import json
import os
import re
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CLANG = "clang++-22"


class Tool:
    def __init__(self, build, folder, timeout=300):
        self.build, self.folder, self.timeout = build, folder, timeout
        self.command = os.path.join(build, "tilecheck")

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, args, timeout=None, **more):
        """(exit status, stdout, stderr); the status is None after the time limit."""
        try:
            r = subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=timeout or self.timeout, **more)
            return r.returncode, r.stdout, r.stderr
        except subprocess.TimeoutExpired as e:
            texts = [(s or b"").decode(errors="replace") if isinstance(s, bytes) or s is None else s for s in (e.stdout, e.stderr)]
            return None, texts[0], texts[1]

    def check(self, text, name="check", options=(), timeout=None):
        """(status, report or None, stderr) of the checker on a file with this text."""
        path, report = self.path(name + ".cu"), self.path(name + ".json")
        with open(path, "w") as f:
            f.write(text)
        if os.path.exists(report):
            os.remove(report)
        status, _, err = self.run([self.command, "--standin", "-j1", "--report=" + report, *options, path, "--", "-ferror-limit=0"], timeout)
        try:
            return status, json.load(open(report)), err
        except (OSError, ValueError):
            return status, None, err

    def sweep(self, path):
        """The interpreter's own small launches of all kernels of a file: {kernel: [(rule, launch, text)…]} of what is wrong,
        {kernel: number of launches}, stderr."""
        report = self.path("sweep.json")
        std = os.path.join(ROOT, "resources/standin")
        plug = ["run=*", "report=" + report]
        if os.path.exists(report):
            os.remove(report)
        status, _, err = self.run([CLANG, "-x", "cuda", "--cuda-gpu-arch=sm_90", "--cuda-device-only", "-fsyntax-only", "-std=c++17",
                                   "-Wno-unknown-cuda-version", "-nocudainc", "-nocudalib", "-I", os.path.join(ROOT, "include"), "-isystem",
                                   std, "-include", os.path.join(std, "tilecheck_cuda.h"),
                                   "-fplugin=" + os.path.join(self.build, "tilecheck.so")]
                                  + ["-fplugin-arg-tilecheck-" + p for p in plug] + [path])
        try:
            runs = json.load(open(report))["runs"]
        except (OSError, ValueError, KeyError):
            return {}, {}, err
        found, count = {}, {}
        for r in runs:
            found.setdefault(r["kernel"], []).extend((f["rule"], r["launch"], f["text"]) for f in r["faults"])
            count[r["kernel"]] = count.get(r["kernel"], 0) + 1
        return found, count, err

    def interpret(self, text, k, launch):
        """The rules that the interpreter sees broken at a launch of the simulation's text form, or None."""
        sizes, grid, block = launch_of(launch)
        path = self.path("interpret.cu")
        with open(path, "w") as f:
            f.write(text)
        args = [self.command, "--standin", "run", path, "--kernel=" + k.name]
        args += ["--set=%s%s=%d" % ("a_." if k.packed else "", n, v) for n, v in sizes] + ["--grid=%s" % grid, "--block=%s" % block]
        status, out, err = self.run(args, 60)
        if status not in (0, 2):
            return None
        return set(re.findall(r"\[(TC\d+)\]", out + err))


def launch_of(text):
    """A launch as the simulation prints it: sizes, grid, block."""
    sizes = [(n, int(v)) for n, v in re.findall(r"(\w+)=(-?\d+)", text)]
    grid, block = re.search(r"grid (\S+)", text).group(1), re.search(r"block (\S+)", text).group(1)
    return sizes, grid, block


SIMULATION = ["sim_read.c", "sim_memory.c", "sim_eval.c", "sim_run.c"]
BUILDING = threading.Lock()


def build_simulation(build):
    """The simulation's program, compiled again where its sources are newer."""
    program = os.path.join(build, "campaign-simulation")
    sources = [os.path.join(HERE, f) for f in SIMULATION]
    newest = max(os.path.getmtime(f) for f in sources + [os.path.join(HERE, "sim.h")])
    with BUILDING:
        if not os.path.exists(program) or os.path.getmtime(program) < newest:
            new = "%s.%d" % (program, os.getpid())
            subprocess.run(["clang-22", "-std=c11", "-O2", *sources, "-o", new], check=True)
            os.rename(new, program)
    return program


class Simulation:
    """Kernels that are run command by command."""

    def __init__(self, tool, text):
        self.tool, self.text = tool, text

    def ask(self, lines, timeout=200):
        """{kernel: {"runs": n, "cover": (met, all), "faults": [(rule, hard, launch, where)…], "refused": …}} of commands. cut: some thread of
        the launch did not come to its end."""
        status, out, err = self.tool.run([build_simulation(self.tool.build)], timeout, input=self.text + "\n".join(lines) + "\n")
        answer = {}
        for line in out.splitlines():
            words = line.split()
            a = answer.setdefault(words[1] if len(words) > 1 else "", {"runs": 0, "cover": (0, 0), "faults": [], "refused": False, "cut": False, "span": None, "ended": False})
            if words[0] == "fault":
                head, where = line.rsplit(" block ", 1)
                a["faults"].append((words[2], words[3] == "hard", " ".join(head.split()[4:]), where))
            elif words[0] == "runs":
                a["runs"] += int(words[2])
            elif words[0] in ("refused", "cut"):
                a[words[0]] = True
            elif words[0] == "cover":
                a["cover"] = (int(words[2]), int(words[3]))
            elif words[0] == "span":
                a["span"] = (int(words[2]), int(words[3]))
            elif words[0] == "end":
                a["ended"] = True
        if status != 0:
            answer["status"] = "%s: %s" % (status, err[:500])
        return answer


def contents_of(counterexample):
    """[(array, index, value)…]; what has more than one index is left out."""
    named = [(re.fullmatch(r"([\w.]+)\[(\d+)\]", name), value) for name, value in counterexample.get("contents", {}).items()]
    return [(m.group(1), int(m.group(2)), value) for m, value in named if m]
