"""Asks cvc5 the questions that the checker asked Z3: the dump of each ends with Z3's answer."""
import collections
import os
import random
import re
import shutil
import tempfile

import kernel
import mutants
import skeletons
from judge import Find
from tool import ROOT, Tool

BATCH = 25


class Question:
    def __init__(self, text, answer, name):
        self.text, self.answer, self.name, self.origin = text, answer, name, "the solver"


def questions(tool, paths):
    """Every question with an answer of Z3's in the dumps of these files."""
    found = []
    for path in paths:
        _, out, _ = tool.run([tool.command, "--standin", "--dump=smt", path])
        for part in re.split(r"(?<=\n)(?=\(declare-fun)", re.sub(r"\n\(declare-fun", "\r(declare-fun", out)):
            pieces = re.split(r"^; (unsat|sat|unknown)$", part.replace("\r(", "\n("), flags=re.M)
            for text, answer in zip(pieces[::2], pieces[1::2]):
                if answer != "unknown":
                    found.append((text, answer, os.path.basename(path)))
    return found


def problem(text):
    """A question is asked under all its hypotheses: each has a literal that says whether it is used."""
    used = "".join("(assert %s)\n" % name for name in re.findall(r"\(declare-fun (used!\d+) \(\) Bool\)", text))
    return "(set-logic ALL)\n%s%s(check-sat)\n" % (text, used)


def ask(campaign, count):
    if not shutil.which("cvc5"):
        print("cvc5 is not installed (Debian package cvc5): the solver's questions are not asked again")
        return
    args, figures = campaign.args, collections.Counter()
    R = random.Random("%d/smt" % args.seed)
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        tool = Tool(args.build, folder)
        paths = mutants.files(ROOT)
        drawn = [make(R, "s%d" % i) for i, make in enumerate(skeletons.ALL * 2)]
        with open(tool.path("drawn.cu"), "w") as f:
            f.write(kernel.cu_file(drawn))
        found = questions(tool, paths + [tool.path("drawn.cu")])
        R.shuffle(found)
        found = found[:count]
        for at in range(0, len(found), BATCH):
            batch = found[at:at + BATCH]
            with open(tool.path("ask.smt2"), "w") as f:
                f.write("(reset)\n".join(problem(text) for text, _, _ in batch))
            _, out, err = tool.run(["cvc5", "--lang=smt2", "--tlimit-per=4000", tool.path("ask.smt2")], timeout=BATCH * 6)
            answers = re.findall(r"^(sat|unsat|unknown)$", out, flags=re.M)
            for (text, z3, name), cvc5 in zip(batch, answers):
                figures["questions"] += 1
                figures["questions unanswered"] += cvc5 == "unknown"
                if cvc5 != "unknown" and cvc5 != z3:
                    figures["disagreements"] += 1
                    q = Question(problem(text), z3, "q%d" % figures["disagreements"])
                    campaign.keep(tool, Find("disagreement", q, "", "%s: Z3 says %s, cvc5 says %s" % (name, z3, cvc5)), str(args.seed))
            figures["questions unanswered"] += len(batch) - len(answers)
    if not figures["questions"]:
        figures["crashes"] += 1
        campaign.kept += 1
        print("no question of the solver could be asked: " + err[:500] if found else "the dump of the solver's questions has no answers")
    campaign.add(figures)
