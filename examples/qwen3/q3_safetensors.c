#include "q3_safetensors.h"

#include "q3_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_HEADER ((uint64_t)100 << 20)
#define MAX_INTEGER ((int64_t)1 << 53) // what JSON's numbers hold exactly

typedef struct mapped {
    char *path;
    void *bytes; // null: not mapped here
    size_t n;
} mapped;

struct q3_safetensors {
    mapped *files;
    size_t nfiles;
    q3_stored *tensors; // by name
    size_t n, capacity;
};

static const struct {
    const char *name;
    unsigned bits;
    tk_type type;
} dtypes[] = {
#define Q3_ONE(name, bits, type) {#name, bits, type},
    Q3_DTYPES(Q3_ONE)
#undef Q3_ONE
};

const char *q3_dtype_name(q3_dtype type) { return (unsigned)type < Q3_DTYPE_COUNT ? dtypes[type].name : "no type"; }

// Bytes of a tensor; false where they overflow or end within a byte.
static bool bytes_of(q3_dtype type, int rank, const int64_t *extent, uint64_t *bytes)
{
    uint64_t bits = dtypes[type].bits;
    for (int d = 0; d < rank; ++d)
        if (extent[d] < 0 || __builtin_mul_overflow(bits, (uint64_t)extent[d], &bits))
            return false;
    *bytes = bits / 8;
    return bits % 8 == 0;
}

// ---- one tensor of a header ----

static tk_status read_type(const char *file, const cJSON *entry, q3_stored *t)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, entry, "dtype", false, &value));
    for (int i = 0; cJSON_IsString(value) && i < Q3_DTYPE_COUNT; ++i) {
        if (strcmp(dtypes[i].name, value->valuestring) != 0)
            continue;
        t->type = (q3_dtype)i;
        return TK_OK;
    }
    return tk_fail(TK_FILE, "%s: %.100s: dtype %.30s is not known", file, t->name, cJSON_IsString(value) ? value->valuestring : "(no text)");
}

static tk_status read_shape(const char *file, const cJSON *entry, q3_stored *t)
{
    const cJSON *value;
    TK_TRY(q3_json_field(file, entry, "shape", false, &value));
    if (!cJSON_IsArray(value))
        return tk_fail(TK_FILE, "%s: %.100s: shape is no list", file, t->name);
    for (const cJSON *one = value->child; one; one = one->next) {
        if (t->rank == Q3_RANK)
            return tk_fail(TK_FILE, "%s: %.100s: more than %d dimensions", file, t->name, Q3_RANK);
        TK_TRY(q3_json_integer(file, t->name, one, 0, MAX_INTEGER, &t->extent[t->rank++]));
    }
    return TK_OK;
}

static tk_status read_offsets(const char *file, const cJSON *entry, size_t room, const unsigned char *data, q3_stored *t)
{
    const cJSON *value;
    int64_t at[2] = {0, 0};
    uint64_t bytes;
    TK_TRY(q3_json_field(file, entry, "data_offsets", false, &value));
    if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != 2)
        return tk_fail(TK_FILE, "%s: %.100s: data_offsets is no pair", file, t->name);
    TK_TRY(q3_json_integer(file, t->name, value->child, 0, MAX_INTEGER, &at[0]));
    TK_TRY(q3_json_integer(file, t->name, value->child->next, 0, MAX_INTEGER, &at[1]));
    if (at[0] > at[1] || (uint64_t)at[1] > room)
        return tk_fail(TK_FILE, "%s: %.100s: data_offsets %lld … %lld are not within the %zu bytes of data", file, t->name, (long long)at[0],
                       (long long)at[1], room);
    if (!bytes_of(t->type, t->rank, t->extent, &bytes))
        return tk_fail(TK_FILE, "%s: %.100s: its shape has no size in bytes that 64 bits hold", file, t->name);
    if (bytes != (uint64_t)(at[1] - at[0]))
        return tk_fail(TK_FILE, "%s: %.100s: shape and type are %llu bytes, data_offsets %lld", file, t->name, (unsigned long long)bytes,
                       (long long)(at[1] - at[0]));
    t->data = data + at[0];
    t->bytes = (size_t)bytes;
    return TK_OK;
}

