# format_page.py HEADER PAGE: the numbers of the header's tables of kinds stand on the page, each with its name or text.
import re
import sys


def rows(header, name):
    """X(NAME, "text" or number…) of the macro TC_REC_name."""
    body = re.search(r"#define TC_REC_%s\(X\).*?(?=\n\n|\n#|\nenum|\ntypedef|\n//)" % name, header, re.S).group(0)
    return [(m[0], m[1].strip().strip('"')) for m in re.findall(r"\bX\((\w+), ([^,)]*)", body)]


def main():
    with open(sys.argv[1]) as f:
        header = f.read()
    with open(sys.argv[2]) as f:
        page = " ".join(f.read().split())
    missing = []

    def want(text):
        if text not in page:
            missing.append(text)

    tables = rows(header, "TABLES")
    for i, (name, size) in enumerate(tables):
        want("**%d %s**, rows of %s" % (i, name, size))
    for name, offset in rows(header, "HEADER"):
        want("| %s |" % offset if name not in ("FLAGS",) else "| 41 | 1 | flags")
    ops = rows(header, "OPS")
    want("| %d never |" % 0)
    want("29 &&, 30 \\|\\| |")
    spelled = {"VERDICTS": {}, "PARAM_KINDS": {}, "BORROWS": {}, "FACTS": {}, "PAIRS": {"0 inplace": "0 the first may be the very buffer",
               "1 may_alias": "1 may alias"},
               "CONDITIONS": {"0 requires": "0 `tc_requires`", "3 smem": "3 shared memory", "5 extent": "5 an extent", "6 limit": "6 a limit",
                              "7 align": "7 alignment", "8 define": "8 a value of `define=`"}}
    kinds = 0
    for name, others in spelled.items():
        for i, (_, text) in enumerate(rows(header, name)):
            plain = "%d %s" % (i, text)
            want(others.get(plain, plain))
            kinds += name != "PARAM_KINDS"
    for text in missing:
        print("not on the page: %s" % text)
    if not missing:
        print("%d tables, %d operators, %d kinds: all on the page" % (len(tables), len(ops), kinds))


main()
