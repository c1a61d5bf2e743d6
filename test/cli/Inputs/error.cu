int x = undeclared;