static tk_status read_entry(const char *file, const cJSON *entry, size_t room, const unsigned char *data, q3_stored *t)
{
    if (!cJSON_IsObject(entry))
        return tk_fail(TK_FILE, "%s: %.100s is no object", file, entry->string);
    TK_TRY(read_type(file, entry, t));
    TK_TRY(read_shape(file, entry, t));
    return read_offsets(file, entry, room, data, t);
}

// ---- one file ----

static int by_place(const void *a, const void *b)
{
    const q3_stored *x = a, *y = b;
    const uintptr_t p = (uintptr_t)x->data, q = (uintptr_t)y->data;
    return p != q ? (p < q ? -1 : 1) : x->bytes != y->bytes ? (x->bytes < y->bytes ? -1 : 1) : 0;
}

// The format's rule: the tensors fill the data without an overlap and without a hole.
static tk_status check_filled(const char *file, q3_stored *tensors, size_t n, const unsigned char *data, size_t room)
{
    const unsigned char *at = data;
    qsort(tensors, n, sizeof *tensors, by_place);
    for (size_t i = 0; i < n; ++i) {
        const unsigned char *begin = tensors[i].data;
        if (begin != at)
            return tk_fail(TK_FILE, "%s: %.100s %s at byte %zu of the data", file, tensors[i].name, begin < at ? "overlaps another" : "leaves a hole",
                           (size_t)((begin < at ? begin : at) - data));
        at = begin + tensors[i].bytes;
    }
    if (at != data + room)
        return tk_fail(TK_FILE, "%s: %zu bytes of data belong to no tensor", file, (size_t)(data + room - at));
    return TK_OK;
}

static tk_status check_metadata(const char *file, const cJSON *metadata)
{
    if (!cJSON_IsObject(metadata))
        return tk_fail(TK_FILE, "%s: __metadata__ is no object", file);
    for (const cJSON *c = metadata->child; c; c = c->next)
        if (!cJSON_IsString(c))
            return tk_fail(TK_FILE, "%s: __metadata__: %.100s is no text", file, c->string);
    return TK_OK;
}

static tk_status reserve(q3_safetensors *s, size_t more)
{
    if (s->tensors && s->capacity - s->n >= more)
        return TK_OK;
    const size_t capacity = s->n + more;
    q3_stored *tensors = q3_resize(s->tensors, capacity, sizeof *tensors);
    if (!tensors)
        return q3_no_memory("tensors");
    s->tensors = tensors;
    s->capacity = capacity;
    return TK_OK;
}

static tk_status read_header(q3_safetensors *s, const char *file, const cJSON *json, const unsigned char *data, size_t room)
{
    const size_t first = s->n;
    if (!cJSON_IsObject(json))
        return tk_fail(TK_FILE, "%s: the header is no object", file);
    TK_TRY(reserve(s, (size_t)cJSON_GetArraySize(json)));
    for (const cJSON *c = json->child; c; c = c->next) {
        if (strcmp(c->string, "__metadata__") == 0) {
            TK_TRY(check_metadata(file, c));
            continue;
        }
        q3_stored *t = &s->tensors[s->n];
        const size_t length = strlen(c->string);
        char *name = q3_alloc(length + 1, 1);
        if (!name)
            return q3_no_memory(file);
        *t = (q3_stored){.name = memcpy(name, c->string, length), .file = file};
        ++s->n; // from here on the set frees the name
        TK_TRY(read_entry(file, c, room, data, t));
    }
    return check_filled(file, s->tensors + first, s->n - first, data, room);
}

