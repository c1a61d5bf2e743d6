"""The C that generated kernels are written in: a parser to trees, types of expressions, copies.

Expressions are lists, so that a mutation can change them in place:
  ["num", value, suffix]  ["real", text]  ["var", name]  ["field", expr, name]  ["index", expr, expr]  ["call", name, expr…]
  ["un", op, expr]  ["bin", op, expr, expr]  ["sel", expr, expr, expr]  ["cast", type, expr]
Statements:
  ["decl", type, name, dims, init or None, shared]  ["set", op, place, expr]  ["step", op, place]  ["do", expr]
  ["if", expr, then, else]  ["for", init or None, expr, steps, body]  ["while", expr, body]  ["dowhile", body, expr]
  ["switch", expr, [[value or None, body]…]]  ["break"]  ["continue"]  ["return", expr or None]  ["block", body]  ["sync"]
A body is a list of statements; a pointer's type ends with " *".
"""
import re

TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]+[uUlL]*|\d+\.\d*f?|\d+[uUlL]*|[A-Za-z_]\w*|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|"
                   r"[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])")
WIDTH = {"char": (8, True), "signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
         "int": (32, True), "unsigned": (32, False), "long long": (64, True), "unsigned long long": (64, False)}
STRUCTS = {"pair": {"a": "int", "b": "unsigned short", "c": "unsigned char"}}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]
ASSIGN = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")


class Parser:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s+", "", text):
            raise SyntaxError("not understood: " + text)
        self.at = 0

    def peek(self, n=0):
        return self.tokens[self.at + n] if self.at + n < len(self.tokens) else ""

    def take(self, *wanted):
        t = self.peek()
        if wanted and t not in wanted:
            raise SyntaxError("'%s' instead of '%s' before '%s'" % (t, wanted[0], " ".join(self.tokens[self.at:self.at + 9])))
        self.at += 1
        return t

    def type_here(self):
        """The type that starts here, or None; nothing is taken."""
        n, words = 0, []
        while self.peek(n) in ("const", "unsigned", "signed", "char", "short", "int", "long", "float", "struct") or self.peek(n) in STRUCTS:
            words.append(self.peek(n))
            n += 1
        if not words:
            return None, 0
        base = " ".join(w for w in words if w not in ("const", "struct"))
        base = {"unsigned int": "unsigned", "long long int": "long long"}.get(base, base)
        while self.peek(n) == "*":
            base, n = base + " *", n + 1
        return ("const " if "const" in words else "") + base, n

    def primary(self):
        t = self.peek()
        if t == "(":
            self.take()
            type_, n = self.type_here()
            if type_:
                self.at += n
                self.take(")")
                return ["cast", type_, self.unary()]
            e = self.expr()
            self.take(")")
        elif t[0].isdigit():
            self.take()
            if "." in t:
                return ["real", t]
            digits = t.rstrip("uUlL")
            e = ["num", int(digits, 0), t[len(digits):].lower()]
        elif t[0].isalpha() or t[0] == "_":
            self.take()
            if self.peek() == "(":
                self.take()
                e = ["call", t]
                while self.peek() != ")":
                    e.append(self.expr())
                    if self.peek() == ",":
                        self.take()
                self.take()
            else:
                e = ["var", t]
        else:
            raise SyntaxError("'%s' is no expression" % t)
        while self.peek() in ("[", "."):
            if self.take() == "[":
                e = ["index", e, self.expr()]
                self.take("]")
            else:
                e = ["field", e, self.take()]
        return e

    def unary(self):
        if self.peek() in ("-", "~", "!", "*", "&"):
            return ["un", self.take(), self.unary()]
        return self.primary()

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        e = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            e = ["bin", self.take(), e, self.binary(level + 1)]
        return e

    def expr(self):
        e = self.binary(0)
        if self.peek() == "?":
            self.take()
            a = self.expr()
            self.take(":")
            return ["sel", e, a, self.expr()]
        return e

    def simple(self):
        """An assignment, a step, a declaration or a call, without its semicolon."""
        shared = self.peek() == "__shared__"
        if shared:
            self.take()
        type_, n = self.type_here()
        if type_:
            self.at += n
            name, dims, init = self.take(), [], None
            while self.peek() == "[":
                self.take()
                dims.append(int(self.take()))
                self.take("]")
            if self.peek() == "=":
                self.take()
                init = self.expr()
            return ["decl", type_, name, dims, init, shared]
        e = self.expr() if self.peek() not in ("++", "--") else None
        if e is None:
            op = self.take()
            return ["step", op, self.unary()]
        if self.peek() in ASSIGN:
            return ["set", self.take(), e, self.expr()]
        if self.peek() in ("++", "--"):
            return ["step", self.take(), e]
        return ["do", e]

    def body(self):
        if self.peek() != "{":
            return [self.statement()]
        self.take()
        out = []
        while self.peek() != "}":
            out.append(self.statement())
        self.take()
        return out

    def statement(self):
        t = self.peek()
        if t == "{":
            return ["block", self.body()]
        if t in ("if", "while", "switch", "for", "do", "return", "break", "continue"):
            self.take()
        if t == "if":
            self.take("(")
            c = self.expr()
            self.take(")")
            then, other = self.body(), []
            if self.peek() == "else":
                self.take()
                other = self.body()
            return ["if", c, then, other]
        if t == "while":
            self.take("(")
            c = self.expr()
            self.take(")")
            return ["while", c, self.body()]
        if t == "do":
            b = self.body()
            self.take("while")
            self.take("(")
            c = self.expr()
            self.take(")")
            self.take(";")
            return ["dowhile", b, c]
        if t == "for":
            self.take("(")
            init = None if self.peek() == ";" else self.simple()
            self.take(";")
            c = self.expr()
            self.take(";")
            steps = []
            while self.peek() != ")":
                steps.append(self.simple())
                if self.peek() == ",":
                    self.take()
            self.take()
            return ["for", init, c, steps, self.body()]
        if t == "switch":
            return self.switch()
        if t == "return":
            e = None if self.peek() == ";" else self.expr()
            self.take(";")
            return ["return", e]
        if t in ("break", "continue"):
            self.take(";")
            return [t]
        s = self.simple()
        self.take(";")
        return ["sync"] if s == ["do", ["call", "__syncthreads"]] else s

    def switch(self):
        self.take("(")
        c = self.expr()
        self.take(")")
        self.take("{")
        cases = []
        while self.peek() != "}":
            if self.peek() in ("case", "default"):
                value = None
                if self.take() == "case":
                    value = int(self.take())
                self.take(":")
                cases.append([value, []])
            else:
                cases[-1][1].append(self.statement())
        self.take()
        return ["switch", c, cases]


