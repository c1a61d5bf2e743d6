// Writing JSON.
#include "checker/json.h"

#include <string.h>

// The length of a well-formed UTF-8 sequence at s, or 0.
static size_t utf8_length(const unsigned char *s, size_t n) {
    size_t len = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || outside ? 0 : len;
}

void tc_json_escaped(tc_text *t, const char *s) {
    size_t n = strlen(s);
    tc_putc(t, '"');
    for (size_t i = 0; i < n;) {
        const unsigned char *p = (const unsigned char *)s + i;
        size_t len = utf8_length(p, n - i);
        if (*p == '"' || *p == '\\')
            tc_putf(t, "\\%c", *p);
        else if (*p == '\n')
            tc_put(t, "\\n");
        else if (*p < 0x20 || *p == 0x7f)
            tc_putf(t, "\\u%04x", *p);
        else if (len == 0)
            tc_put(t, "\\ufffd");
        else
            tc_putn(t, s + i, len);
        i += len ? len : 1;
    }
    tc_putc(t, '"');
}

void tc_json_comma(tc_json *j) {
    if (!j->first)
        tc_put(&j->text, ", ");
    j->first = false;
}

void tc_json_key(tc_json *j, const char *name) {
    tc_json_comma(j);
    tc_json_escaped(&j->text, name);
    tc_put(&j->text, ": ");
}

void tc_json_open(tc_json *j, char bracket) {
    tc_putc(&j->text, bracket);
    j->first = true;
}

void tc_json_close(tc_json *j, char bracket) {
    tc_putc(&j->text, bracket);
    j->first = false;
}

void tc_json_string(tc_json *j, const char *name, const char *value) {
    tc_json_key(j, name);
    tc_json_escaped(&j->text, value ? value : "");
}

void tc_json_number(tc_json *j, const char *name, tc_i128 value) {
    tc_json_key(j, name);
    tc_put128(&j->text, value);
}