static tk_status read_bytes(q3_safetensors *s, const char *file, const unsigned char *bytes, size_t n)
{
    uint64_t length = 0;
    if (n < 8)
        return tk_fail(TK_FILE, "%s: %zu bytes; the header's length alone takes 8", file, n);
    for (int i = 7; i >= 0; --i)
        length = length << 8 | bytes[i];
    if (length > n - 8)
        return tk_fail(TK_FILE, "%s: a header of %llu bytes in a file of %zu", file, (unsigned long long)length, n);
    if (length > MAX_HEADER)
        return tk_fail(TK_FILE, "%s: a header of %llu bytes; at most %llu", file, (unsigned long long)length, (unsigned long long)MAX_HEADER);
    char *text = q3_alloc((size_t)length + 1, 1);
    if (!text)
        return q3_no_memory(file);
    memcpy(text, bytes + 8, (size_t)length);
    cJSON *json;
    tk_status status = q3_json_parse(file, text, (size_t)length, &json);
    q3_free(text);
    if (status == TK_OK)
        status = read_header(s, file, json, bytes + 8 + length, n - 8 - (size_t)length);
    cJSON_Delete(json);
    return status;
}

static tk_status map_file(mapped *f)
{
    struct stat info;
    const int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return tk_fail(TK_FILE, "%s: %s", f->path, strerror(errno));
    tk_status status = TK_OK;
    if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
        status = tk_fail(TK_FILE, "%s: not a regular file", f->path);
    } else if (info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            status = tk_fail(errno == ENOMEM ? TK_MEMORY : TK_FILE, "%s: %s", f->path, strerror(errno));
        else
            *f = (mapped){.path = f->path, .bytes = bytes, .n = (size_t)info.st_size};
    }
    close(fd);
    return status;
}

static tk_status add_file(q3_safetensors *s, const char *folder, const char *name)
{
    q3_text path = {0};
    const tk_status status = q3_path(&path, folder, name);
    if (status != TK_OK) {
        q3_text_free(&path);
        return status;
    }
    mapped *f = &s->files[s->nfiles++];
    f->path = path.at;
    TK_TRY(map_file(f));
    return read_bytes(s, f->path, f->bytes, f->n);
}

// ---- the set ----

static int by_name(const void *a, const void *b) { return strcmp(((const q3_stored *)a)->name, ((const q3_stored *)b)->name); }

static tk_status sort_names(q3_safetensors *s)
{
    if (s->n)
        qsort(s->tensors, s->n, sizeof *s->tensors, by_name);
    for (size_t i = 1; i < s->n; ++i)
        if (by_name(&s->tensors[i - 1], &s->tensors[i]) == 0)
            return tk_fail(TK_FILE, "%s: %.100s is there twice%s%s", s->tensors[i].file, s->tensors[i].name,
                           s->tensors[i].file == s->tensors[i - 1].file ? "" : ", also in ",
                           s->tensors[i].file == s->tensors[i - 1].file ? "" : s->tensors[i - 1].file);
    return TK_OK;
}

typedef struct listed {
    const char *tensor, *file;
} listed;

static int by_listed_file(const void *a, const void *b) { return strcmp(((const listed *)a)->file, ((const listed *)b)->file); }
static int by_listed_tensor(const void *a, const void *b) { return strcmp(((const listed *)a)->tensor, ((const listed *)b)->tensor); }

// A shard is a file of the folder: no way out of it.
static bool is_plain_name(const char *name)
{
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !strpbrk(name, "/\\") && strlen(name) < 256;
}

static tk_status read_map(const char *index, const cJSON *map, listed *list)
{
    for (const cJSON *c = map->child; c; c = c->next) {
        if (!cJSON_IsString(c))
            return tk_fail(TK_FILE, "%s: weight_map: %.100s has no file name", index, c->string);
        if (!is_plain_name(c->valuestring))
            return tk_fail(TK_FILE, "%s: weight_map: %.100s: %.100s is no name of a file in the folder", index, c->string, c->valuestring);
        *list++ = (listed){c->string, c->valuestring};
    }
    return TK_OK;
}

static tk_status add_shards(q3_safetensors *s, const char *folder, listed *list, size_t n)
{
    size_t shards = 0;
    qsort(list, n, sizeof *list, by_listed_file);
    for (size_t i = 0; i < n; ++i)
        shards += i == 0 || by_listed_file(&list[i - 1], &list[i]) != 0;
    s->files = q3_alloc(shards, sizeof *s->files);
    if (!s->files)
        return q3_no_memory(folder);
    for (size_t i = 0; i < n; ++i)
        if (i == 0 || by_listed_file(&list[i - 1], &list[i]) != 0)
            TK_TRY(add_file(s, folder, list[i].file));
    return sort_names(s);
}

