# read_contract.py NOTES JSON: reads notes as docs/contract-format.md describes them, by itself, and compares what it finds with what
# `tilecheck contracts --json` says of the same kernels.
import json
import struct
import sys

NONE = 0xFFFFFFFF
VERDICTS = ["proved", "proved-if", "unknown", "violated", "not checked"]
BORROWS = ["no word", "shared", "mut", "out", "atomic", "unchecked"]
CONDITIONS = ["requires", "block", "grid", "smem", "cluster", "extent", "limit", "align", "define", "inferred", "null"]
FACTS = ["range", "injective", "monotone", "init", "forall"]
PAIRS = ["inplace", "may_alias", "distinct"]
KINDS = ["integer", "bool", "float", "pointer", "struct", "array", "function", "other"]
TABLES = "TEXT NODE PARAM SCALAR BORROW DIM CONDITION FACT BOUND PAIR".split()


class Record:
    def __init__(self, data):
        self.data = data
        magic, major, minor, size, header, tables = struct.unpack_from("<8sHHIII", data, 0)
        assert (magic, major, minor, size, header, tables) == (b"TCKERNEL", 1, 1, len(data), 200, 10)
        self.tables = dict(zip(TABLES, struct.iter_unpack("<III", data[64:184])))
        mangled, name, file, line, verdict, flags, zero, arguments = struct.unpack_from("<IIIIBBHI", data, 24)
        assert zero == 0
        self.head = {"mangled": self.text(mangled), "name": self.text(name), "file": self.text(file), "line": line,
                     "verdict": VERDICTS[verdict], "partial": bool(flags & 1), "some_rules": bool(flags & 2), "assumes": bool(flags & 8),
                     "waits": bool(flags & 32) if flags & 16 else None,
                     "arguments": arguments}
        size, code = struct.unpack_from("<QQ", data, 184)
        if size:
            self.head["code"] = "%d:%016x" % (size, code)

    def text(self, at):
        if at == NONE:
            return None
        begin = self.tables["TEXT"][0] + at
        return self.data[begin : self.data.index(b"\0", begin)].decode()

    def rows(self, table, form):
        offset, count, size = self.tables[table]
        assert size == struct.calcsize(form), table
        return [struct.unpack_from(form, self.data, offset + i * size) for i in range(count)]

    def say(self):
        k = dict(self.head)
        params = self.rows("PARAM", "<IIIIIBBBB")
        k["parameters"] = [{"name": self.text(p[0]), "kind": KINDS[p[5]], "type": self.text(p[1]), "offset": p[2], "size": p[3]} for p in params]
        borrows = self.rows("BORROW", "<IIIIIIIBBBBIIII")
        k["borrows"] = []
        for path, param, offset, variable, element, align, dim, ndims, kind, flags, content, why, line, lo, hi in borrows:
            b = {"path": self.text(path), "borrow": BORROWS[kind], "variable": self.text(variable), "offset": offset, "element": element,
                 "align": align, "optional": bool(flags & 1), "restrict": bool(flags & 2), "early": bool(flags & 16), "dims": ndims}
            if param != NONE:
                b["parameter"] = param
            k["borrows"].append(b)
        k["pairs"] = [{"kind": PAIRS[p[2]], "a": k["borrows"][p[0]]["path"], "b": k["borrows"][p[1]]["path"]}
                      for p in self.rows("PAIR", "<IIBBBB")]
        k["conditions"] = [{"kind": CONDITIONS[c[3]], "text": self.text(c[0]), "line": c[2], "checkable": not c[4] & 1}
                           for c in self.rows("CONDITION", "<IIIBBH")]
        k["facts"] = [{"kind": FACTS[f[7]], "text": self.text(f[0]), "of": None if f[1] == NONE else k["borrows"][f[1]]["path"],
                       "line": f[6], "checkable": not f[8] & 1} for f in self.rows("FACT", "<IIIIIIIBBH")]
        for op, width, zero, a, b, c in self.rows("NODE", "<BBHIII"):
            assert op <= 30 and zero == 0
        self.rows("SCALAR", "<IIIBBH"), self.rows("DIM", "<II"), self.rows("BOUND", "<III")
        return k


def records(data):
    at = 0
    while at < len(data):
        name, size, kind = struct.unpack_from("<III", data, at)
        assert name == 10 and kind == 0x7463 and data[at + 12 : at + 24] == b"tilecheck\0\0\0" and size % 8 == 0
        yield Record(data[at + 24 : at + 24 + size])
        at += 24 + size


def told(kernel):
    kernel.pop("member")
    for b in kernel["borrows"]:
        b["dims"] = len(b.pop("shape"))
        b.pop("stride")
    for c in kernel["conditions"]:
        c.pop("expression")
    return kernel


def main():
    with open(sys.argv[1], "rb") as f:
        mine = [r.say() for r in records(f.read())]
    with open(sys.argv[2]) as f:
        theirs = [told(k) for k in json.load(f)["files"][0]["kernels"]]
    for a, b in zip(mine, theirs):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                print("%s: %s: %r, not %r" % (a["name"], key, a.get(key), b.get(key)))
                sys.exit(1)
    assert len(mine) == len(theirs)
    print("%d records, as the page says and as the tool says" % len(mine))


main()