def parse_body(text):
    return Parser("{" + text + "}").body()


def parse_expr(text):
    p = Parser(text)
    e = p.expr()
    if p.peek():
        raise SyntaxError("left over: " + text)
    return e


def promoted(t):
    t = t.replace("const ", "")
    return "int" if t in WIDTH and WIDTH[t][0] < 32 else t


def common(a, b):
    a, b = promoted(a), promoted(b)
    if "float" in (a, b):
        return "float"
    for t in ("unsigned long long", "long long", "unsigned"):
        if t in (a, b):
            return t
    return "int"


def type_of(e, scope):
    """The type of an expression; scope: {name: type, or (type, dims) of an array}, and functions as "f()"."""
    k = e[0]
    if k == "num":
        big = e[1] > 0x7FFFFFFF
        return {"": "long long" if big else "int", "u": "unsigned", "l": "long long", "ll": "long long",
                "ul": "unsigned long long", "ull": "unsigned long long"}[e[2]]
    if k == "real":
        return "float"
    if k == "var":
        t = scope[e[1]]
        return t[0] + " *" * len(t[1]) if isinstance(t, tuple) else t
    if k == "field":
        if e[1][0] == "var" and e[1][1] in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
            return "unsigned"
        return STRUCTS[type_of(e[1], scope)][e[2]]
    if k == "index":
        return type_of(e[1], scope)[:-2].replace("const ", "")
    if k == "call":
        if e[1] in ("min", "max"):
            return common(type_of(e[2], scope), type_of(e[3], scope))
        if e[1].startswith("atomic"):
            return type_of(e[2][2], scope)
        return scope[e[1] + "()"]
    if k == "un":
        if e[1] == "*":
            return type_of(e[2], scope)[:-2].replace("const ", "")
        if e[1] == "&":
            return type_of(e[2], scope) + " *"
        return "int" if e[1] == "!" else promoted(type_of(e[2], scope))
    if k == "bin":
        if e[1] in ("&&", "||", "<", "<=", ">", ">=", "==", "!="):
            return "int"
        a, b = type_of(e[2], scope), type_of(e[3], scope)
        if a.endswith("*"):
            return a
        return promoted(a) if e[1] in ("<<", ">>") else common(a, b)
    if k == "sel":
        a, b = type_of(e[2], scope), type_of(e[3], scope)
        return a if a.endswith("*") else common(a, b) if promoted(a) != promoted(b) or a != b else a
    return e[1]
