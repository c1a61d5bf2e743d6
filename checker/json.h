// Writing JSON into an arena text, so that a failed allocation leaves nothing behind.
#ifndef TC_CHECKER_JSON_H
#define TC_CHECKER_JSON_H

#include <stdbool.h>

#include "base/text.h"

typedef struct tc_json {
    tc_text text;
    bool first; // nothing stands before the next member
} tc_json;

// A string with its quotes; bytes that are no UTF-8 become U+FFFD.
void tc_json_escaped(tc_text *t, const char *s);
void tc_json_comma(tc_json *j); // before a member, unless it is the first
void tc_json_key(tc_json *j, const char *name);
void tc_json_open(tc_json *j, char bracket);
void tc_json_close(tc_json *j, char bracket);
void tc_json_string(tc_json *j, const char *name, const char *value); // NULL: empty
void tc_json_number(tc_json *j, const char *name, tc_i128 value);

#endif
