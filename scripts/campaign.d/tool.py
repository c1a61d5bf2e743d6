"""The programs that a campaign runs: the checker, its interpreter, the compiled simulation."""
import json
import os
import re
import subprocess

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
        """{kernel: [(rule, launch, text)…]} of the interpreter's own small launches of all kernels of a file."""
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
            return {}, 0, err
        found = {}
        for r in runs:
            found.setdefault(r["kernel"], []).extend((f["rule"], r["launch"], f["text"]) for f in r["faults"])
        return found, len(runs), err

    def interpret(self, path, kernel, launch):
        """The rules that the interpreter sees broken at a launch of the simulation's text form, or None."""
        sizes, grid, block = launch_of(launch)
        args = [self.command, "--standin", "run", path, "--kernel=" + kernel]
        args += ["--set=%s=%d" % s for s in sizes] + ["--grid=%s" % grid, "--block=%s" % block]
        status, out, err = self.run(args, 60)
        if status not in (0, 2):
            return None
        return set(re.findall(r"\[(TC\d+)\]", out + err))


def launch_of(text):
    """A launch as the simulation prints it: sizes, grid, block."""
    sizes = [(n, int(v)) for n, v in re.findall(r"(\w+)=(-?\d+)", text)]
    grid, block = re.search(r"grid (\S+)", text).group(1), re.search(r"block (\S+)", text).group(1)
    return sizes, grid, block


class Simulation:
    """A compiled file of kernels, run command by command."""

    def __init__(self, tool, text, name="sim"):
        source, self.program = tool.path(name + ".gen.cpp"), tool.path(name)
        with open(source, "w") as f:
            f.write(text)
        status, _, err = tool.run([CLANG, "-std=c++17", "-O1", "-fwrapv", "-w", "-I", HERE, source, "-o", self.program])
        if status != 0:
            raise RuntimeError("the simulation does not compile:\n" + err[:3000])
        self.tool = tool

    def ask(self, lines, timeout=200):
        """{kernel: {"runs": n, "faults": [(rule, hard, launch, where)…], "refused": bool, "span": …}} of commands."""
        status, out, err = self.tool.run([self.program], timeout, input="\n".join(lines) + "\n")
        answer = {}
        for line in out.splitlines():
            m = re.match(r"fault (\S+) (TC\d+) (hard|soft) (.*?) block (\d+,\d+,\d+ thread .*)", line)
            words = line.split()
            a = answer.setdefault(words[1] if len(words) > 1 else "", {"runs": 0, "faults": [], "refused": False, "span": None, "ended": False})
            if words[0] == "fault":
                head, where = line.rsplit(" block ", 1)
                a["faults"].append((words[2], words[3] == "hard", " ".join(head.split()[4:]), where))
            elif words[0] == "runs":
                a["runs"] += int(words[2])
            elif words[0] == "refused":
                a["refused"] = True
            elif words[0] == "span":
                a["span"] = (int(words[2]), int(words[3]))
            elif words[0] == "end":
                a["ended"] = True
        if status not in (0, None) or status is None:
            answer["status"] = status
        return answer


def witness_contents(stderr):
    """{(line, rule): [(array, index, value)…]} from the notes below errors."""
    found, key = {}, None
    for line in stderr.splitlines():
        m = re.match(r"\S+?:(\d+):\d+: error: .*\[(TC\d+)\]$", line)
        if m:
            key = (int(m.group(1)), m.group(2))
        elif key and ": note: with " in line:
            found[key] = [(a, int(i), int(v)) for a, i, v in re.findall(r"(\w+)\[(\d+)\] = (-?\d+)", line)]
            key = None
    return found