// The index and the shards' headers tell the same.
static tk_status compare(const q3_safetensors *s, const char *index, listed *list, size_t n)
{
    qsort(list, n, sizeof *list, by_listed_tensor);
    for (size_t i = 0; i < n || i < s->n; ++i) {
        const int order = i == n ? 1 : i == s->n ? -1 : strcmp(list[i].tensor, s->tensors[i].name);
        if (order < 0)
            return tk_fail(TK_FILE, "%s: weight_map: %.100s is in none of the files", index, list[i].tensor);
        if (order > 0)
            return tk_fail(TK_FILE, "%s: %.100s is not in the index", s->tensors[i].file, s->tensors[i].name);
        if (strcmp(list[i].file, strrchr(s->tensors[i].file, '/') + 1) != 0)
            return tk_fail(TK_FILE, "%s: weight_map: %.100s is not in %.100s", index, list[i].tensor, list[i].file);
    }
    return TK_OK;
}

static tk_status open_list(q3_safetensors *s, const char *folder, const char *index, const cJSON *map, listed *list)
{
    const size_t n = (size_t)cJSON_GetArraySize(map);
    TK_TRY(read_map(index, map, list));
    TK_TRY(add_shards(s, folder, list, n));
    return compare(s, index, list, n);
}

static tk_status open_index(q3_safetensors *s, const char *folder, const char *index)
{
    cJSON *json;
    const cJSON *map;
    TK_TRY(q3_json_read(index, &json));
    tk_status status = q3_json_field(index, json, "weight_map", false, &map);
    if (status == TK_OK && !cJSON_IsObject(map))
        status = tk_fail(TK_FILE, "%s: weight_map is no object", index);
    if (status == TK_OK) {
        listed *list = q3_alloc((size_t)cJSON_GetArraySize(map), sizeof *list);
        status = list ? open_list(s, folder, index, map, list) : q3_no_memory(index);
        q3_free(list);
    }
    cJSON_Delete(json);
    return status;
}

static tk_status open_one(q3_safetensors *s, const char *folder, const char *name)
{
    s->files = q3_alloc(1, sizeof *s->files);
    if (!s->files)
        return q3_no_memory(folder);
    TK_TRY(add_file(s, folder, name));
    return sort_names(s);
}

static tk_status open_path(q3_safetensors *s, const char *path, q3_text *file)
{
    struct stat info;
    if (stat(path, &info))
        return tk_fail(TK_FILE, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return open_one(s, path, NULL);
    TK_TRY(q3_path(file, path, "model.safetensors"));
    if (q3_file_exists(file->at))
        return open_one(s, path, "model.safetensors");
    TK_TRY(q3_path(file, path, "model.safetensors.index.json"));
    if (q3_file_exists(file->at))
        return open_index(s, path, file->at);
    return tk_fail(TK_FILE, "%s: neither model.safetensors nor model.safetensors.index.json", path);
}

tk_status q3_safetensors_open(const char *path, q3_safetensors **out)
{
    *out = NULL;
    q3_safetensors *s = q3_alloc(1, sizeof *s);
    if (!s)
        return q3_no_memory(path);
    q3_text file = {0};
    const tk_status status = open_path(s, path, &file);
    q3_text_free(&file);
    if (status == TK_OK)
        *out = s;
    else
        q3_safetensors_close(s);
    return status;
}

tk_status q3_safetensors_parse(const char *name, const void *bytes, size_t n, q3_safetensors **out)
{
    *out = NULL;
    q3_safetensors *s = q3_alloc(1, sizeof *s);
    q3_text file = {0};
    if (!s)
        return q3_no_memory(name);
    tk_status status = q3_path(&file, name, NULL);
    if (status == TK_OK && !(s->files = q3_alloc(1, sizeof *s->files)))
        status = q3_no_memory(name);
    if (status == TK_OK) {
        s->files[s->nfiles++] = (mapped){.path = file.at};
        file = (q3_text){0};
        status = read_bytes(s, s->files[0].path, bytes, n);
    }
    if (status == TK_OK)
        status = sort_names(s);
    q3_text_free(&file);
    if (status == TK_OK)
        *out = s;
    else
        q3_safetensors_close(s);
    return status;
}

void q3_safetensors_close(q3_safetensors *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; ++i)
        q3_free((char *)(uintptr_t)s->tensors[i].name);
    for (size_t i = 0; i < s->nfiles; ++i) {
        if (s->files[i].bytes)
            munmap(s->files[i].bytes, s->files[i].n);
        q3_free(s->files[i].path);
    }
    q3_free(s->tensors);
    q3_free(s->files);
    q3_free(s);
}

