// Files of tensors: what is written is read, and files that lie are refused with a reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "examples/qwen3/q3_safetensors.h"
#include "q3_kit.h"

// A file of this header and so many bytes of data; its length.
static size_t make(unsigned char *out, const char *header, size_t data) {
    const size_t n = strlen(header);
    for (int i = 0; i < 8; ++i)
        out[i] = (unsigned char)(n >> 8 * i);
    memcpy(out + 8, header, n);
    for (size_t i = 0; i < data; ++i)
        out[8 + n + i] = (unsigned char)i;
    return 8 + n + data;
}

static void refuse_bytes(const void *bytes, size_t n, const char *why) {
    q3_safetensors *s;
    unsigned char *exact = malloc(n ? n : 1); // reads past the end are seen
    memcpy(exact, bytes, n);
    assert_int_equal(q3_safetensors_parse("f", exact, n, &s), TK_FILE);
    assert_null(s);
    if (!strstr(tk_message(), why) || strncmp(tk_message(), "f: ", 3) != 0)
        fail_msg("\"%s\" does not say \"%s\"", tk_message(), why);
    free(exact);
}

static void refuse(const char *header, size_t data, const char *why) {
    unsigned char file[4096];
    refuse_bytes(file, make(file, header, data), why);
}

static void test_a_file_is_read(void **state) {
    (void)state;
    unsigned char file[1024];
    q3_safetensors *s;
    const size_t n = make(file,
                          "{\"__metadata__\":{\"format\":\"pt\"},\"b\":{\"dtype\":\"BF16\",\"shape\":[2,3],\"data_offsets\":[4,16]},"
                          "\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]},"
                          "\"none\":{\"dtype\":\"I64\",\"shape\":[0,7],\"data_offsets\":[4,4]},"
                          "\"half\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[16,17]}}  \n",
                          17);
    assert_int_equal(q3_safetensors_parse("f", file, n, &s), TK_OK);
    assert_int_equal(q3_safetensors_count(s), 4);
    assert_string_equal(q3_safetensors_at(s, 0)->name, "a");
    assert_null(q3_safetensors_at(s, 4));
    const q3_stored *b = q3_safetensors_find(s, "b");
    assert_int_equal(b->type, Q3_BF16);
    assert_int_equal(b->bytes, 12);
    assert_int_equal(*(const unsigned char *)b->data, 4);
    assert_null(q3_safetensors_find(s, "c"));
    tk_tensor t;
    assert_int_equal(q3_safetensors_get(s, "b", TK_BF16, 2, (int64_t[]){2, 3}, &t), TK_OK);
    assert_int_equal(t.stride[0], 3);
    assert_int_equal(q3_safetensors_get(s, "b", TK_F32, 2, (int64_t[]){2, 3}, &t), TK_TYPE);
    assert_int_equal(q3_safetensors_get(s, "b", TK_BF16, 1, (int64_t[]){6}, &t), TK_SHAPE);
    assert_int_equal(q3_safetensors_get(s, "b", TK_BF16, 2, (int64_t[]){3, 2}, &t), TK_SHAPE);
    assert_int_equal(q3_safetensors_get(s, "c", TK_BF16, 2, (int64_t[]){2, 3}, &t), TK_FILE);
    assert_non_null(strstr(tk_message(), "no tensor c"));
    q3_safetensors_close(s);
    assert_int_equal(q3_safetensors_parse("f", file, make(file, "{}", 0), &s), TK_OK);
    assert_null(q3_safetensors_find(s, "a"));
    q3_safetensors_close(s);
}

