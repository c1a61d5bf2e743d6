def ask(c, n): pass