size_t q3_safetensors_count(const q3_safetensors *s) { return s->n; }

const q3_stored *q3_safetensors_at(const q3_safetensors *s, size_t i) { return i < s->n ? &s->tensors[i] : NULL; }

const q3_stored *q3_safetensors_find(const q3_safetensors *s, const char *name)
{
    const q3_stored key = {.name = name};
    return s->n ? bsearch(&key, s->tensors, s->n, sizeof key, by_name) : NULL;
}

tk_status q3_safetensors_get(const q3_safetensors *s, const char *name, tk_type type, int rank, const int64_t *extent, tk_tensor *out)
{
    const q3_stored *t = q3_safetensors_find(s, name);
    if (!t)
        return tk_fail(TK_FILE, "%s: there is no tensor %.100s", s->nfiles ? s->files[0].path : "the set", name);
    if (dtypes[t->type].type != type)
        return tk_fail(TK_TYPE, "%s: %.100s is %s, not %s", t->file, name, dtypes[t->type].name, tk_type_name(type));
    if (t->rank != rank)
        return tk_fail(TK_SHAPE, "%s: %.100s has %d dimensions, not %d", t->file, name, t->rank, rank);
    for (int d = 0; d < rank; ++d)
        if (t->extent[d] != extent[d])
            return tk_fail(TK_SHAPE, "%s: %.100s: extent %d is %lld, not %lld", t->file, name, d, (long long)t->extent[d], (long long)extent[d]);
    *out = tk_dense((void *)(uintptr_t)t->data, type, rank, extent);
    return TK_OK;
}

// ---- writing ----

typedef struct shard {
    char *path, *part; // the name at the end, and until then
    int fd;            // -1: not open
    bool made, named;  // which of the two is there
    uint64_t data, bytes; // where the data begin, how many there are
} shard;

typedef struct place {
    size_t shard;
    uint64_t at, bytes; // from the shard's data on
} place;

struct q3_writer {
    q3_text folder;
    shard *shards;
    place *places;
    size_t nshards, n;
    q3_text index; // empty for one file
    uint64_t total;
    _Atomic uint64_t written;
};

void q3_writer_abandon(q3_writer *w)
{
    if (!w)
        return;
    for (size_t i = 0; w->shards && i < w->nshards; ++i) {
        shard *s = &w->shards[i];
        if (s->fd >= 0)
            close(s->fd);
        if (s->made)
            unlink(s->named ? s->path : s->part);
        q3_free(s->path);
        q3_free(s->part);
    }
    q3_free(w->shards);
    q3_free(w->places);
    q3_text_free(&w->folder);
    q3_text_free(&w->index);
    q3_free(w);
}

// Tensors in their order; a shard ends where the next one would not fit.
static tk_status place_all(q3_writer *w, const q3_layout *tensors, uint64_t shard_bytes)
{
    uint64_t used = 0;
    w->nshards = 1;
    for (size_t i = 0; i < w->n; ++i) {
        place *p = &w->places[i];
        const q3_layout *t = &tensors[i];
        if ((unsigned)t->type >= Q3_DTYPE_COUNT || t->rank < 0 || t->rank > Q3_RANK || !bytes_of(t->type, t->rank, t->extent, &p->bytes) ||
            p->bytes > (uint64_t)MAX_INTEGER || w->total + p->bytes > (uint64_t)MAX_INTEGER)
            return tk_fail(TK_VALUE, "%s: no type or shape that can be written", t->name);
        if (shard_bytes && used && p->bytes > shard_bytes - (used < shard_bytes ? used : shard_bytes)) {
            ++w->nshards;
            used = 0;
        }
        p->shard = w->nshards - 1;
        p->at = used;
        used += p->bytes;
        w->total += p->bytes;
    }
    return TK_OK;
}

