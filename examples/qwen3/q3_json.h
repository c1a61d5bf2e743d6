// JSON files, read strictly: valid UTF-8 and no byte order mark, no NUL in a text, tokens as JSON's grammar has them (064 and 64. are no numbers), no member
// twice in one object, nothing after the value. Each error names the file and the field.
#ifndef Q3_JSON_H
#define Q3_JSON_H

#include "q3_memory.h"

#include <cJSON.h>

// A whole regular file, with a NUL behind it; the caller frees it with q3_free.
tk_status q3_file_read(const char *path, char **text, size_t *n);

// Under another name first, then renamed: a file of that name is whole.
tk_status q3_file_write(const char *path, const char *text, size_t n);

bool q3_file_exists(const char *path);

// folder/name; name may be null: folder alone.
tk_status q3_path(q3_text *out, const char *folder, const char *name);

// n bytes of text with a NUL behind them. The caller frees with cJSON_Delete. file is for messages.
tk_status q3_json_parse(const char *file, const char *text, size_t n, cJSON **out);
tk_status q3_json_read(const char *path, cJSON **out);

// A field of an object; null where it is missing or null and may be.
tk_status q3_json_field(const char *file, const cJSON *object, const char *field, bool may_be_missing, const cJSON **out);

// An integer value within low … high, both within 2^53; what is the field's name for the message.
tk_status q3_json_integer(const char *file, const char *what, const cJSON *value, int64_t low, int64_t high, int64_t *out);

#endif
