# A file as a C array of bytes that a 0 ends. cmake -DFROM=FILE -DTO=FILE.c -DNAME=NAME -P array.cmake
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