static tk_status put_entry(q3_text *t, const q3_layout *l, const place *p)
{
    TK_TRY(q3_text_put(t, ",", 1));
    TK_TRY(q3_text_quote(t, l->name));
    TK_TRY(q3_text_format(t, ":{\"dtype\":\"%s\",\"shape\":[", dtypes[l->type].name));
    for (int d = 0; d < l->rank; ++d)
        TK_TRY(q3_text_format(t, "%s%lld", d ? "," : "", (long long)l->extent[d]));
    return q3_text_format(t, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)p->at, (unsigned long long)(p->at + p->bytes));
}

// The header of a shard, padded with blanks so that the data are aligned.
static tk_status make_header(const q3_writer *w, size_t s, const q3_layout *tensors, q3_text *t)
{
    TK_TRY(q3_text_put(t, "\0\0\0\0\0\0\0\0", 8));
    TK_TRY(q3_text_format(t, "{\"__metadata__\":{\"format\":\"pt\"}"));
    for (size_t i = 0; i < w->n; ++i)
        if (w->places[i].shard == s)
            TK_TRY(put_entry(t, &tensors[i], &w->places[i]));
    TK_TRY(q3_text_put(t, "}", 1));
    while (t->n % 64)
        TK_TRY(q3_text_put(t, " ", 1));
    const uint64_t length = t->n - 8;
    if (length > MAX_HEADER)
        return tk_fail(TK_SIZE, "%s: a header of %llu bytes; at most %llu", w->shards[s].path, (unsigned long long)length,
                       (unsigned long long)MAX_HEADER);
    for (int i = 0; i < 8; ++i)
        t->at[i] = (char)(length >> 8 * i);
    return TK_OK;
}

static tk_status write_at(const char *path, int fd, uint64_t at, const char *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t put = pwrite(fd, data + done, n - done, (off_t)(at + done));
        if (put < 0 && errno != EINTR)
            return tk_fail(TK_FILE, "%s: %s", path, strerror(errno));
        done += put > 0 ? (size_t)put : 0;
    }
    return TK_OK;
}

static tk_status name_shard(const q3_writer *w, size_t i, shard *s)
{
    q3_text path = {0}, part = {0};
    tk_status status = w->nshards == 1
                           ? q3_path(&path, w->folder.at, "model.safetensors")
                           : q3_text_format(&path, "%s/model-%05zu-of-%05zu.safetensors", w->folder.at, i + 1, w->nshards);
    if (status == TK_OK)
        status = q3_text_format(&part, "%s.part", path.at);
    s->path = path.at;
    s->part = part.at;
    return status;
}

