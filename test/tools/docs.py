#!/usr/bin/env python3
"""docs.py ROOT [DOCS]: the documentation is whole. DOCS is ROOT/docs unless given.

Every rule of checker/rules.def has a page in docs/rules, and a test in test/docs that checks it; the
index names every rule by its title and links to each page. docs/language.md explains every
word of checker/words.def, and its examples use it. The ladder of docs/model.md has every rung of solver/solve.h. Every
relative link of a page leads to a file. Every test that a page names (`test/…`, or `test/…:kernel`) exists, and the kernel
is one that must not be proved. Every row of the tables below "## Side conditions" names such a test.
"""
import os
import re
import sys

root = sys.argv[1]
docs = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "docs")
wrong = []


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def check_rules():
    rules = re.findall(r'^TC_RULE\((TC\d{4}), "(.*)", (\w+)\)', read(os.path.join(root, "checker/rules.def")), re.M)
    index = read(os.path.join(docs, "rules/README.md"))
    if not rules:
        wrong.append("checker/rules.def: no rule is found")
    for code, title, run in rules:
        page = os.path.join(docs, "rules", code + ".md")
        link = "[%s](%s.md)" % (code, code)
        if not re.search(r"\| (\[?)%s\b.*%s" % (code, re.escape(title)), index):
            wrong.append("docs/rules/README.md: %s (%s) is not in the index" % (code, title))
        if not os.path.exists(page):
            wrong.append("docs/rules: there is no page of %s" % code)
            continue
        if not read(page).startswith("# %s: %s\n" % (code, title)):
            wrong.append("docs/rules/%s.md: the first line is not '# %s: %s'" % (code, code, title))
        if link not in index:
            wrong.append("docs/rules/README.md: no link to %s.md" % code)
        test = os.path.join(root, "test/docs", code + ".test")
        if not os.path.exists(test) or "docs/rules/%s.md" % code not in read(test):
            wrong.append("test/docs/%s.test does not check docs/rules/%s.md" % (code, code))


def check_links(path, text):
    for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.S)):
        if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
            wrong.append("%s: there is no %s" % (path, target))


def is_refused(kernel, text):
    """Is it said in the test that the kernel, or a launch of it, is not proved, or not without a precondition?"""
    return re.search(r"kernel %s (?!.*proved(?!-if))\S|: %s \S+ .*(?:run-time|violated)|"
                     r"-LABEL: \{\{\^\}\}%s at\n(?:// KERNELS: .*\n)*?// KERNELS(?:-NOT: waits|: .*touched before)" % ((kernel,) * 3), text)


def check_named_test(path, name, kernel):
    file = os.path.join(root, name)
    if not os.path.exists(file):
        wrong.append("%s: there is no test %s" % (path, name))
    elif kernel and not is_refused(kernel, read(file)):
        wrong.append("%s: %s has no kernel %s that must not be proved" % (path, name, kernel))


def check_tests(path, text):
    named = re.compile(r"`(test/[\w./-]+)(?::(\w+))?`")
    for name, kernel in named.findall(text):
        check_named_test(path, name, kernel)
    part = re.search(r"^## Side conditions$(.*?)(^## |\Z)", text, re.M | re.S)
    rows = re.findall(r"^\| (?!---).*\|$(?!\n\| ---)", part.group(1), re.M) if part else []
    if part and not rows:
        wrong.append("%s: no side condition" % path)
    for row in rows:
        if not named.search(row):
            wrong.append("%s: no test of '%s'" % (path, row.split("|")[1].strip()))


def check_rungs():
    """The ladder of docs/model.md is that of the solver."""
    rungs = re.findall(r'X\(\w+, "([\w-]+)"\)', read(os.path.join(root, "solver/solve.h")))
    ladder = re.search(r"^## The ladder$(.*?)^## ", read(os.path.join(docs, "model.md")), re.M | re.S)
    for rung in rungs or [""]:
        if rung != "none" and not re.search(r"^\| %s \|" % re.escape(rung), ladder.group(1) if ladder else "", re.M):
            wrong.append("docs/model.md: the ladder has no rung '%s'" % rung)


def check_words():
    """docs/language.md explains every word, and its examples use it."""
    text = read(os.path.join(docs, "language.md"))
    used = "".join(re.findall(r"```cuda\n.*?```", text, re.S))
    said = re.sub(r"```.*?```", "", text, flags=re.S)
    words = re.findall(r'^TC_WORD\(\w+, "(\w+)"', read(os.path.join(root, "checker/words.def")), re.M)
    for word in words + ["invariant", "assert", "assume", "cdiv"]:
        if not re.search(r"`tc_%s\b" % word, said):
            wrong.append("docs/language.md: tc_%s is not explained" % word)
        if not re.search(r"\btc_%s\b" % word, used):
            wrong.append("docs/language.md: no example has tc_%s" % word)


def pages():
    yield os.path.join(root, "README.md")
    for folder, _, files in os.walk(docs):
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


check_rules()
check_words()
check_rungs()
for page in pages():
    check_links(page, read(page))
    check_tests(page, read(page))
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
