"""Asks cvc5 the questions that the checker asked Z3: the dump of each ends with Z3's answer."""
import collections
import os
import random
import re
import shutil
import tempfile

import contracts
import kernel
import loops
import mutants
import skeletons
from judge import Find
from tool import ROOT, Tool

BATCH = 25


class Question:
    def __init__(self, text, answer, name):
        self.text, self.answer, self.name, self.origin = text, answer, name, "the solver"


def answered(dump, name):
    """[(question, Z3's answer, name)…] of a dump, those without an answer left out."""
    found = []
    for part in re.split(r"(?<=\n)(?=\(declare-fun)", re.sub(r"\n\(declare-fun", "\r(declare-fun", dump)):
        pieces = re.split(r"^; (unsat|sat|unknown)$", part.replace("\r(", "\n("), flags=re.M)
        found += [(text, answer, name) for text, answer in zip(pieces[::2], pieces[1::2]) if answer != "unknown"]
    return found


def questions(tool, R, count):
    """The questions about some of the examples and about drawn kernels."""
    paths = R.sample(mutants.files(ROOT), max(4, min(44, count // 10)))
    drawn = [make(R, "s%d" % i) for i, make in enumerate(skeletons.ALL + contracts.ALL + loops.ALL)]
    with open(tool.path("drawn.cu"), "w") as f:
        f.write(kernel.cu_file(drawn))
    found = []
    for path in paths + [tool.path("drawn.cu")]:
        _, out, _ = tool.run([tool.command, "--standin", "--dump=smt", path])
        found += answered(out, os.path.basename(path))
    R.shuffle(found)
    return found[:count]


def problem(text):
    """A question is asked under all its hypotheses: each has a literal that says whether it is used."""
    used = "".join("(assert %s)\n" % name for name in re.findall(r"\(declare-fun (used!\d+) \(\) Bool\)", text))
    return "(set-logic ALL)\n%s%s(check-sat)\n" % (text, used)


def fail(campaign, why):
    campaign.figures["crashes"] += 1
    campaign.kept += 1
    print(why)


def ask(campaign, count, dump=None):
    """Asks cvc5; the questions of a dump, if there is one."""
    if not shutil.which("cvc5"):
        fail(campaign, "cvc5 is not installed (Debian package cvc5): the solver's questions are not asked again")
        return
    args, figures, err = campaign.args, collections.Counter(), ""
    R = random.Random("%d/smt" % args.seed)
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        tool = Tool(args.build, folder)
        if dump:
            with open(dump) as f:
                found = answered(f.read(), os.path.basename(dump))[:count]
        else:
            found = questions(tool, R, count)
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
    if figures["questions"] <= figures["questions unanswered"]:
        fail(campaign, "cvc5 answered none of %d questions: %s" % (len(found), err[:500]) if found else "the dump of the solver's questions has no answers")
    campaign.figures["disagreements"] += 0
    campaign.add(figures)
