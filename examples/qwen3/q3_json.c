#include "q3_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- files ----

static tk_status read_all(const char *path, int fd, char *text, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t got = read(fd, text + done, n - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return tk_fail(TK_FILE, "%s: %s", path, got ? strerror(errno) : "ends early");
        done += (size_t)got;
    }
    return TK_OK;
}

static tk_status read_open(const char *path, int fd, char **text, size_t *n)
{
    struct stat info;
    if (fstat(fd, &info) || !S_ISREG(info.st_mode))
        return tk_fail(TK_FILE, "%s: not a regular file", path);
    *n = (size_t)info.st_size;
    *text = q3_alloc(*n + 1, 1);
    if (!*text)
        return q3_no_memory(path);
    const tk_status status = read_all(path, fd, *text, *n);
    if (status != TK_OK) {
        q3_free(*text);
        *text = NULL;
    }
    return status;
}

tk_status q3_file_read(const char *path, char **text, size_t *n)
{
    *text = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return tk_fail(TK_FILE, "%s: %s", path, strerror(errno));
    const tk_status status = read_open(path, fd, text, n);
    close(fd);
    return status;
}

static tk_status write_all(const char *path, const char *text, size_t n)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return tk_fail(TK_FILE, "%s: %s", path, strerror(errno));
    int error = 0;
    for (size_t done = 0; done < n && !error;) {
        const ssize_t put = write(fd, text + done, n - done);
        if (put >= 0)
            done += (size_t)put;
        else if (errno != EINTR)
            error = errno;
    }
    if (close(fd) && !error)
        error = errno;
    if (error)
        unlink(path);
    return error ? tk_fail(TK_FILE, "%s: %s", path, strerror(error)) : TK_OK;
}

tk_status q3_file_write(const char *path, const char *text, size_t n)
{
    q3_text part = {0};
    tk_status status = q3_text_format(&part, "%s.part", path);
    if (status == TK_OK)
        status = write_all(part.at, text, n);
    if (status == TK_OK && rename(part.at, path))
        status = tk_fail(TK_FILE, "%s: %s", path, strerror(errno));
    q3_text_free(&part);
    return status;
}

bool q3_file_exists(const char *path) { return access(path, F_OK) == 0; }

tk_status q3_path(q3_text *out, const char *folder, const char *name)
{
    out->n = 0;
    return q3_text_format(out, name ? "%s/%s" : "%s", folder, name);
}

// ---- JSON ----

// cJSON says null for a bad text and for no memory alike: its allocations go through here, which tells them apart.
static _Thread_local bool no_memory;

static void *take(size_t n)
{
    void *p = q3_alloc(n, 1);
    no_memory |= !p;
    return p;
}

static void hook(void) { cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = take, .free_fn = q3_free}); }

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; ++text)
        line += *text == '\n';
    return line;
}

// A NUL would end a text early: two names would read as one.
static bool has_nul(const char *text, size_t n)
{
    if (memchr(text, 0, n))
        return true;
    for (const char *at = strchr(text, '\\'); at; at = strchr(at, '\\')) {
        if (strncmp(at, "\\u0000", 6) == 0)
            return true;
        at += at[1] ? 2 : 1; // past what is escaped: it may be a backslash
    }
    return false;
}

// ---- what cJSON takes and JSON has not ----

static bool skip_digits(const char **at)
{
    const size_t n = strspn(*at, "0123456789");
    *at += n;
    return n > 0;
}

// [-] 0 or digits that begin with no 0, [. digits], [e [+ or -] digits]
static bool skip_number(const char **at)
{
    *at += **at == '-';
    const bool zero = **at == '0';
    const char *first = *at;
    if (!skip_digits(at) || (zero && *at - first > 1))
        return false;
    if (**at == '.') {
        ++*at;
        if (!skip_digits(at))
            return false;
    }
    if (**at != 'e' && **at != 'E')
        return true;
    ++*at;
    *at += **at == '+' || **at == '-';
    return skip_digits(at);
}

static bool skip_text(const char **at)
{
    for (++*at; **at && **at != '"'; ++*at) {
        if ((unsigned char)**at < ' ')
            return false;
        if (**at == '\\' && (*at)[1])
            ++*at; // what is escaped
    }
    *at += **at == '"';
    return true;
}