static void test_truncated_files_are_refused(void **state) {
    (void)state;
    unsigned char file[256];
    const size_t n = make(file, "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8);
    for (size_t k = 0; k < n; ++k)
        refuse_bytes(file, k, k < 8 ? "takes 8" : k < n - 8 ? "a header of" : "not within");
    refuse_bytes("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10, "a header of 18446744073709551615");
    refuse_bytes("\x03\0\0\0\0\0\0\0{}", 10, "a header of 3 bytes in a file of 10");
}

static void test_headers_that_are_no_json_are_refused(void **state) {
    (void)state;
    refuse("", 0, "no JSON");
    refuse("{", 0, "no JSON");
    refuse("{} x", 0, "no JSON");
    refuse("[]", 0, "no object");
    refuse("\xff{}", 0, "UTF-8");
    refuse("{\"a\\u0000b\":1}", 0, "NUL");
    refuse("{\"a\":1}", 0, "a is no object");
    refuse("{\"__metadata__\":1}", 0, "__metadata__");
    refuse("{\"__metadata__\":{\"a\":1}}", 0, "__metadata__");
}

#define ONE(dtype, shape, offsets) "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void test_tensors_that_lie_are_refused(void **state) {
    (void)state;
    refuse("{\"a\":{\"shape\":[],\"data_offsets\":[0,4]}}", 4, "dtype is missing");
    refuse("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "shape is missing");
    refuse("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", 4, "data_offsets is missing");
    refuse("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"I32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4, "dtype is there twice");
    refuse(ONE("\"F33\"", "[]", "[0,4]"), 4, "dtype F33 is not known");
    refuse(ONE("7", "[]", "[0,4]"), 4, "not known");
    refuse(ONE("\"F32\"", "{}", "[0,4]"), 4, "shape is no list");
    refuse(ONE("\"F32\"", "[-1]", "[0,4]"), 4, "not within");
    refuse(ONE("\"F32\"", "[1.5]", "[0,4]"), 4, "no integer");
    refuse(ONE("\"F32\"", "[\"1\"]", "[0,4]"), 4, "no integer");
    refuse(ONE("\"F32\"", "[1e300]", "[0,4]"), 4, "not within");
    refuse(ONE("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4, "more than 8 dimensions");
    refuse(ONE("\"F32\"", "[4294967296,4294967296]", "[0,0]"), 0, "no size in bytes");
    refuse(ONE("\"F32\"", "[0,4294967296,4294967296,4294967296]", "[0,4]"), 4, "data_offsets 4");
    refuse(ONE("\"F4\"", "[3]", "[0,1]"), 1, "no size in bytes");
    refuse(ONE("\"F32\"", "[2]", "[0,4]"), 4, "are 8 bytes, data_offsets 4");
    refuse(ONE("\"F32\"", "[1]", "[0,8]"), 8, "are 4 bytes, data_offsets 8");
    refuse(ONE("\"F32\"", "[1]", "[4,0]"), 4, "not within the 4 bytes");
    refuse(ONE("\"F32\"", "[2]", "[0,8]"), 4, "not within the 4 bytes");
    refuse(ONE("\"F32\"", "[1]", "[-4,0]"), 4, "not within");
    refuse(ONE("\"F32\"", "[1]", "[0]"), 4, "no pair");
    refuse(ONE("\"F32\"", "[1]", "4"), 4, "no pair");
    refuse(ONE("\"F32\"", "[1]", "[0,18446744073709551616]"), 4, "not within");
}

#define F32(name, from, to) "\"" name "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[" #from "," #to "]}"

static void test_data_is_filled_once(void **state) {
    (void)state;
    refuse("{" F32("a", 0, 4) "," F32("b", 0, 4) "}", 4, "overlaps");
    refuse("{" F32("a", 0, 4) "," F32("b", 2, 6) "}", 6, "b overlaps another at byte 2");
    refuse("{" F32("a", 0, 4) "," F32("b", 8, 12) "}", 12, "b leaves a hole at byte 4");
    refuse("{" F32("a", 4, 8) "}", 8, "a leaves a hole at byte 0");
    refuse("{" F32("a", 0, 4) "}", 8, "4 bytes of data belong to no tensor");
    refuse("{" F32("a", 0, 4) "," F32("a", 4, 8) "}", 8, "a is there twice");
}

// ---- sets ----

static void put_file(kit_folder *f, const char *name, const char *header, size_t data) {
    unsigned char file[4096];
    kit_write(f, name, (const char *)file, make(file, header, data));
}

static void put_text(kit_folder *f, const char *name, const char *text) { kit_write(f, name, text, strlen(text)); }

static void refuse_folder(kit_folder *f, const char *why) {
    q3_safetensors *s;
    assert_int_equal(q3_safetensors_open(f->path, &s), TK_FILE);
    if (!strstr(tk_message(), why))
        fail_msg("\"%s\" does not say \"%s\"", tk_message(), why);
}

static void test_sets_are_read_and_checked(void **state) {
    (void)state;
    kit_folder f = kit_folder_new();
    q3_safetensors *s;
    const char *const index = "model.safetensors.index.json";
    refuse_folder(&f, "neither");
    put_file(&f, "x", "{" F32("a", 0, 4) "}", 4);
    put_file(&f, "y", "{" F32("b", 0, 4) "," F32("c", 4, 8) "}", 8);
    put_text(&f, index, "{\"weight_map\":{\"b\":\"y\",\"a\":\"x\",\"c\":\"y\"}}");
    assert_int_equal(q3_safetensors_open(f.path, &s), TK_OK);
    assert_int_equal(q3_safetensors_count(s), 3);
    assert_non_null(strstr(q3_safetensors_find(s, "c")->file, "/y"));
    assert_int_equal(*(const unsigned char *)q3_safetensors_find(s, "c")->data, 4);
    q3_safetensors_close(s);

    static const char *const bad[][2] = {
        {"{\"weight_map\":{\"b\":\"y\",\"a\":\"x\"}}", "c is not in the index"},
        {"{\"weight_map\":{\"b\":\"y\",\"a\":\"x\",\"c\":\"y\",\"d\":\"x\"}}", "d is in none"},
        {"{\"weight_map\":{\"b\":\"y\",\"a\":\"x\",\"c\":\"x\"}}", "c is not in x"},
        {"{\"weight_map\":{\"b\":\"y\",\"a\":\"x\",\"c\":\"y\",\"c\":\"x\"}}", "c is there twice"},
        {"{\"weight_map\":{\"b\":\"y\",\"a\":\"x\",\"c\":\"z\"}}", "/z: No such file"},
        {"{\"weight_map\":{\"a\":\"../x\"}}", "no name of a file"},
        {"{\"weight_map\":{\"a\":\"/etc/passwd\"}}", "no name of a file"},
        {"{\"weight_map\":{\"a\":\"..\"}}", "no name of a file"},
        {"{\"weight_map\":{\"a\":\".\"}}", "no name of a file"},
        {"{\"weight_map\":{\"a\":\"\"}}", "no name of a file"},
        {"{\"weight_map\":{\"a\":1}}", "no file name"},
        {"{\"weight_map\":[]}", "no object"},
        {"{}", "weight_map is missing"},
        {"", "no JSON"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        put_text(&f, index, bad[i][0]);
        refuse_folder(&f, bad[i][1]);
    }
    put_file(&f, "x", "{" F32("b", 0, 4) "}", 4);
    put_text(&f, index, "{\"weight_map\":{\"b\":\"y\",\"a\":\"x\",\"c\":\"y\"}}");
    refuse_folder(&f, "b is there twice, also in ");
    put_text(&f, "x", "");
    refuse_folder(&f, "/x: 0 bytes");
    put_text(&f, index, "{\"weight_map\":{}}");
    assert_int_equal(q3_safetensors_open(f.path, &s), TK_OK);
    q3_safetensors_close(s);
    assert_int_equal(q3_safetensors_open(kit_path(&f, "not there"), &s), TK_FILE);
    kit_folder_free(&f);
}

// ---- writing ----

static const q3_layout layouts[] = {
    {"first", Q3_F32, 2, {3, 5}},
    {"a \"quoted\" name\n", Q3_BF16, 1, {7}},
    {"empty", Q3_I64, 2, {0, 4}},
    {"large", Q3_U8, 1, {1000}},
    {"last", Q3_F16, 0, {0}},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };
static const size_t sizes[LAYOUTS] = {60, 14, 0, 1000, 2};

static tk_status write_set(const char *folder, uint64_t shard, bool whole) {
    q3_writer *w;
    unsigned char data[1000];
    TK_TRY(q3_writer_open(folder, layouts, LAYOUTS, shard, &w));
    for (size_t i = LAYOUTS; i-- > 0;)
        for (size_t at = 0; at < sizes[i]; at += 7) {
            const size_t n = sizes[i] - at < 7 ? sizes[i] - at : 7;
            for (size_t k = 0; k < n; ++k)
                data[k] = (unsigned char)(i * 31 + at + k);
            const tk_status status = q3_writer_put(w, i, at, data, whole || i ? n : n - 1);
            if (status != TK_OK) {
                q3_writer_abandon(w);
                return status;
            }
        }
    return q3_writer_close(w);
}

static tk_status read_set(const char *folder) {
    q3_safetensors *s;
    TK_TRY(q3_safetensors_open(folder, &s));
    assert_int_equal(q3_safetensors_count(s), LAYOUTS);
    for (size_t i = 0; i < LAYOUTS; ++i) {
        const q3_stored *t = q3_safetensors_find(s, layouts[i].name);
        assert_non_null(t);
        assert_int_equal(t->bytes, sizes[i]);
        assert_int_equal(t->rank, layouts[i].rank);
        for (size_t k = 0; k < sizes[i]; ++k)
            assert_int_equal(((const unsigned char *)t->data)[k], (unsigned char)(i * 31 + k));
    }
    q3_safetensors_close(s);
    return TK_OK;
}

static void test_what_is_written_is_read(void **state) {
    (void)state;
    static const uint64_t shards[] = {0, 1, 74, 100, 1074, 100000};
    static const int files[] = {1, 4, 3, 3, 2, 1}; // the empty one goes where there is room
    for (size_t i = 0; i < sizeof shards / sizeof shards[0]; ++i) {
        kit_folder f = kit_folder_new();
        char name[64];
        assert_int_equal(write_set(f.path, shards[i], true), TK_OK);
        assert_int_equal(read_set(f.path), TK_OK);
        snprintf(name, sizeof name, "model-%05d-of-%05d.safetensors", files[i], files[i]);
        assert_true(q3_file_exists(kit_path(&f, files[i] > 1 ? name : "model.safetensors")));
        assert_int_equal(write_set(f.path, 0, true), TK_FILE); // it holds a model
        kit_folder_free(&f);
    }
}

static void test_a_set_that_is_not_whole_leaves_no_file(void **state) {
    (void)state;
    kit_folder f = kit_folder_new();
    q3_writer *w;
    assert_int_equal(write_set(f.path, 100, false), TK_VALUE);
    assert_int_equal(q3_writer_open(f.path, layouts, LAYOUTS, 0, &w), TK_OK);
    assert_int_equal(q3_writer_put(w, 0, 59, "ab", 2), TK_VALUE);
    assert_int_equal(q3_writer_put(w, 0, 61, "", 0), TK_VALUE);
    assert_int_equal(q3_writer_put(w, LAYOUTS, 0, "", 0), TK_VALUE);
    q3_writer_abandon(w);
    const q3_layout bad = {"x", Q3_F64, 3, {INT64_MAX / 2, 8, 8}};
    assert_int_equal(q3_writer_open(f.path, &bad, 1, 0, &w), TK_VALUE);
    assert_int_equal(q3_writer_open(kit_path(&f, "not there"), layouts, LAYOUTS, 0, &w), TK_FILE);
    assert_int_equal(rmdir(f.path), 0); // nothing is in it
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    kit_folder f = kit_folder_new();
    for (uint64_t k = 1;; ++k) {
        q3_memory_fail_at(k);
        const tk_status status = write_set(f.path, 100, true);
        if (status == TK_OK)
            break;
        assert_int_equal(status, TK_MEMORY);
        assert_int_equal(rmdir(f.path), 0);
        assert_int_equal(mkdir(f.path, 0777), 0);
    }
    assert_true(q3_memory_count() > 20);
    for (uint64_t k = 1;; ++k) {
        q3_memory_fail_at(k);
        const tk_status status = read_set(f.path);
        if (status == TK_OK)
            break;
        assert_int_equal(status, TK_MEMORY);
    }
    assert_true(q3_memory_count() > 20);
    q3_memory_fail_at(0);
    kit_folder_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_is_read),
        cmocka_unit_test(test_truncated_files_are_refused),
        cmocka_unit_test(test_headers_that_are_no_json_are_refused),
        cmocka_unit_test(test_tensors_that_lie_are_refused),
        cmocka_unit_test(test_data_is_filled_once),
        cmocka_unit_test(test_sets_are_read_and_checked),
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_a_set_that_is_not_whole_leaves_no_file),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
