#!/usr/bin/env python3
"""pages.py [--update] [--rule] ROOT BUILD PAGE…: what the pages say is what the tool does.

In a page each fenced block is held to what it says:

    <!-- check: VERDICT [CODE line N, …] [; with OPTION…] [; file NAME] [; launches VERDICT…] -->
    ```cuda          every kernel of the block has this verdict; violated: these are all findings; unknown: these are
                     among the obligations that are unknown. The options are for tilecheck; NAME is for console blocks.
                     A block with a launch that is violated is violated; `launches` says what all launches are.
    ```trace         <!-- check: clean -->, or <!-- check: finds CODE event N, … -->: what tilecheck replay finds in it.
    ```text          what tilecheck prints of the cuda or trace block above it; with <!-- report: tilecheck … --> before it, what
                     that command prints (FILE stands for the block).
    ```console       commands, each after "$ ", and what they print, in a folder where the project's files and the page's
                     named blocks are, and those of the folder named as the page. A line "…" stands for any lines.

A cuda block without a mark, a block of another language, and a page without a checked block are errors. Seconds may
differ, and the line that lists the rules that are not proved is left out. --rule: the page has the sections of a rule's
page. --update: writes the text blocks, and the console blocks that have no "…", anew.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SECTIONS = ["Why it matters", "Fails", "Repaired", "Other breaches", "Not a breach", "When it is unknown"]
MARK = re.compile(r"<!-- (check|report): (.*) -->$")
VERDICTS = ("proved", "proved-if", "violated", "unknown")


class Wrong(Exception):
    pass


class Block:
    def __init__(self, language, mark, start):
        self.language, self.mark, self.start = language, mark, start  # the number of the line of its fence
        self.lines = []


def blocks_of(lines):
    """The fenced blocks of a page, each with the mark in the line before its fence."""
    found, block = [], None
    for i, line in enumerate(lines):
        if block is None and line.startswith("```"):
            mark = MARK.match(lines[i - 1]) if i else None
            block = Block(line[3:].strip(), mark.groups() if mark else None, i + 1)
        elif block is not None and line.startswith("```"):
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
    if block is not None:
        raise Wrong("line %d: a block without an end" % block.start)
    return found


def plain(text):
    lines = [line.rstrip() for line in text.split("\n") if not line.startswith("tilecheck: not proved, ")]
    return "\n".join(lines).rstrip("\n").split("\n")


def normal(lines):
    """What may differ from run to run is made equal."""
    text = re.sub(r"\(\d+\.\d+ s\)", "(0.1 s)", "\n".join(lines))
    return re.sub(r"\d+ instructions", "1 instructions", text)


def parse_check(text):
    """"violated TC1001 line 8; with --all" as (verdict, {(code, line)}, options, file name or None, launches or None)."""
    first, *more = [part.strip() for part in text.split(";")]
    verdict, _, rest = first.partition(" ")
    if verdict not in VERDICTS:
        raise Wrong("there is no verdict '%s'" % verdict)
    findings = set(re.findall(r"(TC\d{4}) line (\d+)", rest))
    if re.sub(r"TC\d{4} line \d+,?\s*", "", rest + " ").strip():
        raise Wrong("not understood: '%s'" % rest)
    if (verdict in ("violated", "unknown")) != bool(findings):
        raise Wrong("'%s' names the rule and the line, and nothing else does" % verdict)
    options, name, launches = [], None, None
    for part in more:
        word, _, value = part.partition(" ")
        if word == "with":
            options = value.split()
        elif word == "file":
            name = value
        elif word == "launches":
            launches = set(value.split())
        else:
            raise Wrong("not understood: '%s'" % part)
    return verdict, {(code, int(line)) for code, line in findings}, options, name, launches


class Page:
    def __init__(self, root, build, path):
        self.root, self.build, self.path = os.path.abspath(root), os.path.abspath(build), path
        self.stem = os.path.splitext(os.path.basename(path))[0]
        self.lines = open(path, encoding="utf-8").read().split("\n")
        self.blocks = blocks_of(self.lines)
        self.folder = tempfile.mkdtemp(prefix="pages-")
        self.shown = []  # pairs of a block and what it should have said
        self.last = None  # file and options of the last cuda block
        self.checked = []  # what was asked of each cuda block

    def __enter__(self):
        for name in os.listdir(self.root):
            if name != "build":
                os.symlink(os.path.join(self.root, name), os.path.join(self.folder, name))
        os.symlink(self.build, os.path.join(self.folder, "build"))
        beside = os.path.join(os.path.dirname(os.path.abspath(self.path)), self.stem)
        if os.path.isdir(beside):
            for name in os.listdir(beside):
                shutil.copy(os.path.join(beside, name), self.folder)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def run(self, command, status=0):
        env = dict(os.environ, PATH=self.build + os.pathsep + os.environ["PATH"])
        return subprocess.run(["bash", "-c", "(exit %d); %s" % (status, command)], cwd=self.folder, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)

    def cuda(self, block):
        if not block.mark or block.mark[0] != "check":
            raise Wrong("a cuda block that nothing says how to check")
        verdict, findings, options, name, wanted = parse_check(block.mark[1])
        name = name or self.stem + ".cu"
        if not block.lines or block.lines[0] != "#include <tilecheck.h>":
            raise Wrong("a kernel stands by itself: its first line is #include <tilecheck.h>")
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write("\n".join(block.lines) + "\n")
        self.last = name, options
        command = "tilecheck --report=report.json %s %s" % (" ".join(options), name)
        run = self.run(command)
        if run.returncode not in (0, 2):
            raise Wrong("exit status %d\n%s" % (run.returncode, run.stdout))
        report = json.load(open(os.path.join(self.folder, "report.json"), encoding="utf-8"))
        kernels = [k for k in report["kernels"] if not k.get("launch")]  # launches: below
        seen = {(o["rule"], o["line"]) for k in kernels for o in k["obligations"] if o["verdict"] == verdict}
        found = {k["verdict"] for k in kernels}
        broken = self.launches(report, verdict, wanted, run.stdout)
        if broken: # the kernels are right, each of them
            seen, found = seen | broken, found - {"proved", "proved-if"} | {"violated"}
        if found != {verdict}:
            raise Wrong("%s, not %s\n%s" % (" and ".join(sorted(found)) or "no kernel", verdict, run.stdout))
        if (verdict == "violated" and seen != findings) or (verdict == "unknown" and not findings <= seen):
            raise Wrong("%s of %s, not of %s\n%s" % (verdict, sorted(seen), sorted(findings), run.stdout))
        self.checked.append((verdict, findings))

    def trace(self, block):
        if not block.mark or block.mark[0] != "check":
            raise Wrong("a trace that nothing says how to check")
        name = self.stem + ".trace"
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write("\n".join(block.lines) + "\n")
        self.last = name, ["replay"]
        run = self.run("tilecheck replay --json %s 2>/dev/null" % name)
        if run.returncode not in (0, 2):
            raise Wrong("exit status %d\n%s" % (run.returncode, run.stdout))
        seen = {(f["rule"], f["event"]) for f in json.loads(run.stdout)}
        findings = {(code, int(event)) for code, event in re.findall(r"(TC\d{4}) event (\d+)", block.mark[1])}
        if not re.fullmatch(r"clean|finds( TC\d{4} event \d+,?)+", block.mark[1]) or seen != findings:
            raise Wrong("'%s', and replay finds %s" % (block.mark[1], sorted(seen) or "nothing"))
        self.checked.append(("violated" if findings else "proved", findings))

    def launches(self, report, block_verdict, wanted, printed):
        """What the block's launch sites are; a violated one makes the whole block violated. Returns its findings."""
        found = report.get("launches", [])
        verdicts = {s["verdict"] for s in found}
        if wanted is not None and verdicts != wanted:
            raise Wrong("launches are %s, not %s\n%s" % (sorted(verdicts), sorted(wanted), printed))
        if "violated" in verdicts and block_verdict != "violated":
            raise Wrong("a launch is violated\n%s" % printed)
        return {(r["rule"], s["line"]) for s in found for r in s["rules"] if r["verdict"] == "violated"}

    def text(self, block):
        if not self.last:
            raise Wrong("a report of nothing")
        name, options = self.last
        command = "tilecheck %s %s" % (" ".join(options), name)
        if block.mark:
            if block.mark[0] != "report" or not block.mark[1].startswith("tilecheck "):
                raise Wrong("not understood: '%s'" % block.mark[1])
            command = re.sub(r"\bFILE\b", name, block.mark[1])
        self.shown.append((block, plain(self.run(command).stdout)))

    def console(self, block):
        said, status = [], 0
        for line in block.lines:
            if line.startswith("$ "):
                run = self.run(line[2:], status)
                status = run.returncode
                said += [line] + (plain(run.stdout) if run.stdout else [])
        if not said or not block.lines[0].startswith("$ "):
            raise Wrong("a console block begins with a command")
        self.shown.append((block, said))

    def check(self):
        for block in self.blocks:
            if block.language not in ("cuda", "trace", "text", "console"):
                raise Wrong("line %d: a block of '%s'" % (block.start, block.language))
            try:
                getattr(self, block.language)(block)
            except Wrong as wrong:
                raise Wrong("line %d: %s" % (block.start, wrong))
        if not self.checked and not any(b.language == "console" for b in self.blocks):
            raise Wrong("no block is checked")

    def check_rule(self):
        headings = [line[3:] for line in self.lines if line.startswith("## ")]
        if headings != SECTIONS:
            raise Wrong("the sections are %s, not %s" % (headings, SECTIONS))
        if not self.lines[0].startswith("# %s: " % self.stem):
            raise Wrong("the first line is not '# %s: …'" % self.stem)
        printed = "\n".join("\n".join(said) for _, said in self.shown)
        if "[%s]" % self.stem not in printed:
            raise Wrong("no report of %s" % self.stem)
        if not {"proved", "proved-if"} & {verdict for verdict, _ in self.checked}:
            raise Wrong("no repaired kernel or trace")

    def differences(self):
        """Text and console blocks that do not say what is printed: (block, what is printed)."""
        for block, said in self.shown:
            written, printed = normal(block.lines), normal(said)
            if "…" in block.lines:
                parts = [r"[\s\S]*?" if line == "…" else re.escape(line) for line in written.split("\n")]
                if not re.fullmatch(r"\n".join(parts), printed):
                    yield block, said
            elif written != printed:
                yield block, said


def update(page, changes):
    for block, said in sorted(changes, key=lambda change: -change[0].start):
        if "…" in block.lines:
            raise Wrong("line %d: a block with '…' is written by hand; now it is\n%s" % (block.start, "\n".join(said)))
        page.lines[block.start:block.start + len(block.lines)] = said
    with open(page.path, "w", encoding="utf-8") as f:
        f.write("\n".join(page.lines))


def check_page(arguments, path):
    if not os.path.exists(path):
        raise Wrong("there is no such page")
    with Page(arguments.root, arguments.build, path) as page:
        page.check()
        if arguments.rule:
            page.check_rule()
        changes = list(page.differences())
        if changes and arguments.update:
            update(page, changes)
        elif changes:
            block, said = changes[0]
            raise Wrong("line %d: this is not what is printed, which is\n%s" % (block.start, "\n".join(said)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--rule", action="store_true")
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("pages", nargs="+")
    arguments = parser.parse_args()
    wrong = 0
    for path in arguments.pages:
        try:
            check_page(arguments, path)
        except Wrong as what:
            wrong += 1
            print("%s: %s" % (path, what))
    sys.exit(1 if wrong else 0)


main()