// Numbers that strtod reads, white space of other kinds, a byte order mark, texts over several lines: where the first of them begins, or null. In which
// order tokens may come is left to cJSON.
static const char *find_foreign(const char *at)
{
    while (*at) {
        const char *first = at;
        const bool known = *at == '"'                                ? skip_text(&at)
                           : strchr("-0123456789", *at)              ? skip_number(&at)
                           : strchr(" \t\r\n{}[]:,aeflnrstu", *at++) != NULL;
        if (!known)
            return first;
    }
    return NULL;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static tk_status check_names(const char *file, const cJSON *object, size_t n)
{
    tk_status status = TK_OK;
    const char **names = q3_alloc(n, sizeof *names);
    if (!names)
        return q3_no_memory(file);
    n = 0;
    for (const cJSON *c = object->child; c; c = c->next)
        names[n++] = c->string;
    qsort(names, n, sizeof *names, by_text);
    for (size_t i = 1; i < n && status == TK_OK; ++i)
        if (by_text(&names[i - 1], &names[i]) == 0)
            status = tk_fail(TK_FILE, "%s: %.100s is there twice", file, names[i]);
    q3_free(names);
    return status;
}

// No object names a member twice: which of the two counts, others see otherwise.
static tk_status check_members(const char *file, const cJSON *json)
{
    size_t n = 0;
    for (const cJSON *c = json->child; c; c = c->next, ++n)
        if (c->child)
            TK_TRY(check_members(file, c)); // as deep as cJSON's limit
    return cJSON_IsObject(json) && n > 1 ? check_names(file, json, n) : TK_OK;
}

static tk_status no_json(const char *file, const char *text, const char *at)
{
    return tk_fail(TK_FILE, "%s: no JSON at line %d, byte %zu", file, line_of(text, at), (size_t)(at - text));
}

tk_status q3_json_parse(const char *file, const char *text, size_t n, cJSON **out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    *out = NULL;
    pthread_once(&once, hook);
    if (!q3_utf8_is_valid(text, n))
        return tk_fail(TK_FILE, "%s: not UTF-8", file);
    if (has_nul(text, n))
        return tk_fail(TK_FILE, "%s: holds a NUL", file);
    const char *foreign = find_foreign(text), *end = NULL;
    if (foreign)
        return no_json(file, text, foreign);
    no_memory = false;
    cJSON *json = cJSON_ParseWithLengthOpts(text, n, &end, 0);
    if (!json && no_memory)
        return q3_no_memory(file);
    if (json)
        end += strspn(end, " \t\r\n");
    if (!json || end != text + n) {
        cJSON_Delete(json);
        return no_json(file, text, end && end >= text && end <= text + n ? end : text);
    }
    const tk_status status = check_members(file, json);
    if (status == TK_OK)
        *out = json;
    else
        cJSON_Delete(json);
    return status;
}

tk_status q3_json_read(const char *path, cJSON **out)
{
    char *text;
    size_t n;
    *out = NULL;
    TK_TRY(q3_file_read(path, &text, &n));
    const tk_status status = q3_json_parse(path, text, n, out);
    q3_free(text);
    return status;
}

tk_status q3_json_field(const char *file, const cJSON *object, const char *field, bool may_be_missing, const cJSON **out)
{
    *out = NULL;
    if (!cJSON_IsObject(object))
        return tk_fail(TK_FILE, "%s: %s is looked for in what is no object", file, field);
    for (const cJSON *c = object->child; c && !*out; c = c->next)
        if (strcmp(c->string, field) == 0)
            *out = c;
    if (*out && cJSON_IsNull(*out) && may_be_missing)
        *out = NULL;
    else if (!*out && !may_be_missing)
        return tk_fail(TK_FILE, "%s: %s is missing", file, field);
    return TK_OK;
}

tk_status q3_json_integer(const char *file, const char *what, const cJSON *value, int64_t low, int64_t high, int64_t *out)
{
    if (!cJSON_IsNumber(value) || floor(value->valuedouble) != value->valuedouble)
        return tk_fail(TK_FILE, "%s: %.100s is no integer", file, what);
    if (!(value->valuedouble >= (double)low && value->valuedouble <= (double)high))
        return tk_fail(TK_FILE, "%s: %.100s is %.17g, not within %lld and %lld", file, what, value->valuedouble, (long long)low, (long long)high);
    *out = (int64_t)value->valuedouble;
    return TK_OK;
}