static tk_status start_shard(q3_writer *w, size_t i, const q3_layout *tensors)
{
    shard *s = &w->shards[i];
    q3_text header = {0};
    TK_TRY(name_shard(w, i, s));
    for (size_t k = 0; k < w->n; ++k)
        s->bytes += w->places[k].shard == i ? w->places[k].bytes : 0;
    tk_status status = make_header(w, i, tensors, &header);
    s->data = header.n;
    if (status == TK_OK && (s->fd = open(s->part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
        status = tk_fail(TK_FILE, "%s: %s", s->part, strerror(errno));
    s->made = s->fd >= 0;
    if (status == TK_OK && ftruncate(s->fd, (off_t)(s->data + s->bytes)))
        status = tk_fail(TK_FILE, "%s: %s", s->part, strerror(errno));
    if (status == TK_OK)
        status = write_at(s->part, s->fd, 0, header.at, header.n);
    q3_text_free(&header);
    return status;
}

static tk_status make_index(q3_writer *w, const q3_layout *tensors)
{
    if (w->nshards == 1)
        return TK_OK;
    TK_TRY(q3_text_format(&w->index, "{\n  \"metadata\": {\"total_size\": %llu},\n  \"weight_map\": {", (unsigned long long)w->total));
    for (size_t i = 0; i < w->n; ++i) {
        TK_TRY(q3_text_format(&w->index, "%s\n    ", i ? "," : ""));
        TK_TRY(q3_text_quote(&w->index, tensors[i].name));
        TK_TRY(q3_text_format(&w->index, ": \"%s\"", strrchr(w->shards[w->places[i].shard].path, '/') + 1));
    }
    return q3_text_format(&w->index, "\n  }\n}\n");
}

static tk_status refuse_model(const char *folder)
{
    static const char *const names[] = {"model.safetensors", "model.safetensors.index.json"};
    q3_text path = {0};
    tk_status status = TK_OK;
    for (int i = 0; i < 2 && status == TK_OK; ++i) {
        status = q3_path(&path, folder, names[i]);
        if (status == TK_OK && q3_file_exists(path.at))
            status = tk_fail(TK_FILE, "%s: is there already", path.at);
    }
    q3_text_free(&path);
    return status;
}

static tk_status start(q3_writer *w, const char *folder, const q3_layout *tensors, size_t n, uint64_t shard_bytes)
{
    TK_TRY(refuse_model(folder));
    TK_TRY(q3_path(&w->folder, folder, NULL));
    w->n = n;
    w->places = q3_alloc(n, sizeof *w->places);
    if (!w->places)
        return q3_no_memory(folder);
    TK_TRY(place_all(w, tensors, shard_bytes));
    w->shards = q3_alloc(w->nshards, sizeof *w->shards);
    if (!w->shards)
        return q3_no_memory(folder);
    for (size_t i = 0; i < w->nshards; ++i)
        w->shards[i].fd = -1;
    for (size_t i = 0; i < w->nshards; ++i)
        TK_TRY(start_shard(w, i, tensors));
    return make_index(w, tensors);
}

tk_status q3_writer_open(const char *folder, const q3_layout *tensors, size_t n, uint64_t shard_bytes, q3_writer **out)
{
    *out = NULL;
    q3_writer *w = q3_alloc(1, sizeof *w);
    if (!w)
        return q3_no_memory(folder);
    const tk_status status = start(w, folder, tensors, n, shard_bytes);
    if (status == TK_OK)
        *out = w;
    else
        q3_writer_abandon(w);
    return status;
}

tk_status q3_writer_put(q3_writer *w, size_t i, uint64_t at, const void *data, size_t bytes)
{
    if (i >= w->n || at > w->places[i].bytes || bytes > w->places[i].bytes - at)
        return tk_fail(TK_VALUE, "tensor %zu has no %zu bytes at %llu", i, bytes, (unsigned long long)at);
    const place *p = &w->places[i];
    const shard *s = &w->shards[p->shard];
    TK_TRY(write_at(s->part, s->fd, s->data + p->at + at, data, bytes));
    w->written += bytes;
    return TK_OK;
}

static tk_status finish(q3_writer *w)
{
    if (w->written != w->total)
        return tk_fail(TK_VALUE, "%s: %llu of %llu bytes are written", w->folder.at, (unsigned long long)w->written,
                       (unsigned long long)w->total);
    for (size_t i = 0; i < w->nshards; ++i) {
        shard *s = &w->shards[i];
        const int fd = s->fd;
        s->fd = -1;
        if (close(fd) || rename(s->part, s->path))
            return tk_fail(TK_FILE, "%s: %s", s->path, strerror(errno));
        s->named = true;
    }
    if (w->nshards == 1)
        return TK_OK;
    q3_text path = {0};
    tk_status status = q3_path(&path, w->folder.at, "model.safetensors.index.json");
    if (status == TK_OK)
        status = q3_file_write(path.at, w->index.at, w->index.n);
    q3_text_free(&path);
    return status;
}

tk_status q3_writer_close(q3_writer *w)
{
    const tk_status status = finish(w);
    for (size_t i = 0; status == TK_OK && i < w->nshards; ++i)
        w->shards[i].made = false; // whole: they stay
    q3_writer_abandon(w);
    return status;
}
